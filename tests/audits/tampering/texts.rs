//! What can be done to a bundle's text, its words and its signature.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use cardroom_core::audit::Signed;
use cardroom_core::log::chain::GENESIS;
use serde_json::{Value, json};

use crate::audits::forger::Forged;
use crate::audits::games::key;

type Change = fn(&mut Forged) -> Option<()>;

pub const TEXTS: &[(&str, Change)] = &[
    ("a byte order mark stands before it", |f| changed(f, |text| format!("\u{feff}{text}"))),
    ("something stands behind it", |f| changed(f, |text| format!("{text} x"))),
    ("another object stands behind it", |f| changed(f, |text| format!("{text}{{}}"))),
    ("a form feed stands behind it", |f| changed(f, |text| format!("{text}\u{c}"))),
    ("it is cut off", |f| changed(f, |text| text[..text.len() / 2].to_owned())),
    ("its last bracket is missing", |f| changed(f, |text| text[..text.len() - 1].to_owned())),
    ("there is a comma too many", |f| changed(f, |text| text.replacen("],\"outcome\"", ",],\"outcome\"", 1))),
    ("there is a comment in it", |f| changed(f, |text| text.replacen('{', "{/* true */", 1))),
    ("its strings stand in other quotes", |f| changed(f, |text| text.replace('"', "'"))),
    ("a line breaks within a string", |f| {
        changed(f, |text| text.replacen("cardroom.audit", "cardroom.\naudit", 1))
    }),
    ("half a letter stands in it", |f| changed(f, |text| text.replacen("player0", "\\ud800", 1))),
    ("it is no UTF-8", |f| {
        f.bytes = Some([f.bytes(), vec![0xff]].concat());
        Some(())
    }),
    ("a name in it is no UTF-8", |f| {
        let mut bytes = f.bytes();
        let at = bytes.windows(7).position(|word| word == b"player0")?;
        bytes[at] = 0xff;
        f.bytes = Some(bytes);
        Some(())
    }),
    ("it is empty", |f| changed(f, |_| "{}".to_owned())),
    ("it is a list", |f| changed(f, |text| format!("[{text}]"))),
    ("it is nested deeply", |f| {
        changed(f, |text| {
            text.replacen(
                "\"seats\":",
                &format!("\"x\":{}1{},\"seats\":", "[".repeat(20_000), "]".repeat(20_000)),
                1,
            )
        })
    }),
    ("the format is a later one", |f| tell(f, "/format", "cardroom.audit/2")),
    ("the format is written in capitals", |f| tell(f, "/format", "CARDROOM.AUDIT/1")),
    ("the head names another player", |f| {
        let at = seat(f, "player")?;
        tell(f, &format!("{at}/player"), "player77")
    }),
    ("the head writes a player's name in capitals", |f| {
        let at = seat(f, "player")?;
        capitals(f, &format!("{at}/player"))
    }),
    ("the head names another bot", |f| {
        let at = seat(f, "bot")?;
        tell(f, &format!("{at}/bot"), "steady")
    }),
    ("the head makes a bot a player", |f| {
        let at = seat(f, "bot")?;
        let there = f.bundle.pointer_mut(&at)?;
        there["bot"] = Value::Null;
        there["player"] = json!("player0");
        Some(())
    }),
    ("the head names nobody at a seat", |f| {
        let at = seat(f, "player")?;
        f.bundle.pointer_mut(&at)?["player"] = Value::Null;
        Some(())
    }),
    ("the head's seats stand in another order", |f| {
        f.bundle["game"]["seats"].as_array_mut()?.reverse();
        Some(())
    }),
    ("the head's seats are numbered anew", |f| {
        let seats = f.bundle["game"]["seats"].as_array_mut()?;
        seats.iter_mut().zip(1..).for_each(|(seat, number)| seat["seat"] = json!(number));
        Some(())
    }),
    ("the head tells of a seat twice", |f| {
        let seats = f.bundle["game"]["seats"].as_array_mut()?;
        seats.push(seats[0].clone());
        Some(())
    }),
    ("the game's id is written in capitals", |f| capitals(f, "/game/id")),
    ("the game's id is written without hyphens", |f| unhyphened(f, "/game/id")),
    ("the chances' id is written in capitals", |f| capitals(f, "/fairness/shuffle_id")),
    ("the chances' id is written without hyphens", |f| unhyphened(f, "/fairness/shuffle_id")),
    ("the commitment is written in capitals", |f| capitals(f, "/fairness/commitment")),
    ("the server seed is written in capitals", |f| capitals(f, "/fairness/server_seed")),
    ("the server seed at the end is written in capitals", |f| {
        let last = f.log().len() - 1;
        capitals(f, &format!("/log/{last}/data/server_seed"))
    }),
    ("the server seed is written with spaces", |f| {
        let seed = f.bundle["fairness"]["server_seed"].as_str()?.to_owned();
        tell(f, "/fairness/server_seed", &format!("{} {}", &seed[..2], &seed[2..]))
    }),
    ("the scheme is written in capitals", |f| capitals(f, "/fairness/algorithm")),
    ("the log stands backwards", |f| {
        f.log().reverse();
        Some(())
    }),
    ("the second half of the log is missing", |f| {
        let half = f.log().len() / 2;
        f.log().truncate(half);
        Some(())
    }),
    ("an entry is null", |f| put(f, Value::Null)),
    ("an entry is a number", |f| put(f, json!(0))),
    ("an entry is a list", |f| put(f, json!([]))),
    ("the signature has four parts", |f| {
        resigned(f, |[head, body, signed]| format!("{head}.{body}.{signed}.AA"))
    }),
    ("the signature has two parts", |f| resigned(f, |[head, body, _]| format!("{head}.{body}"))),
    ("the signature is padded", |f| resigned(f, |[head, body, signed]| format!("{head}.{body}.{signed}=="))),
    ("the signature's last bits are others", |f| {
        resigned(f, |[head, body, signed]| {
            let (rest, last) = signed.split_at(signed.len() - 1);
            // Four bits of the last letter stand for nothing.
            let other = char::from(last.as_bytes()[0] + 1);
            format!("{head}.{body}.{rest}{other}")
        })
    }),
    ("the signature has a line break in it", |f| {
        resigned(f, |[head, body, signed]| format!("{head}.{body}.{}\n{}", &signed[..9], &signed[9..]))
    }),
    ("the signature is written in base64 of another alphabet", |f| {
        let signed = resigned(f, |[head, body, signed]| {
            format!("{head}.{body}.{}", signed.replace('-', "+").replace('_', "/"))
        });
        signed.filter(|()| f.bundle["signature"].to_string().contains(['+', '/']))
    }),
    ("the signature is longer", |f| {
        resigned(f, |[head, body, signed]| {
            let bytes = [BASE64.decode(signed).unwrap(), vec![0]].concat();
            format!("{head}.{body}.{}", BASE64.encode(bytes))
        })
    }),
    ("the signature is empty", |f| resigned(f, |[head, body, _]| format!("{head}.{body}."))),
    ("the signature's algorithm is none", |f| {
        with_header(f, "alg", json!("none"))?;
        resigned(f, |[head, body, _]| format!("{head}.{body}."))
    }),
    ("the signature's algorithm is another", |f| with_header(f, "alg", json!("HS256"))),
    ("the signature's type is another", |f| with_header(f, "typ", json!("JWT"))),
    ("the signature names another key", |f| with_header(f, "kid", json!("key-9"))),
    ("the signature names no key", |f| with_header(f, "kid", Value::Null)),
    ("the signature's header says something more", |f| with_header(f, "note", json!("honest"))),
    ("the signature's payload says something more", |f| {
        resigned(f, |[head, body, signed]| {
            let mut claims: Value = serde_json::from_slice(&BASE64.decode(body).unwrap()).unwrap();
            claims["note"] = json!("honest");
            format!("{head}.{}.{signed}", BASE64.encode(claims.to_string()))
        })
    }),
    ("the signature's payload is another version's", |f| {
        resigned(f, |[head, body, signed]| {
            let mut claims: Value = serde_json::from_slice(&BASE64.decode(body).unwrap()).unwrap();
            claims["version"] = json!(1);
            format!("{head}.{}.{signed}", BASE64.encode(claims.to_string()))
        })
    }),
    ("the signature is another game's, by the house", |f| {
        let elsewhere = Signed { game: uuid::Uuid::nil(), version: 1, hash: GENESIS };
        f.bundle["signature"] = json!(key(1).sign_log(&elsewhere));
        Some(())
    }),
];

fn changed(f: &mut Forged, change: impl Fn(&str) -> String) -> Option<()> {
    let text = String::from_utf8(f.bytes()).ok()?;
    let other = change(&text);
    (other != text).then(|| f.bytes = Some(other.into_bytes()))
}

/// Writes another word; none where it is the same.
fn tell(f: &mut Forged, at: &str, word: &str) -> Option<()> {
    let there = f.bundle.pointer_mut(at)?;
    (*there != word).then(|| *there = json!(word))
}

fn capitals(f: &mut Forged, at: &str) -> Option<()> {
    let word = f.bundle.pointer(at)?.as_str()?.to_uppercase();
    tell(f, at, &word)
}

fn unhyphened(f: &mut Forged, at: &str) -> Option<()> {
    let word = f.bundle.pointer(at)?.as_str()?.replace('-', "");
    tell(f, at, &word)
}

/// A seat in the head at which such a one sits.
fn seat(f: &Forged, who: &str) -> Option<String> {
    let at = f.bundle["game"]["seats"].as_array()?.iter().position(|seat| seat[who].is_string())?;
    Some(format!("/game/seats/{at}"))
}

fn put(f: &mut Forged, entry: Value) -> Option<()> {
    let at = f.any();
    f.log()[at] = entry;
    Some(())
}

fn resigned(f: &mut Forged, change: impl Fn([&str; 3]) -> String) -> Option<()> {
    let signature = f.bundle["signature"].as_str()?.to_owned();
    let parts: Vec<&str> = signature.split('.').collect();
    f.bundle["signature"] = json!(change(parts.try_into().ok()?));
    Some(())
}

fn with_header(f: &mut Forged, name: &str, value: Value) -> Option<()> {
    resigned(f, |[head, body, signed]| {
        let mut header: Value = serde_json::from_slice(&BASE64.decode(head).unwrap()).unwrap();
        header[name] = value.clone();
        format!("{}.{body}.{signed}", BASE64.encode(header.to_string()))
    })
}
