//! "Wrap scores", and rulings on them.

use super::*;

#[test]
fn a_score_of_exactly_104_after_a_hand_becomes_0() {
    let mut t = table(3, json!({}));
    (0..3).for_each(|_| t.moon(0, "plus"));
    assert_eq!(t.scores(), [0, 78, 78, 78]);
    t.moon(0, "plus");
    assert_eq!(t.scores(), [0, 0, 0, 0]);
    assert!(!t.is_over(), "what was 104 is 0 before it is asked who has reached 100");
    assert_eq!(t.told("wrapped")[0], json!({"type": "wrapped", "seat": 1, "score": 104}));
    assert_eq!(t.told("wrapped").len(), 3);
    let last = t.view().last_hand.unwrap();
    let wrapped: Vec<bool> = last.results.iter().map(|seat| seat.wrapped).collect();
    assert_eq!(wrapped, [false, true, true, true]);
    assert_eq!(
        json!(last.results[1]),
        json!({"points": 0, "score_before": 78, "added": 26, "wrapped": true, "score": 0})
    );
}

#[test]
fn a_score_of_exactly_126_after_a_hand_becomes_0() {
    let mut t = table(3, json!({"target_score": 1000}));
    (0..3).for_each(|_| t.moon(1, "plus"));
    // Seat 3 leads to the fourth and the eighth hand.
    t.split(2);
    assert_eq!(t.scores(), [80, 0, 78, 102]);
    (0..3).for_each(|_| t.moon(1, "minus"));
    assert_eq!(t.scores(), [80, -78, 78, 102]);
    t.split(2);
    assert_eq!(t.scores(), [82, -78, 78, 0]);
}

#[test]
fn a_score_next_to_a_wrap_score_stays() {
    let mut t = table(3, json!({"wrap_scores": [23, 25, 3, 1]}));
    t.split(2);
    assert_eq!(t.scores(), [24, 2, 0, 0]);
}

#[test]
fn wrap_scores_can_be_chosen() {
    let mut t = table(3, json!({"wrap_scores": [24, 2]}));
    t.split(2);
    assert_eq!(t.scores(), [0, 0, 0, 0]);
    let mut t = table(3, json!({"wrap_scores": [24]}));
    t.split(2);
    assert_eq!(t.scores(), [0, 2, 0, 0], "the default ones are no more");
}

#[test]
fn without_wrap_scores_104_stays() {
    let mut t = table(3, json!({"wrap_scores": []}));
    (0..4).for_each(|_| t.moon(0, "plus"));
    assert_eq!(t.scores(), [0, 104, 104, 104]);
}

#[test]
fn a_score_passes_a_wrap_score_in_the_middle_of_a_hand_unharmed() {
    let mut t = table(3, json!({"wrap_scores": [1, 5, 24]}));
    t.split(1);
    assert_eq!(t.scores(), [25, 0, 0, 0], "25 came one trick at a time");
}

#[test]
fn a_score_that_a_moon_brings_down_to_a_wrap_score_becomes_0_as_well() {
    let mut t = table(3, json!({"wrap_scores": [24]}));
    (0..4).for_each(|_| t.split(1));
    assert_eq!(t.scores(), [26, 26, 26, 26], "each has led once");
    t.split(2);
    assert_eq!(t.scores(), [50, 28, 26, 26]);
    t.moon(0, "minus");
    assert_eq!(t.scores(), [0, 28, 26, 26]);
}

#[test]
fn a_score_below_zero_wraps_at_nothing() {
    let mut t = table(3, json!({"wrap_scores": [26]}));
    t.moon(0, "minus");
    assert_eq!(t.scores(), [-26, 0, 0, 0]);
}
