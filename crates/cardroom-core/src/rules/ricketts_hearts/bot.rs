//! Ricketts House Hearts, steadily: pass what is dangerous, duck, and throw the queen and high hearts onto
//! others' tricks.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::rules::bot::Observation;

const RANKS: &str = "23456789TJQKA";

#[derive(Deserialize)]
struct View {
    seats: Vec<Seat>,
    trick: Vec<String>,
}

#[derive(Deserialize)]
struct Seat {
    score: i32,
    cards: Vec<Option<String>>,
}

pub fn steady(seen: &Observation<'_>) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let (view, menu) = (&view, &menu);
    let seat = seen.seat;

    let own = &view.seats[usize::from(seat)];
    let hand: Vec<&str> = own.cards.iter().flatten().map(String::as_str).collect();
    if menu.has("pass") {
        let mut cards = hand.clone();
        cards.sort_by_key(|card| danger(card, &hand));
        return json!({"type": "pass", "cards": cards[cards.len() - 3..]});
    }
    if menu.has("moon") {
        // To put points onto others can end the game: good for a seat that would win it.
        let leads = view.seats.iter().all(|other| own.score <= other.score);
        return json!({"type": "moon", "choice": if leads { "plus" } else { "minus" }});
    }
    let open: Vec<&str> = menu.from("play", "card").iter().filter_map(Value::as_str).collect();
    json!({"type": "play", "card": card(view, &hand, &open)})
}

/// The card to play, out of those that are open; there is at least one.
fn card<'a>(view: &View, hand: &[&str], open: &[&'a str]) -> Option<&'a str> {
    let Some(led) = view.trick.first().map(|card| suit(card)) else {
        return open.iter().copied().min_by_key(|card| lead(card, hand));
    };
    if open.iter().any(|card| suit(card) != led) {
        return open.iter().copied().max_by_key(|card| danger(card, hand));
    }
    let winning = view.trick.iter().filter(|card| suit(card) == led).map(|card| rank(card)).max();
    let ducking = open.iter().copied().filter(|card| Some(rank(card)) < winning);
    if let Some(card) = ducking.max_by_key(|card| (*card == "QS", rank(card))) {
        return Some(card);
    }
    let is_last = view.trick.len() == 3;
    let is_clean = view.trick.iter().all(|card| suit(card) != 'H' && card != "QS");
    let open = open.iter().copied();
    if is_last && is_clean {
        // The trick costs nothing, so a high card goes for nothing.
        return open.max_by_key(|card| (*card != "QS", rank(card)));
    }
    open.min_by_key(|card| (*card == "QS", rank(card)))
}

/// How little the bot likes to lead a card: low ones go first, and spades draw out the queen if it is elsewhere.
fn lead(card: &str, hand: &[&str]) -> (usize, bool) {
    let draws = suit(card) == 'S' && rank(card) < rank("QS") && !hand.contains(&"QS");
    let high_spade = suit(card) == 'S' && rank(card) >= rank("QS");
    (if high_spade { RANKS.len() + rank(card) } else { rank(card) }, !draws)
}

/// How much the bot wants to be rid of a card.
fn danger(card: &str, hand: &[&str]) -> usize {
    let of_suit = hand.iter().filter(|other| suit(other) == suit(card)).count();
    match suit(card) {
        // Many low spades guard the high ones.
        'S' if rank(card) >= rank("QS") && of_suit < 6 => {
            if card == "QS" {
                100
            } else {
                60 + rank(card)
            }
        }
        'S' => rank(card),
        'H' => 30 + 2 * rank(card),
        // A short suit is soon gone, and then others can be thrown.
        _ => 2 * rank(card) + 13 - of_suit,
    }
}

fn suit(card: &str) -> char {
    card.chars().nth(1).unwrap_or_default()
}

fn rank(card: &str) -> usize {
    card.chars().next().and_then(|rank| RANKS.find(rank)).unwrap_or_default()
}
