//! How fast hands of Knights' Heads are ranked, on one core: `cargo bench --bench hands`.
//!
//! Random ten-card hands, from their cards to what they make, a second. Median of nine rounds.

use std::hint::black_box;
use std::time::Instant;

use cardroom_core::rules::knights_heads::deck::KnightsCard;
use cardroom_core::rules::knights_heads::hands;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

const ROUNDS: usize = 9;
const HANDS: usize = 1_000_000;

fn main() {
    let mut rng = StdRng::seed_from_u64(1);
    let deck: Vec<KnightsCard> = KnightsCard::deck().collect();
    let dealt: Vec<[KnightsCard; 10]> =
        (0..HANDS).map(|_| deck.sample_array(&mut rng).expect("the deck holds ten cards")).collect();
    let seconds = median(|| {
        for cards in &dealt {
            black_box(hands::rank(black_box(cards), true));
        }
    });
    println!("{:.1} million hands a second", HANDS as f64 / seconds / 1e6);
}

/// The median of the rounds' times, in seconds.
fn median(mut round: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            round();
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[ROUNDS / 2]
}
