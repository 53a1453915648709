//! From stored entries to entries, and to tables.

use std::borrow::Cow;
use std::fmt::Display;

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::Entry;
use cardroom_core::table::{Fault, Table};
use uuid::Uuid;

use crate::games::cipher::EntryCipher;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::tail::StoredEntry;

/// An entry as it was stored.
///
/// # Errors
/// [`ServiceError::Fault`] where it cannot be read.
pub(crate) fn read(
    id: Uuid,
    cipher: &EntryCipher<'_>,
    stored: StoredEntry,
) -> Result<(Entry, Hex32), ServiceError> {
    let (text, hash) = decrypt(id, cipher, &stored)?;
    Ok((Entry::parse(&text).map_err(|error| fault(id, &stored, &error))?, hash))
}

/// Brings a table to where its newer entries lead.
///
/// # Errors
/// [`ServiceError::Fault`] where an entry cannot be read, or cannot follow.
pub(super) fn evolve(
    table: &mut Table,
    newer: impl IntoIterator<Item = StoredEntry>,
) -> Result<(), ServiceError> {
    let (id, seed) = (table.id, table.seed().clone());
    let cipher = EntryCipher::new(&seed, id);
    for stored in newer {
        let (entry, hash) = read(id, &cipher, stored)?;
        table.evolve(&entry, hash).map_err(|fault| ServiceError::Fault(id, fault))?;
    }
    Ok(())
}

/// An entry's text, which its hash is taken over.
///
/// # Errors
/// [`ServiceError::Fault`] where it cannot be decrypted.
pub(crate) fn decrypt<'t>(
    id: Uuid,
    cipher: &EntryCipher<'_>,
    stored: &'t StoredEntry,
) -> Result<(Cow<'t, str>, Hex32), ServiceError> {
    let text = cipher.decrypt(stored.seq.unsigned_abs(), &stored.entry);
    Ok((text.map_err(|error| fault(id, stored, &error))?, Hex32(bytes32(&stored.hash)?)))
}

fn fault(id: Uuid, stored: &StoredEntry, detail: &impl Display) -> ServiceError {
    ServiceError::Fault(id, Fault { seq: stored.seq.unsigned_abs(), detail: detail.to_string() })
}

/// What the database holds as 32 bytes.
///
/// # Errors
/// [`StoreError::Broken`] where it holds something else.
pub fn bytes32(bytes: &[u8]) -> Result<[u8; 32], StoreError> {
    bytes.try_into().map_err(|_| StoreError::Broken("32 bytes were expected".to_owned()))
}
