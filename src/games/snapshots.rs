//! Snapshots of long games, taken beside the moves: no move waits for one, or fails with it.

use cardroom_core::log::fairness::Seed;
use cardroom_core::table::Table;
use cardroom_core::table::snapshot::{RULES, Snapshot, Unfit};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::games::cipher::{self, Undecipherable};
use crate::store::database::Database;
use crate::store::snapshots::StoredSnapshot;

/// A game has a snapshot no older than about so many entries, where it has that many at all: they are replayed in a
/// few milliseconds, and a snapshot costs a row of some kilobytes.
pub const EVERY: u32 = 2000;
/// The most tables that wait for their snapshots. Beyond it, none is taken: the game's next will do.
const QUEUE: usize = 64;

/// Accepts the tables whose snapshots are to be taken.
#[derive(Clone)]
pub struct Snapshots(mpsc::Sender<Table>);

impl Snapshots {
    /// Starts the task that takes snapshots, one after the other; it ends when the last clone is dropped.
    pub fn start(database: Database) -> Snapshots {
        let (queue, tables) = mpsc::channel(QUEUE);
        tokio::spawn(take(database, tables));
        Snapshots(queue)
    }

    /// Takes a snapshot of this table, if its log has grown past a multiple of [`EVERY`] since `before`, and there is
    /// room.
    pub fn pass(&self, before: u32, table: &Table) {
        if table.version / EVERY > before / EVERY {
            self.ask(table);
        }
    }

    /// Takes a snapshot of a table that was replayed from the entries after `before`, if they were many.
    pub fn opened(&self, before: u32, table: &Table) {
        if table.version - before > EVERY {
            self.ask(table);
        }
    }

    fn ask(&self, table: &Table) {
        // If the queue does not accept the table, nothing is lost: the log has the game.
        let _ = self.0.try_send(table.clone());
    }
}

/// The snapshot of a table as it is stored; none where [`Table::snapshot`] gives none.
pub fn encrypted(table: &Table) -> Option<StoredSnapshot> {
    let Snapshot { version, state } = table.snapshot()?;
    let state = cipher::encrypt_state(table.seed(), RULES, table.id, version, &state);
    Some(StoredSnapshot { seq: version.cast_signed(), state })
}

/// The table of a snapshot. The caller has to check that it is the log's: see [`Table::restore`].
///
/// # Errors
/// [`Unusable`] where another build stored it, or it was changed.
pub fn restored(id: Uuid, seed: Seed, stored: &StoredSnapshot) -> Result<Table, Unusable> {
    let version = stored.seq.unsigned_abs();
    let state = cipher::decrypt_state(&seed, RULES, id, version, &stored.state)?;
    Ok(Table::restore(id, seed, &Snapshot { version, state })?)
}

/// Why a stored snapshot is not the table that it is said to be.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    #[error(transparent)]
    Undecipherable(#[from] Undecipherable),
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

async fn take(database: Database, mut tables: mpsc::Receiver<Table>) {
    while let Some(table) = tables.recv().await {
        let Some(snapshot) = encrypted(&table) else { continue };
        if let Err(error) = database.keep_snapshot(table.id, RULES, &snapshot).await {
            tracing::warn!(%error, game = %table.id, "a snapshot was not kept");
        }
    }
}
