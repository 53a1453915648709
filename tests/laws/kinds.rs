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
        "royal_gambit" => Own { conserved: royal_gambit_cards, unseen: below_the_top },
        other => panic!("tests/laws/kinds.rs has to be told what `{other}` conserves and hides"),
    }
}

fn royal_gambit_cards(view: &Value) -> Vec<i64> {
    let rows = view["seats"].as_array().expect("seats").iter().map(|seat| length(&seat["row"]));
    vec![rows.sum::<i64>() + length(&view["discarded"]) + view["deck_left"].as_i64().expect("deck_left")]
}

/// Only the deck is hidden, from everybody alike.
fn below_the_top(view: &Value, _viewer: Option<Seat>, shuffled: usize) -> Vec<usize> {
    let left = view["deck_left"].as_u64().expect("deck_left") as usize;
    (shuffled - left..shuffled).collect()
}

fn length(list: &Value) -> i64 {
    list.as_array().expect("a list").len() as i64
}
