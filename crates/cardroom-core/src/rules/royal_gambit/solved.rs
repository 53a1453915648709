//! A reduced Royal Gambit that can be solved: two seats, and a deck of four cards, all others being gone. What reviews say
//! of it stands beside the exact values.

use super::state::{Phase, RoyalGambit};
use super::table::Decision;
use super::{Action, Options};
use crate::rules::bot::{Luck, Menu};
use crate::rules::facts::Facts;
use crate::rules::game::{Chance, Game, Need};
use crate::rules::json::to_json;
use crate::rules::menu::canonical;
use crate::rules::registry::{AnyFacts, AnyGame};
use crate::rules::seats::Seat;
use crate::search::{Worlds, weigh};

const DECK: usize = 4;
const WORLDS: u32 = 1000;

/// How a seat decides in the exact values.
#[derive(Clone, Copy)]
enum Play {
    /// As careful players do.
    Careful,
    /// As is best for it, when all do so.
    Best,
}

/// What the hand is worth to seat 0 by all orders of the deck, which are as likely. Worths of two seats add up to 1.
fn value(game: &RoyalGambit, play: Play) -> f64 {
    if game.is_settled() {
        return game.worth(0);
    }
    let Need::Players(seats) = Game::need(game) else { unreachable!("no hand waits for chance within it") };
    let seat = seats.iter().next().unwrap();
    match play {
        Play::Careful => after(game, seat, &game.careful(seat), play),
        Play::Best => {
            let values = game.candidates(seat).into_iter().map(|action| after(game, seat, &action, play));
            let best = if seat == 0 { f64::max } else { f64::min };
            values.reduce(best).unwrap()
        }
    }
}

/// The same after an action, whatever cards it flips.
fn after(game: &RoyalGambit, seat: Seat, action: &Action, play: Play) -> f64 {
    let mut orders = Vec::new();
    orders_of(game, 0, &mut orders);
    let total: f64 = orders
        .iter_mut()
        .map(|world| {
            world.act(seat, action, &mut Facts::ignored());
            value(world, play)
        })
        .sum();
    total / orders.len() as f64
}

/// The game with its deck in each order, whose first cards stay.
fn orders_of(game: &RoyalGambit, first: usize, orders: &mut Vec<RoyalGambit>) {
    let Phase::Playing { table, .. } = &game.phase else { unreachable!("a hand is played") };
    if first >= table.deck.len() {
        orders.push(game.clone());
    }
    for next in first..table.deck.len() {
        let mut game = game.clone();
        let Phase::Playing { table, .. } = &mut game.phase else { unreachable!("a hand is played") };
        table.deck.swap(first, next);
        orders_of(&game, first + 1, orders);
    }
}

/// A turn of a random hand, after which all but four cards of the deck are put away.
fn reduced(luck: &mut Luck) -> Option<RoyalGambit> {
    let mut game = RoyalGambit::new(Options { target_score: 30, ..Options::default() }, 2).unwrap();
    for _ in 0..8 + luck.below(20) {
        match Game::need(&game) {
            Need::Nothing => return None,
            Need::Pick { of } => {
                let pick = Chance::Pick(luck.below(of.into()) as u8);
                Game::chance(&mut game, pick, &mut Facts::ignored());
            }
            Need::Shuffle(mut cards) => {
                luck.shuffle(&mut cards);
                Game::chance(&mut game, Chance::Shuffle(cards), &mut Facts::ignored());
            }
            Need::Players(seats) => {
                let seat = seats.iter().next().unwrap();
                let action = Menu::of(&to_json(&Game::legal(&game, seat).as_slice())).any(luck).to_string();
                game.play(seat, &action, &mut AnyFacts::ignored()).unwrap();
            }
        }
    }
    let Phase::Playing { table, decision: Decision::Turn { .. } } = &mut game.phase else { return None };
    if table.deck.len() < DECK {
        return None;
    }
    table.deck.truncate(DECK);
    Some(game)
}

#[test]
fn reviews_of_a_reduced_game_agree_with_its_solution() {
    let luck = &mut Luck::new(1);
    let (mut states, mut deviations, mut regret) = (0, 0.0, 0.0);
    while states < 150 {
        let Some(game) = reduced(luck) else { continue };
        states += 1;
        let Need::Players(seats) = Game::need(&game) else { unreachable!("it is a turn") };
        let seat = seats.iter().next().unwrap();
        let own = |value: f64| if seat == 0 { value } else { 1.0 - value };
        let weighed = weigh::by_known::<RoyalGambit>(&game, seat, game.careful(seat), WORLDS, states);
        let mut ranked = Vec::new();
        for (action, worths) in weighed.iter().filter(|(_, worths)| !worths.is_empty()) {
            let count = worths.len() as f64;
            let mean = worths.iter().sum::<f64>() / count;
            let error =
                (worths.iter().map(|worth| (worth - mean).powi(2)).sum::<f64>() / count / count).sqrt();
            let exact = own(after(&game, seat, action, Play::Careful));
            assert!(
                (mean - exact).abs() < 5.0 * error + 1e-9,
                "{}: {mean} ± {error}, {exact}",
                canonical(action)
            );
            let solved = own(after(&game, seat, action, Play::Best));
            deviations += (mean - solved).abs() / 300.0;
            ranked.push((mean, solved));
        }
        let best = ranked.iter().map(|(_, solved)| *solved).fold(0.0, f64::max);
        let chosen = ranked.iter().copied().reduce(|one, other| if other.0 > one.0 { other } else { one });
        regret += chosen.map_or(0.0, |(_, solved)| best - solved) / 150.0;
    }
    println!(
        "deviations from the solution {deviations:.4}, regret of the action that a review prefers {regret:.5}"
    );
    assert!(deviations < 0.02 && regret < 0.005, "{deviations} {regret}");
}
