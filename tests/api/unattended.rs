//! Games that no person plays: who may have them, and how much the house writes by itself.

use diesel::dsl::count_star;
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;

/// More hands than anybody plays in a test, and nobody ever runs out of chips.
fn endless(bots: usize) -> Value {
    let options = json!({"hands": 1000, "charge": 0});
    json!({"kind": "ritunas_favour", "options": options, "bots": vec!["steady"; bots]})
}

fn path(game: &Value) -> String {
    format!("/v1/games/{}", game["id"].as_str().unwrap())
}

async fn entries(app: &TestApp) -> i64 {
    use cardroom::store::schema::entries;
    let mut connection = app.database.connection().await;
    entries::table.select(count_star()).first(&mut connection).await.unwrap()
}

#[tokio::test]
async fn a_guest_is_refused_a_game_without_a_person_in_whichever_way_it_would_start() {
    let app = TestApp::start().await;
    let guest = app.guest().await;
    let refused = guest.post("/v1/games", &endless(2)).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (403, "account_required"));

    let wanted = json!({"kind": "sevens", "seats": 3, "sit": true, "bots": ["steady", "random"]});
    assert_eq!(guest.post("/v1/games", &wanted).await.body["status"], "active", "this one has a person");

    // The last seat is given to a bot.
    let game = guest.post("/v1/games", &json!({"kind": "sevens", "seats": 2, "bots": ["steady"]})).await.ok();
    let last = guest.post(&format!("{}/bots", path(&game)), &json!({"policy": "steady"})).await;
    assert_eq!(last.code(), "account_required");

    // The person stands up, and the rest is started.
    let wanted = json!({"kind": "sevens", "seats": 4, "sit": true, "bots": ["steady", "random"]});
    let game = guest.post("/v1/games", &wanted).await.ok();
    guest.delete(&format!("{}/seats/me", path(&game))).await.ok();
    let start = format!("{}/start", path(&game));
    assert_eq!(guest.post(&start, &json!(null)).await.code(), "account_required");
    guest.post(&format!("{}/seats", path(&game)), &json!({})).await.ok();
    assert_eq!(guest.post(&start, &json!(null)).await.ok()["status"], "active");

    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let cup = json!({"name": "Of bots", "kind": "sevens", "format": format});
    let cup = guest.post("/v1/tournaments", &cup).await.ok();
    let cup = format!("/v1/tournaments/{}", cup["id"].as_str().unwrap());
    let (one, many) =
        (json!({"policy": "steady"}), json!({"entries": [{"bot": "steady"}, {"bot": "random"}]}));
    assert_eq!(guest.post(&format!("{cup}/bots"), &one).await.code(), "account_required");
    assert_eq!(guest.post(&format!("{cup}/entries/bulk"), &many).await.code(), "account_required");
}

#[tokio::test]
async fn a_registered_account_may_have_a_few_games_without_a_person_and_is_then_told() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let ann = app.user("ann").await;
    let mut wanted = endless(2);
    wanted["bot_delay_ms"] = json!(10_000);
    // All at once and at two replicas.
    let asked = (0..20).map(|n| {
        let ann = if n % 2 == 0 { ann.clone() } else { replica.at(&ann) };
        let wanted = wanted.clone();
        async move { ann.post("/v1/games", &wanted).await }
    });
    let replies = join_all(asked).await;
    let made = replies.iter().filter(|reply| reply.status == 201);
    assert_eq!(made.count(), 4);
    let refused = replies.iter().find(|reply| reply.status != 201).unwrap();
    assert_eq!((refused.status.as_u16(), refused.code()), (409, "too_many_games"));

    // Games with a person are others, and so are those of somebody else.
    ann.post("/v1/games", &json!({"kind": "sevens", "sit": true, "bots": ["steady"]})).await.ok();
    app.user("bob").await.post("/v1/games", &wanted).await.ok();
    let admin = app.admin("root").await;
    for _ in 0..5 {
        admin.post("/v1/games", &wanted).await.ok();
    }

    // One that ends makes room for another.
    let over = replies.iter().find(|reply| reply.status == 201).unwrap();
    admin.post(&format!("{}/abort", path(&over.body)), &json!(null)).await.ok();
    ann.post("/v1/games", &wanted).await.ok();
    assert_eq!(ann.post("/v1/games", &wanted).await.code(), "too_many_games");
}

#[tokio::test]
async fn a_hundred_games_without_a_person_write_no_more_than_their_account_is_given() {
    const RATE: u32 = 1200;
    let app = TestApp::start_with(|settings| {
        settings.bot_games_per_account = 100;
        settings.unattended_rate_limit = RATE;
    });
    let app = app.await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let mut wanted = endless(2);
    wanted["bot_delay_ms"] = json!(1000);
    for _ in 0..100 {
        ann.post("/v1/games", &wanted).await.ok();
    }
    let before = entries(&app).await;
    app.pass(60).await;
    let written = entries(&app).await - before;
    let given = i64::from(RATE);
    assert!((given / 2..=2 * given).contains(&written), "{written}: a minute's worth, and what was saved up");
    let before = entries(&app).await;
    app.pass(60).await;
    let written = entries(&app).await - before;
    assert!((given / 2..=given * 11 / 10).contains(&written), "{written}: a minute's worth");

    // Another one is not begun before what was played is paid for, and others do not wait for that.
    wanted["bot_delay_ms"] = json!(0);
    let refused = ann.post("/v1/games", &wanted).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (429, "bot_budget_used_up"));
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait), "{wait}");
    let game = bob.post("/v1/games", &json!({"kind": "sevens", "sit": true, "bots": ["steady"]})).await.ok();
    assert_eq!(game["status"], "active");
}

#[tokio::test]
async fn somebody_who_plays_against_nine_bots_never_waits_for_a_budget() {
    let app = TestApp::start_with(|settings| {
        settings.unattended_rate_limit = 1;
        settings.unattended_rate_limit_in_all = 1;
    });
    let app = app.await;
    let ann = app.user("ann").await;
    // This uses up the budget for as long as the test lasts.
    ann.post("/v1/games", &endless(10)).await.ok();
    let mut wanted = endless(9);
    wanted["sit"] = json!(true);
    let mut game = ann.post("/v1/games", &wanted).await.ok();
    for _ in 0..30 {
        for _ in 0..5 {
            if game["to_act"] != json!([0]) {
                app.tick().await;
                game = ann.get(&path(&game)).await.ok();
            }
        }
        assert_eq!(game["to_act"], json!([0]), "the bots are done, though the clock stands");
        game = ann.post(&format!("{}/actions", path(&game)), &json!({"type": "stick"})).await.ok();
    }
}

#[tokio::test]
async fn bots_that_play_on_for_a_person_who_is_gone_are_paced() {
    const RATE: u32 = 60;
    let app = TestApp::start_with(|settings| settings.unattended_rate_limit = RATE).await;
    let guest = app.guest().await;
    let mut wanted = endless(9);
    (wanted["sit"], wanted["turn_seconds"]) = (json!(true), json!(5));
    let game = guest.post("/v1/games", &wanted).await.ok();
    app.pass(120).await;
    let before = entries(&app).await;
    app.pass(240).await;
    let written = entries(&app).await - before;
    assert!((60..=4 * i64::from(RATE) + 64).contains(&written), "{written}: four minutes' worth");

    // Whoever comes back plays at full speed.
    let mut game = guest.get(&path(&game)).await.ok();
    while game["to_act"] != json!([0]) {
        app.pass(1).await;
        game = guest.get(&path(&game)).await.ok();
    }
    for _ in 0..5 {
        game = guest.post(&format!("{}/actions", path(&game)), &json!({"type": "stick"})).await.ok();
        app.tick().await;
        game = guest.get(&path(&game)).await.ok();
        assert_eq!(game["to_act"], json!([0]));
    }
}

#[tokio::test]
async fn games_that_come_at_once_keep_the_quota_of_their_account() {
    let app = TestApp::start_with(|settings| settings.games_per_account = 3).await;
    let ann = app.user("ann").await;
    let wanted = json!({"kind": "sevens"});
    let replies = join_all((0..12).map(|_| ann.post("/v1/games", &wanted))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 3);
    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let cup = json!({"name": "One more", "kind": "sevens", "format": format});
    assert_eq!(ann.post("/v1/tournaments", &cup).await.code(), "too_many_games", "tournaments count, too");
}

#[tokio::test]
async fn guests_of_one_network_have_so_many_unfinished_games_together() {
    let app = TestApp::start_with(|settings| settings.guest_games_per_address = 3).await;
    let guests: [Client; 4] = [app.guest().await, app.guest().await, app.guest().await, app.guest().await];
    let wanted = json!({"kind": "sevens"});
    let mut games = Vec::new();
    for guest in &guests[..3] {
        games.push(guest.post("/v1/games", &wanted).await.ok());
    }
    assert_eq!(guests[3].post("/v1/games", &wanted).await.code(), "too_many_games");
    app.user("ann").await.post("/v1/games", &wanted).await.ok();
    guests[0].post(&format!("{}/abort", path(&games[0])), &json!(null)).await.ok();
    guests[3].post("/v1/games", &wanted).await.ok();
    assert_eq!(guests[3].post("/v1/games", &wanted).await.code(), "too_many_games");
}
