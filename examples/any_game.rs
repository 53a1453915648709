//! A client that plays any kind of game and knows none: it only reads `legal_actions`.
//!
//! `cargo run --example any_game -- http://127.0.0.1:8080 royal_gambit 3`

use std::error::Error;

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, RngExt};
use reqwest::{Client, Method};
use serde_json::{Map, Value, json};

#[tokio::main(flavor = "current_thread")]
#[expect(clippy::disallowed_methods, reason = "a client has chance of its own")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let server = args.next().unwrap_or_else(|| "http://127.0.0.1:8080".to_owned());
    let kind = args.next().unwrap_or_else(|| "royal_gambit".to_owned());
    let players = args.next().map_or(Ok(2), |n| n.parse())?;
    let game = play(&server, &kind, players, &mut rand::rng()).await?;
    println!("{}", serde_json::to_string_pretty(&game["outcome"])?);
    Ok(())
}

/// Somebody at the table.
struct Player {
    http: Client,
    server: String,
    token: String,
}

impl Player {
    /// A guest: no name, no password, a token.
    async fn guest(http: &Client, server: &str) -> Result<Player, Box<dyn Error>> {
        let mut player = Player { http: http.clone(), server: server.to_owned(), token: String::new() };
        let session = player.call(Method::POST, "/v1/auth/guest", json!({})).await?;
        player.token = session["access_token"].as_str().ok_or("no token")?.to_owned();
        Ok(player)
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> Result<Value, Box<dyn Error>> {
        let url = format!("{}{path}", self.server);
        let response = self.http.request(method, url).bearer_auth(&self.token).json(&body).send().await?;
        let status = response.status();
        let answer: Value = response.json().await?;
        if status.is_success() { Ok(answer) } else { Err(format!("{status}: {answer}").into()) }
    }
}

/// Plays one game of `kind` among `players` guests, each choosing at random, and returns it as it ended.
pub async fn play(
    server: &str,
    kind: &str,
    players: usize,
    rng: &mut impl Rng,
) -> Result<Value, Box<dyn Error>> {
    let http = Client::new();
    let mut seats = Vec::new();
    for _ in 0..players {
        seats.push(Player::guest(&http, server).await?);
    }
    let wanted = json!({"kind": kind, "seats": players, "sit": true});
    let mut game = seats[0].call(Method::POST, "/v1/games", wanted).await?;
    let path = format!("/v1/games/{}", game["id"].as_str().ok_or("no id")?);
    for player in &seats[1..] {
        let seed = json!({"client_seed": format!("{:016x}", rng.random::<u64>())});
        game = player.call(Method::POST, &format!("{path}/seats"), seed).await?;
    }
    while game["status"] == "active" {
        let seat = game["to_act"][0].as_u64().ok_or("nobody is to act")? as usize;
        game = seats[seat].call(Method::GET, &path, json!({})).await?;
        let actions = game["legal_actions"].as_array().ok_or("no menu")?;
        let action = order(actions.choose(rng).ok_or("an empty menu")?, rng);
        game = seats[seat].call(Method::POST, &format!("{path}/actions"), action).await?;
    }
    Ok(game)
}

/// An action from a line of the menu, with every parameter drawn from its domain.
fn order(line: &Value, rng: &mut impl Rng) -> Value {
    let mut action = Map::from_iter([("type".to_owned(), line["type"].clone())]);
    for (name, domain) in line["params"].as_object().into_iter().flatten() {
        let from = domain["from"].as_array().cloned().unwrap_or_default();
        let (min, max) = (domain["min"].as_u64().unwrap_or(0), domain["max"].as_u64().unwrap_or(0));
        let value = match domain["type"].as_str() {
            Some("integer") => json!(rng.random_range(min..=max)),
            Some("cards") => {
                let mut cards = from;
                cards.shuffle(rng);
                cards.truncate(rng.random_range(min..=max) as usize);
                json!(cards)
            }
            // One card, one seat, or one word.
            _ => from.choose(rng).cloned().unwrap_or_default(),
        };
        action.insert(name.clone(), value);
    }
    Value::Object(action)
}
