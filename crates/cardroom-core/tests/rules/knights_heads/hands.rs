//! Knights' Heads: hands that make each line of the table, hands that just miss it, and which is better.

use cardroom_core::rules::knights_heads::hands::{self, Hand, Ranked};

use super::cards;

fn ranked(text: &str) -> Ranked {
    hands::rank(&cards(text), true)
}

fn slug(text: &str) -> String {
    slug_of(ranked(text).hand)
}

fn slug_of(hand: Hand) -> String {
    serde_json::to_value(hand).unwrap().as_str().unwrap().to_owned()
}

/// A hand's slug, cards that make it, and cards that just miss it with what they are instead.
type Example = (&'static str, [&'static str; 3], [(&'static str, &'static str); 3]);

#[rustfmt::skip]
const EXAMPLES: [Example; 26] = [
    ("dynasty", ["Q1-10", "B3-12", "N1-2 N4-9 N11-12"], [
        ("Q1-9 K1", "twin_courts"), ("D1-9 J1", "twin_courts"), ("K1-8 Q1-2", "council_of_kings"),
    ]),
    ("council_of_kings", ["K1-8 Q1-2", "K1-8 D3 B7", "K1-8 N1-2"], [
        ("K1-7 Q1-3", "royal_house"), ("K1-7 D1-3", "court"), ("K2-8 N1 Q1 B4", "court"),
    ]),
    ("twin_courts", ["Q1-8 K1-2", "B1-9 D1", "A2-9 M1 J1"], [
        ("A1-7 B1-3", "hamlet"), ("N1-7 D1-3", "court"), ("Q1-7 K1-3", "royal_house"),
    ]),
    ("kingdom", [
        "K1 N1-3 A1 M1 E1 D12 J1 B1", "K8 N10-12 A7 M3 E5 D12 J7 B11", "K4 N2 N5 N9 A12 M7 E12 D12 J3 B2",
    ], [
        ("K1 N1-3 A1 M1 E1 D1 J1 B1", "twins"),
        ("K8 N10-12 A7 M8 E5 D12 J7 B11", "triplet"),
        ("K8 Q1 N11-12 A7 M3 E5 D12 J7 B11", "queendom"),
    ]),
    ("royal_house", ["K1-3 Q1-3 N1-4", "Q1-3 N1-7", "K3-7 Q3-7"], [
        ("K1-3 Q1-3 N1-3 A1", "royal_family"), ("K1-2 Q1-2 N1-5 D1", "royal_assembly"), ("K1-4 Q3-7 B12", "council"),
    ]),
    ("queendom", [
        "K1 Q1 N1-2 A1 M1 E1 D1 J1 B1", "K8 Q12 N5 N9 A3 M8 E4 D12 J2 B12", "K2 Q7 N11-12 A12 M12 E12 D6 J12 B6",
    ], [
        ("K1 Q1-2 N1 A1 M1 E1 D1 J1 B1", "twins"),
        ("K1 K3 Q5 N4 A5 M6 E7 D8 J9 B10", "nothing"),
        ("K3 Q3 N3-5 A3 M3 E3 J3 B3", "royal_family"),
    ]),
    ("ladies_in_waiting", ["Q1-3 M2 M8 D1-2 J2 J8 B12", "Q4-5 M8-10 D3-4 J8-9 B12", "Q1 M2 D1-6 J2 B12"], [
        ("Q1-3 M1 M8 D1-2 J2 J8 B12", "pair_of_twins"),
        ("M2 M8-9 D1-3 J2 J8-9 B12", "hamlet"),
        ("Q1 Q3-4 M2 M8-9 D1 D3 J2 J8", "pair_of_triplets"),
    ]),
    ("war_room", ["K1 N1 A1-4 B1-4", "K8 N12 A9-12 B9-12", "K3 N3 A1 A5-7 B2-3 B8 B12"], [
        ("K1 K3 A1-4 B1-4", "council"), ("K1 Q1 A1-4 B1-4", "council"), ("K1 N1 A3-7 B3-5", "court"),
    ]),
    ("house_divided", ["A1-5 B1-5", "K1-5 D1-5", "M8-12 E1-5"], [
        ("A1-6 B1-4", "council"), ("K1-5 Q1-5", "royal_house"), ("A1-5 B1-3 K1-2", "three_twins"),
    ]),
    ("entourage", ["A1-4 E1-4 M1-2", "A9-12 E9-12 M3 M8", "A2 A4 A6 A8 E1 E3 E5 E7 M11-12"], [
        ("A1-4 E1-4 M1 D3", "council"), ("A1-5 E1-3 M1-2", "hamlet"), ("A1-4 E1-4 J1-2", "council"),
    ]),
    ("house_of_twins", ["K1-2 Q1-2 A1-2 M1-2 E1-2", "A1-2 M1-2 D1-2 J1-2 B1-2", "K1-2 Q1-2 N1-2 D1-2 B1-2"], [
        ("K1-2 Q1-2 A1-2 M1-2 E1 E3", "court_of_twins"),
        ("A1-2 M1 M3 D1-2 J1-2 B1-2", "court_of_twins"),
        ("K1-2 Q1-2 A1-2 M1 M3 E1 E3", "house_of_mirrors"),
    ]),
    ("royal_assembly", ["K1-2 Q1-2 N1-4 A1-2", "K3-4 Q3-4 N5-8 D1 B1", "K1-3 Q1-2 N1-4 J7"], [
        ("K1 Q1-2 N1-4 A1 A3-4", "royal_family"),
        ("K1-2 Q1-2 N1-3 A1-3", "court_of_twins"),
        ("K3-4 Q5-8 N5-6 B1 B4", "royal_family"),
    ]),
    ("gala", ["D1-4 J1-4 M1-2", "D9-12 J9-12 M3-4", "D1 D3 D5 D7 J2 J4 J6 J8 M9-10"], [
        ("D1-4 J1-4 M1 B1", "council"), ("D1-4 J1-4 A1-2", "council"), ("D1-5 J1-3 M1-2", "hamlet"),
    ]),
    ("council", ["K1-4 D1-4 A1 B1", "N5-9 E1-4 M1", "Q1-6 J1-4"], [
        ("K1-4 D1-3 A1 B1 E1", "court"), ("N3-9 E3-5", "court"), ("Q3-5 M3-5 D3-6", "three_triplets"),
    ]),
    ("court_of_twins", ["K1-2 N1-2 M1-2 B1-2 A3 E4", "Q1-2 D1-2 J1-2 E1-4", "K1-2 Q1-2 N1-3 A1-3"], [
        ("K1-2 N1-2 M1-2 B1 B3 A3 E4", "three_twins"),
        ("Q1-2 D1-2 J1-2 E1 E3-5", "three_twins"),
        ("K1-2 Q1-2 N1-2 A1 A3 B4-5", "house_of_mirrors"),
    ]),
    ("house_of_mirrors", ["K3-4 Q3-4 N3-4 A3-4 M3-4", "A1 A3 E1 E3 D1 D3 J1 J3 B1 B3", "K1-2 N1-2 M1-2 E3-4 B3-4"], [
        ("K3-4 Q3-4 N3-4 A3-4 M3 E3", "royal_family"),
        ("A1 M1 E1 E3 D1 D3 J1 J3 B1 B3", "hamlet"),
        ("K3-4 N3-4 M3-4 E3-4 B3 D3", "nothing"),
    ]),
    ("hamlet", ["A1-3 M1-2 E1 D1 J1 B1-2", "A5-6 M5-6 E5-6 D5-6 J5 B5", "B3-9 J3-5"], [
        ("A5-6 M5-6 E5-6 D5-6 J5 Q5", "nothing"), ("A1-3 M1-2 E1 D1 J1 B1 N1", "pair_of_twins"), ("B3-9 J3-4 K1", "court"),
    ]),
    ("royal_family", ["K1 Q1 N1-2 A1-2 M1-2 B3-4", "K8 Q8 N8-11 D3-5 J5", "K3-4 Q5-6 N7-8 E9-11 B3"], [
        ("K1 Q1 N1 A1-2 M1-2 B3-4 E5", "pair_of_twins"),
        ("K7-8 N8-11 D3-5 J5", "court"),
        ("Q5-6 N7-8 E9-11 B3-4 A4", "triplet"),
    ]),
    ("three_twins", ["K1-2 A1-2 M1-2 E3 D5 J7 B9", "Q1-2 J1-2 B1-4 N5-6", "N1-2 E1-2 D1-5 K1"], [
        ("K1-2 A1-2 M1 M3 E3 D5 J7 B9", "pair_of_twins"),
        ("Q1-2 J1-2 B1 B3-5 N5-6", "court"),
        ("K1-2 A1-2 M1 D4-7 Q3", "family"),
    ]),
    ("family", ["K1 N1 A1 M1 E1 Q1 Q3 D1 J2 J8", "N3-7 Q3-4 D3-4 J8", "B1-2 A1-2 E1 Q1 Q3-4 M2 J2"], [
        ("K1 N1 A1 M1 E1 Q1 Q3 D1 J2 J3", "nothing"),
        ("N3-8 Q3-4 D3-4", "court"),
        ("B1-2 A1-2 E1 Q1 Q3-4 M2 J1", "pair_of_twins"),
    ]),
    ("three_triplets", ["K1 K3-4 A1 A3-4 E1 E3-4 B1", "N3-5 D3-5 J3-6", "Q1-3 M1-3 B1 B3-4 E5"], [
        ("K1 K3-4 A1 A3-4 E1 E3 B1 B3", "pair_of_triplets"),
        ("N3-5 D3-5 J3-4 B5-6", "pair_of_triplets"),
        ("Q1-3 M1-3 B1 B3 E5-6", "pair_of_twins"),
    ]),
    ("court", ["K1-4 A1 M1 E1 D1 J1 B1", "N3-6 Q5 D5 J5 B5 E5 A5", "J1-7 K1-2 Q1"], [
        ("K1 K3-4 A1 M1 E1 D1 J1 B1 B3", "triplet"),
        ("N3-5 Q5 D5 J5 B5 E5 A5-6", "triplet"),
        ("J1-3 K1-2 Q1 B3 E3 A3 D3", "pair_of_twins"),
    ]),
    ("pair_of_twins", ["K1-2 Q1-2 A3 M3 E3 D3 J3 B3", "D1-2 B1-2 N3-5 A3-5", "E1-2 M1-3 Q4-6 K3 N3"], [
        ("K1-2 Q1 Q3 A3 M3 E3 D3 J3 B3", "twins"),
        ("D1-2 B1 B3 N3-5 A3-5", "pair_of_triplets"),
        ("K1 K3 Q1 Q3 A3 M3 E3 D3 J3 B3", "nothing"),
    ]),
    ("pair_of_triplets", ["K3-5 Q3-5 A3 M3 E3 B3", "N1-3 D3-5 J3-4 B5 E5", "M8-10 E4-6 Q3 K5-6 B1"], [
        ("K3-5 Q3-4 A3 M3 E3 B3-4", "triplet"),
        ("N1-3 D3-4 J3-4 B5-6 E5", "twins"),
        ("K3-4 Q3-4 A3 M3 E3 B3-4 D4", "nothing"),
    ]),
    ("twins", ["K1-2 Q3 A3 M3 E3 D3 J3 B3-4", "Q1-3 N3 A4 M4 E4 D4 J4 B4", "D1-2 A3-5 K3 N3 J3 B3-4"], [
        ("K1 K3 Q3 A3 M3 E3 D3 J3 B3-4", "nothing"),
        ("Q1 Q3-4 N3 A4 M4 E4 D4 J4 B4", "triplet"),
        ("D2-3 A3-5 K3 N3 J3 B3-4", "triplet"),
    ]),
    ("triplet", ["K3-5 Q3 A3 M3 E3 D3 J3 B3", "B10-12 Q9 N9 A9 M3 E9 D9 J9", "N4-6 Q4-5 A4-5 E4 D4 J4"], [
        ("K3-4 Q3-4 A3 M3 E3 D3 J3 B3", "nothing"),
        ("B10-11 Q9-10 N9 A9 M3 E9 D9 J9", "nothing"),
        ("N4-5 Q4-5 A4-5 E4-5 D4 J4", "nothing"),
    ]),
];

#[test]
fn each_line_of_the_table_is_made_by_its_examples_and_just_missed_by_the_others() {
    for (hand, makes, misses) in EXAMPLES {
        let makes = makes.map(|text| (text, hand));
        for (text, expected) in makes.into_iter().chain(misses) {
            assert_eq!(cards(text).len(), 10, "{text}");
            assert_eq!(slug(text), expected, "{text}, beside {hand}");
        }
    }
}

#[test]
fn a_line_beats_the_next_whatever_cards_make_it() {
    assert_eq!(EXAMPLES.map(|example| example.0.to_owned()), *Hand::all().map(slug_of).collect::<Vec<_>>());
    for [(better, highs, _), (worse, lows, _)] in EXAMPLES.array_windows() {
        for (high, low) in highs.iter().flat_map(|high| lows.iter().map(move |low| (high, low))) {
            assert!(ranked(high) > ranked(low), "{better} {high} over {worse} {low}");
        }
    }
    assert!(ranked("K3-5 Q3 A3 M3 E3 D3 J3 B3") > ranked("K1 K3 Q1 Q3 A3 M3 E3 D3 J3 B3"));
}

#[test]
fn equal_hands_are_told_apart_by_their_faces_and_then_by_notable_cards() {
    let better_and_worse = [
        ("Q3-12", "N1-10"),
        ("Q3-10 B3-4", "N1-9 K1"),
        ("K3-7 B3-7", "A1-5 M1-5"),
        ("K3-7 D3-7", "K1-5 J1-5"),
        ("A3-8 B3-6", "M1-4 E1-6"),
        ("N3-6 A3-7 B4", "N1-5 M1-4 K1"),
        ("K1-2 Q1-2 N1-2 A1-2 B1-2", "K1-2 Q1-2 N1-2 M1-2 E1-2"),
        ("K1-2 A1-2 J1-2 B1-2 D3-4", "Q1-2 A1-2 M1-2 E1-2 K1 N1"),
        ("Q3-4 N3-4 E3-4 J3-4 B3-4", "Q1 Q3 N1 N3 D1-2 J1-2 B1-2"),
        ("K1-2 N1-2 B1-2 E3 D5 J7 A9", "K1-2 A1-2 M1-2 E1 D1 J1 B1"),
        ("K3-5 N3-5 B3-5 D3", "K1 K3-4 A1 A3-4 E1 E3-4 B1"),
        ("N3-6 Q5 D5 J5 B5 E5 A5", "E1-4 N1 N3 Q1 D1 J1 A1"),
        ("K1-2 J1-2 A3 M3 E3 D3 N3 B3", "Q1-2 A1-2 K1 N1 M1 E1 D1 J1"),
        ("K3-5 B3-5 A3 M3 E3 N4", "Q1 Q3-4 N1 N3-4 A1 M1 E1 J1"),
        ("D1-2 A3-5 K3 N3 J3 B3-4", "J1-2 A1 A3-4 K1 N1 D1 B1 B3"),
        ("K3-5 Q3 A3 M3 E3 D3 J3 B3", "N1 N4-5 Q1 A1 M1 E1 D1 J1 B1"),
        // The faces level, or none to compare: more notable cards.
        ("K1-3 Q1-3 N1-4", "K1-3 Q1-3 N2-5"),
        ("K1 Q3 N3-4 A3 M3 E3 D3 J3 B3", "K3 Q3 N3-4 A3 M3 E3 D3 J3 B3"),
        ("N1 N3-5 Q5 D5 J5 B5 E5 A5", "N3-6 Q5 D5 J5 B5 E5 A5"),
        ("A5-6 M5-6 E5-6 D5-6 J2 B1", "A5-6 M5-6 E5-6 D5-6 J2 B5"),
        ("K3-8 Q1 Q3-5", "N3-8 Q6-9"),
    ];
    for (better, worse) in better_and_worse {
        let (high, low) = (ranked(better), ranked(worse));
        assert_eq!(high.hand, low.hand, "{better} and {worse}");
        assert!(high > low, "{high} ({better}) over {low} ({worse})");
    }
}

#[test]
fn hands_of_the_same_faces_and_as_many_notable_cards_are_equal() {
    assert_eq!(ranked("N1 N3-5 Q5 D5 J5 B5 E5 A5"), ranked("N2 N7-9 Q6 D6 J6 B6 E6 A6"));
    assert_eq!(ranked("A5-6 M5-6 E5-6 D5-6 J5 B5"), ranked("B3-9 J3-5"));
    assert_eq!(ranked("K3-7 Q3-7"), ranked("Q3-5 N3-9"));
}

#[test]
fn a_triplet_is_nothing_where_it_does_not_count() {
    let triplet = cards("K3-5 Q3 A3 M3 E3 D3 J3 B3");
    assert_eq!(hands::rank(&triplet, true).to_string(), "triplet of kings");
    let nothing = hands::rank(&triplet, false);
    assert_eq!((nothing.hand, nothing.faces.iter().count()), (Hand::Nothing, 0));
    let two = hands::rank(&cards("K3-5 Q3-5 A3 M3 E3 B3"), false);
    assert_eq!(two.hand, Hand::PairOfTriplets);
}

#[test]
fn four_knights_are_a_court_and_eight_are_two() {
    let courts = |text| hands::courts_of_knights(&cards(text));
    assert_eq!(courts("N1-3 K1 Q1 A1 M1 E1 D1 J1"), 0);
    assert_eq!(courts("N1-4 K1-2 Q1-2 A1 M1"), 1);
    assert_eq!(courts("N1-7 D1-3"), 1);
    assert_eq!(courts("N1-8 D1-2"), 2);
    assert_eq!(courts("N1-10"), 2);
}

#[test]
fn hands_are_told_in_words() {
    let words = [
        ("Q1-10", "dynasty of queens"),
        ("K1-8 D3 B7", "council of kings"),
        ("Q1-8 K1-2", "twin courts of queens"),
        ("K1-5 D1-5", "house divided: kings and dancers"),
        (
            "A1-2 M1-2 D1-2 J1-2 B1-2",
            "house of twins: armorers, merchants, dancers, jugglers and blacksmiths",
        ),
        ("N5-9 E1-4 M1", "council of knights and messengers"),
        ("A5-6 M5-6 E5-6 D5-6 J5 B5", "hamlet"),
        ("N3-5 D3-5 J3-6", "three triplets: knights, dancers and jugglers"),
        ("N3-6 Q5 D5 J5 B5 E5 A5", "court of knights"),
        ("D1-2 A3-5 K3 N3 J3 B3-4", "twins of dancers"),
        ("K3-4 Q3-4 A3 M3 E3 D3 J3 B3", "nothing"),
    ];
    for (text, expected) in words {
        assert_eq!(ranked(text).to_string(), expected);
    }
}

#[test]
fn a_ranked_hand_is_written_with_its_slug_and_the_letters_of_its_faces() {
    let written = serde_json::to_value(ranked("N1 N5-8 E1-4 M1")).unwrap();
    assert_eq!(written, serde_json::json!({"hand": "council", "faces": ["N", "E"], "notables": 4}));
}

#[test]
fn before_the_luck_card_only_what_no_card_can_undo_is_made() {
    assert_eq!(slug("K1 K3-4 Q3-5 N3-5"), "royal_family");
    assert_eq!(slug("K1 K3 Q1 Q3 N3-7"), "royal_assembly");
    assert_eq!(slug("A5-6 M5-6 E5-6 D5-6 J5"), "nothing");
    assert_eq!(slug("N1-5 Q1-4"), "council");
    assert_eq!(slug("K1-8 Q1"), "council_of_kings");
    assert_eq!(slug("N1 N3"), "nothing");
    assert_eq!(hands::rank(&[], true).hand, Hand::Nothing);
}
