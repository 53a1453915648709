//! Participations: the games and tournaments that concern an account, numbered in the order in which they began.
//!
//! A number is given while the account's row is locked. So whoever has seen a number has seen all lower ones.

use diesel::dsl::sql;
use diesel::expression::SqlLiteral;
use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Nullable, Text, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use uuid::Uuid;

use crate::store::accounts::ACCOUNT_DELETED;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{accounts, participations};

/// The name of the quota, for refusals.
pub const PARTICIPATIONS_PER_ACCOUNT: &str = "participations_per_account";

/// What an account takes part in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Topic {
    Game(Uuid),
    Tournament(Uuid),
}

/// Accounts that take part in something from an entry of its log on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewParticipation {
    pub account: Uuid,
    pub topic: Topic,
    /// The entry.
    pub since: u32,
    /// The account does not take part, but is told that it may.
    pub is_invited: bool,
    /// Another account has entered it, and did not ask.
    pub by_others: bool,
}

/// A game or tournament that concerns an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Participation {
    /// From 1, for each account.
    pub n: u32,
    pub topic: Topic,
    /// The entry of the log with which it began.
    pub since: u32,
    /// The entry with which it ended; none while the log goes on, or while its end is not shown.
    pub until: Option<u32>,
    /// The account does not take part, but is told that it may.
    pub is_invited: bool,
}

/// An account that takes part in something more.
#[derive(QueryableByName)]
struct Begun {
    /// In how many things of the same sort it takes part now.
    #[diesel(sql_type = BigInt)]
    running: i64,
    #[diesel(sql_type = Bool)]
    is_deleted: bool,
}

#[derive(QueryableByName)]
struct Refused {
    #[diesel(sql_type = Text)]
    because: String,
}

type Row = (i32, Option<Uuid>, Option<Uuid>, i32, Option<i32>, bool);

impl Topic {
    fn ids(self) -> (Option<Uuid>, Option<Uuid>) {
        match self {
            Topic::Game(id) => (Some(id), None),
            Topic::Tournament(id) => (None, Some(id)),
        }
    }
}

/// Games whose end is not shown yet. An array, so that PostgreSQL looks these few up once.
const CONCEALED: &str = "participations.game_id = ANY (ARRAY (SELECT game_id FROM concealed_games))";

impl NewParticipation {
    /// One by the account's own choice, or by the house's.
    pub fn of(account: Uuid, topic: Topic, since: u32) -> NewParticipation {
        NewParticipation { account, topic, since, is_invited: false, by_others: false }
    }
}

/// Whether a participation runs: the log goes on, or its end is not shown yet.
pub(super) fn is_running() -> SqlLiteral<Bool> {
    sql(&format!("(participations.until IS NULL OR {CONCEALED})"))
}

/// The entry with which a participation ended; null while it runs.
fn shown_end() -> SqlLiteral<Nullable<Integer>> {
    sql(&format!("CASE WHEN {CONCEALED} THEN NULL ELSE participations.until END"))
}

/// Begins participations, and notes that the accounts are in use. An account that takes part already goes on as it is,
/// and is not invited.
/// `most`: how many running games, how many running tournaments by its own choice, and how many by that of others, an account
/// may take part in; none where the house seats it. Each is counted apart, so that no stranger keeps an account from playing.
///
/// # Errors
/// [`StoreError::Constraint`] [`PARTICIPATIONS_PER_ACCOUNT`] where there would be more, [`ACCOUNT_DELETED`] where an account
/// has been deleted.
pub(super) async fn begin(
    connection: &mut AsyncPgConnection,
    new: &[NewParticipation],
    most: Option<u32>,
) -> Result<(), StoreError> {
    match new {
        [] => Ok(()),
        [one] => begin_one(connection, one, most).await,
        _ => {
            begin_several(connection, new).await?;
            match most {
                Some(most) => keep(connection, new, most).await,
                None => Ok(()),
            }
        }
    }
}

/// As [`begin_several`] and [`keep`], with values instead of arrays. PostgreSQL keeps one plan for that; a statement with arrays
/// it plans each time.
async fn begin_one(
    connection: &mut AsyncPgConnection,
    &NewParticipation { account, topic, since, is_invited, by_others }: &NewParticipation,
    most: Option<u32>,
) -> Result<(), StoreError> {
    // A statement of its own, so that the next one sees what was begun while this one waited.
    diesel::sql_query("SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE")
        .bind::<SqlUuid, _>(account)
        .prepared()
        .execute(connection)
        .await?;
    let (game_id, tournament_id) = topic.ids();
    let begun: Option<Begun> = diesel::sql_query(
        "WITH others AS (
             SELECT count(*) FILTER (WHERE (game_id IS NULL) = ($2 IS NULL) AND by_others = $6) AS rows,
                 coalesce(bool_or(game_id = $2 OR tournament_id = $3), false) AS goes_on
             FROM participations WHERE account_id = $1 AND until IS NULL
         ), numbered AS (
             UPDATE accounts SET has_played = true, participations = participations + 1
             FROM others WHERE id = $1 AND NOT goes_on
             RETURNING participations
         ), inserted AS (
             INSERT INTO participations (account_id, n, game_id, tournament_id, since, until, is_invited, by_others)
             SELECT $1, participations, $2, $3, $4, CASE WHEN $5 THEN $4 END, $5, $6 FROM numbered
         )
         SELECT rows + CASE WHEN goes_on OR $5 THEN 0 ELSE 1 END AS running, deleted_at IS NOT NULL AS is_deleted
         FROM others, accounts WHERE id = $1",
    )
    .bind::<SqlUuid, _>(account)
    .bind::<Nullable<SqlUuid>, _>(game_id)
    .bind::<Nullable<SqlUuid>, _>(tournament_id)
    .bind::<Integer, _>(since.cast_signed())
    .bind::<Bool, _>(is_invited)
    .bind::<Bool, _>(by_others)
    .prepared()
    .get_result(connection)
    .await
    .optional()?;
    let refused = |because: &str| Err(StoreError::Constraint(because.to_owned()));
    let (Some(Begun { running, is_deleted }), Some(most)) = (begun, most) else { return Ok(()) };
    match is_deleted {
        true => refused(ACCOUNT_DELETED),
        false if running > i64::from(most) => refused(PARTICIPATIONS_PER_ACCOUNT),
        false => Ok(()),
    }
}

async fn begin_several(
    connection: &mut AsyncPgConnection,
    new: &[NewParticipation],
) -> Result<(), StoreError> {
    let account_ids: Vec<Uuid> = new.iter().map(|new| new.account).collect();
    let (game_ids, tournament_ids): (Vec<_>, Vec<_>) = new.iter().map(|new| new.topic.ids()).unzip();
    let since: Vec<i32> = new.iter().map(|new| new.since.cast_signed()).collect();
    let invited: Vec<bool> = new.iter().map(|new| new.is_invited).collect();
    let by_others: Vec<bool> = new.iter().map(|new| new.by_others).collect();
    // A transaction that concerns several accounts locks them in a fixed order.
    diesel::sql_query("SELECT FROM accounts WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE")
        .bind::<Array<SqlUuid>, _>(&account_ids)
        .prepared()
        .execute(connection)
        .await?;
    diesel::sql_query(
        "WITH new AS (
             SELECT account_id, game_id, tournament_id, min(since) AS since, bool_and(is_invited) AS is_invited,
                 bool_and(by_others) AS by_others,
                 row_number() OVER (PARTITION BY account_id ORDER BY game_id, tournament_id) AS nth,
                 count(*) OVER (PARTITION BY account_id) AS rows
             FROM unnest($1, $2, $3, $4, $5, $6)
                 AS asked (account_id, game_id, tournament_id, since, is_invited, by_others)
             WHERE NOT EXISTS (
                 SELECT FROM participations AS running
                 WHERE running.account_id = asked.account_id AND running.until IS NULL
                     AND (running.game_id = asked.game_id OR running.tournament_id = asked.tournament_id))
             GROUP BY account_id, game_id, tournament_id
         ), numbered AS (
             UPDATE accounts SET has_played = true, participations = participations + (
                 SELECT count(*) FROM new WHERE account_id = accounts.id)
             WHERE id = ANY ($1)
             RETURNING id, participations
         )
         INSERT INTO participations (account_id, n, game_id, tournament_id, since, until, is_invited, by_others)
         SELECT account_id, participations - rows + nth, game_id, tournament_id, since,
             CASE WHEN is_invited THEN since END, is_invited, by_others
         FROM new JOIN numbered ON id = account_id",
    )
    .bind::<Array<SqlUuid>, _>(&account_ids)
    .bind::<Array<Nullable<SqlUuid>>, _>(&game_ids)
    .bind::<Array<Nullable<SqlUuid>>, _>(&tournament_ids)
    .bind::<Array<Integer>, _>(&since)
    .bind::<Array<Bool>, _>(&invited)
    .bind::<Array<Bool>, _>(&by_others)
    .prepared()
    .execute(connection)
    .await?;
    Ok(())
}

/// Refuses where one of the accounts takes part in too many things of the sort that has begun, or has been deleted.
async fn keep(
    connection: &mut AsyncPgConnection,
    new: &[NewParticipation],
    most: u32,
) -> Result<(), StoreError> {
    let accounts: Vec<Uuid> = new.iter().map(|new| new.account).collect();
    let of_games: Vec<bool> = new.iter().map(|new| matches!(new.topic, Topic::Game(_))).collect();
    let by_others: Vec<bool> = new.iter().map(|new| new.by_others).collect();
    let refused: Option<Refused> = diesel::sql_query(
        "SELECT $5 AS because FROM accounts WHERE id = ANY ($1) AND deleted_at IS NOT NULL
         UNION ALL
         SELECT $6 FROM participations
         JOIN (SELECT DISTINCT * FROM unnest($1, $2, $3) AS new (account_id, of_games, by_others)) AS new
             USING (account_id, by_others)
         WHERE until IS NULL AND of_games = (game_id IS NOT NULL)
         GROUP BY account_id, of_games, by_others HAVING count(*) > $4 LIMIT 1",
    )
    .bind::<Array<SqlUuid>, _>(accounts)
    .bind::<Array<Bool>, _>(of_games)
    .bind::<Array<Bool>, _>(by_others)
    .bind::<BigInt, _>(i64::from(most))
    .bind::<Text, _>(ACCOUNT_DELETED)
    .bind::<Text, _>(PARTICIPATIONS_PER_ACCOUNT)
    .prepared()
    .get_result(connection)
    .await
    .optional()?;
    match refused {
        None => Ok(()),
        Some(Refused { because }) => Err(StoreError::Constraint(because)),
    }
}

/// Ends the participation of an account that has left, unless it created the game. `forgets`: the game is not listed
/// among the account's own any more, because it has not played.
pub(super) async fn leave_game(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    account: Uuid,
    until: u32,
    forgets: bool,
) -> Result<(), StoreError> {
    diesel::sql_query(
        "UPDATE participations SET until = $3, has_left = $4
         WHERE game_id = $1 AND account_id = $2 AND until IS NULL
             AND NOT EXISTS (SELECT FROM games WHERE games.game_id = $1 AND created_by = $2)",
    )
    .bind::<SqlUuid, _>(game_id)
    .bind::<SqlUuid, _>(account)
    .bind::<Integer, _>(until.cast_signed())
    .bind::<Bool, _>(forgets)
    .prepared()
    .execute(connection)
    .await?;
    Ok(())
}

/// Ends the participations of accounts that have left a tournament before its start, were dismissed or replaced. It is not
/// listed among their own any more.
pub(super) async fn leave_tournament(
    connection: &mut AsyncPgConnection,
    tournament_id: Uuid,
    accounts: &[Uuid],
    until: u32,
) -> Result<(), StoreError> {
    if accounts.is_empty() {
        return Ok(());
    }
    diesel::update(participations::table)
        .filter(participations::tournament_id.eq(tournament_id).and(participations::until.is_null()))
        .filter(participations::account_id.eq_any(accounts))
        .set((participations::until.eq(until.cast_signed()), participations::has_left.eq(true)))
        .prepared()
        .execute(connection)
        .await?;
    Ok(())
}

/// Ends all participations in a game or a tournament, with the last entry of its log.
pub(super) async fn end(
    connection: &mut AsyncPgConnection,
    topic: Topic,
    until: u32,
) -> Result<(), StoreError> {
    let ended = diesel::update(participations::table.filter(participations::until.is_null()));
    let until = participations::until.eq(until.cast_signed());
    match topic {
        Topic::Game(id) => {
            ended.filter(participations::game_id.eq(id)).set(until).prepared().execute(connection).await?
        }
        Topic::Tournament(id) => {
            ended.filter(participations::tournament_id.eq(id)).set(until).execute(connection).await?
        }
    };
    Ok(())
}

impl Database {
    /// How many participations an account has ever had: the number of the newest.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn newest_participations(&self, accounts: &[Uuid]) -> Result<Vec<(Uuid, i32)>, StoreError> {
        Ok(accounts::table
            .filter(accounts::id.eq_any(accounts))
            .select((accounts::id, accounts::participations))
            .load(&mut self.connection().await?)
            .await?)
    }

    /// The running participations of an account, in the order of their numbers.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn running_participations(&self, account: Uuid) -> Result<Vec<Participation>, StoreError> {
        let running = of_account(account).filter(is_running()).prepared();
        let rows: Vec<Row> = running.load(&mut self.connection().await?).await?;
        rows.into_iter().map(read).collect()
    }

    /// The participations of an account after `after`, and those in `listed`, in the order of their numbers: at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn participations_after(
        &self,
        account: Uuid,
        after: u32,
        listed: &[u32],
        limit: usize,
    ) -> Result<Vec<Participation>, StoreError> {
        let listed: Vec<i32> = listed.iter().map(|n| n.cast_signed()).collect();
        let asked = participations::n.gt(after.cast_signed()).or(participations::n.eq_any(listed));
        let found = of_account(account).filter(asked).limit(limit as i64).prepared();
        let rows: Vec<Row> = found.load(&mut self.connection().await?).await?;
        rows.into_iter().map(read).collect()
    }
}

#[diesel::dsl::auto_type(no_type_alias)]
fn of_account(account: Uuid) -> _ {
    let end: SqlLiteral<Nullable<Integer>> = shown_end();
    participations::table
        .filter(participations::account_id.eq(account))
        .select((
            participations::n,
            participations::game_id,
            participations::tournament_id,
            participations::since,
            end,
            participations::is_invited,
        ))
        .order(participations::n)
}

fn read((n, game, tournament, since, until, is_invited): Row) -> Result<Participation, StoreError> {
    let topic = match (game, tournament) {
        (Some(game), None) => Topic::Game(game),
        (None, Some(tournament)) => Topic::Tournament(tournament),
        _ => return Err(StoreError::Broken(format!("participation {n} has no topic"))),
    };
    let number = |n: i32| u32::try_from(n).map_err(|_| StoreError::Broken(format!("participation {n}")));
    let until = until.map(number).transpose()?;
    Ok(Participation { n: number(n)?, topic, since: number(since)?, until, is_invited })
}
