//! What the house can do, which knows the seed and has the key: it computes the chain anew and signs the log.

use serde_json::{Value, json};

use super::Lie;
use crate::audits::forger::other_seed;
use crate::audits::games::{Game, key};
use crate::random::dice::Dice;

/// Without the rules this can be seen, too.
pub const BY_THE_HOUSE: &[Lie] = &[
    ("two cards of an order change places", "chances", |f| f.swap_cards().map(drop)),
    ("a pick is another", "chances", |f| f.other_pick().map(drop)),
    ("the server seed is another, with its own commitment", "chances", |f| {
        let (seed, commitment) = other_seed();
        let last = f.log().len() - 1;
        f.log()[last]["data"]["server_seed"] = json!(seed);
        f.log()[0]["data"]["commitment"] = json!(commitment);
        f.bundle["fairness"]["server_seed"] = json!(seed);
        f.bundle["fairness"]["commitment"] = json!(commitment);
        Some(())
    }),
    ("a player's client seed is another", "chances", |f| {
        // Somebody else may have sat there before.
        let at = f.log().iter().rposition(|entry| entry["data"]["player"].is_string())?;
        let seed = format!("{}!", f.log()[at]["data"]["client_seed"].as_str()?);
        let seat = f.log()[at]["seat"].as_u64()? as usize;
        f.log()[at]["data"]["client_seed"] = json!(seed);
        f.bundle["game"]["seats"][seat]["client_seed"] = json!(seed);
        Some(())
    }),
    ("the game has another id", "chances", |f| {
        f.bundle["game"]["id"] = json!("018f0000-0000-7000-8000-000000000000");
        f.bundle["fairness"]["shuffle_id"] = json!("018f0000-0000-7000-8000-000000000000");
        Some(())
    }),
    ("the commitment in the log is another", "commitment", |f| {
        f.log()[0]["data"]["commitment"] = json!("ab".repeat(32));
        Some(())
    }),
    ("the seed at the end is another", "commitment", |f| {
        let last = f.log().len() - 1;
        f.log()[last]["data"]["server_seed"] = json!("ab".repeat(32));
        Some(())
    }),
    ("time runs backwards", "legality", |f| {
        let at = f.any().max(1);
        f.log()[at]["at"] = json!("2026-01-01T00:00:00.000000Z");
        Some(())
    }),
    ("somebody acts who does not sit there", "legality", |f| {
        let at = f.some("acted")?;
        f.log()[at]["seat"] = json!(15);
        Some(())
    }),
    ("somebody acts from no seat", "legality", |f| {
        let at = f.some("acted")?;
        f.log()[at]["seat"] = Value::Null;
        Some(())
    }),
    ("the house acts for a player", "legality", |f| {
        let at = f.some("acted")?;
        f.log()[at]["by"] = json!({"type": "system"});
        Some(())
    }),
    ("a player acts for a bot", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "bot")?;
        f.log()[at]["by"] = json!({"type": "player", "player": "player0"});
        Some(())
    }),
    ("a bot acts for a player", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "player")?;
        f.log()[at]["by"] = json!({"type": "bot", "bot": "random"});
        Some(())
    }),
    ("a bot is of another policy", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "bot")?;
        f.log()[at]["by"]["bot"] = json!("steady");
        Some(())
    }),
    ("a player draws a chance", "legality", |f| {
        let at = f.some("chance")?;
        f.log()[at]["by"] = json!({"type": "player", "player": "player0"});
        Some(())
    }),
    ("a chance is drawn twice", "legality", |f| f.double("chance")),
    ("the game ends twice", "legality", |f| f.double("finished")),
    ("the game starts twice", "legality", |f| f.double("started")),
    ("the game is made twice", "legality", |f| f.double("created")),
    ("somebody sits down twice", "legality", |f| f.double("seated")),
    ("a chance is left out", "legality", |f| {
        let at = f.some_with("chance", |entry| entry["data"]["k"] == 0)?;
        f.drop_entry(at)
    }),
    ("a bot brings a client seed", "legality", |f| {
        let at = f.some_with("seated", |entry| entry["data"]["bot"].is_string())?;
        let seat = f.log()[at]["seat"].as_u64()? as usize;
        f.log()[at]["data"]["client_seed"] = json!("chosen");
        f.bundle["game"]["seats"][seat]["client_seed"] = json!("chosen");
        Some(())
    }),
    ("somebody leaves a seat that is free", "legality", |f| {
        let at = f.some("seated")?;
        let mut left = f.log()[at].clone();
        left["type"] = json!("left");
        left["by"] = json!({"type": "player", "player": "player0"});
        left["data"] = json!({});
        f.log().insert(at, left);
        Some(())
    }),
    ("a time is written in another zone", "chain", |f| {
        let at = f.any();
        let time = f.log()[at]["at"].as_str()?.replace('Z', "+00:00");
        f.log()[at]["at"] = json!(time);
        Some(())
    }),
    ("a time is written without its microseconds", "chain", |f| {
        f.log()[0]["at"] = json!("2026-11-20T18:00:00Z");
        Some(())
    }),
    ("a time is written with a space", "chain", |f| {
        let at = f.any();
        let time = f.log()[at]["at"].as_str()?.replace('T', " ");
        f.log()[at]["at"] = json!(time);
        Some(())
    }),
    ("a default is spelled out", "chain", |f| {
        let created = f.log()[0]["data"].as_object_mut()?;
        (created.insert("bot_delay_ms".to_owned(), json!(0)).is_none()).then_some(())
    }),
    ("the commitment in the log is written in capitals", "chain", |f| {
        let commitment = f.log()[0]["data"]["commitment"].as_str()?.to_uppercase();
        f.log()[0]["data"]["commitment"] = json!(commitment);
        Some(())
    }),
    ("an account is written in capitals", "chain", |f| {
        f.log()[0]["data"]["account"] = json!("00000000-0000-0000-0000-00000000000A");
        Some(())
    }),
    ("a player acts by the name of a bot as well", "chain", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "player")?;
        f.log()[at]["by"]["bot"] = json!("steady");
        Some(())
    }),
    ("the clock has a name", "chain", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "clock")?;
        f.log()[at]["by"]["player"] = json!("player0");
        Some(())
    }),
    ("a chance is a pick and a shuffle", "chain", |f| {
        let at = f.some_with("chance", |entry| entry["data"]["shuffle"].is_object())?;
        f.log()[at]["data"]["pick"] = json!({"of": 1, "result": 0});
        Some(())
    }),
    ("a card more is in the deck", "legality", |f| {
        let at = f.some_with("chance", |entry| entry["data"]["shuffle"].is_object())?;
        let order = f.log()[at]["data"]["shuffle"]["result"].as_array_mut()?;
        let first = order[0].clone();
        order.push(first);
        Some(())
    }),
    ("the end of a game that was played is an abort", "outcome", |f| {
        let last = f.log().len() - 1;
        f.log()[last]["type"] = json!("aborted");
        f.log()[last]["by"] = json!({"type": "player", "player": "player99"});
        f.log()[last]["data"].as_object_mut()?.remove("outcome").map(drop)
    }),
    ("the house calls off a game that was played", "legality", |f| {
        let last = f.log().len() - 1;
        f.log()[last]["type"] = json!("aborted");
        f.log()[last]["by"] = json!({"type": "system"});
        f.log()[last]["data"].as_object_mut()?.remove("outcome").map(drop)
    }),
    ("the clocks of a game are stopped that is no tournament's", "legality", |f| {
        if f.log()[0]["data"]["tournament"].is_object() {
            return None;
        }
        let at = f.some("acted")?;
        let mut entry = f.log()[at].clone();
        (entry["type"], entry["seat"]) = (json!("paused"), Value::Null);
        (entry["by"], entry["data"]) = (json!({"type": "player", "player": "player99"}), json!({}));
        f.log().insert(at + 1, entry);
        Some(())
    }),
    ("a player stops the clocks from a seat", "legality", |f| {
        let at = f.some("paused")?;
        f.log()[at]["seat"] = json!(0);
        Some(())
    }),
    ("an empty list of what was granted is spelled out", "chain", |f| {
        let at = f.some_with("paused", |entry| entry["data"] == json!({}))?;
        f.log()[at]["data"] = json!({"granted_ms": []});
        Some(())
    }),
    ("the end is left out", "legality", |f| f.log().pop().map(drop)),
    ("the log is empty", "legality", |f| {
        f.log().clear();
        Some(())
    }),
    ("the start is left out", "legality", |f| {
        let at = f.some("started")?;
        f.drop_entry(at)
    }),
    ("a chance is out of turn", "legality", |f| {
        let at = f.some("chance")?;
        let k = f.log()[at]["data"]["k"].as_u64()?;
        f.log()[at]["data"]["k"] = json!(k + 1);
        Some(())
    }),
    ("an order is hidden", "legality", |f| {
        let at = f.some_with("chance", |entry| entry["data"]["shuffle"].is_object())?;
        f.log()[at]["data"]["shuffle"]["result"] = Value::Null;
        Some(())
    }),
    ("an order has a card twice", "legality", |f| {
        let at = f.some_with("chance", |entry| entry["data"]["shuffle"].is_object())?;
        let order = f.log()[at]["data"]["shuffle"]["result"].as_array_mut()?;
        let first = order[0].clone();
        let other = order.iter().position(|card| *card != first)?;
        order[other] = first;
        Some(())
    }),
    ("the players change seats at the start", "legality", |f| {
        let at = f.some("started")?;
        f.log()[at]["data"]["seats"].as_array_mut()?.swap(0, 1);
        Some(())
    }),
    ("the kind is another", "legality", |f| {
        let other = if f.log()[0]["data"]["kind"] == "sevens" { "royal_gambit" } else { "sevens" };
        f.log()[0]["data"]["kind"] = json!(other);
        f.tell("kind", json!(other))
    }),
];

/// These take the rules of the games: docs/fairness.md lists them, because the scripts do not know any.
pub const AGAINST_THE_RULES: &[Lie] = &[
    ("an action is one that no game knows", "legality", |f| {
        let at = f.some("acted")?;
        f.log()[at]["data"]["action"] = json!({"type": "win"});
        Some(())
    }),
    ("the game is played at the end of time, where a clock has nothing to add", "legality", |f| {
        // The program does not break off at the first sum of times.
        for entry in f.log() {
            entry["at"] = json!("9999-12-30T22:00:00.999999Z");
        }
        Some(())
    }),
    ("a raise is higher than the stack", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["data"]["action"]["by"].is_u64())?;
        f.log()[at]["data"]["action"]["by"] = json!(4_000_000_000_u32);
        Some(())
    }),
    ("a card is played that nobody has", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["data"]["action"]["card"].is_string())?;
        f.log()[at]["data"]["action"]["card"] = json!("ZZ");
        Some(())
    }),
    ("somebody acts for another seat", "legality", |f| {
        let at = f.some("acted")?;
        let (seat, seats) = (f.log()[at]["seat"].as_u64()?, f.bundle["game"]["seats"].as_array()?.len());
        // In some games any seat may fold at any time.
        let free =
            f.log()[at]["data"]["action"]["type"] == "fold" || f.bundle["game"]["kind"] == "ricketts_hearts";
        f.log()[at]["seat"] = json!((seat + 1) % seats as u64);
        (!free).then_some(())
    }),
    ("more time is granted than a decision took", "legality", |f| {
        let at = f.some("acted")?;
        f.log()[at]["data"]["granted_ms"] = json!(u32::MAX);
        Some(())
    }),
    ("the clock acts before its time", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "clock")?;
        f.log()[at]["at"] = f.log()[at - 1]["at"].clone();
        let alone = f.log()[at - 1]["by"]["type"] != "clock";
        // For a player who has resigned, the house plays at once.
        let seat = f.log()[at]["seat"].clone();
        let gone = f.log()[..at].iter().any(|entry| entry["type"] == "resigned" && entry["seat"] == seat);
        (alone && !gone).then_some(())
    }),
    ("the clock does what a player would", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "player")?;
        f.log()[at]["by"] = json!({"type": "clock"});
        Some(())
    }),
    ("the clocks that were stopped are never let run again", "legality", |f| {
        let log = f.log().clone();
        let at =
            log.windows(2).position(|pair| pair[0]["type"] == "resumed" && pair[1]["type"] == "acted")?;
        f.drop_entry(at)
    }),
    ("the rules version is one that never was", "legality", |f| {
        f.log()[0]["data"]["rules_version"] = json!(99);
        f.tell("rules_version", json!(99))
    }),
    ("an option is none that the kind has", "legality", |f| {
        f.log()[0]["data"]["options"]["luck"] = json!(true);
        f.bundle["game"]["options"]["luck"] = json!(true);
        Some(())
    }),
    ("the result is improved, in the log as well", "outcome", |f| {
        let last = f.log().len() - 1;
        let score = f.bundle["outcome"]["places"][0]["score"].as_i64()? + 1;
        f.bundle["outcome"]["places"][0]["score"] = json!(score);
        f.log()[last]["data"]["outcome"]["places"][0]["score"] = json!(score);
        Some(())
    }),
    ("the last chance is left out", "legality", |f| {
        let at = f.log().iter().rposition(|entry| entry["type"] == "chance")?;
        let k = f.log()[at]["data"]["k"].as_u64()?;
        f.drop_entry(at).filter(|()| k > 1)
    }),
    ("an action says something more", "legality", |f| {
        let at = f.some("acted")?;
        f.log()[at]["data"]["action"]["note"] = json!("honest");
        Some(())
    }),
    ("an action comes twice", "legality", |f| {
        let free = f.bundle["game"]["kind"] != "ricketts_hearts";
        f.double("acted").filter(|()| !free)
    }),
    ("a day is none of the calendar's", "chain", |f| {
        let last = f.log().len() - 1;
        f.log()[last]["at"] = json!("2026-13-45T18:00:00.000000Z");
        Some(())
    }),
];

/// Whoever kept a receipt sees these.
pub const AGAINST_RECEIPTS: &[Lie] = &[
    ("an action is dropped", "receipts", |f| {
        let at = f.some("acted")?;
        f.drop_entry(at)
    }),
    ("an action was earlier", "receipts", |f| {
        let at = f.some("acted")?;
        let (earlier, then) = (f.log()[at - 1]["at"].clone(), f.log()[at]["at"].clone());
        f.log()[at]["at"] = earlier.clone();
        (earlier != then).then_some(())
    }),
    ("an action was somebody else's", "receipts", |f| {
        let at = f.some("acted")?;
        f.log()[at]["by"]["player"] = json!("player77");
        Some(())
    }),
    ("a whole other game takes the place of this one", "receipts", |f| {
        let kind = cardroom_core::rules::registry::by_name(f.bundle["game"]["kind"].as_str()?)?;
        let other = Game::played_for(kind, &mut Dice::new(1_000_000), usize::MAX);
        f.bundle = serde_json::from_str(&other.bundle(&key(1))).ok()?;
        Some(())
    }),
];
