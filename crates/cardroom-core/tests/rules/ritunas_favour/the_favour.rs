//! Rulings on Rituna's Favour itself.

use super::*;

#[test]
fn two_hands_of_two_queens_split_the_pot_the_odd_chip_going_to_the_first_from_the_left() {
    let mut t = table(3, 0, json!({}));
    t.deal(&["QC QD", "2C 3C", "QH QS"], "");
    assert_eq!(t.stacks(), [202, 203, 195], "15: 8 to seat 1, 7 to the dealer");
}

#[test]
fn it_takes_a_carried_pot_too() {
    let mut t = table(2, 0, json!({"kings": "greedy", "no_winner": "carry"}));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!((t.view().carried, t.stacks()), (10, vec![195, 195]));
    t.deal(&["QC QD", "2C 3C"], "");
    assert_eq!(t.stacks(), [210, 190]);
}

#[test]
fn after_a_redeal_it_takes_the_pot_at_once_even_if_others_still_have_sevens() {
    let mut t = table(3, 2, json!({"lucky_sevens": "redeal"}));
    t.deal(&["7C 7D", "7H 7S", "TC 9C"], "");
    t.play(&[(0, "redeal")]);
    t.shuffle("QC QD");
    assert_eq!(t.stacks(), [210, 195, 195]);
    assert!(matches!(t.game.need(), Need::Shuffle(_)));
}

#[test]
fn it_comes_before_lucky_sevens() {
    let mut t = table(2, 0, json!({"lucky_sevens": "redeal"}));
    t.deal(&["7C 7D", "QC QD"], "");
    assert_eq!(t.stacks(), [205, 195]);
}
