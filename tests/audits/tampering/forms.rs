//! What can be written otherwise, at every level of a bundle, where values mean the same or nothing.

use serde_json::{Map, Value, json};

use super::{By, Tampering, texts};
use crate::audits::forger::{AGAIN, Forged, RAW};

/// Where something stands: a JSON pointer, where the bundle has one.
type Place = fn(&mut Forged) -> Option<String>;

/// What becomes of an object, in its field of this index.
type Change = fn(&Map<String, Value>, usize) -> Option<Value>;

/// A number by its digits, written otherwise.
type Spelling = fn(&str) -> Value;

/// Each object in a bundle; `true`: in an entry of the log, so that the house can hash it.
const OBJECTS: &[(&str, bool, Place)] = &[
    ("the bundle", false, |_| Some(String::new())),
    ("the game", false, |_| Some("/game".to_owned())),
    ("the game's options", false, |_| Some("/game/options".to_owned())),
    ("a seat", false, |_| Some("/game/seats/0".to_owned())),
    ("the fairness", false, |_| Some("/fairness".to_owned())),
    ("the result", false, |_| Some("/outcome".to_owned())),
    ("a place in the result", false, |_| Some("/outcome/places/0".to_owned())),
    ("an entry", false, |f| entry(f, "acted", "")),
    ("a player's `by`", true, |f| by(f, "player")),
    ("a bot's `by`", true, |f| by(f, "bot")),
    ("the clock's `by`", true, |f| by(f, "clock")),
    ("the house's `by`", true, |f| by(f, "system")),
    ("`created`", true, |f| entry(f, "created", "/data")),
    ("`seated`", true, |f| entry(f, "seated", "/data")),
    ("`left`", true, |f| entry(f, "left", "/data")),
    ("`started`", true, |f| entry(f, "started", "/data")),
    ("a seat in `started`", true, |f| entry(f, "started", "/data/seats/1")),
    ("`chance`", true, |f| entry(f, "chance", "/data")),
    ("a pick", true, |f| chance(f, "pick")),
    ("a shuffle", true, |f| chance(f, "shuffle")),
    ("`acted`", true, |f| entry(f, "acted", "/data")),
    ("`paused`", true, |f| entry(f, "paused", "/data/granted_ms").map(|at| at.replace("/granted_ms", ""))),
    ("`resumed`", true, |f| entry(f, "resumed", "/data")),
    ("`time_added`", true, |f| entry(f, "time_added", "/data")),
    ("`finished`", true, |f| entry(f, "finished", "/data")),
    ("the log's result", true, |f| entry(f, "finished", "/data/outcome")),
    ("a place in the log's result", true, |f| entry(f, "finished", "/data/outcome/places/0")),
];

/// What can be done to an object: whatever it becomes, with its name.
const CHANGES: &[(&str, Change)] = &[
    ("says something more", |fields, _| Some(with(fields, "note", json!("honest")))),
    ("says something twice", |fields, at| {
        let (name, value) = fields.iter().nth(at)?;
        Some(with(fields, &format!("{name}{AGAIN}"), value.clone()))
    }),
    ("says something less", |fields, at| {
        let mut fields = fields.clone();
        let name = fields.keys().nth(at)?.clone();
        fields.remove(&name);
        // Nothing in the log follows from whether the game counts for ratings.
        (name != "rated").then(|| fields.into())
    }),
    ("has null where a value was", |fields, at| {
        let (name, value) = fields.iter().nth(at)?;
        (!value.is_null()).then(|| with(fields, name, Value::Null))
    }),
    ("has a value of another type", |fields, at| {
        let (name, value) = fields.iter().nth(at)?;
        let other = match value {
            Value::String(_) => json!(7),
            Value::Array(_) => json!({}),
            Value::Object(_) => json!("nothing"),
            _ => json!([]),
        };
        Some(with(fields, name, other))
    }),
    ("is a list of its values", |fields, _| Some(fields.values().cloned().collect())),
];

/// Numbers in a bundle.
const NUMBERS: &[(&str, Place)] = &[
    ("the rules version", |_| Some("/game/rules_version".to_owned())),
    ("a seat's number", |_| Some("/game/seats/1/seat".to_owned())),
    ("a place", |_| Some("/outcome/places/0/place".to_owned())),
    ("a score", |_| Some("/outcome/places/0/score".to_owned())),
    ("a winner", |_| Some("/outcome/winners/0".to_owned())),
    ("an entry's number", |f| entry(f, "acted", "/seq")),
    ("an entry's seat", |f| entry(f, "acted", "/seat")),
    ("the log's rules version", |f| entry(f, "created", "/data/rules_version")),
    ("the number of seats", |f| entry(f, "created", "/data/seats")),
    ("a seat's number at the start", |f| entry(f, "started", "/data/seats/1/seat")),
    ("a seat's number before the start", |f| entry(f, "started", "/data/seats/1/was")),
    ("a chance's number", |f| entry(f, "chance", "/data/k")),
    ("the time that is added", |f| entry(f, "time_added", "/data/seconds")),
    ("what is picked", |f| entry(f, "chance", "/data/pick/result")),
    ("a score in the log", |f| entry(f, "finished", "/data/outcome/places/0/score")),
];

/// How else a number can be written. Readers take some of these for the same number, so that its hash holds.
const WRITTEN: &[(&str, Spelling)] = &[
    ("with a point", |digits| raw(&format!("{digits}.0"))),
    ("with an exponent", |digits| raw(&format!("{digits}e0"))),
    ("with a zero before it", |digits| raw(&format!("0{digits}"))),
    ("with a plus", |digits| raw(&format!("+{digits}"))),
    ("as a string", |digits| json!(digits)),
    ("as minus nought", |_| raw("-0")),
    ("so close that it is rounded", |digits| raw(&format!("{digits}.00000000000000000001"))),
    ("as a number of no end", |_| raw("1e999")),
    ("as more than 64 bits", |digits| raw(&format!("1000000000000000000{digits}"))),
    ("as a truth", |_| json!(true)),
];

pub fn all() -> Vec<Tampering> {
    let objects = OBJECTS.iter().flat_map(|(place, sealed, find)| {
        CHANGES.iter().map(move |(what, change)| {
            tampering(&format!("{place} {what}"), *sealed && *what != "says something twice", move |f| {
                let at = find(f)?;
                let fields = f.bundle.pointer(&at)?.as_object()?.clone();
                // What is left out where it says nothing may be missing; the house hashes and signs these itself.
                let fixed = ["hash", "seq", "turn_seconds", "bank_seconds", "bot_delay_ms", "signature"];
                let free: Vec<usize> = (0..fields.len())
                    .filter(|n| !fixed.contains(&&**fields.keys().nth(*n).unwrap()))
                    .collect();
                let n = if free.is_empty() { 0 } else { *f.dice.pick(&free) };
                *f.bundle.pointer_mut(&at)? = change(&fields, n)?;
                Some(())
            })
        })
    });
    // An empty object has nothing to leave out, what was granted may be missing, and an action's form is the rules' to judge.
    let objects = objects.filter(|tampering| {
        let empty = ["`left`", "`resumed`"].iter().any(|of| tampering.name.starts_with(of));
        let nothing_granted = tampering.name == "`paused` says something less";
        !nothing_granted && (!empty || tampering.name.ends_with("more") || tampering.name.ends_with("values"))
    });
    let numbers = NUMBERS.iter().flat_map(|(place, find)| {
        WRITTEN.iter().map(move |(how, write)| {
            tampering(&format!("{place} is written {how}"), false, move |f| {
                let at = find(f)?;
                let number = f.bundle.pointer_mut(&at)?;
                *number = write(&number.as_i64()?.to_string());
                Some(())
            })
        })
    });
    let texts = texts::TEXTS.iter().map(|(name, how)| tampering(name, false, how));
    objects.chain(numbers).chain(texts).collect()
}

fn tampering(name: &str, sealed: bool, how: impl Fn(&mut Forged) -> Option<()> + 'static) -> Tampering {
    Tampering { name: name.to_owned(), check: None, how: Box::new(how), sealed, by: By::All }
}

fn raw(text: &str) -> Value {
    json!(format!("{RAW}{text}{RAW}"))
}

fn with(fields: &Map<String, Value>, name: &str, value: Value) -> Value {
    let mut fields = fields.clone();
    fields.insert(name.to_owned(), value);
    fields.into()
}

fn entry(f: &mut Forged, kind: &str, rest: &str) -> Option<String> {
    let at = f.some_with(kind, |entry| entry.pointer(rest).is_some())?;
    Some(format!("/log/{at}{rest}"))
}

fn by(f: &mut Forged, kind: &str) -> Option<String> {
    let at = f.log().iter().rposition(|entry| entry["by"]["type"] == kind)?;
    Some(format!("/log/{at}/by"))
}

fn chance(f: &mut Forged, kind: &str) -> Option<String> {
    entry(f, "chance", &format!("/data/{kind}"))
}
