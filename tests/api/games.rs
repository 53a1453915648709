//! Games over HTTP: the lobby, seats, actions, versions, the log.

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;

/// A game of Royal Gambit that has just started: its path, and its players by seat.
pub async fn started(app: &TestApp, seats: usize) -> (String, Vec<Client>) {
    let mut players = vec![app.guest().await];
    let wanted = json!({"kind": "royal_gambit", "seats": seats, "sit": true, "turn_seconds": null});
    let made = players[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
    for _ in 1..seats {
        let guest = app.guest().await;
        guest.post(&format!("{path}/seats"), &json!({})).await.ok();
        players.push(guest);
    }
    (path, players)
}

/// The seat that a game waits for.
pub fn turn(game: &Value) -> usize {
    game["to_act"][0].as_u64().unwrap() as usize
}

async fn log(client: &Client, path: &str) -> Vec<Value> {
    client.get(&format!("{path}/log?limit=200")).await.ok()["items"].as_array().unwrap().clone()
}

#[tokio::test]
async fn clients_that_know_no_game_play_every_kind_to_the_end() {
    let app = TestApp::start().await;
    for kind in app.anon().get("/v1/kinds").await.ok()["items"].as_array().unwrap() {
        for seats in [kind["seats"]["min"].as_u64().unwrap(), kind["seats"]["max"].as_u64().unwrap()] {
            let name = kind["kind"].as_str().unwrap();
            let mut rng = <rand::rngs::StdRng as rand::SeedableRng>::seed_from_u64(seats);
            let end = crate::any_game::play(app.base(), name, seats as usize, &mut rng).await.unwrap();
            assert_eq!(end["status"], "finished");
            assert_eq!(end["outcome"]["places"].as_array().unwrap().len() as u64, seats);
            // What is over is open to all, the order of every shuffle and the seed included.
            let path = format!("/v1/games/{}", end["id"].as_str().unwrap());
            let anon = app.anon();
            assert_eq!(anon.get(&path).await.ok()["outcome"], end["outcome"]);
            assert!(end["fairness"]["server_seed"].is_string());
            for entry in log(&anon, &path).await.iter().filter(|entry| entry["type"] == "chance") {
                assert!(!entry["data"].to_string().contains("null"), "{entry}");
            }
        }
    }
}

#[tokio::test]
async fn a_game_starts_by_itself_when_the_last_seat_is_taken() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let wanted =
        json!({"kind": "royal_gambit", "seats": 2, "sit": true, "client_seed": "mine", "turn_seconds": null});
    let made = ann.post("/v1/games", &wanted).await;
    assert_eq!(made.status, 201);
    let game = made.body.clone();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(made.header("location"), Some(path.as_str()));
    assert_eq!(made.header("etag"), Some("\"2\""));
    assert_eq!((&game["status"], &game["you"], &game["view"]), (&json!("open"), &json!(0), &Value::Null));
    assert_eq!(game["seats"][1], json!({"seat": 1, "player": null, "bot": null}), "there is no clock");

    let sat = bob.post(&format!("{path}/seats"), &json!({"client_seed": "żółć"})).await;
    assert_eq!(sat.status, 201);
    assert_eq!((&sat.body["status"], &sat.body["you"]), (&json!("active"), &json!(1)));
    let types: Vec<Value> = log(&ann, &path).await.iter().map(|entry| entry["type"].clone()).collect();
    assert_eq!(types, ["created", "seated", "seated", "started", "chance", "chance"]);
}

#[tokio::test]
async fn a_seat_can_be_left_before_the_start_and_not_after() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let game = ann.post("/v1/games", &json!({"kind": "royal_gambit", "seats": 3})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    assert_eq!(game["you"], Value::Null, "who makes a game does not sit at it unasked");
    let seats = format!("{path}/seats");
    bob.post(&seats, &json!({})).await.ok();
    assert_eq!(bob.post(&seats, &json!({})).await.code(), "already_seated");
    assert_eq!(ann.delete(&format!("{path}/seats/me")).await.code(), "not_seated");
    assert_eq!(bob.delete(&format!("{path}/seats/me")).await.ok()["you"], Value::Null);
    ann.post(&seats, &json!({})).await.ok();
    assert_eq!(ann.post(&format!("{path}/start"), &json!(null)).await.code(), "too_few_players");
    assert_eq!(bob.post(&seats, &json!({})).await.ok()["you"], 1);
    assert_eq!(bob.post(&format!("{path}/start"), &json!(null)).await.code(), "not_creator");
    assert_eq!(ann.post(&format!("{path}/start"), &json!(null)).await.ok()["status"], "active");
    assert_eq!(bob.delete(&format!("{path}/seats/me")).await.code(), "game_not_open");
    assert_eq!(app.user("cat").await.post(&seats, &json!({})).await.code(), "game_not_open");
}

#[tokio::test]
async fn a_private_game_is_there_for_its_people_and_who_has_the_invite() {
    let app = TestApp::start().await;
    let (ann, bob, cat) = (app.user("ann").await, app.user("bob").await, app.user("cat").await);
    let wanted = json!({"kind": "royal_gambit", "seats": 3, "visibility": "private", "sit": true});
    let game = ann.post("/v1/games", &wanted).await.ok();
    let (id, invite) = (game["id"].as_str().unwrap(), game["invite"].as_str().unwrap());
    let path = format!("/v1/games/{id}");
    for stranger in [&bob, &cat, &app.anon()] {
        assert_eq!(stranger.get(&path).await.code(), "game_not_found");
        assert_eq!(stranger.get(&format!("{path}/log")).await.code(), "game_not_found");
        assert_eq!(stranger.get("/v1/games").await.ok()["items"], json!([]));
    }
    assert_eq!(bob.post(&format!("{path}/start"), &json!(null)).await.code(), "game_not_found");
    assert_eq!(bob.post(&format!("{path}/actions"), &json!({"type": "hit"})).await.code(), "game_not_found");
    let seats = format!("{path}/seats");
    let refused = bob.post(&seats, &json!({"invite": "0000000000"})).await;
    assert_eq!((refused.code(), refused.body.get("version")), ("wrong_invite", None));
    assert_eq!(bob.post(&seats, &json!({})).await.code(), "wrong_invite");
    let conditional = cat.clone().with("if-match", "\"999999\"").post(&seats, &json!({})).await;
    assert_eq!((conditional.code(), conditional.body.get("version")), ("wrong_invite", None));
    let conditional =
        bob.clone().with("if-match", "\"999999\"").post(&seats, &json!({"invite": invite})).await;
    assert_eq!(conditional.code(), "stale_version");
    let sat = bob.post(&seats, &json!({"invite": invite})).await.ok();
    assert_eq!((&sat["you"], &sat["invite"]), (&json!(1), &json!(invite)));
    assert_eq!(bob.get("/v1/games").await.ok()["items"][0]["players"], json!(["ann", "bob"]));
    assert_eq!(cat.get(&path).await.code(), "game_not_found");
}

#[tokio::test]
async fn who_made_a_game_calls_it_off_before_the_start_and_an_admin_at_any_time() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let stranger = app.guest().await;
    assert_eq!(stranger.post(&format!("{path}/abort"), &json!(null)).await.code(), "not_seated");
    let admin = app.admin("root").await;
    let aborted = admin.post(&format!("{path}/abort"), &json!(null)).await.ok();
    assert_eq!((&aborted["status"], &aborted["to_act"]), (&json!("aborted"), &json!([])));
    assert!(aborted["fairness"]["server_seed"].is_string());
    assert_eq!(admin.post(&format!("{path}/abort"), &json!(null)).await.code(), "game_over");

    let ann = app.user("ann").await;
    let open = ann.post("/v1/games", &json!({"kind": "ritunas_favour"})).await.ok();
    let path = format!("/v1/games/{}", open["id"].as_str().unwrap());
    assert_eq!(players[0].post(&format!("{path}/abort"), &json!(null)).await.code(), "not_creator");
    assert_eq!(ann.post(&format!("{path}/abort"), &json!(null)).await.ok()["status"], "aborted");
    assert_eq!(players[0].post(&format!("{path}/seats"), &json!({})).await.code(), "game_over");
}

#[tokio::test]
async fn a_refused_action_tells_where_the_game_stands() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let actions = format!("{path}/actions");
    let game = players[0].get(&path).await.ok();
    let (here, other) = (turn(&game), 1 - turn(&game));
    let refused = players[other].post(&actions, &json!({"type": "hit"})).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (409, "not_your_turn"));
    assert_eq!(refused.body["version"], game["version"]);
    assert_eq!(refused.body["to_act"], json!([here]));
    assert_eq!(refused.body["legal_actions"], json!([]));
    let refused = players[here].post(&actions, &json!({"type": "fold"})).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (422, "illegal_action"));
    assert_eq!(refused.body["legal_actions"][0]["type"], "hit");
    assert_eq!(app.guest().await.post(&actions, &json!({"type": "hit"})).await.code(), "not_seated");
    assert_eq!(log(&players[0], &path).await.len(), 6, "nothing was written");
}

#[tokio::test]
async fn a_game_can_be_seen_as_it_was_at_every_version() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let mut seen = vec![players[0].get(&path).await];
    for _ in 0..4 {
        let last = seen.last().unwrap().body.clone();
        let seat = turn(&last);
        let menu = players[seat].get(&path).await.ok()["legal_actions"].clone();
        let action = match menu[0]["params"]["seat"]["from"][0].clone() {
            Value::Null => json!({"type": menu[0]["type"]}),
            target => json!({"type": menu[0]["type"], "seat": target}),
        };
        let done = players[seat].post(&format!("{path}/actions"), &action).await.ok();
        assert_eq!(done["seq"], last["version"].as_u64().unwrap() + 1);
        seen.push(players[0].get(&path).await);
    }
    for then in seen {
        let version = then.body["version"].as_u64().unwrap();
        assert_eq!(then.header("etag").unwrap(), format!("\"{version}\""));
        let again = players[0].get(&format!("{path}?version={version}")).await;
        assert_eq!(again.body.to_string(), then.body.to_string());
        assert_eq!(again.header("etag"), then.header("etag"));
    }
    assert_eq!(players[0].get(&format!("{path}?version=0")).await.code(), "no_such_version");
    assert_eq!(players[0].get(&format!("{path}?version=999")).await.code(), "no_such_version");
    assert_eq!(players[0].get(&format!("{path}?version=-1")).await.code(), "invalid_parameter");
}

#[tokio::test]
async fn who_has_the_newest_version_gets_304() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let etag = players[0].get(&path).await.header("etag").unwrap().to_owned();
    let known = players[0].clone().with("if-none-match", &etag);
    let reply = known.get(&path).await;
    assert_eq!((reply.status.as_u16(), &reply.body), (304, &Value::Null));
    assert_eq!(reply.header("etag"), Some(etag.as_str()));
    let turn = turn(&players[0].get(&path).await.ok());
    players[turn].post(&format!("{path}/actions"), &json!({"type": "hit"})).await.ok();
    assert_eq!(known.get(&path).await.status, 200);
}

#[tokio::test]
async fn the_log_comes_in_pages_and_keeps_the_deck_to_itself() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 3).await;
    let whole = log(&players[0], &path).await;
    let (mut paged, mut after) = (Vec::new(), json!(0));
    while !after.is_null() {
        let page = players[0].get(&format!("{path}/log?after={after}&limit=2")).await.ok();
        paged.extend(page["items"].as_array().unwrap().clone());
        after = page["next"].clone();
    }
    assert_eq!(paged, whole);
    let seqs: Vec<u64> = whole.iter().map(|entry| entry["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=whole.len() as u64).collect::<Vec<_>>());
    let shuffle = whole.last().unwrap();
    assert_eq!(shuffle["data"], json!({"k": 1, "shuffle": {"result": null}}));
    assert_eq!(players[0].get(&format!("{path}/log?limit=0")).await.code(), "invalid_parameter");
    assert_eq!(players[0].get(&format!("{path}/log?limit=201")).await.code(), "invalid_parameter");
    assert_eq!(players[0].get(&format!("{path}/log?after=x")).await.code(), "invalid_parameter");
}

#[tokio::test]
async fn the_lobby_lists_the_newest_first_and_stays_put_while_games_are_added() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let mut ids = Vec::new();
    for kind in ["royal_gambit", "ritunas_favour", "royal_gambit", "royal_gambit"] {
        let game = ann.post("/v1/games", &json!({"kind": kind, "seats": 2, "sit": true})).await.ok();
        ids.insert(0, game["id"].clone());
        app.clock.advance(1);
    }
    bob.post(&format!("/v1/games/{}/seats", ids[3].as_str().unwrap()), &json!({})).await.ok();
    let listed = async |query: &str| -> (Vec<Value>, Value) {
        let page = app.anon().get(&format!("/v1/games?{query}")).await.ok();
        let items = page["items"].as_array().unwrap();
        (items.iter().map(|game| game["id"].clone()).collect(), page["next"].clone())
    };
    assert_eq!(listed("").await, (ids.clone(), Value::Null));
    assert_eq!(listed("kind=ritunas_favour").await.0, [ids[2].clone()]);
    assert_eq!(listed("status=active").await.0, [ids[3].clone()]);
    assert_eq!(listed("player=bob").await.0, [ids[3].clone()]);
    assert_eq!(listed("player=BOB&status=open").await.0, [Value::Null; 0]);
    assert_eq!(listed("player=nobody").await.0, [Value::Null; 0]);
    let (first, next) = listed("limit=3").await;
    assert_eq!(first, ids[..3]);
    ann.post("/v1/games", &json!({"kind": "royal_gambit"})).await.ok();
    assert_eq!(
        listed(&format!("limit=3&cursor={}", next.as_str().unwrap())).await,
        (vec![ids[3].clone()], Value::Null)
    );
    for wrong in
        ["limit=0", "limit=99999999999", "status=lost", "cursor=7", "colour=red", "player=%00", "kind=whist"]
    {
        assert_eq!(
            app.anon().get(&format!("/v1/games?{wrong}")).await.code(),
            "invalid_parameter",
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn options_are_stored_in_full_and_refused_where_they_make_no_sense() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let wanted = json!({"kind": "royal_gambit", "options": {"target_score": 50}});
    let options = ann.post("/v1/games", &wanted).await.ok()["options"].clone();
    let all = json!({"auto_hit": false, "target_score": 50, "ten_blocks_jack": false, "turns": "sequential"});
    assert_eq!(options, all);
    for (wanted, code) in [
        (json!({"kind": "whist"}), "kind_not_found"),
        (json!({"kind": "royal_gambit", "seats": 6}), "invalid_options"),
        (json!({"kind": "royal_gambit", "seats": 1}), "invalid_options"),
        (json!({"kind": "royal_gambit", "seats": 300}), "invalid_body"),
        (json!({"kind": "royal_gambit", "options": {"target_score": 0}}), "invalid_options"),
        (json!({"kind": "royal_gambit", "options": {"target_score": 30.0}}), "invalid_options"),
        (json!({"kind": "royal_gambit", "options": {"charge": 5}}), "invalid_options"),
        (json!({"kind": "royal_gambit", "options": []}), "invalid_options"),
        (json!({"kind": "royal_gambit", "options": {"turns": {"alternating": null}}}), "invalid_options"),
        (json!({"kind": "ritunas_favour", "options": {"charge": 9, "buy_in": 8}}), "invalid_options"),
        (json!({"kind": "royal_gambit", "client_seed": "mine"}), "invalid_body"),
        (json!({"kind": "royal_gambit", "sit": true, "client_seed": "x".repeat(65)}), "invalid_body"),
        (json!({"kind": "royal_gambit", "colour": "red"}), "invalid_body"),
        (json!({}), "invalid_body"),
        (json!([]), "invalid_body"),
    ] {
        assert_eq!(ann.post("/v1/games", &wanted).await.code(), code, "{wanted}");
    }
    assert_eq!(
        ann.get("/v1/games?player=ann").await.ok()["items"],
        json!([]),
        "nothing was made for nothing"
    );
    assert_eq!(app.anon().post("/v1/games", &json!({"kind": "royal_gambit"})).await.code(), "unauthorized");
}

#[tokio::test]
async fn an_option_whose_default_follows_from_another_is_stored_as_its_value() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    for kind in ["sevens", "knights_heads"] {
        for (options, least) in [(json!({}), 5), (json!({"ante": 20}), 20), (json!({"ante": 0}), 1)] {
            let game = ann.post("/v1/games", &json!({"kind": kind, "options": options})).await.ok();
            assert_eq!(game["options"]["min_raise"], least, "{kind} {options}");
            assert_eq!(game["options"]["max_raise"], json!(null), "which stands for no limit");
            let log = ann.get(&format!("/v1/games/{}/log", game["id"].as_str().unwrap())).await.ok();
            assert_eq!(log["items"][0]["data"]["options"], game["options"]);
            let again = ann.post("/v1/games", &json!({"kind": kind, "options": game["options"]})).await.ok();
            assert_eq!(again["options"], game["options"]);
        }
        let null = json!({"kind": kind, "options": {"min_raise": null}});
        assert_eq!(ann.post("/v1/games", &null).await.code(), "invalid_options");
        let cup = json!({"name": "Cup", "kind": kind, "options": {"ante": 7},
            "format": {"type": "rounds", "rounds": 1, "seating": "random"}});
        let cup = ann.post("/v1/tournaments", &cup).await.ok();
        assert_eq!(cup["setup"]["options"]["min_raise"], 7, "{cup}");
    }
}

#[tokio::test]
async fn an_account_has_only_so_many_games_that_are_not_over() {
    let app = TestApp::start_with(|settings| settings.games_per_account = 2).await;
    let ann = app.user("ann").await;
    let wanted = json!({"kind": "royal_gambit"});
    let first = ann.post("/v1/games", &wanted).await.ok();
    ann.post("/v1/games", &wanted).await.ok();
    assert_eq!(ann.post("/v1/games", &wanted).await.code(), "too_many_games");
    ann.post(&format!("/v1/games/{}/abort", first["id"].as_str().unwrap()), &json!(null)).await.ok();
    assert_eq!(ann.post("/v1/games", &wanted).await.status, 201);
}

#[tokio::test]
async fn what_a_player_does_in_their_own_turn_is_never_throttled() {
    let app = TestApp::start_with(|settings| settings.rate_limit = 6).await;
    let (path, players) = started(&app, 2).await;
    let actions = format!("{path}/actions");
    let mut game = players[0].get(&path).await.ok();
    // Whoever stays with an empty row scores nothing, so this goes on for as long as one likes.
    for _ in 0..40 {
        let done = players[turn(&game)].post(&actions, &json!({"type": "stay"})).await;
        assert_eq!(done.status, 201, "{}", done.body);
        game = done.body;
    }
    let other = &players[1 - turn(&game)];
    let mut refused = other.post(&actions, &json!({"type": "stay"})).await;
    for _ in 0..6 {
        refused = other.post(&actions, &json!({"type": "stay"})).await;
    }
    assert_eq!(refused.code(), "too_many_requests");
    let wait: i64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));
    app.clock.advance(wait);
    assert_eq!(other.post(&actions, &json!({"type": "stay"})).await.code(), "not_your_turn");
}

#[tokio::test]
async fn a_guest_who_takes_a_name_keeps_the_seat() {
    let app = TestApp::start().await;
    let (path, mut players) = started(&app, 2).await;
    let credentials = json!({"username": "dora", "password": super::app::PASSWORD});
    let session = players[1].post("/v1/auth/upgrade", &credentials).await.ok();
    players[1] = app.anon().with_session(session);
    assert_eq!(players[1].get(&path).await.ok()["you"], 1);
    let turn = turn(&players[1].get(&path).await.ok());
    assert_eq!(players[turn].post(&format!("{path}/actions"), &json!({"type": "hit"})).await.status, 201);
    let listed = app.anon().get("/v1/games?player=dora").await.ok();
    assert!(listed["items"][0]["players"].as_array().unwrap().contains(&json!("dora")));
}
