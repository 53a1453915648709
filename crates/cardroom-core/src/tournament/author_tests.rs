//! An audit finds that a log is wrong which can be replayed: acts that were not for their authors, and entrants for whom there
//! was no place.

use std::collections::HashMap;

use serde_json::json;
use serde_json::value::RawValue;

use super::desk_tests::{enter, name};
use super::simulation::{Sim, organiser, person};
use super::tests::rounds;
use super::*;
use crate::audit::{Keys, TournamentBundle, tournament_bundle, verify_tournament};

/// The entry in which an audit finds something wrong with the log.
fn wrong_entry(sim: &Sim, texts: &[String]) -> Option<u32> {
    let entries = texts.iter().map(|text| TournamentEntry::parse(text).unwrap());
    let after = Tournament::replay(sim.now.id, sim.seed.clone(), entries).unwrap();
    let log = texts.iter().map(|text| serde_json::from_str::<&RawValue>(text).unwrap()).collect();
    let text = tournament_bundle(&after, log, &after.standings(&sim.game_results), "unsigned");
    let bundle = TournamentBundle::parse(&text).unwrap();
    let report = verify_tournament(&bundle, &Keys::Bundled, &HashMap::new()).report;
    report.checks.iter().find(|check| check.name == "log").unwrap().seq
}

fn texts(sim: &Sim) -> Vec<String> {
    sim.entries.iter().map(|(_, text)| text.clone()).collect()
}

/// The log in which a part of the newest entry reads otherwise.
fn with_newest(sim: &Sim, was: &str, is: &str) -> Vec<String> {
    let mut texts = texts(sim);
    let newest = texts.last_mut().unwrap();
    assert!(newest.contains(was), "{newest}");
    *newest = newest.replacen(was, is, 1);
    texts
}

fn by(player: &str) -> String {
    format!(r#""by":{{"player":"{player}","type":"player"}}"#)
}

/// A tournament that two have entered, with a director and a referee.
fn entered(more: serde_json::Value) -> Sim {
    let mut sim = Sim::new(rounds("sevens", 2, 2, more), 1);
    (0..2).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    for (number, role) in [(20, Role::Director), (21, Role::Referee)] {
        let Person { account, username: name, .. } = person(number);
        sim.does(&organiser(), &Command::NameOrganiser { account, name, role }).unwrap();
    }
    sim
}

fn after(sim: &Sim, who: &Person, command: &Command) -> Sim {
    let mut after = Sim::new(sim.now.setup().clone(), 1);
    (after.now, after.entries) = (sim.now.clone(), sim.entries.clone());
    after.does(who, command).unwrap();
    after
}

#[test]
fn an_audit_finds_acts_of_those_who_may_not_do_them() {
    let sim = entered(json!({"check_in_minutes": 10}));
    let reason = "two phones".to_owned();
    let (account, third) = (person(22).account, "p22".to_owned());
    // The author, and whether the act is for an entrant, for another, for the referee, the director and the owner.
    for (who, command, may) in [
        (0, Command::CheckIn { player: name(&sim, 0), is_present: true }, [true, false, true, true, true]),
        (21, Command::Announce { text: "On we go.".to_owned() }, [false, false, true, true, true]),
        (20, Command::Disqualify { player: name(&sim, 0), reason }, [false, false, false, true, true]),
        (
            1,
            Command::NameOrganiser { account, name: third, role: Role::Referee },
            [false, false, false, false, true],
        ),
        (21, Command::DismissOrganiser { player: "p21".to_owned() }, [false, false, true, false, true]),
        (1, Command::Withdraw, [false, true, false, false, false]),
        (20, Command::Abort, [false, false, false, true, true]),
    ] {
        let is_naming = matches!(command, Command::NameOrganiser { .. });
        let who = if is_naming { organiser() } else { person(who) };
        let after = after(&sim, &who, &command);
        for (author, may) in ["p0", "p1", "p21", "p20", "olga"].into_iter().zip(may) {
            let found = wrong_entry(&after, &with_newest(&after, &by(&who.username), &by(author)));
            assert_eq!(found, (!may).then_some(after.now.version), "{command:?} by {author}");
        }
    }
    // Nobody enters another player but a director.
    let after = after(&sim, &person(2), &enter());
    for (author, may) in [("p2", true), ("p0", false), ("p21", false), ("p20", true)] {
        let found = wrong_entry(&after, &with_newest(&after, &by("p2"), &by(author)));
        assert_eq!(found, (!may).then_some(after.now.version), "{author}");
    }
}

#[test]
fn an_administrator_s_act_is_marked_if_they_have_no_role() {
    let sim = entered(json!({}));
    let admin = |number: u32| Person { admin: true, ..person(number) };
    let announce = Command::Announce { text: "On we go.".to_owned() };
    let marked = after(&sim, &admin(50), &announce);
    let mark = r#""admin":true,"#;
    assert_eq!(wrong_entry(&marked, &texts(&marked)), None);
    assert_eq!(wrong_entry(&marked, &with_newest(&marked, mark, "")), Some(marked.now.version));
    for (number, command) in [(21, &announce), (0, &Command::Withdraw), (50, &enter())] {
        let after = after(&sim, &admin(number), command);
        assert!(
            !after.entries.last().unwrap().1.contains(mark),
            "they may do this as anybody in their place"
        );
    }
    // An administrator withdraws nobody else, and the house is none.
    let withdrawn = after(&sim, &person(0), &Command::Withdraw);
    let other = with_newest(&withdrawn, &by("p0"), &by("p50")).pop().unwrap();
    let texts =
        with_newest(&withdrawn, &texts(&withdrawn).pop().unwrap(), &format!("{{{mark}{}", &other[1..]));
    assert_eq!(wrong_entry(&withdrawn, &texts), Some(withdrawn.now.version));
    let (house, _) = &sim.now.call_off(sim.at()).entries[0];
    let marked = TournamentEntry { by_admin: true, ..house.clone() };
    assert_eq!(sim.now.clone().evolve(&marked).unwrap_err().detail, "this is not for them to do");
}

#[test]
fn a_guest_who_has_taken_a_name_is_called_as_before() {
    let mut sim = entered(json!({}));
    let guest = |name: &str| Person { username: name.to_owned(), ..person(40) };
    sim.does(&guest("guest-1"), &enter()).unwrap();
    sim.does(&guest("ann"), &Command::Withdraw).unwrap();
    assert!(sim.entries.last().unwrap().1.contains(&by("guest-1")));
    // They come in again by the new name.
    sim.does(&guest("ann"), &enter()).unwrap();
    sim.does(&guest("ann"), &Command::Withdraw).unwrap();
    assert!(sim.entries.last().unwrap().1.contains(&by("ann")));
    assert_eq!(wrong_entry(&sim, &texts(&sim)), None);
}

#[test]
fn an_audit_finds_an_entry_that_logs_write_otherwise() {
    let sim = after(&entered(json!({})), &organiser(), &Command::Start);
    let sim = after(&sim, &organiser(), &Command::Pause { reason: String::new(), stop_clocks: false });
    assert_eq!(wrong_entry(&sim, &texts(&sim)), None);
    let flag = with_newest(&sim, r#""reason":"""#, r#""reason":"","stop_clocks":false"#);
    assert_eq!(wrong_entry(&sim, &flag), Some(sim.now.version));
}

#[test]
fn an_audit_finds_entrants_for_whom_there_was_no_place() {
    let limited = |sim: &Sim, admission: &str| {
        let mut texts = texts(sim);
        let is_open = r#""admission":{"type":"open"}"#;
        assert!(texts[0].contains(is_open), "{}", texts[0]);
        texts[0] = texts[0].replacen(is_open, &format!(r#""admission":{admission}"#), 1);
        wrong_entry(sim, &texts)
    };
    let (two, three) = (
        r#"{"max":2,"type":"limited","waiting_list":false}"#,
        r#"{"max":3,"type":"limited","waiting_list":false}"#,
    );
    let waiting = r#"{"max":2,"type":"limited","waiting_list":true}"#;
    let mut sim = entered(json!({}));
    let third = after(&sim, &person(2), &enter());
    let found = [two, three, waiting].map(|admission| limited(&third, admission));
    assert_eq!(found, [Some(third.now.version), None, None]);

    let reason = "two phones".to_owned();
    sim.does(&organiser(), &Command::Disqualify { player: name(&sim, 0), reason }).unwrap();
    sim.does(&person(2), &enter()).unwrap();
    assert_eq!(limited(&sim, two), None, "a place was free");
    sim.does(&organiser(), &Command::Reinstate { player: name(&sim, 0) }).unwrap();
    let found = [two, three, waiting].map(|admission| limited(&sim, admission));
    assert_eq!(found, [Some(sim.now.version), None, None]);
}
