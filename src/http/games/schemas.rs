//! What the kinds of games add to the OpenAPI document: the types of their options, actions, views, facts and hands. And
//! the form of all schemas, by which generators make good clients of them.

mod bodies;
mod events;
mod names;
mod unions;

use cardroom_core::rules::registry::{self, Kind};
use serde_json::{Value, json};

use self::names::{Components, components, pascal, reference};

/// The path of the operation that ranks cards.
const RANK: &str = "/v1/kinds/{kind}/rank";

/// The document with everything of each kind spelled out, told apart by `kind`, and with all schemas in one form.
///
/// # Panics
/// Where the document has no `Game` or `Hand`: the handlers declare them.
pub fn with_kinds(mut document: Value) -> Value {
    let schemas = components(&mut document);
    let parts = unions::parts(&schemas["Notice"]);
    unions::flatten(schemas);
    // Each stands in its notice itself now.
    schemas.retain(|name, _| !parts.contains(name));
    // What a kind is told with stands in `KindText` itself now.
    schemas.remove("KindTexts");
    unions::share(schemas);
    add_kinds(schemas);
    add_deck_words(schemas);
    add_seats(schemas);
    schemas.insert("Action".to_owned(), action());
    schemas.insert("Fact".to_owned(), fact());
    with_rankings(&mut document);
    events::describe(&mut document);
    unions::share(components(&mut document));
    unions::name_variants(components(&mut document));
    bodies::settle(&mut document);
    name_options(components(&mut document));
    document
}

/// Names the options of a game whose kind the document does not know, so that clients have one type for them.
fn name_options(schemas: &mut Components) {
    for schema in schemas.values_mut() {
        let options = schema.pointer_mut("/properties/options");
        let Some(options) = options.filter(|options| options["additionalProperties"] == true) else {
            continue;
        };
        let named = reference("Options");
        let mut free = match options["type"].is_array() {
            true => json!({"anyOf": [{"type": "null"}, named]}),
            false => named,
        };
        if let Some(description) = options.get("description") {
            free["description"] = description.clone();
        }
        *options = free;
    }
    schemas.insert(
        "Options".to_owned(),
        json!({
            "description": "A kind's options by name: `GET /v1/kinds/{kind}` has their schema.",
            "type": "object",
            "additionalProperties": true,
            "example": {"hands": 5},
        }),
    );
}

/// Each kind's own types, and the unions of those that answers hold.
fn add_kinds(schemas: &mut Components) {
    let (game, entry) = (schemas["Game"].clone(), schemas["HandEntry"].clone());
    let [hand, summary] = ["Hand", "HandSummary"].map(|name| unions::flat(&schemas[name], schemas));
    for kind in registry::newest() {
        let prefix = pascal(kind.kind);
        add_parts(schemas, kind, &prefix);
        let [action, fact] = ["Action", "Fact"].map(|part| reference(&format!("{prefix}{part}")));
        let named = json!({"type": "string", "const": kind.kind});

        let mut game = game.clone();
        game["description"] = json!(format!("A game of {}, as the caller sees it.", kind.name));
        game["properties"]["kind"] = named.clone();
        game["properties"]["options"] = reference(&format!("{prefix}Options"));
        game["properties"]["view"] = json!({
            "description": "The game's own state; null before the start.",
            "oneOf": [{"type": "null"}, reference(&format!("{prefix}View"))],
        });
        schemas.insert(format!("{prefix}Game"), game);

        let mut entry = entry.clone();
        entry["properties"]["action"] = json!({
            "description": "As in the log: cards that the reader may not know are null. Null where it was chance.",
            "oneOf": [{"type": "null"}, action],
        });
        entry["properties"]["facts"]["items"] = fact.clone();
        schemas.insert(format!("{prefix}HandEntry"), entry);

        let mut hand = hand.clone();
        hand["properties"]["kind"] = named.clone();
        hand["properties"]["entries"]["items"] = reference(&format!("{prefix}HandEntry"));
        schemas.insert(format!("{prefix}Hand"), hand);

        let mut summary = summary.clone();
        summary["properties"]["kind"] = named;
        summary["properties"]["results"]["items"] = fact;
        schemas.insert(format!("{prefix}HandSummary"), summary);
    }
    for name in ["Game", "Hand", "HandSummary"] {
        schemas.insert(name.to_owned(), by_kind(name, &schemas[name]["description"]));
    }
    // Each kind has its own in their place.
    for replaced in ["HandEntry", "Span"] {
        schemas.remove(replaced);
    }
}

/// Card, options, action, view and fact of a kind, and what they refer to.
fn add_parts(schemas: &mut Components, kind: &Kind, prefix: &str) {
    let own = (kind.schemas)();
    schemas.insert(own.card.0.into_owned(), json!(own.card.1));
    let parts = own.parts.into_iter().map(|(name, schema)| (name, json!(schema)));
    let mut options = json!(own.options);
    // A game holds every option; in a request, each has a default.
    let names = options["properties"].as_object().into_iter().flatten().map(|(name, _)| json!(name));
    options["required"] = names.collect();
    let mut action = json!(own.action);
    if kind.has_secrets {
        hide_cards(&mut action);
    }
    let named =
        [("Options", options), ("Action", action), ("View", json!(own.view)), ("Fact", json!(own.fact))];
    let named = named.into_iter().map(|(name, schema)| (name.to_owned(), schema));
    for (name, mut schema) in parts.chain(named) {
        prefix_refs(&mut schema, prefix);
        schemas.insert(prefixed(&name, prefix), schema);
    }
}

/// An action as it is shown to those who may not know the cards in it.
fn hide_cards(action: &mut Value) {
    let variants = action["oneOf"].as_array_mut().into_iter().flatten();
    let params = variants.filter_map(|variant| variant["properties"].as_object_mut());
    for items in params.flat_map(|params| params.values_mut()).filter_map(|param| param.get_mut("items")) {
        let card = items.take();
        *items = json!({"description": "Null where you may not see it.", "oneOf": [{"type": "null"}, card]});
    }
}

/// One of the kinds' types of this name.
fn by_kind(name: &str, description: &Value) -> Value {
    let of = |kind: &Kind| format!("{}{name}", pascal(kind.kind));
    let target = |kind: &Kind| json!(format!("#/components/schemas/{}", of(kind)));
    let mapping: Components = registry::newest().map(|kind| (kind.kind.to_owned(), target(kind))).collect();
    json!({
        "description": description,
        "oneOf": registry::newest().map(|kind| reference(&of(kind))).collect::<Vec<_>>(),
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    })
}

/// What can be given to `act`: a line of any kind's menu can be put into it without knowing the kind.
fn action() -> Value {
    let value = json!({
        "description": "A number or a seat, a card or a word, or cards: out of the parameter's `Domain`.",
        "oneOf": [
            {"type": "integer", "format": "int64", "minimum": 0, "maximum": u32::MAX},
            {"type": "string"},
            {"type": "array", "items": {"type": "string"}},
        ],
    });
    json!({
        "description": "One of `legal_actions`: its `type`, and beside it a value for each of its `params`.",
        "type": "object",
        "properties": {"type": {"type": "string", "description": "The `type` in `legal_actions`.", "example": "raise"}},
        "required": ["type"],
        "additionalProperties": value,
    })
}

/// A fact in a stream, where no `kind` stands beside it.
fn fact() -> Value {
    let facts: Vec<_> = registry::newest().map(|kind| format!("`{}Fact`", pascal(kind.kind))).collect();
    let description = format!(
        "What happened, in the words of the game's kind: {}. What the reader may not know is null.",
        facts.join(", ")
    );
    json!({
        "description": description,
        "type": "object",
        "properties": {"type": {"type": "string", "description": "What kind of fact it is.", "example": "hand_began"}},
        "required": ["type"],
        "additionalProperties": true,
    })
}

/// The words that the kinds' decks have for their cards' attributes.
fn add_deck_words(schemas: &mut Components) {
    let cards: Vec<Value> =
        registry::newest().flat_map(|kind| (kind.deck)()).map(|card| json!(card)).collect();
    for attribute in ["rank", "face", "suit", "sex", "race"] {
        let mut words: Vec<&Value> = Vec::new();
        for word in cards.iter().filter_map(|card| card.get(attribute)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        schemas["CardInfo"]["properties"][attribute]["enum"] = json!(words);
    }
}

/// How many seats the kinds have.
fn add_seats(schemas: &mut Components) {
    let least = registry::newest().map(|kind| kind.min_seats).min();
    let most = registry::newest().map(|kind| kind.max_seats).max();
    for (schema, property) in [("CreateGame", "seats"), ("NewTournament", "table_size")] {
        let seats = &mut schemas[schema]["properties"][property];
        (seats["minimum"], seats["maximum"]) = (json!(least), json!(most));
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
        operation["description"] =
            json!("Any cards of the deck can be ranked, without a game. Nothing is stored.");
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
