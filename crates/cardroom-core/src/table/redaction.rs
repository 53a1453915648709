//! The log of a running game as a player may read it. Only a few viewers may know what a seat put into an action, and
//! it can be shown later: then the older entry, read again, shows it too.

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::state::{Stage, Table};
use crate::log::entry::{Acted, Entry, Event};
use crate::rules::{Seat, Secret};

/// A secret in the log, and which of its cards the reader knows by now.
#[derive(Clone)]
pub(super) struct Held {
    pub seq: u32,
    pub secret: Secret,
    known: Vec<bool>,
}

impl Table {
    /// Whether the log holds anything, beside shuffles, that not everybody may read.
    pub fn has_secrets(&self) -> bool {
        self.about.kind.has_secrets && !self.is_over()
    }

    /// The secret in an entry that is about to happen.
    pub(super) fn secret_in(&self, entry: &Entry) -> Option<Held> {
        let (Stage::Active(active), Event::Acted(Acted { action, .. }), Some(seat)) =
            (&self.stage, &entry.event, entry.seat)
        else {
            return None;
        };
        let (secret, cards) = active.game.0.secret(seat, action.get())?;
        Some(Held { seq: entry.seq, secret, known: vec![false; cards] })
    }

    /// Notes what the reader has learnt. Only the newest hand's secrets can still come out.
    pub(super) fn look_into(&self, held: &mut [Held], reader: Option<Seat>) {
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
    pub fn hide(&self, entry: &mut Entry) {
        let Event::Acted(Acted { action, .. }) = &mut entry.event else { return };
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
