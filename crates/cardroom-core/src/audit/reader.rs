//! Bundles as they are read: from a text, or from what comes in bit by bit. The first thing that no bundle has ends
//! the reading, so that nothing which is no bundle takes more than a little memory.

use std::fmt;
use std::io::Read;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::bundle::{Bundle, FORMAT, NotABundle, Seeds};
use super::json;
use crate::log::chain;

/// The most bytes of an entry, the head or the result. The longest, a head with a kind's options, has some 2000; and a
/// request in which options are chosen may have 64 KiB.
const MAX_PART: usize = 128 * 1024;

impl Bundle {
    /// Takes a bundle apart.
    ///
    /// # Errors
    /// [`NotABundle`] where a part is missing, unknown, too long or of the wrong type.
    pub fn parse(text: &str) -> Result<Bundle, NotABundle> {
        take(serde_json::Deserializer::from_str(text), usize::MAX)
    }

    /// Takes a bundle of at most `entries` entries apart while it comes in.
    ///
    /// # Errors
    /// As [`Bundle::parse`], and where there are more entries, or the reader fails.
    pub fn read(from: impl Read, entries: usize) -> Result<Bundle, NotABundle> {
        take(serde_json::Deserializer::from_reader(from), entries)
    }
}

fn take<'de, R: serde_json::de::Read<'de>>(
    mut json: serde_json::Deserializer<R>,
    entries: usize,
) -> Result<Bundle, NotABundle> {
    let bundle = json.deserialize_map(Parts { entries }).and_then(|bundle| json.end().map(|()| bundle));
    bundle.map_err(|error| NotABundle(error.to_string()))
}

/// The parts of a bundle, in any order.
struct Parts {
    entries: usize,
}

#[derive(Deserialize)]
#[serde(field_identifier, rename_all = "snake_case")]
enum Part {
    Format,
    Game,
    Fairness,
    Log,
    Outcome,
    Signature,
}

impl<'de> Visitor<'de> for Parts {
    type Value = Bundle;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an audit bundle")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut parts: A) -> Result<Bundle, A::Error> {
        let (mut format, mut game, mut fairness, mut log, mut outcome, mut signature) =
            (None, None, None, None, None, None);
        while let Some(part) = parts.next_key()? {
            match part {
                Part::Format => once(&mut format, "format", is_format(&parts.next_value::<String>()?)?)?,
                Part::Game => once(&mut game, "game", short(parts.next_value()?)?)?,
                Part::Fairness => {
                    once(&mut fairness, "fairness", seeds(&parts.next_value::<Box<RawValue>>()?)?)?
                }
                Part::Log => once(&mut log, "log", parts.next_value_seed(Log { most: self.entries })?)?,
                Part::Outcome => once(&mut outcome, "outcome", short(parts.next_value()?)?)?,
                Part::Signature => once(&mut signature, "signature", parts.next_value()?)?,
            }
        }
        let missing = A::Error::missing_field;
        format.ok_or_else(|| missing("format"))?;
        Ok(Bundle {
            game: game.ok_or_else(|| missing("game"))?,
            fairness: fairness.ok_or_else(|| missing("fairness"))?,
            log: log.ok_or_else(|| missing("log"))?,
            outcome: outcome.ok_or_else(|| missing("outcome"))?,
            signature: signature.ok_or_else(|| missing("signature"))?,
        })
    }
}

fn once<T, E: Error>(slot: &mut Option<T>, name: &'static str, value: T) -> Result<(), E> {
    match slot.replace(value) {
        None => Ok(()),
        Some(_) => Err(E::duplicate_field(name)),
    }
}

fn is_format<E: Error>(format: &str) -> Result<(), E> {
    if format == FORMAT {
        Ok(())
    } else {
        Err(E::custom(format_args!("its format is `{format}`, not `{FORMAT}`")))
    }
}

fn short<E: Error>(part: Box<RawValue>) -> Result<Box<RawValue>, E> {
    if part.get().len() <= MAX_PART {
        Ok(part)
    } else {
        Err(E::custom(format_args!("a part has more than {MAX_PART} bytes")))
    }
}

/// The seeds, as a bundle writes them: nothing else stands for an id or an object.
fn seeds<E: Error>(raw: &RawValue) -> Result<Seeds, E> {
    let seeds: Seeds = serde_json::from_str(raw.get()).map_err(E::custom)?;
    let told = json::canonical(raw.get()).map_err(E::custom)?;
    if told == chain::canonical(&seeds) {
        Ok(seeds)
    } else {
        Err(E::custom("`fairness` is written in another form than a bundle's"))
    }
}

/// The entries of a log, each as it is written.
struct Log {
    most: usize,
}

impl<'de> DeserializeSeed<'de> for Log {
    type Value = Vec<Box<RawValue>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Log {
    type Value = Vec<Box<RawValue>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the entries of a log")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = items.next_element::<Box<RawValue>>()? {
            let seq = entries.len() + 1;
            if seq > self.most {
                return Err(A::Error::custom(format_args!("it has more than {} entries", self.most)));
            }
            if !entry.get().starts_with('{') {
                return Err(A::Error::custom(format_args!("entry {seq} is no object")));
            }
            entries.push(short(entry)?);
        }
        Ok(entries)
    }
}
