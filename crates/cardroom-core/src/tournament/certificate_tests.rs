//! The winners of a tournament get certificates, which say what they have won and by which hash that can be checked.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::simulation::Sim;
use super::tests::{disqualify, end, rounds};
use super::*;
use crate::audit::{Certificate, Ranking, certificates};
use crate::log::{Hex32, chain};

const HEAD: Hex32 = Hex32([17; 32]);

fn of(sim: &Sim) -> Vec<Certificate> {
    certificates(&sim.now, &sim.now.standings(&sim.game_results), HEAD)
}

/// The numbers of the winners by each ranking.
fn winners(sim: &Sim) -> Vec<(Ranking, Vec<u32>)> {
    let winners = |one: &Certificate| one.statement.winners.iter().map(|winner| winner.entrant).collect();
    of(sim).iter().map(|one| (one.statement.ranking, winners(one))).collect()
}

/// A round of four entrants at one table, who end it with these scores.
fn played(scores: [i64; 4]) -> Sim {
    let more = json!({"result_by": {"type": "placing_points", "points": [5, 2, 1, 0]}});
    let mut sim = Sim::started(rounds("ricketts_hearts", 4, 1, more), 4, 1);
    sim.advance();
    assert_eq!(of(&sim), [], "nobody has won while it runs");
    end(&mut sim, |entrant| scores[entrant as usize]);
    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
    sim
}

#[test]
fn winners_by_result_and_by_score_have_certificates_and_equals_share_one() {
    let sim = played([3, 0, 0, 23]);
    assert_eq!(winners(&sim), [(Ranking::Result, vec![1, 2]), (Ranking::Score, vec![1, 2])]);
    let all = of(&sim);
    let statement = &all[0].statement;
    assert_eq!((statement.entrants, statement.log.head), (4, HEAD));
    assert_eq!(statement.log.entries, sim.now.version);
    let told: Vec<(&str, Option<i64>)> =
        statement.winners.iter().map(|winner| (&*winner.result, winner.score)).collect();
    assert_eq!(told, [("7/2", Some(2)), ("7/2", Some(2))]);
    for one in &all {
        let hash: [u8; 32] = Sha256::digest(chain::canonical(&one.statement)).into();
        assert_eq!(one.hash, Hex32(hash));
    }
    assert_ne!(all[0].hash, all[1].hash);
}

#[test]
fn nobody_wins_by_a_score_of_nothing_and_the_disqualified_win_nothing() {
    // All are level: none is ahead of another.
    let sim = played([5, 5, 5, 5]);
    assert_eq!(winners(&sim), [(Ranking::Result, vec![0, 1, 2, 3])]);
    let mut sim = played([0, 1, 2, 3]);
    let before = of(&sim)[0].clone();
    disqualify(&mut sim, 0);
    assert_eq!(winners(&sim), [(Ranking::Result, vec![1]), (Ranking::Score, vec![1])]);
    let after = &of(&sim)[0];
    assert_eq!(after.statement.entrants, 3);
    assert_ne!(before.hash, after.hash);
}

#[test]
fn a_tournament_that_was_called_off_has_no_winners() {
    let mut sim = Sim::started(rounds("sevens", 2, 1, json!({})), 2, 1);
    sim.does(&super::simulation::organiser(), &Command::Abort).unwrap();
    assert_eq!(of(&sim), []);
}
