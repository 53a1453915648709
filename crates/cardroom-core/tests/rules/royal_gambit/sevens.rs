//! The seven is handed on.

use serde_json::json;

use super::Court;

#[test]
fn a_seven_must_be_given_to_another_seat() {
    let mut court = Court::of(3, json!({}), "7S");
    court.hit(0);
    assert_eq!(court.waits_for(), "0 give");
    assert_eq!(court.open_to(0), "give 1 2");
    assert_eq!(court.give(0, 2), [json!({"type": "given", "from": 0, "to": 2, "card": "7S"})]);
    assert_eq!((court.row(0), court.row(2)), (String::new(), "7S".to_owned()));
    assert_eq!(court.waits_for(), "0 turn", "the turn goes on");
}

#[test]
fn a_seat_with_a_seven_is_given_no_second_one_and_so_never_busts_by_a_gift() {
    let mut court = Court::of(3, json!({}), "7S 7D");
    court.hit(0);
    court.give(0, 1);
    court.hit(0);
    assert_eq!(court.open_to(0), "give 2");
}

#[test]
fn a_seat_that_has_left_the_hand_is_given_no_seven() {
    let mut court = Court::of(3, json!({}), "7S");
    court.stay(0);
    court.hit(1);
    assert_eq!(court.open_to(1), "give 2");
}

#[test]
fn a_seven_that_nobody_can_take_is_kept() {
    let mut court = Court::of(2, json!({}), "7S 7D");
    court.hit(0);
    court.give(0, 1);
    let facts = court.hit(0);
    assert_eq!(facts[1], json!({"type": "kept", "seat": 0, "card": "7D"}));
    assert_eq!(court.row(0), "7D");
    assert_eq!(court.waits_for(), "0 turn");
}

#[test]
fn a_seven_flipped_beside_a_seven_busts_even_if_others_could_take_it() {
    let mut court = Court::of(3, json!({}), "7S 7D");
    court.hit(0);
    court.give(0, 1);
    court.stay(0);
    court.hit(1);
    assert_eq!(court.statuses(), "stayed bust in");
    assert_eq!(court.row(2), "");
}
