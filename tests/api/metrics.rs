//! What the service counts about itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use super::games::started;
use crate::eventually::eventually;
use crate::random::orders::list;
use cardroom::games::counts::count_unfinished;

/// All series with their values.
struct Metrics(BTreeMap<String, f64>);

impl Metrics {
    async fn of(app: &TestApp) -> Metrics {
        let text = app.anon().get("/metrics").await.ok();
        let series = text.as_str().unwrap().lines().filter(|line| !line.starts_with('#'));
        let series = series.map(|line| line.rsplit_once(' ').unwrap());
        Metrics(series.map(|(name, value)| (name.to_owned(), value.parse().unwrap())).collect())
    }

    fn value(&self, series: &str) -> f64 {
        self.0.get(&format!("cardroom_{series}")).copied().unwrap_or_default()
    }

    /// The names without labels, and of histograms without what stands behind.
    fn names(&self) -> BTreeSet<String> {
        let name = |series: &String| {
            let name = series.split('{').next().unwrap();
            let parts = ["_bucket", "_sum", "_count"];
            parts.into_iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name).to_owned()
        };
        self.0.keys().map(name).collect()
    }
}

/// The names in the first column of the document's table.
fn documented() -> BTreeSet<String> {
    let document = include_str!("../../docs/metrics.md");
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| row.split('`').next().unwrap().to_owned()).collect()
}

async fn made(host: &Client, wanted: Value) -> String {
    format!("/v1/games/{}", host.post("/v1/games", &wanted).await.ok()["id"].as_str().unwrap())
}

#[tokio::test]
async fn every_metric_is_there_moves_with_what_it_counts_and_stands_in_the_document() {
    let app = TestApp::start().await;
    let host = app.guest().await;
    // An action, and a bot's.
    let game =
        made(&host, json!({"kind": "ritunas_favour", "seats": 2, "sit": true, "bots": ["steady"]})).await;
    host.post(&format!("{game}/actions"), &json!({"type": "stick"})).await.ok();
    let metrics = Metrics::of(&app).await;
    assert_eq!(metrics.value(r#"actions_total{by="player"}"#), 1.0);
    assert!(metrics.value(r#"actions_total{by="bot"}"#) >= 1.0);
    assert_eq!(metrics.value(r#"actions_total{by="clock"}"#), 0.0);
    // The clock's.
    let clocked =
        made(&host, json!({"kind": "royal_gambit", "seats": 2, "sit": true, "turn_seconds": 5})).await;
    app.guest().await.post(&format!("{clocked}/seats"), &json!({})).await.ok();
    app.pass(8).await;
    // Of an open game and one that was called off, both are told of.
    let open = made(&host, json!({"kind": "sevens"})).await;
    let off = made(&host, json!({"kind": "sevens"})).await;
    host.post(&format!("{off}/abort"), &json!({})).await.ok();
    count_unfinished(&app.app.database).await.unwrap();
    // Two replicas seat somebody; the later one has to look again.
    let replica = app.replica().await;
    let (ann, bob) = (app.guest().await, replica.at(&app.guest().await));
    bob.get(&open).await.ok();
    ann.post(&format!("{open}/seats"), &json!({})).await.ok();
    bob.post(&format!("{open}/seats"), &json!({})).await.ok();
    let elsewhere = Metrics::of(&replica).await;
    assert_eq!(elsewhere.value("append_conflicts_total"), 1.0);
    // Streams, and a refusal.
    let streams =
        [app.anon().stream(&format!("{open}/stream")).await, app.anon().stream("/v1/games/stream").await];
    assert_eq!(app.anon().get("/v1/players/nobody").await.code(), "player_not_found");

    let metrics = Metrics::of(&app).await;
    assert_eq!(metrics.names(), documented());
    assert!(metrics.value(r#"actions_total{by="clock"}"#) >= 1.0);
    assert!(metrics.value("scheduler_lag_seconds_count") >= 1.0);
    assert!(metrics.value("scheduler_lag_seconds_sum") < 60.0);
    for (series, value) in [
        (r#"games{kind="ritunas_favour",status="active"}"#, 1.0),
        (r#"games{kind="royal_gambit",status="active"}"#, 1.0),
        (r#"games{kind="sevens",status="open"}"#, 1.0),
        (r#"games_over_total{kind="sevens",status="aborted"}"#, 1.0),
        (r#"streams_open{stream="game"}"#, 1.0),
        (r#"streams_open{stream="lobby"}"#, 1.0),
        (r#"problems_total{code="player_not_found"}"#, 1.0),
        (r#"queue_waiting{what="appends"}"#, 0.0),
        ("pool_waiting", 0.0),
    ] {
        assert_eq!(metrics.value(series), value, "{series}");
    }
    let alone = metrics.value(r#"statement_requests_total{statement="alone",what="appends"}"#);
    assert!(alone >= 8.0 && alone <= metrics.value(r#"statements_total{what="appends"}"#), "{alone}");
    let connections = ["idle", "in_use"].map(|state| format!("pool_connections{{state=\"{state}\"}}"));
    assert!(connections.iter().map(|series| metrics.value(series)).sum::<f64>() >= 1.0);
    app.app.games.close_streams();
    drop(streams);
    let closed = eventually(async || {
        let metrics = Metrics::of(&app).await;
        let open = ["game", "lobby"].map(|of| metrics.value(&format!("streams_open{{stream=\"{of}\"}}")));
        (open == [0.0, 0.0]).then_some(())
    });
    assert!(closed.await.is_some());
}

#[tokio::test]
async fn logins_that_are_refused_are_counted_by_reason() {
    let app = TestApp::start_with(|settings| settings.auth_rate_limit = 1).await;
    let nobody = json!({"username": "nobody", "password": "wrong horse battery"});
    assert_eq!(app.anon().post("/v1/auth/login", &nobody).await.code(), "wrong_credentials");
    assert_eq!(app.anon().post("/v1/auth/login", &nobody).await.code(), "too_many_requests");
    let metrics = Metrics::of(&app).await;
    for reason in ["credentials", "limit"] {
        assert_eq!(metrics.value(&format!("logins_refused_total{{reason=\"{reason}\"}}")), 1.0, "{reason}");
    }
}

#[tokio::test]
async fn a_watcher_who_may_no_longer_see_the_game_is_counted() {
    let app = TestApp::start().await;
    let host = app.guest().await;
    let game = host.post("/v1/games", &json!({"kind": "sevens", "visibility": "private"})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let guest = app.guest().await;
    guest.post(&format!("{path}/seats"), &json!({"invite": game["invite"]})).await.ok();
    let stream = guest.stream(&format!("{path}/stream")).await;
    guest.delete(&format!("{path}/seats/me")).await.ok();
    stream.rest().await;
    assert_eq!(Metrics::of(&app).await.value(r#"streams_cut_off_total{reason="hidden"}"#), 1.0);
}

#[tokio::test]
async fn metrics_with_an_address_of_their_own_are_not_at_the_public_one() {
    let app =
        TestApp::start_with(|settings| settings.metrics_listen = Some(([127, 0, 0, 1], 0).into())).await;
    assert_eq!(app.anon().get("/metrics").await.code(), "not_found");
    // What is counted goes on.
    started(&app, 2).await;
}

/// The metrics that a file names.
fn named(file: &str) -> BTreeSet<String> {
    let words = file.split(|c: char| !c.is_ascii_lowercase() && c != '_');
    let metrics = words.filter(|word| word.starts_with("cardroom_"));
    metrics.map(|name| name.strip_suffix("_bucket").unwrap_or(name).to_owned()).collect()
}

#[test]
fn the_dashboard_shows_every_metric_and_alarms_name_none_but_those() {
    let dashboard = include_str!("../../deploy/grafana/cardroom.json");
    let panels: Value = serde_json::from_str(dashboard).unwrap();
    let expressions = panels["panels"].as_array().unwrap().iter().flat_map(|panel| list(&panel["targets"]));
    let expressions: Vec<&str> = expressions.map(|target| target["expr"].as_str().unwrap()).collect();
    assert_eq!(named(&expressions.join("\n")), documented());
    let alarms = include_str!("../../deploy/prometheus/alerts.yml");
    let alarming = named(alarms);
    assert!(alarming.len() > 5 && alarming.is_subset(&documented()), "{alarming:?}");
    for code in alarms.split("code=\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(cardroom::http::problem::CODES.iter().any(|known| known.code == code), "{code}");
    }
    let page = include_str!("../../docs/operations.md");
    for alarm in alarms.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        let is_heading =
            |line: &str| line.starts_with("### ") && line.split([' ', ',']).any(|word| word == alarm);
        assert!(page.lines().any(is_heading), "docs/operations.md does not say what to do about {alarm}");
    }
}
