//! A log that is replayed to be read: what happened, as far as the reader may know it by now.

use uuid::Uuid;

use super::secrets::Held;
use super::{Actor, Fault, Table};
use crate::ledger::Hex32;
use crate::ledger::entry::{Entry, PublicEntry};
use crate::ledger::fairness::Seed;
use crate::rules::registry::{AnyFact, AnyFacts};
use crate::rules::{Audience, Seat};

/// A whole log, before one reader.
pub struct Reading {
    /// Where it leads to.
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

impl Reading {
    /// Reads a log for `viewer`. `facts` makes those that are kept, or those that nobody asked for.
    ///
    /// # Errors
    /// [`Fault`] where the log does not replay.
    pub fn of(
        id: Uuid,
        seed: Seed,
        log: Vec<(Entry, Hex32)>,
        viewer: Option<&Actor>,
        facts: fn() -> AnyFacts,
    ) -> Result<Reading, Fault> {
        let mut table = Table::replay(id, seed, log.iter().take(1).cloned())?;
        let mut held: Vec<Held> = Vec::new();
        let mut told: Vec<AnyFacts> = vec![facts()];
        for (entry, hash) in &log[1..] {
            held.extend(table.secret_in(entry));
            let mut facts = facts();
            table.evolve_telling(entry, *hash, &mut facts)?;
            told.push(facts);
            // Names of seats are settled when there is something to act on.
            table.look_into(&mut held, table.seat_of_viewer(viewer));
        }
        let (over, reader) = (table.is_over(), table.seat_of_viewer(viewer));
        held.retain(|held| !over && reader != Some(held.secret.seat));
        let read = |((mut entry, hash), told): ((Entry, Hex32), AnyFacts)| {
            if let Ok(at) = held.binary_search_by_key(&entry.seq, |held| held.seq) {
                held[at].hide(&mut entry);
            }
            ReadEntry { entry, hash, facts: for_reader(told, reader, over) }
        };
        let entries = log.into_iter().zip(told).map(read).collect();
        Ok(Reading { table, entries })
    }

    /// The entries as they are published.
    pub fn into_log(self) -> Vec<PublicEntry> {
        let over = self.table.is_over();
        self.entries.into_iter().map(|read| read.entry.public(read.hash, over)).collect()
    }
}

impl Table {
    fn seat_of_viewer(&self, viewer: Option<&Actor>) -> Option<Seat> {
        viewer.and_then(|actor| self.seat_of(actor.account))
    }
}

/// The facts that the reader may know. When the game is over that is everything, so that what was told to some
/// in place of more is left out.
fn for_reader(told: AnyFacts, reader: Option<Seat>, over: bool) -> Vec<AnyFact> {
    let tells = |audience: Audience| match audience {
        Audience::AllBut(_) if over => false,
        audience => over || audience.includes(reader),
    };
    told.into_vec().into_iter().filter(|(audience, _)| tells(*audience)).map(|(_, fact)| fact).collect()
}
