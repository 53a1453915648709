//! Who may open a stream, how many, and how one ends.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use super::super::app::{PASSWORD, TestApp};
use super::super::client::Client;
use super::super::games::started;
use super::super::tournaments::made;
use super::pass;

async fn ticket(client: &Client, path: &str) -> String {
    let reply = client.post(&format!("{path}/stream-ticket"), &json!(null)).await;
    assert_eq!((reply.status.as_u16(), reply.header("cache-control")), (201, Some("no-store")));
    reply.ok()["ticket"].as_str().unwrap().to_owned()
}

async fn private_game(creator: &Client) -> (String, String) {
    let wanted = json!({"kind": "royal_gambit", "seats": 3, "visibility": "private"});
    let game = creator.post("/v1/games", &wanted).await.ok();
    let invite = game["invite"].as_str().unwrap().to_owned();
    (format!("/v1/games/{}", game["id"].as_str().unwrap()), invite)
}

#[tokio::test]
async fn a_ticket_opens_its_stream_at_any_replica_as_often_as_a_browser_reconnects() {
    let app = TestApp::start().await;
    let replica = app.replica().await;
    let ann = app.user("ann").await;
    let (game, _) = private_game(&ann).await;
    let tournament = made(&ann, json!({})).await;
    let resources = [game, tournament, "/v1/games".to_owned(), "/v1/me".to_owned()];
    let mut tickets = Vec::new();
    for path in &resources {
        tickets.push(ticket(&ann, path).await);
    }
    let stream = |path: &str, ticket: &str| format!("{path}/stream?ticket={ticket}");
    for (path, word) in resources.iter().zip(&tickets) {
        let mut place: Option<String> = None;
        for browser in [&app, &replica, &app] {
            let mut browser = browser.anon();
            if let Some(place) = &place {
                browser = browser.with("last-event-id", place);
            }
            let mut events = browser.stream(&stream(path, word)).await;
            if place.is_none() {
                let first = events.next().await.unwrap();
                assert!(
                    !path.contains("/games/") || first.json()["invite"].is_string(),
                    "it is Ann who sees it"
                );
                place = Some(first.id);
            }
        }
        let both = ann.get(&stream(path, word)).await;
        assert_eq!(both.code(), "invalid_parameter", "one or the other says who it is");
        let others = tickets.iter().filter(|other| *other != word).map(String::as_str);
        for refused in others.chain(["guessed", "", ann.token()]) {
            assert_eq!(app.anon().get(&stream(path, refused)).await.code(), "invalid_ticket", "{path}");
        }
        assert_eq!(app.anon().with_token(word).get("/v1/me").await.code(), "unauthorized");
    }
    assert_eq!(app.anon().get("/v1/me/stream").await.code(), "unauthorized");
}

#[tokio::test]
async fn a_ticket_holds_as_long_as_a_stream_lasts_and_ends_with_its_session() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let credentials = json!({"username": "ann", "password": PASSWORD});
    let session = app.anon().post("/v1/auth/login", &credentials).await.ok();
    let other = app.anon().with_session(session);
    let (word, of_other) = (ticket(&ann, "/v1/me").await, ticket(&other, "/v1/me").await);
    let url = |word: &str| format!("/v1/me/stream?ticket={word}");
    other.post("/v1/auth/logout", &json!(null)).await;
    assert_eq!(app.anon().get(&url(&of_other)).await.code(), "invalid_ticket");
    app.clock.advance(65 * 60 - 1);
    app.anon().stream(&url(&word)).await;
    app.clock.advance(1);
    assert_eq!(app.anon().get(&url(&word)).await.code(), "invalid_ticket");
}

#[tokio::test]
async fn a_private_game_is_watched_by_its_own_people_alone_and_only_while_they_are() {
    let app = TestApp::start().await;
    let (ann, bob, eve) = (app.user("ann").await, app.user("bob").await, app.user("eve").await);
    let (path, invite) = private_game(&ann).await;
    let stream = format!("{path}/stream");
    for stranger in [&app.anon(), &eve] {
        assert_eq!(stranger.get(&stream).await.code(), "game_not_found");
        assert_eq!(stranger.get(&format!("{stream}?after=0")).await.code(), "game_not_found");
    }
    assert_eq!(eve.post(&format!("{path}/stream-ticket"), &json!(null)).await.code(), "game_not_found");
    assert_eq!(app.anon().post(&format!("{path}/stream-ticket"), &json!(null)).await.code(), "unauthorized");
    assert_eq!(app.anon().with_token("forged").get(&stream).await.code(), "unauthorized");
    let nowhere = "/v1/games/00000000-0000-7000-8000-000000000000/stream";
    assert_eq!(ann.get(nowhere).await.code(), "game_not_found");
    assert_eq!(ann.get("/v1/games/x/stream").await.code(), "invalid_parameter");

    bob.post(&format!("{path}/seats"), &json!({"invite": invite})).await.ok();
    let (mut of_ann, of_bob) = (ann.stream(&stream).await, bob.stream(&format!("{stream}?after=0")).await);
    let word = ticket(&bob, &path).await;
    bob.delete(&format!("{path}/seats/me")).await.ok();
    // Bob sees what was before he came, but not what he left behind.
    let ids: Vec<String> = of_bob.rest().await.into_iter().map(|event| event.id).collect();
    assert_eq!(ids, ["1", "2"]);
    assert_eq!(bob.get(&stream).await.code(), "game_not_found");
    assert_eq!(app.anon().get(&format!("{stream}?ticket={word}")).await.code(), "game_not_found");
    for id in ["2", "3"] {
        assert_eq!(of_ann.next().await.unwrap().id, id);
    }
}

#[tokio::test]
async fn a_token_that_expires_does_not_end_the_stream_that_it_opened() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let mut events = players[0].stream(&format!("{path}/stream")).await;
    assert_eq!(events.next().await.unwrap().json()["you"], 0);
    app.clock.advance(16 * 60);
    assert_eq!(players[0].get(&format!("{path}/stream")).await.code(), "unauthorized");
    let admin = app.admin("referee").await;
    admin.post(&format!("{path}/abort"), &json!(null)).await.ok();
    assert_eq!(events.next().await.unwrap().json()["game"]["you"], 0);
    assert_eq!(events.next().await, None);
}

#[tokio::test]
async fn an_account_or_an_address_has_only_so_many_streams_at_a_time() {
    let app = TestApp::start_with(|settings| settings.stream_limit = 2).await;
    let (path, players) = started(&app, 2).await;
    let stream = format!("{path}/stream");
    for caller in [&players[0], &app.anon()] {
        let open = [caller.stream(&stream).await, caller.stream("/v1/games/stream").await];
        for one_more in [&stream, "/v1/games/stream"] {
            let refused = caller.get(one_more).await;
            assert_eq!((refused.code(), refused.header("retry-after")), ("too_many_streams", Some("10")));
        }
        // What is refused takes no place, and what has ended gives its own back.
        drop(open);
        pass(&players, &path, 1).await;
        let back = crate::eventually::eventually(async || {
            let request = reqwest::Client::new().get(format!("{}{stream}", app.base()));
            let token = caller.session["access_token"].as_str();
            let request = token.map_or(request.try_clone().unwrap(), |token| request.bearer_auth(token));
            (request.send().await.unwrap().status() == 200).then_some(())
        });
        assert!(back.await.is_some());
    }
    // Another account has its own.
    players[1].stream(&stream).await;
}

#[tokio::test]
async fn an_address_has_only_so_many_streams_however_many_accounts_ask_from_there() {
    let app = TestApp::start_with(|settings| settings.stream_limit_per_address = 3).await;
    let (path, players) = started(&app, 2).await;
    let (stream, lobby) = (format!("{path}/stream"), "/v1/games/stream");
    let mut open = vec![players[0].stream(&stream).await, players[1].stream(lobby).await];
    open.push(app.anon().stream(lobby).await);
    for (caller, one_more) in
        [(app.guest().await, lobby), (players[0].clone(), &stream), (app.anon(), &stream)]
    {
        let refused = caller.get(one_more).await;
        assert_eq!((refused.code(), refused.header("retry-after")), ("too_many_streams", Some("10")));
    }
    drop(open);
    pass(&players, &path, 1).await;
    let back = crate::eventually::eventually(async || {
        let request = reqwest::Client::new().get(format!("{}{stream}", app.base()));
        (request.send().await.unwrap().status() == 200).then_some(())
    });
    assert!(back.await.is_some(), "what has ended gives its place back");
}

#[tokio::test]
async fn streams_end_when_the_service_stops() {
    let app = TestApp::start().await;
    let (path, _) = started(&app, 2).await;
    let (stream, lobby) = (format!("{path}/stream"), "/v1/games/stream");
    let open = [app.anon().stream(&stream).await, app.anon().stream(lobby).await];
    app.app.games.close_streams();
    for (events, name) in open.into_iter().zip(["game", "lobby"]) {
        let names: Vec<String> = events.rest().await.into_iter().map(|event| event.name).collect();
        assert_eq!(names, [name]);
    }
    let late = app.anon().stream(&stream).await.rest().await;
    assert_eq!(late.len(), 1, "whoever comes now sees the game, and comes back elsewhere");
    // 204 would tell a browser that it is all over, and never to come back.
    let ann = app.user("ann").await;
    for (path, place) in [(&*stream, "6"), (lobby, "0"), ("/v1/me/stream", "0")] {
        let back = ann.clone().with("last-event-id", place).get(path).await;
        assert_eq!(back.status, 200, "{path}: {}", back.body);
    }
}

#[tokio::test]
async fn a_slow_reader_is_cut_off_and_comes_back_while_another_goes_on() {
    let app = TestApp::start().await;
    let (path, players) = started(&app, 2).await;
    let stream = format!("{path}/stream");
    let request = format!("GET {stream} HTTP/1.1\r\nhost: cardroom\r\nconnection: close\r\n\r\n");
    let mut slow = connect(app.base()).await;
    slow.write_all(request.as_bytes()).await.unwrap();
    let mut quick = app.anon().stream(&stream).await;
    assert_eq!(quick.next().await.unwrap().id, "6");
    // More than the connection, the buffers on its way and the backlog take.
    let newest = 6 + 600;
    for id in 7..=newest {
        pass(&players, &path, 1).await;
        assert_eq!(quick.next().await.unwrap().id, id.to_string());
    }
    let mut got = String::new();
    slow.read_to_string(&mut got).await.unwrap();
    assert!(got.ends_with("\r\n0\r\n\r\n"), "the stream was ended, and did not break off");
    let ids: Vec<u32> = got.lines().filter_map(|line| line.strip_prefix("id: ")?.parse().ok()).collect();
    let last = *ids.last().unwrap();
    assert!(last < newest, "nothing was kept for who did not read");
    let metrics = app.anon().get("/metrics").await.ok();
    assert!(metrics.as_str().unwrap().contains("streams_cut_off_total{reason=\"behind\"} 1\n"), "{metrics}");
    assert!(ids.into_iter().eq(6..=last), "up to there everything came");
    let mut back = app.anon().with("last-event-id", &last.to_string()).stream(&stream).await;
    for id in last + 1..=newest {
        assert_eq!(back.next().await.unwrap().id, id.to_string());
    }
}

#[tokio::test]
async fn who_never_reads_is_cut_off_and_gives_their_place_back() {
    let app = TestApp::start_with(|settings| {
        settings.stream_limit = 1;
        settings.unread_seconds = 1;
    })
    .await;
    let (path, players) = started(&app, 2).await;
    let stream = format!("{path}/stream");
    let mut deaf = connect(app.base()).await;
    let request = format!("GET {stream} HTTP/1.1\r\nhost: cardroom\r\n\r\n");
    deaf.write_all(request.as_bytes()).await.unwrap();
    deaf.readable().await.unwrap();
    assert_eq!(app.anon().get(&stream).await.code(), "too_many_streams");
    let free = crate::eventually::eventually(async || {
        // What fills the connection, until it takes no more.
        pass(&players, &path, 8).await;
        let answer = reqwest::Client::new().get(format!("{}{stream}", app.base())).send().await.unwrap();
        (answer.status() == 200).then_some(())
    });
    assert!(free.await.is_some());
    let mut got = Vec::new();
    let end = deaf.read_to_end(&mut got).await;
    assert!(end.is_err() || !got.ends_with(b"0\r\n\r\n"), "there was more to say");
}

/// A connection that takes little before it is read from.
pub async fn connect(base: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    socket.connect(base.strip_prefix("http://").unwrap().parse().unwrap()).await.unwrap()
}
