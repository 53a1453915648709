//! Who meets whom: rounds in which everybody meets as many others as can be and sits at each seat as often as at the others,
//! and Swiss rounds.

use std::collections::{BTreeSet, HashMap};

use serde_json::json;

use super::simulation::{Sim, setup};
use super::tests::{end, rounds};
use super::*;
use crate::log::fairness::{Seed, Source};

/// A tournament at tables of `size` with so many rounds.
fn cup(size: u8, rounds: usize, kind: &str) -> Setup {
    setup(json!({"name": "Cup", "kind": kind, "table_size": size, "scoring": {"type": "places"},
        "format": {"type": "rounds", "rounds": rounds, "seating": "balanced"}}))
}

/// Plays a tournament to its end, and gives how often each pair has met.
fn met(sim: &mut Sim) -> HashMap<(u32, u32), u32> {
    sim.plays(false);
    let mut met = HashMap::new();
    for round in sim.now.rounds() {
        let mut pairs = 0;
        for table in &round.tables {
            let here: Vec<u32> = table.seats.iter().flatten().copied().collect();
            for (at, &one) in here.iter().enumerate() {
                for &other in &here[..at] {
                    let times = met.entry((one.min(other), one.max(other))).or_insert(0);
                    pairs += u32::from(*times > 0);
                    *times += 1;
                }
            }
        }
        let told = round.rematches.unwrap();
        assert_eq!(told.pairs, pairs, "round {}", round.round);
        assert!(told.fewest <= pairs, "round {}: {told:?}", round.round);
    }
    met
}

/// How often each entrant has sat at the seat where they have sat least, and most, of all seats and entrants.
fn seat_counts(sim: &Sim, size: usize) -> (u32, u32) {
    let mut counts = vec![vec![0; size]; sim.now.entrants().len()];
    for table in sim.now.rounds().iter().flat_map(|round| &round.tables) {
        for (seat, entrant) in table.seats.iter().enumerate() {
            counts[entrant.unwrap() as usize][seat] += 1;
        }
    }
    let all = || counts.iter().flatten().copied();
    (all().min().unwrap(), all().max().unwrap())
}

#[test]
fn at_tables_of_two_everybody_meets_everybody_once_and_again_only_after_that() {
    for (entrants, luck) in [(4, 1), (8, 2), (12, 3), (30, 4)] {
        let mut sim = Sim::started(cup(2, entrants - 1, "sevens"), entrants as u32, luck);
        let met = met(&mut sim);
        assert_eq!(met.len(), entrants * (entrants - 1) / 2);
        assert!(met.values().all(|times| *times == 1));
    }
    let mut sim = Sim::started(cup(2, 14, "sevens"), 8, 5);
    assert!(met(&mut sim).values().all(|times| *times == 2), "there and back");
}

#[test]
fn of_an_odd_number_each_sits_out_once() {
    for (entrants, luck) in [(5, 1), (9, 2), (15, 3)] {
        let mut sim = Sim::started(cup(2, entrants, "sevens"), entrants as u32, luck);
        assert_eq!(met(&mut sim).len(), entrants * (entrants - 1) / 2);
        let byes: Vec<u32> = sim.now.rounds().iter().flat_map(|round| round.byes.clone()).collect();
        assert!((0..entrants as u32).all(|entrant| byes.contains(&entrant)), "{byes:?}");
    }
}

#[test]
fn where_a_schedule_exists_nobody_meets_twice() {
    // Tables of the size, rounds.
    for (tables, size, rounds) in [(3, 3, 4), (4, 4, 5), (5, 5, 6), (7, 6, 7), (16, 4, 16), (10, 4, 5)] {
        let mut sim = Sim::started(cup(size, rounds, "sevens"), tables * u32::from(size), tables);
        let met = met(&mut sim);
        assert!(met.values().all(|times| *times == 1), "{tables} tables of {size}");
        let (least, most) = seat_counts(&sim, size.into());
        assert!(most - least <= 2, "{tables} tables of {size}: at a seat {least} to {most} times");
    }
}

#[test]
fn sixty_at_tables_of_six_meet_nobody_twice_in_five_rounds() {
    let mut sim = Sim::started(cup(6, 8, "knights_heads"), 60, 7);
    met(&mut sim);
    let again: Vec<u32> = sim.now.rounds().iter().map(|round| round.rematches.unwrap().pairs).collect();
    println!("pairs that met again, by round: {again:?}");
    assert_eq!(again[..5], [0; 5]);
    // By chance, eight rounds have 168 rematches or so.
    assert!(again.iter().sum::<u32>() < 40, "{again:?}");
}

#[test]
fn few_meet_again_where_entrants_go() {
    for luck in 0..40 {
        let mut sim = Sim::started(cup(4, 6, "sevens"), 11 + luck % 12, luck);
        sim.plays(true);
        let pairs: u32 = sim.now.rounds().iter().map(|round| round.rematches.unwrap().pairs).sum();
        assert!(pairs < 60, "{pairs} with {luck}");
    }
}

#[test]
fn rounds_by_lots_balance_the_seats_too() {
    let cup = setup(json!({"name": "Cup", "kind": "sevens", "table_size": 4, "scoring": {"type": "places"},
        "format": {"type": "rounds", "rounds": 8, "seating": "random"}}));
    let mut sim = Sim::started(cup, 24, 3);
    sim.plays(false);
    let (least, most) = seat_counts(&sim, 4);
    assert!(least >= 1 && most <= 3, "at a seat {least} to {most} times of 8");
    assert!(sim.now.rounds().iter().all(|round| round.rematches.is_none()));
}

#[test]
fn only_balanced_rounds_tell_rematches_and_all_of_them_do() {
    let mut sim = Sim::started(cup(2, 3, "sevens"), 4, 1);
    sim.advance();
    sim.plays_round();
    let was = sim.now.clone();
    sim.advance();
    let (entry, text) = sim.entries.last().unwrap();
    assert!(was.clone().evolve(entry).is_ok());
    let other = text.replace(r#","rematches":{"fewest":0,"pairs":0}"#, "");
    assert_ne!(other, *text);
    assert!(was.clone().evolve(&TournamentEntry::parse(&other).unwrap()).is_err());
}

#[test]
fn at_tables_of_two_a_log_is_read_as_it_was_drawn_whoever_goes() {
    for luck in 0..200 {
        let mut sim = Sim::started(cup(2, 6, "sevens"), 5 + luck % 9, luck);
        sim.plays(true);
        assert_eq!(sim.replayed().rounds().len(), sim.now.rounds().len());
    }
}

#[test]
fn the_lots_follow_from_the_seed() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 9, 5);
    for round in 0..2 {
        assert!(sim.advance());
        let mut lots: Vec<u32> = (0..9).collect();
        Source::new(Seed::new([5; 32]), sim.now.id, []).chance(round).shuffle(&mut lots);
        let began = sim.now.rounds().last().unwrap();
        assert_eq!(began.lots, lots);
        let mut seats = Vec::new();
        for (table, lots) in began.tables.iter().zip(lots.chunks(3)) {
            let here: Vec<u32> = table.seats.iter().flatten().copied().collect();
            let (mut sorted, mut expected) = (here.clone(), lots.to_vec());
            sorted.sort_unstable();
            expected.sort_unstable();
            assert_eq!(sorted, expected, "the lots go from table to table");
            seats.extend(here);
        }
        // Later, entrants take the seats that they have sat at least.
        assert_eq!(seats == lots, round == 0);
        end(&mut sim, |_| 200);
    }
}

#[test]
fn swiss_rounds_bring_fewer_rematches_than_chance_and_like_results_together() {
    let measure = |seating: &str, size: u8| {
        let (mut rematches, mut apart) = (0, 0.0);
        for luck in 0..10 {
            let setup = setup(json!({"name": "Cup", "kind": "knights_heads", "table_size": size,
                "format": {"type": "rounds", "rounds": 5, "seating": seating}, "scoring": {"type": "places"}}));
            let mut sim = Sim::started(setup, 48, luck);
            let mut met: BTreeSet<(u32, u32)> = BTreeSet::new();
            while sim.advance() && sim.now.status() == Status::Active {
                let rows = sim.now.standings(&sim.game_results);
                let result =
                    |entrant| rows.iter().find(|row| row.entrant == entrant).unwrap().result.to_f64();
                for table in &sim.now.rounds().last().unwrap().tables {
                    for (at, a) in table.seats.iter().copied().flatten().enumerate() {
                        for b in table.seats[..at].iter().copied().flatten() {
                            rematches += u32::from(!met.insert((a.min(b), a.max(b))));
                            apart += (result(a) - result(b)).abs();
                        }
                    }
                }
                sim.plays_round();
            }
        }
        (rematches, apart)
    };
    for size in [2, 4, 6] {
        let (random, swiss) = (measure("random", size), measure("swiss", size));
        println!("tables of {size}: {} rematches by chance, {} Swiss", random.0, swiss.0);
        assert!(swiss.0 * 10 <= random.0, "{} rematches, {} by chance", swiss.0, random.0);
        assert!(swiss.1 < random.1 * 0.85, "{} apart, {} by chance", swiss.1, random.1);
    }
}
