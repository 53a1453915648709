//! Tables that do not stall: who sits where, who may look, who leaves, and a seat at any table that fits.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::leaderboards::played;
use crate::random::orders::list;

fn path_of(game: &Value) -> String {
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

/// The accounts at a table, by seat; null where nobody sits.
fn names(game: &Value) -> Vec<&Value> {
    list(&game["seats"]).iter().map(|seat| &seat["player"]).collect()
}

async fn create(client: &Client, wanted: Value) -> (Value, String) {
    let game = client.post("/v1/games", &wanted).await.ok();
    let path = path_of(&game);
    (game, path)
}

#[tokio::test]
async fn a_decision_has_a_day_unless_no_clock_is_asked_for() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let base = json!({"kind": "sevens", "seats": 2, "sit": true});
    for (asked, clock) in
        [(None, json!(86_400)), (Some(json!(null)), json!(null)), (Some(json!(60)), json!(60))]
    {
        let mut wanted = base.clone();
        if let Some(asked) = asked {
            wanted["turn_seconds"] = asked;
        }
        let (game, path) = create(&ann, wanted).await;
        assert_eq!(game["turn_seconds"], clock);
        let lobby = app.anon().get("/v1/games?status=open").await.ok();
        let row = list(&lobby["items"]).iter().find(|row| path_of(row) == path).unwrap();
        assert_eq!(row["turn_seconds"], clock);
    }
    let refused =
        ann.post("/v1/games", &json!({"kind": "sevens", "turn_seconds": null, "bank_seconds": 5})).await;
    assert_eq!(refused.code(), "invalid_options");
}

#[tokio::test]
async fn the_creator_clears_and_moves_seats_and_the_removed_player_is_told() {
    let app = TestApp::start().await;
    let [ann, bob, cat] = [app.user("ann").await, app.user("bob").await, app.user("cat").await];
    let (_, path) = create(&ann, json!({"kind": "sevens", "seats": 4, "sit": true})).await;
    let seats = format!("{path}/seats");
    let mut told = bob.stream("/v1/me/stream").await;
    told.next().await.unwrap();
    bob.post(&seats, &json!({"seat": 2})).await.ok();
    assert_eq!(cat.post(&seats, &json!({"seat": 2})).await.code(), "seat_taken");
    assert_eq!(cat.post(&seats, &json!({"seat": 9})).await.code(), "no_such_seat");
    cat.post(&seats, &json!({})).await.ok();
    assert_eq!(cat.put(&format!("{seats}/2"), &json!({"to": 3})).await.code(), "not_creator");
    cat.put(&format!("{seats}/1"), &json!({"to": 3})).await.ok();
    let game = ann.put(&format!("{seats}/0"), &json!({"to": 3})).await.ok();
    let (a, b, c) = (json!("ann"), json!("bob"), json!("cat"));
    assert_eq!(names(&game), [&c, &json!(null), &b, &a]);

    assert_eq!(bob.delete(&format!("{seats}/0")).await.code(), "not_creator");
    assert_eq!(ann.delete(&format!("{seats}/1")).await.code(), "no_such_seat");
    ann.post(&format!("{path}/bots"), &json!({"policy": "steady"})).await;
    let lobby = app.anon().get("/v1/games?status=open&free_seats=true").await.ok();
    assert_eq!(lobby["items"], json!([]), "the fourth seat was a bot's, so the game has begun");

    let (_, path) =
        create(&ann, json!({"kind": "sevens", "seats": 4, "sit": true, "bots": ["random"]})).await;
    let seats = format!("{path}/seats");
    bob.post(&seats, &json!({})).await.ok();
    ann.delete(&format!("{seats}/1")).await.ok();
    ann.delete(&format!("{seats}/2")).await.ok();
    let row = app.anon().get("/v1/games?status=open").await.ok()["items"][0].clone();
    assert_eq!((&row["bots"], &row["free_seats"], &row["players"]), (&json!(0), &json!(3), &json!(["ann"])));
    assert_eq!(bob.post(&seats, &json!({})).await.code(), "removed");
    let mut removed = Value::Null;
    while removed["type"] != "removed" {
        removed = told.next().await.unwrap().json();
    }
    assert_eq!((path_of(&removed["game"]), &removed["seat"]), (path.clone(), &json!(2)));
    assert!(list(&bob.get("/v1/me/games?status=open").await.ok()["items"]).is_empty());
    let log = app.anon().get(&format!("{path}/log")).await.ok();
    let types: Vec<&str> = list(&log["items"]).iter().map(|entry| entry["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["created", "seated", "seated", "seated", "removed", "removed"]);
}

#[tokio::test]
async fn an_invited_caller_looks_at_a_private_table_and_watches_it() {
    let app = TestApp::start().await;
    let [ann, bob, eve] = [app.user("ann").await, app.user("bob").await, app.guest().await];
    let (game, path) =
        create(&ann, json!({"kind": "sevens", "seats": 3, "sit": true, "visibility": "private"})).await;
    let invite = game["invite"].as_str().unwrap().to_owned();
    let reads =
        |invite: &str| ["", "/log", "/hands", "/hands/1"].map(|part| format!("{path}{part}?invite={invite}"));
    for wrong in ["0123456789", ""] {
        for read in reads(wrong) {
            assert_eq!(eve.get(&read).await.code(), "game_not_found", "{read}");
        }
    }
    assert_eq!(app.anon().get(&reads(&invite)[0]).await.code(), "game_not_found", "who has no token");
    let seen = eve.get(&reads(&invite)[0]).await.ok();
    assert_eq!((names(&seen)[0], &seen["invite"]), (&json!("ann"), &json!(null)));
    // Whoever sits there may give it on.
    let sat = bob.post(&format!("{path}/seats"), &json!({"invite": invite})).await.ok();
    assert_eq!(sat["invite"], json!(invite));

    let new = ann.post(&format!("{path}/invite"), &json!({})).await.ok()["invite"].clone();
    let new = new.as_str().unwrap();
    assert_eq!(eve.get(&reads(&invite)[0]).await.code(), "game_not_found");
    assert_eq!(eve.post(&format!("{path}/seats"), &json!({"invite": invite})).await.code(), "wrong_invite");
    assert_eq!(bob.post(&format!("{path}/invite"), &json!({})).await.code(), "not_creator");

    assert_eq!(eve.post(&format!("{path}/stream-ticket"), &json!({})).await.code(), "game_not_found");
    let ticket = eve.post(&format!("{path}/stream-ticket?invite={new}"), &json!({})).await.ok();
    let ticket = ticket["ticket"].as_str().unwrap();
    assert_eq!(app.anon().get(&format!("{path}/stream?ticket={ticket}")).await.code(), "game_not_found");
    let mut watched = app.anon().stream(&format!("{path}/stream?ticket={ticket}&invite={new}")).await;
    assert_eq!(watched.next().await.unwrap().json()["status"], "open");
    ann.post(&format!("{path}/start"), &json!({})).await.ok();
    let mut entry = json!({"game": {}});
    while entry["game"]["to_act"].as_array().is_none_or(Vec::is_empty) {
        entry = watched.next().await.unwrap().json();
        assert_eq!((&entry["game"]["you"], &entry["game"]["legal_actions"]), (&json!(null), &json!([])));
    }
    for read in reads(new) {
        eve.get(&read).await.ok();
    }
    // A watcher at no seat sees what anybody would see of a public game.
    let (seen, own) = (eve.get(&reads(new)[0]).await.ok(), ann.get(&path).await.ok());
    assert_ne!(seen["view"], own["view"]);
    assert_eq!(ann.post(&format!("{path}/invite"), &json!({})).await.code(), "game_not_open");
}

#[tokio::test]
async fn who_resigns_is_free_and_the_house_plays_for_them_at_once() {
    let app = TestApp::start_with(|settings| settings.participations_per_account = 1).await;
    let [ann, bob, cat] = [app.user("ann").await, app.user("bob").await, app.user("cat").await];
    let (_, path) =
        create(&ann, json!({"kind": "sevens", "seats": 3, "sit": true, "turn_seconds": null})).await;
    let resign = format!("{path}/resign");
    assert_eq!(ann.post(&resign, &json!({})).await.code(), "game_not_active");
    for player in [&bob, &cat] {
        player.post(&format!("{path}/seats"), &json!({})).await.ok();
    }
    let mut told = bob.stream("/v1/me/stream").await;
    told.next().await.unwrap();
    let elsewhere = json!({"kind": "sevens", "seats": 2, "sit": true});
    assert_eq!(cat.post("/v1/games", &elsewhere).await.code(), "too_many_games");
    assert_eq!(app.user("dan").await.post(&resign, &json!({})).await.code(), "not_seated");
    let game = cat.post(&resign, &json!({})).await.ok();
    assert_eq!((&game["seats"][2]["resigned"], &game["seats"][0]["resigned"]), (&json!(true), &json!(null)));
    assert!(!list(&game["to_act"]).contains(&json!(2)));
    cat.post("/v1/games", &elsewhere).await.ok();
    assert_eq!(cat.post(&resign, &json!({})).await.code(), "resigned");
    let mut notice = Value::Null;
    while notice["type"] != "resigned" {
        notice = told.next().await.unwrap().json();
    }
    assert_eq!((&notice["seat"], &notice["player"]), (&json!(2), &json!("cat")));

    let end = loop {
        let game = ann.get(&path).await.ok();
        if game["status"] == "finished" {
            break game;
        }
        let seat = game["to_act"][0].as_u64().unwrap() as usize;
        let player = [&ann, &bob][seat];
        let menu = player.get(&path).await.ok()["legal_actions"].clone();
        let goes_on = list(&menu).iter().find(|line| line["type"] != "fold").unwrap_or(&menu[0]).clone();
        let mut action = json!({"type": goes_on["type"]});
        for (name, domain) in goes_on["params"].as_object().unwrap() {
            action[name] = if domain["type"] == "integer" { domain["max"].clone() } else { json!([]) };
        }
        player.post(&format!("{path}/actions"), &action).await.ok();
    };
    assert_eq!(list(&end["outcome"]["places"]).len(), 3);
    assert_eq!(ann.post(&resign, &json!({})).await.code(), "game_over");
    let log = cat.get(&format!("{path}/log?limit=200")).await.ok();
    let by_clock: Vec<&Value> =
        list(&log["items"]).iter().filter(|entry| entry["by"]["type"] == "clock").collect();
    assert!(!by_clock.is_empty() && by_clock.iter().all(|entry| entry["seat"] == 2));
    let bundle = ann.get(&format!("{path}/audit")).await.ok();
    assert_eq!(app.anon().post("/v1/audit/verify", &bundle).await.ok()["ok"], true);
}

#[tokio::test]
async fn players_call_a_game_off_together_and_nobody_alone() {
    let app = TestApp::start().await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let (_, path) = create(&ann, json!({"kind": "sevens", "seats": 3, "sit": true})).await;
    for client in [&bob, &app.guest().await] {
        client.post(&format!("{path}/seats"), &json!({})).await.ok();
    }
    let abort = format!("{path}/abort");
    let mut told = bob.stream("/v1/me/stream").await;
    told.next().await.unwrap();
    let game = ann.post(&abort, &json!({})).await.ok();
    assert_eq!((&game["status"], &game["seats"][0]["agrees_to_abort"]), (&json!("active"), &json!(true)));
    assert_eq!(ann.post(&abort, &json!({})).await.code(), "already_agreed");
    assert_eq!(app.user("eve").await.post(&abort, &json!({})).await.code(), "not_seated");
    let notice = told.next().await.unwrap().json();
    assert_eq!((&notice["type"], &notice["player"]), (&json!("abort_agreed"), &json!("ann")));
    let game = bob.post(&abort, &json!({})).await.ok();
    assert_eq!(game["status"], "active");

    // Who plays with bots alone asks nobody.
    let (_, path) =
        create(&ann, json!({"kind": "sevens", "seats": 3, "sit": true, "bots": ["random", "random"]})).await;
    let game = ann.post(&format!("{path}/abort"), &json!({})).await.ok();
    assert_eq!(game["status"], "aborted");
}

#[tokio::test]
async fn a_casual_game_changes_no_rating_and_lists_tell_it_from_the_others() {
    let app = TestApp::start().await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let casual = played(&[&ann, &bob], json!({"rated": false})).await;
    let rated = played(&[&ann, &bob], json!({})).await;
    for (query, expected) in [("rated=false", &casual), ("rated=true", &rated)] {
        for list_path in ["/v1/games", "/v1/me/games"] {
            let page = ann.get(&format!("{list_path}?{query}")).await.ok();
            let found: Vec<&Value> = list(&page["items"]).iter().map(|game| &game["id"]).collect();
            assert_eq!(found, [&json!(expected)], "{list_path} {query}");
        }
    }
    app.rate().await;
    let board = app.anon().get("/v1/leaderboards/ritunas_favour").await.ok();
    let games: Vec<&Value> = list(&board["items"]).iter().map(|row| &row["games"]).collect();
    assert_eq!(games, [&json!(1), &json!(1)]);
}

#[tokio::test]
async fn two_hundred_who_join_at_once_sit_at_full_tables_and_nobody_twice() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let mut players = Vec::new();
    for n in 0..200 {
        let guest = app.guest().await;
        players.push(if n % 2 == 0 { guest } else { replica.at(&guest) });
    }
    let wanted = json!({"kind": "sevens", "seats": 4});
    let joined = join_all(players.iter().map(|player| player.post("/v1/games/join", &wanted))).await;
    let mut tables: BTreeMap<String, usize> = BTreeMap::new();
    for reply in joined {
        assert_eq!(reply.header("location").unwrap(), path_of(&reply.body));
        *tables.entry(path_of(&reply.ok())).or_default() += 1;
    }
    assert_eq!(tables.values().copied().collect::<Vec<_>>(), vec![4; 50]);
    let mut seated = BTreeSet::new();
    for path in tables.keys() {
        let game = app.anon().get(path).await.ok();
        assert_eq!(game["status"], "active");
        seated.extend(names(&game).into_iter().map(|name| name.as_str().unwrap().to_owned()));
    }
    assert_eq!(seated.len(), 200);
}

#[tokio::test]
async fn a_player_joins_a_table_of_the_same_rules_and_waits_at_one_table_only() {
    let app = TestApp::start().await;
    let [ann, bob, cat] = [app.user("ann").await, app.user("bob").await, app.user("cat").await];
    let join = async |who: &Client, wanted: Value| who.post("/v1/games/join", &wanted).await.ok();
    let wanted = json!({"kind": "sevens", "seats": 3, "turn_seconds": 60, "bank_seconds": 10});
    let first = join(&ann, wanted.clone()).await;
    let again = ann.post("/v1/games/join", &wanted).await;
    assert_eq!(again.header("idempotency-replayed"), None, "no key was sent");
    assert_eq!(again.ok()["id"], first["id"], "who waits there already");
    for (name, value) in [
        ("seats", json!(4)),
        ("turn_seconds", json!(61)),
        ("bank_seconds", json!(0)),
        ("rated", json!(false)),
        ("options", json!({"buy_in": 50})),
    ] {
        let mut other = wanted.clone();
        other[name] = value;
        assert_ne!(join(&bob, other).await["id"], first["id"], "{name}");
    }
    let default = join(&cat, json!({"kind": "ricketts_hearts"})).await;
    assert_eq!((&default["turn_seconds"], &default["visibility"]), (&json!(86_400), &json!("public")));
    let private = json!({"kind": "royal_gambit", "seats": 2, "sit": true, "visibility": "private"});
    let (hidden, _) = create(&cat, private).await;
    let bots = json!({"kind": "royal_gambit", "seats": 3, "sit": true, "bots": ["random"]});
    let (with_bot, _) = create(&cat, bots).await;
    let found = join(&ann, json!({"kind": "royal_gambit"})).await;
    assert!(found["id"] != hidden["id"] && found["id"] != with_bot["id"]);

    // However many tables with another clock are older.
    let slower =
        json!({"kind": "royal_gambit", "seats": 3, "sit": true, "turn_seconds": 50, "bank_seconds": 3});
    for _ in 0..51 {
        create(&cat, slower.clone()).await;
    }
    app.clock.advance(1);
    let wanted_gambit = json!({"kind": "royal_gambit", "seats": 3, "turn_seconds": 50, "bank_seconds": 4});
    let opened = join(&ann, wanted_gambit.clone()).await;
    assert_eq!(join(&bob, wanted_gambit).await["id"], opened["id"]);

    // Whoever was removed finds another table.
    let path = path_of(&first);
    assert_eq!(join(&cat, wanted.clone()).await["id"], first["id"]);
    ann.delete(&format!("{path}/seats/1")).await.ok();
    // The next table is a younger one.
    app.clock.advance(1);
    let second = join(&cat, wanted.clone()).await;
    assert_ne!(second["id"], first["id"]);

    // A repeated request is answered as before, whatever has become of the table.
    let keyed = bob.clone().with("idempotency-key", "once");
    let sat = keyed.post("/v1/games/join", &wanted).await.ok();
    assert_eq!(sat["id"], first["id"]);
    app.user("dan").await.post(&format!("{path}/seats"), &json!({})).await.ok();
    let again = keyed.post("/v1/games/join", &wanted).await;
    assert_eq!((again.header("idempotency-replayed"), &again.body["id"]), (Some("true"), &first["id"]));
    let created = keyed.clone().with("idempotency-key", "twice");
    let made = created.post("/v1/games/join", &json!({"kind": "knights_heads"})).await.ok();
    assert_eq!(
        created.post("/v1/games/join", &json!({"kind": "knights_heads"})).await.ok()["id"],
        made["id"]
    );
    assert_eq!(
        keyed.post("/v1/games/join", &json!({"kind": "sevens"})).await.code(),
        "idempotency_key_reused"
    );
    assert_eq!(bob.post("/v1/games/join", &json!({"kind": "poker"})).await.code(), "kind_not_found");
}

#[tokio::test]
async fn a_request_to_join_that_is_repeated_before_it_was_answered_takes_one_seat() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let wanted = json!({"kind": "sevens", "seats": 2});
    let open = ann.post("/v1/games/join", &wanted).await.ok();
    let keyed = bob.clone().with("idempotency-key", "once");
    let joined = join_all((0..8).map(|_| keyed.post("/v1/games/join", &wanted))).await;
    for reply in joined {
        assert_eq!(reply.ok()["id"], open["id"]);
    }
    assert_eq!(list(&bob.get("/v1/me/games").await.ok()["items"]).len(), 1);
}

#[tokio::test]
async fn a_player_who_is_removed_from_a_private_game_is_told() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let private = json!({"kind": "sevens", "seats": 3, "sit": true, "visibility": "private"});
    let (game, path) = create(&ann, private).await;
    let mut told = bob.stream("/v1/me/stream").await;
    let before = told.next().await.unwrap().id;
    bob.post(&format!("{path}/seats"), &json!({"invite": game["invite"]})).await.ok();
    ann.delete(&format!("{path}/seats/1")).await.ok();
    // As it happens, and when the client comes back.
    let mut later = bob.stream(&format!("/v1/me/stream?after={before}")).await;
    for stream in [&mut told, &mut later] {
        let notice = stream.next().await.unwrap().json();
        assert_eq!((&notice["type"], &notice["seat"]), (&json!("removed"), &json!(1)));
        assert_eq!(path_of(&notice["game"]), path);
    }
    assert_eq!(bob.get(&path).await.code(), "game_not_found");
}
