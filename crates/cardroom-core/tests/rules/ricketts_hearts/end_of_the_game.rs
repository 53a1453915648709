//! "End of game", and rulings on it.

use super::*;

/// The places and scores of all seats, seat 0 first.
fn result(t: &Table) -> Vec<(u8, i64)> {
    let mut places = t.game.outcome().unwrap().places;
    places.sort_by_key(|placing| placing.seat);
    places.iter().map(|placing| (placing.place, placing.score)).collect()
}

#[test]
fn the_game_ends_when_a_score_is_100_or_more_and_the_lowest_score_wins() {
    let mut t = table(3, json!({}));
    (0..3).for_each(|_| t.moon(1, "plus"));
    assert_eq!(t.scores(), [78, 0, 78, 78]);
    t.split(2);
    assert_eq!(t.scores(), [80, 0, 78, 102]);
    assert!(t.is_over());
    assert_eq!(result(&t), [(3, 80), (1, 0), (2, 78), (4, 102)]);
    assert_eq!(t.game.outcome().unwrap().winners, [1]);
}

#[test]
fn below_100_the_game_goes_on() {
    let mut t = table(3, json!({"wrap_scores": []}));
    (0..3).for_each(|_| t.moon(0, "plus"));
    assert_eq!(t.scores(), [0, 78, 78, 78]);
    assert!(matches!(t.game.need(), Need::Shuffle(_)));
    assert_eq!(t.game.outcome(), None);
}

#[test]
fn the_target_can_be_chosen_and_to_reach_it_exactly_is_enough() {
    let mut t = table(3, json!({"target_score": 26}));
    t.moon(2, "plus");
    assert_eq!(result(&t), [(2, 26), (2, 26), (1, 0), (2, 26)], "equals share a place");
    let mut t = table(3, json!({"target_score": 27}));
    t.moon(2, "plus");
    assert!(!t.is_over());
}

#[test]
fn a_tie_for_the_lowest_is_played_on_until_one_seat_alone_has_it() {
    let mut t = table(3, json!({"target_score": 20}));
    t.split(1);
    assert_eq!(t.scores(), [25, 1, 0, 0]);
    assert!(!t.is_over(), "seats 2 and 3 have the same");
    t.split(1);
    assert_eq!(t.scores(), [25, 26, 1, 0]);
    assert_eq!(result(&t), [(3, 25), (4, 26), (2, 1), (1, 0)]);
}

#[test]
fn a_tie_higher_up_ends_the_game_all_the_same() {
    let mut t = table(3, json!({"target_score": 26}));
    t.moon(0, "plus");
    assert!(t.is_over());
}

#[test]
fn a_score_below_zero_reaches_no_target() {
    let mut t = table(3, json!({"target_score": 1}));
    t.moon(0, "minus");
    assert!(!t.is_over(), "nobody has reached 1");
    t.moon(1, "plus");
    assert_eq!(t.scores(), [0, 0, 26, 26]);
    assert!(!t.is_over(), "26 is enough, but the two lowest have the same");
}

#[test]
fn what_the_last_hand_did_is_still_shown_when_the_game_is_over() {
    let mut t = table(3, json!({"target_score": 26}));
    t.moon(0, "plus");
    let view = t.view();
    assert_eq!((view.phase, view.dealer, view.hand), (PhaseName::Over, Some(3), 1));
    assert_eq!(view.last_hand.unwrap().hand, 1);
    assert!(t.waited_for().is_empty());
}
