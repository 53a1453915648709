//! Rulings on the rabble.

use super::*;

#[test]
fn all_who_are_in_are_asked_at_once_and_answer_in_any_order() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (2, "match")]);
    assert_eq!((t.waited_for(), t.view().to_pick), (vec![0, 1, 2], vec![0, 1, 2]));
    t.play(&[(1, "rabble D4 J4 B4")]);
    assert_eq!(t.waited_for(), [0, 2]);
    assert_eq!(t.refusal(1, "rabble N3 N4 N5"), "not_your_turn");
    t.play(&[(2, "rabble D5 J5 B5"), (0, "rabble D3 J3 B3")]);
    assert_eq!(t.phase(), "second_betting");
}

#[test]
fn it_is_three_different_cards_of_the_hand() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    t.play(&[(0, "bet 5"), (1, "match")]);
    let from = json!(["Q3", "Q4", "Q5", "Q6", "A3", "M8", "D3", "J3", "B3"]);
    assert_eq!(t.offer(0, "rabble")["cards"], json!({"type": "cards", "from": from, "min": 3, "max": 3}));
    for text in ["rabble Q3 Q4", "rabble Q3 Q3 Q4", "rabble Q3 Q4 N3", "fold"] {
        assert_eq!(t.refusal(0, text), "illegal_action", "{text}");
    }
}

#[test]
fn it_passes_over_who_has_folded() {
    let mut t = table(4, 3, json!({}));
    t.deal(&["Q3-11", "N3-11", "A3-11", "M3-11"], "");
    t.play(&[(0, "bet 5"), (1, "fold"), (2, "match"), (3, "match")]);
    t.play(&[(0, "rabble Q3 Q4 Q5"), (2, "rabble A3 A4 A5"), (3, "rabble M3 M4 M5")]);
    assert_eq!(t.held(2), cards("Q3-5 A6-11"), "what seat 0 gave");
    assert_eq!(t.held(3), cards("A3-5 M6-11"));
    assert_eq!(t.held(0), cards("Q6-11 M3-5"));
}

#[test]
fn an_all_in_seat_takes_part_in_it_and_is_dealt_a_luck_card() {
    let mut t = super::betting::one_all_in();
    t.play(&[(2, "bet 5"), (0, "match")]);
    assert_eq!((json!(t.view().seats[1].status), t.waited_for()), (json!("all_in"), vec![0, 1, 2]));
    t.pass_rabble();
    t.play(&[(2, "pass"), (0, "pass")]);
    assert_eq!(t.held(1).len(), 10);
}

#[test]
fn nobody_has_the_cards_of_another_before_all_have_picked() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (0, "rabble D3 J3 B3")]);
    assert_eq!(t.held(0), cards("Q3-6 A3 M8"));
    assert_eq!(t.held(1), cards("N3-6 A4 M4 D4 J4 B4"));
    assert!(t.told("rabble_received").is_empty());
}

#[test]
fn the_clock_gives_the_lowest_faces_and_of_a_face_the_higher_numbers() {
    let mut t = table(2, 1, json!({}));
    t.deal(&["Q3-9 D2 D7", "N3-6 A4 J2 J11 B1 B12"], LUCK);
    t.play(&[(0, "bet 5"), (1, "match")]);
    assert_eq!(t.game.default_action(0), action("rabble D7 D2 Q9"));
    assert_eq!(t.game.default_action(1), action("rabble B12 B1 J11"));
}
