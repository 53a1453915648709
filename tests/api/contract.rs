//! Every answer that a test sees is held against the OpenAPI document.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use actix_web::dev::ResourceDef;
use cardroom::http::page;
use jsonschema::Validator;
use reqwest::Method;
use serde_json::{Value, json};

use super::client::{Event, Reply};

/// The document that the program makes.
pub static DOCUMENT: LazyLock<Value> = LazyLock::new(cardroom::app::openapi);

static PATHS: LazyLock<Vec<(ResourceDef, &str)>> = LazyLock::new(|| {
    let paths = DOCUMENT["paths"].as_object().unwrap().keys();
    paths.map(|path| (ResourceDef::new(path.as_str()), path.as_str())).collect()
});

/// # Panics
/// Where the answer is not one that the document promises.
pub fn check(method: &Method, path: &str, reply: &Reply) {
    assert!(reply.header("x-request-id").is_some_and(|id| !id.is_empty()), "no X-Request-Id");
    let status = reply.status.as_u16();
    if status >= 400 && *method != Method::HEAD {
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{}", reply.body);
        assert_eq!(reply.body["status"], status);
        assert_eq!(reply.body["type"], format!("/docs/problems#{}", reply.code()));
    }
    if *method == Method::OPTIONS && status < 300 {
        return;
    }
    let is_head = *method == Method::HEAD;
    let method = if is_head { &Method::GET } else { method };
    let known = PATHS.iter().find(|(pattern, _)| pattern.is_match(path));
    let operation = known.and_then(|(_, path)| DOCUMENT["paths"][path].get(method.as_str().to_lowercase()));
    let Some(operation) = operation else {
        if page::paths().any(|(pattern, _)| ResourceDef::new(pattern).is_match(path)) && status < 400 {
            return;
        }
        assert!(matches!(status, 404..=406), "{method} {path} is not documented, and answers {status}");
        assert!(valid("#/components/schemas/Problem", &reply.body).is_ok());
        return;
    };
    let response = operation["responses"]
        .get(status.to_string())
        .unwrap_or_else(|| panic!("{method} {path}: {status} is not documented: {}", reply.body));
    if is_head {
        assert_eq!(reply.body, Value::Null, "{path}: HEAD has no body");
        return;
    }
    let response = resolved(response);
    check_content(&format!("{method} {path} {status}"), response, reply);
}

/// The part of the document that `part` refers to, if it is a reference.
pub fn resolved(part: &'static Value) -> &'static Value {
    let target = part["$ref"].as_str().map(|reference| reference.trim_start_matches('#'));
    target.map_or(part, |pointer| DOCUMENT.pointer(pointer).unwrap())
}

fn check_content(what: &str, response: &Value, reply: &Reply) {
    let Some(contents) = response.get("content").and_then(Value::as_object) else {
        assert_eq!(reply.body, Value::Null, "{what} is documented without a body");
        return;
    };
    let media_type = reply.header("content-type").unwrap().split(';').next().unwrap();
    let content =
        contents.get(media_type).unwrap_or_else(|| panic!("{what}: {media_type} is not documented"));
    if media_type.ends_with("json")
        && let Some(schema) = content.get("schema")
        && let Err(problem) = valid_schema(schema, &reply.body)
    {
        panic!("{what}: {problem}\n{}", reply.body);
    }
}

/// # Panics
/// Where `event` is not what the document calls `name`.
pub fn check_event(name: &str, event: &Event) {
    let id: u64 = event.id.parse().expect("ids are numbers");
    let event = json!({"event": event.name, "id": id, "data": event.json()});
    valid(&format!("#/components/schemas/{name}"), &event).unwrap_or_else(|error| panic!("{name}: {error}"));
}

/// # Panics
/// Where `body` is no request of this operation.
pub fn check_request(operation: &Value, body: &Value) {
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    valid_schema(schema, body).unwrap_or_else(|error| panic!("{}: {error}", operation["operationId"]));
}

/// # Panics
/// Where `body` is no answer of this operation with this status.
pub fn check_answer(operation: &'static Value, status: &Value, body: &Value) {
    let answer = resolved(&operation["responses"][status.to_string()]);
    let Some(content) = answer["content"].get("application/json") else { return };
    valid_schema(&content["schema"], body)
        .unwrap_or_else(|error| panic!("{}: {error}", operation["operationId"]));
}

fn valid(reference: &str, body: &Value) -> Result<(), String> {
    valid_schema(&json!({"$ref": reference}), body)
}

/// Compiled once for each schema: that takes far longer than a check.
fn valid_schema(schema: &Value, body: &Value) -> Result<(), String> {
    static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);
    let validator = VALIDATORS
        .lock()
        .unwrap()
        .entry(schema.to_string())
        .or_insert_with(|| {
            let whole = json!({"components": DOCUMENT["components"], "allOf": [schema]});
            Arc::new(jsonschema::draft202012::new(&whole).unwrap())
        })
        .clone();
    validator.validate(body).map_err(|error| format!("{error} at {}", error.instance_path()))
}
