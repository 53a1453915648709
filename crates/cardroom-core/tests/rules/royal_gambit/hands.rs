//! From hand to hand, to the end of the game.

use cardroom_core::rules::Need;
use serde_json::json;

use super::Court;

#[test]
fn the_deal_passes_to_the_left_and_the_left_of_the_dealer_starts() {
    let mut court = Court::of(3, json!({}), "");
    assert_eq!((&court.view()["dealer"], court.waits_for()), (&json!(2), "0 turn".to_owned()));
    for seat in [0, 1, 2] {
        court.stay(seat);
    }
    let facts = court.deal("");
    assert_eq!(
        facts,
        [json!({"type": "hand_began", "hand": 2, "stage": "ordinary", "dealer": 0, "seats": [0, 1, 2]})]
    );
    assert_eq!(court.waits_for(), "1 turn");
}

#[test]
fn when_a_total_reaches_the_target_all_but_the_favourite_play_one_more_hand() {
    let mut court = Court::of(3, json!({"target_score": 5}), "5S 2S");
    court.hit(0);
    court.stay(0);
    court.hit(1);
    court.stay(1);
    let facts = court.stay(2);
    assert_eq!(facts[1], json!({"type": "hand_ended", "hand": 1, "totals": [5, 2, 0]}));
    let facts = court.deal("2S");
    assert_eq!(facts[0]["stage"], "extra");
    assert_eq!(court.statuses(), "out in in");
    assert_eq!(court.view()["dealer"], 1, "seat 0 would have dealt");
    assert_eq!(court.waits_for(), "2 turn");
    court.hit(2);
    court.stay(2);
    court.stay(1);
    assert_eq!(court.winners(), Some(vec![0]));
    assert_eq!(court.0.need(), Need::Nothing);
}

#[test]
fn a_total_below_the_target_brings_no_extra_hand() {
    let mut court = Court::of(2, json!({"target_score": 6}), "5S");
    court.hit(0);
    court.stay(0);
    court.stay(1);
    court.deal("");
    assert_eq!(court.view()["stage"], "ordinary");
}

#[test]
fn the_extra_hand_can_overtake_the_favourite_and_is_the_last() {
    let mut court = Court::of(2, json!({"target_score": 1}), "AS");
    court.hit(0);
    court.stay(0);
    court.stay(1);
    court.deal("3S");
    assert_eq!((&court.view()["dealer"], court.waits_for()), (&json!(1), "1 turn".to_owned()));
    court.hit(1);
    court.stay(1);
    assert_eq!(court.totals(), [1, 3]);
    assert_eq!(court.winners(), Some(vec![1]));
}

#[test]
fn nobody_left_out_of_a_hand_is_given_sevens_or_spied_on() {
    let mut court = Court::of(3, json!({"target_score": 1}), "AS");
    court.hit(0);
    for seat in [0, 1, 2] {
        court.stay(seat);
    }
    court.deal("7S JS");
    court.hit(2);
    assert_eq!(court.open_to(2), "give 1");
    court.give(2, 1);
    court.hit(2);
    assert_eq!(court.open_to(2), "spy 1 2");
}

#[test]
fn a_tie_for_first_is_played_out_by_those_still_level_and_its_points_count() {
    let mut court = Court::of(4, json!({"target_score": 3}), "3S 3D 3C");
    for seat in 0..3 {
        court.hit(seat);
        court.stay(seat);
    }
    court.stay(3);
    court.deal("");
    assert_eq!((&court.view()["stage"], court.statuses()), (&json!("extra"), "out out out in".to_owned()));
    court.stay(3);
    court.deal("2S 2D");
    assert_eq!((&court.view()["stage"], court.statuses()), (&json!("tie"), "in in in out".to_owned()));
    assert_eq!(court.view()["dealer"], 0);
    for seat in [1, 2] {
        court.hit(seat);
        court.stay(seat);
    }
    court.stay(0);
    court.deal("AS");
    assert_eq!(court.statuses(), "out in in out");
    assert_eq!((&court.view()["dealer"], court.waits_for()), (&json!(1), "2 turn".to_owned()));
    court.hit(2);
    court.stay(2);
    court.stay(1);
    assert_eq!(court.totals(), [3, 5, 6, 0]);
    let places: Vec<_> =
        court.0.outcome().unwrap().places.iter().map(|p| (p.place, p.seat, p.score)).collect();
    assert_eq!(places, [(1, 2, 6), (2, 1, 5), (3, 0, 3), (4, 3, 0)]);
}

#[test]
fn if_all_are_favourites_the_extra_hand_falls_away() {
    let mut court = Court::of(2, json!({"target_score": 2}), "2S 2D");
    for seat in 0..2 {
        court.hit(seat);
        court.stay(seat);
    }
    court.deal("");
    assert_eq!((&court.view()["stage"], court.statuses()), (&json!("tie"), "in in".to_owned()));
}
