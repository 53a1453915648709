//! The kinds of games, and what can be asked about one.

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Reply;

/// Asks for ten cards as in `Q3 Q4 …`.
async fn rank(app: &TestApp, cards: &str) -> Reply {
    let cards: Vec<&str> = cards.split(' ').collect();
    app.anon().post("/v1/kinds/knights_heads/rank", &json!({"cards": cards})).await
}

#[tokio::test]
async fn anyone_may_ask_what_ten_cards_make() {
    let app = TestApp::start().await;
    let examples = [
        (
            "N3 N4 N5 N6 A4 M4 D3 J3 B1 E4",
            json!({
                "hand": "court", "rank": 22, "faces": ["N"], "notables": 1, "courts_of_knights": 1,
                "words": "Court: four cards of one face (knights)",
            }),
        ),
        (
            "B1 B2 Q1 Q2 K1 K2 D1 D2 J1 J2",
            json!({
                "hand": "house_of_twins", "rank": 11, "faces": ["K", "Q", "D", "J", "B"], "notables": 10,
                "courts_of_knights": 0,
                "words": "House of Twins: both notable cards of five faces \
                          (kings, queens, dancers, jugglers and blacksmiths)",
            }),
        ),
        (
            "N1 N2 N3 N4 N5 N6 N7 N8 N9 N10",
            json!({
                "hand": "dynasty", "rank": 1, "faces": ["N"], "notables": 2, "courts_of_knights": 2,
                "words": "Dynasty: ten cards of one face (knights)",
            }),
        ),
        (
            "K3 N3 A3 A4 M3 M4 E4 D4 J4 E9",
            json!({
                "hand": "nothing", "rank": null, "faces": [], "notables": 0, "courts_of_knights": 0,
                "words": "Nothing: no valid hand",
            }),
        ),
        (
            "K3 N3 A3 A4 M3 M4 E4 D4 J4 A9",
            json!({
                "hand": "triplet", "rank": 26, "faces": ["A"], "notables": 0, "courts_of_knights": 0,
                "words": "Triplet: three cards of one face (armorers)",
            }),
        ),
    ];
    for (cards, expected) in examples {
        assert_eq!(rank(&app, cards).await.ok(), expected, "{cards}");
    }
}

#[tokio::test]
async fn anyone_may_leave_triplets_out() {
    let app = TestApp::start().await;
    let triplet: Vec<&str> = "K3 N3 A3 A4 M3 M4 E4 D4 J4 A9".split(' ').collect();
    for (triplet_counts, hand) in [(true, "triplet"), (false, "nothing")] {
        let asked = json!({"cards": triplet, "triplet_counts": triplet_counts});
        assert_eq!(app.anon().post("/v1/kinds/knights_heads/rank", &asked).await.ok()["hand"], hand);
    }
}

#[tokio::test]
async fn what_are_not_ten_different_cards_of_the_deck_is_refused() {
    let app = TestApp::start().await;
    for (cards, detail) in [
        ("N3 N4 N5 N6 A4 M4 D3 J3 B1", "a hand holds ten cards, and here are 9"),
        ("N3 N4 N5 N6 A4 M4 D3 J3 B1 E4 E5", "a hand holds ten cards, and here are 11"),
        ("N3 N4 N5 N6 A4 M4 D3 J3 B1 N3", "the deck holds N3 once"),
        ("N3 N4 N5 N6 A4 M4 D3 J3 B1 K9", "`K9` is no card of this deck"),
    ] {
        let reply = rank(&app, cards).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (422, "invalid_body"), "{cards}");
        assert!(reply.body["detail"].as_str().unwrap().starts_with(detail), "{}", reply.body);
    }
}

#[tokio::test]
async fn a_body_of_another_form_ranks_nothing() {
    let app = TestApp::start().await;
    let ten: Vec<String> = (1..=10).map(|number| format!("N{number}")).collect();
    let wrong: [Value; 4] = [
        json!({}),
        json!({"cards": null}),
        json!({"cards": [1]}),
        json!({"cards": ten, "triplet_counts": "false"}),
    ];
    for body in wrong {
        let reply = app.anon().post("/v1/kinds/knights_heads/rank", &body).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (422, "invalid_body"), "{body}");
    }
}
