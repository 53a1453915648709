//! What chips are worth between two hands, in the games that are played for them.

use std::ops::RangeInclusive;

use crate::rules::seats::Seat;

/// How likely `seat` wins, with these stacks before `left` more hands that each move about `swing` chips: from 0 to 1.
///
/// The fewer hands are left, the more a lead is worth; after the last, only the lead counts.
pub fn worth(stacks: &[u64], seat: Seat, left: u32, swing: f64) -> f64 {
    let own = stacks[usize::from(seat)] as f64;
    let others = stacks.iter().zip(0..).filter(|&(_, other)| other != seat);
    let best = others.map(|(&stack, _)| stack).max().unwrap_or(0) as f64;
    let lead = own - best;
    if left == 0 {
        return if lead > 0.0 {
            1.0
        } else if lead < 0.0 {
            0.0
        } else {
            0.5
        };
    }
    let distance = lead / (swing * f64::from(left).sqrt());
    0.5 + 0.5 * distance / (1.0 + distance.abs())
}

/// The swing of a hand in which each seat pays this ante: as much as the ante. Hands move more than that, but bots that
/// count so keep a lead better; in the arena that is worth twelve wins in a hundred at Sevens.
pub fn swing(ante: u32) -> f64 {
    ante.max(1).into()
}

/// How many times as wide as [`swing`] a hand's swing is in [`Worlds::win_chance`](super::Worlds::win_chance).
pub const WIDE: f64 = 3.0;

/// The raises that are thought about where so much is to be won: the least, half of it, all of it, twice that, and all
/// that there is.
pub fn raises(pot: u64, by: RangeInclusive<u32>) -> Vec<u32> {
    let within = |chips: u64| chips.clamp((*by.start()).into(), (*by.end()).into()) as u32;
    let mut sizes = [0, pot / 2, pot, 2 * pot, u64::MAX].map(within).to_vec();
    sizes.dedup();
    sizes
}
