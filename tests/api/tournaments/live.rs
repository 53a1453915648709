//! Standings that are followed as they change.

use serde_json::{Value, json};

use super::{bots, made, move_on, standings};
use crate::api::app::TestApp;
use crate::api::client::{Client, Events};
use crate::random::dice::Dice;
use crate::random::orders::list;

/// The rows that a client has after all the events of a stream.
struct Followed {
    events: Events,
    told: usize,
    rows: Vec<Value>,
    status: Value,
}

impl Followed {
    async fn open(client: &Client, path: &str, query: &str) -> Followed {
        let events = client.stream(&format!("{path}/standings/stream{query}")).await;
        Followed { events, told: 0, rows: Vec::new(), status: json!(null) }
    }

    /// Takes the next event: how many rows it brings; none at the end of the stream.
    async fn next(&mut self) -> Option<usize> {
        let event = self.events.next().await?;
        self.told += 1;
        assert_eq!((event.name.as_str(), event.id.parse()), ("standings", Ok(self.told)));
        let update = event.json();
        self.status = update["status"].clone();
        let total = update["total"].as_u64().unwrap() as usize;
        self.rows.truncate(total);
        for item in list(&update["items"]) {
            let position = item["position"].as_u64().unwrap() as usize;
            assert!(position < total && position <= self.rows.len(), "{update}");
            match self.rows.get_mut(position) {
                Some(row) => {
                    assert_ne!(*row, item["standing"], "only what differs is told");
                    *row = item["standing"].clone();
                }
                None => self.rows.push(item["standing"].clone()),
            }
        }
        Some(list(&update["items"]).len())
    }
}

#[tokio::test]
async fn standings_are_followed_by_what_changes_in_them() {
    let app = TestApp::start().await;
    let [olga, ann, ben] = [app.user("olga").await, app.user("ann").await, app.user("ben").await];
    let path =
        made(&olga, json!({"kind": "sevens", "options": {"hands": 4}, "scoring": {"type": "chips"}})).await;
    let mut early = Followed::open(&app.anon(), &path, "").await;
    assert_eq!(early.next().await, Some(0), "nobody has entered");
    for player in [&ann, &ben] {
        player.post(&format!("{path}/entries"), &json!({})).await.ok();
    }
    bots(&olga, &path, "steady", 10).await;
    while early.rows.len() < 12 {
        early.next().await.unwrap();
    }
    let mut few = Followed::open(&ann, &path, "?limit=3").await;
    assert_eq!(few.next().await, Some(3));
    olga.post(&format!("{path}/start"), &json!(null)).await.ok();
    let mut dice = Dice::new(5);
    while app.anon().get(&path).await.ok()["status"] != "finished" {
        app.tick().await;
        if !move_on(&path, &[ann.clone(), ben.clone()], &mut dice).await {
            app.clock.advance(1);
        }
    }
    let last = standings(&app.anon(), &path).await;
    for (followed, rows) in [(&mut early, &last[..]), (&mut few, &last[..3])] {
        while followed.next().await.is_some() {}
        assert_eq!((&followed.status, &followed.rows[..]), (&json!("finished"), rows));
    }
    // A client that comes later gets all of it in one event, and that was it.
    let mut late = Followed::open(&app.anon(), &path, "?limit=1000").await;
    assert_eq!((late.next().await, late.next().await), (Some(12), None));
    assert_eq!(late.rows, last);
}

#[tokio::test]
async fn a_stream_of_standings_has_bounds() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    for limit in ["0", "1001", "-1", "all"] {
        let refused = app.anon().get(&format!("{path}/standings/stream?limit={limit}")).await;
        assert_eq!(refused.code(), "invalid_parameter", "{limit}");
    }
    let none = format!("/v1/tournaments/{}/standings/stream", uuid::Uuid::nil());
    assert_eq!(app.anon().get(&none).await.code(), "tournament_not_found");
}
