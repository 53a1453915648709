//! "Scoring".

use super::*;

/// What comes of the hand that `split` plays: each seat's points, the score before, what is added, the score.
fn results(t: &Table) -> Vec<(u8, i32, i32, i32)> {
    let last = t.view().last_hand.unwrap();
    last.results.iter().map(|seat| (seat.points, seat.score_before, seat.added, seat.score)).collect()
}

#[test]
fn each_heart_counts_1_and_the_queen_of_spades_13_to_who_won_them() {
    let mut t = table_with(["23456789TJQK...A", "A.A3456789TJQK..", ".2.A23456789TJQ.", "..K.23456789TJQK"]);
    t.play("2C AC 2D 2S");
    assert_eq!(t.points(), [0, 0, 0, 0]);
    t.play("AD AH KH 3C");
    assert_eq!(t.points(), [0, 2, 0, 0]);
    t.play("KD 2H QS 4C");
    assert_eq!(t.points(), [0, 16, 0, 0]);
}

#[test]
fn at_the_end_of_a_hand_the_points_are_added_to_the_scores() {
    let mut t = table(3, json!({"target_score": 1000}));
    t.split(2);
    assert_eq!(t.scores(), [24, 2, 0, 0]);
    t.split(3);
    assert_eq!(t.scores(), [24, 25, 3, 0], "seat 1 has led");
    assert_eq!(results(&t), [(0, 24, 0, 24), (23, 2, 23, 25), (3, 0, 3, 3), (0, 0, 0, 0)]);
    let ended = json!({"type": "hand_ended", "hand": 2, "scores": [24, 25, 3, 0]});
    assert_eq!(t.told("hand_ended"), [ended]);
    assert_eq!(t.told("scored")[1], json!({"type": "scored", "seat": 1, "added": 23, "score": 25}));
}

#[test]
fn the_hand_just_played_stays_on_show_with_its_tricks_while_the_next_is_played() {
    let mut t = table(3, json!({"target_score": 1000}));
    assert_eq!(t.view().last_hand, None);
    t.split(1);
    t.begin(WHOLE_SUITS);
    let last = t.view().last_hand.unwrap();
    assert_eq!((last.hand, last.dealer, last.moon), (1, 3, None));
    assert_eq!(last.tricks.len(), 13);
    let first = json!({"leader": 0, "cards": ["2D", "3D", "2H", "2S"], "taken_by": 1, "points": 1});
    assert_eq!(json!(last.tricks[0]), first);
    assert!(t.view().tricks.is_empty());
}
