//! Reviews over HTTP: of games that are over, for callers that may see these games, and the same from every replica.

use diesel_async::RunQueryDsl;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::{Client, Reply};
use crate::random::orders::list;

/// A game of bots that is over.
async fn over(app: &TestApp, creator: &Client, kind: &Value, bots: &[&str]) -> String {
    let least = kind["seats"]["min"].as_u64().unwrap() as usize;
    let bots: Vec<&str> = bots.iter().copied().cycle().take(least).collect();
    let game = creator.post("/v1/games", &json!({"kind": kind["kind"], "bots": bots})).await.ok();
    app.tick().await;
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_review_tells_of_each_decision_what_its_seat_saw_and_what_it_could_have_done() {
    let app = TestApp::start().await;
    let (ann, anon) = (app.user("ann").await, app.anon());
    for kind in list(&anon.get("/v1/kinds").await.ok()["items"]) {
        let path = over(&app, &ann, kind, &["steady", "random"]).await;
        let mut decisions = 0;
        let id = path.rsplit('/').next().unwrap().parse().unwrap();
        for n in 1..=2 {
            let hand = anon.get(&format!("{path}/hands/{n}")).await.ok();
            let review = anon.get(&format!("{path}/hands/{n}/review")).await.ok();
            assert_eq!((&review["hand"], &review["kind"]), (&json!(n), &kind["kind"]));
            assert_eq!(list(&review["seats"]).len(), list(&hand["players"]).len());
            for decision in list(&review["decisions"]) {
                let found = list(&hand["entries"]).iter().find(|entry| entry["seq"] == decision["seq"]);
                let entry = found.unwrap_or_else(|| panic!("{decision} is not of this hand"));
                assert_eq!((&entry["seat"], &entry["player"]), (&decision["seat"], &decision["player"]));
                assert_eq!(entry["action"], decision["taken"]);
                decisions += 1;
                let version = decision["seq"].as_u64().unwrap() as u32 - 1;
                let before = app.app.games.look_back(id, None, version).await.unwrap();
                let seen = before.at_seat(decision["seat"].as_u64().unwrap() as u8).unwrap();
                assert_eq!(decision["view"], serde_json::from_str::<Value>(seen.view.get()).unwrap());
                let actions = list(&decision["actions"]);
                assert!(actions.iter().any(|action| action["action"] == decision["taken"]), "{decision}");
            }
            let words = anon.clone().with("accept", "text/plain");
            let text = words.get(&format!("{path}/hands/{n}/review")).await.ok();
            let told = |player: &Value| text.as_str().unwrap().contains(player.as_str().unwrap());
            assert!(list(&hand["players"]).iter().all(told), "{text}");
        }
        assert!(decisions > 0, "{}", kind["kind"]);
    }
}

#[tokio::test]
async fn the_review_of_a_game_adds_up_those_of_its_hands() {
    let app = TestApp::start().await;
    let (ann, anon) = (app.user("ann").await, app.anon());
    for kind in list(&anon.get("/v1/kinds").await.ok()["items"]) {
        let path = over(&app, &ann, kind, &["steady", "random"]).await;
        let review = anon.get(&format!("{path}/review")).await.ok();
        let (mut luck, mut cost, mut decisions) = (0.0, 0.0, 0);
        let hands = list(&anon.get(&format!("{path}/hands?limit=200")).await.ok()["items"]).len();
        for n in 1..=hands {
            let hand = anon.get(&format!("{path}/hands/{n}/review")).await.ok();
            luck += hand["seats"][1]["luck"].as_f64().unwrap();
            cost += hand["seats"][1]["cost"].as_f64().unwrap();
            decisions += list(&hand["decisions"]).iter().filter(|decision| decision["seat"] == 1).count();
        }
        let random = &review["seats"][1];
        assert_eq!((&review["hands"], &review["hands_left_out"]), (&json!(hands), &json!(0)));
        assert_eq!(random["decisions"], decisions, "{random}");
        assert!((random["luck"].as_f64().unwrap() - luck).abs() < 0.001, "{random} {luck}");
        assert!((random["cost"].as_f64().unwrap() - cost).abs() < 0.001, "{random} {cost}");
        let text = anon.clone().with("accept", "text/plain").get(&format!("{path}/review")).await.ok();
        assert!(text.as_str().unwrap().contains("random (seat 1): luck"), "{text}");
    }
}

/// Changes what is kept of reviews; returns how many were.
async fn change_kept(app: &TestApp, sql: &str) -> usize {
    diesel::sql_query(sql).execute(&mut app.database.connection().await).await.unwrap()
}

#[tokio::test]
async fn every_replica_comes_to_the_same_review_byte_for_byte() {
    let app = TestApp::start().await;
    let (other, ann) = (app.replica().await, app.user("ann").await);
    for kind in list(&app.anon().get("/v1/kinds").await.ok()["items"]) {
        let path = over(&app, &ann, kind, &["steady", "novice"]).await;
        for what in ["hands/1/review", "review", "luck"] {
            let of = async |app: &TestApp| {
                let url = format!("{}{path}/{what}", app.base());
                reqwest::get(url).await.unwrap().error_for_status().unwrap().bytes().await.unwrap()
            };
            // The second answer is the one that was kept.
            let (one, again) = (of(&app).await, of(&app).await);
            assert!(change_kept(&app, "DELETE FROM reviews").await >= 1);
            assert_eq!((&one, &one), (&again, &of(&other).await));
        }
    }
}

#[tokio::test]
async fn a_review_is_computed_once_for_all_replicas_and_anew_if_it_cannot_be_read_or_is_of_another_method() {
    let app = TestApp::start().await;
    let (other, ann) = (app.replica().await, app.user("ann").await);
    let kind = app.anon().get("/v1/kinds/sevens").await.ok();
    let path = format!("{}/hands/1/review", over(&app, &ann, &kind, &["steady", "random"]).await);
    let worlds = async |app: &TestApp| app.anon().get(&path).await.ok()["worlds"].as_u64().unwrap();
    let computed = worlds(&app).await;
    let kept = "UPDATE reviews SET review = replace(review, '\"worlds\":', '\"worlds\":7')";
    assert_eq!(change_kept(&app, kept).await, 1);
    for app in [&app, &other] {
        assert_eq!(
            worlds(app).await.to_string(),
            format!("7{computed}"),
            "it was kept, and not computed again"
        );
    }
    for spoil in ["UPDATE reviews SET method = 'another'", "UPDATE reviews SET review = '{'"] {
        assert_eq!(change_kept(&app, spoil).await, 1);
        assert_eq!((worlds(&other).await, worlds(&app).await), (computed, computed));
        assert_eq!(change_kept(&app, kept).await, 1);
    }
}

#[tokio::test]
async fn a_review_is_for_those_who_may_see_the_game_once_it_is_over() {
    let app = TestApp::start().await;
    let (ann, bob, anon) = (app.user("ann").await, app.user("bob").await, app.anon());
    let running = json!({"kind": "sevens", "sit": true, "bots": ["steady"]});
    let game = ann.post("/v1/games", &running).await.ok();
    let path = format!("/v1/games/{}/hands/1/review", game["id"].as_str().unwrap());
    assert_eq!(ann.get(&path).await.code(), "not_finished");
    assert_eq!(ann.get(&path.replace("/hands/1", "")).await.code(), "not_finished");
    let private = json!({"kind": "sevens", "bots": ["steady", "steady"], "visibility": "private"});
    let game = ann.post("/v1/games", &private).await.ok();
    app.tick().await;
    let path = format!("/v1/games/{}/hands", game["id"].as_str().unwrap());
    ann.get(&format!("{path}/1/review")).await.ok();
    for n in ["0", "99"] {
        assert_eq!(ann.get(&format!("{path}/{n}/review")).await.code(), "hand_not_found");
    }
    assert!(ann.get(&path.replace("/hands", "/review")).await.ok()["seats"].is_array());
    for stranger in [&bob, &anon] {
        assert_eq!(stranger.get(&path.replace("/hands", "/review")).await.code(), "game_not_found");
        assert_eq!(stranger.get(&format!("{path}/1/review")).await.code(), "game_not_found");
    }
}

#[tokio::test]
async fn one_network_does_not_take_all_places_where_reviews_wait() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let kind = app.anon().get("/v1/kinds/royal_gambit").await.ok();
    let mut paths = Vec::new();
    for _ in 0..8 {
        paths.push(format!("{}/review", over(&app, &ann, &kind, &["steady", "random"]).await));
    }
    let asked = paths.iter().map(async |path| app.anon().get(path).await);
    let answers = futures_util::future::join_all(asked).await;
    let refused: Vec<&Reply> = answers.iter().filter(|answer| answer.status != 200).collect();
    assert!((1..=4).contains(&refused.len()), "{}", refused.len());
    for answer in refused {
        assert!(answer.body["detail"].as_str().unwrap().contains("for your network"), "{}", answer.body);
    }
    // A place is free again when its review is there.
    for path in &paths[..2] {
        app.anon().get(path).await.ok();
    }
}
