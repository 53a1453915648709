//! A tournament in other programs: the crosstable, a calendar, a feed.

use std::process::Command;

use serde_json::{Value, json};

use super::{bots, enter, made, play, standings};
use crate::api::app::TestApp;
use crate::random::dice::Dice;
use crate::random::orders::list;

#[tokio::test]
async fn the_crosstable_tells_what_each_entrant_got_in_each_round() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let format = json!({"type": "rounds", "rounds": 3, "seating": "swiss"});
    let path = made(&olga, json!({"format": format, "result_by": {"type": "places"}})).await;
    let crosstable = format!("{path}/crosstable");
    enter(&path, &[ann.clone(), ben.clone()]).await;
    bots(&olga, &path, "steady", 5).await;
    let before = app.anon().get(&crosstable).await.ok();
    assert!(list(&before["items"]).iter().all(|line| line["rounds"] == json!([])));
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    // A result that an organiser sets stands here, too.
    let drawn = olga.get(&path).await.ok()["rounds"][0]["tables"][0].clone();
    let scores: Vec<usize> = (0..list(&drawn["players"]).len()).collect();
    let result = json!({"game": drawn["game"], "reason": "the phones died", "scores": scores});
    olga.post(&format!("{path}/rounds/1/tables/1/result"), &result).await.ok();
    let tournament = play(&app, &path, &[ann, ben], &mut Dice::new(9)).await;
    assert_eq!(tournament["status"], "finished");

    let table = app.anon().get(&crosstable).await.ok();
    let lines = list(&table["items"]);
    let rows = standings(&app.anon(), &path).await;
    assert_eq!(lines.len(), rows.len());
    for (line, row) in lines.iter().zip(&rows) {
        assert_eq!((&line["player"], &line["place"]), (&row["player"], &row["place"]));
        let cells = list(&line["rounds"]);
        assert_eq!(cells.len(), 3);
        let sum: f64 = cells.iter().map(|cell| cell["result"].as_f64().unwrap()).sum();
        assert!((sum - row["result"].as_f64().unwrap()).abs() < 1e-9, "{line}");
        for cell in cells {
            let (round, table) = (cell["round"].as_u64().unwrap(), cell["table"].as_u64().unwrap());
            let drawn = &tournament["rounds"][round as usize - 1]["tables"][table as usize - 1];
            assert_eq!(cell["game"], drawn["game"]);
            assert!(cell["table_score"].is_i64() && cell["same_cards_mean"].is_null(), "{cell}");
            assert_eq!(drawn["players"][cell["seat"].as_u64().unwrap() as usize], line["player"]);
            assert_eq!(list(&cell["opponents"]).len() + 1, list(&drawn["players"]).len());
        }
    }
    let first = app.anon().get(&format!("{crosstable}?limit=3")).await;
    assert!(first.header("link").unwrap().contains("cursor=3"));
    let second = app.anon().get(&format!("{crosstable}?limit=200&cursor=3")).await.ok();
    let both: Vec<Value> = [list(&first.ok()["items"]).clone(), list(&second["items"]).clone()].concat();
    assert_eq!((&both, &second["next"]), (lines, &Value::Null));
    let sheet = app.anon().get(&format!("{crosstable}?format=csv")).await.ok();
    assert_eq!(sheet.as_str().unwrap().lines().count(), 1 + 3 * lines.len());

    // Python comes to the same results from the bundles alone, by places and with a result that was set.
    app.clock.advance(11);
    let bundle = app.anon().get(&format!("{path}/audit")).await.ok();
    let games = format!("/v1/audit/games?tournament={}", tournament["id"].as_str().unwrap());
    let games = app.anon().get(&games).await.ok();
    let file = std::env::temp_dir().join(format!("cardroom-count-{}.jsonl", std::process::id()));
    std::fs::write(&file, format!("{bundle}\n{}", games.as_str().unwrap())).unwrap();
    let counted = Command::new("python3").arg("docs/count.py").arg(&file).output().unwrap();
    let words = String::from_utf8(counted.stdout).unwrap();
    assert!(counted.status.success(), "{words}");
    assert_eq!(words.lines().filter(|line| line.starts_with("ok")).count(), lines.len(), "{words}");
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn calendars_and_feed_readers_follow_a_tournament() {
    let app = TestApp::start().await;
    let [olga, ann] = [app.user("olga").await, app.user("ann").await];
    let path = made(&olga, json!({"fill": "steady"})).await;
    let calendar = format!("{path}/calendar.ics");
    assert_eq!(app.anon().get(&calendar).await.code(), "not_scheduled");
    let details = json!({
        "starts_at": "2026-12-24T16:30:00Z", "venue": "Town hall; first, floor",
        "description": "Bring\r\nEND:VCALENDAR".replace('\r', ""),
    });
    olga.patch(&path, &json!({"details": details})).await.ok();
    let told = app.anon().get(&calendar).await;
    assert!(told.header("content-type").unwrap().starts_with("text/calendar"));
    let text = told.ok().as_str().unwrap().replace("\r\n ", "");
    for line in [
        "DTSTART:20261224T163000Z",
        "SUMMARY:Autumn cup",
        r"LOCATION:Town hall\; first\, floor",
        r"DESCRIPTION:Bring\nEND:VCALENDAR",
    ] {
        assert!(text.lines().any(|told| told == line), "{line}: {text}");
    }
    assert_eq!(text.lines().filter(|line| *line == "END:VCALENDAR").count(), 1);

    enter(&path, &[ann]).await;
    bots(&olga, &path, "steady", 2).await;
    olga.post(&format!("{path}/announcements"), &json!({"text": "Soup & <b>bread</b> at eight."})).await.ok();
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let feed = app.anon().get(&format!("{path}/feed.atom")).await;
    assert!(feed.header("content-type").unwrap().starts_with("application/atom+xml"));
    let text = feed.ok().as_str().unwrap().to_owned();
    for part in ["Autumn cup", "Soup &amp; &lt;b&gt;bread&lt;/b&gt; at eight.", "Round 1 has begun"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (round, announced) = (text.find("Round 1").unwrap(), text.find("Soup").unwrap());
    assert!(round < announced, "the newest first");
}
