//! The results of entrants who were not there, and of tables whose players were put out.

use serde_json::{Value, json};

use super::desk_tests::{enter, name};
use super::simulation::{Sim, organiser, person};
use super::tests::{disqualify, end, rounds};
use super::*;
use crate::audit::certificates;
use crate::log::Hex32;

fn row(sim: &Sim, entrant: u32) -> Row {
    let rows = sim.now.standings(&sim.game_results);
    rows.into_iter().find(|row| row.entrant == entrant).unwrap()
}

fn back(sim: &mut Sim, entrant: u32) -> Result<(), &'static str> {
    let player = name(sim, entrant);
    sim.does(&organiser(), &Command::Reinstate { player })
}

/// Rounds at tables of two, by places, in which missed rounds count as the mean.
fn mean(count: u16, seating: &str, entrants: u32) -> Sim {
    let format = json!({"type": "rounds", "rounds": count, "seating": seating});
    let missed = json!({"until_round": 2, "missed": "mean"});
    let wanted = json!({"format": format, "late_entry": missed, "result_by": {"type": "places"}});
    let mut sim = Sim::new(rounds("sevens", 2, count, wanted), 1);
    (0..entrants).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    sim.does(&organiser(), &Command::Start).unwrap();
    sim
}

/// A round in which the lower number wins at each table.
fn plays(sim: &mut Sim) {
    assert!(sim.advance());
    end(sim, |entrant| 300 - i64::from(entrant));
}

#[test]
fn entrants_who_never_played_stand_behind_all_who_did_and_win_nothing() {
    let mut sim = Sim::new(rounds("sevens", 2, 1, json!({"check_in_minutes": 10})), 1);
    for number in 0..3 {
        sim.does(&person(number), &enter()).unwrap();
    }
    for number in 1..3 {
        let player = name(&sim, number);
        sim.does(&person(number), &Command::CheckIn { player, is_present: true }).unwrap();
    }
    sim.does(&organiser(), &Command::Start).unwrap();
    sim.advance();
    end(&mut sim, |entrant| if entrant == 1 { 250 } else { 150 });
    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
    let places = |sim: &Sim| {
        let rows = sim.now.standings(&sim.game_results).into_iter();
        rows.map(|row| (row.entrant, row.place)).collect::<Vec<_>>()
    };
    let winners = |sim: &Sim| {
        let all = certificates(&sim.now, &sim.now.standings(&sim.game_results), Hex32([0; 32]));
        all.iter().map(|one| one.statement.winners[0].entrant).collect::<Vec<_>>()
    };
    // A result of 0 is more than -50, but it was not played for.
    assert_eq!(places(&sim), [(1, Some(1)), (2, Some(2)), (0, Some(3))]);
    assert_eq!(winners(&sim), [1, 1]);
    disqualify(&mut sim, 1);
    assert_eq!((places(&sim)[0], winners(&sim)), ((2, Some(1)), vec![2]));
    disqualify(&mut sim, 2);
    assert_eq!((places(&sim)[0], winners(&sim)), ((0, Some(1)), vec![]), "nobody is left who has won");
}

#[test]
fn a_round_is_missed_only_by_entrants_who_play_a_later_one() {
    let mut sim = mean(4, "random", 4);
    plays(&mut sim);
    sim.withdraws(0);
    plays(&mut sim);
    back(&mut sim, 0).unwrap();
    assert_eq!(row(&sim, 0).result.to_string(), "1", "what comes next is not known");
    plays(&mut sim);
    assert_eq!(row(&sim, 0).result.to_string(), "3", "the second round counts as the mean");
    sim.withdraws(0);
    assert_eq!(row(&sim, 0).result.to_string(), "3", "an entrant who leaves keeps the results so far");
    plays(&mut sim);
    back(&mut sim, 0).unwrap();
    sim.advance();
    assert_eq!((sim.now.status(), row(&sim, 0).result.to_string()), (Status::Finished, "3".to_owned()));
    assert_eq!(sim.replayed().standings(&sim.game_results), sim.now.standings(&sim.game_results));
}

#[test]
fn late_entrants_sit_at_first_with_those_who_have_as_much_as_missed_rounds_count() {
    let mut sim = mean(2, "swiss", 4);
    plays(&mut sim);
    (4..6).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    sim.advance();
    let tables = &sim.now.rounds()[1].tables;
    let sits = |table: &&RoundTable| table.seats.contains(&Some(4)) && table.seats.contains(&Some(5));
    assert_eq!(tables.iter().filter(sits).count(), 1, "half a point each, between 1 and 0");
}

#[test]
fn an_entrant_who_had_left_before_a_disqualification_has_left_again_when_it_is_lifted() {
    let mut sim = mean(3, "random", 4);
    plays(&mut sim);
    sim.withdraws(0);
    disqualify(&mut sim, 0);
    back(&mut sim, 0).unwrap();
    assert_eq!(row(&sim, 0).status, EntrantStatus::Withdrawn);
    plays(&mut sim);
    assert!(sim.now.rounds()[1].entrants().all(|entrant| entrant != 0));
    disqualify(&mut sim, 0);
    plays(&mut sim);
    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
    back(&mut sim, 0).unwrap();
    let left = row(&sim, 0);
    assert_eq!((left.status, left.result.to_string()), (EntrantStatus::Withdrawn, "1".to_owned()));
    assert_eq!(back(&mut sim, 0), Err("tournament_over"));
}

#[test]
fn a_no_show_who_was_put_out_is_absent_again_until_the_table_is_played_once_more() {
    let wanted = json!({"no_show_limit": 3});
    let absent = |redone: bool| {
        let mut sim = Sim::new(rounds("sevens", 2, 2, wanted.clone()), 1);
        (0..4).for_each(|number| sim.does(&person(number), &enter()).unwrap());
        sim.does(&organiser(), &Command::Start).unwrap();
        sim.advance();
        let tables = sim.now.rounds()[0].tables.clone();
        for table in &tables {
            let missed = table.seats.iter().map(|seat| if *seat == Some(0) { 3 } else { 0 }).collect();
            let (game, at, places) = (table.game, sim.at(), vec![1, 2]);
            let end = Some(End::Finished { places, missed });
            sim.row(AwardedHand { game, seq: 9, at, hand: 1, scores: vec![250, 150], awards: vec![], end });
        }
        sim.advance();
        assert_eq!(row(&sim, 0).status, EntrantStatus::Absent);
        disqualify(&mut sim, 0);
        if redone {
            let table = tables.iter().find(|table| table.seats.contains(&Some(0))).unwrap();
            let (replaced, reason, game) = (table.game, "a wrong deck".to_owned(), sim.fresh());
            let redo = Command::Redo { round: 1, table: table.table, reason, replaced, game };
            sim.does(&organiser(), &redo).unwrap();
        }
        back(&mut sim, 0).unwrap();
        let status = row(&sim, 0).status;
        let player = name(&sim, 0);
        sim.does(&person(0), &Command::CheckIn { player, is_present: true }).unwrap();
        assert_eq!(row(&sim, 0).status, EntrantStatus::Playing);
        status
    };
    assert_eq!([false, true].map(absent), [EntrantStatus::Absent, EntrantStatus::Playing]);
}

#[test]
fn chips_stay_where_they_were_won_and_a_table_without_opponents_is_no_game_by_places() {
    for (by, expected) in [("chips", "50"), ("places", "0.5")] {
        let by: Value = json!({"result_by": {"type": by}});
        let mut sim = Sim::started(rounds("sevens", 2, 1, by), 2, 1);
        sim.advance();
        end(&mut sim, |entrant| if entrant == 0 { 250 } else { 150 });
        disqualify(&mut sim, 1);
        assert_eq!(row(&sim, 0).result.to_string(), expected);
    }
}
