//! Lists of games.

use std::collections::HashMap;

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Bool, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::participations::is_running;
use crate::store::prepared::Prepare;
use crate::store::schema::{accounts, concealed_games, game_players, games, participations};
use crate::store::status::Status;

/// A page looks at so many games, window by window, and then ends, whether it is full or not. The first window is small,
/// because it fills most pages, and its end has to be found by counting.
const WINDOWS: [i64; 6] = [200, 1_800, 2_000, 2_000, 2_000, 2_000];

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

/// A game as lists show it.
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
    pub is_rated: bool,
    /// How many entries the log had when the row last changed.
    pub version: i32,
}

/// A game of a list, and who sits at it.
#[derive(Debug, Clone)]
pub struct ListedGame {
    pub game: Listed,
    pub players: Vec<ListedPlayer>,
}

/// Games of a list, the newest first.
#[derive(Debug, Default)]
pub struct FoundGames {
    pub games: Vec<ListedGame>,
    /// All games from this id on were looked at, and none below it, although there is room for more. It is no game's id.
    pub looked_to: Option<Uuid>,
}

/// A player at a listed game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListedPlayer {
    pub name: String,
    pub account: Uuid,
    /// The player's seat, if the game is over.
    pub seat: Option<i16>,
}

/// Which games a list contains.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub status: Option<Status>,
    pub kind: Option<String>,
    /// The name of a player at the table.
    pub player: Option<String>,
    /// Only games that are not over, or whose end is not shown yet. For an account's own games.
    pub is_running: bool,
    /// Only open games that have a free seat.
    pub free_seats: bool,
    /// Only games with a clock, or only games without one.
    pub timed: Option<bool>,
    /// Only games whose clock gives no more seconds for a decision.
    pub most_turn_seconds: Option<i32>,
    /// Only games whose results count for ratings, or only the others.
    pub rated: Option<bool>,
    /// The caller, who also sees their own private games.
    pub viewer: Option<Uuid>,
}

/// Adds the filter's conditions on the game itself to a query that selects from `games`.
macro_rules! filtered {
    ($query:expr, $filter:expr) => {{
        let (mut query, filter): (_, &Filter) = ($query, $filter);
        if let Some(status) = filter.status {
            query = match status {
                // An array, so that PostgreSQL looks its games up by their ids instead of trying every game.
                Status::Active => query
                    .filter(games::status.eq(status).or(games::game_id.eq_any(diesel::dsl::array(
                        concealed_games::table.select(concealed_games::game_id),
                    )))),
                Status::Open => query.filter(is_open()),
                _ => query.filter(games::status.eq(status).and(diesel::dsl::not(is_concealed()))),
            };
        }
        if let Some(kind) = &filter.kind {
            query = query.filter(games::kind.eq(kind));
        }
        if filter.free_seats {
            query = query.filter(is_open().and(has_free_seats()));
        }
        if let Some(timed) = filter.timed {
            query = query.filter(games::turn_seconds.is_not_null().eq(timed));
        }
        if let Some(most) = filter.most_turn_seconds {
            query = query.filter(games::turn_seconds.le(most));
        }
        if let Some(rated) = filter.rated {
            query = query.filter(games::is_rated.eq(rated));
        }
        query
    }};
}

impl Database {
    /// Games by their ids, the newest first: those before `before`, at most `limit`. Of 10,000 games, it finds those that
    /// meet the filter's conditions; older ones are left to the next page.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn list_games(
        &self,
        filter: &Filter,
        mut before: Option<Uuid>,
        limit: i64,
    ) -> Result<FoundGames, StoreError> {
        let mut connection = self.connection().await?;
        let player = match &filter.player {
            None => None,
            Some(name) => match account_named(&mut connection, name).await? {
                None => return Ok(FoundGames::default()),
                account => account,
            },
        };
        let status = if filter.free_seats { Some(Status::Open) } else { filter.status };
        let mut listed: Vec<Listed> = Vec::new();
        for size in WINDOWS {
            let end = end_of_window(&mut connection, size, status, player, before).await?;
            let missing = limit - listed.len() as i64;
            let window = (before, end);
            listed.extend(games_in(&mut connection, filter, player, window, missing).await?);
            before = end.filter(|_| (listed.len() as i64) < limit);
            if before.is_none() {
                break;
            }
        }
        Ok(FoundGames { games: with_players(&mut connection, listed).await?, looked_to: before })
    }

    /// The games in which an account takes part, or took part to their end, the newest participation first: those whose
    /// numbers are lower than `before`, at most `limit`, each with its number. The filter's player and viewer are
    /// ignored.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn games_of(
        &self,
        account: Uuid,
        filter: &Filter,
        before: Option<i32>,
        limit: i64,
    ) -> Result<Vec<(i32, ListedGame)>, StoreError> {
        let query = participations::table
            .inner_join(games::table.on(participations::game_id.eq(games::game_id.nullable())))
            .inner_join(accounts::table.on(accounts::id.eq(games::created_by)))
            .filter(participations::account_id.eq(account))
            .filter(diesel::dsl::not(participations::has_left.or(participations::is_invited)))
            .select((participations::n, Listed::as_select()))
            .order(participations::n.desc())
            .limit(limit)
            .into_boxed();
        let mut query = filtered!(query, filter);
        if filter.status == Some(Status::Open) || filter.free_seats {
            query = query.filter(participations::until.is_null());
        } else if filter.status == Some(Status::Active) || filter.is_running {
            query = query.filter(is_running());
        }
        if let Some(before) = before {
            query = query.filter(participations::n.lt(before));
        }
        let mut connection = self.connection().await?;
        let (numbers, listed): (Vec<i32>, Vec<Listed>) =
            query.prepared().load::<(i32, Listed)>(&mut connection).await?.into_iter().unzip();
        Ok(numbers.into_iter().zip(with_players(&mut connection, listed).await?).collect())
    }
}

/// The lowest id of a window of `size` games that begins before `before`, of the games of this status, or of this
/// player's. `None` if the window reaches to the oldest of them.
async fn end_of_window(
    connection: &mut AsyncPgConnection,
    size: i64,
    status: Option<Status>,
    player: Option<Uuid>,
    before: Option<Uuid>,
) -> Result<Option<Uuid>, StoreError> {
    let last: Vec<Uuid> = if let Some(player) = player {
        let ids = game_players::table.filter(game_players::account_id.eq(player)).into_boxed();
        let ids = match before {
            None => ids,
            Some(before) => ids.filter(game_players::game_id.lt(before)),
        };
        let ids = ids.select(game_players::game_id).order(game_players::game_id.desc());
        ids.offset(size - 1).limit(1).prepared().load(connection).await?
    } else {
        let mut ids = games::table.into_boxed();
        ids = match status {
            None => ids,
            Some(Status::Open) => ids.filter(is_open()),
            Some(status) => ids.filter(games::status.eq(status)),
        };
        if let Some(before) = before {
            ids = ids.filter(games::game_id.lt(before));
        }
        let ids = ids.select(games::game_id).order(games::game_id.desc());
        ids.offset(size - 1).limit(1).prepared().load(connection).await?
    };
    // Not the id of a game, which may be private, but the lowest one of its millisecond.
    let floor = |id: Uuid| Uuid::from_u128(id.as_u128() >> 80 << 80);
    Ok(last.into_iter().next().map(floor))
}

/// The newest games of a window that meet the filter's conditions, at most `limit`. The window: the ids below `before`,
/// down to `end`.
async fn games_in(
    connection: &mut AsyncPgConnection,
    filter: &Filter,
    player: Option<Uuid>,
    (before, end): (Option<Uuid>, Option<Uuid>),
    limit: i64,
) -> Result<Vec<Listed>, StoreError> {
    let plays = |account| {
        diesel::dsl::exists(
            game_players::table
                .filter(game_players::game_id.eq(games::game_id))
                .filter(game_players::account_id.eq(account)),
        )
    };
    let query = games::table
        .inner_join(accounts::table.on(accounts::id.eq(games::created_by)))
        .select(Listed::as_select())
        .order(games::game_id.desc())
        .limit(limit)
        .into_boxed();
    let mut query = filtered!(query, filter);
    query = match filter.viewer {
        None => query.filter(games::visibility.eq("public")),
        Some(viewer) => {
            query.filter(games::visibility.eq("public").or(games::created_by.eq(viewer)).or(plays(viewer)))
        }
    };
    if let Some(before) = before {
        query = query.filter(games::game_id.lt(before));
    }
    if let Some(end) = end {
        query = query.filter(games::game_id.ge(end));
    }
    if let Some(player) = player {
        query = query.filter(plays(player));
    }
    Ok(query.prepared().load(connection).await?)
}

/// Whether a game is open. Written out, not bound: PostgreSQL uses the partial index only if its condition is repeated
/// literally.
pub(super) fn is_open() -> SqlLiteral<Bool> {
    sql("games.status = 'open'")
}

/// Whether an open game has a free seat.
pub(super) fn has_free_seats() -> SqlLiteral<Bool> {
    sql("games.seats > games.bots + \
         (SELECT count(*) FROM game_players WHERE game_players.game_id = games.game_id)")
}

/// The games, each with its players in the order of their names.
pub(super) async fn with_players(
    connection: &mut AsyncPgConnection,
    listed: Vec<Listed>,
) -> Result<Vec<ListedGame>, StoreError> {
    let ids: Vec<Uuid> = listed.iter().map(|game| game.id).collect();
    let rows: Vec<(Uuid, String, Uuid, Option<i16>)> = game_players::table
        .inner_join(accounts::table.on(accounts::id.eq(game_players::account_id)))
        .filter(game_players::game_id.eq_any(ids))
        .select((game_players::game_id, accounts::username, accounts::id, game_players::seat))
        .load(connection)
        .await?;
    let mut players: HashMap<Uuid, Vec<ListedPlayer>> = HashMap::new();
    for (game, name, account, seat) in rows {
        players.entry(game).or_default().push(ListedPlayer { name, account, seat });
    }
    let of = |game: Listed| {
        let mut players = players.remove(&game.id).unwrap_or_default();
        players.sort_unstable();
        ListedGame { game, players }
    };
    Ok(listed.into_iter().map(of).collect())
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
