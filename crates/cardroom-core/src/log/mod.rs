//! A game's log: what stands in it, the chain that binds it, and the chances that it commits to. Pure.

pub mod chain;
pub mod entry;
pub mod fairness;
pub mod public;
pub mod wire;

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use arrayvec::ArrayString;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// 32 bytes, written as lower-case hex: hashes, commitments, and seeds that have been shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Hex32(pub [u8; 32]);

impl Hex32 {
    fn digits(self) -> ArrayString<64> {
        let digit = |half: u8| char::from(b"0123456789abcdef"[usize::from(half)]);
        let mut digits = ArrayString::new();
        for byte in self.0 {
            digits.push(digit(byte >> 4));
            digits.push(digit(byte & 15));
        }
        digits
    }
}

impl fmt::Display for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.digits())
    }
}

impl fmt::Debug for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Hex32 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.digits())
    }
}

impl<'de> Deserialize<'de> for Hex32 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hex32, D::Error> {
        parsed(deserializer)
    }
}

impl FromStr for Hex32 {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Hex32, NotHex> {
        let digit = |c: u8| match c {
            b'0'..=b'9' => Ok(c - b'0'),
            b'a'..=b'f' => Ok(c - b'a' + 10),
            _ => Err(NotHex),
        };
        let digits: &[u8; 64] = text.as_bytes().try_into().map_err(|_| NotHex)?;
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = digit(pair[0])? << 4 | digit(pair[1])?;
        }
        Ok(Hex32(bytes))
    }
}

/// Reads what is written in a string, and keeps no copy of the string.
fn parsed<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Text<T>(PhantomData<T>);

    impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }

    deserializer.deserialize_str(Text(PhantomData))
}

/// A string that is not 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 64 lower-case hex digits")]
pub struct NotHex;
