//! How a tournament's game stands after each hand, and what the hand brought.

use uuid::Uuid;

use super::state::{Fault, Stage, Table};
use crate::log::Hex32;
use crate::log::entry::{AtTournament, Entry};
use crate::log::fairness::Seed;
use crate::rules::facts::Mark;
use crate::rules::registry::{AnyFact, AnyFacts};
use crate::rules::{Audience, Facts};

/// A hand that has ended.
#[derive(Debug, Clone)]
pub struct HandResult {
    /// The entry that ended it.
    pub seq: u32,
    /// From 1.
    pub hand: u32,
    /// The stacks, scores or totals after it, seat 0 first.
    pub scores: Vec<i64>,
    /// What everybody was told by that entry: the show, and the winners.
    pub facts: Vec<AnyFact>,
}

/// Facts are listened to where a tournament counts them.
pub(super) fn facts_of(place: Option<&AtTournament>) -> AnyFacts {
    if place.is_some() { Facts::kept() } else { Facts::ignored() }
}

impl Table {
    /// The hand that the newest entry has ended, by the facts that followed from it.
    pub(crate) fn hand_result(&self, facts: AnyFacts) -> Option<HandResult> {
        let facts: Vec<_> = facts.into_vec();
        let hand = facts.iter().rev().find_map(|(_, fact)| match fact.mark() {
            Mark::HandEnded(hand) => Some(hand),
            _ => None,
        })?;
        let public = facts.into_iter().filter(|(audience, _)| *audience == Audience::Everyone);
        let facts = public.map(|(_, fact)| fact).collect();
        Some(HandResult { seq: self.version, hand, scores: self.scores()?, facts })
    }

    /// The stacks, scores or totals between two hands and at the end, seat 0 first; none before the start.
    pub(crate) fn scores(&self) -> Option<Vec<i64>> {
        let (Stage::Active(super::state::Active { game, .. }) | Stage::Finished { game, .. }) = &self.stage
        else {
            return None;
        };
        let mut places = game.0.standings().places;
        places.sort_unstable_by_key(|placing| placing.seat);
        Some(places.iter().map(|placing| placing.score).collect())
    }

    /// The table that a log leads to, and all hands that have ended on the way.
    ///
    /// # Errors
    /// As [`Table::replay`].
    pub fn replay_hands(
        id: Uuid,
        seed: Seed,
        entries: impl IntoIterator<Item = (Entry, Hex32)>,
    ) -> Result<(Table, Vec<HandResult>), Fault> {
        let mut entries = entries.into_iter();
        let mut table = Table::replay(id, seed, entries.next())?;
        let mut hands = Vec::new();
        for (entry, hash) in entries {
            let mut facts = Facts::kept();
            table.evolve_telling(&entry, hash, &mut facts)?;
            hands.extend(table.hand_result(facts));
        }
        Ok((table, hands))
    }
}
