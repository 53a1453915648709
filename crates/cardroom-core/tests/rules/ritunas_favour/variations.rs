//! The sentences under "Variations & Additional Rules".

use super::*;

#[test]
fn without_the_rule_two_sevens_are_nothing_special() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["7C 7D", "TC 9C"], "");
    assert_eq!(t.menu(1), ["take", "stick"]);
}

#[test]
fn two_sevens_may_be_returned_for_two_new_cards() {
    let mut t = table(2, 0, json!({"lucky_sevens": "redeal"}));
    t.deal(&["7C 7D", "TC 9C"], "");
    assert_eq!((t.view().phase, t.to_act()), (PhaseName::LuckySevens, Some(1)));
    assert_eq!(t.menu(1), ["redeal", "keep"]);
    assert!(t.menu(0).is_empty());
    t.play(&[(1, "redeal")]);
    t.shuffle("JD TH");
    assert_eq!(t.hand(1).cards, cards("JD TH"));
    t.all_stick();
    assert_eq!(t.stacks(), [195, 205]);
}

#[test]
fn two_sevens_may_be_split_into_two_hands() {
    let mut t = table(2, 0, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "TC 9C"], "2C 3C");
    assert_eq!(t.menu(1), ["split", "keep"]);
    t.play(&[(1, "split")]);
    let hands = t.view().seats[1].hands.clone();
    assert_eq!(hands[0].cards, cards("7C 2C"));
    assert_eq!(hands[1].cards, cards("7D 3C"));
    assert_eq!((t.stacks()[1], t.view().pot), (195, 10), "there is no second charge");
}

#[test]
fn worthless_kings_are_in_the_deck_count_nothing_and_settle_ties_as_cards() {
    let mut t = table(2, 0, json!({"kings": "worthless"}));
    assert_eq!(t.asked().len(), 52);
    t.deal(&["TC 9C", "TD 9D"], "KC");
    t.play(&[(1, "take")]);
    assert_eq!(t.hand(1).total, 19);
    t.all_stick();
    assert_eq!(t.stacks(), [195, 205], "19 of three cards beats 19 of two");
}

#[test]
fn greedy_kings_count_thirteen_and_bust_with_a_queen_or_another_king_on_the_deal() {
    let mut t = table(4, 3, json!({"kings": "greedy"}));
    assert_eq!(t.asked().len(), 52);
    t.deal(&["QC KC", "KD KH", "KS JC", "2C 3C"], "");
    assert_eq!([t.hand(0).total, t.hand(1).total, t.hand(2).total], [25, 26, 24]);
    assert_eq!([t.hand(0).bust, t.hand(1).bust, t.hand(2).bust], [true, true, false]);
    assert_eq!(t.told("bust").len(), 2);
    t.play(&[(2, "stick"), (3, "stick")]);
    assert_eq!(t.stacks(), [195, 195, 215, 195]);
}

#[test]
fn a_hand_in_which_all_are_bust_on_the_deal_has_no_turns() {
    let mut t = table(2, 0, json!({"kings": "greedy"}));
    t.deal(&["QC KC", "KD KH"], "");
    assert!(matches!(t.game.need(), Need::Shuffle(_)));
    assert_eq!(t.stacks(), [200, 200]);
}
