//! Knights' Heads: what a client learns that asks what ten cards make.

use cardroom_core::rules::Refusal;
use cardroom_core::rules::registry::by_name;
use serde_json::{Value, json};

use super::cards;

fn rank(asked: &Value) -> Result<Value, Refusal> {
    let ranking = by_name("knights_heads").unwrap().ranking.unwrap();
    (ranking.rank)(&asked.to_string()).map(|answer| serde_json::from_str(answer.get()).unwrap())
}

fn words(text: &str) -> String {
    rank(&json!({"cards": cards(text)})).unwrap()["words"].as_str().unwrap().to_owned()
}

#[test]
fn the_answer_holds_all_that_a_hand_is_compared_by() {
    let answer = rank(&json!({"cards": cards("N3-6 A4 M4 D3 J3 B1 E4")})).unwrap();
    let expected = json!({
        "hand": "court", "rank": 22, "faces": ["N"], "notables": 1, "courts_of_knights": 1,
        "words": "Court: four cards of one face (knights)",
    });
    assert_eq!(answer, expected);
}

#[test]
fn a_triplet_counts_unless_the_client_says_otherwise() {
    let triplet = cards("K3-5 Q3 A3 M3 E3 D3 J3 B3");
    for asked in [json!({"cards": triplet}), json!({"cards": triplet, "triplet_counts": true})] {
        assert_eq!(rank(&asked).unwrap()["hand"], "triplet", "{asked}");
    }
    let without = rank(&json!({"cards": triplet, "triplet_counts": false})).unwrap();
    let nothing = json!({
        "hand": "nothing", "rank": null, "faces": [], "notables": 0, "courts_of_knights": 0,
        "words": "Nothing: no valid hand",
    });
    assert_eq!(without, nothing);
}

#[test]
fn what_is_better_than_a_triplet_is_the_same_without_it() {
    for text in ["D1-2 A3-5 K3 N3 J3 B3-4", "K3-5 Q3-5 A3 M3 E3 B3", "N3-5 D3-5 J3-6"] {
        let with = rank(&json!({"cards": cards(text)})).unwrap();
        let without = rank(&json!({"cards": cards(text), "triplet_counts": false})).unwrap();
        assert_eq!(with, without, "{text}");
        assert_ne!(with["hand"], "nothing", "{text}");
    }
}

#[test]
fn whether_a_triplet_counts_is_true_or_false_and_nothing_else() {
    for wrong in [json!(null), json!("false"), json!(0), json!([])] {
        let asked = json!({"cards": cards("N1-10"), "triplet_counts": wrong});
        assert_eq!(rank(&asked).unwrap_err().code, "invalid_body", "{asked}");
    }
}

#[test]
fn the_words_say_what_the_hand_takes_and_which_faces_decide() {
    let told = [
        ("K3-4 Q5-6 N7-8 E9-11 B3", "Royal Family: a king, a queen and two knights"),
        ("A5-6 M5-6 E5-6 D5-6 J5 B5", "Hamlet: no king, no queen and no knight"),
        ("Q1-10", "Dynasty: ten cards of one face (queens)"),
        ("Q3-7 J3-7", "House Divided: five cards of one face and five of another (queens and jugglers)"),
        (
            "K1-2 Q1-2 A1-2 M1-2 E3 D5",
            "Court of Twins: both notable cards of four faces (kings, queens, armorers and merchants)",
        ),
    ];
    for (text, expected) in told {
        assert_eq!(words(text), expected);
    }
}
