//! What is left to do when all cards are flipped.

use cardroom_core::rules::Seat;
use serde_json::{Value, json};

use super::Court;

const FOUR_FULL_ROWS: &str = "7C 7D 7H 7S
    AC 2C 3C 4C 5C 6C 8C 9C TC JC QC KC  AD 2D 3D 4D 5D 6D 8D 9D TD JD QD KD
    AH 2H 3H 4H 5H 6H 8H 9H TH JH QH KH  AS 2S 3S 4S 5S 6S 8S 9S TS QS KS JS";

/// Four seats flip a suit each; the fifth has nothing but a seven when its turn comes.
fn at_the_last_jack(options: Value) -> Court {
    let mut court = Court::of(5, options, FOUR_FULL_ROWS);
    while court.view()["cards_left"] != 0 {
        let seat = court.view()["decision"]["seat"].as_u64().unwrap() as Seat;
        let full = court.row(seat.into()).split(' ').filter(|card| !card.starts_with('7')).count() == 12;
        match court.open_to(seat).as_str() {
            "hit stay" if full => court.stay(seat),
            "hit stay" => court.hit(seat),
            open if open.starts_with("give") => court.act(seat, court.default_action(seat)),
            _ => court.spy(seat, seat),
        };
    }
    court
}

#[test]
fn flips_owed_to_a_jack_lapse_with_the_last_card() {
    let mut court = at_the_last_jack(json!({}));
    assert_eq!(court.open_to(3), "spy 3 4", "the seat is still chosen");
    let facts = court.spy(3, 4);
    assert_eq!(facts.last(), Some(&json!({"type": "lapsed", "seat": 4, "flips": 2})));
    assert_eq!(court.row(4), "7S");
}

#[test]
fn only_staying_is_open_and_nobody_hits_by_themselves() {
    for auto_hit in [false, true] {
        let mut court = at_the_last_jack(json!({"auto_hit": auto_hit}));
        court.spy(3, 3);
        assert_eq!(court.open_to(3), "stay");
        court.stay(3);
        assert_eq!((court.waits_for(), court.open_to(4)), ("4 turn".to_owned(), "stay".to_owned()));
        court.stay(4);
        assert_eq!(court.totals(), [30, 30, 30, 30, 0]);
    }
}
