//! What anyone can do who has a bundle in their hands.

use cardroom::accounts::signing::Key;
use serde_json::{Value, json};

use super::Lie;
use crate::audits::forger::other_seed;
use crate::audits::games::key;

/// Whoever handles the bundle: they cannot hash without being found out, and cannot sign.
pub const BY_ANYONE: &[Lie] = &[
    ("an action becomes another", "chain", |f| {
        let at = f.some("acted")?;
        f.log()[at]["data"]["action"]["type"] = json!("fold!");
        Some(())
    }),
    ("an entry is dropped", "chain", |f| {
        let at = f.any_but_the_last();
        f.drop_entry(at)
    }),
    ("an entry is dropped, and those behind it renumbered", "chain", |f| {
        let at = f.any_but_the_last();
        f.log().remove(at);
        f.renumber();
        Some(())
    }),
    ("the first entry is dropped", "chain", |f| f.drop_entry(0)),
    ("the last entry is dropped", "signature", |f| f.log().pop().map(drop)),
    ("two entries change places", "chain", |f| {
        let at = f.any().max(1);
        f.log().swap(at - 1, at);
        Some(())
    }),
    ("an entry stands twice", "chain", |f| {
        let at = f.any();
        let entry = f.log()[at].clone();
        f.log().insert(at, entry);
        Some(())
    }),
    ("a hash is another", "chain", |f| {
        let at = f.any();
        f.log()[at]["hash"] = json!("0".repeat(64));
        Some(())
    }),
    ("a hash is written in capitals", "chain", |f| {
        let at = f.any();
        let hash = f.log()[at]["hash"].as_str()?.to_uppercase();
        f.log()[at]["hash"] = json!(hash);
        Some(())
    }),
    ("a hash is missing", "chain", |f| {
        let at = f.any();
        f.log()[at].as_object_mut()?.remove("hash").map(drop)
    }),
    ("an entry was later", "chain", |f| {
        let at = f.any();
        f.log()[at]["at"] = json!("2027-01-01T00:00:00.000000Z");
        Some(())
    }),
    ("a time is written in another zone", "chain", |f| {
        let at = f.any();
        let time = f.log()[at]["at"].as_str()?.replace('Z', "+00:00");
        f.log()[at]["at"] = json!(time);
        Some(())
    }),
    ("somebody else acted", "chain", |f| {
        let at = f.some("acted")?;
        f.log()[at]["by"]["player"] = json!("player77");
        Some(())
    }),
    ("another seat acted", "chain", |f| {
        let at = f.some("acted")?;
        let seat = f.log()[at]["seat"].as_u64()?;
        f.log()[at]["seat"] = json!(seat + 1);
        Some(())
    }),
    ("a number is written with a point", "chain", |f| {
        let at = f.any();
        let seq = f.log()[at]["seq"].as_f64()?;
        f.log()[at]["seq"] = json!(seq);
        Some(())
    }),
    ("a number in an action is written with a point", "chain", |f| {
        let at = f.some_with("acted", |entry| entry["data"]["action"]["by"].is_u64())?;
        let by = f.log()[at]["data"]["action"]["by"].as_f64()?;
        f.log()[at]["data"]["action"]["by"] = json!(by);
        Some(())
    }),
    ("a number is written as a string", "chain", |f| {
        let at = f.some("chance")?;
        let k = f.log()[at]["data"]["k"].to_string();
        f.log()[at]["data"]["k"] = json!(k);
        Some(())
    }),
    ("an entry says something more", "chain", |f| {
        let at = f.any();
        f.log()[at]["note"] = json!("honest");
        Some(())
    }),
    ("an action says something more", "chain", |f| {
        let at = f.some("acted")?;
        f.log()[at]["data"]["action"]["note"] = json!("honest");
        Some(())
    }),
    ("an entry says less", "chain", |f| {
        let at = f.any();
        f.log()[at].as_object_mut()?.remove("seat").map(drop)
    }),
    ("an entry is of another type", "chain", |f| {
        let at = f.some("acted")?;
        f.log()[at]["type"] = json!("left");
        Some(())
    }),
    ("two cards of an order change places", "chain", |f| f.swap_cards().map(drop)),
    ("a pick is another", "chain", |f| f.other_pick().map(drop)),
    ("a client seed in the log is another", "chain", |f| {
        let at = f.some("seated")?;
        f.log()[at]["data"]["client_seed"] = json!("mine");
        Some(())
    }),
    ("the head tells another kind", "game", |f| f.tell("kind", json!("bridge"))),
    ("the head tells another rules version", "game", |f| f.tell("rules_version", json!(9))),
    ("the head tells another option", "game", |f| {
        let name = f.bundle["game"]["options"].as_object()?.keys().next()?.clone();
        f.bundle["game"]["options"][&name] = json!(77);
        Some(())
    }),
    ("the head tells one option less", "game", |f| {
        let options = f.bundle["game"]["options"].as_object_mut()?;
        let name = options.keys().next()?.clone();
        options.remove(&name).map(drop)
    }),
    ("the head changes two players' seats", "game", |f| {
        let seats = f.bundle["game"]["seats"].as_array_mut()?;
        let other = seats.get(1)?["player"].clone();
        seats[1]["player"] = std::mem::replace(&mut seats[0]["player"], other);
        Some(())
    }),
    ("the head tells of one seat less", "game", |f| {
        f.bundle["game"]["seats"].as_array_mut()?.pop().map(drop)
    }),
    ("the head tells another client seed", "game", |f| {
        f.bundle["game"]["seats"].get_mut(0)?["client_seed"] = json!("theirs");
        Some(())
    }),
    ("the head makes a player a bot", "game", |f| {
        f.bundle["game"]["seats"].get_mut(0)?["bot"] = json!("steady");
        Some(())
    }),
    ("the head tells another game's id", "game", |f| {
        let tells = f.tell("id", json!("018f0000-0000-7000-8000-000000000000"));
        tells.filter(|()| !f.is_duplicate())
    }),
    ("the head says something more", "game", |f| f.tell("note", json!("honest"))),
    ("the chances are said to be another game's", "signature", |f| {
        f.bundle["fairness"]["shuffle_id"] = json!("018f0000-0000-7000-8000-000000000000");
        (!f.is_duplicate()).then_some(())
    }),
    ("the commitment is another", "commitment", |f| {
        f.bundle["fairness"]["commitment"] = json!("ab".repeat(32));
        Some(())
    }),
    ("the server seed is another", "commitment", |f| {
        f.bundle["fairness"]["server_seed"] = json!("ab".repeat(32));
        Some(())
    }),
    ("the server seed is another, with its own commitment", "commitment", |f| {
        let (seed, commitment) = other_seed();
        f.bundle["fairness"]["server_seed"] = json!(seed);
        f.bundle["fairness"]["commitment"] = json!(commitment);
        Some(())
    }),
    ("the scheme is another", "commitment", |f| {
        f.bundle["fairness"]["algorithm"] = json!("cardroom/0");
        Some(())
    }),
    ("a place in the result is improved", "outcome", |f| {
        let place = f.bundle["outcome"]["places"].as_array_mut()?.last_mut()?;
        place["place"] = json!(if place["place"] == 1 { 2 } else { 1 });
        Some(())
    }),
    ("a score in the result is improved", "outcome", |f| {
        let score = f.bundle["outcome"]["places"][0]["score"].as_i64()?;
        f.bundle["outcome"]["places"][0]["score"] = json!(score + 1);
        Some(())
    }),
    ("the winners are others", "outcome", |f| {
        f.bundle["outcome"]["winners"] = json!([]);
        Some(())
    }),
    ("the result is left out", "outcome", |f| {
        f.bundle["outcome"] = Value::Null;
        Some(())
    }),
    ("the signature is by another key", "signature", |f| f.sign(&key(2))),
    ("the signature is by another key of the same name", "signature", |f| {
        let forger = Key::new("key-1".to_owned(), &[2; 32], jiff::Timestamp::UNIX_EPOCH)?;
        f.sign(&forger)
    }),
    ("a letter of the signature is another", "signature", |f| {
        let mut signature = f.bundle["signature"].as_str()?.to_owned();
        let last = if signature.ends_with('A') { "Q" } else { "A" };
        signature.replace_range(signature.len() - 1.., last);
        f.bundle["signature"] = json!(signature);
        Some(())
    }),
    ("the signature is of another game", "signature", |f| {
        f.bundle["game"]["id"] = json!("018f0000-0000-7000-8000-000000000000");
        f.sign(&key(1)).filter(|()| !f.is_duplicate())
    }),
    ("the signature is of an earlier version", "signature", |f| {
        let last = f.log().pop()?;
        f.sign(&key(1))?;
        f.log().push(last);
        Some(())
    }),
    ("there is no signature", "signature", |f| {
        f.bundle["signature"] = json!("");
        Some(())
    }),
    ("the signature is a token of another sort", "signature", |f| {
        let token = key(1).sign("at+jwt", &json!({"sub": "player0"}));
        f.bundle["signature"] = json!(token);
        Some(())
    }),
];
