//! The little that the laws must be told of a kind, because its view is its own. A new kind adds an arm.

use cardroom_core::rules::Seat;
use cardroom_core::rules::cards::CardName;
use serde_json::Value;

pub struct Own {
    /// Sums over the view that never change in a game: cards, chips.
    pub conserved: fn(&Value) -> Vec<i64>,
    /// The cards that a viewer is meant to see in a view; read from the places where they are meant to be seen,
    /// so that one which leaks elsewhere is not excused.
    pub shown: fn(&Value, Option<Seat>) -> Vec<CardName>,
}

pub fn own(kind: &str) -> Own {
    match kind {
        "ricketts_hearts" => Own { conserved: ricketts_hearts_cards, shown: ricketts_hearts_shown },
        "ritunas_favour" => Own {
            conserved: chips,
            shown: |view, _| cards([at(view, "/seats/*/hands/*/cards/*"), at(view, "/house/hand/cards/*")]),
        },
        "knights_heads" => Own {
            conserved: chips,
            shown: |view, viewer| match viewer {
                Some(seat) => {
                    let places = [&format!("/seats/{seat}/cards/*"), "/own/gave/*", "/own/got/*"];
                    cards(places.map(|place| at(view, place)))
                }
                None => Vec::new(),
            },
        },
        "royal_gambit" => Own {
            conserved: |view| vec![royal_gambit_cards(view, None).len() as i64 + number(&view["cards_left"])],
            shown: royal_gambit_cards,
        },
        "sevens" => Own {
            conserved: chips,
            shown: |view, viewer| match viewer {
                Some(seat) => cards([at(view, &format!("/seats/{seat}/cards/*"))]),
                None => Vec::new(),
            },
        },
        other => panic!("tests/random/kinds.rs has to be told what `{other}` conserves and shows"),
    }
}

/// The cards of a hand: held, passed and on the way, played.
fn ricketts_hearts_cards(view: &Value) -> Vec<i64> {
    let hands = at(view, "/seats/*/cards").into_iter().map(|cards| cards.as_array().unwrap().len() as i64);
    let played = 4 * at(view, "/tricks/*").len() + at(view, "/trick/*").len();
    vec![match view["phase"].as_str() {
        Some("passing") => hands.map(|cards| if cards == 10 { 13 } else { cards }).sum(),
        Some("tricks" | "moon") => hands.sum::<i64>() + played as i64,
        _ => 52,
    }]
}

fn ricketts_hearts_shown(view: &Value, viewer: Option<Seat>) -> Vec<CardName> {
    let own = viewer.map(|seat| at(view, &format!("/seats/{seat}/cards/*")));
    let passed = [at(view, "/passed/*/card"), at(view, "/received/*/card")];
    let [given, got] = if viewer.is_some() { passed } else { Default::default() };
    cards([own.unwrap_or_default(), at(view, "/tricks/*/cards/*"), at(view, "/trick/*"), given, got])
}

fn chips(view: &Value) -> Vec<i64> {
    let places = ["/seats/*/stack", "/house/bank", "/pot", "/carried"];
    vec![places.iter().flat_map(|place| at(view, place)).map(number).sum()]
}

fn royal_gambit_cards(view: &Value, _viewer: Option<Seat>) -> Vec<CardName> {
    cards([at(view, "/seats/*/row/*"), at(view, "/discarded/*")])
}

fn cards<const N: usize>(places: [Vec<&Value>; N]) -> Vec<CardName> {
    places.into_iter().flatten().map(|card| CardName::from(card.as_str().unwrap()).unwrap()).collect()
}

/// What stands in the view at a path, in which `*` is every element of a list. Null is nothing.
fn at<'a>(view: &'a Value, path: &str) -> Vec<&'a Value> {
    let step = |found: Vec<&'a Value>, key: &str| match key {
        "*" => found.into_iter().filter_map(Value::as_array).flatten().collect(),
        key => match key.parse::<usize>() {
            Ok(index) => found.into_iter().filter_map(|value| value.get(index)).collect(),
            Err(_) => found.into_iter().filter_map(|value| value.get(key)).collect(),
        },
    };
    let mut found = path.split('/').skip(1).fold(vec![view], step);
    found.retain(|value| !value.is_null());
    found
}

fn number(value: &Value) -> i64 {
    value.as_i64().expect("a number")
}
