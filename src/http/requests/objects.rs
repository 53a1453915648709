//! Bodies in which an object has to be an object.
//!
//! Derived deserializers also accept a list of the fields' values for a struct, so that `["ann", "secret"]` would be
//! `{"username": "ann", "password": "secret"}`. This layer wraps serde_json and accepts only objects there, at every
//! depth. A value that serde buffers before it decides (a variant of an enum that is told by its `type` or by its
//! fields) is checked as a whole: there the outermost value has to be an object, or a plain word or number.

use std::fmt::{self, Display};

use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, Visitor,
};

/// Reads a body.
///
/// # Errors
/// serde's errors, and an error where a list stands for an object.
pub fn read<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let value = T::deserialize(Strict(&mut deserializer))?;
    deserializer.end()?;
    Ok(value)
}

/// Where a body differs from what is asked for, like `entries[2].player`. None: the body as a whole does.
pub fn fault<T: DeserializeOwned>(json: &[u8]) -> Option<String> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let error = serde_path_to_error::deserialize::<_, T>(Strict(&mut deserializer)).err()?;
    let path = error.path();
    (path.iter().len() > 0).then(|| path.to_string())
}

/// What is wrong with a body, with what was expected in JSON's words: serde names the types of Rust.
pub fn told(error: &serde_json::Error) -> String {
    let told = error.to_string();
    let parts = told.rsplit_once(", expected ").and_then(|(found, rest)| {
        let (expected, place) = rest.split_once(" at line ")?;
        Some((found, in_words(expected)?, place))
    });
    match parts {
        Some((found, expected, place)) => format!("{found}, expected {expected} at line {place}"),
        None => told,
    }
}

/// None: it is told in words already.
fn in_words(expected: &str) -> Option<String> {
    let whole = |least: &dyn Display, most: &dyn Display| format!("a whole number from {least} to {most}");
    Some(match expected {
        "u8" => whole(&u8::MIN, &u8::MAX),
        "u16" => whole(&u16::MIN, &u16::MAX),
        "u32" => whole(&u32::MIN, &u32::MAX),
        "u64" => whole(&u64::MIN, &u64::MAX),
        "i32" => whole(&i32::MIN, &i32::MAX),
        "i64" => whole(&i64::MIN, &i64::MAX),
        "f64" => "a number".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        _ if expected.starts_with("struct ") || expected.contains("tagged enum ") => "an object".to_owned(),
        _ => return None,
    })
}

/// Wraps each part of serde's machinery, so that no list passes for an object in it.
struct Strict<T>(T);

/// A visitor for self-describing values that refuses lists.
struct NoList<V>(V);

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*))*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method($($argument,)* Strict(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    forward! {
        deserialize_bool()
        deserialize_i8()
        deserialize_i16()
        deserialize_i32()
        deserialize_i64()
        deserialize_i128()
        deserialize_u8()
        deserialize_u16()
        deserialize_u32()
        deserialize_u64()
        deserialize_u128()
        deserialize_f32()
        deserialize_f64()
        deserialize_char()
        deserialize_str()
        deserialize_string()
        deserialize_bytes()
        deserialize_byte_buf()
        deserialize_option()
        deserialize_unit()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(length: usize)
        deserialize_tuple_struct(name: &'static str, length: usize)
        deserialize_map()
        deserialize_identifier()
        deserialize_ignored_any()
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Strict(visitor))
    }

    /// Accepts a word, but not `{"word": null}`. No body has an enum of another form that serde would request like
    /// this.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_enum(String::deserialize(self.0)?.into_deserializer())
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_any(NoList(visitor))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Strict<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visit! {
        visit_bool: bool
        visit_i64: i64
        visit_u64: u64
        visit_f64: f64
        visit_str: &str
        visit_borrowed_str: &'de str
        visit_string: String
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Strict(deserializer))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Strict(deserializer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Strict(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Strict(fields))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for NoList<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    visit! {
        visit_bool: bool
        visit_i64: i64
        visit_u64: u64
        visit_f64: f64
        visit_str: &str
        visit_borrowed_str: &'de str
        visit_string: String
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, _: A) -> Result<V::Value, A::Error> {
        Err(A::Error::invalid_type(Unexpected::Seq, &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(fields)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Strict<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Strict(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(Strict(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Strict<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(Strict(seed))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(Strict(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is only read")]
    struct Asked {
        seats: u8,
        #[serde(default)]
        list: Vec<i64>,
        #[serde(default)]
        inner: Option<Inner>,
        #[serde(default)]
        way: Option<Way>,
    }

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "it is only read")]
    struct Inner {
        is_rated: bool,
    }

    #[derive(Debug, Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Way {
        Quick,
    }

    #[test]
    fn what_was_expected_is_told_in_words() {
        let refused = [
            (r#"{"seats": "two"}"#, r#"invalid type: string "two", expected a whole number from 0 to 255"#),
            (r#"{"seats": 300}"#, "invalid value: integer `300`, expected a whole number from 0 to 255"),
            (
                r#"{"seats": 2.5}"#,
                "invalid type: floating point `2.5`, expected a whole number from 0 to 255",
            ),
            (r#"{"seats": 2, "list": 5}"#, "invalid type: integer `5`, expected a list"),
            (r#"{"seats": 2, "inner": []}"#, "invalid type: sequence, expected an object"),
            (
                r#"{"seats": 2, "inner": {"is_rated": 1}}"#,
                "invalid type: integer `1`, expected true or false",
            ),
            (r#"{"seats": 2, "way": 5}"#, "invalid type: integer `5`, expected an object"),
            (r#"{"seats": 2, "way": {"type": "slow"}}"#, "unknown variant `slow`, expected `quick`"),
            (r#"{"seats": ", expected u32 at line"}"#, "expected a whole number from 0 to 255"),
            (r#"{"tables": 2}"#, "unknown field `tables`, expected one of `seats`, `list`, `inner`, `way`"),
            ("{}", "missing field `seats`"),
        ];
        for (body, expected) in refused {
            let told = told(&read::<Asked>(body.as_bytes()).expect_err(body));
            assert!(told.contains(&format!("{expected} at line 1 column ")), "{body}: {told}");
        }
    }
}
