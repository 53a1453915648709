//! The games' own rows: the seeds (see `seeds.rs`), and an index over the logs for lists.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::expiry::{keep_accounts, note_empty};
use crate::store::hand_results::{self, NewHandRow};
use crate::store::quotas::{self, Quota};
use crate::store::ratings;
use crate::store::schema::{accounts, concealed_games, game_players, games};
use crate::store::status::Status;
use crate::store::wrapping::MasterKeys;

/// How many rows go into one statement: it takes at most 65,535 values.
pub(super) const CHUNK: usize = 2000;

/// A game that is created together with its log's first entries.
#[derive(Clone)]
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
    /// The game of which this one is a rematch.
    pub rematch_of: Option<Uuid>,
    /// The network from which a guest created it; `None` if its creator is no guest.
    pub guest_network: Option<String>,
}

/// A tournament's game, which begins as soon as it is created.
#[derive(Clone)]
pub struct DealtGame {
    pub game_id: Uuid,
    pub tournament_id: Uuid,
    /// The shuffle from which its card orders come, where other tables are dealt the same.
    pub shuffle_id: Option<Uuid>,
    pub made: NewGame,
    /// The seated players that have an account.
    pub players: Vec<Uuid>,
    pub bots: i16,
    /// The changes that follow at once: a deal can end a hand, and with it a game.
    pub changes: Vec<Change>,
}

/// What an append changes outside the log, in its transaction.
#[derive(Clone)]
pub enum Change {
    Made(Box<NewGame>),
    /// Changes nothing, but limits how many rows there may be, counted with the row that is added.
    Within(Quota),
    SatDown(Uuid),
    BotSatDown,
    /// An account stood up, and when.
    StoodUp(Uuid, jiff::Timestamp),
    Started,
    Ended(End),
    /// Hands of a tournament have ended.
    HandsEnded(Vec<NewHandRow>),
}

/// How a game came to its end.
#[derive(Debug, Clone)]
pub struct End {
    /// Finished or aborted.
    pub status: Status,
    pub at: jiff::Timestamp,
    /// Account, place and score of each player, where the game is finished.
    pub results: Vec<(Uuid, i16, i64)>,
}

/// Whether a game is over, but must still look active.
#[diesel::dsl::auto_type]
pub(super) fn is_concealed() -> _ {
    diesel::dsl::exists(concealed_games::table.filter(concealed_games::game_id.eq(games::game_id)))
}

/// The status of a game as it may be published.
fn published_status() -> SqlLiteral<Text> {
    sql(
        "CASE WHEN games.game_id IN (SELECT game_id FROM concealed_games) THEN 'active' ELSE games.status END",
    )
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
    #[diesel(select_expression = published_status(), select_expression_type = SqlLiteral<Text>)]
    pub status: Status,
    pub visibility: String,
    #[diesel(select_expression = accounts::username)]
    pub created_by: String,
    pub bots: i16,
    pub turn_seconds: Option<i32>,
}

/// Which games a list contains.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub status: Option<Status>,
    pub kind: Option<String>,
    /// The name of a player at the table.
    pub player: Option<String>,
    /// The caller, who also sees their own private games.
    pub viewer: Option<Uuid>,
}

/// Applies the changes of an append, inside its transaction.
pub(super) async fn apply(
    connection: &mut AsyncPgConnection,
    keys: &MasterKeys,
    game_id: Uuid,
    changes: Vec<Change>,
) -> Result<(), StoreError> {
    let is_listed = changes.iter().any(|change| !matches!(change, Change::HandsEnded(_)));
    for change in changes {
        match change {
            Change::Made(new) => make(connection, keys, game_id, *new).await?,
            Change::Within(quota) => quotas::keep(connection, &quota).await?,
            Change::SatDown(account_id) => {
                diesel::insert_into(game_players::table)
                    .values((game_players::game_id.eq(game_id), game_players::account_id.eq(account_id)))
                    .execute(connection)
                    .await?;
                note_empty(connection, game_id, None).await?;
                keep_accounts(connection, &[account_id]).await?;
            }
            Change::BotSatDown => {
                diesel::update(games::table.find(game_id))
                    .set(games::bots.eq(games::bots + 1))
                    .execute(connection)
                    .await?;
            }
            Change::StoodUp(account_id, at) => {
                diesel::delete(game_players::table.find((game_id, account_id))).execute(connection).await?;
                note_empty(connection, game_id, Some(at)).await?;
            }
            Change::Started => {
                diesel::update(games::table.find(game_id))
                    .set(games::status.eq(Status::Active))
                    .execute(connection)
                    .await?;
            }
            Change::HandsEnded(hands) => hand_results::note_hands(connection, game_id, hands).await?,
            Change::Ended(end) => finish(connection, game_id, end).await?,
        }
    }
    if is_listed {
        // This transaction's id, so that a replica that follows the lobby finds the game.
        let changed = games::changed.eq(diesel::dsl::sql("pg_current_xact_id()::text::bigint"));
        let of_the_lobby = games::table.find(game_id).filter(games::tournament_id.is_null());
        diesel::update(of_the_lobby).set(changed).execute(connection).await?;
    }
    Ok(())
}

/// Notes how a game ended, and queues it for the ratings if it was played to its end.
async fn finish(connection: &mut AsyncPgConnection, game_id: Uuid, end: End) -> Result<(), StoreError> {
    let End { status, at, results } = end;
    diesel::update(games::table.find(game_id))
        .set((
            games::status.eq(status),
            games::ended_at.eq(at.to_diesel()),
            games::guest_network.eq(None::<String>),
        ))
        .execute(connection)
        .await?;
    if status == Status::Finished {
        ratings::await_rating(connection, game_id, at).await?;
    }
    for (account_id, place, score) in results {
        diesel::update(game_players::table.find((game_id, account_id)))
            .set((game_players::place.eq(place), game_players::score.eq(score)))
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Creates the games of a round, which are active at once.
pub(super) async fn deal(
    connection: &mut AsyncPgConnection,
    keys: &MasterKeys,
    mut dealt: Vec<DealtGame>,
) -> Result<(), StoreError> {
    let players: Vec<_> = dealt
        .iter()
        .flat_map(|game| game.players.iter().map(|&account| (game.game_id, account)))
        .map(|(game, account)| (game_players::game_id.eq(game), game_players::account_id.eq(account)))
        .collect();
    let changes: Vec<_> =
        dealt.iter_mut().map(|game| (game.game_id, std::mem::take(&mut game.changes))).collect();
    let rows: Vec<_> = dealt
        .into_iter()
        .map(|DealtGame { game_id, tournament_id, shuffle_id, made, bots, .. }| {
            (
                games::game_id.eq(game_id),
                games::server_seed.eq(keys.wrap_game_seed(game_id, &made.server_seed)),
                games::kind.eq(made.kind),
                games::rules_version.eq(made.rules_version),
                games::options.eq(made.options),
                games::seats.eq(made.seats),
                games::visibility.eq(made.visibility),
                games::status.eq(Status::Active),
                games::created_by.eq(made.created_by),
                games::created_at.eq(made.created_at.to_diesel()),
                games::turn_seconds.eq(made.turn_seconds),
                games::bots.eq(bots),
                games::tournament_id.eq(tournament_id),
                games::shuffle_id.eq(shuffle_id),
            )
        })
        .collect();
    for chunk in rows.chunks(CHUNK) {
        diesel::insert_into(games::table).values(chunk.to_vec()).execute(connection).await?;
    }
    for chunk in players.chunks(CHUNK) {
        diesel::insert_into(game_players::table).values(chunk.to_vec()).execute(connection).await?;
    }
    for (game_id, changes) in changes {
        if !changes.is_empty() {
            apply(connection, keys, game_id, changes).await?;
        }
    }
    Ok(())
}

async fn make(
    connection: &mut AsyncPgConnection,
    keys: &MasterKeys,
    game_id: Uuid,
    new: NewGame,
) -> Result<(), StoreError> {
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
        guest_network,
    } = new;
    diesel::insert_into(games::table)
        .values((
            games::game_id.eq(game_id),
            games::server_seed.eq(keys.wrap_game_seed(game_id, &server_seed)),
            games::kind.eq(kind),
            games::rules_version.eq(rules_version),
            games::options.eq(options),
            games::seats.eq(seats),
            games::visibility.eq(visibility),
            games::status.eq(Status::Open),
            games::created_by.eq(created_by),
            games::created_at.eq(created_at.to_diesel()),
            games::idempotency_key.eq(idempotency_key),
            games::turn_seconds.eq(turn_seconds),
            games::rematch_of.eq(rematch_of),
            games::guest_network.eq(guest_network),
            games::empty_since.eq(created_at.to_diesel()),
        ))
        .execute(connection)
        .await?;
    keep_accounts(connection, &[created_by]).await
}

impl Database {
    /// The game that a creator's request created.
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

    /// The rematch of this game.
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
            query = match status {
                // An array, so that PostgreSQL looks its games up by their ids instead of trying every game.
                Status::Active => {
                    let concealed =
                        diesel::dsl::array(concealed_games::table.select(concealed_games::game_id));
                    query.filter(games::status.eq(status).or(games::game_id.eq_any(concealed)))
                }
                _ => query.filter(games::status.eq(status).and(diesel::dsl::not(is_concealed()))),
            };
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
    diesel::define_sql_function!(fn lower(text: Text) -> Text);
    Ok(accounts::table
        .filter(lower(accounts::username).eq(name.to_lowercase()))
        .select(accounts::id)
        .first(connection)
        .await
        .optional()?)
}
