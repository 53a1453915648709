//! Rulings on the house that deals.

use super::*;

#[test]
fn it_is_one_more_hand_dealt_last_and_pays_from_a_bank_that_may_owe() {
    let mut t = table(2, 0, json!({"dealer": "house"}));
    t.shuffle("2C 3C TC 4D 5D 9D");
    assert_eq!(t.hand(1).cards, cards("2C 4D"));
    assert_eq!(t.hand(0).cards, cards("3C 5D"));
    assert_eq!(t.view().house.unwrap().hand.unwrap().cards, cards("TC 9D"));
    assert_eq!((t.bank(), t.view().pot), (-5, 15));
}

#[test]
fn the_seat_with_the_button_plays_in_its_place_and_the_house_after_it() {
    let mut t = table(2, 0, json!({"dealer": "house"}));
    t.deal(&["2C 3C", "4C 5C", "9D 8D"], "AD AH AS");
    t.play(&[(1, "take"), (0, "take"), (1, "stick"), (0, "stick")]);
    assert_eq!(t.bank(), 10, "17 and an ace, and one more card from the top: 20");
    assert_eq!(t.told("took").len(), 4);
    assert_eq!(t.stacks(), [195, 195]);
}

#[test]
fn it_sticks_on_the_option() {
    let mut t = table(2, 0, json!({"dealer": "house", "house_sticks_on": 12}));
    t.deal(&["TC 8C", "4C 5C", "9D 3D"], "AD");
    t.all_stick();
    assert_eq!((t.stacks(), t.bank()), (vec![195, 210], -5), "12 sticks and loses to 18");
}

#[test]
fn it_has_its_favour() {
    let mut t = table(2, 0, json!({"dealer": "house"}));
    t.deal(&["TC 9C", "2C 3C", "QC QD"], "");
    assert_eq!((t.stacks(), t.bank()), (vec![195, 195], 10));
    assert!(t.view().seats.iter().all(|seat| seat.hands_won == 0));
}

#[test]
fn it_plays_when_all_others_are_bust_and_shares_when_it_is_bust_too() {
    let mut t = table(2, 0, json!({"dealer": "house", "charge": 4}));
    t.deal(&["TC 9C", "TD 9D", "TH 8H"], "6C 6D 9S");
    t.play(&[(1, "take"), (0, "take")]);
    assert_eq!((t.stacks(), t.bank()), (vec![200, 200], 0), "a share each, the house's too");
}

#[test]
fn it_takes_its_share_back_where_all_are_all_in_and_bust_and_the_game_goes_on() {
    for no_winner in ["split", "carry"] {
        let options = json!({"dealer": "house", "kings": "greedy", "buy_in": 5, "no_winner": no_winner});
        let mut t = table(2, 0, options);
        t.deal(&["KC QC", "KD QD", "KH KS"], "");
        assert_eq!((t.stacks(), t.bank(), t.view().carried), (vec![5, 5], 0, 0), "{no_winner}");
        assert!(matches!(t.game.need(), Need::Shuffle(_)), "{no_winner}");
    }
}

#[test]
fn it_gets_the_odd_chip_last() {
    let mut t = table(2, 0, json!({"dealer": "house", "charge": 5}));
    t.deal(&["TC 9C", "2D 3D", "TH 9H"], "");
    t.all_stick();
    assert_eq!((t.stacks(), t.bank()), (vec![195, 203], 2), "15 in two: 8 and 7");
}

#[test]
fn the_button_moves_on_though_no_seat_deals() {
    let mut t = table(3, 0, json!({"dealer": "house"}));
    for (button, first) in [(0, 1), (1, 2), (2, 0), (0, 1)] {
        t.deal(&["2C 3C", "4C 5C", "6C 8C", "TC 9C"], "");
        assert_eq!((t.view().dealer, t.to_act()), (Some(button), Some(first)));
        t.all_stick();
    }
}
