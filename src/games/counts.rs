//! What is counted of games.

use std::collections::HashMap;

use cardroom_core::log::entry::{By, Event};
use cardroom_core::rules::registry::newest;
use cardroom_core::table::decide::Step;

use crate::metrics::Metrics;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::status::Status;

/// Counts what was appended.
pub(crate) fn count(metrics: &Metrics, step: &Step) {
    let over = |status| metrics.games_over.with_label_values(&[step.table.kind(), status]).inc();
    // The end of a table is not published before all tables that are dealt the same have ended.
    let is_told = step.table.tournament().is_none_or(|place| place.shuffle_id.is_none());
    for sealed in &step.entries {
        match (&sealed.entry.event, &sealed.entry.by) {
            (Event::Acted(_), By::Player { .. }) => metrics.actions.player.inc(),
            (Event::Acted(_), By::Bot { .. }) => metrics.actions.bot.inc(),
            (Event::Acted(_), By::Clock {}) => metrics.actions.clock.inc(),
            (Event::Finished(_), _) if is_told => over("finished"),
            (Event::Aborted(_), _) if is_told => over("aborted"),
            _ => {}
        }
    }
}

/// Counts the games of the whole card room that are not over.
///
/// # Errors
/// [`StoreError`] where the database does not answer.
pub async fn count_unfinished(database: &Database) -> Result<(), StoreError> {
    let counted = database.count_games().await?;
    let counted: HashMap<(&str, Status), i64> =
        counted.iter().map(|row| ((row.kind.as_str(), row.status), row.games)).collect();
    for kind in newest() {
        for status in [Status::Open, Status::Active] {
            let games = counted.get(&(kind.kind, status)).copied().unwrap_or_default();
            database.metrics.games.with_label_values(&[kind.kind, status.as_str()]).set(games);
        }
    }
    Ok(())
}
