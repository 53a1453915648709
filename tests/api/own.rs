//! What a caller plays and organises: `/v1/me/games`, `/v1/me/tournaments`, and what lists say of each game.

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::tournaments::{bots, made};
use crate::random::orders::list;

/// The ids of the games that a list shows.
async fn ids(client: &Client, path: &str) -> Vec<Value> {
    let page = client.get(path).await.ok();
    list(&page["items"]).iter().map(|game| game["id"].clone()).collect()
}

/// A game of two that has begun, and its path.
async fn begun(ann: &Client, bob: &Client, change: Value) -> (Value, String) {
    let mut wanted = json!({"kind": "sevens", "seats": 2, "sit": true, "turn_seconds": null});
    wanted.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    let game = ann.post("/v1/games", &wanted).await.ok()["id"].clone();
    let path = format!("/v1/games/{}", game.as_str().unwrap());
    bob.post(&format!("{path}/seats"), &json!({})).await.ok();
    (game, path)
}

#[tokio::test]
async fn own_games_say_whose_turn_it_is_as_the_game_does() {
    let app = TestApp::start().await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let (game, path) = begun(&ann, &bob, json!({"turn_seconds": 60})).await;
    for round in 0.. {
        let mut turns = 0;
        for player in [&ann, &bob] {
            let seen = player.get(&path).await.ok();
            let page = player.get("/v1/me/games").await.ok();
            let row = &page["items"][0];
            for field in ["id", "version", "to_act", "you", "deadline", "status", "turn_seconds"] {
                assert_eq!(row[field], seen[field], "{field} of {row}");
            }
            let is_turn = list(&seen["to_act"]).contains(&seen["you"]);
            assert_eq!(row["your_turn"], json!(is_turn));
            let expected = if is_turn { vec![game.clone()] } else { vec![] };
            assert_eq!(ids(player, "/v1/me/games?your_turn=true").await, expected);
            assert_eq!(ids(player, "/v1/me/games?your_turn=false").await.is_empty(), is_turn);
            turns += u32::from(is_turn);
        }
        if turns == 0 {
            assert!(round > 0);
            assert_eq!(ann.get(&path).await.ok()["status"], "finished");
            break;
        }
        app.pass(61).await;
    }
    let (_, path) = begun(&ann, &bob, json!({})).await;
    assert_eq!(ann.get(&path).await.ok()["status"], "active");
    // A viewer without a seat sees the same row without one.
    let row = app.anon().get("/v1/games?status=active").await.ok()["items"][0].clone();
    assert_eq!((&row["you"], &row["your_turn"]), (&json!(null), &json!(false)));
    assert_eq!(app.anon().get("/v1/me/games").await.code(), "unauthorized");
}

#[tokio::test]
async fn own_games_are_those_where_one_sits_or_sat_to_the_end_or_that_one_created() {
    let app = TestApp::start().await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let (over, path) = begun(&ann, &bob, json!({"turn_seconds": 5})).await;
    for _ in 0..2000 {
        if ann.get(&path).await.ok()["status"] == "finished" {
            break;
        }
        app.pass(6).await;
    }
    let (_, left) = begun(&ann, &bob, json!({"seats": 4})).await;
    bob.delete(&format!("{left}/seats/me")).await.ok();
    let open = ann.get(&left).await.ok()["id"].clone();
    let (running, _) = begun(&ann, &bob, json!({"visibility": "public"})).await;

    assert_eq!(ids(&ann, "/v1/me/games").await, [running.clone(), open.clone(), over.clone()]);
    assert_eq!(ids(&bob, "/v1/me/games").await, [running.clone(), over.clone()]);
    let nothing = Vec::new();
    for (client, query, expected) in [
        (&ann, "/v1/me/games?status=open", vec![&open]),
        (&ann, "/v1/me/games?status=finished", vec![&over]),
        (&ann, "/v1/me/games?status=finished&your_turn=true", nothing),
        (&ann, "/v1/me/games?timed=true", vec![&over]),
        (&ann, "/v1/me/games?free_seats=true", vec![&open]),
        (&bob, "/v1/games?free_seats=true", vec![&open]),
        (&bob, "/v1/games?timed=false&status=active", vec![&running]),
        (&bob, "/v1/games?max_turn_seconds=5", vec![&over]),
    ] {
        assert_eq!(ids(client, query).await.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    // A game that is over keeps its length and its seats.
    let (row, seen) = (ann.get("/v1/me/games?status=finished").await.ok(), ann.get(&path).await.ok());
    assert_eq!(row["items"][0]["version"], seen["version"]);
    assert_eq!(row["items"][0]["you"], seen["you"]);
    // A player who sits down again has joined last.
    bob.post(&format!("{left}/seats"), &json!({})).await.ok();
    assert_eq!(ids(&bob, "/v1/me/games").await, [open, running, over]);
    assert_eq!(bob.get("/v1/me/games").await.ok()["items"][0]["free_seats"], json!(2));
}

#[tokio::test]
async fn own_games_come_a_page_at_a_time() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    for _ in 0..5 {
        ann.post("/v1/games", &json!({"kind": "sevens", "sit": true})).await.ok();
    }
    let all = ids(&ann, "/v1/me/games").await;
    let (mut seen, mut path) = (Vec::new(), "/v1/me/games?limit=2".to_owned());
    loop {
        let page = ann.get(&path).await.ok();
        seen.extend(list(&page["items"]).iter().map(|game| game["id"].clone()));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/v1/me/games?limit=2&cursor={next}");
    }
    assert_eq!(seen, all);
    assert_eq!(all.len(), 5);
}

#[tokio::test]
async fn own_tournaments_are_those_that_one_organises_or_has_entered() {
    let app = TestApp::start().await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let first = made(&ann, json!({})).await;
    let second = made(&ann, json!({"name": "Winter cup"})).await;
    for path in [&first, &second] {
        bob.post(&format!("{path}/entries"), &json!({})).await.ok();
    }
    bob.delete(&format!("{first}/entries/me")).await.ok();
    let names = async |client: &Client, path: &str| {
        let page = client.get(path).await.ok();
        list(&page["items"]).iter().map(|row| row["name"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&ann, "/v1/me/tournaments").await, ["Winter cup", "Autumn cup"]);
    assert_eq!(names(&bob, "/v1/me/tournaments").await, ["Winter cup"]);
    ann.post(&format!("{second}/abort"), &json!(null)).await.ok();
    assert_eq!(names(&bob, "/v1/me/tournaments?status=aborted").await, ["Winter cup"]);
    assert_eq!(names(&ann, "/v1/me/tournaments?status=open").await, ["Autumn cup"]);
    assert_eq!(names(&ann, "/v1/me/tournaments?limit=1&cursor=2").await, ["Autumn cup"]);
}

#[tokio::test]
async fn an_account_takes_part_in_so_many_games_and_tournaments_at_a_time() {
    let app = TestApp::start_with(|settings| settings.participations_per_account = 2).await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let mut games = Vec::new();
    for _ in 0..3 {
        let game = ann.post("/v1/games", &json!({"kind": "sevens"})).await;
        games.push(game.header("location").unwrap().to_owned());
    }
    for path in &games[..2] {
        bob.post(&format!("{path}/seats"), &json!({})).await.ok();
    }
    let third = format!("{}/seats", games[2]);
    assert_eq!(bob.post(&third, &json!({})).await.code(), "too_many_games");
    let seats = bob.get(&games[2]).await.ok()["seats"].clone();
    assert!(list(&seats).iter().all(|seat| seat["player"].is_null()), "{seats}");
    bob.delete(&format!("{}/seats/me", games[0])).await.ok();
    bob.post(&third, &json!({})).await.ok();

    let carl = app.user("carl").await;
    let mut paths = Vec::new();
    for _ in 0..3 {
        let organiser = app.guest().await;
        paths.push(made(&organiser, json!({})).await);
    }
    for path in &paths[..2] {
        carl.post(&format!("{path}/entries"), &json!({})).await.ok();
    }
    assert_eq!(carl.post(&format!("{}/entries", paths[2]), &json!({})).await.code(), "too_many_games");
    carl.delete(&format!("{}/entries/me", paths[0])).await.ok();
    carl.post(&format!("{}/entries", paths[2]), &json!({})).await.ok();

    // What strangers do with an account counts apart: two more, and nothing of it keeps the account from entering.
    let dora = app.user("dora").await;
    let mut answers = Vec::new();
    for _ in 0..2 {
        let stranger = app.user(&format!("stranger{}", answers.len())).await;
        let path = made(&stranger, json!({})).await;
        answers.push(stranger.post(&format!("{path}/entries/bulk"), &entries("dora")).await);
        answers.push(stranger.post(&format!("{path}/organisers"), &referee("carl")).await);
    }
    assert!(answers.into_iter().all(|answer| answer.status == 201));
    let stranger = app.user("stranger").await;
    let path = made(&stranger, json!({})).await;
    for (what, body) in [("entries/bulk", entries("dora")), ("organisers", referee("carl"))] {
        assert_eq!(stranger.post(&format!("{path}/{what}"), &body).await.code(), "too_many_games");
    }
    for path in &paths[..2] {
        dora.post(&format!("{path}/entries"), &json!({})).await.ok();
    }
    assert_eq!(dora.post(&format!("{}/entries", paths[2]), &json!({})).await.code(), "too_many_games");
}

#[tokio::test]
async fn games_that_the_house_deals_keep_nobody_from_being_entered() {
    let app = TestApp::start_with(|settings| settings.participations_per_account = 2).await;
    let dora = app.user("dora").await;
    app.user("carl").await;
    for nth in 0..3 {
        let organiser = app.user(&format!("organiser{nth}")).await;
        let path = made(&organiser, json!({})).await;
        match nth {
            0 => organiser.post(&format!("{path}/entries/bulk"), &entries("dora")).await.ok(),
            _ => dora.post(&format!("{path}/entries"), &json!({})).await.ok(),
        };
        bots(&organiser, &path, "random", 2).await;
        organiser.post(&format!("{path}/start"), &json!({})).await.ok();
    }
    app.tick().await;
    let running = dora.get("/v1/me/games?status=active").await.ok();
    assert_eq!(list(&running["items"]).len(), 3, "{running}");
    // She is in one tournament that another account has entered her in, so there is room for one more.
    let stranger = app.user("stranger").await;
    let path = made(&stranger, json!({})).await;
    let both = json!({"entries": [{"player": "dora"}, {"player": "carl"}]});
    assert_eq!(stranger.post(&format!("{path}/entries/bulk"), &both).await.status, 201);
    let path = made(&stranger, json!({})).await;
    assert_eq!(stranger.post(&format!("{path}/entries/bulk"), &both).await.code(), "too_many_games");
}

fn entries(player: &str) -> Value {
    json!({"entries": [{"player": player}]})
}

fn referee(player: &str) -> Value {
    json!({"player": player, "role": "referee"})
}

#[tokio::test]
async fn an_account_creates_games_and_tournaments_at_the_same_time() {
    let app = TestApp::start_with(|settings| settings.games_per_account = 1000).await;
    let ann = app.user("ann").await;
    let game = json!({"kind": "sevens", "sit": true});
    let cup = json!({
        "name": "Autumn cup", "kind": "royal_gambit",
        "format": {"type": "rounds", "rounds": 2, "seating": "random"},
    });
    let both = (0..40).map(|nth| {
        let (path, body) = if nth % 2 == 0 { ("/v1/games", &game) } else { ("/v1/tournaments", &cup) };
        let ann = &ann;
        async move { ann.post(path, body).await.status }
    });
    for status in futures_util::future::join_all(both).await {
        assert_eq!(status, 201);
    }
}
