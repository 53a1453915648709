//! A reduced Royal Gambit that can be solved: a deck of four cards, all others being gone.

use super::Options;
use super::state::{Phase, RoyalGambit};
use super::table::Decision;
use crate::search::Worlds;
use crate::search::solved::{Reduced, orders, reviews_agree};

const DECK: usize = 4;

#[test]
fn reviews_of_a_reduced_royal_gambit_agree_with_its_solution() {
    let options = Options { target_score: 30, ..Options::default() };
    reviews_agree::<RoyalGambit>(&options, 2, 150, |seen, _| {
        let mut known = RoyalGambit::known(seen);
        let Phase::Playing { table, decision: Decision::Turn { .. } } = &mut known.phase else { return None };
        if table.deck.len() < DECK {
            return None;
        }
        table.deck.truncate(DECK);
        let worlds = orders(&table.deck).into_iter().map(|deck| {
            let mut world = known.clone();
            let Phase::Playing { table, .. } = &mut world.phase else { unreachable!("a hand is played") };
            table.deck = deck.into_iter().collect();
            (world, 1.0)
        });
        Some(Reduced { seat: seen.seat, worlds: worlds.collect(), known: known.clone() })
    });
}
