//! What a viewer may see of a game by now. Spectators of a tournament's game can be some hands behind. Where tables are
//! dealt the same orders, nobody sees another table, nor a seed, before the round is over.

use std::sync::Arc;

use cardroom_core::table::{Actor, Table};

use crate::runtime::error::ServiceError;
use crate::store::database::Database;
use crate::store::error::StoreError;

/// Whether this viewer sees the game not as it is, but later or in part. Where the end is hidden, seated players are
/// such viewers as soon as the game is over.
pub(crate) fn is_delayed(table: &Table, viewer: Option<&Actor>) -> bool {
    let sits = viewer.is_some_and(|actor| table.seat_of(actor.account).is_some());
    table.tournament().is_some_and(|place| match place.shuffle_id {
        Some(_) => !sits || table.is_over(),
        None => !sits && place.spectator_delay > 0,
    })
}

/// The table, if `viewer` may know of it.
pub(crate) fn visible(table: Arc<Table>, viewer: Option<&Actor>) -> Result<Arc<Table>, ServiceError> {
    if table.is_visible_to(viewer) { Ok(table) } else { Err(ServiceError::NotFound) }
}

/// The last entry that such a viewer sees; none for a viewer who sees everything.
pub(crate) async fn shown_until(
    database: &Database,
    table: &Table,
    viewer: Option<&Actor>,
) -> Result<Option<u32>, StoreError> {
    let Some(place) = table.tournament() else { return Ok(None) };
    if let Some(shuffle_id) = place.shuffle_id {
        if !database.is_dealt_elsewhere(shuffle_id).await? {
            return Ok(None);
        }
        let sits = viewer.is_some_and(|actor| table.seat_of(actor.account).is_some());
        // The last entry shows the seed.
        return Ok(Some(if sits { table.version - 1 } else { table.began() }));
    }
    if table.is_over() {
        return Ok(None);
    }
    let ended = database.hand_ended_before(place.id, table.id, place.spectator_delay).await?;
    Ok(Some(ended.unwrap_or(table.began())))
}
