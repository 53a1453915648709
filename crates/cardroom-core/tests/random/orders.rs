//! Actions from nothing but a menu's descriptors: right ones, and wrong ones.

use serde_json::{Map, Value, json};

use super::dice::Dice;

/// An action put together from one entry of a menu.
pub fn order(entry: &Value, dice: &mut Dice) -> Value {
    let mut action = Map::from_iter([("type".to_owned(), entry["type"].clone())]);
    for (name, domain) in params(entry) {
        action.insert(name.clone(), draw(domain, dice));
    }
    Value::Object(action)
}

/// Whether an action can be put together from the menu: what the contract says, and not what the rules do.
pub fn stands_on(menu: &Value, action: &Value) -> bool {
    list(menu).iter().any(|entry| {
        let params = params(entry);
        action["type"] == entry["type"]
            && action.as_object().is_some_and(|action| action.len() == params.len() + 1)
            && params.iter().all(|(name, domain)| holds(domain, &action[name.as_str()]))
    })
}

/// Actions near a right one that the menu does not hold.
pub fn wrong_orders(menu: &Value, entry: &Value, deck: &[Value], dice: &mut Dice) -> Vec<Value> {
    let right = order(entry, dice);
    let with = |name: &str, value: Value| {
        let mut action = right.clone();
        action[name] = value;
        action
    };
    let mut wrong = vec![
        json!([entry["type"]]),
        entry["type"].clone(),
        Value::Null,
        json!({}),
        with("type", json!("no_such_type")),
        with("type", json!(entry["type"].as_str().expect("a type").to_uppercase())),
        with("type", Value::Null),
        with("no_such_parameter", json!(1)),
    ];
    for (name, domain) in params(entry) {
        let mut without = right.clone();
        without.as_object_mut().expect("an action").remove(name);
        wrong.push(without);
        wrong.extend(outside(domain, &right[name], deck, dice).into_iter().map(|value| with(name, value)));
    }
    wrong.retain(|action| !stands_on(menu, action));
    wrong
}

fn draw(domain: &Value, dice: &mut Dice) -> Value {
    match domain["type"].as_str() {
        Some("integer") => {
            let (min, max) = bounds(domain);
            match dice.below(3) {
                0 => json!(min),
                1 => json!(max),
                _ => json!(min + dice.below((max - min + 1) as u64) as i64),
            }
        }
        Some("card" | "seat" | "choice") => dice.pick(list(&domain["from"])).clone(),
        Some("cards") => {
            let (min, max) = bounds(domain);
            let mut from = list(&domain["from"]).clone();
            dice.shuffle(&mut from);
            from.truncate(min as usize + dice.below((max - min + 1) as u64) as usize);
            Value::Array(from)
        }
        other => panic!("no domain is of type {other:?}"),
    }
}

fn holds(domain: &Value, value: &Value) -> bool {
    match domain["type"].as_str() {
        Some("integer") => {
            let (min, max) = bounds(domain);
            value.as_i64().is_some_and(|n| (min..=max).contains(&n))
        }
        Some("cards") => value.as_array().is_some_and(|cards| {
            let (min, max) = bounds(domain);
            let count = |of: &[Value], card| of.iter().filter(|&c| c == card).count();
            (min..=max).contains(&(cards.len() as i64))
                && cards.iter().all(|card| count(cards, card) <= count(list(&domain["from"]), card))
        }),
        _ => list(&domain["from"]).contains(value),
    }
}

fn outside(domain: &Value, right: &Value, deck: &[Value], dice: &mut Dice) -> Vec<Value> {
    let mut outside = vec![Value::Null, json!({}), json!([[]]), json!(true), json!("?")];
    match domain["type"].as_str() {
        Some("integer") => {
            let (min, max) = bounds(domain);
            let right = right.as_i64().expect("an integer");
            outside.extend([json!(min - 1), json!(max + 1), json!(-1), json!(u64::MAX)]);
            outside.extend([json!(right as f64), json!(right.to_string()), json!([right])]);
        }
        Some("seat") => {
            let right = right.as_u64().expect("a seat");
            outside.extend((0..=10).chain([15, 16, 255, 256, 256 + right]).map(|seat| json!(seat)));
            outside.extend([json!(-1), json!(right as f64), json!(right.to_string())]);
        }
        Some("card") => {
            outside.push(dice.pick(deck).clone());
            outside.extend([json!([right]), json!(right.as_str().expect("a card").to_lowercase())]);
        }
        Some("cards") => {
            let from = list(&domain["from"]);
            let (min, max) = bounds(domain);
            let twice = |card: &Value| json!([from.as_slice(), std::slice::from_ref(card)].concat());
            outside.extend(from.first().map(twice));
            outside.extend(from.first().map(|card| json!([card, card])));
            outside.push(json!([dice.pick(deck)]));
            outside.push(from.iter().take(max as usize + 1).cloned().collect());
            outside.push(from.iter().take((min - 1).max(0) as usize).cloned().collect());
        }
        _ => outside.extend([json!(1), json!([right])]),
    }
    outside
}

fn bounds(domain: &Value) -> (i64, i64) {
    (domain["min"].as_i64().expect("min"), domain["max"].as_i64().expect("max"))
}

fn params(entry: &Value) -> &Map<String, Value> {
    entry["params"].as_object().expect("params")
}

pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}
