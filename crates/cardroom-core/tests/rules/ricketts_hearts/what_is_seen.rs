//! Rulings on what each viewer sees.

use cardroom_core::rules::Secret;

use super::*;

/// Everything that `viewer` gets to see now, as text.
fn seen(t: &Table, viewer: Option<Seat>) -> String {
    let heard: Vec<&Fact> =
        t.facts.iter().filter(|(audience, _)| audience.includes(viewer)).map(|(_, fact)| fact).collect();
    let menu = viewer.map(|seat| t.game.legal(seat));
    let menu = menu.as_deref().unwrap_or_default();
    json!({"view": t.game.view(viewer), "facts": heard, "menu": menu, "to_act": t.waited_for()}).to_string()
}

/// Two games that differ in what seats 1, 2 and 3 hold. To seat 0 they look the same.
struct Worlds([Table; 2]);

impl Worlds {
    /// Seats 1 and 2 hold each other's high cards.
    const HERE: [&str; 4] = ["A2345.A2345.2.A2", "678.678.A345.345", "9TJQK.9TJQK.6.KQ", "..789TJQK.6789TJ"];
    const THERE: [&str; 4] = ["A2345.A2345.2.A2", "67Q.67K.A346.345", "89TJK.89TJQ.5.KQ", "..789TJQK.6789TJ"];

    fn dealt() -> Worlds {
        let mut worlds = [table(3, json!({})), table(3, json!({}))];
        worlds[0].deal(Worlds::HERE);
        worlds[1].deal(Worlds::THERE);
        Worlds(worlds)
    }

    fn act(&mut self, seat: Seat, actions: [Value; 2]) {
        self.look_the_same();
        for (world, action) in self.0.iter_mut().zip(actions) {
            world.act(seat, action).unwrap();
        }
    }

    fn look_the_same(&mut self) {
        for viewer in [Some(0), None] {
            assert_eq!(seen(&self.0[0], viewer), seen(&self.0[1], viewer));
        }
        for wrong in [pass("2H 2C 6C"), lay("6H"), json!({"type": "moon", "choice": "plus"})] {
            let refusals = self.0.each_mut().map(|world| world.act(0, wrong.clone()).unwrap_err());
            assert_eq!(refusals[0], refusals[1]);
        }
    }
}

#[test]
fn what_others_hold_and_pass_changes_nothing_for_a_viewer_until_it_is_played() {
    let mut worlds = Worlds::dealt();
    worlds.act(2, [pass("QS KS KC"), pass("KS JC 5H")]);
    worlds.act(1, [pass("8C 8D 5H"), pass("QC KD 6H")]);
    worlds.act(0, [pass("AC AD AS"), pass("AC AD AS")]);
    worlds.act(3, [pass("KH QH JH"), pass("KH QH JH")]);
    // Seat 0 has the same three from seat 3 in both.
    worlds.act(0, [lay("2C"), lay("2C")]);
    worlds.act(1, [lay("6C"), lay("6C")]);
    worlds.act(2, [lay("9C"), lay("9C")]);
    worlds.look_the_same();
    let [here, there] = &worlds.0;
    assert_ne!(here.held(2), there.held(2));
    assert_ne!(here.held(3), there.held(3));
    let [mut here, mut there] = worlds.0;
    here.play("KC");
    there.play("JC");
    assert_ne!(seen(&here, Some(0)), seen(&there, Some(0)), "now a card was played that differs");
}

#[test]
fn a_seat_sees_its_own_cards_and_of_the_others_how_many() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    t.pass(1, "AD 2D 3D");
    let shown =
        |viewer| t.game.view(viewer).seats.into_iter().map(|seat| json!(seat.cards)).collect::<Vec<_>>();
    let hidden = |cards| json!(vec![Value::Null; cards]);
    assert_eq!(shown(Some(0)), [json!(hand(WHOLE_SUITS[0])), hidden(10), hidden(13), hidden(13)]);
    assert_eq!(shown(Some(1)), [hidden(13), json!(hand(".456789TJQK..")), hidden(13), hidden(13)]);
    assert_eq!(shown(None), [hidden(13), hidden(10), hidden(13), hidden(13)]);
}

#[test]
fn a_deal_is_told_with_its_cards_to_who_gets_them_alone() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    let cards_told = |viewer| -> Vec<Value> {
        t.told_to(viewer, "dealt").into_iter().map(|fact| fact["cards"].clone()).collect()
    };
    let hidden = json!(vec![Value::Null; 13]);
    let own = json!(hand(WHOLE_SUITS[1]));
    assert_eq!(cards_told(Some(1)), [hidden.clone(), own, hidden.clone(), hidden.clone()]);
    assert_eq!(cards_told(None), [hidden.clone(), hidden.clone(), hidden.clone(), hidden]);
}

/// The fourth hand, in which each of the others got a card.
fn one_to_each() -> Table {
    let mut t = table(3, json!({}));
    (0..3).for_each(|_| t.split(1));
    t.deal(WHOLE_SUITS);
    for (seat, cards) in ["AC 2C 3C", "AD 2D 3D", "AH 2H 3H", "AS 2S 3S"].into_iter().enumerate() {
        t.pass(seat as Seat, cards);
    }
    t
}

#[test]
fn of_what_was_passed_a_seat_sees_what_it_gave_and_what_it_got() {
    let t = one_to_each();
    let view = json!(t.game.view(Some(0)));
    let given = json!([{"to": 1, "card": "AC"}, {"to": 2, "card": "2C"}, {"to": 3, "card": "3C"}]);
    let got = json!([{"from": 1, "card": "3D"}, {"from": 2, "card": "2H"}, {"from": 3, "card": "AS"}]);
    assert_eq!((&view["passed"], &view["received"]), (&given, &got));
    assert!(t.view().passed.is_empty() && t.view().received.is_empty());
}

#[test]
fn passed_cards_are_told_to_who_gave_and_who_got_them_alone() {
    let t = one_to_each();
    let hidden = json!({"type": "passed", "seat": 2, "cards": [null, null, null]});
    for viewer in [Some(0), Some(1), Some(3), None] {
        assert_eq!(t.told_to(viewer, "passed")[2], hidden);
    }
    assert_eq!(t.told_to(Some(2), "passed")[2]["cards"], json!(["AH", "2H", "3H"]));
    let unseen = json!([{"from": 1, "card": null}, {"from": 2, "card": null}, {"from": 3, "card": null}]);
    for viewer in [Some(1), Some(2), Some(3), None] {
        assert_eq!(t.told_to(viewer, "received")[0]["cards"], unseen);
    }
    assert_eq!(t.told_to(Some(0), "received")[0]["cards"], json!(t.game.view(Some(0)).received));
}

#[test]
fn in_the_log_a_passed_card_is_known_to_its_receiver_when_all_have_passed() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    let secret =
        |t: &Table, seat, action: Value| t.game.secret(seat, &serde_json::from_value(action).unwrap());
    let first = secret(&t, 0, pass("AC 2C 3C")).unwrap();
    assert_eq!(first, Secret { hand: 1, seat: 0, param: "cards" });
    t.pass(0, "AC 2C 3C");
    t.pass(1, "AD 2D 3D");
    t.pass(2, "AH 2H 3H");
    assert!(!t.game.knows(Some(1), first, 0), "seat 3 has not passed");
    t.pass(3, "AS 2S 3S");
    for nth in 0..3 {
        assert!(t.game.knows(Some(1), first, nth));
        assert!(![Some(2), Some(3), None].into_iter().any(|other| t.game.knows(other, first, nth)));
    }
    assert_eq!(secret(&t, 0, lay("4C")), None, "what is played is public");
    assert_eq!(secret(&t, 0, json!({"type": "moon", "choice": "plus"})), None);
}

#[test]
fn in_the_log_each_receiver_of_one_card_knows_that_one_alone() {
    let t = one_to_each();
    let secret = Secret { hand: 4, seat: 2, param: "cards" };
    for (receiver, nth) in [(3, 0), (0, 1), (1, 2)] {
        let known: Vec<usize> = (0..3).filter(|&nth| t.game.knows(Some(receiver), secret, nth)).collect();
        assert_eq!(known, [nth]);
    }
    assert!(!(0..3).any(|nth| t.game.knows(None, secret, nth)));
}

#[test]
fn a_passed_card_that_is_played_does_not_tell_that_it_was_passed() {
    let mut t = table(3, json!({}));
    t.deal(WHOLE_SUITS);
    for (seat, cards) in ["AC 2C 3C", "AD 2D 3D", "AH 2H 3H", "AS 2S 3S"].into_iter().enumerate() {
        t.pass(seat as Seat, cards);
    }
    t.play("4C AC");
    let secret = Secret { hand: 1, seat: 0, param: "cards" };
    assert!(t.game.knows(Some(1), secret, 0));
    assert!(!t.game.knows(Some(2), secret, 0) && !t.game.knows(None, secret, 0));
}
