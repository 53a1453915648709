//! Rulings on the trade.

use super::*;

#[test]
fn an_empty_trade_leaves_the_trade_for_later() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["1C 2G 6S", "1G 2C 3C"], "4C");
    t.play(&[(0, "check"), (1, "raise 5")]);
    let trade = json!({"type": "cards", "from": ["1C", "2G", "6S"], "min": 0, "max": 3});
    assert_eq!(t.offer(0, "call")["trade"], trade);
    assert_eq!(t.offer(0, "raise")["trade"], trade);
    t.play(&[(0, "call 6S")]);
    assert_eq!(t.stacks(), [210, 190], "7 against 6");
}

#[test]
fn a_card_held_twice_can_be_traded_twice_and_no_more() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["6C 6C 1G", "1C 2C 3C"], "1C 2G");
    assert_eq!(t.refusal(0, "check 6C 6C 6C"), "illegal_action");
    assert_eq!(t.refusal(0, "check 1C"), "illegal_action", "it is not held");
    t.play(&[(0, "check 6C 6C")]);
    assert_eq!(t.held(0), cards("1C 1G 2G"));
}

#[test]
fn one_of_two_like_cards_can_be_traded_for_the_same_card_again() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["5C 6C 1G", "1C 2C 3C"], "5C");
    t.play(&[(0, "check 5C")]);
    assert_eq!(t.held(0), cards("5C 6C 1G"));
    assert_eq!(t.view().seats[0].traded, 1);
}

#[test]
fn discards_stay_out_of_the_hand_and_the_deck_just_serves_six_who_trade_all_they_have() {
    let mut t = table(6, 5, json!({}));
    t.shuffle("");
    let mut gone = Vec::new();
    for seat in 0..6 {
        assert_eq!(t.offer(seat, "check")["trade"]["max"], 3);
        let held = t.held(seat);
        let names: Vec<_> = held.iter().map(|card| card.name().to_string()).collect();
        gone.extend(held);
        if seat < 5 {
            t.play(&[(seat, &format!("check {}", names.join(" ")))]);
        } else {
            assert_eq!(t.view().cards_left, 3);
            t.play(&[(seat, &format!("raise 5 {}", names.join(" ")))]);
        }
    }
    assert_eq!(t.view().cards_left, 0);
    let Need::Shuffle(mut now) = table(2, 0, json!({})).game.need() else { panic!("no shuffle") };
    for card in gone {
        let at = now.iter().position(|&c| c == card).unwrap();
        now.remove(at);
    }
    let mut held: Vec<_> = (0..6).flat_map(|seat| t.held(seat)).collect();
    held.sort_unstable();
    assert_eq!(held, now, "the other half of the deck");
}

#[test]
fn an_action_without_its_trade_or_with_anything_more_is_none() {
    for text in [
        r#"{"type":"check"}"#,
        r#"{"type":"raise","trade":[]}"#,
        r#"{"type":"raise","by":10.0,"trade":[]}"#,
        r#"{"type":"call","trade":["7C"]}"#,
        r#"{"type":"call","trade":["1C","2C","3C","4C"]}"#,
        r#"{"type":"check","by":5,"trade":[]}"#,
        r#"{"type":"fold","trade":[]}"#,
        r#"{"type":"pass"}"#,
    ] {
        assert!(serde_json::from_str::<Action>(text).is_err(), "{text}");
    }
}
