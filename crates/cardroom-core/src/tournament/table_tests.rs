//! Tables that are played once more, results that an organiser sets, check-in, and what is told about a tournament.

use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use super::simulation::{Sim, organiser, person, setup};
use super::tests::rounds;
use super::*;
use crate::log::entry::Time;

fn enter() -> Command {
    Command::Enter(Application::default())
}

fn row(sim: &Sim, entrant: u32) -> Row {
    let rows = sim.now.standings(&sim.game_results);
    rows.into_iter().find(|row| row.entrant == entrant).unwrap()
}

fn results(sim: &Sim) -> Vec<String> {
    (0..sim.now.entrants().len() as u32).map(|entrant| row(sim, entrant).result.to_string()).collect()
}

fn game_of(sim: &Sim, round: u16, table: u16) -> Uuid {
    let began = sim.now.rounds().get(usize::from(round).wrapping_sub(1));
    let seated = began.and_then(|began| began.tables.get(usize::from(table).wrapping_sub(1)));
    seated.map(|seated| seated.game).unwrap_or_default()
}

fn sets(
    sim: &mut Sim,
    by: &Person,
    (round, table): (u16, u16),
    scores: &[i64],
    places: Option<&[u8]>,
) -> Result<(), &'static str> {
    let (game, reason) = (game_of(sim, round, table), "the phones died".to_owned());
    let result = TableScores { scores: scores.to_vec(), places: places.map(<[u8]>::to_vec) };
    sim.does(by, &Command::SetResult { round, table, reason, game, result })
}

fn redo(sim: &mut Sim, round: u16, table: u16) -> Result<Uuid, &'static str> {
    let (game, replaced) = (sim.fresh(), game_of(sim, round, table));
    let reason = "a wrong deck".to_owned();
    sim.does(&organiser(), &Command::Redo { round, table, reason, replaced, game })?;
    Ok(game)
}

fn aborted(sim: &mut Sim, game: Uuid) {
    let (seq, at, end) = (sim.game_results.seq_of(game) + 9, sim.at(), Some(End::Aborted));
    sim.row(AwardedHand { game, seq, at, hand: 1, scores: Vec::new(), awards: Vec::new(), end });
}

/// Three players at one table, two rounds, decided by places.
fn started() -> Sim {
    let wanted = json!({"result_by": {"type": "places"}, "scoring": {"type": "places"}});
    let mut sim = Sim::new(rounds("sevens", 3, 2, wanted), 1);
    (0..3).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    sim.does(&organiser(), &Command::Start).unwrap();
    sim.advance();
    sim
}

/// Scores with which entrant 0 is first and entrant 2 last.
fn in_order(sim: &Sim) -> Vec<i64> {
    let seats = &sim.now.rounds().last().unwrap().tables[0].seats;
    let best_is_low = sim.now.kind().best == crate::rules::Best::Lowest;
    let score = |entrant: u32| if best_is_low { i64::from(entrant) } else { -i64::from(entrant) };
    seats.iter().map(|seat| score(seat.unwrap())).collect()
}

#[test]
fn a_table_that_is_played_once_more_counts_by_its_new_game_alone() {
    let mut sim = started();
    let first = sim.now.rounds()[0].tables[0].game;
    let order = in_order(&sim);
    sim.ends(first, order.iter().map(|score| -score).collect());
    assert_eq!(results(&sim), ["0", "0.5", "1"]);
    let second = redo(&mut sim, 1, 1).unwrap();
    assert_eq!(results(&sim), ["0", "0", "0"], "the earlier game counts for nothing");
    assert!(!sim.advance(), "the table is played");
    let (_, table) = sim.now.table_of(second).unwrap();
    assert_eq!(table.seats, sim.now.rounds()[0].tables[0].seats);
    assert!(sim.now.table_of(first).is_none());
    assert_eq!(sim.now.intervention(1, 1).unwrap().earlier_games, [first]);
    sim.ends(second, order);
    assert_eq!(results(&sim), ["1", "0.5", "0"]);
    assert_eq!(
        (redo(&mut sim, 1, 2), redo(&mut sim, 2, 1)),
        (Err("table_not_found"), Err("table_not_found"))
    );
    assert_eq!(
        (redo(&mut sim, 0, 1), redo(&mut sim, 1, 0)),
        (Err("table_not_found"), Err("table_not_found"))
    );
    sim.advance();
    assert_eq!(redo(&mut sim, 1, 1), Err("round_over"), "the second round stands on it");
}

#[test]
fn a_result_that_an_organiser_sets_counts_before_what_was_played_until_it_is_cancelled() {
    let mut sim = started();
    let game = sim.now.rounds()[0].tables[0].game;
    let (order, seats) = (in_order(&sim), sim.now.rounds()[0].tables[0].seats.clone());
    for (scores, places) in [
        (vec![1, 2], None),
        (vec![1, 2, i64::MAX], None),
        (order.clone(), Some(vec![1, 1, 2])),
        (order.clone(), Some(vec![2, 2, 3])),
        (order.clone(), Some(vec![1, 2])),
    ] {
        let refused = sets(&mut sim, &organiser(), (1, 1), &scores, places.as_deref());
        assert!(matches!(refused, Err("invalid_body" | "invalid_options")), "{scores:?} {places:?}");
    }
    assert_eq!(sets(&mut sim, &person(1), (1, 1), &order, None), Err("not_organiser"));
    sets(&mut sim, &organiser(), (1, 1), &order, None).unwrap();
    assert_eq!(results(&sim), ["1", "0.5", "0"]);
    assert_eq!(row(&sim, 0).score, Some(0), "points come from play alone");
    assert!(sim.advance(), "the round is over by the organiser's word");
    // The house calls the game off, which changes nothing.
    aborted(&mut sim, game);
    assert_eq!(results(&sim), ["1", "0.5", "0"]);
    // The result of an earlier round can be set again: two share the first place.
    let places: Vec<u8> = seats.iter().map(|seat| if *seat == Some(0) { 3 } else { 1 }).collect();
    sets(&mut sim, &organiser(), (1, 1), &order, Some(&places)).unwrap();
    assert_eq!(results(&sim), ["0", "0.75", "0.75"]);
    let set = sim.now.intervention(1, 1).and_then(|found| found.result.as_ref()).unwrap();
    assert_eq!((set.places(), set.scores()), (&places[..], &order[..]));
    let version = sim.now.version;
    for _ in 0..2 {
        sim.does(&organiser(), &Command::CancelResult { round: 1, table: 1 }).unwrap();
    }
    assert_eq!(sim.now.version, version + 1, "asking twice does no harm");
    assert_eq!(results(&sim), ["0.5", "0.5", "0.5"], "the game was called off");
    let last = sim.now.rounds()[1].tables[0].game;
    let order = in_order(&sim);
    sim.ends(last, order.clone());
    // A round without a result counts as the mean of the other.
    assert_eq!(results(&sim), ["2", "1", "0"]);
    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
    let turned: Vec<i64> = order.iter().map(|score| -score).collect();
    sets(&mut sim, &organiser(), (2, 1), &turned, None).unwrap();
    assert_eq!(results(&sim), ["0", "1", "2"], "after the end, too");
    assert_eq!(row(&sim, 0).score, Some(2), "points come from play alone");
    assert_eq!(redo(&mut sim, 2, 1), Err("tournament_over"));
    sim.check_standings();
}

#[test]
fn a_knockout_keeps_the_results_by_which_entrants_went_on() {
    let wanted = json!({"name": "Cup", "kind": "sevens", "table_size": 3,
        "format": {"type": "knockout", "advance": 1}, "scoring": {"type": "places"}});
    let mut sim = Sim::started(setup(wanted), 9, 3);
    sim.advance();
    for table in sim.now.rounds()[0].tables.clone() {
        sets(&mut sim, &organiser(), (1, table.table), &[3, 2, 1], None).unwrap();
    }
    sim.advance();
    assert_eq!(sim.now.rounds()[1].tables[0].seats.len(), 3);
    assert_eq!(sets(&mut sim, &organiser(), (1, 1), &[1, 2, 3], None), Err("round_over"));
    let cancelled = sim.does(&organiser(), &Command::CancelResult { round: 1, table: 1 });
    assert_eq!(cancelled, Err("round_over"));
    sets(&mut sim, &organiser(), (2, 1), &[1, 2, 3], None).unwrap();
    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
}

#[test]
fn the_tables_of_a_duplicate_round_are_not_played_once_more() {
    let mut sim = Sim::started(
        setup(json!({"name": "Cup", "kind": "sevens", "table_size": 3, "duplicate": true,
        "format": {"type": "rounds", "rounds": 2, "seating": "random"}, "scoring": {"type": "places"}})),
        6,
        3,
    );
    sim.advance();
    assert_eq!(redo(&mut sim, 1, 1), Err("duplicate_table"));
    sets(&mut sim, &organiser(), (1, 1), &[3, 2, 1], None).unwrap();
    assert!(!sim.advance(), "the other table is played");
}

fn check_in(player: &str, is_present: bool) -> Command {
    Command::CheckIn { player: player.to_owned(), is_present }
}

#[test]
fn entrants_who_have_not_checked_in_are_not_seated_until_they_come() {
    let late = json!({"check_in_minutes": 15, "late_entry": {"until_round": 2, "missed": "nothing"}});
    let mut sim = Sim::new(rounds("sevens", 3, 3, late), 1);
    (0..5).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    let starts_at = sim.at() + SignedDuration::from_mins(60);
    let edit = |starts_at| {
        let details = DetailsPatch { starts_at: Some(Some(Time(starts_at))), ..DetailsPatch::default() };
        Command::Edit(Box::new(TournamentPatch { name: None, details }))
    };
    sim.does(&organiser(), &edit(starts_at)).unwrap();
    assert_eq!(sim.does(&person(0), &check_in("p0", true)), Err("check_in_not_open"));
    let soon = sim.at() + SignedDuration::from_mins(10);
    sim.does(&organiser(), &edit(soon)).unwrap();
    sim.does(&person(0), &check_in("p0", true)).unwrap();
    sim.does(&person(0), &check_in("p0", true)).unwrap();
    assert_eq!(sim.does(&person(0), &check_in("p1", true)), Err("not_organiser"));
    assert_eq!(sim.does(&organiser(), &Command::Start), Err("too_few_entrants"));
    (1..4).for_each(|number| sim.does(&organiser(), &check_in(&format!("p{number}"), true)).unwrap());
    sim.does(&person(3), &check_in("p3", false)).unwrap();
    sim.does(&organiser(), &Command::Start).unwrap();
    sim.advance();
    let mut seated: Vec<u32> = sim.now.rounds()[0].entrants().collect();
    seated.sort_unstable();
    assert_eq!(seated, [0, 1, 2]);
    assert_eq!((row(&sim, 3).status, row(&sim, 4).status), (EntrantStatus::Absent, EntrantStatus::Absent));
    assert_eq!(sim.does(&person(0), &check_in("p0", false)), Err("check_in_closed"));
    // An absent entrant can be put out. If that is taken back, they are absent again, and can be let in.
    let reason = "two phones".to_owned();
    sim.does(&organiser(), &Command::Disqualify { player: "p4".to_owned(), reason }).unwrap();
    sim.does(&organiser(), &Command::Reinstate { player: "p4".to_owned() }).unwrap();
    assert_eq!(row(&sim, 4).status, EntrantStatus::Absent);
    sim.does(&organiser(), &Command::Reinstate { player: "p4".to_owned() }).unwrap();
    // One comes late by themselves.
    sim.does(&person(3), &check_in("p3", true)).unwrap();
    sim.plays_round();
    sim.advance();
    assert_eq!(sim.now.rounds()[1].entrants().count(), 5);
    // Where nobody can enter late, who was absent at the start cannot come either.
    let mut closed = Sim::new(rounds("sevens", 3, 2, json!({"check_in_minutes": 15})), 1);
    (0..4).for_each(|number| closed.does(&person(number), &enter()).unwrap());
    (0..3).for_each(|number| closed.does(&person(number), &check_in(&format!("p{number}"), true)).unwrap());
    closed.does(&organiser(), &Command::Start).unwrap();
    closed.advance();
    assert_eq!(closed.does(&person(3), &check_in("p3", true)), Err("check_in_closed"));
    let mut nobody = Sim::new(rounds("sevens", 3, 1, json!({})), 1);
    nobody.does(&person(0), &enter()).unwrap();
    assert_eq!(nobody.does(&person(0), &check_in("p0", true)), Err("check_in_not_needed"));
}

#[test]
fn what_is_told_about_a_tournament_can_be_changed_and_says_when_players_can_enter() {
    let mut sim = Sim::new(rounds("sevens", 3, 1, json!({})), 1);
    let patch = |details: serde_json::Value| {
        let whole = json!({"details": details});
        Command::Edit(Box::new(serde_json::from_value::<TournamentPatch>(whole).unwrap()))
    };
    let rename = |name: &str| {
        let patch = TournamentPatch { name: Some(name.to_owned()), ..TournamentPatch::default() };
        Command::Edit(Box::new(patch))
    };
    let now = sim.at();
    let at = |minutes: i64| (now + SignedDuration::from_mins(minutes)).to_string();
    let wanted = json!({"venue": "Town hall", "time_zone": "Europe/Berlin",
        "registration_opens_at": at(5), "registration_closes_at": at(9)});
    assert_eq!(sim.does(&person(1), &patch(wanted.clone())), Err("not_organiser"));
    sim.does(&organiser(), &patch(wanted)).unwrap();
    sim.does(&organiser(), &rename(" Winter cup ")).unwrap();
    assert_eq!(sim.now.setup().name, "Winter cup");
    assert_eq!(sim.does(&organiser(), &rename(" ")), Err("invalid_options"));
    assert_eq!(sim.does(&person(0), &enter()), Err("registration_not_open"));
    sim.does(&organiser(), &patch(json!({"registration_opens_at": null}))).unwrap();
    assert_eq!(sim.now.details().venue.as_deref(), Some("Town hall"), "what is left out stays");
    sim.does(&person(0), &enter()).unwrap();
    let version = sim.now.version;
    sim.does(&organiser(), &patch(json!({"venue": "Town hall"}))).unwrap();
    assert_eq!(sim.now.version, version, "nothing has changed");
    sim.does(&organiser(), &patch(json!({"registration_closes_at": at(-1)}))).unwrap();
    assert_eq!(sim.does(&person(1), &enter()), Err("registration_closed"));
    for bad in [
        json!({"venue": ""}),
        json!({"venue": "two\nlines"}),
        json!({"description": "x".repeat(2001)}),
        json!({"time_zone": "Europe Berlin"}),
        json!({"registration_opens_at": at(9)}),
    ] {
        assert_eq!(sim.does(&organiser(), &patch(bad.clone())), Err("invalid_options"), "{bad}");
    }
    sim.does(&organiser(), &Command::Abort).unwrap();
    assert_eq!(sim.does(&organiser(), &patch(json!({"venue": "here"}))), Err("tournament_over"));
}
