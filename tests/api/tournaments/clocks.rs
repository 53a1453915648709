//! Clocks that organisers stop, players who do not come, and calls for a referee.

use serde_json::{Value, json};

use super::{bots, enter, made, move_on, play};
use crate::api::app::TestApp;
use crate::api::client::{Client, Events};
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

/// A table of two in a tournament that olga runs: the tournament's path, the game's, and the player whose turn it is.
async fn begun(app: &TestApp, change: Value) -> (Client, String, String, Client) {
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let path = made(&olga, change).await;
    enter(&path, &[ann.clone(), ben.clone()]).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let game = ann.get(&path).await.ok()["you"]["game"].as_str().unwrap().to_owned();
    let game = format!("/v1/games/{game}");
    let is_ann_s = !list(&ann.get(&game).await.ok()["legal_actions"]).is_empty();
    (olga, path, game, if is_ann_s { ann } else { ben })
}

/// The next notice of this type.
async fn hears(stream: &mut Events, kind: &str) -> Value {
    loop {
        let notice = stream.next().await.unwrap().json();
        if notice["type"] == kind {
            return notice;
        }
    }
}

#[tokio::test]
async fn an_organiser_stops_the_clocks_of_a_table_and_gives_time() {
    let app = TestApp::start().await;
    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let (olga, path, game, player) =
        begun(&app, json!({"format": format, "turn_seconds": 20, "table_size": 2})).await;
    let act = async |what: &str, body: Value| olga.post(&format!("{path}/{what}"), &body).await;
    let look = async || player.get(&game).await.ok();
    let menu = look().await["legal_actions"].clone();
    let mut dice = Dice::new(1);
    let action = order(dice.pick(list(&menu)), &mut dice);
    app.pass(5).await;

    let refused = player.post(&format!("{path}/rounds/1/tables/1/pause"), &json!(null)).await;
    assert_eq!(refused.code(), "not_organiser");
    assert_eq!(act("rounds/1/tables/2/pause", json!(null)).await.code(), "table_not_found");
    assert_eq!(
        act("rounds/1/tables/1/pause", json!(null)).await.ok()["rounds"][0]["tables"][0]["paused"],
        true
    );
    app.tick().await;
    let stopped = look().await;
    assert_eq!((&stopped["paused"], &stopped["deadline"]), (&json!(true), &Value::Null));
    assert_eq!(stopped["legal_actions"], json!([]));
    assert_eq!(player.post(&format!("{game}/actions"), &action).await.code(), "game_paused");
    app.pass(60).await;
    assert_eq!(look().await["version"], stopped["version"], "no clock runs");
    // Asking twice does no harm.
    act("rounds/1/tables/1/pause", json!(null)).await.ok();

    act("rounds/1/tables/1/resume", json!(null)).await.ok();
    app.tick().await;
    let left = async || {
        let deadline: jiff::Timestamp = look().await["deadline"].as_str().unwrap().parse().unwrap();
        deadline.duration_since(app.clock.now()).as_secs()
    };
    assert_eq!(left().await, 15, "as much as there was");
    for bad in [json!({"seconds": 0}), json!({"seconds": 86_401})] {
        assert_eq!(act("rounds/1/tables/1/extra-time", bad).await.code(), "invalid_options");
    }
    act("rounds/1/tables/1/extra-time", json!({"seconds": 30})).await.ok();
    act("rounds/1/tables/1/extra-time", json!({"seconds": 10})).await.ok();
    app.tick().await;
    assert_eq!(left().await, 55);
    assert!(list(&look().await["seats"]).iter().all(|seat| seat["bank_ms"] == 40_000));
    // Time for one player alone.
    let (name, you) = (player.username().to_owned(), look().await["you"].as_u64().unwrap() as usize);
    let nobody = json!({"seconds": 5, "player": "nobody"});
    assert_eq!(act("rounds/1/tables/1/extra-time", nobody).await.code(), "entrant_not_found");
    act("rounds/1/tables/1/extra-time", json!({"seconds": 5, "player": name})).await.ok();
    app.tick().await;
    let banks = look().await["seats"].clone();
    assert_eq!((&banks[you]["bank_ms"], &banks[1 - you]["bank_ms"]), (&json!(45_000), &json!(40_000)));

    // All clocks at once; a table alone does not run while all stand.
    let paused = act("pause", json!({"reason": "a fire alarm", "stop_clocks": true})).await.ok();
    assert_eq!((&paused["paused"], &paused["clocks_stopped"]), (&json!(true), &json!(true)));
    act("rounds/1/tables/1/pause", json!(null)).await.ok();
    assert_eq!(act("rounds/1/tables/1/resume", json!(null)).await.code(), "tournament_paused");
    app.tick().await;
    assert_eq!(look().await["paused"], true);
    app.pass(100).await;
    let resumed = act("resume", json!(null)).await.ok();
    assert_eq!(
        (&resumed["clocks_stopped"], &resumed["rounds"][0]["tables"][0]["paused"]),
        (&json!(false), &json!(false))
    );
    app.tick().await;
    assert_eq!((&look().await["paused"], left().await), (&json!(false), 60));
    // Another replica, which reads the log, knows the same.
    let other = app.replica().await;
    assert_eq!(other.anon().get(&game).await.ok()["deadline"], look().await["deadline"]);
    player.post(&format!("{game}/actions"), &action).await.ok();

    for _ in 0..3000 {
        app.pass(1).await;
        if look().await["status"] != "active" {
            break;
        }
    }
    let bundle = app.anon().get(&format!("{game}/audit")).await.ok();
    let types: Vec<&Value> = list(&bundle["log"]).iter().map(|entry| &entry["type"]).collect();
    assert_eq!(types.iter().filter(|found| **found == "paused").count(), 2);
    assert_eq!(app.anon().post("/v1/audit/verify", &bundle).await.ok()["ok"], true);
    assert_eq!(act("rounds/1/tables/1/extra-time", json!({"seconds": 30})).await.code(), "tournament_over");
}

#[tokio::test]
async fn who_does_not_play_a_round_is_out_until_they_check_in() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let knockout = json!({"name": "Cup", "kind": "sevens", "no_show_limit": 3,
        "format": {"type": "knockout", "advance": 1}});
    assert_eq!(olga.post("/v1/tournaments", &knockout).await.code(), "invalid_options");
    let format = json!({"type": "rounds", "rounds": 3, "seating": "random"});
    let path = made(
        &olga,
        json!({"format": format, "no_show_limit": 2, "turn_seconds": 5, "pause_after_rounds": true}),
    )
    .await;
    enter(&path, &[ann.clone(), ben.clone()]).await;
    bots(&olga, &path, "steady", 4).await;
    assert_eq!(
        ann.post(&format!("{path}/entries/ann/check-in"), &json!(null)).await.code(),
        "check_in_not_needed",
        "nobody has to check in before the start"
    );
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    let mut dice = Dice::new(2);
    let over = async |dice: &mut Dice, players: &[Client]| {
        for _ in 0..2000 {
            app.tick().await;
            if !move_on(&path, players, dice).await {
                app.clock.advance(1);
            }
            let log = olga.get(&format!("{path}/log?limit=200")).await.ok();
            if list(&log["items"]).last().unwrap()["type"] == "round_ended" {
                return log;
            }
        }
        panic!("the round goes on and on");
    };
    let mut heard = ben.stream("/v1/me/stream").await;
    // Ben does not come. The round's end says so, although the tournament waits for its organiser.
    let log = over(&mut dice, std::slice::from_ref(&ann)).await;
    let ended = &list(&log["items"]).last().unwrap()["data"];
    assert_eq!(*ended, json!({"absent": [1], "round": 1}));
    assert_eq!(ben.get(&path).await.ok()["you"]["absent"], true);
    assert_eq!(hears(&mut heard, "marked_absent").await["round"], 1);
    olga.post(&format!("{path}/resume"), &json!(null)).await.ok();
    let log = over(&mut dice, std::slice::from_ref(&ann)).await;
    assert_eq!(list(&log["items"]).last().unwrap()["data"], json!({"absent": [], "round": 2}));
    let tournament = ben.get(&path).await.ok();
    let seated = |round: usize| {
        let tables = list(&tournament["rounds"][round]["tables"]).iter();
        tables.flat_map(|table| list(&table["players"]).clone()).any(|player| player == "ben")
    };
    assert!(seated(0) && !seated(1));
    // They come, and play the last round.
    ben.post(&format!("{path}/entries/ben/check-in"), &json!(null)).await.ok();
    assert_eq!(ben.get(&path).await.ok()["you"]["absent"], false);
    olga.post(&format!("{path}/resume"), &json!(null)).await.ok();
    let tournament = play(&app, &path, &[ann, ben.clone()], &mut dice).await;
    assert_eq!(tournament["status"], "finished");
    assert!(
        list(&tournament["rounds"][2]["tables"])
            .iter()
            .any(|table| list(&table["players"]).contains(&json!("ben")))
    );
}

#[tokio::test]
async fn an_entrant_calls_a_referee_and_an_organiser_answers() {
    let app = TestApp::start().await;
    let (olga, path, _, player) = begun(&app, json!({"table_size": 2})).await;
    let stranger = app.user("mallory").await;
    let calls = format!("{path}/calls");
    let text = json!({"text": "My phone is dead."});
    assert_eq!(stranger.post(&calls, &text).await.code(), "not_entered");
    assert_eq!(player.post(&calls, &json!({"text": " "})).await.code(), "invalid_body");
    let (mut olga_hears, mut player_hears) =
        (olga.stream("/v1/me/stream").await, player.stream("/v1/me/stream").await);
    olga_hears.next().await.unwrap();
    player_hears.next().await.unwrap();
    for number in 1..=3 {
        let made = player.post(&calls, &text).await;
        assert_eq!((made.status.as_u16(), &made.body["call"]), (201, &json!(number)));
        let called = hears(&mut olga_hears, "referee_called").await;
        assert_eq!((&called["call"], &called["text"]), (&json!(number), &text["text"]));
    }
    assert_eq!(player.post(&calls, &text).await.code(), "too_many_calls");
    let listed = app.anon().get(&format!("{calls}?limit=2")).await.ok();
    let first = &list(&listed["items"])[0];
    assert_eq!((&first["call"], &first["player"]), (&json!(3), &json!(player.username())));
    assert_eq!((&first["text"], &first["answer"]), (&text["text"], &Value::Null));
    let rest =
        app.anon().get(&format!("{calls}?limit=2&cursor={}", listed["next"].as_str().unwrap())).await.ok();
    assert_eq!(list(&rest["items"]).len(), 1);

    let answer = json!({"answer": "You have five minutes more."});
    assert_eq!(player.post(&format!("{calls}/3/answer"), &answer).await.code(), "not_organiser");
    assert_eq!(olga.post(&format!("{calls}/4/answer"), &answer).await.code(), "call_not_found");
    olga.post(&format!("{calls}/3/answer"), &answer).await.ok();
    olga.post(&format!("{calls}/2/answer"), &json!(null)).await.ok();
    olga.post(&format!("{calls}/3/answer"), &json!({"answer": "No."})).await.ok();
    let listed = app.anon().get(&calls).await.ok();
    let answers: Vec<&Value> = list(&listed["items"]).iter().map(|call| &call["answer"]).collect();
    assert_eq!(answers, [&answer["answer"], &json!(""), &Value::Null]);
    assert_eq!(list(&listed["items"])[0]["answered_by"], "olga");
    player.post(&calls, &text).await.ok();
    let answered = hears(&mut player_hears, "call_answered").await;
    assert_eq!((&answered["call"], &answered["answer"]), (&json!(3), &answer["answer"]));
    assert_eq!(hears(&mut player_hears, "call_answered").await["call"], 2);
}

#[tokio::test]
async fn a_table_that_is_played_once_more_brings_back_nobody_who_was_put_out() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let wanted = json!({
        "format": {"type": "rounds", "rounds": 3, "seating": "random"},
        "no_show_limit": 2, "turn_seconds": 5, "pause_after_rounds": true,
    });
    let path = made(&olga, wanted).await;
    enter(&path, &[ann.clone(), ben.clone()]).await;
    bots(&olga, &path, "steady", 4).await;
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    let mut dice = Dice::new(2);
    while ben.get(&path).await.ok()["you"]["absent"] != true {
        app.tick().await;
        if !move_on(&path, std::slice::from_ref(&ann), &mut dice).await {
            app.clock.advance(1);
        }
    }
    let act = async |what: &str, wanted: Value| olga.post(&format!("{path}/{what}"), &wanted).await.ok();
    let tournament = act("entries/ben/disqualify", json!({"reason": "two phones"})).await;
    let is_bens = |table: &&Value| list(&table["players"]).iter().any(|player| player == "ben");
    let table = list(&tournament["rounds"][0]["tables"]).iter().find(is_bens).unwrap();
    let redo = format!("rounds/1/tables/{}/redo", table["table"]);
    act(&redo, json!({"game": table["game"], "reason": "a wrong deck"})).await;
    let standings = olga.get(&format!("{path}/standings")).await.ok();
    let ben = list(&standings["items"]).iter().find(|row| row["player"] == "ben").unwrap();
    assert_eq!(ben["status"], "disqualified");
}
