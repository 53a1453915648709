//! What actions are worth, and what a deal was: the figures of a review.

use super::{Worlds, candidates, chance_answers, played_out, until_settled};
use crate::rules::bot::{Luck, Observation};
use crate::rules::facts::Facts;
use crate::rules::menu;
use crate::rules::seats::Seat;

/// Weighs the action that was taken, which comes first, and each other candidate: what it is worth to the seat, world by
/// world. All meet the same worlds.
pub fn actions<G: Worlds>(
    seen: &Observation,
    taken: G::Action,
    worlds: u32,
    luck: u64,
) -> Vec<(G::Action, Vec<f64>)> {
    by_known::<G>(&G::known(seen), seen.seat, taken, worlds, luck)
}

/// The same for a seat that knows this.
pub fn by_known<G: Worlds>(
    known: &G::Known,
    seat: Seat,
    taken: G::Action,
    worlds: u32,
    luck: u64,
) -> Vec<(G::Action, Vec<f64>)> {
    let luck = &mut Luck::new(luck);
    let written = menu::canonical(&taken);
    let others = candidates(&G::world(known, luck), seat).into_iter().map(|candidate| candidate.action);
    let others = others.filter(|action| menu::canonical(action) != written);
    let mut weighed: Vec<(G::Action, Vec<f64>)> =
        [taken].into_iter().chain(others).map(|action| (action, Vec::new())).collect();
    if weighed.len() == 1 {
        return weighed;
    }
    for _ in 0..worlds {
        let (world, chances) = (G::world(known, luck), luck.word());
        for (action, worths) in &mut weighed {
            let mut world = world.clone();
            world.act(seat, action, &mut Facts::ignored());
            worths.push(played_out(world, seat, Luck::new(chances)));
        }
    }
    weighed
}

/// In a hand that is played out to tell how lucky its deal was, one action of so many is any that is worth a thought. With
/// careful play alone, a single action would decide too much.
const LOOSE: usize = 8;

/// How likely each seat wins, world by world, if the chance that this state waits for is drawn anew in each.
pub fn deal<G: Worlds>(state: &G, seats: Seat, worlds: u32, luck: u64) -> Vec<Vec<f64>> {
    played_loosely(state, seats, worlds, luck, true)
}

/// How likely each seat wins, world by world, if the hand is played on from this state.
pub fn hand<G: Worlds>(state: &G, seats: Seat, worlds: u32, luck: u64) -> Vec<Vec<f64>> {
    played_loosely(state, seats, worlds, luck, false)
}

/// How likely each seat wins in a state between two hands.
pub fn win_chances<G: Worlds>(state: &G, seats: Seat) -> Vec<f64> {
    (0..seats).map(|seat| state.win_chance(seat)).collect()
}

fn played_loosely<G: Worlds>(
    state: &G,
    seats: Seat,
    worlds: u32,
    luck: u64,
    is_drawn: bool,
) -> Vec<Vec<f64>> {
    let luck = &mut Luck::new(luck);
    let mut world = || {
        let (mut world, luck) = (state.clone(), &mut Luck::new(luck.word()));
        if is_drawn {
            chance_answers(&mut world, luck);
        }
        until_settled(&mut world, luck, |world, seat, luck| {
            if luck.below(LOOSE) > 0 {
                return world.careful(seat);
            }
            let mut candidates = world.candidates(seat);
            candidates.swap_remove(luck.below(candidates.len()))
        });
        win_chances(&world, seats)
    };
    (0..worlds).map(|_| world()).collect()
}
