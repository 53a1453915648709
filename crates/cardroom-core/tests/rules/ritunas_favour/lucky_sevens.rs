//! Rulings on lucky sevens.

use super::*;

#[test]
fn they_are_settled_clockwise_before_any_turn_the_dealer_last() {
    let mut t = table(3, 1, json!({"lucky_sevens": "redeal"}));
    t.deal(&["2C 3C", "7C 7D", "7H 7S"], "");
    t.play(&[(0, "keep"), (1, "keep")]);
    assert_eq!((t.view().phase, t.to_act()), (PhaseName::Turns, Some(2)));
    assert_eq!(t.hand(0).cards, cards("7C 7D"));
}

#[test]
fn returned_sevens_go_under_the_rest_of_the_deck_in_the_order_dealt_before_it_is_shuffled() {
    let mut t = table(2, 0, json!({"lucky_sevens": "redeal"}));
    t.deal(&["7S 7C", "TC 9C"], "QS 2D");
    t.play(&[(1, "redeal")]);
    let asked = t.asked();
    assert_eq!(asked.len(), 46);
    assert_eq!(asked[..4], cards("QS 2D AC 2C"));
    assert_eq!(asked[44..], cards("7S 7C"));
}

#[test]
fn two_new_sevens_may_be_returned_again() {
    let mut t = table(2, 0, json!({"lucky_sevens": "redeal"}));
    t.deal(&["7C 7D", "TC 9C"], "");
    t.play(&[(1, "redeal")]);
    t.shuffle("7H 7S");
    assert_eq!((t.to_act(), t.menu(1)), (Some(1), vec!["redeal", "keep"]));
    t.play(&[(1, "redeal")]);
    t.shuffle("7D 2C");
    assert_eq!(t.view().phase, PhaseName::Turns, "one seven is no lucky hand");
}

#[test]
fn a_redealt_hand_can_be_bust_with_greedy_kings() {
    let mut t = table(2, 0, json!({"lucky_sevens": "redeal", "kings": "greedy"}));
    t.deal(&["7C 7D", "TC 9C"], "");
    t.play(&[(1, "redeal")]);
    t.shuffle("KC KD");
    assert!(t.hand(1).bust);
    assert_eq!(t.to_act(), Some(0), "the dealer plays all the same");
}

#[test]
fn the_house_never_uses_them() {
    for rule in ["redeal", "split"] {
        let mut t = table(2, 0, json!({"lucky_sevens": rule, "dealer": "house"}));
        t.deal(&["2C 3C", "4C 5C", "7C 7D"], "");
        assert_eq!(t.view().phase, PhaseName::Turns);
    }
}

#[test]
fn a_split_hand_splits_no_more_and_two_seats_can_split() {
    let mut t = table(3, 2, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "2C 3C", "7H 7S"], "4C 4D 5C 5D");
    t.play(&[(0, "split"), (2, "split")]);
    assert_eq!((t.view().phase, t.to_act()), (PhaseName::Turns, Some(0)));
    let mut t = table(2, 0, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "TC 9C"], "7H 7S");
    t.play(&[(1, "split")]);
    assert_eq!(t.menu(1), ["take", "stick"], "7 7 and 7 7 by a split are no opening hands");
}

#[test]
fn a_seat_decides_for_both_its_hands_in_its_turn_and_a_finished_one_is_passed_over() {
    let mut t = table(3, 2, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "2C 3C", "TC 9C"], "TD JD 4C QD");
    t.play(&[(0, "split")]);
    let turn = |t: &Table| t.view().turn.map(|turn| (turn.seat, turn.hand));
    assert_eq!(turn(&t), Some((0, 0)));
    t.play(&[(0, "stick")]);
    assert_eq!(turn(&t), Some((0, 1)));
    t.play(&[(0, "take"), (1, "take")]);
    assert_eq!(turn(&t), Some((0, 1)), "22 goes on, the hand that has stuck does not");
    t.play(&[(0, "stick"), (1, "stick"), (2, "stick")]);
    assert_eq!(t.stacks(), [210, 195, 195], "22 wins, of 17, 22, 17 and 19");
}

#[test]
fn a_dealer_with_split_hands_plays_them_in_turn_after_all_others() {
    let mut t = table(2, 0, json!({"lucky_sevens": "split"}));
    t.deal(&["TC 9C", "7C 7D"], "2C 3C 4C 5C");
    t.play(&[(0, "split"), (1, "stick"), (0, "take"), (0, "take"), (0, "stick")]);
    let hands = t.view().seats[0].hands.clone();
    assert_eq!((hands[0].total, hands[0].stuck), (13, true));
    assert_eq!((hands[1].total, hands[1].stuck), (15, false));
    assert_eq!(t.to_act(), Some(0));
}

#[test]
fn one_bust_split_hand_leaves_the_other_in_play() {
    let mut t = table(2, 0, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "TC 9C"], "TD JD QD 4C");
    t.play(&[(1, "split"), (1, "take"), (1, "take")]);
    let hands = t.view().seats[1].hands.clone();
    assert_eq!([hands[0].bust, hands[1].bust], [true, false], "29 and 22");
    t.all_stick();
    assert_eq!(t.stacks(), [195, 205]);
}

#[test]
fn two_tied_split_hands_get_two_shares_and_the_odd_chips_go_hand_by_hand() {
    let mut t = table(3, 2, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "2C 3C", "TC 7H"], "TD TH");
    t.play(&[(0, "split")]);
    t.all_stick();
    assert_eq!(t.stacks(), [205, 195, 200], "three hands of 17 share 15: 5 and 5, and 5");
    let chips: Vec<_> = t.told("pot_won").iter().map(|fact| fact["chips"].clone()).collect();
    assert_eq!(chips, [5, 5, 5]);

    let mut t = table(2, 1, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "TC 7H"], "TD TH");
    t.play(&[(0, "split")]);
    t.all_stick();
    assert_eq!(t.stacks(), [202, 198], "10 in three: 4 and 3 to the first seat, 3 to the dealer");
}
