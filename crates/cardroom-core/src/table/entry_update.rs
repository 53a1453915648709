//! An entry as it happens, and what each viewer learns by it: for the newest entry the same that [`super::projection`]
//! shows of a whole log, at the version that the entry makes.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::projection::{Reader, tells};
use super::redaction::Held;
use super::seat_assignments::SeatAssignment;
use super::state::{Actor, Fault, Table};
use super::view::GameView;
use crate::log::Hex32;
use crate::log::entry::{Entry, Event};
use crate::log::fairness::Seed;
use crate::log::public::PublicEntry;
use crate::rules::registry::{AnyFact, AnyFacts};
use crate::rules::{Audience, SeatSet};

/// An entry, and all that followed from it at once. All watchers of the game share it.
pub struct EntryUpdate {
    /// The table after it.
    pub table: Arc<Table>,
    entry: Entry,
    hash: Hex32,
    held: Option<Held>,
    facts: Vec<(Audience, Box<RawValue>)>,
    /// The seats that the game waited for before it.
    waited_for: SeatSet,
    /// The account that left, was removed or resigned by it.
    left: Option<Uuid>,
}

/// A new entry, as the caller may see it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EntryEvent)]
pub struct MomentView<'a> {
    /// As the log shows it at this version.
    pub entry: PublicEntry,
    /// What follows from it, as the caller may know it.
    #[schema(value_type = Vec<AnyFact>)]
    pub facts: Vec<&'a RawValue>,
    /// The game after it; its `version` is the entry's `seq`.
    pub game: GameView<'a>,
}

impl EntryUpdate {
    /// The first of a log.
    ///
    /// # Errors
    /// [`Fault`] where no log begins so.
    pub fn first(id: Uuid, seed: Seed, entry: Entry, hash: Hex32) -> Result<EntryUpdate, Fault> {
        let table = Arc::new(Table::begin(id, seed, &entry, hash)?);
        Ok(EntryUpdate {
            table,
            entry,
            hash,
            held: None,
            facts: Vec::new(),
            waited_for: SeatSet::EMPTY,
            left: None,
        })
    }

    /// What the next entry brings to a table.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be the next.
    pub fn next(before: &Table, entry: Entry, hash: Hex32) -> Result<EntryUpdate, Fault> {
        let (mut table, mut facts) = (before.clone(), AnyFacts::kept());
        let held = table.secret_in(&entry);
        table.evolve_telling(&entry, hash, &mut facts)?;
        let facts = facts.into_vec().into_iter().map(|(audience, fact)| (audience, fact.json())).collect();
        let waited_for = before.to_act();
        let goes = matches!(entry.event, Event::Left | Event::Removed(_) | Event::Resigned);
        let left = entry
            .seat
            .filter(|_| goes)
            .and_then(|seat| before.assignment(seat))
            .and_then(SeatAssignment::account);
        Ok(EntryUpdate { table: Arc::new(table), entry, hash, held, facts, waited_for, left })
    }

    /// The updates of a log's next entries after `before`, in order.
    ///
    /// # Errors
    /// [`Fault`] at the first entry that cannot be.
    pub fn all(
        before: &Arc<Table>,
        entries: impl IntoIterator<Item = (Entry, Hex32)>,
    ) -> Result<Vec<Arc<EntryUpdate>>, Fault> {
        let mut table = before.clone();
        let update = |(entry, hash)| {
            let update = Arc::new(EntryUpdate::next(&table, entry, hash)?);
            table = update.table.clone();
            Ok(update)
        };
        entries.into_iter().map(update).collect()
    }

    /// The entry with all that is hidden in it.
    pub(super) fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The seats that the game waited for before the entry.
    pub(super) fn waited_for(&self) -> SeatSet {
        self.waited_for
    }

    /// The account that left, was removed or resigned by the entry.
    pub fn left(&self) -> Option<Uuid> {
        self.left
    }

    /// The update as `viewer` may know it. The caller has to ask [`Table::is_visible_to`] whether the viewer may see
    /// the game.
    pub fn seen_by(&self, viewer: Option<&Actor>) -> MomentView<'_> {
        let (over, reader) = (self.table.is_over(), Reader::Viewer(viewer).seat(&self.table));
        let mut entry = self.entry.clone();
        if let Some(held) = self.held.as_ref().filter(|held| !over && reader != Some(held.secret.seat)) {
            let mut held = [held.clone()];
            self.table.look_into(&mut held, reader);
            held[0].hide(&mut entry);
        }
        let facts = self.facts.iter().filter(|(audience, _)| tells(*audience, reader, over));
        MomentView {
            entry: entry.public(self.hash, over),
            facts: facts.map(|(_, fact)| &**fact).collect(),
            game: self.table.view(viewer),
        }
    }
}
