//! The little that the laws must be told of a kind, because its view is its own. A new kind adds an arm.

use cardroom::rules::Seat;
use serde_json::Value;

pub struct Own {
    /// Sums over the view that never change in a game: cards, chips.
    pub conserved: fn(&Value) -> Vec<i64>,
    /// The places in the newest shuffle's order (which had so many cards) that the viewer knows nothing of.
    pub unseen: fn(&Value, Option<Seat>, usize) -> Vec<usize>,
}

pub fn own(kind: &str) -> Own {
    match kind {
        "ritunas_favour" => Own { conserved: ritunas_favour_chips, unseen: the_deck },
        "royal_gambit" => Own { conserved: royal_gambit_cards, unseen: the_deck },
        other => panic!("tests/laws/kinds.rs has to be told what `{other}` conserves and hides"),
    }
}

fn ritunas_favour_chips(view: &Value) -> Vec<i64> {
    let stacks = view["seats"].as_array().expect("seats").iter().map(|seat| number(&seat["stack"]));
    let bank = view["house"]["bank"].as_i64().unwrap_or(0);
    vec![stacks.sum::<i64>() + bank + number(&view["pot"]) + number(&view["carried"])]
}

fn royal_gambit_cards(view: &Value) -> Vec<i64> {
    let rows = view["seats"].as_array().expect("seats").iter().map(|seat| length(&seat["row"]));
    vec![rows.sum::<i64>() + length(&view["discarded"]) + number(&view["cards_left"])]
}

/// Only the deck is hidden, from everybody alike.
fn the_deck(view: &Value, _viewer: Option<Seat>, shuffled: usize) -> Vec<usize> {
    let left = number(&view["cards_left"]) as usize;
    (shuffled - left..shuffled).collect()
}

fn length(list: &Value) -> i64 {
    list.as_array().expect("a list").len() as i64
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}
