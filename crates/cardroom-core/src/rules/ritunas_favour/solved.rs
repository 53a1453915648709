//! A reduced Rituna's Favour that can be solved: a deck of five cards, all others being gone.

use super::Options;
use super::state::RitunasFavour;
use super::worlds::Known;
use crate::search::Worlds;
use crate::search::solved::{Reduced, orders, reviews_agree};

const DECK: usize = 5;

#[test]
fn reviews_of_a_reduced_ritunas_favour_agree_with_its_solution() {
    reviews_agree::<RitunasFavour>(&Options::default(), 3, 150, |seen, luck| {
        let Known(mut known) = RitunasFavour::known(seen);
        luck.shuffle(&mut known.deck);
        known.deck.truncate(DECK);
        let worlds = orders(&known.deck).into_iter().map(|deck| {
            let mut world = known.clone();
            world.deck = deck.into_iter().collect();
            (world, 1.0)
        });
        Some(Reduced { seat: seen.seat, worlds: worlds.collect(), known: Known(known.clone()) })
    });
}
