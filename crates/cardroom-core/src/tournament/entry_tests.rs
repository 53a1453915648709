//! The entries of a log: which can be, and whom each concerns.

use serde_json::json;

use super::log::{Disqualified, Ended, Withdrawn};
use super::simulation::{Sim, organiser, person};
use super::tests::{disqualify, rounds};
use super::*;
use crate::log::entry::{By, Policy, Time};
use crate::log::fairness::Seed;

#[test]
fn a_log_with_what_cannot_happen_is_refused() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 6, 1);
    let ended = |seed: &Seed| Ended { server_seed: seed.reveal() };
    let entrant = |number| Entrant {
        number,
        who: Who::Bot { bot: Policy::Steady, player: format!("steady {number}") },
        team: None,
    };
    let refused = |now: &Tournament, event: TournamentEvent| {
        let by = match event {
            TournamentEvent::RoundBegan(_) | TournamentEvent::Finished(_) => By::System {},
            _ => By::Player { player: "olga".to_owned() },
        };
        let entry = TournamentEntry { seq: now.version + 1, at: Time(now.at), by, by_admin: false, event };
        assert!(now.clone().evolve(&entry).is_err(), "{:?} after {now:?}", entry.event);
    };
    let other = Seed::new([9; 32]);
    let olga = Organiser { account: organiser().account, name: "olga".to_owned(), role: Role::Owner };
    disqualify(&mut sim, 0);
    let now = &sim.now;
    for event in [
        TournamentEvent::Entered(entrant(6)),
        TournamentEvent::Withdrawn(Withdrawn { entrant: 6 }),
        TournamentEvent::Withdrawn(Withdrawn { entrant: 0 }),
        TournamentEvent::Disqualified(Disqualified { entrant: 6, reason: String::new() }),
        TournamentEvent::Disqualified(Disqualified { entrant: 0, reason: String::new() }),
        TournamentEvent::OrganiserNamed(olga),
        TournamentEvent::Started,
        TournamentEvent::Finished(ended(&other)),
        TournamentEvent::Aborted(ended(&other)),
    ] {
        refused(now, event);
    }
    let open = Sim::new(rounds("sevens", 3, 2, json!({})), 1).now;
    for event in [
        TournamentEvent::Entered(entrant(1)),
        TournamentEvent::Finished(ended(open.seed())),
        TournamentEvent::Withdrawn(Withdrawn { entrant: 0 }),
    ] {
        refused(&open, event);
    }
}

#[test]
fn bots_and_players_are_told_apart() {
    let sim = Sim::started(rounds("sevens", 3, 1, json!({})), 6, 1);
    for (number, registration) in (0..).zip(sim.now.entrants()) {
        assert_eq!(registration.entrant.is_bot(), number % 3 == 2);
        assert_eq!(registration.entrant.account().is_none(), registration.entrant.is_bot());
    }
}

#[test]
fn a_tournament_is_run_by_its_creator_and_those_whom_the_creator_named() {
    let mut sim = Sim::started(rounds("sevens", 3, 1, json!({})), 6, 1);
    let Person { account, username: name, .. } = person(9);
    sim.does(&organiser(), &Command::NameOrganiser { account, name: name.clone(), role: Role::Director })
        .unwrap();
    let expected = [
        Organiser { account: organiser().account, name: "olga".to_owned(), role: Role::Owner },
        Organiser { account, name, role: Role::Director },
    ];
    assert_eq!(sim.now.organisers(), expected);
    assert_eq!(sim.replayed().organisers(), expected);
}

#[test]
fn each_entry_says_whom_it_concerns_and_whom_it_takes_off_the_list() {
    let mut sim = Sim::new(rounds("sevens", 3, 1, json!({})), 1);
    let players = (0..3).map(person);
    let rows = players.map(|who| NewEntrant::Player {
        account: who.account,
        name: who.username,
        is_program: false,
        team: None,
    });
    sim.does(&organiser(), &Command::EnterMany(rows.collect())).unwrap();
    let newest = |sim: &Sim| sim.entries.last().unwrap().0.clone();
    let notice = |sim: &Sim, who: &Person| {
        let notice = sim.now.notice(&newest(sim), who.account)?;
        let told = serde_json::to_value(&notice).unwrap();
        assert_eq!(told["id"], notice.id());
        assert_eq!(notice.id(), format!("{}:{}", sim.now.id, sim.now.version));
        Some(told["type"].as_str().unwrap().to_owned())
    };
    let each =
        |sim: &Sim| [person(0), person(1), person(2), organiser(), person(3)].map(|who| notice(sim, &who));
    let some = |what: &str| Some(what.to_owned());
    assert_eq!(each(&sim), [None, None, some("tournament_entered"), None, None]);

    sim.does(&person(2), &Command::Withdraw).unwrap();
    assert_eq!(sim.now.taken_off(&newest(&sim)), Some(person(2).account));
    assert_eq!(each(&sim), [None, None, None, None, None]);
    sim.does(&person(2), &Command::Enter(Application::default())).unwrap();
    assert_eq!(each(&sim), [None, None, None, None, None]);
    assert_eq!(sim.now.taken_off(&newest(&sim)), None);

    sim.does(&organiser(), &Command::Start).unwrap();
    let started = some("tournament_started");
    assert_eq!(each(&sim), [started.clone(), started.clone(), started.clone(), started, None]);
    sim.does(&person(1), &Command::Withdraw).unwrap();
    assert_eq!(sim.now.taken_off(&newest(&sim)), None, "it had started");
    disqualify(&mut sim, 0);
    assert_eq!(each(&sim), [some("disqualified"), None, None, None, None]);
    sim.does(&organiser(), &Command::Abort).unwrap();
    let over = some("tournament_over");
    assert_eq!(each(&sim), [over.clone(), over.clone(), over.clone(), over, None]);
}

#[test]
fn a_round_tells_its_players_where_they_sit() {
    let mut sim = Sim::started(rounds("sevens", 3, 1, json!({})), 7, 1);
    sim.advance();
    let (entry, _) = sim.entries.last().unwrap();
    let round = sim.now.rounds()[0].clone();
    for registration in sim.now.entrants() {
        let Some(account) = registration.entrant.account() else { continue };
        let table =
            round.tables.iter().find(|table| table.seats.contains(&Some(registration.entrant.number)));
        let told = serde_json::to_value(sim.now.notice(entry, account).unwrap()).unwrap();
        assert_eq!(told["type"], "round_drawn");
        assert_eq!(told["table"], json!(table.map(|table| table.table)));
        assert_eq!(told["game_id"], json!(table.map(|table| table.game)));
    }
    let told = serde_json::to_value(sim.now.notice(entry, organiser().account).unwrap()).unwrap();
    assert!(told["table"].is_null() && told["round"] == 1);
}
