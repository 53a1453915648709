//! The chain that binds every entry to those before it, and the one way of writing JSON that it is taken over.
//!
//! `hash(n) = SHA-256(hash(n-1) ‖ salt(n) ‖ JCS(entry n without its hash))`. The salt comes from the house's
//! seed: without it a hidden card could be found by hashing the few entries that it can be.

use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Hex32;
use super::fairness::Seed;

/// What the first entry is chained to.
pub const GENESIS: Hex32 = Hex32([0; 32]);

/// The hash of entry `seq`, whose canonical JSON without a hash is `entry`, after one whose hash is `before`.
pub fn hash(before: Hex32, seed: &Seed, seq: u32, entry: &str) -> Hex32 {
    let mut hasher = Sha256::new();
    hasher.update(before.0);
    hasher.update(salt(seed, seq));
    hasher.update(entry);
    Hex32(hasher.finalize().into())
}

/// What keeps the hash of entry `seq` from telling what is in it.
pub fn salt(seed: &Seed, seq: u32) -> [u8; 32] {
    seed.hmac(format_args!("salt:{seq}"))
}

/// Canonical JSON by RFC 8785, for values whose numbers are whole: one value has one text.
pub fn canonical(value: &impl Serialize) -> String {
    let value = serde_json::to_value(value).expect("entries have string keys and plain values");
    let mut text = String::with_capacity(256);
    write(&value, &mut text);
    text
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            // RFC 8785 orders names by their UTF-16 code units.
            entries.sort_unstable_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            text.push('{');
            for (at, (name, value)) in entries.into_iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&scalar(&name));
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        other => text.push_str(&scalar(other)),
    }
}

/// serde_json escapes strings and writes whole numbers exactly as RFC 8785 wants them.
fn scalar(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("strings and numbers can be written")
}
