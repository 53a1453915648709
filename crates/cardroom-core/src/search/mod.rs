//! How a bot thinks ahead: it draws worlds that fit what its seat knows, plays each of its actions in each of them to the
//! end of the hand, and takes the action that comes out best. What a careful player would do is preferred, unless
//! another action is better by more than the error of the figures.
//!
//! What comes in is an [`Observation`], which any client at the seat gets: no hidden state reaches the search, and
//! [`Worlds::known`] is its only door. The work of a decision is fixed by the number of worlds, never by a clock, and
//! the same luck gives the same action on every machine: sums of fractions are taken in one order, and nothing is used
//! that machines compute differently.

use crate::rules::bot::{Luck, Observation};
use crate::rules::facts::Facts;
use crate::rules::game::{Chance, Game, Need};
use crate::rules::menu;
use crate::rules::seats::Seat;

pub mod chips;
#[cfg(test)]
pub mod solved;
#[cfg(test)]
mod tests;
pub mod weigh;

/// What a kind of game brings, so that its bots can think ahead.
pub trait Worlds: Game {
    /// What a seat knows when it decides.
    type Known;

    /// By how much of a whole win an action may be worse than the best and still be taken now and then, so that what a
    /// seat does tells less of what it holds. 0 where nothing is hidden by that.
    const MIXED: f64 = 0.0;

    /// By how many standard errors an action has to be better than the careful one.
    const DOUBT: f64 = 1.0;

    /// In how many worlds a `skilled` bot tries its actions. The more of what happens is luck, the more worlds it takes.
    const SKILLED: u32 = 8;

    /// In how many an `expert` does, and a review.
    const EXPERT: u32 = 100;

    /// Reads what the seat knows.
    fn known(seen: &Observation) -> Self::Known;

    /// A state that agrees with it, whose hidden cards are drawn.
    fn world(known: &Self::Known, luck: &mut Luck) -> Self;

    /// The actions that are worth a thought, at least one. They are the same in each world of a decision.
    fn candidates(&self, seat: Seat) -> Vec<Self::Action>;

    /// What a careful player does at `seat`, by what that seat knows: how a world is played out.
    fn careful(&self, seat: Seat) -> Self::Action;

    /// Whether the hand that was decided about is over.
    fn is_settled(&self) -> bool;

    /// What it is worth to `seat` that a hand has ended like this, from 0 to 1: the better it stands in the game, the
    /// higher.
    fn worth(&self, seat: Seat) -> f64;

    /// How much of the luck of a deal is taken out of a result: see `docs/luck.md`. With every figure the results are
    /// unbiased; with this one their spread was smallest in the arena.
    const LUCK_SHARE: f64;

    /// About how likely `seat` wins the game when a hand has ended like this, from 0 to 1. A worth may be steeper, where
    /// bots keep a lead better by that.
    fn win_chance(&self, seat: Seat) -> f64 {
        self.worth(seat)
    }
}

/// An action that is thought about.
struct Candidate<A> {
    action: A,
    /// By how much it was better than the careful one in the worlds so far, and the squares of that.
    gain: f64,
    squares: f64,
}

impl<A> Candidate<A> {
    fn new(action: A) -> Candidate<A> {
        Candidate { action, gain: 0.0, squares: 0.0 }
    }

    fn gains(&mut self, gain: f64) {
        self.gain += gain;
        self.squares += gain * gain;
    }

    /// What it gains in a world in the mean, less so many standard errors of that mean: with few worlds, most of what
    /// looks better than careful play is luck. 0 for the careful action.
    fn sure_gain(&self, worlds: f64, doubt: f64) -> f64 {
        let mean = self.gain / worlds;
        let variance = (self.squares / worlds - mean * mean).max(0.0);
        mean - doubt * (variance / worlds).sqrt()
    }
}

/// The action that comes out best in so many worlds, at least one.
pub fn choose<G: Worlds>(seen: &Observation, worlds: u32, luck: u64) -> G::Action {
    choose_by_known::<G>(&G::known(seen), seen.seat, worlds, G::MIXED, luck)
}

/// The same for a seat that knows this; `band` is as in [`Worlds::MIXED`].
fn choose_by_known<G: Worlds>(known: &G::Known, seat: Seat, worlds: u32, band: f64, luck: u64) -> G::Action {
    let luck = &mut Luck::new(luck);
    let mut candidates = candidates(&G::world(known, luck), seat);
    if candidates.len() == 1 {
        return candidates.swap_remove(0).action;
    }
    for nth in 1..=worlds {
        let world = G::world(known, luck);
        // All actions meet the same worlds, and chance answers them alike, so that their luck does not tell them apart.
        let chances = luck.word();
        let mut careful = 0.0;
        for (at, candidate) in candidates.iter_mut().enumerate() {
            let mut world = world.clone();
            world.act(seat, &candidate.action, &mut Facts::ignored());
            let worth = played_out(world, seat, Luck::new(chances));
            if at == 0 {
                careful = worth;
            }
            candidate.gains(worth - careful);
        }
        // After a quarter and after half of the worlds, only the better half is thought about further.
        if nth == worlds / 4 || nth == worlds / 2 {
            candidates[1..].sort_by(|one, other| other.gain.total_cmp(&one.gain));
            candidates.truncate(candidates.len().div_ceil(2).max(2));
        }
    }
    let sure_gain = |candidate: &Candidate<_>| candidate.sure_gain(worlds.into(), G::DOUBT);
    let gains: Vec<f64> = candidates.iter().map(sure_gain).collect();
    candidates.swap_remove(mixed(&gains, band, luck)).action
}

/// What is thought about, the careful action first.
fn candidates<G: Worlds>(world: &G, seat: Seat) -> Vec<Candidate<G::Action>> {
    let careful = world.careful(seat);
    let written = menu::canonical(&careful);
    let others = world.candidates(seat).into_iter().filter(|action| menu::canonical(action) != written);
    [careful].into_iter().chain(others).map(Candidate::new).collect()
}

/// What the hand comes to for `seat` if all play carefully.
fn played_out<G: Worlds>(mut world: G, seat: Seat, mut luck: Luck) -> f64 {
    until_settled(&mut world, &mut luck, |world, seat, _| world.careful(seat));
    world.worth(seat)
}

/// All play so until the hand is over.
fn until_settled<G: Worlds>(world: &mut G, luck: &mut Luck, play: impl Fn(&G, Seat, &mut Luck) -> G::Action) {
    while !world.is_settled() {
        if let Need::Players(seats) = world.need() {
            let next = seats.iter().next().expect("somebody is waited for");
            let action = play(world, next, luck);
            world.act(next, &action, &mut Facts::ignored());
        } else if !chance_answers(world, luck) {
            break;
        }
    }
}

/// Gives the game the chance that it waits for, if it does.
fn chance_answers<G: Worlds>(world: &mut G, luck: &mut Luck) -> bool {
    let outcome = match world.need() {
        Need::Shuffle(mut cards) => {
            luck.shuffle(&mut cards);
            Chance::Shuffle(cards)
        }
        Need::Pick { of } => Chance::Pick(luck.below(of.into()) as u8),
        Need::Players(_) | Need::Nothing => return false,
    };
    world.chance(outcome, &mut Facts::ignored());
    true
}

/// Which action is taken, by what each gains: the nearer to the best, the likelier; none that is behind it by `band`.
fn mixed(gains: &[f64], band: f64, luck: &mut Luck) -> usize {
    const PARTS: f64 = 1000.0;
    let best = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |gain: &f64| {
        let near = if band > 0.0 { 1.0 - (best - gain) / band } else { f64::from(u8::from(*gain == best)) };
        if near > 0.0 { (near * near * PARTS) as usize } else { 0 }
    };
    let weights: Vec<usize> = gains.iter().map(weight).collect();
    let mut drawn = luck.below(weights.iter().sum());
    let taken = weights.iter().position(|&weight| {
        let is_taken = drawn < weight;
        drawn = drawn.saturating_sub(weight);
        is_taken
    });
    taken.expect("the best has some weight")
}
