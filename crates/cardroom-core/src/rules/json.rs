//! JSON as the rules read and write it.

use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Error, Value};

/// Reads an object, and nothing that only stands for one: derived readers also take a list of the fields' values for a
/// struct, or `{"word": null}` for a word. What was read has to be what is written.
///
/// # Errors
/// [`Error`] where it is of another form.
pub fn read_object<T: DeserializeOwned + Serialize>(json: &str) -> serde_json::Result<T> {
    let read: T = serde_json::from_str(json)?;
    if to_json(&read).get() == json {
        return Ok(read);
    }
    let (given, written): (Value, Value) = (serde_json::from_str(json)?, serde_json::to_value(&read)?);
    match given.as_object() {
        None => Err(Error::custom("expected an object")),
        Some(fields) => match fields.iter().find(|(name, value)| written.get(name) != Some(value)) {
            None => Ok(read),
            Some((name, _)) => Err(Error::custom(format!("`{name}` is of the wrong form"))),
        },
    }
}

pub fn to_json<T: Serialize + ?Sized>(value: &T) -> Box<RawValue> {
    to_raw_value(value).expect("the rules' types have string keys and plain values")
}
