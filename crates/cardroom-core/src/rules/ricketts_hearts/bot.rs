//! Ricketts House Hearts, steadily: pass what is dangerous, duck, and throw the queen and high hearts onto
//! others' tricks.

use arrayvec::ArrayVec;
use serde::Deserialize;
use serde_json::{Value, json};

use super::cards::{CardSet, HEARTS, PENALTIES, QUEEN_OF_SPADES, SPADES, height};
use super::moon::MoonChoice;
use super::passing::Passed;
use crate::rules::bot::Observation;
use crate::rules::cards::{French, QUEEN};

#[derive(Deserialize)]
struct View {
    seats: Vec<Seat>,
    trick: Vec<French>,
}

#[derive(Deserialize)]
struct Seat {
    score: i32,
    cards: Vec<Option<French>>,
}

pub fn steady(seen: &Observation) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let own = &view.seats[usize::from(seen.seat)];
    let hand: CardSet = own.cards.iter().copied().flatten().collect();
    if menu.has("pass") {
        return json!({"type": "pass", "cards": pass(hand)});
    }
    if menu.has("moon") {
        let scores: Vec<i32> = view.seats.iter().map(|seat| seat.score).collect();
        return json!({"type": "moon", "choice": moon(&scores, own.score)});
    }
    let open = menu.from("play", "card").iter().filter_map(|card| French::deserialize(card).ok());
    json!({"type": "play", "card": play(&view.trick, hand, open.collect())})
}

/// The three cards to pass, the most dangerous last.
pub fn pass(hand: CardSet) -> Passed {
    let mut cards: ArrayVec<French, 13> = hand.iter().collect();
    cards.sort_by_key(|&card| danger(card, hand));
    cards[cards.len() - 3..].try_into().expect("these are three")
}

pub fn moon(scores: &[i32], own: i32) -> MoonChoice {
    // To put points onto others can end the game: good for a seat that would win it.
    let leads = scores.iter().all(|&other| own <= other);
    if leads { MoonChoice::Plus } else { MoonChoice::Minus }
}

/// The card to play to the trick, out of those that are open; there is at least one.
pub fn play(trick: &[French], hand: CardSet, open: CardSet) -> French {
    choose(trick, hand, open).expect("the seat whose turn it is can play a card")
}

fn choose(trick: &[French], hand: CardSet, open: CardSet) -> Option<French> {
    let Some(led) = trick.first().map(|card| card.suit()) else {
        return open.iter().min_by_key(|&card| lead(card, hand));
    };
    if !(open & !CardSet::suit(led)).is_empty() {
        return open.iter().max_by_key(|&card| danger(card, hand));
    }
    let winning = trick.iter().filter(|card| card.suit() == led).map(|&card| height(card)).max();
    let ducking = open.iter().filter(|&card| Some(height(card)) < winning);
    if let Some(card) = ducking.max_by_key(|&card| (is_queen(card), height(card))) {
        return Some(card);
    }
    let is_last = trick.len() == 3;
    let is_clean = (trick.iter().copied().collect::<CardSet>() & PENALTIES).is_empty();
    if is_last && is_clean {
        // The trick costs nothing, so a high card goes for nothing.
        return open.iter().max_by_key(|&card| (!is_queen(card), height(card)));
    }
    open.iter().min_by_key(|&card| (is_queen(card), height(card)))
}

/// How little the bot likes to lead a card: low ones go first, and spades draw out the queen if it is elsewhere.
fn lead(card: French, hand: CardSet) -> (u8, bool) {
    let is_spade = card.suit() == SPADES;
    let draws = is_spade && height(card) < QUEEN && (hand & QUEEN_OF_SPADES).is_empty();
    let high_spade = is_spade && height(card) >= QUEEN;
    (if high_spade { 13 + height(card) } else { height(card) }, !draws)
}

/// How much the bot wants to be rid of a card.
fn danger(card: French, hand: CardSet) -> u8 {
    let of_suit = (hand & CardSet::suit(card.suit())).len();
    // The two is the lowest.
    let rank = height(card) - 2;
    if is_queen(card) && of_suit < 6 {
        100
    } else if card.suit() == SPADES && height(card) >= QUEEN && of_suit < 6 {
        // Many low spades guard the high ones.
        60 + rank
    } else if card.suit() == SPADES {
        rank
    } else if !(CardSet::one(card) & HEARTS).is_empty() {
        30 + 2 * rank
    } else {
        // A short suit is soon gone, and then others can be thrown.
        2 * rank + 13 - of_suit
    }
}

fn is_queen(card: French) -> bool {
    CardSet::one(card) == QUEEN_OF_SPADES
}
