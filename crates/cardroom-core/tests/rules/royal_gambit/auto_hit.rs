//! Seats with nothing to lose hit by themselves.

use serde_json::{Value, json};

use super::Court;

fn auto_hit() -> Value {
    json!({"auto_hit": true})
}

#[test]
fn a_seat_with_nothing_to_lose_is_not_asked() {
    let court = Court::of(2, auto_hit(), "6S KS 2S 3S");
    assert_eq!(court.row(0), "6S KS 2S");
    assert_eq!(court.waits_for(), "0 turn");
    let asked = Court::of(2, json!({}), "6S KS 2S 3S");
    assert_eq!(asked.row(0), "", "without the option it is");
}

#[test]
fn the_seats_for_sevens_and_jacks_are_still_the_players_to_choose() {
    let mut court = Court::of(2, auto_hit(), "7S JS 8S 9S 2S");
    assert_eq!(court.waits_for(), "0 give");
    court.give(0, 1);
    assert_eq!(court.waits_for(), "0 spy");
    court.spy(0, 1);
    assert_eq!(court.row(1), "7S 8S 9S", "a jack's two flips are no more for that");
    assert_eq!(court.row(0), "JS 2S");
    assert_eq!(court.waits_for(), "0 turn");
}

#[test]
fn it_is_an_alternating_turn() {
    let mut options = auto_hit();
    options["turns"] = json!("alternating");
    let court = Court::of(2, options, "6S 8S 2S 3S");
    assert_eq!((court.row(0), court.row(1)), ("6S 2S".to_owned(), "8S 3S".to_owned()));
    assert_eq!(court.waits_for(), "0 turn");
}

#[test]
fn it_can_bust_a_whole_hand_without_a_question() {
    let mut court = Court::of(2, auto_hit(), "6S 6D 8S 8D");
    assert_eq!(court.view()["hand"], 2);
    let facts = court.deal("2S");
    assert_eq!(facts[0]["type"], "hand_began");
}
