//! The audit bundle: written piece by piece, so that a long log is never in memory as a whole, and read.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::Hex32;
use crate::log::entry::Entry;
use crate::log::fairness::{ALGORITHM, Seed};
use crate::log::public::PublicEntry;
use crate::log::wire::Published;
use crate::rules::{Facts, Outcome};
use crate::table::Table;
use crate::table::projection::{LogProjection, Reader};
use crate::table::view::Summary;

/// The name of the form.
pub const FORMAT: &str = "cardroom.audit/1";

/// A bundle that has been taken apart, and not judged.
#[derive(Debug)]
pub struct Bundle {
    pub(super) game: Box<RawValue>,
    pub(super) fairness: Seeds,
    pub(super) log: Vec<Box<RawValue>>,
    pub(super) outcome: Box<RawValue>,
    #[cfg_attr(not(feature = "signatures"), expect(dead_code, reason = "it is judged elsewhere"))]
    pub(super) signature: String,
}

/// What the chances came from.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AuditSeeds)]
pub struct Seeds {
    #[schema(example = "cardroom/1")]
    pub algorithm: String,
    /// SHA-256 of the server seed.
    #[schema(value_type = String)]
    pub commitment: Hex32,
    #[schema(value_type = String)]
    pub server_seed: Hex32,
    /// The id that goes into the chances: the game's. In a tournament it is the tournament's, or, where its tables are dealt
    /// the same, the round's.
    pub shuffle_id: Uuid,
}

/// All that a game which is over claims, for anyone to check.
///
/// `docs/fairness.md` tells how; `cardroom audit` and `POST /v1/audit/verify` do it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditBundle)]
pub struct AuditBundle<'a> {
    /// `cardroom.audit/1`
    pub format: &'static str,
    pub game: Summary<'a>,
    pub fairness: Seeds,
    /// Every entry, nothing hidden.
    pub log: Vec<PublicEntry>,
    /// The result; null where the game was called off.
    #[schema(required)]
    pub outcome: Option<&'a Outcome>,
    /// A JWS over the game's id, the number of entries and the last hash.
    pub signature: String,
}

/// Text that is no bundle at all, so that there is nothing to judge.
#[derive(Debug, thiserror::Error)]
#[error("this is no audit bundle: {0}")]
pub struct NotABundle(pub(super) String);

impl Bundle {
    /// What it says of the game in its head, as JSON.
    pub fn game(&self) -> &RawValue {
        &self.game
    }

    /// The game that it is about.
    ///
    /// # Errors
    /// [`NotABundle`] where it names none.
    pub fn id(&self) -> Result<Uuid, NotABundle> {
        #[derive(Deserialize)]
        struct Named {
            id: Uuid,
        }
        let named: serde_json::Result<Named> = serde_json::from_str(self.game.get());
        named.map(|named| named.id).map_err(|error| NotABundle(error.to_string()))
    }

    pub(super) fn entries(&self) -> Result<Vec<(Entry, Hex32)>, NotABundle> {
        let entry = |(raw, seq): (&RawValue, u32)| {
            let Published { entry, hash } = Published::parse(raw.get())
                .map_err(|error| NotABundle(format!("entry {seq} is none: {error}")))?;
            Ok((entry, hash))
        };
        self.log.iter().map(|raw| &**raw).zip(1..).map(entry).collect()
    }

    /// The game as `reader` may know it; nothing but the rules is checked.
    ///
    /// # Errors
    /// [`NotABundle`] where an entry is none, or does not follow from the rules.
    pub fn reading(&self, reader: Reader<'_>) -> Result<LogProjection, NotABundle> {
        let seed = Seed::new(self.fairness.server_seed.0);
        LogProjection::of(self.id()?, seed, self.entries()?, &reader, Facts::kept)
            .map_err(|fault| NotABundle(fault.to_string()))
    }
}

/// A bundle's text up to its log. `table` is over.
pub fn head(table: &Table) -> String {
    let seeds = Seeds {
        algorithm: ALGORITHM.to_owned(),
        commitment: table.seed().commitment(),
        server_seed: table.seed().reveal(),
        shuffle_id: table.shuffle_id(),
    };
    let (game, seeds) = (text(&table.summary()), text(&seeds));
    format!(r#"{{"format":"{FORMAT}","game":{game},"fairness":{seeds},"log":["#)
}

/// An entry in a bundle's log: its canonical text with the hash put in. Between two stands a comma.
pub fn line(entry: &str, hash: Hex32) -> String {
    let open = entry.strip_suffix('}').expect("an entry is an object");
    format!(r#"{open},"hash":"{hash}"}}"#)
}

/// The rest of a bundle's text.
pub fn tail(table: &Table, signature: &str) -> String {
    format!(r#"],"outcome":{},"signature":{}}}"#, text(&table.outcome()), text(&signature))
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("bundles have string keys and plain values")
}
