//! A reduced Knights' Heads that can be solved: two seats before anybody has bet, and few cards that the first does not
//! see.

use super::Options;
use super::state::{KnightsHeads, Phase};
use super::table::DEALT;
use super::worlds::Known;
use crate::rules::seats::SeatSet;
use crate::search::Worlds;
use crate::search::solved::{Reduced, choices, orders, reviews_agree};

const UNSEEN: usize = DEALT + 2;

#[test]
fn reviews_of_a_reduced_knights_heads_agree_with_its_solution() {
    reviews_agree::<KnightsHeads>(&Options::default(), 2, 10, |seen, luck| {
        let mut known = KnightsHeads::known(seen);
        if !known.givers.is_empty() || !known.table.is_unopened() || known.table.turn().is_none() {
            return None;
        }
        let other = 1 - known.seat;
        luck.shuffle(&mut known.unseen);
        known.unseen.truncate(UNSEEN);
        let mut worlds = Vec::new();
        for (hand, left) in choices(&known.unseen, DEALT) {
            for drawn in orders(&left) {
                let mut table = known.table.clone();
                let cards = &mut table.cards[usize::from(other)];
                *cards = hand.iter().copied().collect();
                cards.sort_unstable();
                table.luck = drawn.into_iter().collect();
                let phase = Phase::Hand(table);
                let Known { options, hand, .. } = known;
                worlds
                    .push((KnightsHeads { options, hand, last_hand: None, out: SeatSet::EMPTY, phase }, 1.0));
            }
        }
        Some(Reduced { seat: known.seat, worlds, known })
    });
}
