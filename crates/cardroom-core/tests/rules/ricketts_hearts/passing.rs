//! The passing of cards before the first trick, and rulings on it.

use super::*;

/// Everyone passes the first three cards they hold; returns which of them each seat then holds.
fn all_pass(t: &mut Table) -> [Vec<French>; 4] {
    t.deal(WHOLE_SUITS);
    for (seat, cards) in ["AC 2C 3C", "AD 2D 3D", "AH 2H 3H", "AS 2S 3S"].into_iter().enumerate() {
        t.pass(seat as Seat, cards);
    }
    let low = |card: &French| card.rank() <= 3;
    [0, 1, 2, 3].map(|seat| t.held(seat).into_iter().filter(low).collect())
}

/// A game before its hand of this number.
fn before_hand(number: u32) -> Table {
    let mut t = table(3, json!({"target_score": 1000}));
    (1..number).for_each(|_| t.split(1));
    t
}

#[test]
fn in_the_first_hand_three_cards_go_to_the_left() {
    let got = all_pass(&mut before_hand(1));
    assert_eq!(got, [cards("AS 2S 3S"), cards("AC 2C 3C"), cards("AD 2D 3D"), cards("AH 2H 3H")]);
}

#[test]
fn in_the_second_hand_three_cards_go_to_the_right() {
    let got = all_pass(&mut before_hand(2));
    assert_eq!(got, [cards("AD 2D 3D"), cards("AH 2H 3H"), cards("AS 2S 3S"), cards("AC 2C 3C")]);
}

#[test]
fn in_the_third_hand_three_cards_go_across() {
    let got = all_pass(&mut before_hand(3));
    assert_eq!(got, [cards("AH 2H 3H"), cards("AS 2S 3S"), cards("AC 2C 3C"), cards("AD 2D 3D")]);
}

#[test]
fn in_the_fourth_hand_each_of_the_others_gets_one_in_the_order_left_across_right() {
    let got = all_pass(&mut before_hand(4));
    assert_eq!(got, [cards("3D 2H AS"), cards("AC 3H 2S"), cards("2C AD 3S"), cards("3C 2D AH")]);
}

#[test]
fn in_the_fifth_hand_nothing_is_passed() {
    let mut t = before_hand(5);
    t.deal(WHOLE_SUITS);
    assert_eq!(t.view().phase, PhaseName::Tricks);
    assert_eq!(t.held(0), hand(WHOLE_SUITS[0]));
}

#[test]
fn the_sixth_hand_begins_the_pattern_again() {
    let got = all_pass(&mut before_hand(6));
    assert_eq!(got[1], cards("AC 2C 3C"));
}

#[test]
fn a_frontend_is_told_where_the_cards_go() {
    let passings = (1..=6).map(|number| {
        let mut t = before_hand(number);
        t.deal(WHOLE_SUITS);
        json!(t.view().passing)
    });
    assert_eq!(passings.collect::<Vec<_>>(), ["left", "right", "across", "one_each", "none", "left"]);
}

#[test]
fn any_three_cards_of_the_hand_can_be_passed_and_no_more_or_fewer() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    let menu = serde_json::to_value(t.game.legal(0).as_slice()).unwrap();
    let from = json!({"type": "cards", "from": hand(WHOLE_SUITS[0]), "min": 3, "max": 3});
    assert_eq!(menu, json!([{"type": "pass", "params": {"cards": from}}]));
    assert_eq!(t.refusal(0, pass("AC 2C 2C")), "illegal_action");
    assert_eq!(t.refusal(0, pass("AC 2C 2D")), "illegal_action", "it is not held");
    assert_eq!(t.refusal(0, lay("AC")), "illegal_action");
    t.pass(0, "7C AC KC");
}

#[test]
fn all_pass_at_once_in_any_order_and_the_game_waits_for_who_has_not() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    assert_eq!(t.waited_for(), [0, 1, 2, 3]);
    t.pass(2, "AH 2H 3H");
    assert_eq!(t.waited_for(), [0, 1, 3]);
    t.pass(0, "AC 2C 3C");
    t.pass(3, "AS 2S 3S");
    assert_eq!(t.waited_for(), [1]);
    t.pass(1, "AD 2D 3D");
    assert_eq!(t.waited_for(), [0], "who leads");
}

#[test]
fn what_was_passed_cannot_be_taken_back() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    t.pass(2, "AH 2H 3H");
    assert_eq!(t.refusal(2, pass("4H 5H 6H")), "not_your_turn");
    assert_eq!(t.held(2), hand("..456789TJQK."));
}

#[test]
fn received_cards_are_picked_up_when_all_have_passed_and_not_before() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    t.pass(0, "AC 2C 3C");
    t.pass(1, "AD 2D 3D");
    t.pass(2, "AH 2H 3H");
    assert_eq!(t.held(1), hand(".456789TJQK.."));
    assert!(t.game.view(Some(1)).received.is_empty() && t.told_to(Some(1), "received").is_empty());
    t.pass(3, "AS 2S 3S");
    assert_eq!(t.held(1), hand("A23.456789TJQK.."));
}

#[test]
fn by_default_the_three_highest_go_the_highest_first() {
    let mut t = table(3, json!({}));
    t.deal(["2345.2345.A234.A", "A6789TJQK.6789..", ".A.56789TJ.KQJ23", ".TJQK.QK.456789T"]);
    let passed = |seat| default_action(&t, seat)["cards"].clone();
    assert_eq!(passed(0), json!(["AS", "AH", "5D"]), "of equals spades go before hearts, diamonds and clubs");
    assert_eq!(passed(1), json!(["AC", "KC", "QC"]), "the ace is high");
    assert_eq!(passed(2), json!(["AD", "KS", "QS"]));
    assert_eq!(passed(3), json!(["KH", "KD", "QH"]));
}
