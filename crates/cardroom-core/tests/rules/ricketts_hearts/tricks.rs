//! "Gameplay": following suit, leading, the first trick, and rulings on them.

use super::*;

/// Seat 0 leads. Hearts and spades are mixed; seat 3 has no clubs and no diamonds.
const MIXED: [&str; 4] = ["A2345.A2345.2.A2", "678.678.A345.345", "9TJQK.9TJQK.6.KQ", "..789TJQK.6789TJ"];

#[test]
fn whoever_can_follow_suit_must() {
    let mut t = table_with(MIXED);
    t.play("2C");
    assert_eq!(t.playable(), cards("6C 7C 8C"));
    assert_eq!(t.refusal(1, lay("AH")), "illegal_action");
    assert_eq!(t.refusal(1, lay("9C")), "illegal_action", "it is not held");
    assert_eq!(t.refusal(2, lay("9C")), "not_your_turn");
}

#[test]
fn the_highest_card_of_the_suit_led_wins_and_its_winner_leads_next() {
    let mut t = table_with(MIXED);
    t.play("2C 6C 9C 6S");
    assert_eq!(t.turn(), 2);
    t.play("KD 7S 2D 6D");
    assert_eq!(t.turn(), 2);
}

#[test]
fn the_ace_is_the_highest_card() {
    let mut t = table_with(MIXED);
    t.play("AC 6C KC 6S");
    assert_eq!(t.turn(), 0);
}

#[test]
fn there_is_no_trump_suit() {
    let mut t = table_with(MIXED);
    t.play("2C 6C 9C JS");
    assert_eq!(t.turn(), 2, "the jack of spades is higher, but of another suit");
}

#[test]
fn a_trick_is_told_with_its_cards_and_points() {
    let mut t = table_with(MIXED);
    t.play("2C 6C 9C 6S 9D KH 2D 6D");
    assert_eq!(
        t.told("trick_taken"),
        [
            json!({"type": "trick_taken", "seat": 2, "cards": ["2C", "6C", "9C", "6S"], "points": 0}),
            json!({"type": "trick_taken", "seat": 2, "cards": ["9D", "KH", "2D", "6D"], "points": 1}),
        ]
    );
    assert_eq!(t.told("played")[3], json!({"type": "played", "seat": 3, "card": "6S"}));
}

#[test]
fn whoever_cannot_follow_may_play_any_other_card_after_the_first_trick() {
    let mut t = table_with(MIXED);
    t.play("2C 6C 9C 6S 9D");
    assert_eq!(t.playable(), hand("..789TJQK.789TJ"));
}

#[test]
fn into_the_first_trick_go_no_hearts() {
    let mut t = table_with(MIXED);
    t.play("2C 6C 9C");
    assert_eq!(t.playable(), hand("...6789TJ"));
    assert_eq!(t.refusal(3, lay("KH")), "illegal_action");
}

#[test]
fn into_the_first_trick_goes_no_queen_of_spades_but_any_other_spade() {
    let mut t = table_with(["A2345.A2345.2.A2", "678.678.A345.345", "9TJQK.9TJQK.67.K", "..89TJQK.6789TJQ"]);
    t.play("2C 6C 9C");
    assert_eq!(t.playable(), hand("...6789TJ"));
    t.play("6S 9D");
    assert_eq!(t.playable(), hand("..89TJQK.789TJQ"), "in any trick thereafter it can be thrown");
}

#[test]
fn a_hand_of_nothing_but_hearts_and_the_queen_may_throw_them_into_the_first_trick() {
    let mut t = table_with(["A2345.A2345.2.A2", "678.678.A.345678", "9TJQK.9TJQK..9TJ", "..3456789TJQK.QK"]);
    t.play("2C 6C 9C");
    assert_eq!(t.playable(), cards("KS"), "it holds something else");
    let mut t = table_with(["A2345.A2345.2.A2", "678.678.A.345678", "9TJQK.9TJQK..9TK", "..3456789TJQK.JQ"]);
    t.play("2C 6C 9C");
    assert_eq!(t.playable(), cards("JS"));
    let mut t = table_with(["A234.A2345.2.A2K", "5678.678..345678", "9TJQK.9TJQK..9TJ", "..A3456789TJQK.Q"]);
    t.play("2C 5C 9C");
    assert_eq!(t.playable(), hand("..A3456789TJQK.Q"));
    let mut t = table_with(WHOLE_SUITS);
    t.play("2C 2D");
    assert_eq!(t.playable(), hand(WHOLE_SUITS[2]), "nothing but hearts");
}

#[test]
fn following_suit_is_free_in_the_first_trick_and_the_queen_may_be_played_to_a_spade() {
    let mut t = table_with(MIXED);
    t.play("2S 3S");
    assert_eq!(t.playable(), cards("QS KS"));
    t.play("QS 6S");
    assert_eq!(t.points(), [0, 0, 13, 0]);
}

#[test]
fn no_heart_is_led_before_a_heart_or_the_queen_of_spades_has_been_played() {
    let mut t = table_with(MIXED);
    assert_eq!(t.playable(), hand("A2345.A2345..A2"), "seat 0 holds the two of hearts");
    assert_eq!(t.refusal(0, lay("2H")), "illegal_action");
    t.play("2C 6C 9C 6S");
    assert_eq!(t.playable(), hand("TJQK.9TJQK..QK"), "nor in the second trick");
    assert!(!t.view().hearts_broken);
}

#[test]
fn hearts_can_be_led_after_a_heart_was_thrown() {
    let mut t = table_with(MIXED);
    t.play("2C 6C 9C 6S 9D KH 2D 6D");
    assert!(t.view().hearts_broken);
    assert_eq!(t.playable(), hand("TJQK.TJQK.6.QK"));
    t.play("6H");
    assert_eq!(t.playable(), hand("..789TJQ."));
}

#[test]
fn hearts_can_be_led_after_the_queen_of_spades_was_played() {
    let mut t = table_with(MIXED);
    t.play("2S 3S QS 6S");
    assert!(t.view().hearts_broken);
    assert_eq!(t.playable(), hand("9TJQK.9TJQK.6.K"));
}

#[test]
fn the_queen_of_spades_can_be_led_at_any_time_to_the_first_trick_too() {
    let mut t = table_with(["A2345.A2345.2.AQ", "678.678.A345.345", "9TJQK.9TJQK.6.K2", "..789TJQK.6789TJ"]);
    t.play("QS 3S 2S 6S");
    assert_eq!((t.turn(), t.points()), (0, vec![13, 0, 0, 0]));
}

#[test]
fn a_hand_of_nothing_but_hearts_may_lead_one_at_any_time() {
    let [clubs, diamonds, hearts, spades] = WHOLE_SUITS;
    let mut t = table_with([hearts, clubs, diamonds, spades]);
    assert_eq!(t.playable(), hand(hearts));
    t.play("AH");
}

#[test]
fn hearts_and_the_queen_are_not_nothing_but_hearts_so_the_queen_is_led() {
    let t = table_with(["..A23456789TJQ.Q", "A23456789TJQ..K.", "K.A23456789TJQ..", ".K..A23456789TJK"]);
    assert_eq!(t.playable(), cards("QS"));
}

#[test]
fn by_default_the_lowest_card_goes_and_of_equals_clubs_before_diamonds_hearts_and_spades() {
    let mut t = table_with(MIXED);
    assert_eq!(default_action(&t, 0), lay("2C"));
    t.play("2S");
    assert_eq!(default_action(&t, 1), lay("3S"));
    t.play("3S QS");
    assert_eq!(default_action(&t, 3), lay("6S"), "the lowest that is legal");
    t.play("6S");
    assert_eq!(default_action(&t, 2), lay("6H"), "the queen was played");
    t.play("9C");
    assert_eq!(default_action(&t, 3), lay("7H"), "before the seven of spades");
    t.play("7H");
    assert_eq!(default_action(&t, 0), lay("2C"));
    t.play("2C 6C 9D 7S");
    assert_eq!(default_action(&t, 0), lay("2D"), "the ace is high");
}

#[test]
fn tricks_stay_open_to_all_also_those_gone_by() {
    let mut t = table_with(MIXED);
    t.play("2C 6C 9C 6S 9D KH");
    for viewer in [None, Some(0), Some(3)] {
        let view = json!(t.game.view(viewer));
        let first = json!({"leader": 0, "cards": ["2C", "6C", "9C", "6S"], "taken_by": 2, "points": 0});
        assert_eq!(view["tricks"], json!([first]));
        assert_eq!((&view["leader"], &view["trick"]), (&json!(2), &json!(["9D", "KH"])));
        let tricks: Vec<&Value> =
            view["seats"].as_array().unwrap().iter().map(|seat| &seat["tricks"]).collect();
        assert_eq!(tricks, [0, 0, 1, 0]);
    }
}
