//! How long the largest tournament takes.

use serde_json::json;

use super::simulation::{Sim, setup};
use super::*;

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
