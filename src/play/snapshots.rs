//! Snapshots of long games, taken beside the moves: no move waits for one, or fails with it.

use tokio::sync::mpsc;

use crate::store::database::Database;
use crate::store::snapshots::StoredSnapshot;
use crate::table::Table;
use crate::table::snapshot::{RULES, Snapshot};

/// A game has a snapshot no older than about so many entries, where it has that many at all: they are replayed in a
/// few milliseconds, and a snapshot costs a row of some kilobytes.
pub const EVERY: u32 = 2000;
/// The most tables that wait for their snapshots. Beyond it, none is taken: the game's next will do.
const QUEUE: usize = 64;

/// Where tables go whose snapshots are to be taken.
#[derive(Clone)]
pub struct Snapshots(mpsc::Sender<Table>);

impl Snapshots {
    /// Starts the task that takes them, one after the other; it ends when the last clone is dropped.
    pub fn start(database: Database) -> Snapshots {
        let (queue, tables) = mpsc::channel(QUEUE);
        tokio::spawn(take(database, tables));
        Snapshots(queue)
    }

    /// Takes one of this table, if its log has grown past a multiple of [`EVERY`] since `before`, and there is room.
    pub fn pass(&self, before: u32, table: &Table) {
        if table.version / EVERY > before / EVERY {
            self.ask(table);
        }
    }

    /// Takes one of a table that was replayed from the entries after `before`, if they were many.
    pub fn opened(&self, before: u32, table: &Table) {
        if table.version - before > EVERY {
            self.ask(table);
        }
    }

    fn ask(&self, table: &Table) {
        // Whatever becomes of it, the log has the game.
        let _ = self.0.try_send(table.clone());
    }
}

async fn take(database: Database, mut tables: mpsc::Receiver<Table>) {
    while let Some(table) = tables.recv().await {
        let Some(Snapshot { version, state }) = table.snapshot() else { continue };
        let snapshot = StoredSnapshot { seq: version.cast_signed(), state };
        if let Err(error) = database.keep_snapshot(table.id, RULES, &snapshot).await {
            tracing::warn!(%error, game = %table.id, "a snapshot was not kept");
        }
    }
}
