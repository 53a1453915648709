//! Estimates by worlds: their means, their errors and their chance.

use crate::table::Table;

/// What the chance of one part of a review follows from. It is the game's seed, which nobody knows before the end: a player
/// who knew the chance of a review could make its errors a little larger or smaller.
pub fn seed(table: &Table, what: &str, number: u32) -> u64 {
    let drawn = table.seed().hmac(format_args!("review:{}:{what}:{number}", table.id));
    drawn.iter().take(8).fold(0, |luck, &byte| luck << 8 | u64::from(byte))
}

/// A mean, and its standard error.
#[derive(Clone, Copy)]
pub struct Mean {
    pub mean: f64,
    pub error: f64,
}

impl Mean {
    pub fn of(values: impl ExactSizeIterator<Item = f64> + Clone) -> Mean {
        let count = values.len().max(1) as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / count;
        Mean { mean, error: (variance / count).sqrt() }
    }
}

/// The standard error of a sum. Not by `hypot`, which is not the same on every machine.
pub fn together(one: f64, other: f64) -> f64 {
    (one * one + other * other).sqrt()
}

/// To a hundredth of a percent. More would be no more than noise.
pub fn rounded(worth: f64) -> f64 {
    // The sum turns a negative zero into a plain one.
    (worth * 10_000.0).round() / 10_000.0 + 0.0
}
