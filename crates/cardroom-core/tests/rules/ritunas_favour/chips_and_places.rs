//! Rulings on the charge, on pots that nobody wins, on the end of the game and its places.

use super::*;

#[test]
fn the_deal_passes_to_the_left_and_skips_seats_that_are_out() {
    let mut t = table(3, 0, json!({"buy_in": 5}));
    // Seats 2 and 0 share, so that seat 1, next to deal, is out.
    t.deal(&["2C 3C", "TC 9C", "TD 9D"], "");
    t.all_stick();
    assert_eq!(t.stacks(), [7, 0, 8]);
    t.deal(&["TC 9C", "2C 3C"], "");
    assert_eq!(t.told("out"), [json!({"type": "out", "seat": 1})]);
    assert_eq!((t.view().dealer, t.to_act()), (Some(2), Some(0)));
    assert!(t.view().seats[1].out);
    assert!(t.view().seats[1].hands.is_empty());
}

#[test]
fn a_seat_that_paid_its_last_chip_is_in_until_the_hand_is_over() {
    let mut t = table(2, 0, json!({"buy_in": 5}));
    t.deal(&["TC 9C", "2C 3C"], "");
    assert_eq!(t.stacks(), [0, 0]);
    assert!(t.view().seats.iter().all(|seat| !seat.out));
}

#[test]
fn the_game_ends_after_its_hands_and_places_go_by_stack() {
    let mut t = table(3, 0, json!({"hands": 2}));
    t.deal(&["TC 9C", "TD 9D", "2C 3C"], "");
    t.all_stick();
    assert_eq!(t.game.outcome(), None);
    t.deal(&["TC 9C", "2D 3D", "TD 9D"], "");
    t.all_stick();
    assert_eq!(t.game.need(), Need::Nothing);
    assert_eq!(t.view().phase, PhaseName::Over);
    assert_eq!(t.stacks(), [190, 205, 205], "8 and 7, then 8 and 7");
    assert_eq!(t.result(), [(3, 190), (1, 205), (1, 205)]);
}

#[test]
fn the_game_ends_as_soon_as_fewer_than_two_can_pay() {
    let mut t = table(2, 0, json!({"buy_in": 9}));
    t.deal(&["TC 9C", "2C 3C"], "");
    t.all_stick();
    assert_eq!(t.game.need(), Need::Nothing);
    assert_eq!(t.result(), [(2, 4), (1, 14)]);
}

#[test]
fn the_charge_doubles_with_each_level_and_a_pot_is_carried_only_if_two_can_pay_the_next() {
    let mut t = table(2, 0, json!({"buy_in": 14, "kings": "greedy", "no_winner": "carry", "level_hands": 1}));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!((t.stacks(), t.view().carried), (vec![14, 14], 0), "with 9 chips nobody can pay 10");
    t.told("charged");
    t.deal(&["TC 9C", "2C 3C"], "");
    assert_eq!(t.told("charged")[0]["chips"], 10);
    t.all_stick();
    assert_eq!(t.game.need(), Need::Nothing, "the charge would be 20");
    assert_eq!(t.result(), [(1, 24), (2, 4)]);
}

#[test]
fn a_pot_still_carried_after_the_last_hand_is_split_with_the_rest() {
    let mut t = table(2, 0, json!({"kings": "greedy", "no_winner": "carry", "hands": 2, "charge": 1}));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!((t.stacks(), t.view().carried, t.view().pot), (vec![199, 199], 2, 0));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!(t.stacks(), [200, 200]);
    assert_eq!(t.result(), [(1, 200), (1, 200)]);
}

#[test]
fn a_carried_pot_is_won_with_the_next() {
    let mut t = table(3, 0, json!({"kings": "greedy", "no_winner": "carry"}));
    t.deal(&["KC KD", "KH KS", "TC 9C"], "6C");
    t.play(&[(0, "take")]);
    assert_eq!(t.told("carried"), [json!({"type": "carried", "chips": 15})]);
    t.deal(&["TC 9C", "2C 3C", "4C 5C"], "");
    assert_eq!((t.view().carried, t.view().pot), (15, 15));
    t.all_stick();
    assert_eq!(t.stacks(), [190, 190, 220]);
    assert_eq!((t.view().carried, t.view().pot), (0, 0));
}

#[test]
fn a_pot_that_waits_when_the_game_is_broken_off_is_split_between_those_who_could_play_for_it() {
    let options = json!({"kings": "greedy", "no_winner": "carry", "buy_in": 10, "charge": 5});
    let mut t = table(3, 2, options);
    t.deal(&["TC 9C", "KC KD", "TD 9D"], "");
    t.all_stick();
    assert_eq!(t.stacks(), [13, 5, 12]);
    t.deal(&["KC KD", "KH KS", "TC 9C"], "6C");
    t.play(&[(0, "take")]);
    assert_eq!((t.stacks(), t.view().carried, t.view().dealer), (vec![8, 0, 7], 15, Some(2)));
    t.game.break_off();
    assert_eq!((t.stacks(), t.view().carried), (vec![16, 0, 14], 0), "seat 0 is left of the next dealer");
}

#[test]
fn the_house_has_its_share_of_a_pot_that_waits_when_the_game_is_broken_off() {
    let mut t = table(2, 0, json!({"kings": "greedy", "no_winner": "carry", "dealer": "house"}));
    t.deal(&["KC QC", "KD QD", "KH KS"], "");
    assert_eq!((t.stacks(), t.bank(), t.view().carried), (vec![195, 195], -5, 15));
    t.game.break_off();
    assert_eq!((t.stacks(), t.bank(), t.view().carried), (vec![200, 200], 0, 0));
}

#[test]
fn a_seat_that_went_out_has_no_share_of_a_carried_pot_that_is_split_at_the_end() {
    let mut t =
        table(3, 2, json!({"kings": "greedy", "no_winner": "carry", "buy_in": 10, "charge": 5, "hands": 3}));
    t.deal(&["TC 9C", "KC KD", "TD 9D"], "");
    t.all_stick();
    assert_eq!(t.stacks(), [13, 5, 12]);
    t.deal(&["KC KD", "KH KS", "TC 9C"], "6C");
    t.play(&[(0, "take")]);
    assert_eq!((t.stacks(), t.view().carried), (vec![8, 0, 7], 15));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!(t.stacks(), [16, 0, 14], "25 between seats 2 and 0, the odd chip left of the dealer");
}

#[test]
fn two_seats_all_in_who_both_fail_take_their_chips_back_and_play_on() {
    for no_winner in ["split", "carry"] {
        let mut t = table(2, 0, json!({"kings": "greedy", "buy_in": 5, "no_winner": no_winner}));
        t.deal(&["KC KD", "KH KS"], "");
        assert_eq!((t.stacks(), t.view().carried), (vec![5, 5], 0), "{no_winner}");
        t.deal(&["TC 9C", "2C 3C"], "");
        t.all_stick();
        assert_eq!(t.result(), [(1, 10), (2, 0)], "{no_winner}");
    }
}

#[test]
fn in_the_last_hand_they_take_them_back_and_the_game_is_over() {
    for no_winner in ["split", "carry"] {
        let options = json!({"kings": "greedy", "buy_in": 5, "no_winner": no_winner, "hands": 1});
        let mut t = table(2, 0, options);
        t.deal(&["KC KD", "KH KS"], "");
        assert_eq!(t.result(), [(1, 5), (1, 5)], "{no_winner}");
    }
}

#[test]
fn a_carried_pot_that_no_hand_would_follow_without_is_split_too_and_the_game_goes_on() {
    let mut t = table(2, 0, json!({"kings": "greedy", "no_winner": "carry", "buy_in": 10}));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!((t.stacks(), t.view().carried), (vec![5, 5], 10));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!((t.stacks(), t.view().carried), (vec![10, 10], 0));
    assert!(matches!(t.game.need(), Need::Shuffle(_)));
}

#[test]
fn a_share_of_such_a_pot_keeps_a_seat_in_that_has_nothing_else() {
    let mut t = table(3, 2, json!({"kings": "greedy", "buy_in": 10}));
    t.deal(&["TC 9C", "2C 3C", "TD 9D"], "");
    t.all_stick();
    assert_eq!(t.stacks(), [13, 5, 12]);
    t.deal(&["KC KD", "KH KS", "TC 9C"], "6C");
    t.play(&[(0, "take")]);
    assert_eq!(t.stacks(), [13, 5, 12], "all were bust");
    t.deal(&["2C 3C", "4C 5C", "6C 8C"], "");
    assert!(!t.view().seats[1].out);
}

#[test]
fn without_a_charge_hands_won_decide_and_a_shared_one_counts_for_each() {
    let mut t = table(3, 0, json!({"charge": 0, "hands": 3}));
    t.deal(&["TC 9C", "TD 9D", "2C 3C"], "");
    t.all_stick();
    t.deal(&["TC 9C", "2D 3D", "4C 5C"], "");
    t.all_stick();
    t.deal(&["2C 3C", "TC 9C", "4C 5C"], "");
    t.all_stick();
    assert_eq!(t.stacks(), [200, 200, 200]);
    assert_eq!(t.result(), [(3, 0), (1, 2), (1, 2)]);
}

#[test]
fn a_hand_that_both_split_hands_win_is_one_hand_won() {
    let mut t = table(2, 0, json!({"charge": 0, "hands": 1, "lucky_sevens": "split"}));
    t.deal(&["7C 7D", "2C 3C"], "TC TD");
    t.play(&[(1, "split")]);
    t.all_stick();
    assert_eq!(t.result(), [(2, 0), (1, 1)]);
}

#[test]
fn a_hand_that_nobody_wins_counts_for_nobody() {
    let mut t = table(2, 0, json!({"charge": 0, "hands": 1, "kings": "greedy"}));
    t.deal(&["KC KD", "KH KS"], "");
    assert_eq!(t.result(), [(1, 0), (1, 0)]);
}
