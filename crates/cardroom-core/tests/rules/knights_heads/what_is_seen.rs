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
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    let hidden = vec![None; 9];
    assert_eq!(t.held(0), cards(COURTS[0]));
    assert_eq!(t.game.view(Some(0)).seats[1].cards, hidden);
    assert!(t.view().seats.iter().all(|seat| seat.cards == hidden));
    assert_eq!(t.view().own, None);
}

#[test]
fn a_player_is_told_what_their_cards_make_at_present() {
    let mut t = table(2, 1, json!({}));
    t.deal(&NOTHING, "A9 A10");
    let makes = |t: &Table| json!(t.game.view(Some(0)).own.unwrap().makes);
    assert_eq!(makes(&t), json!({"hand": "nothing", "words": "nothing"}));
    t.reach_the_final_round();
    assert_eq!(makes(&t), json!({"hand": "triplet", "words": "triplet of armorers"}));
    t.play(&[(0, "fold")]);
    t.shuffle(&[]);
    t.play(&[(1, "bet 5")]);
    assert_eq!(json!(t.game.view(Some(0)).own.unwrap().gave), json!([]), "a new hand");
}

#[test]
fn a_seat_knows_what_it_gave_at_once_and_what_it_got_when_all_have_picked() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (0, "rabble D3 J3 B3")]);
    let own = |t: &Table, seat| {
        let own = t.game.view(Some(seat)).own.unwrap();
        (own.gave, own.got)
    };
    assert_eq!((own(&t, 0), own(&t, 1)), ((cards("D3 J3 B3"), vec![]), (vec![], vec![])));
    t.play(&[(1, "rabble N3 M4 D4")]);
    assert_eq!(own(&t, 0), (cards("D3 J3 B3"), cards("N3 M4 D4")));
    assert_eq!(own(&t, 1), (cards("N3 M4 D4"), cards("D3 J3 B3")));
    t.play(&[(0, "bet 5"), (1, "raise 5"), (0, "match")]);
    assert_eq!(own(&t, 1), (cards("N3 M4 D4"), cards("D3 J3 B3")));
}

#[test]
fn deal_rabble_and_luck_are_told_with_their_cards_to_who_gets_them_alone() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (0, "rabble D3 J3 B3"), (1, "rabble D4 J4 B4")]);
    t.all_pass();
    let none = json!([null, null, null]);
    let picked = |seat: u8, cards: Value| json!({"type": "rabble_picked", "seat": seat, "cards": cards});
    assert_eq!(
        t.told_to(Some(0), "rabble_picked"),
        [picked(0, json!(["D3", "J3", "B3"])), picked(1, none.clone())]
    );
    let got = |seat: u8, from: u8, cards: Value| json!({"type": "rabble_received", "seat": seat, "from": from, "cards": cards});
    let received = t.told_to(Some(1), "rabble_received");
    assert_eq!(received, [got(1, 0, json!(["D3", "J3", "B3"])), got(0, 1, none.clone())]);
    assert_eq!(t.told("rabble_received"), [got(1, 0, none.clone()), got(0, 1, none)]);
    let luck = |seat: u8, card: Value| json!({"type": "luck_dealt", "seat": seat, "card": card});
    assert_eq!(t.told_to(Some(1), "luck_dealt"), [luck(0, Value::Null), luck(1, json!("E4"))]);
    assert_eq!(
        t.told_to(Some(1), "dealt")[0]["cards"],
        json!([null, null, null, null, null, null, null, null, null])
    );
    assert_eq!(t.told_to(Some(1), "dealt")[1]["cards"], json!(cards(COURTS[1])));
}

#[test]
fn a_rabble_is_secret_in_the_log_and_nothing_else_is() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    let secret = |t: &Table, text: &str| t.game.secret(0, &action(text));
    assert_eq!((secret(&t, "bet 5"), secret(&t, "fold")), (None, None));
    assert_eq!(secret(&t, "rabble D3 J3 B3"), Some(Secret { hand: 1, seat: 0, param: "cards" }));
}

/// Which of the three seats and of those at none know what seat 0 gave in the first hand.
fn who_knows(t: &Table) -> [bool; 4] {
    let secret = Secret { hand: 1, seat: 0, param: "cards" };
    [Some(0), Some(1), Some(2), None].map(|viewer| (0..3).all(|nth| t.game.knows(viewer, secret, nth)))
}

#[test]
fn the_receiver_knows_a_rabble_once_all_have_passed_and_everybody_once_it_has_shown() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (2, "match"), (0, "rabble D3 J3 B3"), (1, "rabble D4 J4 B4")]);
    assert_eq!(who_knows(&t), [false; 4], "its own seat is not asked about");
    t.play(&[(2, "rabble D5 J5 B5")]);
    assert_eq!(who_knows(&t), [false, true, false, false]);
    t.all_pass();
    t.all_pass();
    assert_eq!(who_knows(&t), [true; 4], "asked right after the show");
    assert_eq!(json!(t.last_hand().shown[1].got), json!(["D3", "J3", "B3"]));
}

#[test]
fn what_a_seat_got_that_folds_or_wins_unseen_stays_between_giver_and_receiver() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.open_and_pass_rabble();
    t.play(&[(0, "pass"), (1, "fold"), (2, "pass")]);
    assert_eq!(who_knows(&t), [false, true, false, false]);
    t.all_pass();
    assert_eq!(t.showed(), [0, 2]);
    assert_eq!(who_knows(&t), [false, true, false, false], "the giver has shown, the receiver has not");
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.open_and_pass_rabble();
    t.play(&[(0, "fold"), (1, "bet 5"), (2, "fold")]);
    assert_eq!(who_knows(&t), [false, true, false, false]);
}

#[test]
fn a_folded_hand_is_never_shown() {
    let mut t = table(3, 2, json!({"hands": 1}));
    t.deal(&COURTS, LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (2, "match")]);
    t.pass_rabble();
    t.play(&[(0, "pass"), (1, "fold"), (2, "pass")]);
    t.all_pass();
    assert_eq!(t.game.need(), Need::Nothing);
    for viewer in [Some(0), Some(2), None] {
        let seen = seen(&t, viewer);
        assert!(["N3", "N4", "N5", "N6"].iter().all(|card| !seen.contains(card)), "{seen}");
    }
}

#[test]
fn what_others_hold_pass_and_draw_changes_nothing_for_a_viewer_until_the_show() {
    let here = ["Q3-6 A3 M8 D3 J3 B3", "N3-6 A4 M4 D4 J4 B4", "K3 A5 M5 E5-7 D5 J5 B5"];
    let there = ["Q3-6 A3 M8 D3 J3 B3", "K4-7 A8-12", "N7-12 D5 J5 B5"];
    let actions: [(Seat, [&str; 2]); 10] = [
        (0, ["bet 5"; 2]),
        (1, ["raise 5"; 2]),
        (2, ["match"; 2]),
        (0, ["match"; 2]),
        (1, ["rabble D4 J4 B4", "rabble K4 A8 A9"]),
        (0, ["rabble D3 J3 B3"; 2]),
        (2, ["rabble D5 J5 B5"; 2]),
        (0, ["pass"; 2]),
        (1, ["bet 5"; 2]),
        (2, ["match"; 2]),
    ];
    let mut worlds = [table(3, 2, json!({})), table(3, 2, json!({}))];
    worlds[0].deal(&here, "E3 E4 E8");
    worlds[1].deal(&there, "E3 Q12 K8");
    let same = |worlds: &[Table; 2]| {
        assert_eq!(seen(&worlds[0], Some(0)), seen(&worlds[1], Some(0)));
        assert_eq!(seen(&worlds[0], None), seen(&worlds[1], None));
    };
    for (seat, texts) in actions {
        same(&worlds);
        let refusals = worlds.each_mut().map(|world| world.try_play(0, "rabble Q1 Q2 N3").unwrap_err());
        assert_eq!(refusals[0], refusals[1]);
        for (world, text) in worlds.iter_mut().zip(texts) {
            world.play(&[(seat, text)]);
        }
    }
    worlds.iter_mut().for_each(|world| world.play(&[(0, "match"), (0, "pass"), (1, "pass")]));
    same(&worlds);
    worlds.iter_mut().for_each(|world| world.play(&[(2, "pass")]));
    assert_ne!(seen(&worlds[0], Some(0)), seen(&worlds[1], Some(0)), "now they have shown");
}
