//! A log that is replayed to be read: what happened, as far as the reader may know it by now.

use uuid::Uuid;

use super::redaction::Held;
use super::state::{Actor, Fault, Table};
use crate::log::Hex32;
use crate::log::entry::Entry;
use crate::log::fairness::Seed;
use crate::log::public::PublicEntry;
use crate::rules::registry::{AnyFact, AnyFacts};
use crate::rules::{Audience, Seat};

/// A whole log, as one reader may know it.
pub struct LogProjection {
    /// The table that the log leads to.
    pub table: Table,
    pub(super) entries: Vec<ReadEntry>,
}

/// An entry, and what followed from it.
pub(super) struct ReadEntry {
    /// What the reader may not know of its action is null.
    pub entry: Entry,
    pub hash: Hex32,
    pub facts: Vec<AnyFact>,
}

/// The reader of a log.
#[derive(Debug, Clone, Copy)]
pub enum Reader<'a> {
    /// An account, or a spectator without one. Once the game is over, this reader may know everything.
    Viewer(Option<&'a Actor>),
    /// A reader that wants to know what this seat could know at the time.
    Seat(Seat),
    /// A reader that may know everything.
    Whole,
}

impl LogProjection {
    /// Reads a log for `reader`. `facts` is called for each entry, and decides whether the entry's facts are kept
    /// ([`AnyFacts::kept`]) or dropped ([`AnyFacts::ignored`]).
    ///
    /// # Errors
    /// [`Fault`] where the log does not replay.
    pub fn of(
        id: Uuid,
        seed: Seed,
        log: Vec<(Entry, Hex32)>,
        reader: &Reader<'_>,
        facts: fn() -> AnyFacts,
    ) -> Result<LogProjection, Fault> {
        let mut table = Table::replay(id, seed, log.iter().take(1).map(|(entry, hash)| (entry, *hash)))?;
        let mut held: Vec<Held> = Vec::new();
        let mut told: Vec<AnyFacts> = vec![facts()];
        for (entry, hash) in &log[1..] {
            held.extend(table.secret_in(entry));
            let mut facts = facts();
            table.evolve_telling(entry, *hash, &mut facts)?;
            told.push(facts);
            // Names of seats are settled when there is something to act on.
            table.look_into(&mut held, reader.seat(&table));
        }
        let (over, reader) = (reader.knows_all(&table), reader.seat(&table));
        held.retain(|held| !over && reader != Some(held.secret.seat));
        let read = |((mut entry, hash), told): ((Entry, Hex32), AnyFacts)| {
            if let Ok(at) = held.binary_search_by_key(&entry.seq, |held| held.seq) {
                held[at].hide(&mut entry);
            }
            ReadEntry { entry, hash, facts: for_reader(told, reader, over) }
        };
        let entries = log.into_iter().zip(told).map(read).collect();
        Ok(LogProjection { table, entries })
    }

    /// The entries as they are published.
    pub fn into_log(self) -> Vec<PublicEntry> {
        let over = self.table.is_over();
        self.entries.into_iter().map(|read| read.entry.public(read.hash, over)).collect()
    }
}

impl Reader<'_> {
    pub(super) fn seat(&self, table: &Table) -> Option<Seat> {
        match self {
            Reader::Viewer(viewer) => viewer.and_then(|actor| table.seat_of(actor.account)),
            Reader::Seat(seat) => Some(*seat),
            Reader::Whole => None,
        }
    }

    fn knows_all(&self, table: &Table) -> bool {
        match self {
            Reader::Viewer(_) => table.is_over(),
            Reader::Seat(_) => false,
            Reader::Whole => true,
        }
    }
}

/// The facts that the reader may know.
fn for_reader(told: AnyFacts, reader: Option<Seat>, over: bool) -> Vec<AnyFact> {
    let told = told.into_vec().into_iter();
    told.filter(|(audience, _)| tells(*audience, reader, over)).map(|(_, fact)| fact).collect()
}

/// Whether the reader may know a fact. When the game is over, the reader may know every fact, so one that was told to
/// some in place of a fuller one is left out.
pub(super) fn tells(audience: Audience, reader: Option<Seat>, over: bool) -> bool {
    match audience {
        Audience::AllBut(_) if over => false,
        audience => over || audience.includes(reader),
    }
}
