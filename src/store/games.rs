//! What an append changes outside its log, and how that is written: the row of its game (see `game_rows.rs`), its players,
//! and what they take part in.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Nullable, SmallInt, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::accounts::refuse_deleted;
use crate::store::clocks;
use crate::store::error::StoreError;
use crate::store::game_rows::{self, NewGame, RowChange};
use crate::store::hand_results::{self, NewHandRow};
use crate::store::participations::{self, NewParticipation, Topic};
use crate::store::prepared::Prepare;
use crate::store::quotas::{self, Quota};
use crate::store::ratings;
use crate::store::schema::{game_players, games};
use crate::store::status::Status;
use crate::store::wrapping::MasterKeys;

/// How many rows go into one statement: it takes at most 65,535 values.
pub(super) const CHUNK: usize = 2000;

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
    /// How many entrants of the tournament sit at it: the bots among them count, those that fill seats do not.
    pub entrants: i16,
    /// How many entries its log has.
    pub version: u32,
    /// The changes that follow at once: a deal can end a hand, and with it a game.
    pub changes: Vec<Change>,
}

/// Where in a game's log the append is that brings changes.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// Its first entry.
    pub first: u32,
    /// Its last entry.
    pub last: u32,
    /// How many running games an account may sit at.
    pub most_participations: Option<u32>,
}

/// What an append changes outside the log, in its transaction.
#[derive(Clone)]
pub enum Change {
    Made(Box<NewGame>),
    /// Changes nothing, but limits how many rows there may be, counted with the row that is added.
    Within(Quota),
    SatDown(Uuid),
    BotSatDown,
    /// An account stood up or was removed, and when.
    StoodUp(Uuid, jiff::Timestamp),
    BotRemoved,
    /// An account left the running game to the house.
    Resigned(Uuid),
    Started,
    Ended(End),
    /// Hands of a tournament have ended.
    HandsEnded(Vec<NewHandRow>),
    /// The clocks stand still, or run.
    ClocksStopped(bool),
    /// The player at a seat has so many seconds more, or each.
    TimeAdded(Option<u8>, u32),
}

/// How a game came to its end.
#[derive(Debug, Clone)]
pub struct End {
    /// Finished or aborted.
    pub status: Status,
    pub at: jiff::Timestamp,
    /// Of all players that have accounts.
    pub results: Vec<PlayerResult>,
}

/// How a game ended for a player.
#[derive(Debug, Clone, Copy)]
pub struct PlayerResult {
    pub account: Uuid,
    pub seat: i16,
    /// Place and score, where the game is finished.
    pub placed: Option<(i16, i64)>,
}

/// Applies the changes of an append, inside its transaction.
pub(super) async fn apply(
    connection: &mut AsyncPgConnection,
    keys: &MasterKeys,
    game_id: Uuid,
    span: Span,
    changes: Vec<Change>,
) -> Result<(), StoreError> {
    let row = row_change(&changes, span.last);
    let mut is_new = false;
    let mut quotas = Vec::new();
    for change in changes {
        match change {
            Change::Made(new) => {
                is_new = true;
                make(connection, keys, game_id, *new, &row).await?;
            }
            Change::Within(quota) => quotas.push(quota),
            Change::SatDown(account_id) => {
                diesel::insert_into(game_players::table)
                    .values((game_players::game_id.eq(game_id), game_players::account_id.eq(account_id)))
                    .execute(connection)
                    .await?;
                take_part(connection, game_id, account_id, span).await?;
            }
            Change::StoodUp(account_id, _) => {
                diesel::delete(game_players::table.find((game_id, account_id))).execute(connection).await?;
                participations::leave_game(connection, game_id, account_id, span.last, true).await?;
            }
            Change::Resigned(account_id) => {
                participations::leave_game(connection, game_id, account_id, span.last, false).await?;
            }
            Change::HandsEnded(hands) => hand_results::note_hands(connection, game_id, hands).await?,
            Change::ClocksStopped(stopped) => clocks::note_pause(connection, game_id, stopped).await?,
            Change::TimeAdded(seat, seconds) => clocks::note_time(connection, game_id, seat, seconds).await?,
            Change::Ended(end) => {
                finish(connection, game_id, end).await?;
                participations::end(connection, Topic::Game(game_id), span.last).await?;
            }
            // The row has these.
            Change::BotSatDown | Change::BotRemoved | Change::Started => {}
        }
    }
    if row.is_listed && !is_new {
        game_rows::change(connection, game_id, &row).await?;
    }
    // They count the row as it is now.
    for quota in quotas {
        quotas::keep(connection, &quota).await?;
    }
    Ok(())
}

/// What an append makes of its game's row. `version`: the append's last entry.
fn row_change(changes: &[Change], version: u32) -> RowChange {
    let mut row = RowChange { version, ..RowChange::default() };
    for change in changes {
        match change {
            Change::HandsEnded(_) | Change::ClocksStopped(_) | Change::TimeAdded(..) => continue,
            Change::Made(_) | Change::Within(_) | Change::Resigned(_) => {}
            Change::SatDown(_) => row.is_taken = true,
            Change::BotSatDown => row.more_bots += 1,
            Change::StoodUp(_, at) => row.left_at = Some(*at),
            Change::BotRemoved => row.more_bots -= 1,
            Change::Started => row.status = Some(Status::Active),
            Change::Ended(end) => (row.status, row.ended_at) = (Some(end.status), Some(end.at)),
        }
        row.is_listed = true;
    }
    row
}

/// Notes how a game ended for its players, and queues it for the ratings if it was played to its end.
async fn finish(connection: &mut AsyncPgConnection, game_id: Uuid, end: End) -> Result<(), StoreError> {
    let End { status, at, results } = end;
    if status == Status::Finished {
        ratings::await_rating(connection, game_id, at).await?;
    }
    let accounts: Vec<Uuid> = results.iter().map(|result| result.account).collect();
    let seats: Vec<i16> = results.iter().map(|result| result.seat).collect();
    let (places, scores): (Vec<Option<i16>>, Vec<Option<i64>>) =
        results.iter().map(|result| result.placed.unzip()).unzip();
    diesel::sql_query(
        "UPDATE game_players SET seat = result.seat, place = result.place, score = result.score
         FROM unnest($2, $3, $4, $5) AS result (account_id, seat, place, score)
         WHERE game_id = $1 AND game_players.account_id = result.account_id",
    )
    .bind::<SqlUuid, _>(game_id)
    .bind::<Array<SqlUuid>, _>(accounts)
    .bind::<Array<SmallInt>, _>(seats)
    .bind::<Array<Nullable<SmallInt>>, _>(places)
    .bind::<Array<Nullable<BigInt>>, _>(scores)
    .prepared()
    .execute(connection)
    .await?;
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
    let begun: Vec<_> = dealt
        .iter()
        .flat_map(|game| game.players.iter().map(|&account| (Topic::Game(game.game_id), account)))
        .map(|(topic, account)| NewParticipation::of(account, topic, 1))
        .collect();
    let changes: Vec<_> = dealt
        .iter_mut()
        .map(|game| (game.game_id, game.version, std::mem::take(&mut game.changes)))
        .collect();
    let rows: Vec<_> = dealt
        .into_iter()
        .map(|DealtGame { game_id, tournament_id, shuffle_id, made, bots, entrants, version, .. }| {
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
                games::bank_seconds.eq(made.bank_seconds),
                games::is_rated.eq(made.is_rated),
                games::bots.eq(bots),
                games::entrants.eq(entrants),
                games::tournament_id.eq(tournament_id),
                games::shuffle_id.eq(shuffle_id),
                games::version.eq(version.cast_signed()),
            )
        })
        .collect();
    for chunk in rows.chunks(CHUNK) {
        diesel::insert_into(games::table).values(chunk.to_vec()).execute(connection).await?;
    }
    for chunk in players.chunks(CHUNK) {
        diesel::insert_into(game_players::table).values(chunk.to_vec()).execute(connection).await?;
    }
    participations::begin(connection, &begun, None).await?;
    for (game_id, version, changes) in changes {
        if !changes.is_empty() {
            let span = Span { first: 1, last: version, most_participations: None };
            apply(connection, keys, game_id, span, changes).await?;
        }
    }
    Ok(())
}

/// A player has sat down.
async fn take_part(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    account: Uuid,
    span: Span,
) -> Result<(), StoreError> {
    let topic = Topic::Game(game_id);
    let new = NewParticipation::of(account, topic, span.first);
    participations::begin(connection, &[new], span.most_participations).await
}

async fn make(
    connection: &mut AsyncPgConnection,
    keys: &MasterKeys,
    game_id: Uuid,
    new: NewGame,
    row: &RowChange,
) -> Result<(), StoreError> {
    let (created_by, rematch_of) = (new.created_by, new.rematch_of);
    game_rows::insert(connection, keys, game_id, new, row).await?;
    let topic = Topic::Game(game_id);
    let mut new = vec![NewParticipation::of(created_by, topic, 1)];
    if let Some(played) = rematch_of {
        let others: Vec<Uuid> = game_players::table
            .filter(game_players::game_id.eq(played).and(game_players::account_id.ne(created_by)))
            .select(game_players::account_id)
            .load(connection)
            .await?;
        let invited =
            |account| NewParticipation { is_invited: true, ..NewParticipation::of(account, topic, 1) };
        new.extend(others.into_iter().map(invited));
    }
    // How many games an account may create is a quota of its own.
    participations::begin(connection, &new, None).await?;
    refuse_deleted(connection, created_by).await
}
