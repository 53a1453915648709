//! Rulings on hands, places and the end.

use super::*;

#[test]
fn the_deal_passes_to_the_left_and_skips_seats_that_are_out() {
    let mut t = table(3, 1, json!({"buy_in": 6, "ante": 3, "hands": 3}));
    // Dealt to seats 2, 0, 1: seat 2 wins, and seat 0 is all in.
    t.deal(&COURTS, LUCK);
    t.play(&[(2, "bet 3"), (0, "match"), (1, "fold")]);
    t.pass_rabble();
    assert_eq!(t.stacks(), [0, 3, 15]);
    t.deal(&COURTS[..2], LUCK);
    assert_eq!((t.view().dealer, t.told("out")), (Some(2), vec![json!({"type": "out", "seat": 0})]));
    t.pass_rabble();
    assert_eq!(t.stacks(), [0, 6, 12]);
    t.shuffle(&[]);
    assert_eq!((t.view().dealer, json!(t.view().seats[0].status)), (Some(1), json!("out")));
    assert_eq!(json!(t.game.view(Some(0)).own), Value::Null);
}

#[test]
fn the_game_ends_after_its_hands_and_places_go_by_stack() {
    let mut t = table(3, 2, json!({"hands": 1}));
    t.deal(&COURTS, LUCK);
    t.play_out();
    assert_eq!((t.game.need(), t.phase()), (Need::Nothing, "over".to_owned()));
    assert_eq!(t.result(), [(1, 220), (2, 190), (2, 190)]);
}

#[test]
fn the_game_ends_as_soon_as_fewer_than_two_can_pay() {
    let mut t = table(2, 1, json!({"buy_in": 10}));
    t.deal(&COURTS[..2], LUCK);
    t.play(&[(0, "bet 5"), (1, "match")]);
    t.pass_rabble();
    assert_eq!(t.game.need(), Need::Nothing);
    assert_eq!(t.result(), [(1, 20), (2, 0)]);
}

#[test]
fn the_ante_doubles_with_each_level_and_the_game_ends_when_fewer_than_two_can_pay_it() {
    let mut t = table(2, 1, json!({"buy_in": 40, "level_hands": 1}));
    for (ante, loser, stacks) in [(5, 0, [35, 45]), (10, 1, [45, 35]), (20, 0, [25, 55])] {
        t.shuffle(&[]);
        assert_eq!(t.told("anted")[0]["chips"], ante);
        t.play(&[(loser, "fold")]);
        assert_eq!(t.stacks(), stacks);
    }
    assert_eq!(t.game.need(), Need::Nothing, "the ante would be 40");
    assert_eq!(t.result(), [(2, 25), (1, 55)]);
}

#[test]
fn two_seats_all_in_who_both_fail_take_their_chips_back_and_play_on() {
    for no_winner in ["split", "carry"] {
        let mut t = table(2, 1, json!({"buy_in": 5, "no_winner": no_winner}));
        t.deal(&NOTHING, NO_LUCK);
        t.pass_rabble();
        assert_eq!((t.stacks(), t.view().carried), (vec![5, 5], 0), "{no_winner}");
        t.deal(&COURTS[..2], LUCK);
        t.pass_rabble();
        assert_eq!(t.result(), [(2, 0), (1, 10)], "{no_winner}");
    }
}

#[test]
fn in_the_last_hand_they_take_them_back_and_the_game_is_over() {
    for no_winner in ["split", "carry"] {
        let mut t = table(2, 1, json!({"buy_in": 5, "no_winner": no_winner, "hands": 1}));
        t.deal(&NOTHING, NO_LUCK);
        t.pass_rabble();
        assert_eq!(t.result(), [(1, 5), (1, 5)], "{no_winner}");
    }
}

#[test]
fn a_pot_that_waits_when_the_game_is_broken_off_is_split_between_those_who_could_play_for_it() {
    let mut t = table(2, 1, json!({"buy_in": 20, "ante": 3, "no_winner": "carry"}));
    t.deal(&NOTHING, NO_LUCK);
    t.play(&[(0, "bet 4"), (1, "match")]);
    t.pass_rabble();
    t.play(&[(0, "pass"), (1, "pass"), (0, "pass"), (1, "pass")]);
    assert_eq!((t.stacks(), t.view().carried), (vec![13, 13], 14));
    t.game.break_off();
    assert_eq!((t.stacks(), t.view().carried), (vec![20, 20], 0));
}
