//! Rulings on what each viewer sees.

use cardroom_core::rules::Secret;

use super::*;

/// Everything that `viewer` gets to see now, as text.
fn seen(t: &Table, viewer: Option<Seat>) -> String {
    let heard: Vec<&Fact> =
        t.facts.iter().filter(|(audience, _)| audience.includes(viewer)).map(|(_, fact)| fact).collect();
    let menu = viewer.map(|seat| t.game.legal(seat));
    let menu = menu.as_deref().unwrap_or_default();
    json!({"view": t.game.view(viewer), "facts": heard, "menu": menu}).to_string()
}

#[test]
fn a_seat_sees_its_own_cards_and_of_the_others_how_many() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["1C 2G 6S", "5C 5G 5S", "6C 6G 6G"], "");
    let shown =
        |viewer| t.game.view(viewer).seats.into_iter().map(|seat| json!(seat.cards)).collect::<Vec<_>>();
    let hidden = json!([null, null, null]);
    assert_eq!(shown(Some(0)), [json!(["1C", "2G", "6S"]), hidden.clone(), hidden.clone()]);
    assert_eq!(shown(Some(2)), [hidden.clone(), hidden.clone(), json!(["6C", "6G", "6G"])]);
    assert_eq!(shown(None), [hidden.clone(), hidden.clone(), hidden]);
}

#[test]
fn a_deal_is_told_with_its_cards_to_who_gets_them_alone() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["1C 2G 6S", "5C 5G 5S"], "");
    let dealt = |seat: u8, cards: Value| json!({"type": "dealt", "seat": seat, "cards": cards});
    let hidden = json!([null, null, null]);
    assert_eq!(t.told_to(Some(0), "dealt"), [dealt(0, json!(["1C", "2G", "6S"])), dealt(1, hidden.clone())]);
    assert_eq!(t.told_to(Some(1), "dealt"), [dealt(0, hidden.clone()), dealt(1, json!(["5C", "5G", "5S"]))]);
    assert_eq!(t.told_to(None, "dealt"), [dealt(0, hidden.clone()), dealt(1, hidden)]);
}

#[test]
fn of_a_trade_all_others_learn_only_how_many_cards_it_was() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["1C 2G 6S", "5C 5G 5S"], "4S 4G");
    t.play(&[(0, "check 6S 2G")]);
    let traded = |discarded: Value, drawn: Value| json!({"type": "traded", "seat": 0, "discarded": discarded, "drawn": drawn});
    assert_eq!(t.told_to(Some(0), "traded"), [traded(json!(["6S", "2G"]), json!(["4S", "4G"]))]);
    let hidden = traded(json!([null, null]), json!([null, null]));
    assert_eq!(t.told("traded"), [hidden]);
    assert_eq!(t.told_to(Some(1), "traded"), t.told("traded"));
    assert_eq!(t.view().seats[0].traded, 2);
}

#[test]
fn the_cards_of_a_trade_are_secret_in_the_log_and_nobody_else_ever_knows_them() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["1C 2G 6S", "1G 2C 3C"], "4C");
    let secret = t.game.secret(0, &action("check 6S")).unwrap();
    assert_eq!(secret, Secret { hand: 1, seat: 0, param: "trade" });
    assert_eq!(t.game.secret(0, &action("check")), None, "nothing to hide");
    assert_eq!(t.game.secret(0, &action("fold")), None);
    t.play(&[(0, "check 6S")]);
    assert!(!t.game.knows(Some(1), secret, 0));
    t.play(&[(1, "check")]);
    assert!(
        !t.game.knows(Some(1), secret, 0) && !t.game.knows(None, secret, 0),
        "the show shows no discards"
    );
}

#[test]
fn what_others_hold_trade_and_draw_changes_nothing_for_a_viewer_until_the_show() {
    let here = ["1C 2C 4G", "5C 5G 5S", "6C 6G 6G"];
    let there = ["1C 2C 4G", "1G 1S 3S", "3C 3C 2S"];
    let actions: [(Seat, [&str; 2]); 5] = [
        (0, ["raise 5 4G"; 2]),
        (1, ["raise 5 5C 5S", "raise 5 1S 3S"]),
        (2, ["call 6G 6C 6G", "call 3C 2S 3C"]),
        (0, ["raise 10"; 2]),
        (1, ["call"; 2]),
    ];
    let mut worlds = [table(3, 2, json!({})), table(3, 2, json!({}))];
    worlds[0].deal(&here, "4C 1S 4S 6S 6S 3C");
    worlds[1].deal(&there, "4C 6C 6G 5C 1G 1S");
    for (seat, texts) in actions {
        assert_eq!(seen(&worlds[0], Some(0)), seen(&worlds[1], Some(0)));
        assert_eq!(seen(&worlds[0], None), seen(&worlds[1], None));
        let refusals = worlds.each_mut().map(|world| world.try_play(0, "call 6S").unwrap_err());
        assert_eq!(refusals[0], refusals[1]);
        for (world, text) in worlds.iter_mut().zip(texts) {
            world.play(&[(seat, text)]);
        }
    }
    assert_eq!(seen(&worlds[0], Some(0)), seen(&worlds[1], Some(0)));
    worlds.iter_mut().for_each(|world| world.play(&[(2, "call")]));
    assert_ne!(seen(&worlds[0], Some(0)), seen(&worlds[1], Some(0)), "now they have shown");
}

#[test]
fn a_shown_hand_does_not_tell_which_of_its_cards_came_by_a_trade() {
    let mut worlds = [table(2, 1, json!({})), table(2, 1, json!({}))];
    worlds[0].deal(&["1C 2C 6S", "1G 2G 3G"], "4C");
    worlds[1].deal(&["1C 4C 5S", "1G 2G 3G"], "2C");
    worlds[0].play(&[(0, "check 6S"), (1, "check")]);
    worlds[1].play(&[(0, "check 5S"), (1, "check")]);
    assert_eq!(worlds[0].last_hand().shown[0].cards, cards("1C 2C 4C"));
    assert_eq!(seen(&worlds[0], Some(1)), seen(&worlds[1], Some(1)));
}

#[test]
fn a_folded_hand_is_never_shown() {
    let mut t = table(3, 2, json!({"hands": 1}));
    t.deal(&["5C 5G 6S", "1C 2C 3C", "1G 2G 3S"], "");
    t.play(&[(0, "fold"), (1, "check"), (2, "check")]);
    assert_eq!(t.game.need(), Need::Nothing);
    for viewer in [Some(1), Some(2), None] {
        let seen = seen(&t, viewer);
        assert!(["5C", "5G", "6S"].iter().all(|card| !seen.contains(card)), "{seen}");
    }
    assert_eq!(t.last_hand().shown.iter().map(|shown| shown.seat).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn the_deck_is_never_shown() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["1C 2G 3S", "1C 2G 3S"], "6C 6G 6S");
    for viewer in [Some(0), Some(1), None] {
        let seen = seen(&t, viewer);
        assert!(["6C", "6G", "6S"].iter().all(|card| !seen.contains(card)), "{seen}");
    }
}

#[test]
fn the_last_hand_stays_on_show_while_the_next_is_played() {
    let mut t = table(3, 2, json!({}));
    assert_eq!(t.view().last_hand, None);
    t.deal(&["1C 2C 4G", "1G 2S 4C", "6C 6G 6S"], "");
    t.play(&[(0, "raise 10"), (1, "call"), (2, "fold")]);
    t.shuffle("");
    assert_eq!(t.view().hand, 2);
    assert_eq!(
        json!(t.last_hand()),
        json!({
            "hand": 1,
            "dealer": 2,
            "shown": [
                {"seat": 0, "cards": ["1C", "2C", "4G"], "total": 7, "one_suit": 2},
                {"seat": 1, "cards": ["4C", "1G", "2S"], "total": 7, "one_suit": 1},
            ],
            "unmatched": null,
            "pots": [{"chips": 35, "seats": [0, 1], "shares": [{"seat": 0, "chips": 35}], "why": "one_suit"}],
        })
    );
}
