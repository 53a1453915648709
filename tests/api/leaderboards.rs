//! Leaderboards and ratings, over HTTP.

use std::process::Command;
use std::time::Instant;

use cardroom::entropy::Entropy;
use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use serde_json::{Value, json};

use super::app::{PASSWORD, Program, TestApp, TestDatabase, runtime};
use super::client::Client;

/// Ten seconds of a game: of Rituna's Favour, a hand long; everybody sticks. Gives its id.
pub async fn played(players: &[&Client], more: Value) -> String {
    let mut wanted =
        json!({"kind": "ritunas_favour", "seats": players.len(), "sit": true, "options": {"hands": 1}});
    more.as_object().unwrap().iter().for_each(|(name, value)| wanted[name] = value.clone());
    let made = players[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
    for player in &players[1..] {
        player.post(&format!("{path}/seats"), &json!({"invite": made["invite"]})).await.ok();
    }
    let mut game = players[0].get(&path).await.ok();
    while game["status"] == "active" {
        for player in players {
            if player.get(&path).await.ok()["legal_actions"] != json!([]) {
                player.post(&format!("{path}/actions"), &json!({"type": "stick"})).await.ok();
            }
        }
        game = players[0].get(&path).await.ok();
    }
    assert_eq!(game["status"], "finished");
    game["id"].as_str().unwrap().to_owned()
}

impl TestApp {
    /// Counts what has finished.
    pub async fn rate(&self) {
        let ratings = self.app.ratings.clone();
        runtime().spawn(async move { while ratings.poll().await.unwrap() > 0 {} }).await.unwrap();
    }

    pub async fn rebuild(&self) -> usize {
        let ratings = self.app.ratings.clone();
        runtime().spawn(async move { ratings.rebuild().await.unwrap() }).await.unwrap()
    }

    async fn board(&self, query: &str) -> Vec<Value> {
        let path = format!("/v1/leaderboards/ritunas_favour{query}");
        self.anon().get(&path).await.ok()["items"].as_array().unwrap().clone()
    }

    /// The lines that a statement gives.
    async fn lines(&self, sql: &str) -> Vec<String> {
        let lines: Vec<Line> =
            diesel::sql_query(sql).load(&mut self.database.connection().await).await.unwrap();
        lines.into_iter().map(|line| line.line).collect()
    }

    /// Every figure, bit by bit, and the order in which the games were counted.
    pub async fn figures(&self) -> Vec<String> {
        let mut figures = self.lines("SELECT ratings::text AS line FROM ratings ORDER BY 1").await;
        figures.extend(self.lines("SELECT n || ' ' || game_id AS line FROM rated_games ORDER BY n").await);
        figures
    }
}

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text)]
    line: String,
}

fn names(board: &[Value]) -> Vec<&str> {
    board.iter().map(|row| row["player"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_player_s_luck_is_that_of_their_public_games_that_counted() {
    let app = TestApp::start().await;
    let [ann, ben] = [app.user("ann").await, app.user("ben").await];
    let luck = "/v1/players/ann/luck/ritunas_favour";
    assert_eq!(app.anon().get(luck).await.ok()["games"], 0);
    let mut sums = [0.0; 4];
    for more in [json!({}), json!({}), json!({"visibility": "private"}), json!({"rated": false})] {
        let game = played(&[&ann, &ben], more.clone()).await;
        if more != json!({}) {
            continue;
        }
        let told = app.anon().get(&format!("/v1/games/{game}/luck")).await.ok();
        let figure = |name: &str| told["seats"][0][name].as_f64().unwrap();
        let more = [1.0, figure("won"), figure("luck"), figure("won_without_luck")];
        sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
    }
    app.rate().await;
    let told = app.anon().get(luck).await.ok();
    for (name, sum) in ["games", "won", "luck", "won_without_luck"].into_iter().zip(sums) {
        assert!((told[name].as_f64().unwrap() - sum).abs() < 0.001, "{name}: {told}, {sum}");
    }
    assert_eq!(told["games"], 2);
    assert!(told["luck_error"].as_f64() > Some(0.0) && told["won_without_luck_error"].as_f64() > Some(0.0));
    assert_eq!(app.replica().await.anon().get(luck).await.ok(), told, "from another replica");
    assert_eq!(app.anon().get("/v1/players/ann/luck/whist").await.code(), "kind_not_found");
    assert_eq!(app.anon().get("/v1/players/nobody/luck/sevens").await.code(), "player_not_found");
}

#[tokio::test]
async fn public_games_among_two_people_at_least_are_rated() {
    let app = TestApp::start().await;
    let (ann, bob, cat) = (app.user("ann").await, app.user("bob").await, app.user("cat").await);
    let guest = app.guest().await;
    played(&[&ann, &bob], json!({"visibility": "private"})).await;
    played(&[&ann, &guest], json!({})).await;
    played(&[&ann], json!({"seats": 2, "bots": ["steady"]})).await;
    app.rate().await;
    assert_eq!(app.board("").await, [] as [Value; 0], "private, with a guest, alone with a bot");

    let id = played(&[&ann, &guest, &bob, &cat], json!({"seats": 5, "bots": ["steady"]})).await;
    app.rate().await;
    let board = app.board("").await;
    assert_eq!(board.len(), 3, "neither the guest nor the bot");
    let game = app.anon().get(&format!("/v1/games/{id}")).await.ok();
    let place = |name: &Value| {
        let seat = game["seats"].as_array().unwrap().iter().position(|seat| seat["player"] == *name).unwrap();
        let places = game["outcome"]["places"].as_array().unwrap();
        places.iter().find(|placing| placing["seat"] == seat).unwrap()["place"].as_u64().unwrap()
    };
    let places: Vec<u64> = board.iter().map(|row| place(&row["player"])).collect();
    assert!(places.is_sorted(), "{places:?}");
    for (row, place) in board.iter().zip(places) {
        let won = u64::from(place == 1);
        let figures = ["games", "wins", "hands", "streak", "best_streak"];
        assert_eq!(figures.map(|figure| row[figure].as_u64().unwrap()), [1, won, 1, won, won]);
        assert_eq!(row["counters"], json!({}), "this kind has none");
        let rating = row["mu"].as_f64().unwrap() - 3.0 * row["sigma"].as_f64().unwrap();
        assert!((row["rating"].as_f64().unwrap() - rating).abs() < 1e-9);
    }
    assert_eq!(app.anon().get("/v1/leaderboards/whist").await.code(), "kind_not_found");
    assert_eq!(app.anon().get("/v1/leaderboards/sevens?window=year").await.code(), "invalid_parameter");
    assert_eq!(app.anon().get("/v1/leaderboards/sevens?cursor=1.2").await.code(), "invalid_parameter");

    let profile = app.anon().get("/v1/players/ann").await.ok();
    let row = board.iter().find(|row| row["player"] == "ann").unwrap();
    assert_eq!(profile["kinds"][0]["rating"]["mu"], row["mu"]);
    assert_eq!(profile["kinds"][0]["rating"]["games"], 1);
    let other = app.anon().get(&format!("/v1/players/{}", guest.username())).await.ok();
    assert_eq!(other["kinds"][0]["rating"], Value::Null);
}

#[tokio::test]
async fn who_was_a_guest_is_rated_from_the_next_game_on() {
    let app = TestApp::start().await;
    let (ann, bob, guest) = (app.user("ann").await, app.user("bob").await, app.guest().await);
    played(&[&ann, &bob, &guest], json!({})).await;
    let upgrade = json!({"username": "gus", "password": PASSWORD});
    let gus = app.anon().with_session(guest.post("/v1/auth/upgrade", &upgrade).await.ok());
    app.rate().await;
    assert!(!names(&app.board("").await).contains(&"gus"));
    played(&[&ann, &gus], json!({})).await;
    app.rate().await;
    let board = app.board("").await;
    let row = board.iter().find(|row| row["player"] == "gus").unwrap();
    assert_eq!(row["games"], 1);
    let before = app.figures().await;
    assert_eq!(app.rebuild().await, 2);
    assert_eq!(app.figures().await, before, "the logs know who was a guest when");
}

#[tokio::test]
async fn replicas_count_each_game_once_and_a_rebuild_comes_to_the_same() {
    let app = TestApp::start().await;
    let other = app.replica().await;
    let people = [app.user("ann").await, app.user("bob").await, app.user("cat").await];
    for turn in 0..6 {
        let players: Vec<&Client> = people.iter().cycle().skip(turn).take(2 + turn % 2).collect();
        played(&players, json!({})).await;
        tokio::join!(app.rate(), other.rate());
    }
    app.rate().await;
    let before = app.figures().await;
    assert_eq!(before.len(), 3 * 3 + 6, "three people in three windows, and six games");
    let board = app.board("").await;
    assert_eq!(board.iter().map(|row| row["games"].as_u64().unwrap()).sum::<u64>(), 15);
    app.database.connection().await.batch_execute("UPDATE ratings SET mu = 99, games = 7").await.unwrap();
    assert_eq!(other.rebuild().await, 6);
    assert_eq!(app.figures().await, before);
    app.rate().await;
    assert_eq!(app.figures().await, before, "nothing is left to be counted");

    app.database.connection().await.batch_execute("DELETE FROM ratings").await.unwrap();
    let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    program.arg("rebuild").env("DATABASE_URL", &app.database.url);
    let output = tokio::task::spawn_blocking(move || program.output()).await.unwrap().unwrap();
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && told.contains("ratings in 6 games"), "{told}");
    assert_eq!(app.figures().await, before);
}

#[tokio::test]
async fn a_game_that_ended_while_the_clock_was_ahead_is_rated_when_it_is_put_back() {
    let app = TestApp::start().await;
    app.clock.advance(5 * 24 * 60 * 60);
    app.tick().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    played(&[&ann, &bob], json!({})).await;
    app.clock.advance(-5 * 24 * 60 * 60);
    app.rate().await;
    assert_eq!(app.board("").await.len(), 2);
}

#[tokio::test]
async fn duplicate_tables_are_rated_when_their_round_is_over() {
    // Two queens, dealt to one seat, would end the games of both tables before anybody has played.
    let app = TestApp::start_from(Entropy::fixed(1), |_| ()).await;
    let olga = app.user("olga").await;
    let wanted = json!({"name": "Cup", "kind": "ritunas_favour", "table_size": 2, "options": {"hands": 1},
        "duplicate": true, "format": {"type": "rounds", "rounds": 1, "seating": "random"}});
    let path = olga.post("/v1/tournaments", &wanted).await.header("location").unwrap().to_owned();
    let mut players = Vec::new();
    for name in ["ann", "bob", "cat", "dan"] {
        players.push(app.user(name).await);
        players.last().unwrap().post(&format!("{path}/entries"), &json!({})).await.ok();
    }
    olga.post(&format!("{path}/start"), &json!({})).await.ok();
    app.tick().await;
    let tables = app.anon().get(&path).await.ok()["rounds"][0]["tables"].as_array().unwrap().clone();
    for (table, rated) in tables.iter().zip([0, 4]) {
        let game = format!("/v1/games/{}", table["game"].as_str().unwrap());
        // Two seats, and each sticks once.
        for _ in 0..2 {
            for player in &players {
                if player.get(&game).await.ok()["legal_actions"] != json!([]) {
                    player.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
                }
            }
        }
        app.rate().await;
        app.clock.advance(6);
        app.rate().await;
        assert_eq!(app.board("").await.len(), rated, "one table does not tell of the cards of another");
    }
}

#[tokio::test]
async fn seasons_and_weeks_begin_anew() {
    let app = TestApp::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    played(&[&ann, &bob], json!({})).await;
    app.rate().await;
    // It is the Friday of week 47.
    for window in ["", "?window=all", "?window=season", "?window=week"] {
        assert_eq!(app.board(window).await.len(), 2, "{window}");
    }
    app.clock.advance(3 * 24 * 60 * 60);
    assert_eq!((app.board("?window=season").await.len(), app.board("?window=week").await.len()), (2, 0));
    app.clock.advance(45 * 24 * 60 * 60);
    assert_eq!((app.board("?window=season").await.len(), app.board("").await.len()), (0, 2));
}

#[tokio::test]
async fn ten_thousand_players_are_paged_by_the_index() {
    let app = TestApp::start().await;
    fill(&app.database).await;
    let (mut cursor, mut seen) = (String::new(), Vec::new());
    loop {
        let path = format!("/v1/leaderboards/ritunas_favour?limit=200{cursor}");
        let page = app.anon().get(&path).await.ok();
        seen.extend(page["items"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen.len(), 10_000);
    let mut ahead = 0;
    for (at, row) in seen.iter().enumerate() {
        if at > 0 && row["rating"] != seen[at - 1]["rating"] {
            assert!(row["rating"].as_f64() < seen[at - 1]["rating"].as_f64());
            ahead = at;
        }
        assert_eq!(row["place"], ahead + 1, "those with the same rating share a place");
    }
    let mut once: Vec<&str> = names(&seen);
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), 10_000, "nobody twice");

    let mut sql = format!("{} LIMIT 51", cardroom::store::ratings::BOARD);
    let middle = "'00000000-0000-0000-0000-000000000000'";
    for (parameter, value) in
        [("$1", "'sevens'"), ("$2", "'all'"), ("$3", "15"), ("$4", middle), ("$5", "false")]
    {
        sql = sql.replace(parameter, value);
    }
    let plan: Vec<Plan> = diesel::sql_query(format!("EXPLAIN (ANALYZE, COSTS OFF) {sql}"))
        .load(&mut app.database.connection().await)
        .await
        .unwrap();
    let plan: Vec<String> = plan.into_iter().map(|line| line.plan).collect();
    let plan = plan.join("\n");
    println!("{plan}");
    assert!(plan.contains("ratings_board") && !plan.contains("Sort"), "{plan}");
}

/// Ten thousand players, rated in two kinds.
async fn fill(database: &TestDatabase) {
    let filled = "INSERT INTO accounts (id, username, created_at)
             SELECT gen_random_uuid(), 'p' || n, now() FROM generate_series(1, 10000) n;
         INSERT INTO ratings SELECT id, kind, period, (abs(hashtext(username)) % 3000) / 100.0, 25, 5, 1, 1, 1, 1, 1, '{}'
             FROM accounts, unnest('{sevens,ritunas_favour}'::text[]) kind,
                 unnest('{all,2026-Q4,2026-W47}'::text[]) period;
         ANALYZE";
    database.connection().await.batch_execute(filled).await.unwrap();
}

#[tokio::test]
#[ignore = "measures: cargo test --release how_long_a_page -- --ignored --nocapture"]
async fn how_long_a_page_of_ten_thousand_players_takes() {
    let database = TestDatabase::create().await;
    fill(&database).await;
    let program = Program::start(&database).await;
    let http = reqwest::Client::new();
    let page = async |cursor: &str| -> Value {
        let url = format!("{}/v1/leaderboards/sevens?limit=50{cursor}", program.base);
        http.get(url).send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
    };
    let mut cursors = vec![String::new()];
    while let Some(next) = page(&cursors[cursors.len() - 1]).await["next"].as_str() {
        cursors.push(format!("&cursor={next}"));
    }
    assert_eq!(cursors.len(), 200);
    for number in [1, 100, 200] {
        let mut times = Vec::new();
        for _ in 0..1000 {
            let begun = Instant::now();
            page(&cursors[number - 1]).await;
            times.push(begun.elapsed());
        }
        times.sort_unstable();
        println!("page {number} of 200: median {:?}, 99th percentile {:?}", times[500], times[990]);
    }
}

#[derive(QueryableByName)]
struct Plan {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    plan: String,
}
