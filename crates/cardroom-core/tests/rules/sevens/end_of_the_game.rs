//! Rulings on hands, places and the end.

use super::betting::second_hand;
use super::*;

#[test]
fn the_deal_passes_to_the_left_and_skips_seats_that_are_out() {
    let mut t = table(3, 0, json!({"buy_in": 5}));
    // Seats 2 and 0 share, so that seat 1, next to deal, is out. Dealt to seats 1, 2, 0.
    t.deal(&["6C 6G 6S", "1C 2C 4G", "1S 2S 4C"], "");
    t.all_check();
    assert_eq!(t.stacks(), [7, 0, 8]);
    t.shuffle("");
    assert_eq!(t.told("out"), [json!({"type": "out", "seat": 1})]);
    assert_eq!((t.view().dealer, t.to_act()), (Some(2), Some(0)));
    assert_eq!(json!(t.view().seats[1].status), "out");
    assert!(t.menu(1).is_empty());
    assert!(t.view().seats[1].cards.is_empty());
}

#[test]
fn the_game_ends_after_its_hands_and_places_go_by_stack() {
    let mut t = table(3, 2, json!({"hands": 2}));
    t.deal(&["1C 2C 4G", "1S 2S 4C", "6C 6G 6S"], "");
    t.all_check();
    assert_eq!(t.game.outcome(), None);
    // Seats 1, 2, 0.
    t.deal(&["1S 2S 4C", "6C 6G 6S", "1C 2C 4G"], "");
    t.all_check();
    assert_eq!(t.game.need(), Need::Nothing);
    assert_eq!(json!(t.view().phase), "over");
    // 8 and 7 of the first pot, 7 and 8 of the second.
    assert_eq!(t.result(), [(1, 205), (1, 205), (3, 190)]);
}

#[test]
fn the_game_ends_as_soon_as_fewer_than_two_can_pay() {
    let mut t = table(2, 0, json!({"buy_in": 9}));
    t.deal(&["1C 2C 4G", "6C 6G 6S"], "");
    t.all_check();
    assert_eq!(t.game.need(), Need::Nothing);
    assert_eq!(t.result(), [(2, 4), (1, 14)]);
}

#[test]
fn the_ante_doubles_with_each_level_and_a_seat_that_cannot_pay_it_is_out() {
    let mut t = table(3, 2, json!({"buy_in": 20, "level_hands": 2, "hands": 5}));
    // The seat on the left of the dealer wins: 0, 1, 2, 0 and 2.
    let mut play = || {
        t.shuffle("");
        let (antes, out) = (t.told("anted"), t.told("out"));
        let first = t.to_act().unwrap();
        t.play(&[(first, "check")]);
        while let Some(seat) = t.to_act() {
            t.play(&[(seat, "fold")]);
        }
        (antes.len(), antes[0]["chips"].as_u64().unwrap(), out.len(), t.stacks())
    };
    assert_eq!(play(), (3, 5, 0, vec![30, 15, 15]));
    assert_eq!(play(), (3, 5, 0, vec![25, 25, 10]));
    assert_eq!(play(), (3, 10, 0, vec![15, 15, 30]));
    assert_eq!(play(), (3, 10, 0, vec![35, 5, 20]));
    assert_eq!(play(), (2, 20, 1, vec![15, 5, 40]));
    assert_eq!(t.result(), [(2, 15), (3, 5), (1, 40)]);
}

#[test]
fn two_seats_all_in_who_both_fail_take_their_chips_back_and_play_on() {
    for no_winner in ["split", "carry"] {
        let mut t = table(2, 1, json!({"buy_in": 5, "no_winner": no_winner}));
        t.deal(&OVER[..2], "");
        t.all_check();
        assert_eq!((t.stacks(), t.view().carried), (vec![5, 5], 0), "{no_winner}");
        t.deal(&["1C 2C 4C", OVER[1]], "");
        t.all_check();
        assert_eq!(t.result(), [(2, 0), (1, 10)], "{no_winner}");
    }
}

#[test]
fn in_the_last_hand_they_take_them_back_and_the_game_is_over() {
    for no_winner in ["split", "carry"] {
        let mut t = table(2, 1, json!({"buy_in": 5, "no_winner": no_winner, "hands": 1}));
        t.deal(&OVER[..2], "");
        t.all_check();
        assert_eq!(t.result(), [(1, 5), (1, 5)], "{no_winner}");
    }
}

#[test]
fn pots_that_no_hand_would_follow_without_are_split_and_the_game_goes_on() {
    let mut t = second_hand(&OVER, json!({"no_winner": "carry"}));
    t.play(&[(1, "raise 35"), (2, "call"), (0, "check")]);
    assert_eq!(t.told("carried"), Vec::<Value>::new(), "without the pots seat 1 alone can pay");
    assert_eq!((t.stacks(), t.view().carried), (vec![5, 40, 15], 0));
    assert!(matches!(t.game.need(), Need::Shuffle(_)), "with their shares all three can");
}

#[test]
fn unmatched_chips_are_back_and_won_pots_paid_before_it_is_judged_whether_a_pot_can_be_carried() {
    let mut t = second_hand(&OVER, json!({"no_winner": "carry"}));
    t.play(&[(1, "raise 35"), (2, "fold"), (0, "check")]);
    assert_eq!((t.stacks(), t.view().carried), (vec![0, 35, 10], 15), "seats 1 and 2 can pay");
    let mut t = second_hand(&[OVER[0], OVER[1], "1S 2S 4G"], json!({"no_winner": "carry"}));
    t.play(&[(1, "raise 35"), (2, "call"), (0, "check")]);
    assert_eq!((t.stacks(), t.view().carried), (vec![15, 25, 0], 20), "seats 0 and 1 can pay");
}

#[test]
fn a_pot_still_carried_after_the_last_hand_is_split_with_the_rest() {
    let mut t = table(2, 1, json!({"no_winner": "carry", "hands": 2, "ante": 1}));
    t.deal(&OVER[..2], "");
    t.all_check();
    assert_eq!((t.stacks(), t.view().carried, t.view().pot), (vec![199, 199], 2, 0));
    t.deal(&OVER[..2], "");
    t.all_check();
    assert_eq!(t.result(), [(1, 200), (1, 200)]);
    assert_eq!(t.view().carried, 0);
}

#[test]
fn a_pot_that_waits_when_the_game_is_broken_off_is_split_between_those_who_could_play_for_it() {
    // Seat 0 is all in and over seven: 15 wait for seats 1 and 2.
    let mut t = second_hand(&OVER, json!({"no_winner": "carry"}));
    t.play(&[(1, "raise 35"), (2, "fold"), (0, "check")]);
    assert_eq!((t.stacks(), t.view().carried, t.view().dealer), (vec![0, 35, 10], 15, Some(1)));
    t.game.break_off();
    assert_eq!((t.stacks(), t.view().carried), (vec![0, 42, 18], 0), "the odd chip left of the next dealer");
}
