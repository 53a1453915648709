//! What may be seen of a tournament's game by now. Spectators can be some hands behind; where tables are dealt the
//! same orders, nobody sees another table, nor a seed, before the round is over.

use std::sync::Arc;
use std::time::Duration;

use cardroom_core::table::decide::Command;
use cardroom_core::table::entry_update::EntryUpdate;
use cardroom_core::table::{Actor, Table};
use tokio::time::sleep;
use uuid::Uuid;

use crate::games::error::PlayError;
use crate::games::past::Past;
use crate::games::service::{Conditions, Done, GameService, judge};
use crate::store::database::StoreError;

/// How often who is behind looks for more.
const LOOK: Duration = Duration::from_secs(1);

/// Whether this viewer does not see the game as it is, but later or in part. Where the end is hidden, those who sit are
/// such viewers as soon as the game is over.
pub(crate) fn is_delayed(table: &Table, viewer: Option<&Actor>) -> bool {
    let sits = viewer.is_some_and(|actor| table.seat_of(actor.account).is_some());
    table.tournament().is_some_and(|place| match place.shuffle_id {
        Some(_) => !sits || table.is_over(),
        None => !sits && place.spectator_delay > 0,
    })
}

impl GameService {
    /// Does what somebody wants of a game, or refuses it and changes nothing.
    ///
    /// # Errors
    /// [`PlayError`], judged by the newest state of the log.
    pub async fn command(
        &self,
        id: Uuid,
        actor: &Actor,
        command: &Command,
        conditions: &Conditions,
    ) -> Result<Done, PlayError> {
        let viewer = Some(actor);
        match self.change(id, actor, command, conditions).await {
            Ok(Done { table, seq, hash, replayed }) => {
                Ok(Done { table: self.visible_to(table, viewer).await?, seq, hash, replayed })
            }
            Err(PlayError::Refused { refusal, table: Some(table) }) => {
                let seen = self.refused_at(table, actor, command, conditions).await?;
                Err(PlayError::Refused { refusal, table: Some(seen) })
            }
            Err(PlayError::Stale(table)) => {
                Err(PlayError::Stale(self.refused_at(table, actor, command, conditions).await?))
            }
            Err(error) => Err(error),
        }
    }

    /// The table as they see it whose command it refused. Where that is another one, it judges too: its refusal goes
    /// before, because the words of the first would tell more, as that a table has ended.
    async fn refused_at(
        &self,
        table: Arc<Table>,
        actor: &Actor,
        command: &Command,
        conditions: &Conditions,
    ) -> Result<Arc<Table>, PlayError> {
        let seen = self.visible_to(table.clone(), Some(actor)).await?;
        if !Arc::ptr_eq(&seen, &table) {
            judge(&seen, actor, command, conditions, &self.uptime.now())?;
        }
        Ok(seen)
    }

    /// The game as far as `viewer` may see it by now.
    ///
    /// # Errors
    /// [`PlayError::Store`].
    pub(crate) async fn visible_to(
        &self,
        table: Arc<Table>,
        viewer: Option<&Actor>,
    ) -> Result<Arc<Table>, PlayError> {
        if !is_delayed(&table, viewer) {
            return Ok(table);
        }
        // Boxed, so that only who sees less has room for it.
        let until = Box::pin(self.shown_until(&table, viewer)).await?.unwrap_or(table.version);
        if until >= table.version {
            return Ok(table);
        }
        Ok(Arc::new(Box::pin(self.tables.replay(table.id, until)).await?))
    }

    /// The last entry that such a viewer sees; none where they see all.
    async fn shown_until(&self, table: &Table, viewer: Option<&Actor>) -> Result<Option<u32>, StoreError> {
        let Some(place) = table.tournament() else { return Ok(None) };
        if let Some(shuffle_id) = place.shuffle_id {
            if !self.database.is_dealt_elsewhere(shuffle_id).await? {
                return Ok(None);
            }
            let sits = viewer.is_some_and(|actor| table.seat_of(actor.account).is_some());
            // The last entry shows the seed.
            return Ok(Some(if sits { table.version - 1 } else { table.began() }));
        }
        if table.is_over() {
            return Ok(None);
        }
        let ended = self.database.hand_ended_before(place.id, table.id, place.spectator_delay).await?;
        Ok(Some(ended.unwrap_or(table.began())))
    }

    /// Watches a game that one sees later or in part: what follows `after`, or the game as they see it first.
    ///
    /// # Errors
    /// [`PlayError::NotFound`], [`PlayError::NoSuchVersion`].
    pub async fn watch_from_behind(
        &self,
        id: Uuid,
        viewer: Option<Actor>,
        after: Option<u32>,
    ) -> Result<Option<DelayedGame>, PlayError> {
        let cached = self.tables.cached(id).await?;
        let table = visible(self.tables.catch_up(&cached).await?, viewer.as_ref())?;
        if !is_delayed(&table, viewer.as_ref()) {
            return Ok(None);
        }
        let seen = self.visible_to(table, viewer.as_ref()).await?;
        let at = match after {
            None => seen.version,
            Some(after) if after > seen.version => return Err(PlayError::NoSuchVersion),
            Some(after) => after,
        };
        let before = match at {
            0 => None,
            at if at == seen.version => Some(seen.clone()),
            at => Some(Arc::new(self.tables.replay(id, at).await?)),
        };
        let shown = seen.version;
        let opening = after.is_none().then_some(seen);
        let past = Past::after(&self.tables, id, before);
        Ok(Some(DelayedGame { games: self.clone(), id, viewer, opening, past, shown }))
    }
}

/// Somebody who watches a game, and sees it later or in part.
pub struct DelayedGame {
    games: GameService,
    id: Uuid,
    pub viewer: Option<Actor>,
    opening: Option<Arc<Table>>,
    past: Past,
    /// The game may be seen up to this entry: whoever may see it now may see it as it was.
    shown: u32,
}

impl DelayedGame {
    /// Whether there is nothing to show, nor ever will be.
    pub fn is_done(&self) -> bool {
        self.opening.is_none() && self.past.table().is_some_and(|table| table.is_over())
    }

    /// The game as it is seen first, if it is to be shown.
    pub fn opening(&mut self) -> Option<Arc<Table>> {
        self.opening.take()
    }

    /// The next entry, as soon as it may be seen. `None` after the last. Nothing is lost where this is not waited
    /// for.
    pub async fn next(&mut self) -> Option<Arc<EntryUpdate>> {
        loop {
            if self.is_done() || self.games.watch.is_closed() {
                return None;
            }
            match self.read().await {
                Ok(None) => sleep(LOOK).await,
                Ok(update) => return update,
                Err(error) => {
                    tracing::warn!(%error, "a stream ends early");
                    self.games.database.metrics.cut_off.failed.inc();
                    return None;
                }
            }
        }
    }

    /// The next entry, if it may be seen by now.
    async fn read(&mut self) -> Result<Option<Arc<EntryUpdate>>, PlayError> {
        if let Some(update) = self.past.next(self.shown).await? {
            return Ok(Some(update));
        }
        self.shown = self.games.look(self.id, self.viewer.as_ref()).await?.version;
        self.past.next(self.shown).await
    }
}

/// The table, if `viewer` may know of it.
pub(crate) fn visible(table: Arc<Table>, viewer: Option<&Actor>) -> Result<Arc<Table>, PlayError> {
    if table.is_visible_to(viewer) { Ok(table) } else { Err(PlayError::NotFound) }
}
