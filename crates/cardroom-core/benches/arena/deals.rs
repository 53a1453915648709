//! One game between policies, with its chances from a seed.

use std::time::Instant;

use cardroom_core::rules::registry::{AnyFacts, AnyGame};
use cardroom_core::rules::{Chance, Need, Outcome, Seat};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::Match;

/// A game that is over.
pub struct Played {
    /// By the number of the policy, as they were named.
    pub scores: Vec<i64>,
    pub places: Vec<u8>,
    /// The part of a win: a win that is shared counts in parts.
    pub wins: Vec<f64>,
    /// The same without the luck of the deals, if that was asked for.
    pub wins_without_luck: Vec<f64>,
    /// Which policy decided, and how long it took, in seconds.
    pub decisions: Vec<(usize, f64)>,
}

/// Plays one deal, with policy number `n` at the seat `n + by`.
///
/// The n-th chance of a deal is the same in each of its games, however many decisions came before, so that the same
/// hands are dealt as long as the games have as many chances in each hand.
pub fn play(asked: &Match, by: usize, deal: u64) -> Played {
    let Match { kind, policies, options, worlds_of_a_deal: worlds, .. } = asked;
    let seats = policies.len();
    let named = |seat: Seat| (usize::from(seat) + seats - by) % seats;
    let mut game = kind.new_game(options, seats as u8).expect("the options are resolved");
    let (mut chances, mut luck) = (0, SmallRng::seed_from_u64(deal ^ ((by as u64 + 1) << 48)));
    let (mut decisions, mut luck_of_seats) = (Vec::new(), vec![0.0; seats]);
    loop {
        if let Some(chance) = chance(game.as_ref(), deal, chances) {
            let is_deal = matches!(chance, Chance::Shuffle(_)) && *worlds > 0;
            let mut add = |worlds: Vec<Vec<f64>>, sign: f64| {
                for (seat, sum) in luck_of_seats.iter_mut().enumerate() {
                    *sum +=
                        sign * worlds.iter().map(|chances| chances[seat]).sum::<f64>() / worlds.len() as f64;
                }
            };
            if is_deal {
                add((kind.thoughts.deal)(game.as_ref(), seats as u8, *worlds, luck.random()), -1.0);
            }
            chances += 1;
            game.chance(chance, &mut AnyFacts::ignored()).expect("it was asked for");
            if is_deal {
                add((kind.thoughts.hand)(game.as_ref(), seats as u8, *worlds, luck.random()), 1.0);
            }
            continue;
        }
        let Need::Players(waits_for) = game.need() else { break };
        let seat = waits_for.iter().next().expect("somebody is waited for");
        let policy = named(seat);
        let seen = game.at_seat(seat, options);
        let (start, luck) = (Instant::now(), luck.random());
        let action = policies[policy].choose(&seen, luck);
        decisions.push((policy, start.elapsed().as_secs_f64()));
        let played = game.play(seat, action.get(), &mut AnyFacts::ignored());
        played.unwrap_or_else(|refusal| panic!("{} plays {action}: {refusal}", policies[policy]));
    }
    let mut played = Played::of(&game.outcome().expect("the game is over"), decisions, named);
    for (seat, luck) in (0..).zip(luck_of_seats) {
        played.wins_without_luck[named(seat)] = played.wins[named(seat)] - kind.thoughts.luck_share * luck;
    }
    played
}

/// What chance answers, if the game waits for it.
fn chance(game: &dyn AnyGame, deal: u64, nth: u64) -> Option<Chance<cardroom_core::rules::cards::CardName>> {
    let mut dice = SmallRng::seed_from_u64(deal.wrapping_mul(0xD129_0BB3_5D2A_6F4B).wrapping_add(nth));
    match game.need() {
        Need::Pick { of } => Some(Chance::Pick(dice.random_range(0..of))),
        Need::Shuffle(mut cards) => {
            cards.shuffle(&mut dice);
            Some(Chance::Shuffle(cards))
        }
        Need::Players(_) | Need::Nothing => None,
    }
}

impl Played {
    fn of(outcome: &Outcome, decisions: Vec<(usize, f64)>, named: impl Fn(Seat) -> usize) -> Played {
        let seats = outcome.places.len();
        let mut played = Played {
            scores: vec![0; seats],
            places: vec![0; seats],
            wins: vec![0.0; seats],
            wins_without_luck: vec![0.0; seats],
            decisions,
        };
        for placing in &outcome.places {
            let policy = named(placing.seat);
            (played.scores[policy], played.places[policy]) = (placing.score, placing.place);
        }
        for &seat in &outcome.winners {
            played.wins[named(seat)] = 1.0 / outcome.winners.len() as f64;
        }
        played
    }
}
