//! Rulings on the turns.

use super::*;

/// Nine opening hands, what each takes in the first round (24 at most), and what then busts them all.
const NINE: [&str; 9] = ["4C 7C", "4D 7D", "4H 7H", "4S 7S", "5C 8C", "5D 8D", "5H 8H", "5S 8S", "6D 6H"];
const TO_24: &str = "9C 9D 9H 9S TC TD TH 6C 6S";
const ALL_BUST: &str = "QC QD QH QS JC JD JH JS TS";

#[test]
fn with_an_empty_deck_one_can_only_stick() {
    let mut t = table(10, 9, json!({}));
    let hands: Vec<&str> = NINE.into_iter().chain(["AC AD"]).collect();
    t.deal(&hands, &format!("{TO_24} {ALL_BUST} AH AS 2C 2D 2H 2S 3C 3D 3H 3S"));
    for _round in 0..2 {
        t.play(&(0..9).map(|seat| (seat, "take")).collect::<Vec<_>>());
    }
    t.play(&[(9, "take"); 10]);
    assert_eq!((t.view().cards_left, t.hand(9).total), (0, 24));
    assert_eq!(t.menu(9), ["stick"]);
    let refused = play(&mut t.game, 9, &action("take"), &mut Facts::ignored()).unwrap_err();
    assert_eq!(refused.code, "illegal_action");
    t.play(&[(9, "stick")]);
    assert_eq!(t.stacks()[9], 245);
}

#[test]
fn with_an_empty_deck_the_house_sticks_on_whatever_it_has() {
    let mut t = table(9, 8, json!({"dealer": "house", "house_sticks_on": 24}));
    let hands: Vec<&str> = NINE.into_iter().chain(["AC AD"]).collect();
    let next = format!("{TO_24} {} AH TS", ALL_BUST.strip_suffix(" TS").unwrap());
    t.deal(&hands, &format!("{next} AS 2C 2D 2H 2S 3C 3D 3H 3S"));
    for _round in 0..2 {
        t.play(&(0..9).map(|seat| (seat, "take")).collect::<Vec<_>>());
    }
    t.play(&[(8, "take")]);
    assert_eq!(t.view().house.unwrap().hand.unwrap().total, 23);
    assert_eq!((t.view().cards_left, t.bank()), (0, 45));
}

#[test]
fn the_largest_hand_there_can_be_still_busts() {
    let mut t = table(2, 0, json!({"kings": "worthless"}));
    t.deal(&["AC AD", "TC 9C"], "AH AS 2C 2D 2H 2S 3C 3D 3H 3S KC KD KH KS 4C");
    for _ in 0..14 {
        t.play(&[(1, "take")]);
    }
    assert_eq!((t.hand(1).cards.len(), t.hand(1).total), (16, 24));
    t.play(&[(1, "take")]);
    assert_eq!((t.hand(1).total, t.to_act()), (28, Some(0)));
}

#[test]
fn the_dealer_plays_on_when_all_others_are_bust_and_can_throw_the_pot_away() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["TC 9C", "TD 9D"], "6C 6D");
    t.play(&[(1, "take"), (0, "take")]);
    assert_eq!(t.stacks(), [200, 200], "25 and 25: nobody wins");
}

#[test]
fn a_seat_that_is_alone_not_bust_plays_on() {
    let mut t = table(3, 2, json!({"kings": "greedy"}));
    t.deal(&["KC KD", "2C 3C", "KH KS"], "4C");
    t.play(&[(1, "take"), (1, "stick")]);
    assert_eq!(t.stacks(), [195, 210, 195], "9 wins");
}

#[test]
fn nobody_acts_out_of_turn_and_a_refusal_changes_nothing() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["2C 3C", "4C 5C", "6C 8C"], "");
    let before = t.game.clone();
    let refused = play(&mut t.game, 1, &action("stick"), &mut Facts::ignored()).unwrap_err();
    assert_eq!(refused.code, "not_your_turn");
    let refused = play(&mut t.game, 0, &action("keep"), &mut Facts::ignored()).unwrap_err();
    assert_eq!(refused.code, "illegal_action");
    assert_eq!(t.game, before);
}

#[test]
fn the_clock_sticks_and_keeps_sevens() {
    let mut t = table(2, 0, json!({"lucky_sevens": "split"}));
    t.deal(&["7C 7D", "TC 9C"], "");
    assert_eq!(t.game.default_action(1), action("keep"));
    t.play(&[(1, "keep")]);
    assert_eq!(t.game.default_action(1), action("stick"));
}

#[test]
fn an_action_with_anything_more_than_its_type_is_none() {
    for text in [r#"{"type":"take","by":1}"#, r#"{"type":"fold"}"#, r#"{}"#] {
        assert!(serde_json::from_str::<Action>(text).is_err(), "{text}");
    }
}

#[test]
fn all_hands_are_open_to_everybody_and_the_deck_to_nobody() {
    let mut t = table(2, 0, json!({}));
    t.deal(&["TC 9C", "2C 3C"], "JS");
    let seen = serde_json::to_string(&t.view()).unwrap();
    for card in ["TC", "9C", "2C", "3C"] {
        assert!(seen.contains(card), "{card}");
    }
    assert!(!seen.contains("JS"));
    assert_eq!(t.view(), t.game.view(Some(0)));
    assert_eq!(t.view(), t.game.view(Some(1)));
}
