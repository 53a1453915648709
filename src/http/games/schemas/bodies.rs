//! What may stand in bodies beside what is documented, and which bodies may be left out.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::names::{Components, components};
use super::unions::named_by;

/// How a reference to a schema begins. Answers refer to headers, too.
const SCHEMAS: &str = "#/components/schemas/";

/// Says `additionalProperties` wherever that is settled. What stands in requests alone is closed: what the service does
/// not know, it refuses. Objects without properties of their own are free. Answers may gain properties, so nothing is said
/// of what stands in one.
pub fn settle(document: &mut Value) {
    leave_out_empty(document);
    let closed = &asked(document) - &answered(document);
    for (name, schema) in components(document).iter_mut() {
        settle_within(schema, closed.contains(name));
    }
    settle_within(&mut document["paths"], false);
}

/// A body that is left out counts as `{}`: where that is enough, no body is required.
fn leave_out_empty(document: &mut Value) {
    let schemas = components(document).clone();
    for body in bodies(document) {
        let schema = &body["content"]["application/json"]["schema"];
        let schema = named_by(schema, &schemas).unwrap_or(schema);
        let needs_nothing = schema["required"].as_array().is_none_or(Vec::is_empty);
        if schema["type"] == "object" && needs_nothing {
            body.remove("required");
        }
    }
}

/// The names of all schemas that requests hold.
fn asked(document: &mut Value) -> BTreeSet<String> {
    let mut asked = BTreeSet::new();
    let schemas = components(document).clone();
    for body in bodies(document) {
        collect(&body["content"], &schemas, &mut asked);
    }
    asked
}

/// The names of all schemas that answers hold.
fn answered(document: &mut Value) -> BTreeSet<String> {
    let mut answered = BTreeSet::new();
    let schemas = components(document).clone();
    for operation in operations(document) {
        collect(&operation["responses"], &schemas, &mut answered);
    }
    answered
}

fn collect(value: &Value, schemas: &Components, asked: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(name) =
                fields.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix(SCHEMAS))
                && asked.insert(name.to_owned())
            {
                collect(&schemas[name], schemas, asked);
            }
            fields.values().for_each(|value| collect(value, schemas, asked));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, schemas, asked)),
        _ => {}
    }
}

fn bodies(document: &mut Value) -> impl Iterator<Item = &mut Map<String, Value>> {
    operations(document).filter_map(|operation| operation.get_mut("requestBody")?.as_object_mut())
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().expect("the handlers declare paths");
    paths.values_mut().filter_map(Value::as_object_mut).flat_map(|item| item.values_mut())
}

fn settle_within(schema: &mut Value, is_closed: bool) {
    match schema {
        Value::Object(fields) => {
            settle_object(fields, is_closed);
            fields.values_mut().for_each(|value| settle_within(value, is_closed));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| settle_within(value, is_closed)),
        _ => {}
    }
}

fn settle_object(schema: &mut Map<String, Value>, is_closed: bool) {
    let is_object = match schema.get("type") {
        Some(Value::Array(types)) => types.contains(&json!("object")),
        Some(one) => one == "object",
        None => false,
    };
    if !is_object {
        return;
    }
    let has_properties = schema.contains_key("properties");
    match schema.get("additionalProperties") {
        None if !has_properties => schema.insert("additionalProperties".to_owned(), json!(true)),
        None if is_closed => schema.insert("additionalProperties".to_owned(), json!(false)),
        Some(Value::Bool(false)) if !is_closed => schema.remove("additionalProperties"),
        _ => None,
    };
}
