//! Rulings on the show, and on the winners of each pot.

use super::betting::uneven;
use super::*;

#[test]
fn when_all_passed_the_show_goes_from_the_left_of_the_dealer() {
    let mut t = table(3, 0, json!({}));
    t.deal(&COURTS, LUCK);
    t.play_out();
    assert_eq!((t.showed(), t.last_hand().caller), (vec![1, 2, 0], None));
}

#[test]
fn when_the_last_to_answer_folded_the_show_goes_from_the_left_of_the_dealer() {
    let mut t = table(3, 2, json!({}));
    t.deal(&COURTS, LUCK);
    t.reach_the_final_round();
    t.play(&[(0, "pass"), (1, "bet 5"), (2, "match"), (0, "fold")]);
    assert_eq!((t.showed(), t.last_hand().caller), (vec![1, 2], None));
}

#[test]
fn each_side_pot_is_decided_between_those_who_contest_it() {
    // The shortest stack has the queens, the next the knights.
    let mut t = uneven(&COURTS, LUCK, json!({}));
    t.play(&[(1, "bet 10"), (2, "raise 10"), (0, "match")]);
    t.pass_rabble();
    assert_eq!(
        t.pots(),
        [
            (45, vec![1], "court of queens over court of knights".to_owned()),
            (20, vec![2], "court of knights over court of messengers".to_owned()),
        ]
    );
    assert_eq!(t.stacks(), [25, 45, 20]);
}

#[test]
fn a_hand_of_nothing_never_wins() {
    let mut t = table(2, 1, json!({}));
    t.deal(&NOTHING, "E9 A10");
    t.play_out();
    assert_eq!(t.pots(), [(20, vec![1], "triplet of armorers over nothing".to_owned())]);
}

#[test]
fn what_no_comparison_settles_is_split_and_the_odd_chip_goes_to_the_left_of_the_dealer() {
    let mut t = table(3, 2, json!({}));
    t.deal(&["Q3-6 A3 M8 D3 J3 B3", "Q7-10 A4 M9 D4 J4 B4", COURTS[2]], LUCK);
    t.play(&[(0, "bet 5"), (1, "match"), (2, "fold")]);
    t.pass_rabble();
    t.all_pass();
    t.all_pass();
    assert_eq!(t.pots(), [(25, vec![0, 1], "court of queens".to_owned())]);
    assert_eq!(t.stacks(), [203, 202, 195]);
}

#[test]
fn where_nobody_has_a_valid_hand_the_pot_is_split_between_those_who_contested_it() {
    let mut t = table(2, 1, json!({}));
    t.deal(&NOTHING, NO_LUCK);
    t.play_out();
    assert_eq!(t.stacks(), [200, 200]);
    assert_eq!(t.told("pot_returned").len(), 2);
    assert!(t.told("pot_won").is_empty());
    assert_eq!(json!(t.last_hand().pots[0].why), "returned");
}

#[test]
fn or_it_is_carried_into_the_next_main_pot() {
    let mut t = table(2, 1, json!({"no_winner": "carry", "hands": 2}));
    t.deal(&NOTHING, NO_LUCK);
    t.play_out();
    assert_eq!((t.stacks(), t.view().carried), (vec![190, 190], 20));
    assert_eq!(t.told("carried"), [json!({"type": "carried", "pot_number": 0, "chips": 20})]);
    assert_eq!(t.last_hand().pots[0].words, "nobody had a valid hand: carried to the next hand");
    t.deal(&COURTS[..2], LUCK);
    t.play_out();
    assert_eq!(t.pots()[0].0, 40);
    assert_eq!(t.stacks(), [180, 220], "dealt from seat 1");
}

#[test]
fn a_pot_that_nobody_won_is_split_after_the_last_hand() {
    let mut t = table(2, 1, json!({"no_winner": "carry", "hands": 1}));
    t.deal(&NOTHING, NO_LUCK);
    t.play_out();
    assert_eq!(t.game.need(), Need::Nothing);
    assert_eq!(t.result(), [(1, 200), (1, 200)]);
}

#[test]
fn a_side_pot_without_a_valid_hand_goes_the_same_way() {
    for (no_winner, stacks, carried) in [("split", [35, 45, 10], 0), ("carry", [25, 45, 0], 20)] {
        let hands = ["Q3-6 A7 M8 E5 D5 J5", NOTHING[0], NOTHING[1]];
        let mut t = uneven(&hands, "B3 E9 E10", json!({"no_winner": no_winner}));
        t.play(&[(1, "bet 10"), (2, "raise 10"), (0, "match")]);
        t.pass_rabble();
        assert_eq!(t.pots()[0], (45, vec![1], "court of queens over nothing".to_owned()));
        assert_eq!((t.stacks(), t.view().carried), (stacks.to_vec(), carried));
    }
}

#[test]
fn a_hand_won_by_folds_is_not_shown_and_its_courts_count_nothing() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    t.reach_the_final_round();
    t.play(&[(0, "fold")]);
    assert_eq!(t.stacks(), [190, 210], "with a court of knights in hand");
    assert!(t.told("shown").is_empty() && t.showed().is_empty());
}

#[test]
fn leaderboards_count_each_court_of_knights_that_is_shown() {
    // Of the second two, one gets three knights as rabble and has nine.
    let nine = ["Q3-8 N1 N11-12", "N3-8 D4 J4 B4"];
    for (hands, courts) in [([COURTS[0], COURTS[1]], 1), (nine, 2)] {
        let mut t = table(2, 1, json!({}));
        t.deal(&hands, LUCK);
        t.play_out();
        let counted: Vec<_> = t.facts.iter().filter_map(|(_, fact)| KnightsHeads::counted(fact)).collect();
        assert_eq!(counted, [(1, "courts_of_knights", courts)]);
    }
    assert_eq!(KnightsHeads::COUNTERS, ["courts_of_knights"]);
}

#[test]
fn the_last_hand_stays_on_show_while_the_next_is_played() {
    let mut t = table(2, 1, json!({}));
    t.deal(&COURTS[..2], LUCK);
    t.reach_the_final_round();
    t.play(&[(0, "bet 5"), (1, "call")]);
    t.shuffle(&[]);
    assert_eq!(t.view().hand, 2);
    let shown = |seat: u8, text: &str, got: [&str; 3], face: &str, words: &str, courts: u8| {
        json!({
            "seat": seat, "cards": cards(text), "got": got, "made": "court", "words": words,
            "faces": [face], "notables": 0, "courts_of_knights": courts,
        })
    };
    assert_eq!(
        json!(t.last_hand()),
        json!({
            "hand": 1,
            "dealer": 1,
            "caller": 1,
            "shown": [
                shown(0, "Q3-6 A3 M8 E3 D4 J4 B4", ["B4", "J4", "D4"], "Q", "court of queens", 0),
                shown(1, "N3-6 A4 M4 E4 D3 J3 B3", ["B3", "J3", "D3"], "N", "court of knights", 1),
            ],
            "unmatched": null,
            "pots": [{
                "chips": 30, "seats": [0, 1], "shares": [{"seat": 0, "chips": 30}],
                "why": "faces", "words": "court of queens over court of knights",
            }],
        })
    );
}
