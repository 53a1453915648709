//! Series: points over several tournaments, as their owners and players meet them.

use reqwest::Method;
use serde_json::{Value, json};

use super::app::{PASSWORD, TestApp};
use super::client::Client;
use super::tournaments::{bots, enter, made};
use crate::random::orders::list;

const NOBODY: &str = "00000000-0000-0000-0000-000000000000";

/// Creates a series, and gives its path.
async fn created(owner: &Client, points: Value, best: Option<u16>) -> String {
    let wanted = json!({"name": "City league", "points": points, "best": best});
    let made = owner.post("/v1/series", &wanted).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.header("location").unwrap().to_owned()
}

/// Plays a tournament of one table in which everybody ends with the score that `scores` says, and a bot with its own.
async fn played(
    app: &TestApp,
    olga: &Client,
    players: &[Client],
    name: &str,
    scores: &[(&str, i64)],
) -> String {
    // Their order is that of their creation.
    app.clock.advance(1);
    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let change = json!({"name": name, "table_size": 4, "format": format, "result_by": {"type": "places"}});
    let path = made(olga, change).await;
    enter(&path, players).await;
    bots(olga, &path, "steady", 1).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let table = olga.get(&path).await.ok()["rounds"][0]["tables"][0].clone();
    let score = |player: &Value| {
        let found = scores.iter().find(|(name, _)| player == name);
        found.unwrap_or_else(|| panic!("{player}")).1
    };
    let scores: Vec<i64> = list(&table["players"]).iter().map(score).collect();
    let result = json!({"game": table["game"], "reason": "played with paper cards", "scores": scores});
    olga.post(&format!("{path}/rounds/1/tables/1/result"), &result).await.ok();
    for _ in 0..100 {
        app.tick().await;
        if app.anon().get(&path).await.ok()["status"] == "finished" {
            return path;
        }
        app.clock.advance(1);
    }
    panic!("{name} does not end")
}

fn id(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

async fn add(owner: &Client, series: &str, tournament: &str) {
    owner.put(&format!("{series}/tournaments/{}", id(tournament)), &json!(null)).await.ok();
}

async fn lines(client: &Client, series: &str) -> Vec<Value> {
    list(&client.get(&format!("{series}/standings")).await.ok()["items"]).clone()
}

/// Place, player and points of each line.
fn told(lines: &[Value]) -> Vec<(u64, String, f64)> {
    let text = |line: &Value| line["player"].as_str().unwrap().to_owned();
    lines
        .iter()
        .map(|line| (line["place"].as_u64().unwrap(), text(line), line["points"].as_f64().unwrap()))
        .collect()
}

fn line(place: u64, player: &str, points: f64) -> (u64, String, f64) {
    (place, player.to_owned(), points)
}

/// Three tournaments of ann, ben, cem and a bot, with ties in two of them.
pub async fn three(app: &TestApp, olga: &Client, players: &[Client]) -> [String; 3] {
    let first = [("ann", 9), ("steady 1", 7), ("ben", 5), ("cem", 5)];
    let second = [("ben", 9), ("cem", 9), ("ann", 5), ("steady 1", 1)];
    let third = [("cem", 9), ("ann", 7), ("ben", 5), ("steady 1", 1)];
    [
        played(app, olga, players, "May cup", &first).await,
        played(app, olga, players, "June cup", &second).await,
        played(app, olga, players, "=July cup", &third).await,
    ]
}

#[tokio::test]
async fn the_best_two_of_three_tournaments_count_and_a_late_disqualification_changes_that() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await, app.user("cem").await];
    let cups = three(&app, &olga, &players).await;
    let series = created(&olga, json!({"type": "places", "points": [10, 6, 3, 1]}), Some(2)).await;
    assert_eq!(lines(&app.anon(), &series).await, Vec::<Value>::new());
    // What is open or called off counts nothing.
    let [open, off] = [made(&olga, json!({})).await, made(&olga, json!({})).await];
    enter(&open, &players).await;
    enter(&off, &players).await;
    olga.post(&format!("{off}/start"), &json!(null)).await.ok();
    olga.post(&format!("{off}/abort"), &json!(null)).await.ok();
    for cup in [&cups[2], &open, &off, &cups[0], &cups[1]] {
        add(&olga, &series, cup).await;
    }
    let before = lines(&app.anon(), &series).await;
    assert_eq!(told(&before), [line(1, "cem", 18.0), line(2, "ann", 16.0), line(3, "ben", 11.0)]);
    // 3rd and 4th share (3 + 1) / 2; 1st and 2nd share (10 + 6) / 2. The bot's points go to nobody.
    let cem: Vec<Value> = list(&before[0]["tournaments"])
        .iter()
        .map(|one| json!([one["tournament"], one["name"], one["place"], one["points"], one["counts"]]))
        .collect();
    let wanted = [
        json!([id(&cups[0]), "May cup", 3, 2, false]),
        json!([id(&cups[1]), "June cup", 1, 8, true]),
        json!([id(&cups[2]), "=July cup", 1, 10, true]),
    ];
    assert_eq!(cem, wanted);

    let out = format!("{}/entries/cem/disqualify", cups[2]);
    olga.post(&out, &json!({"reason": "two phones"})).await.ok();
    let after = lines(&app.anon(), &series).await;
    assert_eq!(told(&after), [line(1, "ann", 20.0), line(2, "ben", 14.0), line(3, "cem", 10.0)]);
    assert_eq!(list(&after[2]["tournaments"]).len(), 2, "{}", after[2]);
    olga.post(&format!("{}/entries/cem/reinstate", cups[2]), &json!({})).await.ok();
    assert_eq!(lines(&app.anon(), &series).await, before);

    // It follows from the logs alone: another replica, and games that are counted anew, say the same.
    let beside = app.replica().await;
    assert_eq!(lines(&beside.anon(), &series).await, before);
    app.rebuild().await;
    assert_eq!(lines(&app.anon(), &series).await, before);
    olga.delete(&format!("{series}/tournaments/{}", id(&cups[2]))).await.ok();
    let two = told(&lines(&beside.anon(), &series).await);
    assert_eq!(two, [line(1, "ann", 13.0), line(2, "ben", 10.0), line(2, "cem", 10.0)]);
}

#[tokio::test]
async fn a_sheet_and_a_page_to_print_say_what_json_says_and_result_and_score_count_as_they_are() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await, app.user("cem").await];
    let cups = three(&app, &olga, &players).await;
    let by_place = json!({"type": "places", "points": [10, 6, 2]});
    let series = created(&olga, by_place, Some(2)).await;
    let by_result = created(&olga, json!({"type": "result"}), None).await;
    let by_score = created(&olga, json!({"type": "score"}), None).await;
    for cup in &cups {
        for series in [&series, &by_result, &by_score] {
            add(&olga, series, cup).await;
        }
    }
    let standings = format!("{series}/standings");
    let json = lines(&app.anon(), &series).await;
    let sheet = app.anon().with("accept", "text/csv").get(&standings).await;
    let sheet = sheet.ok().as_str().unwrap().to_owned();
    assert_eq!(app.anon().get(&format!("{standings}?format=csv")).await.ok(), json!(sheet));
    let rows: Vec<Vec<&str>> = sheet.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows[0], ["place", "player", "points", "tournaments", "May cup", "June cup", "'=July cup"]);
    assert_eq!(rows.len(), 1 + json.len());
    for (row, line) in rows[1..].iter().zip(&json) {
        let mut cells = vec![line["place"].to_string(), line["player"].as_str().unwrap().to_owned()];
        cells.extend([line["points"].to_string(), list(&line["tournaments"]).len().to_string()]);
        cells.extend(list(&line["tournaments"]).iter().map(|one| one["points"].to_string()));
        assert_eq!(*row, cells);
    }
    let page = app.anon().get(&format!("{standings}?format=html")).await.ok();
    let page = page.as_str().unwrap();
    assert!(page.contains("<h1>City league</h1>") && page.contains("<td>cem</td>"), "{page}");
    assert_eq!(page.matches("<s>").count(), 3, "each has one that does not count: {page}");

    let first = app.anon().get(&format!("{standings}?limit=1")).await;
    assert!(first.header("link").unwrap().contains("cursor=1"));
    let rest = app.anon().get(&format!("{standings}?cursor=1")).await.ok();
    assert_eq!([list(&first.ok()["items"]).clone(), list(&rest["items"]).clone()].concat(), json);
    assert_eq!(app.anon().get(&format!("{standings}?limit=201")).await.code(), "invalid_parameter");

    for (series, field) in [(&by_result, "result"), (&by_score, "score")] {
        let mut sums = std::collections::BTreeMap::new();
        for cup in &cups {
            for row in list(&app.anon().get(&format!("{cup}/standings")).await.ok()["items"]) {
                let name = row["player"].as_str().unwrap().to_owned();
                *sums.entry(name).or_insert(0.0) += row[field].as_f64().unwrap_or(0.0);
            }
        }
        for (_, player, points) in told(&lines(&app.anon(), series).await) {
            assert!((sums[&player] - points).abs() < 1e-9, "{field} {player}: {points} {sums:?}");
        }
    }
}

#[tokio::test]
async fn a_series_is_created_once_and_changed_by_its_owner_alone() {
    let app = TestApp::start().await;
    let [olga, ann, root] = [app.user("olga").await, app.user("ann").await, app.admin("root").await];
    let wanted = json!({"name": " City league ", "description": "All year.", "points": {"type": "result"}});
    assert_eq!(app.guest().await.post("/v1/series", &wanted).await.code(), "account_required");
    assert_eq!(app.anon().post("/v1/series", &wanted).await.code(), "unauthorized");
    let keyed = olga.clone().with("idempotency-key", "once");
    let first = keyed.post("/v1/series", &wanted).await;
    let again = keyed.post("/v1/series", &wanted).await;
    assert_eq!((again.status.as_u16(), again.header("idempotency-replayed")), (201, Some("true")));
    let series = first.header("location").unwrap().to_owned();
    assert_eq!((first.header("idempotency-replayed"), &first.body), (None, &again.body));
    assert_eq!(first.body["name"], "City league");
    let other = json!({"name": "Other", "points": {"type": "result"}});
    assert_eq!(keyed.post("/v1/series", &other).await.code(), "idempotency_key_reused");
    app.clock.advance(1);
    let elsewhere = ann.clone().with("idempotency-key", "once").post("/v1/series", &other).await.ok();
    let all = app.anon().get("/v1/series").await.ok();
    let ids: Vec<&Value> = list(&all["items"]).iter().map(|one| &one["id"]).collect();
    assert_eq!(ids, [&elsewhere["id"], &first.body["id"]], "the newest first");

    let cup = made(&olga, json!({})).await;
    let within = format!("{series}/tournaments/{}", id(&cup));
    let change = json!({"name": "Town league", "description": null});
    assert_eq!(ann.patch(&series, &change).await.code(), "not_creator");
    assert_eq!(ann.put(&within, &json!(null)).await.code(), "not_creator");
    assert_eq!(ann.delete(&within).await.code(), "not_creator");
    assert_eq!(ann.delete(&series).await.code(), "not_creator");
    let anns = format!("/v1/series/{}/tournaments/{}", elsewhere["id"].as_str().unwrap(), id(&cup));
    assert_eq!(ann.put(&anns, &json!(null)).await.code(), "not_organiser");
    assert_eq!(list(&root.put(&anns, &json!(null)).await.ok()["tournaments"]).len(), 1);
    for _ in 0..2 {
        let tournaments = olga.put(&within, &json!(null)).await.ok()["tournaments"].clone();
        assert_eq!(tournaments[0]["name"], "Autumn cup");
        assert_eq!(list(&tournaments).len(), 1);
    }
    let of_cup = app.anon().get(&format!("/v1/series?tournament={}", id(&cup))).await.ok();
    assert_eq!(list(&of_cup["items"]).len(), 2);
    let own = app.anon().get("/v1/series?created_by=olga").await.ok();
    assert_eq!(list(&own["items"]).len(), 1);
    let changed = olga.patch(&series, &change).await.ok();
    assert_eq!((&changed["name"], &changed["description"]), (&json!("Town league"), &Value::Null));
    assert_eq!(olga.patch(&series, &json!({})).await.ok(), changed);
    assert_eq!(olga.patch(&series, &json!({"points": {"type": "score"}})).await.code(), "invalid_body");
    assert_eq!(app.anon().get(&series).await.ok(), changed);
    let nowhere = format!("{series}/tournaments/{NOBODY}");
    assert_eq!(olga.put(&nowhere, &json!(null)).await.code(), "tournament_not_found");
    let nothing = format!("/v1/series/{NOBODY}/standings");
    assert_eq!(app.anon().get(&nothing).await.code(), "series_not_found");
    assert_eq!(olga.delete(&series).await.status, 204);
    assert_eq!(app.anon().get(&series).await.code(), "series_not_found");
}

#[tokio::test]
async fn the_numbers_of_series_are_bounded() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let cup = made(&olga, json!({})).await;
    let wanted = json!({"name": "League", "points": {"type": "result"}});
    for nth in 0..100 {
        let made = olga.post("/v1/series", &wanted).await;
        let series = made.header("location").unwrap().to_owned();
        let added = olga.put(&format!("{series}/tournaments/{}", id(&cup)), &json!(null)).await;
        assert_eq!(added.body["code"], if nth < 10 { Value::Null } else { json!("too_many_series") });
    }
    assert_eq!(olga.post("/v1/series", &wanted).await.code(), "too_many_series");
    let newest = app.anon().get("/v1/series?limit=1").await.ok()["items"][0]["id"].clone();
    assert_eq!(olga.delete(&format!("/v1/series/{}", newest.as_str().unwrap())).await.status, 204);
    assert_eq!(olga.post("/v1/series", &wanted).await.status, 201);
}

#[tokio::test]
async fn an_account_takes_its_series_with_it() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let players = [app.user("ann").await, app.user("ben").await, app.user("cem").await];
    let scores = [("ann", 9), ("steady 1", 7), ("ben", 5), ("cem", 5)];
    let cup = played(&app, &olga, &players, "May cup", &scores).await;
    let series = created(&olga, json!({"type": "places", "points": [3]}), None).await;
    add(&olga, &series, &cup).await;
    let export = olga.get("/v1/me/export").await.ok();
    let told = json!({
        "series": id(&series), "name": "City league", "description": null, "tournaments": [id(&cup)],
        "created_at": export["series"][0]["created_at"],
    });
    assert_eq!(export["series"], json!([told]));
    // A player who leaves stays in the standings, as in those of the tournament.
    let proof = serde_json::to_vec(&json!({"password": PASSWORD})).unwrap();
    let delete = async |client: &Client| {
        let client = client.clone().with("content-type", "application/json");
        client.send(Method::DELETE, "/v1/me", proof.clone()).await.status.as_u16()
    };
    assert_eq!(delete(&players[0]).await, 204);
    assert_eq!(lines(&app.anon(), &series).await[0]["player"], "ann");
    assert_eq!(delete(&olga).await, 204);
    assert_eq!(app.anon().get(&series).await.code(), "series_not_found");
    let of_cup = app.anon().get(&format!("/v1/series?tournament={}", id(&cup))).await.ok();
    assert_eq!(of_cup["items"], json!([]));
    assert_eq!(
        olga.post("/v1/series", &json!({"name": "L", "points": {"type": "result"}})).await.code(),
        "unauthorized"
    );
}
