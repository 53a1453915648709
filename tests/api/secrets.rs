//! Cards that were passed, as the log tells of them: to whom, and from when on.

use serde_json::{Value, json};

use super::app::TestApp;
use super::client::Client;
use crate::random::orders::list;

/// A running game, and those who read its log: the seats in their order, and at last somebody at none.
struct Running {
    app: TestApp,
    path: String,
    readers: Vec<Client>,
}

impl Running {
    async fn game(kind: &str, seats: usize) -> Running {
        let app = TestApp::start().await;
        let mut readers = vec![app.guest().await];
        let made =
            readers[0].post("/v1/games", &json!({"kind": kind, "seats": seats, "sit": true})).await.ok();
        let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
        while readers.len() < seats {
            let guest = app.guest().await;
            guest.post(&format!("{path}/seats"), &json!({})).await.ok();
            readers.push(guest);
        }
        readers.push(app.guest().await);
        Running { app, path, readers }
    }

    async fn seen_by(&self, reader: usize) -> Value {
        self.readers[reader].get(&self.path).await.ok()
    }

    /// The seats that the game waits for.
    async fn to_act(&self) -> Vec<usize> {
        let seats = self.seen_by(0).await["to_act"].clone();
        list(&seats).iter().map(|seat| seat.as_u64().unwrap() as usize).collect()
    }

    /// Acts by the menu's line of this name: the first cards that may be chosen, the least number. Returns
    /// the cards.
    async fn act(&self, seat: usize, name: &str) -> Value {
        let menu = self.seen_by(seat).await["legal_actions"].clone();
        let line = list(&menu).iter().find(|line| line["type"] == name).unwrap();
        let mut action = json!({"type": name});
        for (name, domain) in line["params"].as_object().unwrap() {
            action[name] = match domain["type"].as_str().unwrap() {
                "cards" => list(&domain["from"])[..domain["min"].as_u64().unwrap() as usize].into(),
                "card" => domain["from"][0].clone(),
                _ => domain["min"].clone(),
            };
        }
        self.readers[seat].post(&format!("{}/actions", self.path), &action).await.ok();
        action["cards"].take()
    }

    /// Whoever it waits for acts so, until it is in another phase.
    async fn all_act(&self, name: &str) {
        let phase = self.seen_by(0).await["view"]["phase"].clone();
        while self.seen_by(0).await["view"]["phase"] == phase {
            self.act(self.to_act().await[0], name).await;
        }
    }

    /// Who reads what these seats have passed, for each of them. Who does not reads nulls, as many as cards.
    async fn known_to(&self, passed: &[(usize, Value)]) -> Vec<Vec<usize>> {
        let mut known = vec![Vec::new(); passed.len()];
        for (at, reader) in self.readers.iter().enumerate() {
            let log = reader.get(&format!("{}/log?limit=200", self.path)).await.ok();
            let told =
                list(&log["items"]).iter().map(|entry| (&entry["seat"], &entry["data"]["action"]["cards"]));
            let told: Vec<_> = told.filter(|(_, cards)| !cards.is_null()).collect();
            for ((giver, cards), known) in passed.iter().zip(&mut known) {
                let (_, read) = told.iter().find(|(seat, _)| *seat == giver).unwrap();
                match *read == cards {
                    true => known.push(at),
                    false => assert_eq!(**read, json!([null, null, null])),
                }
            }
        }
        known
    }

    async fn abort(&self) {
        let root = self.app.admin("root").await;
        root.post(&format!("{}/abort", self.path), &json!(null)).await.ok();
    }
}

#[tokio::test]
async fn a_rabble_card_is_read_by_giver_and_receiver_and_by_all_once_it_was_laid_down() {
    let game = Running::game("knights_heads", 3).await;
    game.act(game.to_act().await[0], "bet").await;
    game.all_act("match").await;
    let mut passed = Vec::new();
    for seat in [1, 0, 2] {
        assert_eq!(
            game.known_to(&passed).await,
            passed.iter().map(|(giver, _)| vec![*giver]).collect::<Vec<_>>()
        );
        passed.push((seat, game.act(seat, "rabble").await));
    }
    passed.sort_by_key(|(giver, _)| *giver);
    let to_the_left = [vec![0, 1], vec![1, 2], vec![0, 2]];
    assert_eq!(game.known_to(&passed).await, to_the_left);

    // It no longer holds what it got, and never lays it down.
    let folded = game.to_act().await[0];
    game.act(folded, "fold").await;
    game.all_act("pass").await;
    assert_eq!(game.known_to(&passed).await, to_the_left, "nobody has shown yet");
    game.all_act("pass").await;
    let view = &game.seen_by(0).await["view"];
    assert_eq!((&view["hand"], list(&view["last_hand"]["shown"]).len()), (&json!(2), 2));
    let everybody = vec![0, 1, 2, 3];
    let mut after_the_show = vec![everybody.clone(); 3];
    let its_giver = (folded + 2) % 3;
    after_the_show[its_giver] = to_the_left[its_giver].clone();
    assert_eq!(game.known_to(&passed).await, after_the_show);

    game.abort().await;
    assert_eq!(game.known_to(&passed).await, vec![everybody; 3]);
}

#[tokio::test]
async fn a_card_passed_in_hearts_is_read_by_giver_and_receiver_alone_until_the_game_is_over() {
    let game = Running::game("ricketts_hearts", 4).await;
    let mut passed = Vec::new();
    for seat in [2, 0, 3, 1] {
        assert_eq!(
            game.known_to(&passed).await,
            passed.iter().map(|(giver, _)| vec![*giver]).collect::<Vec<_>>()
        );
        passed.push((seat, game.act(seat, "pass").await));
    }
    passed.sort_by_key(|(giver, _)| *giver);
    let to_the_left = [vec![0, 1], vec![1, 2], vec![2, 3], vec![0, 3]];
    assert_eq!(game.known_to(&passed).await, to_the_left);
    while game.seen_by(4).await["view"]["hand"] == 1 {
        let seat = game.to_act().await[0];
        let menu = game.seen_by(seat).await["legal_actions"].clone();
        game.act(seat, menu[0]["type"].as_str().unwrap()).await;
    }
    assert_eq!(game.known_to(&passed).await, to_the_left, "all have been played");

    game.abort().await;
    assert_eq!(game.known_to(&passed).await, vec![vec![0, 1, 2, 3, 4]; 4]);
}
