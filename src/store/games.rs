//! The games' own rows: the seeds, and an index over the logs for lists.

use diesel::prelude::*;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use super::database::{Database, StoreError};
use super::schema::{accounts, game_players, games};

/// A game that is made together with its log's first entries.
#[derive(Debug, Clone)]
pub struct NewGame {
    pub server_seed: [u8; 32],
    pub kind: String,
    pub rules_version: i16,
    pub options: String,
    pub seats: i16,
    pub visibility: &'static str,
    pub created_by: Uuid,
    pub created_at: jiff::Timestamp,
    pub idempotency_key: Option<String>,
    pub turn_seconds: Option<i32>,
    /// The game that it repeats.
    pub rematch_of: Option<Uuid>,
}

/// What an append changes outside the log, in its transaction.
#[derive(Debug, Clone)]
pub enum Change {
    Made(Box<NewGame>),
    SatDown(Uuid),
    BotSatDown,
    StoodUp(Uuid),
    Started,
    Ended(End),
}

/// How a game came to its end.
#[derive(Debug, Clone)]
pub struct End {
    /// `finished` or `aborted`.
    pub status: &'static str,
    pub at: jiff::Timestamp,
    /// Account, place and score of everyone, where the game is finished.
    pub results: Vec<(Uuid, i16, i64)>,
}

/// A line of the lobby.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = games)]
pub struct Listed {
    #[diesel(column_name = game_id)]
    pub id: Uuid,
    pub kind: String,
    pub rules_version: i16,
    pub options: String,
    pub seats: i16,
    pub created_at: jiff_diesel::Timestamp,
    pub status: String,
    pub visibility: String,
    #[diesel(select_expression = accounts::username)]
    pub created_by: String,
    pub bots: i16,
    pub turn_seconds: Option<i32>,
}

/// Which games a list is about.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub status: Option<&'static str>,
    pub kind: Option<String>,
    /// The name of somebody at the table.
    pub player: Option<String>,
    /// Who asks: they see their own private games.
    pub viewer: Option<Uuid>,
}

/// Which games that are over an export is about.
#[derive(Debug, Clone, Default)]
pub struct Ended {
    pub kind: Option<String>,
    /// Those that ended at this time or later.
    pub from: Option<jiff::Timestamp>,
    /// Those that ended before this time.
    pub before: Option<jiff::Timestamp>,
    /// Who asks.
    pub viewer: Viewer,
}

/// Whose eyes a list is for.
#[derive(Debug, Clone, Copy, Default)]
pub enum Viewer {
    /// They see public games.
    #[default]
    Anyone,
    /// They see their own private games, too.
    Account(Uuid),
    Admin,
}

/// Where a list of games that are over has come to.
pub type EndCursor = (jiff::Timestamp, Uuid);

/// Applies the changes of an append, inside its transaction.
pub(super) async fn apply(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    changes: Vec<Change>,
) -> Result<(), StoreError> {
    for change in changes {
        match change {
            Change::Made(new) => make(connection, game_id, *new).await?,
            Change::SatDown(account_id) => {
                diesel::insert_into(game_players::table)
                    .values((game_players::game_id.eq(game_id), game_players::account_id.eq(account_id)))
                    .execute(connection)
                    .await?;
            }
            Change::BotSatDown => {
                diesel::update(games::table.find(game_id))
                    .set(games::bots.eq(games::bots + 1))
                    .execute(connection)
                    .await?;
            }
            Change::StoodUp(account_id) => {
                diesel::delete(game_players::table.find((game_id, account_id))).execute(connection).await?;
            }
            Change::Started => {
                diesel::update(games::table.find(game_id))
                    .set(games::status.eq("active"))
                    .execute(connection)
                    .await?;
            }
            Change::Ended(End { status, at, results }) => {
                diesel::update(games::table.find(game_id))
                    .set((games::status.eq(status), games::ended_at.eq(at.to_diesel())))
                    .execute(connection)
                    .await?;
                for (account_id, place, score) in results {
                    diesel::update(game_players::table.find((game_id, account_id)))
                        .set((game_players::place.eq(place), game_players::score.eq(score)))
                        .execute(connection)
                        .await?;
                }
            }
        }
    }
    // This transaction's id, so that whoever follows the lobby finds the game.
    let changed = games::changed.eq(diesel::dsl::sql("pg_current_xact_id()::text::bigint"));
    diesel::update(games::table.find(game_id)).set(changed).execute(connection).await?;
    Ok(())
}

async fn make(connection: &mut AsyncPgConnection, game_id: Uuid, new: NewGame) -> Result<(), StoreError> {
    let NewGame {
        server_seed,
        kind,
        rules_version,
        options,
        seats,
        visibility,
        created_by,
        created_at,
        idempotency_key,
        turn_seconds,
        rematch_of,
    } = new;
    diesel::insert_into(games::table)
        .values((
            games::game_id.eq(game_id),
            games::server_seed.eq(server_seed.to_vec()),
            games::kind.eq(kind),
            games::rules_version.eq(rules_version),
            games::options.eq(options),
            games::seats.eq(seats),
            games::visibility.eq(visibility),
            games::status.eq("open"),
            games::created_by.eq(created_by),
            games::created_at.eq(created_at.to_diesel()),
            games::idempotency_key.eq(idempotency_key),
            games::turn_seconds.eq(turn_seconds),
            games::rematch_of.eq(rematch_of),
        ))
        .execute(connection)
        .await?;
    Ok(())
}

impl Database {
    /// The seed that a game commits to.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn server_seed(&self, game_id: Uuid) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(games::table
            .find(game_id)
            .select(games::server_seed)
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// The game that a creator's request made.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn game_claimed(&self, caller: Uuid, key: &str) -> Result<Option<Uuid>, StoreError> {
        Ok(games::table
            .filter(games::created_by.eq(caller).and(games::idempotency_key.eq(key)))
            .select(games::game_id)
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// The game that repeats this one.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rematch_of(&self, game_id: Uuid) -> Result<Option<Uuid>, StoreError> {
        Ok(games::table
            .filter(games::rematch_of.eq(game_id))
            .select(games::game_id)
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// How many games somebody has made that are not over.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn unfinished_games(&self, created_by: Uuid) -> Result<i64, StoreError> {
        Ok(games::table
            .filter(games::created_by.eq(created_by))
            // Written out, not bound: the partial index is found by its own words.
            .filter(diesel::dsl::sql::<diesel::sql_types::Bool>("status IN ('open', 'active')"))
            .count()
            .get_result(&mut self.connection().await?)
            .await?)
    }

    /// When a game ended; none where it is not over.
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

    /// Games by their ids, the newest first: those before `before`, at most `limit`, each with its players.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn list_games(
        &self,
        filter: &Filter,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<(Listed, Vec<String>)>, StoreError> {
        let mut query = games::table
            .inner_join(accounts::table.on(accounts::id.eq(games::created_by)))
            .select(Listed::as_select())
            .order(games::game_id.desc())
            .limit(limit)
            .into_boxed();
        let plays = |account| {
            diesel::dsl::exists(
                game_players::table
                    .filter(game_players::game_id.eq(games::game_id))
                    .filter(game_players::account_id.eq(account)),
            )
        };
        query = match filter.viewer {
            None => query.filter(games::visibility.eq("public")),
            Some(viewer) => query
                .filter(games::visibility.eq("public").or(games::created_by.eq(viewer)).or(plays(viewer))),
        };
        if let Some(status) = filter.status {
            query = query.filter(games::status.eq(status));
        }
        if let Some(kind) = &filter.kind {
            query = query.filter(games::kind.eq(kind));
        }
        if let Some(before) = before {
            query = query.filter(games::game_id.lt(before));
        }
        let mut connection = self.connection().await?;
        if let Some(player) = &filter.player {
            let Some(account) = account_named(&mut connection, player).await? else { return Ok(Vec::new()) };
            query = query.filter(plays(account));
        }
        let listed: Vec<Listed> = query.load(&mut connection).await?;
        let ids: Vec<Uuid> = listed.iter().map(|game| game.id).collect();
        let mut players: Vec<(Uuid, String)> = game_players::table
            .inner_join(accounts::table.on(accounts::id.eq(game_players::account_id)))
            .filter(game_players::game_id.eq_any(ids))
            .select((game_players::game_id, accounts::username))
            .load(&mut connection)
            .await?;
        players.sort_unstable();
        let names =
            |id| players.iter().filter(|(game, _)| *game == id).map(|(_, name)| name.clone()).collect();
        Ok(listed.into_iter().map(|game| (game.id, game)).map(|(id, game)| (game, names(id))).collect())
    }
}

async fn account_named(connection: &mut AsyncPgConnection, name: &str) -> Result<Option<Uuid>, StoreError> {
    use diesel::sql_types::Text;
    diesel::define_sql_function!(fn lower(text: Text) -> Text);
    Ok(accounts::table
        .filter(lower(accounts::username).eq(name.to_lowercase()))
        .select(accounts::id)
        .first(connection)
        .await
        .optional()?)
}
