//! Groups, and the knockout after them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::simulation::{Sim, organiser, setup, words};
use super::tests::{disqualify, end};
use super::*;
use crate::rules::registry;

fn cup(kind: &str, size: u8, format: (u16, u16, u8, u8), more: serde_json::Value) -> Setup {
    let (groups, rounds, qualify, advance) = format;
    let mut wanted = json!({"name": "Cup", "kind": kind, "table_size": size, "scoring": {"type": "places"},
        "result_by": {"type": "places"}, "format": {"type": "groups", "groups": groups, "rounds": rounds,
            "qualify": qualify, "advance": advance}});
    more.as_object().unwrap().iter().for_each(|(name, value)| wanted[name] = value.clone());
    setup(wanted)
}

fn groups(sim: &Sim) -> BTreeMap<u16, BTreeSet<u32>> {
    let mut groups: BTreeMap<u16, BTreeSet<u32>> = BTreeMap::new();
    for row in sim.now.standings(&sim.game_results) {
        groups.entry(row.group.unwrap()).or_default().insert(row.entrant);
    }
    groups
}

fn seats(table: &RoundTable) -> BTreeSet<u32> {
    table.seats.iter().flatten().copied().collect()
}

#[test]
fn in_four_groups_of_four_everybody_plays_everybody_and_the_best_two_go_on() {
    let mut sim = Sim::started(cup("sevens", 2, (4, 3, 2, 1), json!({})), 16, 1);
    let mut met = BTreeSet::new();
    for round in 1..=3 {
        assert!(sim.advance());
        let groups = groups(&sim);
        assert!(groups.len() == 4 && groups.values().all(|group| group.len() == 4));
        let newest = sim.now.rounds().last().unwrap().clone();
        assert_eq!((newest.round, newest.tables.len(), newest.byes.len()), (round, 8, 0));
        for table in &newest.tables {
            let pair = seats(table);
            assert_eq!(groups.values().filter(|group| group.is_superset(&pair)).count(), 1);
            assert!(met.insert(pair), "nobody meets again");
        }
        // The higher the number, the better.
        end(&mut sim, i64::from);
    }
    let groups = groups(&sim);
    assert!(sim.advance());
    let newest = sim.now.rounds().last().unwrap().clone();
    let best: BTreeSet<u32> = groups.values().flat_map(|group| group.iter().rev().take(2)).copied().collect();
    assert_eq!(newest.entrants().collect::<BTreeSet<u32>>(), best);
    for table in &newest.tables {
        let apart = groups.values().all(|group| group.intersection(&seats(table)).count() <= 1);
        assert!(apart, "two of one group do not meet at once");
    }
    end(&mut sim, i64::from);
    while sim.now.status() == Status::Active {
        sim.advance();
        if sim.now.status() == Status::Active {
            end(&mut sim, i64::from);
        }
    }
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!((rows[0].entrant, rows[0].round, rows[0].place), (15, 6, Some(1)));
    let out: Vec<u16> = rows.iter().map(|row| row.round).collect();
    assert_eq!(out[..8], [6, 6, 5, 5, 4, 4, 4, 4]);
    assert!(out[8..].iter().all(|round| *round == 3), "{out:?}");
    assert!(rows[..2].iter().all(|row| row.status == EntrantStatus::Finished));
    assert!(rows[2..].iter().all(|row| row.status == EntrantStatus::Eliminated));
}

#[test]
fn a_result_of_the_groups_stands_once_the_knockout_has_begun() {
    let mut sim = Sim::started(cup("sevens", 2, (2, 1, 1, 1), json!({})), 4, 1);
    sim.advance();
    end(&mut sim, i64::from);
    let table = sim.now.rounds()[0].tables[0].clone();
    let set = Command::SetResult {
        round: 1,
        table: 1,
        reason: "a slip".to_owned(),
        game: table.game,
        result: TableScores { scores: vec![5, 5], places: None },
    };
    sim.does(&organiser(), &set).unwrap();
    sim.advance();
    assert_eq!(sim.now.rounds().len(), 2);
    assert_eq!(sim.does(&organiser(), &set), Err("round_over"));
}

#[test]
fn groups_take_enough_for_a_table_in_each() {
    let mut sim = Sim::new(cup("ricketts_hearts", 4, (3, 2, 1, 1), json!({})), 1);
    let least = usize::from(sim.now.kind().min_seats) * 3;
    let rows = |count: usize| {
        Command::EnterMany(vec![
            NewEntrant::Bot { policy: crate::log::entry::Policy::Steady, team: None };
            count
        ])
    };
    sim.does(&organiser(), &rows(least - 1)).unwrap();
    assert_eq!(sim.does(&organiser(), &Command::Start), Err("too_few_entrants"));
    sim.does(&organiser(), &rows(1)).unwrap();
    sim.does(&organiser(), &Command::Start).unwrap();
    assert!(sim.advance());
    for (field, value) in [
        ("duplicate", json!(true)),
        ("teams", json!({"size": 2})),
        ("no_show_limit", json!(3)),
        ("format", json!({"type": "groups", "groups": 1, "rounds": 1, "qualify": 1, "advance": 1})),
        ("format", json!({"type": "groups", "groups": 2, "rounds": 1, "qualify": 1, "advance": 4})),
    ] {
        let mut wanted = json!({"name": "Cup", "kind": "ricketts_hearts", "table_size": 4,
            "format": {"type": "groups", "groups": 2, "rounds": 1, "qualify": 1, "advance": 1}});
        wanted[field] = value;
        let new: NewTournament = serde_json::from_str(&wanted.to_string()).unwrap();
        assert_eq!(new.settle().unwrap_err().code, "invalid_options", "{wanted}");
    }
}

#[test]
fn a_group_that_is_too_small_by_disqualifications_sits_out() {
    let mut sim = Sim::started(cup("sevens", 2, (2, 3, 1, 1), json!({})), 8, 1);
    sim.advance();
    let first: Vec<u32> = groups(&sim)[&1].iter().copied().collect();
    first[..3].iter().for_each(|&entrant| disqualify(&mut sim, entrant));
    end(&mut sim, i64::from);
    sim.advance();
    let newest = sim.now.rounds().last().unwrap().clone();
    assert_eq!((newest.tables.len(), newest.byes.clone()), (2, vec![first[3]]));
    end(&mut sim, i64::from);
    while sim.advance() && sim.now.status() == Status::Active {
        end(&mut sim, i64::from);
    }
    let rows = sim.now.standings(&sim.game_results);
    assert!(
        rows.iter().find(|row| row.entrant == first[3]).unwrap().round > 3,
        "the one who is left goes on"
    );
}

#[test]
fn if_all_groups_have_become_too_small_those_who_are_left_play_the_knockout() {
    let mut sim = Sim::started(cup("sevens", 2, (2, 2, 1, 1), json!({})), 4, 1);
    sim.advance();
    end(&mut sim, i64::from);
    let groups = groups(&sim);
    let (left, gone): (Vec<u32>, Vec<u32>) =
        groups.values().map(|group| (*group.first().unwrap(), *group.last().unwrap())).unzip();
    gone.into_iter().for_each(|entrant| disqualify(&mut sim, entrant));
    assert!(sim.advance());
    let newest = sim.now.rounds().last().unwrap().clone();
    assert_eq!((newest.round, newest.tables.len(), newest.byes.len()), (2, 0, 2));
    sim.check_standings();
    assert!(sim.advance());
    let newest = sim.now.rounds().last().unwrap().clone();
    assert_eq!((newest.round, newest.tables.len()), (3, 1));
    assert_eq!(seats(&newest.tables[0]), left.into_iter().collect());
    end(&mut sim, i64::from);
    assert!(sim.advance());
    assert_eq!(sim.now.status(), Status::Finished);
    assert_eq!(sim.now.standings(&sim.game_results)[0].round, 3);
}

#[test]
fn groups_of_all_kinds_come_to_their_ends() {
    let mut luck = words(5);
    for number in 0..60 {
        let kind = registry::newest().nth(number % registry::newest().count()).unwrap();
        let size = kind.min_seats + luck.uniform(u32::from(kind.max_seats - kind.min_seats) + 1) as u8;
        let format = (
            2 + luck.uniform(4) as u16,
            1 + luck.uniform(4) as u16,
            1 + luck.uniform(4) as u8,
            1 + luck.uniform(u32::from(size) - 1) as u8,
        );
        let more = if luck.uniform(3) == 0 { json!({"fill": "steady"}) } else { json!({}) };
        let setup = cup(kind.kind, size, format, more);
        let least = pairing::fewest(&setup, kind) as u32;
        let mut sim = Sim::started(setup, least + luck.uniform(30), number as u32);
        let restless = number % 2 == 0;
        while sim.advance() && sim.now.status() == Status::Active {
            let newest = sim.now.rounds().last().unwrap();
            let mut once = BTreeSet::new();
            assert!(newest.entrants().all(|entrant| once.insert(entrant)), "nobody is twice in a round");
            if restless && sim.luck.uniform(3) == 0 {
                let one = sim.luck.uniform(sim.now.entrants().len() as u32);
                sim.withdraws(one);
            }
            sim.plays_round();
            sim.check_standings();
            if sim.luck.uniform(4) == 0 {
                sim.dies();
            }
            assert!(sim.now.rounds().len() <= 100, "it ends");
        }
        assert_eq!(sim.now.status(), Status::Finished);
        let rows = sim.now.standings(&sim.game_results);
        assert!(restless || rows[0].round > format.1, "the winner comes from the knockout");
    }
}
