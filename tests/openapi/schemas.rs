//! The form of the document's schemas: what generators of clients need to make good types of them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{collect_references, operations};
use crate::api::contract::DOCUMENT;

/// A schema, and where it stands.
type Place = (String, &'static Value);

#[test]
fn every_object_in_a_request_says_what_else_may_stand_in_it() {
    let bodies = operations().filter_map(|(name, operation)| Some((name, operation.get("requestBody")?)));
    let bodies = reachable(bodies.collect());
    let answered: BTreeSet<String> = answers().into_iter().map(|(place, _)| place).collect();
    let own = bodies.iter().filter(|(place, _)| !answered.contains(place));
    let objects: Vec<&Place> = own.filter(|(_, schema)| is_object(schema)).collect();
    assert!(objects.len() > 20, "{}", objects.len());
    for (place, schema) in objects {
        assert!(schema.get("additionalProperties").is_some(), "{place}");
    }
}

#[test]
fn every_object_in_an_answer_may_gain_fields() {
    for (place, schema) in answers() {
        assert_ne!(schema.get("additionalProperties"), Some(&Value::Bool(false)), "{place}");
    }
}

#[test]
fn every_integer_has_a_format_that_holds_it() {
    for (place, schema) in everything() {
        let is_large = schema["maximum"].as_u64() > Some(i32::MAX as u64);
        assert!(!(is_large && schema["format"] == "int32"), "{place}: {schema}");
    }
}

#[test]
fn what_has_one_name_in_answers_has_one_format() {
    let formats = |name: &str| -> BTreeSet<String> {
        let found = answers();
        let named = found.iter().filter_map(|(_, schema)| schema["properties"].get(name));
        let integers = named.filter(|property| is_type(property, "integer"));
        integers.map(|property| property["format"].to_string()).collect()
    };
    for name in ["chips", "entrants", "games", "place", "points", "score", "stack", "wins"] {
        assert_eq!(formats(name).len(), 1, "{name}: {:?}", formats(name));
    }
}

#[test]
fn every_free_object_says_so() {
    for (place, schema) in everything().iter().filter(|(_, schema)| is_object(schema)) {
        let said = ["properties", "additionalProperties"].iter().any(|name| schema.get(name).is_some());
        assert!(said, "{place}");
    }
}

#[test]
fn every_union_of_objects_is_told_apart_by_one_property_one_level_deep() {
    let mut unions = 0;
    for (place, schema) in everything() {
        let members = ["oneOf", "anyOf"].iter().filter_map(|name| schema.get(name)?.as_array());
        let members: Vec<&Value> = members.flatten().filter(|member| !is_null(member)).collect();
        if members.len() < 2 || !members.iter().all(|member| is_composed(named(member))) {
            continue;
        }
        unions += 1;
        let tag = schema["discriminator"]["propertyName"].as_str();
        let tag = tag.unwrap_or_else(|| panic!("{place}: a union without a discriminator"));
        let mapping = schema["discriminator"]["mapping"].as_object().unwrap();
        assert_eq!(mapping.len(), members.len(), "{place}");
        for member in members {
            let object = named(member);
            assert!(is_object(object), "{place}: {member} is no object");
            assert!(
                object["required"].as_array().unwrap().iter().any(|name| name == tag),
                "{place}: {member}"
            );
            let word = object["properties"][tag]["const"].as_str().unwrap();
            assert_eq!(mapping[word], member["$ref"], "{place}");
        }
    }
    assert!(unions > 20, "{unions}");
}

#[test]
fn every_schema_is_used() {
    let used: BTreeSet<String> = reachable(whole_paths()).into_iter().map(|(place, _)| place).collect();
    for name in DOCUMENT["components"]["schemas"].as_object().unwrap().keys() {
        assert!(used.contains(&pointer(name)), "{name}");
    }
}

/// What an answer may leave out is not null where it is there.
#[test]
fn answers_carry_everything_that_may_be_null() {
    let mut left_out = BTreeSet::new();
    for (place, schema) in answers() {
        let required = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if is_nullable(property) && !required.iter().any(|known| known == name) {
                left_out.insert(format!("{place}/{name}"));
            }
        }
    }
    // Left out where no card of the deck can be notable, null where this one is not; and in tournaments without groups or
    // teams.
    let known = ["CardInfo/notable", "Standing/group", "Standing/team"];
    assert_eq!(left_out, known.map(|name| format!("#/components/schemas/{name}")).into());
}

#[test]
fn no_schema_joins_others() {
    for (place, schema) in everything() {
        assert!(schema.get("allOf").is_none(), "{place}");
    }
}

#[test]
fn a_request_needs_a_body_where_an_empty_one_would_not_do() {
    for (name, operation) in operations() {
        let Some(body) = operation.get("requestBody") else { continue };
        let asked = named(&body["content"]["application/json"]["schema"]);
        let needs_some = asked["required"].as_array().is_some_and(|required| !required.is_empty());
        assert_eq!(body["required"] == true, needs_some, "{name}");
    }
}

/// All that stands in answers.
fn answers() -> Vec<Place> {
    reachable(operations().map(|(name, operation)| (name, &operation["responses"])).collect())
}

fn whole_paths() -> Vec<Place> {
    operations().collect()
}

fn everything() -> Vec<Place> {
    let mut places = Vec::new();
    let schemas = DOCUMENT["components"]["schemas"].as_object().unwrap();
    let named = schemas.iter().map(|(name, schema)| (pointer(name), schema));
    whole_paths().into_iter().chain(named).for_each(|(place, value)| within(&place, value, &mut places));
    places
}

fn pointer(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// These values, what stands in them, and what they refer to.
fn reachable(from: Vec<Place>) -> Vec<Place> {
    let (mut places, mut seen, mut open) = (Vec::new(), BTreeSet::new(), from);
    while let Some((place, value)) = open.pop() {
        within(&place, value, &mut places);
        let mut references = BTreeSet::new();
        collect_references(value, &mut references);
        for reference in references.into_iter().filter(|reference| seen.insert(reference.clone())) {
            let target = DOCUMENT.pointer(&reference[1..]).unwrap();
            open.push((reference, target));
        }
    }
    places
}

fn within(place: &str, value: &'static Value, places: &mut Vec<Place>) {
    match value {
        Value::Object(fields) => {
            places.push((place.to_owned(), value));
            fields.iter().filter(|(name, _)| !name.starts_with("example")).for_each(|(name, value)| {
                let place = match name.as_str() {
                    "properties" => place.to_owned(),
                    name => format!("{place}/{name}"),
                };
                within(&place, value, places);
            });
        }
        Value::Array(items) => items.iter().for_each(|value| within(place, value, places)),
        _ => {}
    }
}

/// The schema that this one refers to, or itself.
fn named(schema: &'static Value) -> &'static Value {
    match schema["$ref"].as_str() {
        Some(reference) => DOCUMENT.pointer(&reference[1..]).unwrap(),
        None => schema,
    }
}

fn is_type(schema: &Value, wanted: &str) -> bool {
    match &schema["type"] {
        Value::Array(types) => types.iter().any(|known| known == wanted),
        one => one == wanted,
    }
}

fn is_object(schema: &Value) -> bool {
    is_type(schema, "object")
}

fn is_null(schema: &Value) -> bool {
    is_type(schema, "null")
}

/// An object, or what may be one.
fn is_composed(schema: &Value) -> bool {
    is_object(schema) || ["oneOf", "anyOf", "allOf"].iter().any(|name| schema.get(name).is_some())
}

fn is_nullable(schema: &'static Value) -> bool {
    is_null(schema) || schema["anyOf"].as_array().is_some_and(|members| members.iter().any(is_null))
}
