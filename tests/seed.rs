//! Seeds of random numbers: `SEED` names the one of a run.

/// The seed of a random run: a number that is printed, or the one that `SEED` names.
pub fn seed_of_this_run() -> u64 {
    let seed = named_seed().unwrap_or_else(rand::random);
    println!("the dice of this run: SEED={seed}");
    seed
}

/// The seed that `SEED` names.
#[expect(
    clippy::disallowed_methods,
    reason = "the developer who runs a test tells it the seed; the program never reads it"
)]
pub fn named_seed() -> Option<u64> {
    std::env::var("SEED").ok().map(|seed| seed.parse().expect("SEED is a whole number"))
}
