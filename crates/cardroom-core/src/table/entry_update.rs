//! An entry as it happens, and what each viewer learns by it: for the newest entry the same that [`super::projection`]
//! shows of a whole log, at the version that the entry makes.

use std::sync::{Arc, OnceLock};

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
    /// The table before it; none before the first entry.
    before: Option<Arc<Table>>,
    /// What followed from it. Nobody reads it for most entries that only accounts follow, so it is worked out when it is
    /// asked for.
    facts: OnceLock<Vec<(Audience, Box<RawValue>)>>,
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
        let table = Arc::new(Table::replay(id, seed, [(&entry, hash)])?);
        Ok(EntryUpdate {
            table,
            entry,
            hash,
            held: None,
            before: None,
            facts: OnceLock::new(),
            waited_for: SeatSet::EMPTY,
            left: None,
        })
    }

    /// What the next entry brings to a table.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be the next.
    pub fn next(before: &Arc<Table>, entry: Entry, hash: Hex32) -> Result<EntryUpdate, Fault> {
        EntryUpdate::with(before, entry, hash, AnyFacts::kept())
    }

    /// The same for an entry that is most likely shown to nobody: its facts are worked out by a replay of their own if it
    /// is shown all the same.
    fn unshown(before: &Arc<Table>, entry: Entry, hash: Hex32) -> Result<EntryUpdate, Fault> {
        EntryUpdate::with(before, entry, hash, AnyFacts::ignored())
    }

    fn with(
        before: &Arc<Table>,
        entry: Entry,
        hash: Hex32,
        mut facts: AnyFacts,
    ) -> Result<EntryUpdate, Fault> {
        let mut table = Table::clone(before);
        let held = table.secret_in(&entry);
        table.evolve_telling(&entry, hash, &mut facts)?;
        let facts = if facts.are_kept() { OnceLock::from(written(facts)) } else { OnceLock::new() };
        let goes = matches!(entry.event, Event::Left | Event::Removed(_) | Event::Resigned);
        let left = entry
            .seat
            .filter(|_| goes)
            .and_then(|seat| before.assignment(seat))
            .and_then(SeatAssignment::account);
        let (waited_for, before) = (before.to_act(), Some(before.clone()));
        Ok(EntryUpdate { table: Arc::new(table), entry, hash, held, before, facts, waited_for, left })
    }

    /// The updates of a log's next entries after `before`, in order. `are_shown`: somebody watches the game, and does not
    /// only follow what concerns an account.
    ///
    /// # Errors
    /// [`Fault`] at the first entry that cannot be.
    pub fn all(
        before: &Arc<Table>,
        entries: impl IntoIterator<Item = (Entry, Hex32)>,
        are_shown: bool,
    ) -> Result<Vec<Arc<EntryUpdate>>, Fault> {
        let next = if are_shown { EntryUpdate::next } else { EntryUpdate::unshown };
        let mut table = before.clone();
        let update = |(entry, hash)| {
            let update = Arc::new(next(&table, entry, hash)?);
            table = update.table.clone();
            Ok(update)
        };
        entries.into_iter().map(update).collect()
    }

    /// What followed from the entry, each with those who may know it.
    fn facts(&self) -> &[(Audience, Box<RawValue>)] {
        self.facts.get_or_init(|| {
            let Some(before) = &self.before else { return Vec::new() };
            let (mut table, mut facts) = (Table::clone(before), AnyFacts::kept());
            table
                .evolve_telling(&self.entry, self.hash, &mut facts)
                .expect("the entry has led from this table to the next before");
            written(facts)
        })
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
        let facts = self.facts().iter().filter(|(audience, _)| tells(*audience, reader, over));
        MomentView {
            entry: entry.public(self.hash, over),
            facts: facts.map(|(_, fact)| &**fact).collect(),
            game: self.table.view(viewer),
        }
    }
}

/// The facts as they are shown.
fn written(facts: AnyFacts) -> Vec<(Audience, Box<RawValue>)> {
    facts.into_vec().into_iter().map(|(audience, fact)| (audience, fact.json())).collect()
}
