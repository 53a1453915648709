//! Tournaments: their logs, the results at their tables, and an index for lists.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::append::{Append, AppendOutcome, Claim};
use crate::store::clocks::{self, ClockChange};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::games::{self, CHUNK, DealtGame};
use crate::store::log::Claimed;
use crate::store::participations::{NewParticipation, Topic, begin, end, leave_tournament};
use crate::store::prepared::Prepare;
use crate::store::quotas::{self, Quota};
use crate::store::schema::{accounts, games as games_table, participations, tournament_log, tournaments};
use crate::store::status::Status;

/// A tournament that is created together with its log's first entry.
#[derive(Clone)]
pub struct NewTournament {
    pub server_seed: [u8; 32],
    pub name: String,
    pub kind: String,
    pub created_by: Uuid,
    pub created_at: jiff::Timestamp,
    /// How many its creator may have.
    pub quota: Quota,
}

/// Entries for a tournament's log: all are appended, or none.
#[derive(Clone)]
pub struct TournamentAppend {
    pub tournament_id: Uuid,
    /// The `seq` of the first entry.
    pub first: u32,
    /// Canonical JSON, at least one.
    pub entries: Vec<String>,
    pub claim: Option<Claim>,
    /// The participations that begin.
    pub participations: Vec<NewParticipation>,
    /// How many running tournaments an account may take part in by its own choice, and how many by that of others.
    pub most_participations: u32,
    /// The accounts that have left before the start.
    pub left: Vec<Uuid>,
    /// The name and the status that lists show after these entries.
    pub name: String,
    pub status: Status,
    pub entrants: u32,
    pub round: u16,
    pub is_paused: bool,
    /// Whether it is still to be noted who did not play a round.
    pub is_unsettled: bool,
    /// How many entrants can be seated in another round.
    pub present: u32,
    /// From when on an arena seats nobody.
    pub arena_ends_at: Option<jiff::Timestamp>,
    /// When it is planned to start.
    pub starts_at: Option<jiff::Timestamp>,
    /// What these entries do to the clocks of games.
    pub clocks: Vec<ClockChange>,
    /// Games of an arena, each with how many of those who sit there may be seated at another table afterwards.
    pub seated: Vec<(Uuid, i16)>,
    /// The games that are to be called off because of these entries.
    pub void: Vec<Uuid>,
    /// The games that begin with these entries.
    pub games: Vec<(DealtGame, Append)>,
}

/// A line of the list of tournaments.
#[derive(Debug, Clone, Queryable, Selectable)]
#[diesel(table_name = tournaments)]
pub struct ListedTournament {
    #[diesel(column_name = tournament_id)]
    pub id: Uuid,
    pub name: String,
    pub kind: String,
    pub status: Status,
    pub entrants: i32,
    pub round: i16,
    pub created_at: jiff_diesel::Timestamp,
    #[diesel(select_expression = accounts::username)]
    pub created_by: String,
}

impl Database {
    /// Creates a tournament.
    ///
    /// # Errors
    /// [`StoreError::Constraint`] `tournaments_idempotency` where the creator has used the key before, or of the quota.
    pub async fn make_tournament(
        &self,
        new: NewTournament,
        appended: TournamentAppend,
    ) -> Result<(), StoreError> {
        let seed = self.master_keys.wrap_tournament_seed(appended.tournament_id, &new.server_seed);
        let mut connection = self.connection().await?;
        connection
            .transaction(async |connection| {
                diesel::insert_into(tournaments::table)
                    .values((
                        tournaments::tournament_id.eq(appended.tournament_id),
                        tournaments::server_seed.eq(seed),
                        tournaments::name.eq(new.name),
                        tournaments::kind.eq(new.kind),
                        tournaments::status.eq(appended.status),
                        tournaments::entrants.eq(appended.entrants.cast_signed()),
                        tournaments::round.eq(0),
                        tournaments::created_by.eq(new.created_by),
                        tournaments::created_at.eq(new.created_at.to_diesel()),
                        tournaments::starts_at.eq(appended.starts_at.map(|starts| starts.to_diesel())),
                        tournaments::idempotency_key
                            .eq(appended.claim.as_ref().map(|claim| claim.key.clone())),
                    ))
                    .execute(connection)
                    .await?;
                // The account's row is locked before its quota, as where a game is created: two transactions that
                // took them in turn would wait for each other.
                append(connection, &appended).await?;
                quotas::keep(connection, &new.quota).await?;
                Ok::<_, StoreError>(())
            })
            .await
    }

    /// Appends to a tournament's log and creates the games that begin, in one transaction.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn append_tournament(&self, appended: TournamentAppend) -> Result<AppendOutcome, StoreError> {
        let mut connection = self.connection().await?;
        connection
            .transaction(async |connection| {
                if !append(connection, &appended).await? {
                    return Ok(AppendOutcome::Conflict);
                }
                diesel::update(tournaments::table.find(appended.tournament_id))
                    .set((
                        tournaments::name.eq(&appended.name),
                        tournaments::status.eq(appended.status),
                        tournaments::entrants.eq(appended.entrants.cast_signed()),
                        tournaments::round.eq(appended.round.cast_signed()),
                        tournaments::is_paused.eq(appended.is_paused),
                        tournaments::is_unsettled.eq(appended.is_unsettled),
                        tournaments::present.eq(appended.present.cast_signed()),
                        tournaments::arena_ends_at.eq(appended.arena_ends_at.map(|ends| ends.to_diesel())),
                        tournaments::starts_at.eq(appended.starts_at.map(|starts| starts.to_diesel())),
                    ))
                    .prepared()
                    .execute(connection)
                    .await?;
                if !appended.void.is_empty() {
                    diesel::update(games_table::table.filter(games_table::game_id.eq_any(&appended.void)))
                        .set(games_table::is_void.eq(true))
                        .prepared()
                        .execute(connection)
                        .await?;
                }
                for &(game, entrants) in &appended.seated {
                    diesel::update(games_table::table.find(game))
                        .set(games_table::entrants.eq(entrants))
                        .prepared()
                        .execute(connection)
                        .await?;
                }
                let (dealt, appends): (Vec<_>, Vec<_>) = appended.games.into_iter().unzip();
                games::deal(connection, &self.master_keys, dealt).await?;
                for change in appended.clocks {
                    clocks::want(connection, appended.tournament_id, change).await?;
                }
                let wanted = appends.len();
                if wanted > 0 && self.insert(connection, appends).await?.len() != wanted {
                    return Err(StoreError::Broken("a game's id was there already".to_owned()));
                }
                Ok(AppendOutcome::Done)
            })
            .await
    }

    /// The entries of a tournament's log after `after`, in order, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournament_entries(
        &self,
        id: Uuid,
        after: u32,
        limit: i64,
    ) -> Result<Vec<String>, StoreError> {
        Ok(tournament_log::table
            .filter(tournament_log::tournament_id.eq(id))
            .filter(tournament_log::seq.gt(i32::try_from(after).unwrap_or(i32::MAX)))
            .order(tournament_log::seq)
            .limit(limit)
            .select(tournament_log::entry)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// The newest announcements, rounds and ends in a tournament's log, the newest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournament_news(&self, id: Uuid, limit: i64) -> Result<Vec<String>, StoreError> {
        // An entry is canonical JSON: its type stands last, so that the rest need not be read.
        let is_news = diesel::dsl::sql::<diesel::sql_types::Bool>(
            "split_part(right(entry, 40), '\"type\":', 2) IN ('\"announced\"}', '\"started\"}', '\"round_began\"}', \
             '\"table_redone\"}', '\"result_set\"}', '\"finished\"}', '\"aborted\"}')",
        );
        Ok(tournament_log::table
            .filter(tournament_log::tournament_id.eq(id))
            .filter(is_news)
            .order(tournament_log::seq.desc())
            .limit(limit)
            .select(tournament_log::entry)
            .prepared()
            .load(&mut self.connection().await?)
            .await?)
    }

    /// The caller's earlier request to a tournament under this key, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournament_claimed(
        &self,
        id: Uuid,
        caller: Uuid,
        key: &str,
    ) -> Result<Option<Claimed>, StoreError> {
        let empty = diesel::dsl::sql::<diesel::sql_types::Bytea>("''::bytea");
        Ok(tournament_log::table
            .filter(tournament_log::tournament_id.eq(id))
            .filter(tournament_log::caller.eq(caller))
            .filter(tournament_log::idempotency_key.eq(key))
            .select((tournament_log::seq, empty, tournament_log::request, tournament_log::answer))
            .prepared()
            .get_result(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// The tournament that a creator's request created.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournament_made(&self, caller: Uuid, key: &str) -> Result<Option<Uuid>, StoreError> {
        Ok(tournaments::table
            .filter(tournaments::created_by.eq(caller).and(tournaments::idempotency_key.eq(key)))
            .select(tournaments::tournament_id)
            .first(&mut self.connection().await?)
            .await
            .optional()?)
    }

    /// A page of the list, the newest first: the tournaments before `before`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn list_tournaments(
        &self,
        (status, kind): (Option<Status>, Option<&str>),
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<ListedTournament>, StoreError> {
        let mut query = tournaments::table
            .inner_join(accounts::table.on(accounts::id.eq(tournaments::created_by)))
            .select(ListedTournament::as_select())
            .order(tournaments::tournament_id.desc())
            .limit(limit)
            .into_boxed();
        if let Some(status) = status {
            query = query.filter(tournaments::status.eq(status));
        }
        if let Some(kind) = kind {
            query = query.filter(tournaments::kind.eq(kind.to_owned()));
        }
        if let Some(before) = before {
            query = query.filter(tournaments::tournament_id.lt(before));
        }
        Ok(query.load(&mut self.connection().await?).await?)
    }

    /// The tournaments that an account organises, has entered, or had entered, the newest participation first: those
    /// whose numbers are lower than `before`, at most `limit`, each with its number.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournaments_of(
        &self,
        account: Uuid,
        (status, kind): (Option<Status>, Option<&str>),
        before: Option<i32>,
        limit: i64,
    ) -> Result<Vec<(i32, ListedTournament)>, StoreError> {
        let is_topic = participations::tournament_id.eq(tournaments::tournament_id.nullable());
        let mut query = participations::table
            .inner_join(tournaments::table.on(is_topic))
            .inner_join(accounts::table.on(accounts::id.eq(tournaments::created_by)))
            .filter(participations::account_id.eq(account).and(diesel::dsl::not(participations::has_left)))
            .select((participations::n, ListedTournament::as_select()))
            .order(participations::n.desc())
            .limit(limit)
            .into_boxed();
        if let Some(status) = status {
            query = query.filter(tournaments::status.eq(status));
            if !status.is_over() {
                query = query.filter(participations::until.is_null());
            }
        }
        if let Some(kind) = kind {
            query = query.filter(tournaments::kind.eq(kind.to_owned()));
        }
        if let Some(before) = before {
            query = query.filter(participations::n.lt(before));
        }
        Ok(query.load(&mut self.connection().await?).await?)
    }
}

/// False where the log had moved on, or the claim existed already; nothing was written then.
async fn append(connection: &mut AsyncPgConnection, appended: &TournamentAppend) -> Result<bool, StoreError> {
    let answer = (appended.first as usize + appended.entries.len() - 1) as i32;
    let rows: Vec<_> = appended
        .entries
        .iter()
        .zip(appended.first.cast_signed()..)
        .map(|(entry, seq)| {
            let claim = appended.claim.as_ref().filter(|_| seq == appended.first.cast_signed());
            (
                tournament_log::tournament_id.eq(appended.tournament_id),
                tournament_log::seq.eq(seq),
                tournament_log::entry.eq(entry),
                tournament_log::caller.eq(claim.map(|claim| claim.caller)),
                tournament_log::idempotency_key.eq(claim.map(|claim| claim.key.clone())),
                tournament_log::request.eq(claim.map(|claim| claim.request.to_vec())),
                tournament_log::answer.eq(claim.map(|_| answer)),
            )
        })
        .collect();
    // An append that inserts the first entry inserts all of them. The first goes alone, because memory may be entries
    // behind the log.
    let (first, others) = rows.split_at(1);
    for (at, chunk) in std::iter::once(first).chain(others.chunks(CHUNK)).enumerate() {
        let inserted = diesel::insert_into(tournament_log::table)
            .values(chunk.to_vec())
            .on_conflict_do_nothing()
            .execute(connection)
            .await?;
        if at == 0 && inserted == 0 {
            return Ok(false);
        }
        if inserted != chunk.len() {
            return Err(StoreError::Broken("a tournament's log has entries out of order".to_owned()));
        }
    }
    take_part(connection, appended).await?;
    Ok(true)
}

/// Begins and ends the participations in a tournament.
async fn take_part(
    connection: &mut AsyncPgConnection,
    appended: &TournamentAppend,
) -> Result<(), StoreError> {
    let TournamentAppend { tournament_id, most_participations, .. } = *appended;
    let last = appended.first + appended.entries.len() as u32 - 1;
    begin(connection, &appended.participations, Some(most_participations)).await?;
    leave_tournament(connection, tournament_id, &appended.left, last).await?;
    if appended.status.is_over() {
        end(connection, Topic::Tournament(tournament_id), last).await?;
    }
    Ok(())
}
