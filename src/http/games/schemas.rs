//! What the kinds of games add to the OpenAPI document: the types of their options, actions, views and facts.

use cardroom_core::rules::registry;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// An action of the game's kind: one of `legal_actions`, with all its parameters.
#[derive(Debug, ToSchema)]
pub struct Action {
    /// The action's name.
    #[schema(rename = "type")]
    pub r#type: String,
}

/// The path of the operation that ranks cards.
const RANK: &str = "/v1/kinds/{kind}/rank";

/// The document with `Game`, `Action` and `Fact` spelled out for every kind, told apart by `kind`.
///
/// # Panics
/// Where the document has no `Game`: the handlers declare it.
pub fn with_kinds(mut document: Value) -> Value {
    let schemas = document["components"]["schemas"].as_object_mut().expect("the handlers declare schemas");
    let game = schemas["Game"].clone();
    let (mut games, mut actions, mut facts) = (Vec::new(), Vec::new(), Vec::new());
    let mut mapping = serde_json::Map::new();
    for kind in registry::newest() {
        let prefix = pascal(kind.kind);
        let own = (kind.schemas)();
        let parts = own.parts.into_iter().map(|(name, schema)| (name, json!(schema)));
        let named =
            [("Options", own.options), ("Action", own.action), ("View", own.view), ("Fact", own.fact)];
        let named = named.into_iter().map(|(name, schema)| (name.to_owned(), json!(schema)));
        for (name, mut schema) in parts.chain(named) {
            prefix_refs(&mut schema, &prefix);
            schemas.insert(prefixed(&name, &prefix), schema);
        }
        let mut game = game.clone();
        game["description"] = json!(format!("A game of {}, as the caller sees it.", kind.name));
        game["properties"]["kind"] = json!({"type": "string", "const": kind.kind});
        game["properties"]["options"] = reference(&format!("{prefix}Options"));
        game["properties"]["view"] = json!({
            "description": "The game's own state; null before the start.",
            "oneOf": [{"type": "null"}, reference(&format!("{prefix}View"))],
        });
        let name = format!("{prefix}Game");
        mapping.insert(kind.kind.to_owned(), json!(format!("#/components/schemas/{name}")));
        games.push(reference(&name));
        actions.push(reference(&format!("{prefix}Action")));
        facts.push(reference(&format!("{prefix}Fact")));
        schemas.insert(name, game);
    }
    let discriminator = json!({"propertyName": "kind", "mapping": mapping});
    schemas.insert(
        "Game".to_owned(),
        json!({"description": "A game, as the caller sees it.", "oneOf": games, "discriminator": discriminator}),
    );
    let description = "One of `legal_actions`, with all its parameters.";
    schemas.insert("Action".to_owned(), json!({"description": description, "anyOf": actions}));
    let description = "What happened, in the words of the game's kind; what the reader may not know is null.";
    schemas.insert("Fact".to_owned(), json!({"description": description, "anyOf": facts}));
    with_counters(&mut document);
    with_rankings(&mut document);
    document
}

/// The kinds' own counters, in a leaderboard's lines.
fn with_counters(document: &mut Value) {
    let lines = ["/components/schemas/Ranked", "/components/schemas/Page_Ranked/properties/items/items"];
    for (kind, name) in registry::newest().flat_map(|kind| kind.counters.iter().map(move |name| (kind, name)))
    {
        let description = format!("Shown in {}.", kind.name);
        let counter = json!({"type": "integer", "format": "int32", "description": description});
        for line in lines {
            let line = document.pointer_mut(line).expect("the handlers declare leaderboards");
            line["properties"][name] = counter.clone();
            line["required"].as_array_mut().expect("a line has fields").push(json!(name));
        }
    }
}

/// The path that ranks cards, once for each kind that ranks them.
fn with_rankings(document: &mut Value) {
    let paths = document["paths"].as_object_mut().expect("the handlers declare paths");
    let generic = paths.remove(RANK).expect("a handler ranks cards");
    for kind in registry::newest() {
        let Some(ranking) = kind.ranking else { continue };
        let [asked, answered] = (ranking.schemas)();
        let mut path = generic.clone();
        let operation = &mut path["post"];
        operation["operationId"] = json!(format!("rank_{}", kind.kind));
        operation["summary"] = json!(ranking.summary);
        operation.as_object_mut().expect("an operation is an object").remove("parameters");
        operation["requestBody"]["content"]["application/json"]["schema"] = reference(asked.0);
        let answer = &mut operation["responses"]["200"];
        answer["description"] = json!(ranking.answer);
        answer["content"]["application/json"]["schema"] = reference(answered.0);
        document["paths"][RANK.replace("{kind}", kind.kind)] = path;
        for (name, schema) in [asked, answered] {
            document["components"]["schemas"][name] = json!(schema);
        }
    }
}

/// Two kinds may use one name for different things, so in the document each name is prefixed with its kind's name.
fn prefix_refs(schema: &mut Value, prefix: &str) {
    match schema {
        Value::Object(map) => {
            for (name, value) in map {
                match value {
                    Value::String(target) if name == "$ref" => {
                        let part = target.rsplit('/').next().unwrap_or_default();
                        *value = reference(&prefixed(part, prefix))["$ref"].take();
                    }
                    other => prefix_refs(other, prefix),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| prefix_refs(item, prefix)),
        _ => {}
    }
}

fn prefixed(name: &str, prefix: &str) -> String {
    if name.starts_with(prefix) { name.to_owned() } else { format!("{prefix}{name}") }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// `royal_gambit` as `RoyalGambit`.
fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}
