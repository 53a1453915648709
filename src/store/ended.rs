//! Games that are over, for exports: in the order in which they ended.

use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::lists::is_concealed;
use crate::store::schema::{game_players, games};

/// Which of the games that are over an export contains.
#[derive(Debug, Clone, Default)]
pub struct Ended {
    pub kind: Option<String>,
    pub tournament: Option<Uuid>,
    /// Games that ended at this time or later.
    pub from: Option<jiff::Timestamp>,
    /// Games that ended before this time.
    pub before: Option<jiff::Timestamp>,
    /// The caller.
    pub viewer: Viewer,
}

/// The caller for whom a list is made.
#[derive(Debug, Clone, Copy, Default)]
pub enum Viewer {
    /// Sees public games.
    #[default]
    Anyone,
    /// Sees public games and its own private games.
    Account(Uuid),
    Admin,
}

/// How far a list of games that are over has been read.
pub type EndCursor = (jiff::Timestamp, Uuid);

impl Database {
    /// When a game ended; `None` where it is not over.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn ended_at(&self, game_id: Uuid) -> Result<Option<jiff::Timestamp>, StoreError> {
        let ended: Option<Option<jiff_diesel::Timestamp>> = games::table
            .find(game_id)
            .select(games::ended_at)
            .first(&mut self.connection().await?)
            .await
            .optional()?;
        Ok(ended.flatten().map(|at| at.to_jiff()))
    }

    /// Games that are over, in the order in which they ended: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn ended_games(
        &self,
        wanted: &Ended,
        after: Option<EndCursor>,
        limit: i64,
    ) -> Result<Vec<EndCursor>, StoreError> {
        let mut query = games::table
            .filter(games::ended_at.is_not_null())
            .order((games::ended_at, games::game_id))
            .select((games::ended_at.assume_not_null(), games::game_id))
            .limit(limit)
            .into_boxed();
        query = match wanted.viewer {
            Viewer::Admin => query,
            Viewer::Anyone => query.filter(games::visibility.eq("public")),
            Viewer::Account(id) => {
                let plays = diesel::dsl::exists(
                    game_players::table
                        .filter(game_players::game_id.eq(games::game_id))
                        .filter(game_players::account_id.eq(id)),
                );
                query.filter(games::visibility.eq("public").or(games::created_by.eq(id)).or(plays))
            }
        };
        if let Some(kind) = &wanted.kind {
            query = query.filter(games::kind.eq(kind));
        }
        if let Some(tournament) = wanted.tournament {
            query = query.filter(games::tournament_id.eq(tournament));
        }
        query = query.filter(diesel::dsl::not(is_concealed()));
        if let Some(from) = wanted.from {
            query = query.filter(games::ended_at.ge(from.to_diesel()));
        }
        if let Some(before) = wanted.before {
            query = query.filter(games::ended_at.lt(before.to_diesel()));
        }
        if let Some((at, id)) = after {
            let later = games::ended_at.gt(at.to_diesel());
            query = query.filter(
                later.or(games::ended_at.eq(at.to_diesel()).and(games::game_id.gt(id))).assume_not_null(),
            );
        }
        let found: Vec<(jiff_diesel::Timestamp, Uuid)> = query.load(&mut self.connection().await?).await?;
        Ok(found.into_iter().map(|(at, id)| (at.to_jiff(), id)).collect())
    }
}
