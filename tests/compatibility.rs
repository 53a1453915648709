//! A client of the last release works with this program: `docs/versioning.md` says what may change and what may not.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::api::contract::DOCUMENT;

#[test]
fn the_document_breaks_no_client_of_the_last_release() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi/released.json");
    let released: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let breaks = breaks(&released, &DOCUMENT);
    assert!(breaks.is_empty(), "openapi/released.json is what clients rely on:\n{}", breaks.join("\n"));
}

/// Who sends what a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sender {
    Client,
    Service,
}

struct Comparison<'a> {
    old: &'a Value,
    new: &'a Value,
    /// The pairs of references that were compared, or are being compared.
    seen: HashSet<(String, String, bool)>,
    breaks: Vec<String>,
}

/// What a client that was written for `old` would stumble over in `new`.
fn breaks(old: &Value, new: &Value) -> Vec<String> {
    let mut comparison = Comparison { old, new, seen: HashSet::new(), breaks: Vec::new() };
    for (path, item) in fields(&old["paths"]) {
        for (method, operation) in fields(item) {
            let at = format!("{method} {path}");
            match new["paths"][path].get(method) {
                Some(now) => comparison.operation(&at, operation, now),
                None => comparison.breaks.push(format!("{at} is gone")),
            }
        }
    }
    comparison.breaks
}

impl<'a> Comparison<'a> {
    fn operation(&mut self, at: &str, old: &'a Value, new: &'a Value) {
        let names = |document: &'a Value, operation: &'a Value| -> Vec<&'a Value> {
            list(&operation["parameters"]).map(|parameter| resolved(document, parameter)).collect()
        };
        let (before, now) = (names(self.old, old), names(self.new, new));
        let same = |one: &Value, other: &Value| one["name"] == other["name"] && one["in"] == other["in"];
        for parameter in &before {
            let at = format!("{at}, parameter {}", parameter["name"]);
            match now.iter().find(|new| same(new, parameter)) {
                Some(new) => self.schema(&at, Sender::Client, &parameter["schema"], &new["schema"]),
                None => self.breaks.push(format!("{at} is gone")),
            }
        }
        for parameter in now.iter().filter(|parameter| parameter["required"] == true) {
            if !before.iter().any(|old| same(old, parameter) && old["required"] == true) {
                self.breaks.push(format!("{at}, parameter {} is required now", parameter["name"]));
            }
        }
        let (body, now) = (resolved(self.old, &old["requestBody"]), resolved(self.new, &new["requestBody"]));
        if now["required"] == true && body["required"] != true {
            self.breaks.push(format!("{at}: a body is required now"));
        }
        self.contents(&format!("{at}, body"), Sender::Client, body, now);
        for (status, answer) in fields(&old["responses"]).filter(|(status, _)| status.starts_with('2')) {
            let at = format!("{at} {status}");
            match new["responses"].get(status) {
                Some(now) => {
                    let (answer, now) = (resolved(self.old, answer), resolved(self.new, now));
                    self.contents(&at, Sender::Service, answer, now);
                }
                None => self.breaks.push(format!("{at} is gone")),
            }
        }
    }

    fn contents(&mut self, at: &str, sender: Sender, old: &'a Value, new: &'a Value) {
        for (media_type, content) in fields(&old["content"]) {
            match new["content"].get(media_type) {
                Some(now) => self.schema(at, sender, &content["schema"], &now["schema"]),
                None => self.breaks.push(format!("{at} is no longer {media_type}")),
            }
        }
    }

    fn schema(&mut self, at: &str, sender: Sender, old: &'a Value, new: &'a Value) {
        if let (Some(one), Some(other)) = (old["$ref"].as_str(), new["$ref"].as_str())
            && !self.seen.insert((one.to_owned(), other.to_owned(), sender == Sender::Client))
        {
            return;
        }
        let (old, new) = (resolved(self.old, old), resolved(self.new, new));
        for kind in types(old) {
            if sender == Sender::Client && !types(new).is_empty() && !types(new).contains(&kind) {
                self.breaks.push(format!("{at} may no longer be {kind}"));
            }
        }
        if sender == Sender::Service && !types(old).is_empty() {
            let added = types(new).into_iter().filter(|kind| !types(old).contains(kind));
            self.breaks.extend(added.map(|kind| format!("{at} may be {kind} now")));
        }
        if sender == Sender::Client {
            let now: Vec<&Value> = list(&new["enum"]).collect();
            let gone = list(&old["enum"]).filter(|value| !now.is_empty() && !now.contains(value));
            self.breaks.extend(gone.map(|value| format!("{at} may no longer be {value}")));
        }
        self.properties(at, sender, old, new);
        if !old["items"].is_null() {
            self.schema(&format!("{at}[]"), sender, &old["items"], &new["items"]);
        }
        for union in ["oneOf", "anyOf"] {
            self.variants(&format!("{at} {union}"), sender, &old[union], &new[union]);
        }
        for (one, other) in list(&old["allOf"]).zip(list(&new["allOf"])) {
            self.schema(at, sender, one, other);
        }
    }

    fn properties(&mut self, at: &str, sender: Sender, old: &'a Value, new: &'a Value) {
        let is_required = |schema: &Value, name: &str| list(&schema["required"]).any(|word| word == name);
        for (name, property) in fields(&old["properties"]) {
            let at = format!("{at}.{name}");
            match new["properties"].get(name) {
                Some(now) => self.schema(&at, sender, property, now),
                None => self.breaks.push(format!("{at} is gone")),
            }
            if sender == Sender::Service && is_required(old, name) && !is_required(new, name) {
                self.breaks.push(format!("{at} may be left out now"));
            }
        }
        for (name, _) in fields(&new["properties"]).filter(|(name, _)| is_required(new, name)) {
            if sender == Sender::Client && !is_required(old, name) {
                self.breaks.push(format!("{at}.{name} is required now"));
            }
        }
    }

    /// The variants of a union, each found again by its name.
    fn variants(&mut self, at: &str, sender: Sender, old: &'a Value, new: &'a Value) {
        for variant in list(old) {
            let name = name_of(variant);
            match list(new).find(|now| name_of(now) == name) {
                Some(now) => self.schema(&format!("{at} {name}"), sender, variant, now),
                None => self.breaks.push(format!("{at} {name} is gone")),
            }
        }
    }
}

fn name_of(variant: &Value) -> String {
    let tag = fields(&variant["properties"]).find_map(|(name, property)| {
        let value = property.get("const").or_else(|| property["enum"].get(0))?;
        Some(format!("{name}={value}"))
    });
    let reference = variant["$ref"].as_str().map(str::to_owned);
    reference.or(tag).unwrap_or_else(|| variant["type"].to_string())
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        several => list(several).filter_map(Value::as_str).collect(),
    }
}

fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    let target = part["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    target.and_then(|pointer| document.pointer(pointer)).unwrap_or(part)
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn a_document() -> Value {
    let answer = json!({
        "type": "object", "required": ["id", "seat"],
        "properties": {"id": {"type": "string"}, "seat": {"type": ["integer", "null"]}},
    });
    let asked = json!({
        "type": "object", "required": ["kind"],
        "properties": {"kind": {"type": "string", "enum": ["a", "b"]}, "name": {"type": "string"}},
    });
    json!({
        "paths": {"/v1/games": {"post": {
            "parameters": [{"$ref": "#/components/parameters/Limit"}],
            "requestBody": {"content": {"application/json": {"schema": asked}}},
            "responses": {"201": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Game"}}}}},
        }}},
        "components": {
            "parameters": {"Limit": {"name": "limit", "in": "query", "schema": {"type": "integer"}}},
            "schemas": {"Game": answer},
        },
    })
}

#[test]
fn what_a_client_would_stumble_over_is_found() {
    let before = a_document();
    let asked = "/paths/~1v1~1games/post/requestBody/content/application~1json/schema";
    let answered = "/components/schemas/Game";
    let changes: [(&str, Value); 11] = [
        ("/paths", json!({})),
        ("/paths/~1v1~1games/post/responses", json!({"200": {}})),
        ("/paths/~1v1~1games/post/parameters", json!([])),
        ("/components/parameters/Limit/required", json!(true)),
        ("/components/parameters/Limit/schema/type", json!("boolean")),
        (&format!("{asked}/properties/kind/enum"), json!(["a"])),
        (&format!("{asked}/required"), json!(["kind", "name"])),
        (&format!("{asked}/properties/name/type"), json!("integer")),
        (&format!("{answered}/properties/id/type"), json!(["string", "null"])),
        (&format!("{answered}/required"), json!(["id"])),
        (&format!("{answered}/properties"), json!({"id": {"type": "string"}})),
    ];
    assert!(breaks(&before, &before).is_empty());
    for (at, value) in changes {
        let mut after = before.clone();
        let (parent, name) = at.rsplit_once('/').unwrap();
        after.pointer_mut(parent).unwrap()[name] = value;
        assert!(!breaks(&before, &after).is_empty(), "{at}");
    }
}

#[test]
fn what_may_be_added_is_no_break() {
    let before = a_document();
    let mut after = before.clone();
    after["paths"]["/v1/more"] = json!({"get": {"responses": {}}});
    after["components"]["schemas"]["Game"]["properties"]["more"] = json!({"type": "string"});
    after["components"]["schemas"]["Game"]["required"] = json!(["id", "seat", "more"]);
    let asked = "/paths/~1v1~1games/post/requestBody/content/application~1json/schema/properties";
    after.pointer_mut(asked).unwrap()["more"] = json!({"type": "string"});
    after.pointer_mut(asked).unwrap()["kind"]["enum"] = json!(["a", "b", "c"]);
    assert_eq!(breaks(&before, &after), Vec::<String>::new());
}
