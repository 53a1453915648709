//! How a bot thinks ahead: it draws worlds that fit what its seat knows, plays each of its actions in each of them to the
//! end of the hand, and takes the action that comes out best.
//!
//! What comes in is an [`Observation`], which any client at the seat gets: no hidden state reaches the search, and
//! [`Worlds::known`] is its only door. The work of a decision is fixed by the number of worlds, never by a clock, and
//! the same luck gives the same action on every machine: sums of fractions are taken in one order, and nothing is used
//! that machines compute differently.

use crate::rules::bot::{Luck, Observation};
use crate::rules::facts::Facts;
use crate::rules::game::{Chance, Game, Need};
use crate::rules::seats::Seat;

pub mod chips;
#[cfg(test)]
mod tests;

/// What a kind of game brings, so that its bots can think ahead.
pub trait Worlds: Game {
    /// What a seat knows when it decides.
    type Known;

    /// By how much of a whole win an action may be worse than the best and still be taken now and then, so that what a
    /// seat does tells less of what it holds. 0 where nothing is hidden by that.
    const MIXED: f64 = 0.0;

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

    /// What it is worth to `seat` that a hand has ended like this, from 0 to 1: about how likely it wins the game.
    fn worth(&self, seat: Seat) -> f64;
}

/// An action that is thought about.
struct Candidate<A> {
    action: A,
    /// What it was worth in the worlds so far.
    total: f64,
}

/// The action that comes out best in so many worlds, at least one.
pub fn choose<G: Worlds>(seen: &Observation, worlds: u32, luck: u64) -> G::Action {
    let (seat, luck) = (seen.seat, &mut Luck::new(luck));
    let known = G::known(seen);
    let first = G::world(&known, luck);
    let actions = first.candidates(seat);
    let mut candidates: Vec<Candidate<G::Action>> =
        actions.into_iter().map(|action| Candidate { action, total: 0.0 }).collect();
    for nth in 0..worlds {
        if candidates.len() == 1 {
            break;
        }
        let world = G::world(&known, luck);
        // All actions meet the same worlds, and chance answers them alike, so that their luck does not tell them apart.
        let chances = luck.word();
        for candidate in &mut candidates {
            let mut world = world.clone();
            world.act(seat, &candidate.action, &mut Facts::ignored());
            candidate.total += played_out(world, seat, Luck::new(chances));
        }
        // After a quarter and after half of the worlds, only the better half is thought about further.
        if nth + 1 == worlds / 4 || nth + 1 == worlds / 2 {
            candidates.sort_by(|one, other| other.total.total_cmp(&one.total));
            candidates.truncate(candidates.len().div_ceil(2).max(2));
        }
    }
    candidates.sort_by(|one, other| other.total.total_cmp(&one.total));
    let chosen = mixed(&candidates, G::MIXED * f64::from(worlds), luck);
    candidates.swap_remove(chosen).action
}

/// What the hand comes to for `seat` if all play carefully.
fn played_out<G: Worlds>(mut world: G, seat: Seat, mut luck: Luck) -> f64 {
    let facts = &mut Facts::ignored();
    while !world.is_settled() {
        match world.need() {
            Need::Players(seats) => {
                let next = seats.iter().next().expect("somebody is waited for");
                let action = world.careful(next);
                world.act(next, &action, facts);
            }
            Need::Shuffle(mut cards) => {
                luck.shuffle(&mut cards);
                world.chance(Chance::Shuffle(cards), facts);
            }
            Need::Pick { of } => world.chance(Chance::Pick(luck.below(of.into()) as u8), facts),
            Need::Nothing => break,
        }
    }
    world.worth(seat)
}

/// Which of the candidates is taken, the best of which stands first: the nearer to it, the likelier; none that is behind
/// it by `band`.
fn mixed<A>(candidates: &[Candidate<A>], band: f64, luck: &mut Luck) -> usize {
    const PARTS: f64 = 1000.0;
    let best = candidates[0].total;
    let weight = |candidate: &Candidate<A>| {
        let near = 1.0 - (best - candidate.total) / band;
        if near > 0.0 { (near * near * PARTS) as usize } else { 0 }
    };
    let weights: Vec<usize> = if band > 0.0 { candidates.iter().map(weight).collect() } else { vec![1] };
    let mut drawn = luck.below(weights.iter().sum::<usize>().max(1));
    weights
        .iter()
        .position(|&weight| {
            drawn < weight || {
                drawn -= weight;
                false
            }
        })
        .unwrap_or(0)
}
