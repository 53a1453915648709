//! The operations of a document.

use serde_json::Value;

/// Each operation, with its path and its method in small letters.
pub fn of(document: &mut Value) -> impl Iterator<Item = (String, String, &mut Value)> {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let operations = item.as_object_mut().into_iter().flatten();
        operations.map(move |(method, operation)| (path.clone(), method.clone(), operation))
    })
}
