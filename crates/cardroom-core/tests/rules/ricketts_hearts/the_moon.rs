//! "Shooting for the moon", and rulings on it.

use super::*;

/// Seat 0 has taken everything.
fn shot() -> Table {
    let mut t = table_with(WHOLE_SUITS);
    t.play_out();
    t
}

#[test]
fn whoever_takes_all_that_counts_chooses_what_it_does() {
    let mut t = shot();
    assert_eq!(t.waited_for(), [0]);
    assert_eq!((t.view().phase, t.view().turn), (PhaseName::Moon, Some(0)));
    assert_eq!(t.told("moon_shot"), [json!({"type": "moon_shot", "seat": 0})]);
    assert_eq!(t.scores(), [0; 4], "nothing is counted before the choice");
    let menu = serde_json::to_value(t.game.legal(0).as_slice()).unwrap();
    let choice = json!({"choice": {"type": "choice", "from": ["minus", "plus"]}});
    assert_eq!(menu, json!([{"type": "moon", "params": choice}]));
    assert_eq!(t.refusal(1, json!({"type": "moon", "choice": "minus"})), "not_your_turn");
}

#[test]
fn minus_takes_26_off_the_own_score_and_leaves_the_others_theirs() {
    let mut t = shot();
    t.choose(0, "minus");
    assert_eq!(t.scores(), [-26, 0, 0, 0]);
    assert_eq!(t.told("moon_chosen"), [json!({"type": "moon_chosen", "seat": 0, "choice": "minus"})]);
}

#[test]
fn plus_puts_26_onto_each_of_the_others_and_nothing_onto_the_own() {
    let mut t = shot();
    t.choose(0, "plus");
    assert_eq!(t.scores(), [0, 26, 26, 26]);
    let last = t.view().last_hand.unwrap();
    assert_eq!(json!(last.moon), json!({"seat": 0, "choice": "plus"}));
    assert_eq!((last.results[0].points, last.results[0].added), (26, 0));
    assert_eq!((last.results[1].points, last.results[1].added), (0, 26));
}

#[test]
fn by_default_it_is_plus() {
    assert_eq!(default_action(&shot(), 0), json!({"type": "moon", "choice": "plus"}));
}

#[test]
fn a_trick_in_which_nothing_counts_may_go_to_another() {
    // Seat 0 loses the first trick to the ace of clubs, and takes all others from the second on.
    let mut t = table_with(["23456789TJQK.A..", "A.23456789TJQK..", "..A23456789TJQ.A", "..K.23456789TJQK"]);
    t.play("2C AC AS 2S 2D 2H KH AD");
    assert_eq!(t.turn(), 0);
    t.play_out();
    assert_eq!(t.waited_for(), [0]);
    assert_eq!(t.view().seats[1].tricks, 1);
}

#[test]
fn one_point_missed_is_no_moon() {
    let mut t = table(3, json!({}));
    t.split(1);
    assert_eq!(t.scores(), [25, 1, 0, 0]);
    assert_eq!(t.view().last_hand.unwrap().moon, None);
    assert!(t.told("moon_shot").is_empty());
}
