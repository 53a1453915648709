//! A game's log as it is checked: each entry with the text that its hash is taken over.

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::{Created, Entry, Event};
use cardroom_core::log::fairness::Seed;
use cardroom_core::table::hand_result::HandResult;
use cardroom_core::table::{Fault, Table};
use uuid::Uuid;

use crate::games::archived::ArchivedLogs;
use crate::games::cipher::EntryCipher;
use crate::games::decode::decrypt;
use crate::runtime::error::ServiceError;
use crate::store::database::Database;

pub(super) struct Log {
    pub id: Uuid,
    pub seed: Seed,
    pub entries: Vec<(Entry, String, Hex32)>,
}

impl Log {
    /// The whole log.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] where there is no such game, [`ServiceError::Fault`] where an entry cannot be read.
    pub async fn read(database: &Database, archived: &ArchivedLogs, id: Uuid) -> Result<Log, ServiceError> {
        let mut opening = database.opening(id, None, u32::MAX).await?;
        if opening.entries.first().is_none_or(|first| first.seq != 1)
            && let Some(log) = archived.read(id).await?
        {
            opening.entries = log.to_vec();
        }
        let seed = Seed::new(opening.server_seed.ok_or(ServiceError::NotFound)?);
        let cipher = EntryCipher::new(&seed, id);
        let read = |stored| {
            let (text, hash) = decrypt(id, &cipher, stored)?;
            let fault = |error| Fault { seq: stored.seq.unsigned_abs(), detail: format!("{error}") };
            let entry = Entry::parse(&text).map_err(|error| ServiceError::Fault(id, fault(error)))?;
            Ok((entry, text.into_owned(), hash))
        };
        let entries: Result<Vec<_>, ServiceError> = opening.entries.iter().map(read).collect();
        let entries = entries?;
        Ok(Log { id, seed: seed.clone(), entries })
    }

    /// The first `version` entries, as a replay takes them.
    pub fn until(&self, version: u32) -> impl Iterator<Item = (Entry, Hex32)> {
        let entries = self.entries.iter().take(version as usize);
        entries.map(|(entry, _, hash)| (entry.clone(), *hash))
    }

    /// The table that the log leads to, and the results of its hands.
    ///
    /// # Errors
    /// [`ServiceError::Fault`] where an entry does not follow from the rules.
    pub fn replayed(&self) -> Result<(Table, Vec<HandResult>), ServiceError> {
        let replayed = Table::replay_hands(self.id, self.seed.clone(), self.until(u32::MAX));
        replayed.map_err(|fault| ServiceError::Fault(self.id, fault))
    }

    /// How the game was made; none where the log does not begin with it.
    pub fn created(&self) -> Option<&Created> {
        match &self.entries.first()?.0.event {
            Event::Created(created) => Some(created),
            _ => None,
        }
    }
}
