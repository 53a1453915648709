//! JSON that somebody else wrote, read so that it has one meaning: readers differ in what they make of a name that
//! stands twice in an object, and of numbers that are not whole.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::log::chain;

/// The value that a text stands for.
///
/// # Errors
/// Where it is no JSON, a name stands twice in an object, or a number is not whole.
pub(super) fn read(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).map(|Plain(value)| value)
}

/// Canonical JSON of the value that a text stands for.
///
/// # Errors
/// As [`read`].
pub(super) fn canonical(text: &str) -> serde_json::Result<String> {
    read(text).map(|value| chain::canonical(&value))
}

/// A value of one meaning.
struct Plain(Value);

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Plain, D::Error> {
        deserializer.deserialize_any(Reader).map(Plain)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON with whole numbers")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(Plain(item)) = items.next_element()? {
            read.push(item);
        }
        Ok(read.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut read = Map::new();
        while let Some((name, Plain(value))) = fields.next_entry::<String, Plain>()? {
            if read.contains_key(&name) {
                return Err(A::Error::custom(format_args!("`{name}` stands twice in an object")));
            }
            read.insert(name, value);
        }
        Ok(read.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_has_one_meaning_and_what_could_have_two_is_refused() {
        for (text, meaning) in [
            ("null", "null"),
            ("[true,false, []]", "[true,false,[]]"),
            (r#"{"b":-26,"a":18446744073709551615}"#, r#"{"a":18446744073709551615,"b":-26}"#),
            (r#"{"a":{"a":"\u0041"},"b":{"a":0}}"#, r#"{"a":{"a":"A"},"b":{"a":0}}"#),
        ] {
            assert_eq!(canonical(text).unwrap(), meaning);
        }
        for text in
            ["", "1.5", "1e3", "-0", "18446744073709551616", r#"{"a":1,"a":1}"#, r#"[{"a":1,"\u0061":2}]"#]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
