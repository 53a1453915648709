//! Whose turn it is.

use serde_json::json;

use super::Court;

#[test]
fn a_turn_goes_on_until_the_seat_stays_or_busts_and_then_passes_to_the_left() {
    let mut court = Court::of(3, json!({}), "2S 3S 4S 4D");
    court.hits(0, 2);
    assert_eq!((court.waits_for(), court.open_to(1)), ("0 turn".to_owned(), String::new()));
    court.stay(0);
    assert_eq!(court.waits_for(), "1 turn");
    court.hits(1, 2);
    assert_eq!(court.waits_for(), "2 turn");
}

#[test]
fn alternating_turns_are_one_decision_each_among_those_still_in() {
    let mut court = Court::of(3, json!({"turns": "alternating"}), "2S 3S 4S 5S");
    court.hit(0);
    assert_eq!(court.waits_for(), "1 turn");
    court.stay(1);
    assert_eq!(court.waits_for(), "2 turn");
    court.hit(2);
    assert_eq!(court.waits_for(), "0 turn");
    court.hit(0);
    assert_eq!(court.waits_for(), "2 turn");
    court.stay(2);
    court.hit(0);
    assert_eq!(court.waits_for(), "0 turn", "who is left alone goes on alone");
}

#[test]
fn an_alternating_turn_ends_when_its_jack_is_settled() {
    let mut court = Court::of(3, json!({"turns": "alternating"}), "JS JD 2S 3S 4S");
    court.hit(0);
    court.spy(0, 2);
    assert_eq!(court.waits_for(), "2 spy");
    court.spy(2, 0);
    assert_eq!(court.waits_for(), "1 turn");
}

#[test]
fn a_seat_spied_on_before_its_turn_begins_with_that_row_or_has_no_turn() {
    let mut court = Court::of(3, json!({}), "JS 4S 4D 2S 2D");
    court.hit(0);
    court.spy(0, 1);
    assert_eq!(court.statuses(), "in bust in");
    court.hits(0, 2);
    assert_eq!(court.statuses(), "bust bust in");
    assert_eq!(court.waits_for(), "2 turn");

    let mut court = Court::of(2, json!({}), "JS 2S 3S");
    court.hit(0);
    court.spy(0, 1);
    court.stay(0);
    court.stay(1);
    assert_eq!(court.totals(), [0, 5]);
}

#[test]
fn the_clock_stays_and_chooses_the_first_seat_on_the_left_for_a_jack_itself_last() {
    let mut court = Court::of(3, json!({}), "7S JS 2S 3S JD");
    assert_eq!(court.default_action(0), json!({"type": "stay"}));
    court.stay(0);
    court.hit(1);
    assert_eq!(court.default_action(1), json!({"type": "give", "seat": 2}));
    court.give(1, 2);
    court.hit(1);
    assert_eq!(court.default_action(1), json!({"type": "spy", "seat": 2}));
    court.spy(1, 2);
    court.stay(1);
    court.hit(2);
    assert_eq!(court.default_action(2), json!({"type": "spy", "seat": 2}));
}
