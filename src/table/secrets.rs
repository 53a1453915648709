//! The log of a running game as a player may read it. What a seat put into an action can be for few to know,
//! and can show later: then the older entry, read again, shows it too.

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use uuid::Uuid;

use super::{Actor, Fault, Stage, Table};
use crate::ledger::Hex32;
use crate::ledger::entry::{Acted, Entry, Event, PublicEntry};
use crate::ledger::fairness::Seed;
use crate::rules::{Seat, Secret};

/// A secret in the log, and which of its cards the reader knows by now.
struct Held {
    seq: u32,
    secret: Secret,
    known: Vec<bool>,
}

impl Table {
    /// Whether the log holds anything, beside shuffles, that not everybody may read.
    pub fn has_secrets(&self) -> bool {
        self.about.kind.has_secrets && !self.is_over()
    }

    /// All entries of a log, as `viewer` may read them.
    ///
    /// # Errors
    /// [`Fault`] where the log does not replay.
    pub fn read_log(
        id: Uuid,
        seed: Seed,
        entries: Vec<(Entry, Hex32)>,
        viewer: Option<&Actor>,
    ) -> Result<Vec<PublicEntry>, Fault> {
        let mut table = Table::replay(id, seed.clone(), entries.iter().take(1).cloned())?;
        let mut held: Vec<Held> = Vec::new();
        for (entry, hash) in &entries[1..] {
            held.extend(table.secret_in(entry));
            table.evolve(entry, *hash)?;
            // Names of seats are settled when there is something to act on.
            let reader = viewer.and_then(|actor| table.seat_of(actor.account));
            table.look_into(&mut held, reader);
        }
        let over = table.is_over();
        let reader = viewer.and_then(|actor| table.seat_of(actor.account));
        held.retain(|held| !over && reader != Some(held.secret.seat));
        Ok(entries
            .into_iter()
            .map(|(mut entry, hash)| {
                if let Ok(at) = held.binary_search_by_key(&entry.seq, |held| held.seq) {
                    held[at].hide(&mut entry);
                }
                entry.public(hash, over)
            })
            .collect())
    }

    fn secret_in(&self, entry: &Entry) -> Option<Held> {
        let (Stage::Active(active), Event::Acted(Acted { action }), Some(seat)) =
            (&self.stage, &entry.event, entry.seat)
        else {
            return None;
        };
        let (secret, cards) = active.game.0.secret(seat, action.get())?;
        Some(Held { seq: entry.seq, secret, known: vec![false; cards] })
    }

    /// Notes what the reader has learnt. Only the newest hand's secrets can still come out.
    fn look_into(&self, held: &mut [Held], reader: Option<Seat>) {
        let Stage::Active(active) = &self.stage else { return };
        let Some(hand) = held.last().map(|held| held.secret.hand) else { return };
        for Held { secret, known, .. } in held.iter_mut().rev().take_while(|held| held.secret.hand == hand) {
            for (nth, known) in known.iter_mut().enumerate() {
                *known = *known || active.game.0.knows(reader, *secret, nth);
            }
        }
    }
}

impl Held {
    /// Puts null for each card that the reader does not know; how many there are stays to be seen.
    fn hide(&self, entry: &mut Entry) {
        let Event::Acted(Acted { action }) = &mut entry.event else { return };
        let mut shown: Value = serde_json::from_str(action.get()).expect("the log holds JSON");
        let cards = shown[self.secret.param].as_array_mut().into_iter().flatten();
        for (card, _) in cards.zip(&self.known).filter(|(_, known)| !**known) {
            *card = Value::Null;
        }
        *action = raw(&shown);
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    to_raw_value(value).expect("JSON can be written")
}
