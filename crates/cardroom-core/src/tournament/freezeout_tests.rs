//! Freezeouts: chips are taken from round to round, tables are merged, and entrants who cannot pay go out.

use std::collections::BTreeMap;

use serde_json::json;

use super::simulation::{Sim, organiser, setup};
use super::tests::disqualify;
use super::*;
use crate::rules::registry;

fn freezeout(kind: &str, more: serde_json::Value) -> serde_json::Value {
    let mut wanted = json!({"name": "Freezeout", "kind": kind, "format": {"type": "freezeout"},
        "scoring": {"type": "places"}});
    more.as_object().unwrap().iter().for_each(|(name, value)| wanted[name] = value.clone());
    wanted
}

fn settled(wanted: &serde_json::Value) -> Result<Setup, String> {
    let wanted = serde_json::from_str::<NewTournament>(&wanted.to_string()).unwrap();
    wanted.settle().map(|(setup, _)| setup).map_err(|refusal| refusal.detail.to_string())
}

/// What each entrant brings to the round.
fn stacks(round: &RoundBegan) -> BTreeMap<u32, u32> {
    let seats = round.tables.iter().flat_map(|table| table.seats.iter().flatten().zip(&table.stacks));
    seats.map(|(&entrant, &stack)| (entrant, stack)).collect()
}

/// The table's game ends with these chips, seat by seat.
fn ends(sim: &mut Sim, table: u16, scores: &[i64]) {
    let game = sim.now.rounds().last().unwrap().tables[usize::from(table) - 1].game;
    sim.ends(game, scores.to_vec());
}

#[test]
fn survivors_are_seated_at_fewer_tables_with_the_chips_that_they_have() {
    let wanted = json!({"table_size": 4, "options": {"buy_in": 100, "ante": 10}});
    let mut sim = Sim::started(setup(freezeout("sevens", wanted)), 8, 1);
    assert!(sim.advance());
    let first = sim.now.rounds()[0].clone();
    assert_eq!(first.tables.iter().map(|table| table.stacks.clone()).collect::<Vec<_>>(), [[100; 4]; 2]);
    // 19 chips do not pay the ante of the second round, 20 do.
    ends(&mut sim, 1, &[361, 19, 20, 0]);
    assert!(!sim.advance(), "the other table still plays");
    ends(&mut sim, 2, &[0, 0, 250, 150]);
    assert!(sim.advance());
    let second = sim.now.rounds()[1].clone();
    let [one, other] = &first.tables[..] else { panic!("two tables") };
    let seat = |table: &RoundTable, seat: usize| table.seats[seat].unwrap();
    let expected = [(seat(one, 0), 361), (seat(one, 2), 20), (seat(other, 2), 250), (seat(other, 3), 150)];
    assert_eq!(second.tables.len(), 1, "the tables are merged");
    assert_eq!(stacks(&second), expected.into());
    let options: serde_json::Value =
        serde_json::from_str(sim.now.setup().options_of(2, &second.tables[0]).get()).unwrap();
    assert_eq!((&options["ante"], &options["min_raise"]), (&json!(20), &json!(20)));
    assert_eq!(options["stacks"], json!(second.tables[0].stacks));
    let rows = sim.now.standings(&sim.game_results);
    let out: Vec<(u32, f64)> = rows[4..].iter().map(|row| (row.entrant, row.result.to_f64())).collect();
    assert!(rows[4..].iter().all(|row| row.status == EntrantStatus::Eliminated), "{rows:?}");
    assert_eq!(
        out[0],
        (seat(one, 1), -81.0),
        "of those who go out in a round, the one with the most chips is ahead"
    );
    // The player who has all chips has won.
    let end: Vec<i64> =
        second.tables[0].stacks.iter().map(|&stack| if stack == 20 { 781 } else { 0 }).collect();
    ends(&mut sim, 1, &end);
    assert!(sim.advance());
    assert_eq!(sim.now.status(), Status::Finished);
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!((rows[0].entrant, rows[0].result.to_f64()), (seat(one, 2), 681.0));
    assert_eq!(rows.iter().map(|row| row.result.to_f64()).sum::<f64>(), 0.0, "chips are won from somebody");
}

#[test]
fn it_ends_when_nobody_can_pay_and_the_most_chips_win() {
    let wanted = json!({"table_size": 2, "options": {"buy_in": 100, "ante": 60}});
    let mut sim = Sim::started(setup(freezeout("knights_heads", wanted)), 4, 1);
    assert!(sim.advance());
    ends(&mut sim, 1, &[119, 81]);
    ends(&mut sim, 2, &[110, 90]);
    assert!(sim.advance());
    assert_eq!(sim.now.status(), Status::Finished, "the ante would be 120");
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!(rows.iter().map(|row| row.result.to_f64()).collect::<Vec<_>>(), [19.0, 10.0, -10.0, -19.0]);
}

#[test]
fn a_game_that_is_called_off_leaves_everybody_their_chips_and_those_who_leave_take_theirs_away() {
    let wanted = json!({"table_size": 3, "options": {"buy_in": 100, "charge": 5}});
    let mut sim = Sim::started(setup(freezeout("ritunas_favour", wanted)), 6, 1);
    assert!(sim.advance());
    let first = sim.now.rounds()[0].clone();
    ends(&mut sim, 1, &[300, 0, 0]);
    let (game, at) = (first.tables[1].game, sim.at());
    sim.row(AwardedHand {
        game,
        seq: 9,
        at,
        hand: 0,
        scores: vec![],
        awards: vec![],
        end: Some(End::Aborted),
    });
    let gone = first.tables[1].seats[0].unwrap();
    disqualify(&mut sim, gone);
    assert!(sim.advance());
    let second = stacks(&sim.now.rounds()[1]);
    let [_, one, other] = first.tables[1].seats[..] else { panic!("three seats") };
    let winner = first.tables[0].seats[0].unwrap();
    assert_eq!(second, [(winner, 300), (one.unwrap(), 100), (other.unwrap(), 100)].into());
}

#[test]
fn an_organiser_sets_a_result_with_the_chips_that_are_on_the_table() {
    let mut sim = Sim::started(setup(freezeout("sevens", json!({"table_size": 2}))), 4, 1);
    assert!(sim.advance());
    let table = sim.now.rounds()[0].tables[0].clone();
    let set = |scores: &[i64]| Command::SetResult {
        round: 1,
        table: 1,
        reason: "the hall lost its power".to_owned(),
        game: table.game,
        result: TableScores { scores: scores.to_vec(), places: None },
    };
    for wrong in [[400, 1], [200, 199], [500, -100]] {
        assert_eq!(sim.does(&organiser(), &set(&wrong)), Err("invalid_body"), "{wrong:?}");
    }
    sim.does(&organiser(), &set(&[390, 10])).unwrap();
    ends(&mut sim, 2, &[200, 200]);
    assert!(sim.advance());
    let second = stacks(&sim.now.rounds()[1]);
    assert_eq!(second[&table.seats[0].unwrap()], 390);
    assert_eq!(second[&table.seats[1].unwrap()], 10, "as much as the ante");
}

#[test]
fn what_a_freezeout_cannot_be_is_refused() {
    let house = json!({"dealer": "house"});
    let much = json!({"buy_in": 200_001});
    for (kind, more) in [
        ("ricketts_hearts", json!({})),
        ("royal_gambit", json!({})),
        ("sevens", json!({"options": {"level_hands": 5}})),
        ("sevens", json!({"options": {"stacks": [100, 200]}})),
        ("sevens", json!({"options": {"ante": 0}})),
        ("sevens", json!({"options": much})),
        ("ritunas_favour", json!({"options": {"charge": 0}})),
        ("ritunas_favour", json!({"options": house})),
        ("knights_heads", json!({"fill": "steady"})),
        ("knights_heads", json!({"duplicate": true})),
        ("knights_heads", json!({"teams": {"size": 2}})),
        ("knights_heads", json!({"result_by": {"type": "places"}})),
        ("knights_heads", json!({"late_entry": {"until_round": 2, "missed": "nothing"}})),
        ("knights_heads", json!({"no_show_limit": 3})),
    ] {
        let refused = settled(&freezeout(kind, more.clone()));
        assert!(refused.is_err(), "{kind} {more}");
    }
    assert!(settled(&freezeout("sevens", json!({"options": {"buy_in": 200_000}}))).is_ok());
    let rounds = json!({"format": {"type": "rounds", "rounds": 1, "seating": "random"},
        "options": {"stacks": [100, 200]}});
    assert!(settled(&freezeout("sevens", rounds)).is_err(), "all seats of a tournament's table begin alike");
}

#[test]
fn a_log_with_stacks_that_cannot_be_is_refused() {
    let wanted = json!({"table_size": 2, "options": {"buy_in": 100, "ante": 10}});
    let mut sim = Sim::started(setup(freezeout("sevens", wanted)), 4, 1);
    assert!(sim.advance());
    ends(&mut sim, 1, &[150, 50]);
    ends(&mut sim, 2, &[100, 100]);
    assert!(sim.advance());
    let texts: Vec<String> = sim.entries.iter().map(|(_, text)| text.clone()).collect();
    let read = |texts: &[String]| {
        let entries = texts.iter().map(|text| TournamentEntry::parse(text).unwrap());
        Tournament::replay(sim.now.id, sim.seed.clone(), entries).map_err(|fault| fault.detail)
    };
    assert!(read(&texts).is_ok());
    let first = texts.iter().position(|text| text.contains("round_began")).unwrap();
    for (entry, was, is) in [
        (first, r#""stacks":[100,100]"#, r#""stacks":[101,99]"#),
        (first, r#","stacks":[100,100]"#, ""),
        (texts.len() - 1, r#""stacks":["#, r#""stacks":[100,"#),
        (texts.len() - 1, "150", "19"),
        (texts.len() - 1, "150", "151"),
    ] {
        let mut wrong = texts.clone();
        assert!(wrong[entry].contains(was), "{}", wrong[entry]);
        wrong[entry] = wrong[entry].replacen(was, is, 1);
        assert!(read(&wrong).is_err(), "{is}");
    }
}

/// With each round the ante doubles, so even two who never lose a chip come to an end.
#[test]
fn every_freezeout_ends() {
    for kind in ["sevens", "knights_heads", "ritunas_favour"] {
        let price = if kind == "ritunas_favour" { "charge" } else { "ante" };
        let wanted = json!({"options": {"buy_in": 200_000, price: 1}, "table_size": 2});
        let mut sim = Sim::started(setup(freezeout(kind, wanted)), 2, 1);
        while sim.advance() && sim.now.status() == Status::Active {
            let table = sim.now.rounds().last().unwrap().tables[0].clone();
            let options = sim.now.setup().options_of(sim.now.rounds().len() as u16, &table);
            let kind = registry::by_name(kind).unwrap();
            assert!(kind.new_game(&options, 2).is_ok(), "{options}");
            ends(&mut sim, 1, &[200_000, 200_000]);
        }
        assert_eq!(sim.now.rounds().len(), 18, "2 to the power of 17 is less than 200,000");
    }
}
