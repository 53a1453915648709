//! The jack makes others flip.

use serde_json::json;

use super::Court;

#[test]
fn a_jack_makes_any_seat_still_in_flip_two_cards() {
    let mut court = Court::of(3, json!({}), "JS 2S 3S");
    court.hit(0);
    assert_eq!(court.waits_for(), "0 spy");
    assert_eq!(court.open_to(0), "spy 0 1 2");
    court.spy(0, 2);
    assert_eq!(court.row(2), "2S 3S");
    assert_eq!(court.waits_for(), "0 turn");
}

#[test]
fn a_jack_may_be_sent_to_ones_own_row() {
    let mut court = Court::of(2, json!({}), "JS 2S 3S");
    court.hit(0);
    court.spy(0, 0);
    assert_eq!(court.row(0), "JS 2S 3S");
}

#[test]
fn a_jack_is_not_sent_to_a_seat_that_has_left_the_hand() {
    let mut court = Court::of(3, json!({}), "4S 4D JS");
    court.hits(0, 2);
    court.hit(1);
    assert_eq!(court.open_to(1), "spy 1 2");
}

#[test]
fn the_last_seat_still_chooses_itself() {
    let mut court = Court::of(2, json!({}), "JS 2S 3S");
    court.stay(0);
    court.hit(1);
    assert_eq!(court.waits_for(), "1 spy");
    assert_eq!(court.open_to(1), "spy 1");
}

#[test]
fn a_jack_flipped_for_a_jack_is_settled_first_and_by_who_flipped_it() {
    let mut court = Court::of(3, json!({}), "JS JD 2S 3S 4S");
    court.hit(0);
    court.spy(0, 1);
    assert_eq!(court.waits_for(), "1 spy");
    assert_eq!(court.view()["flips_owed"], json!([{"seat": 1, "flips": 1}]));
    court.spy(1, 2);
    assert_eq!(court.row(2), "2S 3S");
    assert_eq!(court.row(1), "JD 4S", "the second flip comes after");
    assert_eq!(court.waits_for(), "0 turn");
}

#[test]
fn a_seven_flipped_for_a_jack_is_given_before_the_next_flip() {
    let mut court = Court::of(2, json!({}), "JS 7S 2S");
    court.hit(0);
    court.spy(0, 1);
    assert_eq!((court.waits_for(), court.open_to(1)), ("1 give".to_owned(), "give 0".to_owned()));
    assert_eq!(court.row(1), "7S", "it waits in the row of who flipped it");
    court.give(1, 0);
    assert_eq!((court.row(0), court.row(1)), ("JS 7S".to_owned(), "2S".to_owned()));
}

#[test]
fn a_seat_that_busts_owes_no_more_flips() {
    let mut court = Court::of(2, json!({}), "JS JD 4S 4D 9S");
    court.hit(0);
    court.spy(0, 1);
    let facts = court.spy(1, 1);
    assert_eq!(court.row(1), "JD 4S 4D");
    assert_eq!(court.status(1), "bust");
    assert_eq!(facts.last(), Some(&json!({"type": "lapsed", "seat": 1, "flips": 1})));
    court.hit(0);
    assert_eq!(court.row(0), "JS 9S");
}

#[test]
fn who_busts_by_their_own_jack_ends_their_turn() {
    let mut court = Court::of(2, json!({}), "4S JS 4D");
    court.hits(0, 2);
    court.spy(0, 0);
    assert_eq!(court.status(0), "bust");
    assert_eq!(court.view()["cards_left"], 49);
    assert_eq!(court.waits_for(), "1 turn");
}

#[test]
fn a_ten_blocks_jacks_only_by_option() {
    for (blocks, open) in [(false, "spy 1 2"), (true, "spy 2")] {
        let mut court = Court::of(3, json!({"ten_blocks_jack": blocks}), "TS JD");
        court.stay(0);
        court.hits(1, 2);
        assert_eq!(court.open_to(1), open);
    }
}

#[test]
fn a_jack_that_tens_keep_from_everybody_does_nothing() {
    let mut court = Court::of(2, json!({"ten_blocks_jack": true}), "TS JD");
    court.stay(0);
    court.hit(1);
    assert_eq!(court.hit(1)[1], json!({"type": "blocked", "seat": 1}));
    assert_eq!(court.row(1), "TS JD");
    assert_eq!(court.waits_for(), "1 turn");
}
