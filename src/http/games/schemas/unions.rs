//! Unions as generators read them: of named objects, told apart by a property that a `discriminator` names.

use serde_json::{Value, json};

use super::names::{Components, pascal, reference};

/// Replaces what is written out within a schema and has a name by its name. A type alone is like many others.
pub fn share(schemas: &mut Components) {
    let says_more = |schema: &Value| schema.as_object().is_some_and(|said| said.len() > 1);
    let named = schemas.iter().filter(|(_, schema)| says_more(schema));
    let named = named.map(|(name, schema)| (name.clone(), schema.clone())).collect();
    for schema in schemas.values_mut() {
        children(schema).for_each(|child| share_within(child, &named));
    }
}

fn share_within(schema: &mut Value, named: &Components) {
    match named.iter().find(|(_, known)| *known == schema) {
        Some((name, _)) => *schema = reference(name),
        None => children(schema).for_each(|child| share_within(child, named)),
    }
}

/// The values in an object or a list.
fn children(value: &mut Value) -> Box<dyn Iterator<Item = &mut Value> + '_> {
    match value {
        Value::Object(fields) => Box::new(fields.values_mut()),
        Value::Array(items) => Box::new(items.iter_mut()),
        _ => Box::new(std::iter::empty()),
    }
}

/// The names of the schemas that the members of a union join.
pub fn parts(union: &Value) -> Vec<String> {
    let members = union["oneOf"].as_array().into_iter().flatten();
    let joined = members.filter_map(|member| member["allOf"].as_array()).flatten();
    let names = joined.filter_map(|part| part["$ref"].as_str()?.rsplit('/').next());
    names.map(str::to_owned).collect()
}

/// Makes one object of each schema that joins several.
pub fn flatten(schemas: &mut Components) {
    let all = schemas.clone();
    schemas.values_mut().for_each(|schema| flatten_within(schema, &all));
}

fn flatten_within(schema: &mut Value, all: &Components) {
    *schema = flat(schema, all);
    children(schema).for_each(|child| flatten_within(child, all));
}

/// A schema that joins objects, as the one object that they make.
pub fn flat(schema: &Value, schemas: &Components) -> Value {
    let Some(parts) = schema.get("allOf").and_then(Value::as_array) else { return schema.clone() };
    let (mut properties, mut required) = (Components::new(), Vec::new());
    let mut whole = json!({"type": "object"});
    for part in parts {
        let mut part = flat(named_by(part, schemas).unwrap_or(part), schemas);
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
        if let Some(description) = part.get_mut("description") {
            whole["description"] = description.take();
        }
    }
    if let Some(description) = schema.get("description") {
        whole["description"] = description.clone();
    }
    (whole["properties"], whole["required"]) = (json!(properties), json!(required));
    whole
}

/// The schema that a reference names.
pub fn named_by<'a>(schema: &Value, schemas: &'a Components) -> Option<&'a Value> {
    schemas.get(schema["$ref"].as_str()?.rsplit('/').next()?)
}

/// Gives every member of a union of objects a name, made of the union's and of the word that tells it from the others.
pub fn name_variants(schemas: &mut Components) {
    schemas.values_mut().for_each(say_constants);
    let all = schemas.clone();
    let mut found = Components::new();
    for (name, schema) in schemas.iter_mut() {
        name_within(schema, name, &all, &mut found);
    }
    for (name, variant) in found {
        assert!(!schemas.contains_key(&name), "two schemas have the name {name}");
        schemas.insert(name, variant);
    }
}

/// One word out of one is a constant.
fn say_constants(schema: &mut Value) {
    if let Some(fields) = schema.as_object_mut()
        && let Some([word @ Value::String(_)]) =
            fields.get("enum").and_then(Value::as_array).map(Vec::as_slice)
    {
        let word = word.clone();
        fields.remove("enum");
        fields.insert("const".to_owned(), word);
    }
    children(schema).for_each(say_constants);
}

fn name_within(schema: &mut Value, name: &str, all: &Components, found: &mut Components) {
    let variants = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    let variants: Vec<Value> = variants.map(|variant| flat(variant, all)).collect();
    let Some(tag) = tag(&variants) else {
        return children(schema).for_each(|child| name_within(child, name, all, found));
    };
    let (mut items, mut mapping) = (Vec::new(), Components::new());
    for variant in variants {
        let word = variant["properties"][&tag]["const"].as_str().unwrap_or_default().to_owned();
        let item = reference(&format!("{name}{}", pascal(&word)));
        mapping.insert(word.clone(), item["$ref"].clone());
        items.push(item);
        found.insert(format!("{name}{}", pascal(&word)), variant);
    }
    schema["oneOf"] = json!(items);
    schema["discriminator"] = json!({"propertyName": tag, "mapping": mapping});
}

/// The property that has another constant in each of these objects.
fn tag(variants: &[Value]) -> Option<String> {
    let candidates = variants.first()?["properties"].as_object()?.keys();
    let tells = |name: &&String| {
        variants.iter().all(|variant| variant["properties"][name.as_str()]["const"].is_string())
    };
    candidates.into_iter().find(tells).cloned()
}
