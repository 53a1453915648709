//! The seed of a random run.

/// What the dice of a random run begin with: a number that is printed, or the one that `SEED` names.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
pub fn seed_of_this_run() -> u64 {
    let named = std::env::var("SEED").ok().map(|seed| seed.parse().expect("SEED is a whole number"));
    let seed = named.unwrap_or_else(rand::random);
    println!("the dice of this run: SEED={seed}");
    seed
}
