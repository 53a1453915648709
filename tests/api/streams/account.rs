//! One stream for an account: all that concerns it, over all its games and tournaments.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use cardroom::streams::account::AccountCursor;
use cardroom::streams::cursor::{Cursor, Step};
use cardroom_core::table::Actor;
use cardroom_core::table::entry_update::EntryUpdate;
use futures_util::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::super::app::{PASSWORD, TestApp, TestDatabase};
use super::super::client::{Client, Event, Events};
use super::super::games::started;
use super::super::receiver::Receiver;
use super::super::tournaments::made;
use super::replicas::{Room, start, word};
use super::{Truth, actor, id_of, pass};
use crate::eventually::eventually;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};
use crate::seed::seed_of_this_run;

/// The most events that a follower takes before it goes to another replica.
const STAY: u64 = 6;

const STREAM: &str = "/v1/me/stream";

impl Truth {
    /// What the game has to tell an account, in order.
    fn notices(&self, account: &Actor) -> Vec<Value> {
        let (first, rest) = self.log.split_first().unwrap();
        let (entry, hash) = first.clone();
        let first = EntryUpdate::first(self.id, self.seed.clone(), entry, hash).unwrap();
        let rest = EntryUpdate::all(&first.table, rest.to_vec(), false).unwrap();
        let told = rest.iter().filter_map(|update| update.notice(account.account));
        told.map(|notice| json!(notice)).collect()
    }
}

/// The notices of each game or tournament, in the order in which they came.
fn by_topic(notices: &[Value]) -> BTreeMap<String, Vec<Value>> {
    let mut topics: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for notice in notices {
        let topic = [&notice["game"]["id"], &notice["tournament"]["id"]];
        let topic = topic.into_iter().find_map(Value::as_str).unwrap();
        topics.entry(topic.to_owned()).or_default().push(notice.clone());
    }
    topics
}

async fn notices(events: &mut Events, number: usize) -> Vec<Value> {
    let mut notices = Vec::new();
    while notices.len() < number {
        let event = events.next().await.unwrap();
        assert_eq!(event.name, "notice");
        notices.push(event.json());
    }
    notices
}

fn types(notices: &[Value]) -> Vec<&str> {
    notices.iter().map(|notice| notice["type"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_player_is_told_of_seats_starts_turns_and_ends_and_each_place_in_the_stream_can_be_returned_to() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let mut events = ann.stream(STREAM).await;
    let first = events.next().await.unwrap();
    assert_eq!((&*first.name, first.json()), ("games", json!({"games": []})));

    let wanted = json!({"kind": "royal_gambit", "seats": 3, "sit": true, "turn_seconds": 60});
    let path = ann.post("/v1/games", &wanted).await.header("location").unwrap().to_owned();
    bob.post(&format!("{path}/seats"), &json!({})).await.ok();
    bob.delete(&format!("{path}/seats/me")).await.ok();
    bob.post(&format!("{path}/seats"), &json!({})).await.ok();
    ann.post(&format!("{path}/bots"), &json!({"policy": "steady"})).await.ok();
    let mut dice = Dice::new(seed_of_this_run());
    for _ in 0..400 {
        let mut game = Value::Null;
        for player in [&ann, &bob] {
            game = player.get(&path).await.ok();
            if !list(&game["legal_actions"]).is_empty() {
                let action = order(dice.pick(list(&game["legal_actions"])), &mut dice);
                player.post(&format!("{path}/actions"), &action).await.ok();
            }
        }
        if game["status"] == "finished" {
            break;
        }
        app.tick().await;
    }
    let truth = Truth::of(&app.database, id_of(&path)).await;
    let expected = truth.notices(&actor(&ann.session));
    let mut told = vec![first];
    while told.len() <= expected.len() {
        told.push(events.next().await.unwrap());
    }
    assert_eq!(told[1..].iter().map(Event::json).collect::<Vec<_>>(), expected);
    let all = types(&expected);
    assert_eq!(all[..5], ["seat_taken", "seat_left", "seat_taken", "seat_taken", "game_started"]);
    assert!(all.iter().filter(|what| **what == "your_turn").count() > 3, "{all:?}");
    let over = expected.last().unwrap();
    let place = &ann.get(&path).await.ok()["outcome"]["places"];
    let own = list(place).iter().find(|place| place["seat"] == over["seat"]).unwrap();
    assert_eq!((&over["type"], &over["status"]), (&json!("game_over"), &json!("finished")));
    assert_eq!((&over["place"], &over["score"]), (&own["place"], &own["score"]));
    for notice in &expected {
        assert_eq!(notice["id"], format!("{}:{}", id_of(&path), notice["game"]["version"]));
    }

    // From each place, on another replica, the rest follows.
    for (nth, event) in told[..told.len() - 1].iter().enumerate() {
        let mut rest = replica.at(&ann).with("last-event-id", &event.id).stream(STREAM).await;
        for expected in &told[nth + 1..] {
            assert_eq!(&rest.next().await.unwrap(), expected);
        }
    }
    // Somebody who is told of nothing gets nothing of it.
    let carl = app.user("carl").await;
    let mut events = carl.stream(STREAM).await;
    assert_eq!(events.next().await.unwrap().json(), json!({"games": []}));
    for id in ["x", "1.1-1", "99", "0.1-1"] {
        assert_eq!(carl.get(&format!("{STREAM}?after={id}")).await.code(), "invalid_parameter", "{id}");
    }
    assert_eq!(app.anon().get(STREAM).await.code(), "unauthorized");
}

#[tokio::test]
async fn a_stream_begins_with_the_running_games_and_a_rematch_is_offered_to_those_who_played() {
    let app = TestApp::start().await;
    let [ann, bob] = [app.user("ann").await, app.user("bob").await];
    let wanted = json!({"kind": "sevens", "seats": 2, "sit": true, "visibility": "private"});
    let game = ann.post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", word(&game["id"]));
    bob.post(&format!("{path}/seats"), &json!({"invite": game["invite"]})).await.ok();

    let mut events = bob.stream(STREAM).await;
    let first = events.next().await.unwrap().json();
    let row = &bob.get("/v1/me/games").await.ok()["items"][0];
    assert_eq!(first["games"], json!([row]));

    let admin = app.admin("referee").await;
    admin.post(&format!("{path}/abort"), &json!(null)).await.ok();
    assert_eq!(types(&notices(&mut events, 1).await), ["game_over"]);
    let again = ann.post(&format!("{path}/rematch"), &json!({})).await.ok();
    let offered = notices(&mut events, 1).await;
    assert_eq!(types(&offered), ["rematch_offered"]);
    assert_eq!((&offered[0]["game"]["id"], &offered[0]["rematch_of"]), (&again["id"], &game["id"]));
    // A player who is only invited does not take part yet.
    assert_eq!(list(&bob.get("/v1/me/games?status=open").await.ok()["items"]).len(), 0);
    bob.post(&format!("{path}/rematch"), &json!({})).await.ok();
    assert_eq!(types(&notices(&mut events, 1).await), ["game_started"]);
}

#[tokio::test]
async fn entrants_and_organisers_are_told_how_a_tournament_goes() {
    let app = TestApp::start().await;
    let [olga, ann, _] = [app.user("olga").await, app.user("ann").await, app.user("bob").await];
    let mut streams = Vec::new();
    for client in [&olga, &ann] {
        let mut events = client.stream(STREAM).await;
        assert_eq!(events.next().await.unwrap().name, "games");
        streams.push(events);
    }
    let format = json!({"type": "rounds", "rounds": 1, "seating": "random"});
    let path = made(&olga, json!({"format": format, "turn_seconds": 5})).await;
    let many = json!({"entries": [{"player": "ann"}, {"player": "bob"}, {"bot": "steady"}]});
    olga.post(&format!("{path}/entries/bulk"), &many).await.ok();
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    for _ in 0..2000 {
        if olga.get(&path).await.ok()["status"] == "finished" {
            break;
        }
        app.pass(6).await;
    }
    let told = notices(&mut streams[0], 3).await;
    assert_eq!(types(&told), ["tournament_started", "round_drawn", "tournament_over"]);
    assert!(told[1]["table"].is_null() && told[1]["game_id"].is_null(), "{}", told[1]);

    let mut told = notices(&mut streams[1], 6).await;
    while types(&told).iter().filter(|what| what.ends_with("_over")).count() < 2 {
        told.extend(notices(&mut streams[1], 1).await);
    }
    let topics = by_topic(&told);
    let tournament = &topics[path.rsplit('/').next().unwrap()];
    let all = ["tournament_entered", "tournament_started", "round_drawn", "tournament_over"];
    assert_eq!(types(tournament), all);
    let game = word(&tournament[2]["game_id"]);
    let truth = Truth::of(&app.database, game.parse().unwrap()).await;
    assert_eq!(topics[&game], truth.notices(&actor(&ann.session)));
    assert_eq!(types(&topics[&game])[0], "game_started");
}

#[tokio::test]
async fn an_account_is_told_everything_once_and_in_order_while_replicas_are_killed() {
    let database = TestDatabase::create().await;
    let mut programs = Vec::new();
    for _ in 0..3 {
        programs.push(start(&database).await);
    }
    let bases: Vec<String> = programs.iter().map(|(_, base)| base.clone()).collect();
    let room = Room::enter(bases.try_into().unwrap(), &database, seed_of_this_run()).await;
    let ann = json!({"username": "ann", "password": PASSWORD});
    let session = room.ask(Method::POST, "/v1/auth/register", "", "", &ann).await;
    let token = word(&session["access_token"]);
    let receiver = Receiver::start().await;
    room.ask(Method::POST, "/v1/webhooks", &token, "", &json!({"url": receiver.url})).await;
    let over = Cell::new(false);
    let play = async {
        let mut games = Vec::new();
        for _ in 0..10 {
            games.extend(join_all((0..10).map(|nth| against(&room, nth, &token))).await);
        }
        over.set(true);
        games
    };
    let kill_all = async {
        for nth in 0.. {
            if over.get() {
                break;
            }
            room.let_pass_or(25, &over).await;
            let (program, _) = &mut programs[nth % 3];
            program.kill().unwrap();
            program.wait().unwrap();
            programs[nth % 3] = start(&database).await;
            room.bases.borrow_mut()[nth % 3].clone_from(&programs[nth % 3].1);
        }
    };
    let (told, games, ()) = tokio::join!(follow(&room, &token, 100), play, kill_all);
    let sent = eventually(async || Some(sent_once(&receiver)).filter(|sent| sent.len() == told.len()));
    let sent = sent.await.unwrap_or_else(|| panic!("{} of {}", sent_once(&receiver).len(), told.len()));
    for (program, _) in &mut programs {
        program.kill().unwrap();
        program.wait().unwrap();
    }
    let ids: BTreeSet<&str> = told.iter().map(|notice| notice["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), told.len(), "each notice comes once");
    let (mut topics, mut sent) = (by_topic(&told), by_topic(&sent));
    for game in games {
        let expected = Truth::of(&database, game).await.notices(&actor(&session));
        assert_eq!(topics.remove(&game.to_string()).unwrap(), expected);
        assert_eq!(sent.remove(&game.to_string()).unwrap(), expected);
    }
    assert!(topics.is_empty() && sent.is_empty());
}

/// The notices that were sent to a webhook, by their ids: a message that comes twice counts once.
fn sent_once(receiver: &Receiver) -> Vec<Value> {
    let mut ids = BTreeSet::new();
    let mut received = receiver.received();
    received.retain(|message| ids.insert(message.id.clone()));
    received.iter().map(|message| message.json()["data"].clone()).collect()
}

/// A game of an account against a guest, who creates it. Returns its id.
async fn against(room: &Room, nth: u64, token: &str) -> Uuid {
    let guest = room.ask(Method::POST, "/v1/auth/guest", "", "", &json!({})).await;
    let guest = word(&guest["access_token"]);
    let kind = ["royal_gambit", "ritunas_favour", "sevens", "knights_heads"][nth as usize % 4];
    let wanted = json!({"kind": kind, "seats": 2, "sit": true});
    let game = room.ask(Method::POST, "/v1/games", &guest, "make", &wanted).await;
    let path = format!("/v1/games/{}", word(&game["id"]));
    room.play(&path, &[guest, token.to_owned()], |made| made < 10).await;
    id_of(&path)
}

/// Follows an account until so many of its games are over, now here and now there.
async fn follow(room: &Room, token: &str, games: usize) -> Vec<Value> {
    let (mut notices, mut place, mut over) = (Vec::new(), None, 0);
    while over < games {
        let piece = eventually(async || {
            let mut request = room.http.get(room.base() + STREAM).bearer_auth(token);
            if let Some(place) = &place {
                request = request.header("last-event-id", place);
            }
            let answer = request.send().await.ok();
            answer.filter(|response| response.status() != StatusCode::SERVICE_UNAVAILABLE)
        });
        let mut piece = Events::of(piece.await.expect("a replica that answers")).await;
        for _ in 0..=room.below(STAY) {
            // A stream that breaks off is as good as one that was left.
            let Ok(Some(event)) = piece.try_next().await else { break };
            place = Some(event.id.clone());
            if event.name == "notice" {
                over += usize::from(event.json()["type"] == "game_over");
                notices.push(event.json());
            }
            if over == games {
                break;
            }
        }
    }
    notices
}

#[tokio::test]
async fn who_was_away_for_many_games_is_told_of_all_of_them_and_nobody_can_ask_for_more() {
    let app = TestApp::start_with(|settings| settings.games_per_account = 1000).await;
    let ann = app.user("ann").await;
    let play = async |games: usize| {
        for _ in 0..games {
            let game = ann.post("/v1/games", &json!({"kind": "sevens"})).await;
            let path = game.header("location").unwrap().to_owned();
            ann.post(&format!("{path}/abort"), &json!(null)).await.ok();
        }
    };
    play(30).await;
    let mut events = ann.clone().with("last-event-id", "0").stream(STREAM).await;
    let told = notices(&mut events, 30).await;
    assert_eq!(by_topic(&told).len(), 30);
    assert!(types(&told).iter().all(|what| *what == "game_over"));
}

#[tokio::test]
async fn a_follower_that_fell_behind_is_told_everything_and_goes_on() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let session = players[0].get("/v1/me").await.ok();
    let ann = actor(&json!({"account": session}));
    let tournaments = &app.app.tournaments;
    let (_, mut cursor) = tournaments.follow_account(ann.clone(), None).await.unwrap();
    // It listens from the first notice on.
    let mut told = vec![next_notice(&mut cursor, &players, &path).await];
    // More batches than are kept for it.
    pass(&players, &path, 300).await;
    let expected = |truth: Truth| {
        let notices = truth.notices(&ann);
        let from = notices.iter().position(|notice| *notice == told[0]).unwrap();
        notices[from..].to_vec()
    };
    let expected = expected(Truth::of(&app.database, id_of(&path)).await);
    assert!(expected.len() > 140, "{}", expected.len());
    while told.len() < expected.len() {
        told.push(waiting_notice(&mut cursor).await);
    }
    assert_eq!(told, expected);
    let after = next_notice(&mut cursor, &players, &path).await;
    assert_ne!(after, told[told.len() - 1], "what happens next is told, too");
}

/// The next notice that a cursor has to tell.
async fn waiting_notice(cursor: &mut AccountCursor) -> Value {
    loop {
        if let Step::Event((_, notice)) = cursor.advance().await.unwrap() {
            return json!(notice);
        }
    }
}

/// The notice of the next turn: somebody moves while the cursor waits.
async fn next_notice(cursor: &mut AccountCursor, players: &[Client], path: &str) -> Value {
    let moves = async {
        loop {
            pass(players, path, 1).await;
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    };
    tokio::select! {
        notice = waiting_notice(cursor) => notice,
        () = moves => unreachable!("it never ends"),
    }
}

#[tokio::test]
async fn a_player_who_left_a_tournament_and_entered_it_again_is_told_of_it_once() {
    let app = TestApp::start().await;
    let [olga, ann] = [app.user("olga").await, app.user("ann").await];
    let mut events = ann.stream(STREAM).await;
    assert_eq!(events.next().await.unwrap().name, "games");
    let path = made(&olga, json!({"turn_seconds": 5})).await;
    for _ in 0..2 {
        olga.post(&format!("{path}/entries/bulk"), &json!({"entries": [{"player": "ann"}]})).await.ok();
        assert_eq!(types(&notices(&mut events, 1).await), ["tournament_entered"]);
        ann.delete(&format!("{path}/entries/me")).await.ok();
    }
    let both = json!({"entries": [{"player": "ann"}, {"bot": "steady"}]});
    olga.post(&format!("{path}/entries/bulk"), &both).await.ok();
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    app.tick().await;
    let mut told = Vec::new();
    while !types(&told).contains(&"round_drawn") {
        told.extend(notices(&mut events, 1).await);
    }
    // Whatever came twice has come by the end of another game.
    let game = ann.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    ann.post(&format!("/v1/games/{}/abort", word(&game["id"])), &json!(null)).await.ok();
    while !told.iter().any(|notice| notice["game"]["id"] == game["id"]) {
        told.extend(notices(&mut events, 1).await);
    }
    let often = |what| types(&told).into_iter().filter(|told| *told == what).count();
    assert_eq!((often("tournament_started"), often("round_drawn")), (1, 1), "{told:?}");
}
