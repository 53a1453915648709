//! The sentences of the source, in its order.

use super::*;

#[test]
fn two_to_six_can_play() {
    assert_eq!(KnightsHeads::SEATS, 2..=6);
}

#[test]
fn every_seat_puts_the_ante_into_the_pot() {
    let mut t = table(3, 0, json!({"ante": 7, "buy_in": 50}));
    t.shuffle(&[]);
    assert_eq!((t.stacks(), t.view().pot), (vec![43, 43, 43], 21));
    assert_eq!(t.told("anted")[0], json!({"type": "anted", "seat": 1, "chips": 7}));
}

#[test]
fn nine_cards_are_dealt_one_at_a_time_from_the_left_of_the_dealer_who_is_last() {
    let mut t = table(3, 1, json!({}));
    let order: Vec<_> = (1..=9).flat_map(|n| cards(&format!("Q{n} B{n} D{n}"))).collect();
    t.shuffle(&order);
    assert_eq!(t.held(2), cards("Q1-9"));
    assert_eq!(t.held(0), cards("B1-9"));
    assert_eq!(t.held(1), cards("D1-9"));
}

#[test]
fn from_the_left_of_the_dealer_each_bets_or_folds_and_nobody_passes() {
    let mut t = table(3, 0, json!({}));
    t.shuffle(&[]);
    assert_eq!((t.waited_for(), t.menu(1)), (vec![1], vec!["bet", "fold"]));
    assert_eq!(t.refusal(1, "pass"), "illegal_action");
    assert_eq!(t.refusal(1, "match"), "illegal_action");
    assert_eq!(t.refusal(2, "fold"), "not_your_turn");
    t.play(&[(1, "fold")]);
    assert_eq!((t.waited_for(), t.menu(2)), (vec![2], vec!["bet", "fold"]));
}

#[test]
fn once_there_is_a_bet_all_who_stay_in_match_or_raise_it() {
    let mut t = table(3, 2, json!({}));
    t.shuffle(&[]);
    t.play(&[(0, "bet 10")]);
    assert_eq!(t.menu(1), ["match", "raise", "fold"]);
    t.play(&[(1, "match")]);
    assert_eq!(t.stacks(), [185, 185, 195]);
    t.play(&[(2, "raise 20")]);
    assert_eq!((t.stacks(), t.view().bet), (vec![185, 185, 165], 35));
    assert_eq!(t.told("raised"), [json!({"type": "raised", "seat": 2, "by": 20, "chips": 30})]);
}

#[test]
fn a_raise_goes_round_until_all_have_matched_it() {
    let mut t = table(3, 2, json!({}));
    t.shuffle(&[]);
    t.play(&[(0, "bet 5"), (1, "raise 5"), (2, "match"), (0, "raise 5"), (1, "match")]);
    assert_eq!(t.phase(), "first_betting");
    t.play(&[(2, "match")]);
    assert_eq!(t.phase(), "rabble");
    assert_eq!(t.stacks(), [180, 180, 180]);
}

#[test]
fn each_gives_three_cards_to_the_left() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (2, "match")]);
    t.play(&[(0, "rabble D3 J3 B3"), (1, "rabble D4 N3 J4"), (2, "rabble K3 B5 J5")]);
    assert_eq!(t.held(0), cards("K3 Q3-6 A3 M8 J5 B5"));
    assert_eq!(t.held(1), cards("N4-6 A4 M4 D3 J3 B3-4"));
    assert_eq!(t.held(2), cards("N3 A5 M5 E5-7 D4-5 J4"));
}

#[test]
fn in_the_second_round_all_may_pass_and_the_bet_is_not_raised() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.open_and_pass_rabble();
    assert_eq!((t.phase(), t.waited_for()), ("second_betting".to_owned(), vec![0]));
    assert_eq!(t.menu(0), ["pass", "bet", "fold"]);
    t.play(&[(0, "pass"), (1, "pass"), (2, "pass")]);
    assert_eq!((t.phase(), t.view().bet, t.view().pot), ("final_betting".to_owned(), 10, 30));
}

#[test]
fn passing_ends_for_the_round_when_somebody_bets() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.open_and_pass_rabble();
    t.play(&[(0, "pass"), (1, "bet 5")]);
    assert_eq!(t.menu(2), ["match", "raise", "fold"]);
    t.play(&[(2, "match")]);
    assert_eq!(t.menu(0), ["match", "raise", "fold"], "it has passed, and owes now");
    t.play(&[(0, "match")]);
    assert_eq!(t.menu(0), ["pass", "bet", "fold"], "a new round");
}

#[test]
fn each_seat_still_in_is_dealt_a_tenth_card_from_the_left_of_the_dealer() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.open_and_pass_rabble();
    t.play(&[(0, "pass"), (1, "fold"), (2, "pass")]);
    assert_eq!(t.held(0), cards("Q3-6 A3 M8 E3 D5 J5 B5"));
    assert_eq!(t.held(2), cards("K3 A5 M5 E4-7 D4 J4 B4"), "the second luck card, for one has folded");
    assert!(t.held(1).is_empty());
}

#[test]
fn the_last_to_match_in_the_final_round_calls_in_place_of_it() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.reach_the_final_round();
    t.play(&[(0, "pass"), (1, "bet 5")]);
    assert_eq!(t.menu(2), ["match", "raise", "fold"], "seat 0 has yet to match");
    t.play(&[(2, "match")]);
    assert_eq!(t.menu(0), ["call", "raise", "fold"]);
    assert_eq!(t.refusal(0, "match"), "illegal_action");
    t.play(&[(0, "call")]);
    assert!(t.hand_is_over());
    assert_eq!(t.told("called"), [json!({"type": "called", "seat": 0, "chips": 5})]);
}

#[test]
fn all_show_from_the_left_of_the_caller_who_is_last() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.reach_the_final_round();
    t.play(&[(0, "pass"), (1, "bet 5"), (2, "match"), (0, "call")]);
    assert_eq!((t.showed(), t.last_hand().caller), (vec![1, 2, 0], Some(0)));
    let told: Vec<_> = t.told("shown").iter().map(|shown| shown["seat"].as_u64().unwrap()).collect();
    assert_eq!(told, [1, 2, 0]);
    assert!(t.last_hand().shown.iter().all(|shown| shown.cards.len() == 10));
}

#[test]
fn who_could_call_may_raise_or_fold_instead() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.reach_the_final_round();
    t.play(&[(0, "bet 5"), (1, "match"), (2, "raise 5")]);
    assert_eq!(t.menu(0), ["match", "raise", "fold"]);
    t.play(&[(0, "match")]);
    assert_eq!(t.menu(1), ["call", "raise", "fold"]);
    t.play(&[(1, "fold")]);
    assert_eq!((t.hand_is_over(), t.last_hand().caller), (true, None));
}

#[test]
fn the_highest_hand_wins() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.play_out();
    assert_eq!(t.stacks(), [220, 190, 190]);
    assert_eq!(t.pots(), [(30, vec![0], "court of queens over court of knights".to_owned())]);
}

#[test]
fn a_court_of_knights_counts_whether_or_not_its_hand_wins() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.play_out();
    let courts: Vec<_> = t.told("shown").iter().map(|shown| shown["courts_of_knights"].clone()).collect();
    assert_eq!(courts, [json!(0), json!(1), json!(0)]);
}

#[test]
fn a_triplet_is_a_valid_hand_unless_the_house_says_otherwise() {
    for (triplet_counts, words) in [
        (true, "triplet of armorers"),
        (false, "nobody had a valid hand: split between those who contested it"),
    ] {
        let mut t = table(2, 1, json!({"triplet_counts": triplet_counts}));
        t.deal(&NOTHING, "A9 A10");
        t.play_out();
        assert_eq!(t.pots(), [(20, vec![0, 1], words.to_owned())]);
    }
}

#[test]
fn of_hands_of_one_rank_notable_cards_decide() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["Q3-6 A1 M8 D3 J3 B3", "Q7-10 A4 M9 D4 J4 B4"], LUCK);
    t.play_out();
    let words = "court of queens, notable cards 1 over 0";
    assert_eq!(t.pots(), [(20, vec![0], words.to_owned())]);
    assert_eq!(json!(t.last_hand().pots[0].why), "notables");
}
