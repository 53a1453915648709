//! What a viewer may see of a game by now. Spectators of a tournament's game can be some hands behind. Where tables are
//! dealt the same orders, nobody sees another table, nor a seed, before the round is over.

use std::sync::Arc;
use std::time::Duration;

use cardroom_core::table::{Actor, Table};
use moka::future::Cache;
use uuid::Uuid;

use crate::runtime::error::ServiceError;
use crate::store::database::Database;
use crate::store::error::StoreError;

/// How long the delayed viewers of a replica share what they may see of a game by now: half as long as each waits before it
/// asks again.
const SHOWN_FOR: Duration = Duration::from_millis(500);
/// Of how many games that is kept.
const SHOWN_GAMES: u64 = 4096;
/// How long a table is kept that a delayed viewer was shown: others mostly come for the same one.
const TABLES_FOR: Duration = Duration::from_mins(1);
/// About how many bytes these tables take.
const TABLES_BYTES: u64 = 16 * 1024 * 1024;

/// What the delayed viewers of a replica share. So a game is asked about and replayed once for all of them.
#[derive(Clone)]
pub(crate) struct SharedViews {
    /// By game, and whether the viewer sits there: the last entry that is shown.
    pub shown: Cache<(Uuid, bool), u32>,
    /// By game and version.
    pub tables: Cache<(Uuid, u32), Arc<Table>>,
}

impl Default for SharedViews {
    fn default() -> SharedViews {
        let tables = Cache::builder().time_to_live(TABLES_FOR).max_capacity(TABLES_BYTES);
        SharedViews {
            shown: Cache::builder().time_to_live(SHOWN_FOR).max_capacity(SHOWN_GAMES).build(),
            tables: tables.weigher(|_, table: &Arc<Table>| table.weight()).build(),
        }
    }
}

/// Whether the viewer plays at this table.
pub(crate) fn sits(table: &Table, viewer: Option<&Actor>) -> bool {
    viewer.is_some_and(|actor| table.seat_of(actor.account).is_some())
}

/// Whether this viewer sees the game not as it is, but later or in part. Where the end is hidden, seated players are
/// such viewers as soon as the game is over.
pub(crate) fn is_delayed(table: &Table, viewer: Option<&Actor>) -> bool {
    let sits = sits(table, viewer);
    table.tournament().is_some_and(|place| match place.shuffle_id {
        Some(_) => !sits || table.is_over(),
        None => !sits && place.spectator_delay_hands > 0,
    })
}

/// The table, if `viewer` may know of it.
pub(crate) fn visible(table: Arc<Table>, viewer: Option<&Actor>) -> Result<Arc<Table>, ServiceError> {
    if table.is_visible_to(viewer) { Ok(table) } else { Err(ServiceError::NotFound) }
}

/// The last entry that such a viewer sees; none for a viewer who sees everything. `sits`: the viewer plays at this table.
pub(crate) async fn shown_until(
    database: &Database,
    table: &Table,
    sits: bool,
) -> Result<Option<u32>, StoreError> {
    let Some(place) = table.tournament() else { return Ok(None) };
    if let Some(shuffle_id) = place.shuffle_id {
        if !database.is_dealt_elsewhere(shuffle_id).await? {
            return Ok(None);
        }
        // The last entry shows the seed.
        return Ok(Some(if sits { table.version - 1 } else { table.began() }));
    }
    if table.is_over() {
        return Ok(None);
    }
    let ended = database.hand_ended_before(place.id, table.id, place.spectator_delay_hands).await?;
    Ok(Some(ended.unwrap_or(table.began())))
}
