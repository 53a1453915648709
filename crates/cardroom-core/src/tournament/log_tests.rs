//! How entries of a tournament's log are written. Logs are hashed and signed, so this does not change.

use serde_json::{Map, Value, json};

use super::TournamentEntry;
use super::log::TournamentEvent;

const ID: &str = "0192f0c1-2b3c-7d4e-8f50-112233445566";
const SEED: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// The data of each type with all its fields, and the fields that may be missing.
fn types() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let player = || json!({"account": ID, "client_seed": "mine", "player": "ann", "program": true});
    let table = || json!({"game": ID, "round": 1, "table": 2});
    vec![
        ("created", created(), &["counts", "waiting_list"]),
        ("entered", json!({"entrant": 3, "team": "reds", "who": player()}), &["program", "team"]),
        ("entered", json!({"entrant": 4, "who": {"bot": "steady", "player": "steady 1"}}), &[]),
        ("withdrawn", json!({"entrant": 3}), &[]),
        ("disqualified", json!({"entrant": 3, "reason": "absent"}), &[]),
        ("organiser_named", json!({"account": ID, "player": "ben", "role": "director"}), &[]),
        ("organiser_dismissed", json!({"account": ID, "player": "ben"}), &[]),
        ("team_changed", json!({"entrant": 3, "team": "blues"}), &["team"]),
        ("tables_prescribed", json!({"byes": [4], "round": 2, "tables": [[0, 1], [2, 3]]}), &[]),
        ("prescription_cancelled", json!({"round": 2}), &[]),
        ("announced", json!({"text": "Lunch at noon."}), &[]),
        (
            "penalised",
            json!({"entrant": 3, "penalty": 1, "reason": "late", "result_thousandths": -500, "score": -1}),
            &[],
        ),
        ("penalty_cancelled", json!({"penalty": 1}), &[]),
        ("reinstated", json!({"entrant": 3}), &[]),
        ("replaced", json!({"entrant": 3, "who": player()}), &["program"]),
        ("paused", json!({"reason": "", "stop_clocks": true}), &["stop_clocks"]),
        ("resumed", json!({}), &[]),
        ("checked_in", json!({"entrant": 3}), &[]),
        ("check_in_cancelled", json!({"entrant": 3}), &[]),
        ("edited", json!({"details": details(), "name": "Cup"}), &[]),
        (
            "table_redone",
            json!({"game": ID, "reason": "power cut", "replaced": ID, "round": 1, "table": 2}),
            &[],
        ),
        (
            "result_set",
            json!({"game": ID, "places": [1, 2], "reason": "power cut", "round": 1, "scores": [5, 3], "table": 2}),
            &["places"],
        ),
        ("result_cancelled", table(), &[]),
        ("table_paused", table(), &[]),
        ("table_resumed", table(), &[]),
        (
            "time_added",
            json!({"entrant": 3, "game": ID, "round": 1, "seconds": 60, "table": 2}),
            &["entrant"],
        ),
        ("referee_called", json!({"call": 1, "entrant": 3, "text": "Help!"}), &[]),
        ("call_answered", json!({"answer": "", "call": 1}), &[]),
        ("started", json!({}), &[]),
        ("round_began", round_began(), &["rematches", "shuffle_id", "stacks"]),
        ("round_ended", json!({"absent": [3], "round": 1}), &[]),
        ("finished", json!({"server_seed": SEED}), &[]),
        ("aborted", json!({"server_seed": SEED}), &[]),
    ]
}

fn created() -> Value {
    json!({
        "commitment": SEED,
        "details": details(),
        "organiser": {"account": ID, "player": "olga", "role": "owner"},
        "pairing": 2,
        "setup": {
            "admission": {"max": 8, "type": "limited", "waiting_list": false},
            "bank_seconds": 0,
            "bot_delay_ms": 0,
            "check_in_minutes": null,
            "conditions": {
                "accounts_only": false, "players": null, "programs": "admitted", "rating_from": null,
                "rating_to": null,
            },
            "duplicate": false,
            "fill": null,
            "format": {"rounds": 2, "seating": "random", "type": "rounds"},
            "kind": "sevens",
            "late_entry": {"missed": "mean", "until_round": 2},
            "name": "Cup",
            "no_show_limit": null,
            "options": {},
            "pause_after_rounds": false,
            "result_by": {"type": "chips"},
            "rules_version": 1,
            "scoring": {"type": "places"},
            "spectator_delay_hands": 0,
            "table_size": 4,
            "teams": {"counts": null, "size": 2},
            "turn_seconds": 60,
        },
        "tie_breaks": 1,
    })
}

fn details() -> Value {
    json!({
        "description": null, "registration_closes_at": null, "registration_opens_at": null, "result_prize": "a cup",
        "score_prize": null, "starts_at": null, "time_zone": null, "venue": "Town hall",
    })
}

fn round_began() -> Value {
    json!({
        "byes": [4],
        "lots": [2, 0, 1, 4, 3],
        "rematches": {"fewest": 0, "pairs": 1},
        "round": 1,
        "shuffle_id": ID,
        "tables": [{"game": ID, "seats": [2, 0, null], "stacks": [10, 20, 30], "table": 1}],
    })
}

fn text(kind: &str, data: &Value) -> String {
    let by = json!({"player": "olga", "type": "player"});
    json!({"at": "2026-01-02T03:04:05.000006Z", "by": by, "data": data, "seq": 1, "type": kind}).to_string()
}

/// Each object in `data`, by its JSON pointer, with the names of its fields. A kind's options are its own.
fn objects(data: &Value, path: String, found: &mut Vec<(String, Vec<String>)>) {
    match data {
        Value::Object(fields) => {
            found.push((path.clone(), fields.keys().cloned().collect()));
            for (name, value) in fields.iter().filter(|(name, _)| *name != "options") {
                objects(value, format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                objects(item, format!("{path}/{at}"), found);
            }
        }
        _ => {}
    }
}

fn changed(data: &Value, path: &str, change: impl FnOnce(&mut Map<String, Value>)) -> Value {
    let mut data = data.clone();
    change(data.pointer_mut(path).and_then(Value::as_object_mut).unwrap());
    data
}

#[test]
fn each_type_of_entry_is_read_and_written_as_it_stands() {
    for (kind, data, _) in types() {
        let text = text(kind, &data);
        let entry = TournamentEntry::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!((entry.event.kind(), entry.text()), (kind, text));
    }
}

#[test]
fn an_entry_needs_each_field_but_those_that_are_left_out_without_a_value() {
    for (kind, data, may_be_missing) in types() {
        let mut found = Vec::new();
        objects(&data, String::new(), &mut found);
        for (path, names) in found {
            let more = changed(&data, &path, |fields| drop(fields.insert("more".to_owned(), json!(1))));
            assert!(TournamentEntry::parse(&text(kind, &more)).is_err(), "{kind}: {path}/more");
            for name in names {
                let less = text(kind, &changed(&data, &path, |fields| drop(fields.remove(&name))));
                let read = TournamentEntry::parse(&less);
                assert_eq!(read.is_ok(), may_be_missing.contains(&&*name), "{kind}: {path}/{name}");
                // The setup has all its fields written, also those that a request may leave out.
                if let Ok(entry) = read
                    && !matches!(entry.event, TournamentEvent::Created(_))
                {
                    assert_eq!(entry.text(), less);
                }
            }
        }
    }
}
