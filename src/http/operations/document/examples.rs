//! The examples of requests and answers. A test plays the game from which they come, and writes them.

use serde_json::{Value, json};

use super::operations;

/// For each operation its request, if it has a body, the status of its answer, and the answer.
const EXAMPLES: &str = include_str!("../../../../openapi/examples.json");

/// Schemas whose answers look alike whatever was asked: they share one example, the answer of the operation that is named.
const SHARED: [(&str, &str); 1] = [("Tournament", "get_tournament")];

/// Adds the examples to the operations.
///
/// # Panics
/// Where the file of examples is not JSON: it is part of the program.
pub fn add(document: &mut Value) {
    let examples: Value = serde_json::from_str(EXAMPLES).expect("the file of examples is JSON");
    for (_, _, operation) in operations::of(document) {
        let Some(example) = operation["operationId"].as_str().and_then(|name| examples.get(name)) else {
            continue;
        };
        if let (Some(body), Some(request)) = (operation.get_mut("requestBody"), example.get("request")) {
            add_to(body, request);
        }
        let status = example["status"].to_string();
        if let (Some(answer), Some(shown)) = (operation["responses"].get_mut(&status), example.get("answer"))
        {
            match shared(answer) {
                Some(name) => refer_to(answer, name),
                None => add_to(answer, shown),
            }
        }
    }
    for (name, operation) in SHARED {
        document["components"]["examples"][name]["value"] = examples[operation]["answer"].clone();
    }
}

/// The example that an answer shares with others of the same schema.
fn shared(answer: &Value) -> Option<&'static str> {
    let schema = answer["content"]["application/json"]["schema"]["$ref"].as_str()?.rsplit('/').next()?;
    SHARED.iter().map(|(name, _)| *name).find(|name| *name == schema)
}

fn refer_to(answer: &mut Value, name: &str) {
    let example = json!({"$ref": format!("#/components/examples/{name}")});
    answer["content"]["application/json"]["examples"] = json!({name: example});
}

/// Adds an example to the form that it has: text to a sheet, anything else to JSON.
fn add_to(part: &mut Value, example: &Value) {
    let form = if example.is_string() { "text/csv" } else { "application/json" };
    if let Some(content) = part.get_mut("content").and_then(|content| content.get_mut(form)) {
        content["example"] = example.clone();
    }
}
