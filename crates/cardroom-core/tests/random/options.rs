//! Options from nothing but their JSON Schema: drawn at random, or wrong in one place.

use cardroom_core::rules::registry::Kind;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::dice::Dice;

/// The options that decide how long a game lasts. They are always drawn, and near their minimum.
const LENGTHS: [&str; 3] = ["hands", "target_score", "buy_in"];

/// Options that the kind accepts, and what it makes of them.
pub fn draw(kind: &Kind, dice: &mut Dice) -> Box<RawValue> {
    let properties = properties(kind);
    for _ in 0..1000 {
        let mut options = Map::new();
        for (name, schema) in &properties {
            let lasts = LENGTHS.contains(&name.as_str());
            if lasts || dice.one_in(2) {
                options.insert(name.clone(), value(schema, lasts, dice));
            }
            // However few seats there are, the list fits.
            if let Some(Value::Array(stacks)) = options.get_mut("stacks") {
                stacks.truncate(kind.min_seats.into());
            }
        }
        match kind.resolve_options(&raw(&Value::Object(options))) {
            // However many there are, each can pay.
            Ok(resolved) if kind.new_game(&resolved, kind.max_seats).is_ok() => return resolved,
            Ok(_) => {}
            Err(refusal) => assert_eq!(refusal.code, "invalid_options"),
        }
    }
    panic!("a thousand times {} refused what its schema allows", kind.kind)
}

/// Options that each have one thing wrong with them.
pub fn wrong(kind: &Kind) -> Vec<Value> {
    let mut wrong = vec![json!({"no_such_option": 1}), json!([]), json!("default"), Value::Null];
    for (name, schema) in properties(kind) {
        wrong.extend(outside(&schema).into_iter().map(|value| json!({ name.as_str(): value })));
    }
    wrong
}

pub fn properties(kind: &Kind) -> Map<String, Value> {
    let schema = serde_json::to_value((kind.schemas)().options).expect("a schema is JSON");
    schema["properties"].as_object().cloned().unwrap_or_default()
}

pub fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).expect("JSON")
}

fn value(schema: &Value, near_minimum: bool, dice: &mut Dice) -> Value {
    if may_be_null(schema) && dice.one_in(2) {
        return Value::Null;
    }
    let schema = plain(schema);
    if let Some(words) = schema["enum"].as_array() {
        return dice.pick(words).clone();
    }
    match type_of(schema) {
        "boolean" => json!(dice.one_in(2)),
        "integer" => integer(schema, near_minimum, dice),
        "array" => {
            let (least, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
            let (least, most) = (least.unwrap_or(0), most.unwrap_or(4));
            let length = least + dice.below(most - least + 1);
            (0..length).map(|_| value(&schema["items"], false, dice)).collect()
        }
        other => panic!("options of type `{other}` are new: teach the laws to draw them"),
    }
}

fn integer(schema: &Value, near_minimum: bool, dice: &mut Dice) -> Value {
    let min = schema["minimum"].as_u64().expect("an integer option has a minimum");
    let max = schema["maximum"].as_u64().unwrap_or(u32::MAX.into());
    let near = (min + dice.below(10)).min(max);
    match dice.below(4) {
        0 if !near_minimum => json!(min),
        1 if !near_minimum => json!(max),
        _ => json!(near),
    }
}

fn outside(schema: &Value) -> Vec<Value> {
    let plain = plain(schema);
    let mut outside = vec![json!({}), json!([[]])];
    if !may_be_null(schema) {
        outside.push(Value::Null);
    }
    if !plain["enum"].is_null() {
        outside.extend([json!("no such word"), json!(1)]);
    }
    match type_of(plain) {
        "boolean" => outside.extend([json!(1), json!("true")]),
        "integer" => {
            outside.extend([json!("3"), json!(3.0), json!(true)]);
            outside.extend(plain["minimum"].as_i64().map(|min| json!(min - 1)));
            outside.extend(plain["maximum"].as_i64().map(|max| json!(max + 1)));
        }
        "array" => {
            let item = plain["items"]["minimum"].as_i64().unwrap_or(0);
            outside.extend(plain["maxItems"].as_u64().map(|most| (0..=most).map(|_| json!(item)).collect()));
            outside.push(json!([item - 1]));
        }
        _ => {}
    }
    outside
}

fn type_of(schema: &Value) -> &str {
    match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).find(|&t| t != "null").unwrap_or(""),
        other => other.as_str().unwrap_or(""),
    }
}

fn may_be_null(schema: &Value) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|t| t == "null"),
        other => other == "null" || alternatives(schema).any(may_be_null),
    }
}

/// The schema behind a wrapper that adds a default or a null to it.
fn plain(schema: &Value) -> &Value {
    alternatives(schema).find(|s| s["type"] != "null").map_or(schema, plain)
}

fn alternatives(schema: &Value) -> impl Iterator<Item = &Value> {
    ["oneOf", "anyOf", "allOf"].into_iter().filter_map(|of| schema[of].as_array()).flatten()
}
