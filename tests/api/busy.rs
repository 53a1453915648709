//! More moves than the database takes: those beyond the bound are told so at once.

use diesel_async::SimpleAsyncConnection;
use futures_util::future::join_all;
use futures_util::stream::{FuturesUnordered, StreamExt};
use serde_json::json;

use super::app::TestApp;
use super::client::{Client, Reply};
use super::games::turn;
use super::servers;

const QUEUE: usize = 4;
const GAMES: usize = 40;

/// A move that somebody makes under a key of its own.
struct Move {
    mover: Client,
    path: String,
}

impl Move {
    async fn sent(&self) -> Reply {
        self.mover.post(&format!("{}/actions", self.path), &json!({"type": "hit"})).await
    }
}

#[tokio::test]
async fn moves_beyond_the_queue_s_bound_are_refused_at_once_and_none_is_lost_or_done_twice() {
    if servers::are_distributed() {
        return println!("each server has a queue of its own");
    }
    let app = TestApp::start_with(|settings| settings.queue = QUEUE as u32).await;
    let moves = moves(&app).await;
    let mut holder = app.database.connection().await;
    // Entries can be read, and none can be written.
    holder.batch_execute("BEGIN; LOCK TABLE entries IN SHARE MODE").await.unwrap();

    let mut waiting: FuturesUnordered<_> =
        moves.iter().enumerate().map(async |(n, own)| (n, own.sent().await)).collect();
    let (mut refused, mut done) = (Vec::new(), Vec::new());
    // Besides those that wait, two statements hold at most as many each.
    while waiting.len() > 3 * QUEUE {
        let (n, reply) = waiting.next().await.unwrap();
        is_turned_away(&reply);
        refused.push(n);
    }
    assert_eq!(app.anon().get(&moves[0].path).await.status, 200, "who asks is answered meanwhile");

    holder.batch_execute("ROLLBACK").await.unwrap();
    while let Some((n, reply)) = waiting.next().await {
        if reply.status == 201 {
            done.push(n);
        } else {
            is_turned_away(&reply);
            refused.push(n);
        }
    }
    assert!(done.len() >= QUEUE, "{done:?}");

    let again = join_all(moves.iter().map(Move::sent)).await;
    for (n, (reply, own)) in again.iter().zip(&moves).enumerate() {
        // All at once they may be too many again.
        if reply.status != 201 {
            is_turned_away(reply);
            own.sent().await.ok();
        } else {
            let was_done = reply.header("idempotency-replayed") == Some("true");
            assert_eq!(was_done, done.contains(&n), "{n}");
        }
        let log = app.anon().get(&format!("{}/log", own.path)).await.ok();
        let acted = log["items"].as_array().unwrap().iter().filter(|entry| entry["type"] == "acted");
        assert_eq!(acted.count(), 1);
    }
}

fn is_turned_away(reply: &Reply) {
    assert_eq!((reply.status.as_u16(), reply.code()), (503, "unavailable"));
    assert_eq!(reply.header("retry-after"), Some("1"));
    assert!(reply.body["detail"].as_str().unwrap().contains("too many"), "{}", reply.body);
}

/// The first moves of as many games, between the same two players.
async fn moves(app: &TestApp) -> Vec<Move> {
    let players = [app.guest().await, app.guest().await];
    let mut moves = Vec::new();
    for n in 0..GAMES {
        let wanted = json!({"kind": "royal_gambit", "seats": 2, "sit": true});
        let made = players[0].post("/v1/games", &wanted).await.ok();
        let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
        let game = players[1].post(&format!("{path}/seats"), &json!({})).await.ok();
        let mover = players[turn(&game)].clone().with("idempotency-key", &format!("move-{n}"));
        moves.push(Move { mover, path });
    }
    moves
}
