//! The queen's pardon.

use serde_json::json;

use super::{Court, words};

#[test]
fn a_queen_goes_in_place_of_the_seat_and_takes_the_second_card_with_her() {
    let mut court = Court::of(2, json!({}), "4S QS 4D 4H");
    court.hits(0, 2);
    let facts = court.hit(0);
    assert_eq!(facts[1], json!({"type": "pardoned", "seat": 0, "queen": "QS", "card": "4D"}));
    assert_eq!(court.row(0), "4S");
    assert_eq!(words(&court.view()["discarded"]), "QS 4D");
    assert_eq!(court.waits_for(), "0 turn", "the hand goes on");
    court.hit(0);
    assert_eq!(court.status(0), "bust", "she pardons once");
}

#[test]
fn a_second_queen_goes_with_the_first() {
    let mut court = Court::of(2, json!({}), "2S QS QD 2D");
    court.hits(0, 3);
    assert_eq!(court.row(0), "2S");
    assert_eq!(words(&court.view()["discarded"]), "QS QD");
    court.hit(0);
    assert_eq!(court.status(0), "bust");
}

#[test]
fn a_pardoned_jack_sends_nobody() {
    let mut court = Court::of(2, json!({}), "QS JS 2S 3S JD");
    court.hits(0, 2);
    court.spy(0, 1);
    court.hit(0);
    assert_eq!(court.row(0), "JS");
    assert_eq!(court.waits_for(), "0 turn");
}

#[test]
fn a_pardoned_seven_is_given_to_nobody() {
    let mut court = Court::of(3, json!({}), "7S 7D QS 7C 7H");
    court.hit(0);
    court.give(0, 1);
    court.hit(0);
    court.give(0, 2);
    court.hits(0, 3);
    assert_eq!(court.row(0), "7C");
    assert_eq!(words(&court.view()["discarded"]), "QS 7H");
    assert_eq!(court.waits_for(), "0 turn");
}
