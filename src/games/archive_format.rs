//! A file of archived games: a line of JSON for each, its signed audit bundle, and each line compressed by itself. So
//! `zcat FILE | cardroom audit -` checks a file without the database, and one game is read without the others.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::store::tail::StoredEntry;

/// What follows the text of an entry in a bundle, before and after the 64 digits of its hash.
const BEFORE_HASH: &str = r#","hash":""#;
const AFTER_HASH: &str = "\"}";

/// A game's bundle, as it lies in a file.
///
/// # Errors
/// [`io::Error`] where memory is short.
pub fn compressed(bundle: &str) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bundle.as_bytes())?;
    encoder.write_all(b"\n")?;
    encoder.finish()
}

/// A game's bundle, from what lies in a file.
///
/// # Errors
/// [`io::Error`] where this is no game.
pub fn bundle(compressed: &[u8]) -> io::Result<String> {
    let mut bundle = String::new();
    GzDecoder::new(compressed).read_to_string(&mut bundle)?;
    Ok(bundle)
}

/// SHA-256 of a bundle, without the end of its line.
pub fn digest(bundle: &str) -> [u8; 32] {
    Sha256::digest(bundle.trim_end_matches('\n')).into()
}

/// The entries of a bundle, each with the text that its hash is taken over.
///
/// # Errors
/// [`io::Error`] where this is no bundle.
pub fn entries(bundle: &str) -> io::Result<Vec<StoredEntry>> {
    #[derive(Deserialize)]
    struct Logged<'a> {
        #[serde(borrow)]
        log: Vec<&'a RawValue>,
    }
    let bundle: Logged<'_> = serde_json::from_str(bundle)?;
    let entry = |(line, seq): (&&RawValue, i32)| {
        let (text, hash) = split(line.get()).ok_or_else(|| io::Error::other("an entry has no hash"))?;
        Ok(StoredEntry { seq, entry: format!("{text}}}"), hash })
    };
    bundle.log.iter().zip(1..).map(entry).collect()
}

/// An entry's text up to its last brace, and its hash.
fn split(line: &str) -> Option<(&str, Vec<u8>)> {
    let (text, digits) =
        line.strip_suffix(AFTER_HASH)?.split_at_checked(line.len() - AFTER_HASH.len() - 64)?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let hash = (0..64).step_by(2).map(byte).collect::<Option<Vec<u8>>>()?;
    Some((text.strip_suffix(BEFORE_HASH)?, hash))
}
