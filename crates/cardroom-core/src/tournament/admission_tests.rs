//! Conditions of entry, the waiting list, roles, and time for single players.

use serde_json::json;

use super::desk_tests::{enter, name};
use super::simulation::{Sim, organiser, person};
use super::tests::rounds;
use super::*;

fn conditional(conditions: serde_json::Value) -> Sim {
    Sim::new(rounds("sevens", 6, 2, json!({"conditions": conditions})), 1)
}

fn rated(rating: Option<f64>) -> Command {
    Command::Enter(Application { rating, ..Application::default() })
}

fn names(role: Role, number: u32) -> Command {
    let Person { account, username: name, .. } = person(number);
    Command::NameOrganiser { account, name, role }
}

#[test]
fn players_enter_where_they_meet_every_condition() {
    let guest = Person { is_guest: true, ..person(1) };
    let program = Person { is_program: true, ..person(2) };
    let mut sim = conditional(json!({"accounts_only": true, "programs": "refused"}));
    assert_eq!(sim.does(&guest, &enter()), Err("not_eligible"));
    assert_eq!(sim.does(&program, &enter()), Err("not_eligible"));
    sim.does(&person(3), &enter()).unwrap();
    sim.does(&organiser(), &enter()).unwrap();

    let mut sim = conditional(json!({"programs": "only"}));
    sim.does(&program, &enter()).unwrap();
    assert_eq!(sim.does(&person(3), &enter()), Err("not_eligible"));

    let mut sim = conditional(json!({"rating_from": 1400, "rating_to": 1600}));
    assert_eq!(sim.does(&person(1), &rated(None)), Err("not_eligible"));
    assert_eq!(sim.does(&person(1), &rated(Some(1399.9))), Err("not_eligible"));
    assert_eq!(sim.does(&person(1), &rated(Some(1600.1))), Err("not_eligible"));
    sim.does(&person(1), &rated(Some(1400.0))).unwrap();
    sim.does(&person(2), &rated(Some(1600.0))).unwrap();
    conditional(json!({"rating_to": 1600})).does(&person(1), &rated(None)).unwrap();

    let mut sim = conditional(json!({"players": ["p40", "p50"]}));
    assert_eq!(sim.does(&person(3), &enter()), Err("not_eligible"));
    sim.does(&person(40), &enter()).unwrap();
    let invited = NewEntrant::Player {
        account: person(3).account,
        name: person(3).username,
        is_program: false,
        team: None,
    };
    sim.does(&organiser(), &Command::EnterMany(vec![invited])).unwrap();
}

#[test]
fn conditions_that_nobody_can_meet_are_refused() {
    for conditions in [
        json!({"rating_from": 1600, "rating_to": 1400}),
        json!({"rating_from": 10_001}),
        json!({"players": []}),
        json!({"players": ["x"]}),
    ] {
        let wanted = json!({"name": "Cup", "kind": "sevens", "conditions": conditions,
            "format": {"type": "knockout", "advance": 1}});
        let wanted: NewTournament = serde_json::from_value(wanted).unwrap();
        assert_eq!(wanted.settle().unwrap_err().code, "invalid_options", "{conditions}");
    }
}

#[test]
fn a_place_that_becomes_free_is_the_first_one_s_who_waits() {
    let limited = json!({"admission": {"type": "limited", "max": 3, "waiting_list": true}});
    let mut sim = Sim::new(rounds("sevens", 6, 2, limited), 1);
    (0..6).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    let waits = |sim: &Sim| -> Vec<u32> {
        let waits = sim.now.waits();
        let waiting = sim.now.entrants().iter().filter(|found| waits(found));
        waiting.map(|found| found.entrant.number).collect()
    };
    assert_eq!((sim.now.entered(), sim.now.waiting(), waits(&sim)), (3, 3, vec![3, 4, 5]));
    let moved_up = |sim: &Sim| {
        let (entry, _) = sim.entries.last().unwrap();
        let hears = |number: &u32| {
            matches!(
                sim.now.notice(entry, person(*number).account),
                Some(crate::notice::Notice::PlaceFreed(_))
            )
        };
        (0..6).filter(hears).collect::<Vec<_>>()
    };
    // If one who waits leaves, nobody moves up.
    sim.withdraws(4);
    assert_eq!((waits(&sim), moved_up(&sim)), (vec![3, 5], vec![]));
    sim.withdraws(0);
    assert_eq!((waits(&sim), moved_up(&sim)), (vec![5], vec![3]));
    let player = name(&sim, 1);
    sim.does(&organiser(), &Command::Disqualify { player, reason: "two phones".to_owned() }).unwrap();
    assert_eq!((waits(&sim), moved_up(&sim)), (vec![], vec![5]));
    sim.does(&person(0), &enter()).unwrap();
    assert_eq!(waits(&sim), [6], "a player who enters again waits behind the others");

    sim.does(&organiser(), &Command::Start).unwrap();
    assert_eq!(sim.now.waiting(), 1);
    // An entrant without a place is nobody in this tournament, but may give up waiting.
    let player = name(&sim, 6);
    let reason = "two phones".to_owned();
    for command in [
        Command::Disqualify { player: player.clone(), reason },
        Command::Replace { player: player.clone(), by: super::desk_tests::who(90) },
    ] {
        assert_eq!(sim.does(&organiser(), &command), Err("entrant_not_found"));
    }
    let mut other = Sim::new(sim.now.setup().clone(), 0);
    (other.now, other.entries) = (sim.now.clone(), sim.entries.clone());
    other.does(&person(0), &Command::Withdraw).unwrap();
    assert_eq!((other.now.waiting(), other.now.entrants()[6].departure), (0, Some(Departure::TakenOff)));
    sim.advance();
    assert_eq!(sim.now.rounds()[0].entrants().collect::<std::collections::BTreeSet<_>>(), [2, 3, 5].into());
    let rows = sim.now.standings(&sim.game_results);
    assert!(rows.iter().all(|row| row.entrant != 6), "without a place, nobody was in it");
    // A place is free once somebody is out; then an organiser may give it away.
    let player = name(&sim, 6);
    assert_eq!(
        sim.does(&organiser(), &Command::Reinstate { player: player.clone() }),
        Err("tournament_full")
    );
    let gone = name(&sim, 2);
    sim.does(&organiser(), &Command::Disqualify { player: gone, reason: "two phones".to_owned() }).unwrap();
    sim.does(&organiser(), &Command::Reinstate { player }).unwrap();
    assert_eq!((sim.now.entered(), sim.now.waiting()), (3, 0));
    sim.plays_round();
    sim.advance();
    assert!(sim.now.rounds()[1].entrants().any(|entrant| entrant == 6));
    sim.plays_round();
    sim.check_standings();
    // While it runs, the place is taken; after the end, a disqualification is taken back all the same.
    let player = name(&sim, 2);
    assert_eq!(
        sim.does(&organiser(), &Command::Reinstate { player: player.clone() }),
        Err("tournament_full")
    );
    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
    sim.does(&organiser(), &Command::Reinstate { player }).unwrap();
    sim.check_standings();
}

#[test]
fn places_of_entrants_who_have_not_checked_in_are_for_those_who_wait() {
    let wanted =
        json!({"admission": {"type": "limited", "max": 3, "waiting_list": true}, "check_in_minutes": 10});
    let mut sim = Sim::new(rounds("sevens", 6, 1, wanted), 1);
    (0..6).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    for number in [0, 2, 4, 5] {
        let player = name(&sim, number);
        sim.does(&person(number), &Command::CheckIn { player, is_present: true }).unwrap();
    }
    sim.does(&organiser(), &Command::Start).unwrap();
    let departures: Vec<_> = sim.now.entrants().iter().map(|found| found.departure).collect();
    let (absent, waiting) = (Some(Departure::Absent), Some(Departure::Waiting));
    // Entrant 3 waited and has not checked in: that is nobody who had a place and did not come.
    assert_eq!(departures, [None, absent, None, waiting, None, waiting]);
    assert_eq!((sim.now.entered(), sim.now.waiting()), (4, 2));
    let rows = sim.now.standings(&sim.game_results);
    assert!(rows.iter().all(|row| row.entrant != 3), "without a place, nobody was in it");
    // Their places are taken.
    let player = name(&sim, 1);
    assert_eq!(
        sim.does(&organiser(), &Command::Reinstate { player: player.clone() }),
        Err("tournament_full")
    );
    sim.withdraws(0);
    sim.does(&organiser(), &Command::Reinstate { player }).unwrap();
}

#[test]
fn a_tournament_has_at_most_twenty_organisers() {
    let mut sim = Sim::new(rounds("sevens", 6, 2, json!({})), 1);
    (20..39).for_each(|number| sim.does(&organiser(), &names(Role::Referee, number)).unwrap());
    assert_eq!(sim.does(&organiser(), &names(Role::Referee, 39)), Err("too_many_changes"));
    // A known organiser can still have another role.
    sim.does(&organiser(), &names(Role::Director, 38)).unwrap();
}

#[test]
fn a_referee_decides_at_the_tables_a_director_runs_it_and_the_owner_names_them() {
    let mut sim = Sim::new(rounds("sevens", 6, 2, json!({})), 1);
    (0..6).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    let (director, referee) = (person(20), person(21));
    assert_eq!(sim.does(&director, &names(Role::Director, 20)), Err("not_creator"));
    assert_eq!(sim.does(&organiser(), &names(Role::Owner, 20)), Err("invalid_body"));
    sim.does(&organiser(), &names(Role::Director, 20)).unwrap();
    sim.does(&organiser(), &names(Role::Referee, 21)).unwrap();
    let version = sim.now.version;
    sim.does(&organiser(), &names(Role::Referee, 21)).unwrap();
    assert_eq!(sim.now.version, version, "asking twice does no harm");
    assert_eq!(sim.does(&director, &names(Role::Director, 22)), Err("not_creator"));
    assert_eq!(sim.does(&referee, &Command::Start), Err("not_director"));
    sim.does(&director, &Command::Start).unwrap();
    sim.advance();
    let announcement = Command::Announce { text: "On we go.".to_owned() };
    let pause = Command::Pause { reason: String::new(), stop_clocks: false };
    sim.does(&referee, &announcement).unwrap();
    assert_eq!(sim.does(&referee, &pause), Err("not_director"));
    sim.does(&referee, &Command::PauseTable { round: 1, table: 1 }).unwrap();
    // A referee becomes a director, and then nothing at all.
    sim.does(&organiser(), &names(Role::Director, 21)).unwrap();
    sim.does(&referee, &pause).unwrap();
    assert_eq!(
        sim.does(&director, &Command::DismissOrganiser { player: "p21".to_owned() }),
        Err("not_creator")
    );
    sim.does(&organiser(), &Command::DismissOrganiser { player: "p21".to_owned() }).unwrap();
    assert_eq!(sim.does(&referee, &announcement), Err("not_organiser"));
    assert_eq!(
        sim.does(&organiser(), &Command::DismissOrganiser { player: "p21".to_owned() }),
        Err("organiser_not_found")
    );
    // Organisers may step down; the owner stays.
    sim.does(&director, &Command::DismissOrganiser { player: "p20".to_owned() }).unwrap();
    assert_eq!(
        sim.does(&organiser(), &Command::DismissOrganiser { player: "olga".to_owned() }),
        Err("owner_stays")
    );
    let roles: Vec<Role> = sim.now.organisers().iter().map(|organiser| organiser.role).collect();
    assert_eq!(roles, [Role::Owner]);
    assert_eq!(sim.replayed().organisers(), sim.now.organisers());
}

#[test]
fn time_is_given_to_one_player_or_to_the_whole_table() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 6, 1);
    sim.advance();
    let table = sim.now.rounds()[0].tables[0].clone();
    let player = name(&sim, table.seats[1].unwrap());
    let add = |player: Option<String>| Command::AddTime { round: 1, table: 1, seconds: 60, player };
    let change = |sim: &Sim| sim.now.clock_change(&sim.entries.last().unwrap().0.event);
    sim.does(&organiser(), &add(None)).unwrap();
    let game = table.game;
    assert_eq!(change(&sim), Some(ClockChange::TimeAdded { game, seconds: vec![60, 60, 60] }));
    sim.does(&organiser(), &add(Some(player))).unwrap();
    assert_eq!(change(&sim), Some(ClockChange::TimeAdded { game, seconds: vec![0, 60, 0] }));
    let elsewhere = sim.now.rounds()[0].tables[1].seats[0].unwrap();
    let elsewhere = name(&sim, elsewhere);
    assert_eq!(sim.does(&organiser(), &add(Some(elsewhere))), Err("entrant_not_found"));
    // The whole tournament can stand still, with the clocks or without.
    let pause = |stop_clocks| Command::Pause { reason: String::new(), stop_clocks };
    sim.does(&organiser(), &pause(true)).unwrap();
    assert_eq!(change(&sim), Some(ClockChange::All { stopped: true }));
    sim.does(&organiser(), &Command::Resume).unwrap();
    assert_eq!(change(&sim), Some(ClockChange::All { stopped: false }));
    sim.does(&organiser(), &pause(false)).unwrap();
    assert_eq!(change(&sim), None);
    let again = TournamentEntry { seq: sim.now.version + 1, ..sim.entries.last().unwrap().0.clone() };
    assert_eq!(sim.now.clone().evolve(&again).unwrap_err().detail, "it is not running");
}
