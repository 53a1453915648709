//! The sentences of the rules of play.

use super::*;

#[test]
fn the_deck_is_three_suits_of_one_to_six_each_card_twice() {
    let Need::Shuffle(deck) = table(2, 0, json!({})).game.need() else { panic!("no shuffle") };
    let suit = |s: &str| "1x 1x 2x 2x 3x 3x 4x 4x 5x 5x 6x 6x".replace('x', s);
    assert_eq!(deck, cards(&[suit("C"), suit("G"), suit("S")].join(" ")));
}

#[test]
fn two_to_six_can_play() {
    assert_eq!(Sevens::SEATS, 2..=6);
}

#[test]
fn every_seat_puts_the_ante_into_the_pot() {
    let mut t = table(3, 0, json!({"ante": 7, "buy_in": 50}));
    assert_eq!((t.stacks(), t.view().pot), (vec![50, 50, 50], 0));
    t.shuffle("");
    assert_eq!((t.stacks(), t.view().pot), (vec![43, 43, 43], 21));
    assert_eq!(t.told("anted")[0], json!({"type": "anted", "seat": 1, "chips": 7}));
}

#[test]
fn three_cards_are_dealt_one_at_a_time_from_the_left_of_the_dealer_who_is_last() {
    let mut t = table(3, 1, json!({}));
    t.shuffle("1C 2C 3C 1G 2G 3G 1S 2S 3S");
    assert_eq!(t.held(2), cards("1C 1G 1S"));
    assert_eq!(t.held(0), cards("2C 2G 2S"));
    assert_eq!(t.held(1), cards("3C 3G 3S"));
    assert_eq!(t.view().cards_left, 27);
}

#[test]
fn turns_go_clockwise_from_the_left_of_the_dealer() {
    let mut t = table(3, 0, json!({}));
    t.shuffle("");
    t.play(&[(1, "check"), (2, "check"), (0, "check")]);
    assert!(t.hand_is_over());
}

#[test]
fn a_check_puts_in_nothing_a_raise_puts_in_more_and_a_call_matches_it() {
    let mut t = table(3, 2, json!({}));
    t.shuffle("");
    t.play(&[(0, "check")]);
    assert_eq!(t.stacks(), [195, 195, 195]);
    t.play(&[(1, "raise 10")]);
    assert_eq!(t.stacks(), [195, 185, 195]);
    t.play(&[(2, "call")]);
    assert_eq!(t.stacks(), [195, 185, 185]);
    assert_eq!((t.view().bet, t.view().pot), (15, 35));
}

#[test]
fn one_may_check_only_while_nobody_has_raised_in_this_hand() {
    let mut t = table(3, 2, json!({}));
    t.shuffle("");
    assert_eq!(t.menu(0), ["check", "raise", "fold"]);
    t.play(&[(0, "raise 5")]);
    assert_eq!(t.menu(1), ["call", "raise", "fold"]);
    assert_eq!(t.refusal(1, "check"), "illegal_action");
    t.play(&[(1, "call"), (2, "call")]);
    t.shuffle("");
    assert_eq!(t.menu(1), ["check", "raise", "fold"], "a new hand");
}

#[test]
fn all_others_have_to_call_a_raise_or_leave_the_hand() {
    let mut t = table(3, 2, json!({}));
    t.shuffle("");
    t.play(&[(0, "check"), (1, "raise 10"), (2, "call")]);
    assert_eq!(t.to_act(), Some(0), "it has checked, and owes now");
    t.play(&[(0, "fold")]);
    assert!(t.hand_is_over());
}

#[test]
fn with_a_check_a_call_or_a_raise_one_to_three_cards_are_traded_for_the_top_of_the_deck() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["1C 2G 6S", "5C 5G 5S", "6C 6G 6G"], "3C 1G 2S 4C 4G 4S");
    t.play(&[(0, "raise 5 6S"), (1, "call 5G 5S"), (2, "raise 5 6G 6C 6G")]);
    assert_eq!(t.held(0), cards("1C 3C 2G"));
    assert_eq!(t.held(1), cards("5C 1G 2S"));
    assert_eq!(t.held(2), cards("4C 4G 4S"));
    assert_eq!(t.view().cards_left, 21);
    let traded: Vec<u8> = t.view().seats.iter().map(|seat| seat.traded).collect();
    assert_eq!(traded, [1, 2, 3]);
}

#[test]
fn cards_are_traded_once_in_a_hand() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["1C 2G 6S", "1G 2C 3C"], "6C");
    t.play(&[(0, "check 6S"), (1, "raise 5")]);
    assert_eq!(t.offer(0, "call")["trade"], json!({"type": "cards", "from": [], "min": 0, "max": 0}));
    assert_eq!(t.refusal(0, "call 6C"), "illegal_action");
    t.play(&[(0, "call")]);
    t.deal(&["1C 2G 6S", "1G 2C 3C"], "");
    assert_eq!(t.offer(1, "check")["trade"]["max"], 3, "a new hand, a new trade");
}

#[test]
fn who_folds_leaves_the_hand_and_what_it_has_put_in() {
    let mut t = table(3, 2, json!({}));
    // The best hand folds.
    t.deal(&["1C 2C 4C", "1G 2G 3G", "1S 1S 1G"], "");
    t.play(&[(0, "raise 10"), (1, "raise 10"), (2, "call"), (0, "fold")]);
    assert!(t.hand_is_over());
    assert_eq!(t.stacks(), [185, 240, 175], "15 + 25 + 25, to 6 against 3");
}

#[test]
fn hands_are_revealed_from_the_left_of_the_dealer_when_all_bets_are_placed() {
    let mut t = table(3, 0, json!({}));
    t.deal(&["1G 2C 3S", "1C 1S 2G", "1C 1S 1G"], "");
    t.play(&[(1, "check"), (2, "check")]);
    assert!(t.told("shown").is_empty());
    t.play(&[(0, "check")]);
    let shown = |seat: u8, cards: [&str; 3], total: u8| json!({"type": "shown", "seat": seat, "cards": cards, "total": total});
    assert_eq!(
        t.told("shown"),
        [shown(1, ["2C", "1G", "3S"], 6), shown(2, ["1C", "2G", "1S"], 4), shown(0, ["1C", "1G", "1S"], 3)]
    );
}

#[test]
fn seven_wins() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["1C 2C 3C", "1G 2S 4C", "2G 3G 3S"], "");
    t.all_check();
    assert_eq!(t.stacks(), [195, 210, 195], "6, 7, and 8, which is over");
    assert_eq!(
        t.told("pot_won"),
        [json!({"type": "pot_won", "pot_number": 0, "seat": 1, "chips": 15, "why": "total"})]
    );
}

#[test]
fn without_a_seven_the_highest_total_below_it_wins() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["6C 6G 6S", "1G 1S 2C", "1C 1S 1G"], "");
    t.all_check();
    assert_eq!(t.stacks(), [195, 210, 195], "18, 4 and 3");
}

#[test]
fn of_equal_totals_the_one_with_most_cards_of_one_suit_wins() {
    for (hands, why) in [
        (["1C 2C 3C", "1G 2G 3S", "6C 6G 6S"], "3 coins against 2 grain"),
        (["1G 2S 3S", "1C 2G 3S", "6C 6G 6S"], "2 ships against one of each"),
        (["1C 1C 5C", "1G 2S 4S", "1S 2S 3S"], "7 of 3 coins, 7 of 2 ships, and a 6 of 3 ships"),
    ] {
        let mut t = table(3, 2, json!({}));
        t.deal(&hands, "");
        t.all_check();
        assert_eq!(t.stacks(), [210, 195, 195], "{why}");
        assert_eq!(t.told("pot_won")[0]["why"], "one_suit");
    }
}

#[test]
fn what_no_tie_break_settles_is_split() {
    let mut t = table(3, 2, json!({"ante": 4}));
    // Which suit it is, and which numbers, does not count.
    t.deal(&["1C 2C 4G", "2S 2S 3C", "1G 2G 3G"], "");
    t.all_check();
    assert_eq!(t.stacks(), [202, 202, 196]);
}
