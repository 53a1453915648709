//! A tournament's game, as its own bundle tells it.

use std::fmt::Display;

use uuid::Uuid;

use super::asked::Done;
use super::bundle::{Bundle, NotABundle};
use super::checks::Report;
use crate::log::entry::Entry;
use crate::log::fairness::Seed;
use crate::table::Table;
use crate::table::awarded_hands::awarded_hands;
use crate::tournament::AwardedHand;

/// A game, what it brought to its tournament, and what came of its own checks.
pub struct PlayedGame {
    pub(super) table: Table,
    pub(super) hands: Vec<AwardedHand>,
    pub(super) done: Done,
    /// What is wrong with the bundle itself.
    pub(super) wrong: Option<String>,
}

impl PlayedGame {
    /// A game by its bundle, and what came of the checks of that bundle.
    ///
    /// # Errors
    /// [`NotABundle`] where an entry is none, or does not follow from the rules, or the points cannot be counted.
    pub fn of(bundle: &Bundle, report: &Report) -> Result<PlayedGame, NotABundle> {
        let not = |error: &dyn Display| NotABundle(error.to_string());
        let log = bundle.entries()?;
        let entries: Vec<Entry> = log.iter().map(|(entry, _)| entry.clone()).collect();
        let seed = Seed::new(bundle.fairness.server_seed.0);
        let (table, hands) = Table::replay_hands(bundle.id()?, seed, log).map_err(|fault| not(&fault))?;
        let hands = awarded_hands(&table, &hands, entries.iter()).map_err(|error| not(&error))?;
        let wrong = report.checks.iter().find(|check| !check.ok);
        let wrong = wrong.map(|check| format!("{}: {}", check.name, check.detail));
        Ok(PlayedGame { table, hands, done: Done::of(entries.iter()), wrong })
    }

    pub fn id(&self) -> Uuid {
        self.table.id
    }
}
