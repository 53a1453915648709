//! Rulings on turns and bets.

use super::*;

/// The second hand of three, seat 1 to act first, then 2, then 0: the ante has put seat 0 all in, seat 1 has
/// 35 left and seat 2 has 10.
pub fn second_hand(hands: &[&str], options: Value) -> Table {
    let mut all = json!({"buy_in": 20, "ante": 5});
    all.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    let mut t = table(3, 2, all);
    t.deal(&["1C 1G 1S", "1C 2C 4C", "6C 6G 6S"], "");
    t.play(&[(0, "raise 10"), (1, "call"), (2, "fold")]);
    assert_eq!(t.stacks(), [5, 40, 15]);
    t.deal(hands, "");
    assert_eq!((t.stacks(), t.to_act()), (vec![0, 35, 10], Some(1)));
    t
}

const ANY: [&str; 3] = ["1C 2C 3C", "1G 2G 3S", "1S 1S 1G"];

#[test]
fn a_raise_lies_between_the_ante_and_the_stack_after_what_is_owed() {
    let mut t = table(2, 1, json!({}));
    t.shuffle("");
    assert_eq!(t.raise_by(0), (5, 195));
    assert_eq!(t.refusal(0, "raise 4"), "illegal_action");
    assert_eq!(t.refusal(0, "raise 196"), "illegal_action");
    t.play(&[(0, "raise 50")]);
    assert_eq!(t.raise_by(1), (5, 145));
}

#[test]
fn the_least_and_the_greatest_raise_are_options() {
    for (options, bounds) in [
        (json!({"min_raise": 20}), (20, 195)),
        (json!({"max_raise": 30}), (5, 30)),
        (json!({"min_raise": 7, "max_raise": 7}), (7, 7)),
        (json!({"ante": 0}), (1, 200)),
    ] {
        let mut t = table(2, 1, options.clone());
        t.shuffle("");
        assert_eq!(t.raise_by(0), bounds, "{options}");
    }
}

#[test]
fn who_has_less_than_the_least_raise_left_may_raise_by_all_of_it() {
    let mut t = table(2, 1, json!({"buy_in": 12}));
    t.shuffle("");
    t.play(&[(0, "raise 5")]);
    assert_eq!(t.raise_by(1), (2, 2));
    t.play(&[(1, "raise 2")]);
    assert_eq!((t.menu(0), t.view().bet), (vec!["call", "fold"], 12));
}

#[test]
fn every_raise_reopens_the_betting() {
    let mut t = table(3, 2, json!({}));
    t.shuffle("");
    t.play(&[(0, "check"), (1, "raise 10"), (2, "call"), (0, "raise 10"), (1, "call"), (2, "raise 5")]);
    t.play(&[(0, "call"), (1, "call")]);
    assert!(t.hand_is_over());
}

#[test]
fn there_is_one_betting_round() {
    let mut t = table(2, 1, json!({}));
    t.shuffle("");
    t.play(&[(0, "check"), (1, "check")]);
    assert_eq!(t.told("shown").len(), 2);
}

#[test]
fn who_cannot_match_calls_with_all_it_has() {
    let mut t = second_hand(&ANY, json!({}));
    t.play(&[(1, "raise 35"), (2, "call")]);
    assert_eq!(t.told("called"), [json!({"type": "called", "seat": 2, "chips": 10})]);
}

#[test]
fn a_seat_that_the_ante_put_all_in_may_check_or_fold_even_where_others_have_raised() {
    let mut t = second_hand(&ANY, json!({}));
    t.play(&[(1, "raise 5"), (2, "call")]);
    assert_eq!(t.menu(0), ["check", "fold"]);
    assert_eq!(t.offer(0, "check")["trade"]["max"], 3);
    t.play(&[(0, "check 1G 1S")]);
    assert_eq!((t.view().hand, t.hand_is_over()), (2, true));
    assert_eq!(t.told("traded").len(), 1);
}

#[test]
fn it_has_its_turn_also_when_the_betting_of_the_others_is_over() {
    let mut t = second_hand(&ANY, json!({}));
    t.play(&[(1, "raise 10"), (2, "call")]);
    assert_eq!(t.to_act(), Some(0));
    t.play(&[(0, "fold")]);
    assert!(t.hand_is_over());
}

#[test]
fn a_seat_whose_betting_would_be_skipped_has_a_turn_to_trade() {
    let mut t = table(3, 2, json!({"buy_in": 20, "ante": 5}));
    t.deal(&["1C 1G 1S", "1C 2C 4C", "1G 1S 2S"], "");
    t.play(&[(0, "raise 10"), (1, "call"), (2, "call")]);
    t.deal(&ANY, "");
    assert_eq!(t.stacks(), [0, 45, 0]);
    for seat in [1, 2, 0] {
        assert_eq!(t.menu(seat), if seat == 1 { vec!["check", "fold"] } else { vec!["fold"] });
    }
    t.play(&[(1, "check 3C"), (2, "check"), (0, "check 1S")]);
    assert!(t.hand_is_over());
}

#[test]
fn an_all_in_seat_has_no_further_turn() {
    let mut t = second_hand(&ANY, json!({}));
    t.play(&[(1, "raise 5"), (2, "raise 5"), (0, "check")]);
    assert_eq!(t.view().seats[2].stack, 0);
    assert_eq!(t.menu(1), ["call", "fold"], "nobody could answer another raise");
    t.play(&[(1, "call")]);
    assert!(t.hand_is_over());
}

#[test]
fn every_seat_that_is_in_may_fold_out_of_turn() {
    let mut t = table(4, 3, json!({}));
    t.shuffle("");
    assert_eq!([t.menu(1), t.menu(2), t.menu(3)], [["fold"]; 3]);
    assert_eq!(t.refusal(2, "check"), "illegal_action");
    t.fold(2);
    assert_eq!(t.to_act(), Some(0), "the turn stays where it was");
    assert!(t.menu(2).is_empty());
    assert_eq!(t.refusal(2, "fold"), "not_your_turn");
    t.play(&[(0, "check"), (1, "check"), (3, "check")]);
    assert!(t.hand_is_over());
}

#[test]
fn an_all_in_seat_may_fold_out_of_turn() {
    let mut t = second_hand(&ANY, json!({}));
    t.fold(0);
    t.play(&[(1, "check"), (2, "check")]);
    assert!(t.hand_is_over());
}

#[test]
fn a_fold_out_of_turn_can_end_the_hand_at_once() {
    let mut t = table(3, 2, json!({}));
    t.shuffle("");
    t.fold(2);
    t.fold(1);
    assert!(t.hand_is_over());
    assert_eq!(t.stacks(), [210, 195, 195]);
}

#[test]
fn a_raise_closes_when_a_fold_leaves_nobody_to_answer_it() {
    let mut t = second_hand(&ANY, json!({}));
    assert_eq!(t.menu(1), ["check", "raise", "fold"]);
    t.fold(2);
    assert_eq!(t.menu(1), ["check", "fold"]);
}

#[test]
fn a_raise_has_to_be_called_also_when_who_made_it_has_folded() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["1C 2C 4C", "1G 2G 3G", "1S 1S 1G"], "");
    t.play(&[(0, "raise 10")]);
    t.fold(0);
    assert_eq!(t.menu(1), ["call", "raise", "fold"]);
    t.play(&[(1, "call"), (2, "call")]);
    assert_eq!(t.stacks(), [185, 230, 185]);
}

#[test]
fn nobody_can_fold_after_the_reveal() {
    let mut t = table(2, 1, json!({}));
    t.shuffle("");
    t.all_check();
    assert!(t.menu(0).is_empty() && t.menu(1).is_empty());
}

#[test]
fn the_clock_checks_without_a_trade_or_else_folds() {
    let mut t = second_hand(&ANY, json!({}));
    assert_eq!(t.game.default_action(1), action("check"));
    t.play(&[(1, "raise 5")]);
    assert_eq!(t.game.default_action(2), action("fold"));
    t.play(&[(2, "fold")]);
    assert_eq!(t.game.default_action(0), action("check"), "all in, it may");
}
