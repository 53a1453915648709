//! How long the largest tournament and the largest series take.

use serde_json::json;
use uuid::Uuid;

use super::series::{Final, MAX_TOURNAMENTS, SeriesPoints, Tally};
use super::simulation::{Sim, setup, words};
use super::*;
use crate::tournament::setup::MAX_ENTRANTS;

/// `cargo test --release standings_of_ten_thousand -- --ignored --nocapture`
#[test]
#[ignore = "it measures"]
fn standings_of_ten_thousand() {
    let setup = setup(json!({"name": "Cup", "kind": "knights_heads",
        "format": {"type": "rounds", "rounds": 5, "seating": "swiss"}}));
    let mut sim = Sim::started(setup, 10_000, 3);
    let now = std::time::Instant::now;
    loop {
        let began = now();
        let has_moved = sim.advance();
        println!("the draw took {:?}", began.elapsed());
        if !has_moved || sim.now.status() != Status::Active {
            break;
        }
        for table in sim.now.rounds().last().unwrap().tables.clone() {
            let scores = sim.scores(&table);
            sim.ends(table.game, scores);
        }
    }
    let mut times: Vec<_> = (0..21)
        .map(|_| {
            let began = now();
            assert_eq!(sim.now.standings(&sim.game_results).len(), 10_000);
            began.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("standings of 10,000: median {:?}, longest {:?}", times[10], times[20]);
}

/// A hundred tournaments of the same ten thousand players, in other orders.
/// `cargo test --release series_of_a_hundred -- --ignored --nocapture`
#[test]
#[ignore = "it measures"]
fn series_of_a_hundred_tournaments_of_ten_thousand() {
    let mut luck = words(5);
    let mut players: Vec<u128> = (1..=MAX_ENTRANTS as u128).collect();
    let mut tournaments = (0..MAX_TOURNAMENTS as u16).map(|nth| {
        luck.shuffle(&mut players);
        let ends = players.iter().zip(1..).map(|(&player, place)| Final {
            account: Uuid::from_u128(player),
            player: format!("player-{player}"),
            place,
            equals: 1,
            result: Ratio::new(i128::from(MAX_ENTRANTS as u32 - place), 1).into(),
            score: i64::from(place),
        });
        (nth, ends.collect::<Vec<Final>>())
    });
    let began = std::time::Instant::now();
    let mut counted = std::time::Duration::ZERO;
    let mut tally = Tally::new(SeriesPoints::Result {}, Some(20));
    for (nth, finals) in tournaments.by_ref() {
        let began = std::time::Instant::now();
        tally.take(nth, finals);
        counted += began.elapsed();
    }
    let ranked = std::time::Instant::now();
    let lines = tally.standings();
    counted += ranked.elapsed();
    assert!(lines.len() == MAX_ENTRANTS && lines.iter().all(|line| line.results.len() == MAX_TOURNAMENTS));
    println!(
        "a million results counted and ranked in {counted:?}, with their making in {:?}",
        began.elapsed()
    );
}
