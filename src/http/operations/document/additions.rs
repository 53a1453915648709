//! What no handler has to declare: the failures that any request can meet, the form of all failures, the headers of all
//! answers, and who may call.

use serde_json::{Map, Value, json};

use crate::http::limits::HEALTH;
use crate::http::problem::CODES;
use crate::http::requests::accept::Form;
use crate::http::requests::conditions::IDEMPOTENCY_KEY;

/// The failures that every operation can meet, with and without a body.
const ALWAYS: [&str; 5] =
    ["too_many_requests", "internal", "unavailable", "invalid_parameter", "not_acceptable"];
const WITH_A_BODY: [&str; 5] =
    ["request_timeout", "malformed_json", "body_too_large", "unsupported_media_type", "invalid_body"];

/// Completes an operation. Its own failures are declared with its handler.
pub fn complete(path: &str, method: &str, operation: &mut Value) {
    let mut codes: Vec<&str> = ALWAYS.to_vec();
    match operation.get("security") {
        Some(_) => codes.extend(["unauthorized", "insufficient_scope"]),
        None => operation["security"] = json!([]),
    }
    if operation.get("requestBody").is_some() {
        codes.extend(WITH_A_BODY);
    }
    add_failures(operation, &codes);
    if method == "get" && operation["responses"]["200"]["headers"].get("ETag").is_some() {
        add_revalidation(operation);
    }
    tell_forms(operation);
    let is_repeatable = has_parameter(operation, |name| name.eq_ignore_ascii_case(IDEMPOTENCY_KEY.as_str()));
    let has_pages = method == "get" && has_parameter(operation, |name| matches!(name, "cursor" | "after"));
    let is_limited = !HEALTH.contains(&path);
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        let is_success = status.starts_with('2');
        if status.as_str() >= "400" && response.get("content").is_none() {
            let problem = json!({"schema": {"$ref": "#/components/schemas/Problem"}});
            response["content"] = json!({"application/problem+json": problem});
        }
        let mut names = vec!["X-Request-Id"];
        if is_limited {
            names.extend(["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]);
        }
        match status.as_str() {
            "401" => names.push("WWW-Authenticate"),
            "429" | "503" => names.push("Retry-After"),
            _ if is_success && is_repeatable => names.push("Idempotency-Replayed"),
            _ => {}
        }
        if is_success && has_pages && response["content"].get("application/json").is_some() {
            names.push("Link");
        }
        add_headers(response, &names);
    }
}

/// Where the query chooses the form of the answer, lists the forms that this answer has.
fn tell_forms(operation: &mut Value) {
    let media_types = operation["responses"]["200"]["content"].as_object().into_iter().flat_map(Map::keys);
    let forms: Vec<Form> = media_types.filter_map(|media_type| Form::of(media_type)).collect();
    let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten();
    if let Some(format) = parameters.into_iter().find(|parameter| parameter["name"] == "format") {
        format["schema"]["enum"] = json!(forms);
    }
}

/// What a caller can do with an `ETag`: ask whether the answer is still the same.
fn add_revalidation(operation: &mut Value) {
    let not_modified = json!({"description": "You have it."});
    let responses = operation["responses"].as_object_mut().expect("a handler declares its answers");
    responses.entry("304").or_insert(not_modified);
    if !has_parameter(operation, |name| name == "If-None-Match") {
        let description = "The `ETag` of the answer that you have.";
        let known = json!({
            "name": "If-None-Match", "in": "header", "required": false, "description": description,
            "schema": {"type": "string"}, "example": "\"17\"",
        });
        match operation["parameters"].as_array_mut() {
            Some(parameters) => parameters.push(known),
            None => operation["parameters"] = json!([known]),
        }
    }
}

/// What may be null is `anyOf`: of a union with a discriminator some validators say that null is one of its members, and
/// then `oneOf` would match twice.
pub fn null_or_any(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_null = |member: &Value| *member == json!({"type": "null"});
            let members = fields.get("oneOf").and_then(Value::as_array);
            if members.is_some_and(|members| members.iter().any(is_null)) {
                let members = fields.remove("oneOf").unwrap_or_default();
                fields.insert("anyOf".to_owned(), members);
            }
            fields.values_mut().for_each(null_or_any);
        }
        Value::Array(items) => items.iter_mut().for_each(null_or_any),
        _ => {}
    }
}

/// What is counted in chips or points. It has one format everywhere, in whatever a kind keeps it.
const AMOUNTS: [&str; 6] = ["chips", "points", "score", "scores", "stack", "stacks"];

/// Gives integers a format that holds all their values: many generators make 32 bits with a sign of `int32`.
pub fn widen(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_large = fields.get("maximum").and_then(Value::as_u64) > Some(i32::MAX as u64);
            if is_large && fields.get("format").is_some_and(|format| format == "int32") {
                fields.insert("format".to_owned(), json!("int64"));
            }
            let properties = fields.get_mut("properties").and_then(Value::as_object_mut);
            for (name, property) in properties.into_iter().flatten() {
                if AMOUNTS.contains(&name.as_str()) {
                    make_int64(property);
                }
            }
            fields.values_mut().for_each(widen);
        }
        Value::Array(items) => items.iter_mut().for_each(widen),
        _ => {}
    }
}

/// Makes the integers of a schema and of what it lists 64 bits wide.
fn make_int64(schema: &mut Value) {
    if schema["format"] == "int32" {
        schema["format"] = json!("int64");
    }
    if let Some(items) = schema.get_mut("items") {
        make_int64(items);
    }
}

fn has_parameter(operation: &Value, is_wanted: impl Fn(&str) -> bool) -> bool {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.filter_map(|parameter| parameter["name"].as_str()).any(is_wanted)
}

/// Adds failures to those that the handler declares, by their status.
fn add_failures(operation: &mut Value, codes: &[&str]) {
    let responses = operation["responses"].as_object_mut().expect("a handler declares its answers");
    for code in CODES.iter().filter(|known| codes.contains(&known.code)) {
        let sentence = format!("`{}`: {}", code.code, code.meaning);
        let response = responses.entry(code.status.to_string()).or_insert_with(|| json!({"description": ""}));
        let declared = response["description"].as_str().unwrap_or_default();
        response["description"] =
            if declared.is_empty() { json!(sentence) } else { json!(format!("{declared}\n\n{sentence}")) };
    }
}

fn add_headers(response: &mut Value, names: &[&str]) {
    let declared = response["headers"].as_object().into_iter().flat_map(Map::keys);
    let names: Vec<String> = declared.cloned().chain(names.iter().map(|&name| name.to_owned())).collect();
    let headers = names.into_iter().map(|name| {
        let reference = json!({"$ref": format!("#/components/headers/{name}")});
        (name, reference)
    });
    response["headers"] = Value::Object(headers.collect());
}

/// Every header that an answer can have.
pub fn headers() -> Value {
    let text = |description: &str, example: &str| json!({"description": description, "schema": {"type": "string"}, "example": example});
    let seconds = |description: &str, example: u32| {
        let schema = json!({"type": "integer", "format": "int64", "minimum": 0});
        json!({"description": description, "schema": schema, "example": example})
    };
    json!({
        "Content-Language": text("The language of the texts.", "en"),
        "ETag": text(
            "The version of what is shown, or the digest of its content. `If-None-Match` takes it.", "\"17\"",
        ),
        "Idempotency-Replayed": text(
            "`true` if the request was a repeat: it is answered again, and was not done again. Otherwise left out.", "true",
        ),
        "Link": text(
            "The next page, with `rel=\"next\"`; left out on the last one.",
            "</v1/games?cursor=0198c1c5%2D21b0%2D7d1a%2D8f63%2D6d1f2b9c0a11>; rel=\"next\"",
        ),
        "Location": text("Where it is.", "/v1/games/0198c1c5-21b0-7d1a-8f63-6d1f2b9c0a11"),
        "RateLimit-Limit": seconds("How many requests the caller may send in a minute.", 600),
        "RateLimit-Remaining": seconds("How many requests the caller may send at once.", 598),
        "RateLimit-Reset": seconds("After how many seconds the caller may send all of them at once again.", 1),
        "Retry-After": seconds("After how many seconds the caller may try again.", 1),
        "WWW-Authenticate": text("How to say who you are.", "Bearer realm=\"cardroom\""),
        "X-Request-Id": text(
            "The id under which the service logged the request.", "0198c1c5-21b0-7d1a-8f63-6d1f2b9c0a11",
        ),
    })
}
