//! Everything that somebody might change in a bundle, the house among them: who knows the seed can compute the
//! chain anew, and who has the key can sign it. What then still tells on them is the rules, the seeds, and what
//! players have kept.

use cardroom::play::signing::Key;
use serde_json::{Value, json};

use super::forger::{Forged, other_seed};
use super::games::{Game, key};
use super::some_games;
use crate::laws::dice::Dice;

/// Games that each kind of tampering is tried on.
const GAMES: usize = 20;

/// A way to lie: its name, the check that has to find it, and how it is done. It is not done (`None`) where the
/// game has nothing of the sort.
type Tampering = (&'static str, &'static str, fn(&mut Forged) -> Option<()>);

/// Whoever handles the bundle: they cannot hash without being found out, and cannot sign.
const BY_ANYONE: &[Tampering] = &[
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
    ("a number is written with an exponent", "chain", |f| {
        let text = f.bundle.to_string();
        f.text = Some(text.replacen("\"k\":0", "\"k\":0e0", 1)).filter(|changed| *changed != text);
        f.text.as_ref().map(|_| ())
    }),
    ("a name stands twice in an entry", "chain", |f| {
        let text = f.bundle.to_string();
        f.text = Some(text.replacen("\"k\":0", "\"k\":1,\"k\":0", 1)).filter(|changed| *changed != text);
        f.text.as_ref().map(|_| ())
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
        f.tell("id", json!("018f0000-0000-7000-8000-000000000000"))
    }),
    ("the head says something more", "game", |f| f.tell("note", json!("honest"))),
    ("the chances are said to be another game's", "signature", |f| {
        f.bundle["fairness"]["shuffle_id"] = json!("018f0000-0000-7000-8000-000000000000");
        Some(())
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
        f.sign(&key(1))
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

/// The house itself, which computes the chain anew and signs the log.
const BY_THE_HOUSE: &[Tampering] = &[
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
        let at = f.some("seated")?;
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
    ("an action is one that no game knows", "legality", |f| {
        let at = f.some("acted")?;
        f.log()[at]["data"]["action"] = json!({"type": "win"});
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
    ("the clock acts before its time", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "clock")?;
        f.log()[at]["at"] = f.log()[at - 1]["at"].clone();
        let alone = f.log()[at - 1]["by"]["type"] != "clock";
        alone.then_some(())
    }),
    ("the clock does what a player would", "legality", |f| {
        let at = f.some_with("acted", |entry| entry["by"]["type"] == "player")?;
        f.log()[at]["by"] = json!({"type": "clock"});
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
        let at = f.some("chance")?;
        f.drop_entry(at)
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
        let kind = cardroom::rules::registry::by_name(f.bundle["game"]["kind"].as_str()?)?;
        let other = Game::played_for(kind, &mut Dice::new(1_000_000), usize::MAX);
        f.bundle = serde_json::from_str(&other.bundle(&key(1))).ok()?;
        Some(())
    }),
];

#[test]
fn every_kind_of_tampering_is_found_and_named() {
    let games: Vec<Game> = some_games(30).filter(|game| game.table.outcome().is_some()).collect();
    let mut unfound = Vec::new();
    let house = BY_THE_HOUSE.iter().map(|tampering| (tampering, true));
    for ((name, check, tamper), sealed) in BY_ANYONE.iter().map(|tampering| (tampering, false)).chain(house) {
        let mut tried = 0;
        // Every kind of game in turn.
        for at in (0..games.len()).map(|n| n * 31 % games.len()) {
            let mut forged = Forged::of(&games[at], Dice::new(at as u64));
            if tried == GAMES || tamper(&mut forged).is_none() {
                continue;
            }
            if sealed {
                forged.seal();
            }
            tried += 1;
            let found = forged.found();
            if !found.as_ref().is_some_and(|found| found.contains(check)) {
                unfound.push(format!("{name} (by the house: {sealed}), game {at}: {check} not in {found:?}"));
            }
        }
        assert_eq!(tried, GAMES, "{name} was not tried often enough");
    }
    assert!(unfound.is_empty(), "{} got through:\n{}", unfound.len(), unfound.join("\n"));
}
