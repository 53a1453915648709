//! What a row scores, and when it busts.

use serde_json::json;

use super::Court;

#[test]
fn cards_are_flipped_one_at_a_time_and_face_up_for_everybody() {
    let mut court = Court::of(2, json!({}), "AS 9D");
    court.hit(0);
    assert_eq!(court.row(0), "AS");
    court.hit(0);
    assert_eq!(court.row(0), "AS 9D");
    assert_eq!(court.view()["cards_left"], 50);
    let public = court.0.view(None);
    for seat in 0..2 {
        assert_eq!(court.0.view(Some(seat)).get(), public.get());
    }
}

#[test]
fn an_ace_scores_one_and_two_to_five_their_number() {
    let mut court = Court::of(2, json!({}), "AS 2S 3D 4H 5C");
    court.hits(0, 5);
    let facts = court.stay(0);
    assert_eq!(facts, [json!({"type": "stayed", "seat": 0, "score": 15, "total": 15})]);
    assert_eq!(court.totals(), [15, 0]);
}

#[test]
fn the_higher_numbers_and_the_queen_score_nothing() {
    let mut court = Court::of(2, json!({}), "6S 8S 9S TS QS");
    court.hits(0, 5);
    court.stay(0);
    assert_eq!(court.totals(), [0, 0]);
}

#[test]
fn a_king_doubles_what_a_seat_stays_with() {
    let mut court = Court::of(2, json!({}), "3S KS 2S 9S");
    court.hits(0, 4);
    court.stay(0);
    assert_eq!(court.totals(), [10, 0]);
}

#[test]
fn a_second_card_of_a_rank_busts_the_seat_for_nothing() {
    for cards in ["4S 4D", "9C 9S", "KS KD"] {
        let mut court = Court::of(2, json!({}), cards);
        court.hit(0);
        assert_eq!(court.hit(0)[1], json!({"type": "bust", "seat": 0}));
        assert_eq!(court.statuses(), "bust in");
        assert_eq!(court.view()["seats"][0]["worth"], 0);
        assert_eq!(court.totals(), [0, 0]);
        assert_eq!(court.waits_for(), "1 turn");
    }
}

#[test]
fn a_second_jack_busts_its_seat_before_it_can_spy() {
    let mut court = Court::of(2, json!({}), "JS 2S 3S JD");
    court.hit(0);
    court.spy(0, 1);
    court.hit(0);
    assert_eq!(court.status(0), "bust");
    assert_eq!(court.waits_for(), "1 turn");
}

#[test]
fn a_seat_may_stay_without_a_card() {
    let mut court = Court::of(2, json!({}), "");
    assert_eq!(court.open_to(0), "hit stay");
    court.stay(0);
    assert_eq!(court.statuses(), "stayed in");
    assert_eq!(court.totals(), [0, 0]);
}
