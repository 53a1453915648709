//! Rulings on turns and bets.

use super::*;

/// The second hand of three, dealt by seat 0: after the ante, seat 1 (the first to act) has 10 left, seat 2
/// has 20 and seat 0 has 45.
pub fn uneven(hands: &[&str], luck: &str, options: Value) -> Table {
    let mut all = json!({"buy_in": 30, "ante": 5});
    all.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    let mut t = table(3, 2, all);
    t.deal(&COURTS, LUCK);
    t.play(&[(0, "bet 10"), (1, "match"), (2, "fold")]);
    t.pass_rabble();
    t.all_pass();
    t.all_pass();
    assert_eq!(t.stacks(), [50, 15, 25]);
    t.deal(hands, luck);
    assert_eq!((t.stacks(), t.waited_for()), (vec![45, 10, 20], vec![1]));
    t
}

/// The second hand of three, dealt by seat 0: the ante has put seat 1 all in, seat 2 (the first to act) has
/// 10 left and seat 0 has 35.
pub fn one_all_in() -> Table {
    let mut t = table(3, 2, json!({"buy_in": 20}));
    t.deal(&COURTS, LUCK);
    t.play(&[(0, "bet 10"), (1, "match"), (2, "fold")]);
    t.pass_rabble();
    t.all_pass();
    t.all_pass();
    t.deal(&COURTS, LUCK);
    assert_eq!((t.stacks(), t.waited_for()), (vec![35, 0, 10], vec![2]));
    t
}

#[test]
fn a_bet_has_the_bounds_of_a_raise() {
    for (options, bounds) in [
        (json!({}), (5, 195)),
        (json!({"min_raise": 20}), (20, 195)),
        (json!({"max_raise": 30}), (5, 30)),
        (json!({"ante": 0}), (1, 200)),
        (json!({"buy_in": 8}), (3, 3)),
    ] {
        let mut t = table(2, 1, options.clone());
        t.shuffle(&[]);
        assert_eq!(t.bounds(0, "bet"), bounds, "{options}");
    }
    let mut t = table(2, 1, json!({}));
    t.shuffle(&[]);
    assert_eq!(t.refusal(0, "bet 4"), "illegal_action");
    assert_eq!(t.refusal(0, "bet 196"), "illegal_action");
}

#[test]
fn a_raise_comes_on_top_of_what_is_owed() {
    let mut t = table(2, 1, json!({}));
    t.shuffle(&[]);
    t.play(&[(0, "bet 50")]);
    assert_eq!(t.bounds(1, "raise"), (5, 145));
}

#[test]
fn who_has_less_than_the_least_raise_left_may_raise_by_all_of_it() {
    let mut t = table(2, 1, json!({"buy_in": 12}));
    t.shuffle(&[]);
    t.play(&[(0, "bet 5")]);
    assert_eq!(t.bounds(1, "raise"), (2, 2));
}

#[test]
fn the_last_who_has_not_folded_wins_even_before_anyone_has_bet() {
    let mut t = table(3, 2, json!({}));
    t.shuffle(&[]);
    t.play(&[(0, "fold"), (1, "fold")]);
    assert!(t.hand_is_over());
    assert_eq!(t.stacks(), [195, 195, 210]);
    assert_eq!(t.pots(), [(15, vec![2], "all others folded".to_owned())]);
    assert!(t.showed().is_empty() && t.told("shown").is_empty());
}

#[test]
fn an_unmatched_bet_comes_back_when_all_others_fold() {
    let mut t = table(3, 2, json!({}));
    t.shuffle(&[]);
    t.play(&[(0, "bet 50"), (1, "fold"), (2, "fold")]);
    assert_eq!(t.told("unmatched_returned"), [json!({"type": "unmatched_returned", "seat": 0, "chips": 50})]);
    assert_eq!(t.stacks(), [210, 195, 195]);
}

#[test]
fn who_cannot_match_is_all_in_and_goes_on_to_the_show() {
    let mut t = uneven(&COURTS, LUCK, json!({}));
    t.play(&[(1, "bet 5"), (2, "raise 15")]);
    assert_eq!(t.menu(0), ["match", "raise", "fold"]);
    t.play(&[(0, "match"), (1, "match")]);
    assert_eq!(t.told("matched")[1], json!({"type": "matched", "seat": 1, "chips": 5}));
    assert_eq!((t.waited_for(), t.stacks()), (vec![0, 1, 2], vec![25, 0, 0]));
    t.pass_rabble();
    assert_eq!((t.hand_is_over(), t.showed()), (true, vec![1, 2, 0]));
}

#[test]
fn who_cannot_match_all_it_owes_is_all_in_by_a_call_too() {
    let mut t = uneven(&COURTS, LUCK, json!({}));
    t.reach_the_final_round();
    t.play(&[(1, "pass"), (2, "pass"), (0, "bet 20")]);
    assert_eq!(t.menu(1), ["match", "fold"]);
    t.play(&[(1, "match")]);
    assert_eq!(t.menu(2), ["call", "fold"]);
    t.play(&[(2, "call")]);
    assert_eq!(t.told("called"), [json!({"type": "called", "seat": 2, "chips": 15})]);
    assert_eq!(t.told("unmatched_returned"), [json!({"type": "unmatched_returned", "seat": 0, "chips": 5})]);
    assert_eq!(t.showed(), [0, 1, 2]);
}

#[test]
fn a_raise_is_open_only_while_somebody_could_answer_it() {
    let mut t = table(2, 1, json!({"buy_in": 12}));
    t.shuffle(&[]);
    t.play(&[(0, "bet 7")]);
    assert_eq!(t.menu(1), ["match", "fold"]);
}

#[test]
fn betting_is_skipped_when_one_seat_can_bet_and_owes_nothing() {
    let mut t = one_all_in();
    t.play(&[(2, "fold")]);
    assert_eq!((t.phase(), t.waited_for()), ("rabble".to_owned(), vec![0, 1]), "seat 0 is not asked to bet");
    t.pass_rabble();
    assert!(t.hand_is_over());
    assert_eq!((t.showed(), t.last_hand().caller), (vec![1, 0], None));
    assert!(t.last_hand().shown.iter().all(|shown| shown.cards.len() == 10), "luck is dealt all the same");
}

#[test]
fn a_seat_that_the_ante_put_all_in_has_no_turn_to_bet() {
    let mut t = one_all_in();
    t.play(&[(2, "bet 5"), (0, "match")]);
    assert_eq!(t.phase(), "rabble");
}

#[test]
fn an_ante_that_puts_all_seats_all_in_leads_straight_to_the_rabble_and_on_to_the_show() {
    let mut t = table(3, 2, json!({"buy_in": 5}));
    t.deal(&COURTS, LUCK);
    assert_eq!((t.phase(), t.waited_for()), ("rabble".to_owned(), vec![0, 1, 2]));
    t.pass_rabble();
    assert_eq!(t.game.need(), Need::Nothing);
    assert_eq!(t.result(), [(1, 15), (2, 0), (2, 0)]);
}

#[test]
fn a_later_round_begins_with_the_first_seat_left_of_the_dealer_that_can_bet() {
    let mut t = table(4, 3, json!({}));
    t.shuffle(&[]);
    t.play(&[(0, "fold"), (1, "bet 5"), (2, "raise 5"), (3, "match"), (1, "match")]);
    t.pass_rabble();
    assert_eq!(t.waited_for(), [1]);
}

#[test]
fn a_fold_in_a_later_round_can_end_the_hand() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    t.open_and_pass_rabble();
    t.play(&[(0, "pass"), (1, "fold")]);
    assert_eq!((t.stacks(), t.showed()), (vec![210, 190], vec![]));
}

#[test]
fn the_clock_passes_where_it_can_and_else_folds() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    assert_eq!(t.game.default_action(0), action("fold"));
    t.play(&[(0, "bet 5")]);
    assert_eq!(t.game.default_action(1), action("fold"));
    t.play(&[(1, "match")]);
    t.pass_rabble();
    assert_eq!(t.game.default_action(0), action("pass"));
    t.play(&[(0, "bet 5")]);
    assert_eq!(t.game.default_action(1), action("fold"));
}

#[test]
fn an_action_without_its_parameter_or_with_anything_more_is_none() {
    for text in [
        r#"{"type":"bet"}"#,
        r#"{"type":"bet","by":5.0}"#,
        r#"{"type":"raise","by":-1}"#,
        r#"{"type":"match","by":5}"#,
        r#"{"type":"rabble"}"#,
        r#"{"type":"rabble","cards":["K9","Q1","Q2"]}"#,
        r#"{"type":"rabble","cards":["Q1","Q2","Q3","Q4"]}"#,
        r#"{"type":"check"}"#,
    ] {
        assert!(serde_json::from_str::<Action>(text).is_err(), "{text}");
    }
}
