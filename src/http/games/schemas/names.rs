//! What the parts of this module share: the components of a document, and names in it.

use serde_json::{Map, Value, json};

pub type Components = Map<String, Value>;

/// The schemas of a document.
///
/// # Panics
/// Where it has none: the handlers declare them.
pub fn components(document: &mut Value) -> &mut Components {
    document["components"]["schemas"].as_object_mut().expect("the handlers declare schemas")
}

/// A reference to the schema of this name.
pub fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// `royal_gambit` as `RoyalGambit`.
pub fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(capital).collect()
}
