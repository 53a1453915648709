//! The OpenAPI document is checked in, is what the program makes, and is whole.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::api::contract::{DOCUMENT, resolved};

mod schemas;

#[test]
fn the_document_that_is_checked_in_is_the_program_s() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/openapi.json");
    let checked_in: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(checked_in == *DOCUMENT, "run: cargo run -- openapi > openapi/openapi.json");
}

#[test]
fn every_reference_leads_somewhere() {
    let mut references = BTreeSet::new();
    collect_references(&DOCUMENT, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(DOCUMENT.pointer(pointer).is_some(), "{reference}");
    }
}

#[test]
fn every_operation_is_described_and_says_how_it_fails() {
    for (name, operation) in operations() {
        for field in ["operationId", "summary"] {
            assert!(operation[field].as_str().is_some_and(|text| !text.is_empty()), "{name}: no {field}");
        }
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.contains_key("500"), "{name}");
        for (status, response) in responses {
            let response = resolved(response);
            assert!(!response["description"].as_str().unwrap().is_empty(), "{name}: {status}");
            let problem = &response["content"]["application/problem+json"]["schema"]["$ref"];
            assert_eq!(
                problem == "#/components/schemas/Problem",
                status.as_str() >= "400",
                "{name}: {status}"
            );
        }
        let guarded = !operation["security"].as_array().unwrap().is_empty();
        assert_eq!(
            guarded,
            resolved(&operation["responses"]["401"])["description"].to_string().contains("`unauthorized`"),
            "{name}"
        );
    }
}

#[test]
fn no_two_operations_share_an_id() {
    let mut seen = BTreeSet::new();
    for (name, operation) in operations() {
        assert!(seen.insert(operation["operationId"].as_str().unwrap()), "{name}");
    }
}

fn operations() -> impl Iterator<Item = (String, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    paths.iter().flat_map(|(path, item)| {
        let operations = item.as_object().unwrap().iter();
        operations.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

fn collect_references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|value| collect_references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| collect_references(value, found)),
        _ => {}
    }
}
