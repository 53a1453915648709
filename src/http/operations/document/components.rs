//! Names what stands in several places of the document once, among its components, and refers to it there.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::additions;
use super::operations;

/// Moves headers, and the parameters and answers that several operations have, to the components.
pub fn share(document: &mut Value) {
    share_kind(document, "parameters", |path, operation| {
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten();
        parameters.map(|parameter| (parameter_name(path, parameter), parameter)).collect()
    });
    share_kind(document, "responses", |_, operation| {
        let responses = operation["responses"].as_object_mut().into_iter().flatten();
        responses.map(|(status, response)| (response_name(status, response), response)).collect()
    });
    document["components"]["headers"] = used(document, additions::headers());
}

/// Those of `headers` that an answer has.
fn used(document: &Value, headers: Value) -> Value {
    let text = document.to_string();
    let Value::Object(headers) = headers else { return headers };
    let is_used = |name: &String| text.contains(&format!("\"#/components/headers/{name}\""));
    headers.into_iter().filter(|(name, _)| is_used(name)).collect::<Map<_, _>>().into()
}

/// Moves what `parts` finds in an operation, each with a name that suits it, where two operations have the same.
fn share_kind(
    document: &mut Value,
    kind: &str,
    parts: impl for<'a> Fn(&str, &'a mut Value) -> Vec<(String, &'a mut Value)>,
) {
    let mut times: HashMap<String, u32> = HashMap::new();
    for (path, _, operation) in operations::of(document) {
        for (_, part) in parts(&path, operation) {
            *times.entry(part.to_string()).or_default() += 1;
        }
    }
    let mut shared: Map<String, Value> = Map::new();
    let mut names: HashMap<String, String> = HashMap::new();
    for (path, _, operation) in operations::of(document) {
        for (name, part) in parts(&path, operation) {
            let text = part.to_string();
            if times[&text] < 2 {
                continue;
            }
            let name = names.entry(text).or_insert_with(|| {
                let name = free_name(&shared, name);
                shared.insert(name.clone(), part.clone());
                name
            });
            *part = json!({"$ref": format!("#/components/{kind}/{name}")});
        }
    }
    document["components"][kind] = Value::Object(shared);
}

/// `name`, or the first of `name2`, `name3`, … that nothing has.
fn free_name(taken: &Map<String, Value>, name: String) -> String {
    let numbered = (2..).map(|n| format!("{name}{n}"));
    let found = std::iter::once(name.clone()).chain(numbered).find(|name| !taken.contains_key(name));
    found.unwrap_or(name)
}

/// `GameId` for `id` in `/v1/games/{id}`, `IfMatch` for `If-Match`.
fn parameter_name(path: &str, parameter: &Value) -> String {
    let name = parameter["name"].as_str().unwrap_or_default();
    let own = pascal(name);
    if parameter["in"] != "path" {
        return own;
    }
    let before = path.split(&format!("/{{{name}}}")).next().unwrap_or_default();
    let resource = before.rsplit('/').next().unwrap_or_default();
    let resource = pascal(resource.strip_suffix("ies").map_or_else(
        || resource.strip_suffix('s').unwrap_or(resource).to_owned(),
        |stem| format!("{stem}y"),
    ));
    if resource == own { own } else { resource + &own }
}

/// `GameNotFound` for an answer that tells of `game_not_found`; otherwise by its status.
fn response_name(status: &str, response: &Value) -> String {
    let description = response["description"].as_str().unwrap_or_default();
    let is_code = |word: &&str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let codes: Vec<String> = description.split('`').skip(1).step_by(2).filter(is_code).map(pascal).collect();
    match (codes.is_empty(), status) {
        (false, _) => codes.join("Or"),
        (true, "304") => "NotModified".to_owned(),
        (true, _) => format!("Answer{status}"),
    }
}

/// `game_not_found` and `If-Match` as `GameNotFound` and `IfMatch`.
fn pascal(name: impl AsRef<str>) -> String {
    let words = name.as_ref().split(['_', '-']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}
