//! A table at one version of its log, written down so that a long log need not be replayed from its beginning. It is
//! only a cache: a reader has the log to check it against, and can do without it.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::kind::known;
use super::seat_assignments::SeatAssignments;
use super::state::{About, Active, Game, Open, Stage, Table};
use super::timing::Timing;
use crate::log::Hex32;
use crate::log::fairness::Seed;
use crate::rules::SeatSet;

/// The rules by which this program replays logs. Only a program of the very same ones can go on with its snapshots.
pub const RULES: &str = env!("CARDROOM_RULES");

/// A table, written down. It holds secrets, too, so the code that stores it has to encrypt it.
#[derive(Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// How many entries led to it.
    pub version: u32,
    /// JSON, which only a build of the same [`RULES`] reads.
    pub state: String,
}

/// Which one it is, and nothing of what is in it.
impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Snapshot(at {})", self.version)
    }
}

/// Why a snapshot is not the table that it is said to be.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    // Without the reader's own words: they may quote a card.
    #[error("its state cannot be read")]
    State(#[from] serde_json::Error),
    #[error("it is of version {0}")]
    Version(u32),
}

/// A table that is being played, without the seed and what follows from it.
#[derive(Serialize, Deserialize)]
struct State<'a> {
    version: u32,
    hash: Hex32,
    at: Timestamp,
    about: Cow<'a, Arc<About>>,
    assignments: Cow<'a, Arc<SeatAssignments>>,
    renewals: u32,
    resigned: SeatSet,
    agreed: SeatSet,
    game: Cow<'a, Game>,
    chances: u32,
    timing: Cow<'a, Option<Box<Timing>>>,
}

impl Table {
    /// The table as it can be read again; none where nobody plays at it, because such a log is short, or rarely read.
    pub fn snapshot(&self) -> Option<Snapshot> {
        let Stage::Active(Active { game, source: _, chances, timing }) = &self.stage else { return None };
        let state = State {
            version: self.version,
            hash: self.hash,
            at: self.at,
            about: Cow::Borrowed(&self.about),
            assignments: Cow::Borrowed(&self.assignments),
            renewals: self.renewals,
            resigned: self.resigned,
            agreed: self.agreed,
            game: Cow::Borrowed(game),
            chances: *chances,
            timing: Cow::Borrowed(timing),
        };
        let state = serde_json::to_string(&state).expect("a table has string keys and plain values");
        Some(Snapshot { version: self.version, state })
    }

    /// The table that was written down. The caller has to check that it is the log's: its [`Table::hash`] has to be
    /// that of the log's entry at its version.
    ///
    /// # Errors
    /// [`Unfit`] where it was not written by the same rules for this game, or has been changed.
    pub fn restore(id: Uuid, seed: Seed, snapshot: &Snapshot) -> Result<Table, Unfit> {
        let state: State<'_> = serde_json::from_str(&snapshot.state)?;
        let State {
            version,
            hash,
            at,
            about,
            assignments,
            renewals,
            resigned,
            agreed,
            game,
            chances,
            timing,
        } = state;
        if version != snapshot.version {
            return Err(Unfit::Version(version));
        }
        let (about, assignments) = (about.into_owned(), assignments.into_owned());
        let stage = Stage::Open(Open::default());
        let mut table =
            Table { id, version, hash, at, seed, about, assignments, renewals, resigned, agreed, stage };
        let (game, source, timing) = (game.into_owned(), table.source(), timing.into_owned());
        table.stage = Stage::Active(Active { game, source, chances, timing });
        Ok(table)
    }
}

impl Serialize for Game {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, rules_version) = self.0.kind();
        (kind, rules_version, self.0.state()).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Game {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Game, D::Error> {
        let (kind, rules_version, state) = <(String, u16, Box<RawValue>)>::deserialize(deserializer)?;
        let game = known(&kind, rules_version)?.restore(&state).map_err(D::Error::custom)?;
        Ok(Game(game))
    }
}
