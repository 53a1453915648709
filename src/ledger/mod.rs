//! A game's log: what stands in it, the chain that binds it, and the chances that it commits to. Pure.

pub mod chain;
pub mod entry;
pub mod fairness;
pub mod public;

use std::fmt;

use serde::{Deserialize, Serialize};

/// 32 bytes, written as lower-case hex: hashes, commitments, and seeds that have been shown.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Hex32(pub [u8; 32]);

impl fmt::Display for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hex32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Hex32> for String {
    fn from(hex: Hex32) -> String {
        hex.to_string()
    }
}

impl TryFrom<String> for Hex32 {
    type Error = NotHex;

    fn try_from(text: String) -> Result<Hex32, NotHex> {
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

/// A string that is not 64 lower-case hex digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not 64 lower-case hex digits")]
pub struct NotHex;
