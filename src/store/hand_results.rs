//! The results of the hands at the tables of tournaments: a row for each hand, written with the entry that ended it.

use diesel::prelude::*;
use diesel::sql_types::{Array, BigInt, Integer, Nullable, SmallInt, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::prepared::Prepare;
use crate::store::schema::{games as games_table, tournament_hands, tournaments};
use crate::store::status::Status;

/// The result of a hand, or of the end of a game.
#[derive(Debug, Clone)]
pub struct NewHandRow {
    pub tournament_id: Uuid,
    pub seq: u32,
    pub at: jiff::Timestamp,
    pub hand: u32,
    pub scores: Vec<i64>,
    pub awards: Option<String>,
    pub places: Option<Vec<i16>>,
    pub missed: Option<Vec<i16>>,
}

/// The same, as it is read.
#[derive(Debug, Clone, QueryableByName, Queryable, Selectable)]
#[diesel(table_name = tournament_hands)]
pub struct HandRow {
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    #[diesel(sql_type = Integer)]
    pub seq: i32,
    #[diesel(sql_type = Timestamptz)]
    pub at: jiff_diesel::Timestamp,
    #[diesel(sql_type = Integer)]
    pub hand: i32,
    #[diesel(sql_type = Array<BigInt>)]
    pub scores: Vec<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    pub awards: Option<String>,
    #[diesel(sql_type = Nullable<Array<SmallInt>>)]
    pub places: Option<Vec<i16>>,
    #[diesel(sql_type = Nullable<Array<SmallInt>>)]
    pub missed: Option<Vec<i16>>,
}

/// A hand that earned points.
#[derive(Debug, Clone, QueryableByName)]
pub struct Scored {
    #[diesel(sql_type = SqlUuid)]
    pub game_id: Uuid,
    #[diesel(sql_type = Integer)]
    pub seq: i32,
    #[diesel(sql_type = Timestamptz)]
    pub at: jiff_diesel::Timestamp,
    #[diesel(sql_type = Integer)]
    pub hand: i32,
    #[diesel(sql_type = Text)]
    pub awards: String,
}

impl Database {
    /// Whether these card orders are dealt at any table that is still played.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn is_dealt_elsewhere(&self, shuffle_id: Uuid) -> Result<bool, StoreError> {
        let playing = games_table::table
            .filter(games_table::shuffle_id.eq(shuffle_id).and(games_table::status.eq(Status::Active)));
        Ok(diesel::select(diesel::dsl::exists(playing)).get_result(&mut self.connection().await?).await?)
    }

    /// The entry that ended the hand `back` hands before the current one; `back` is at least 1.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn hand_ended_before(
        &self,
        id: Uuid,
        game: Uuid,
        back: u32,
    ) -> Result<Option<u32>, StoreError> {
        let seq: Option<i32> = tournament_hands::table
            .filter(tournament_hands::tournament_id.eq(id).and(tournament_hands::game_id.eq(game)))
            .order(tournament_hands::seq.desc())
            .offset(i64::from(back) - 1)
            .select(tournament_hands::seq)
            .first(&mut self.connection().await?)
            .await
            .optional()?;
        Ok(seq.map(i32::unsigned_abs))
    }

    /// The entries with which the hand of this number ended in these games, as far as it was begun there; the oldest games
    /// come first.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn hand_ends(
        &self,
        id: Uuid,
        games: &[Uuid],
        hand: u32,
    ) -> Result<Vec<(Uuid, u32)>, StoreError> {
        let ends: Vec<(Uuid, Option<i32>)> = tournament_hands::table
            .filter(tournament_hands::tournament_id.eq(id).and(tournament_hands::game_id.eq_any(games)))
            .filter(tournament_hands::hand.eq(hand.cast_signed()))
            .group_by(tournament_hands::game_id)
            .order(tournament_hands::game_id)
            .select((tournament_hands::game_id, diesel::dsl::max(tournament_hands::seq)))
            .load(&mut self.connection().await?)
            .await?;
        Ok(ends.into_iter().filter_map(|(game, seq)| Some((game, seq?.unsigned_abs()))).collect())
    }

    /// The results at these tables after these entries: game by game, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn hands_after(&self, id: Uuid, after: &[(Uuid, u32)]) -> Result<Vec<HandRow>, StoreError> {
        let (games, seqs): (Vec<Uuid>, Vec<i32>) =
            after.iter().map(|(game, seq)| (*game, seq.cast_signed())).unzip();
        Ok(diesel::sql_query(
            "SELECT hand.* FROM unnest($2, $3) AS known (game_id, seq) CROSS JOIN LATERAL (
                 SELECT game_id, seq, at, hand, scores, awards, places, missed FROM tournament_hands
                 WHERE tournament_id = $1 AND game_id = known.game_id AND seq > known.seq
                 ORDER BY seq) AS hand",
        )
        .bind::<SqlUuid, _>(id)
        .bind::<Array<SqlUuid>, _>(games)
        .bind::<Array<Integer>, _>(seqs)
        .prepared()
        .load(&mut self.connection().await?)
        .await?)
    }

    /// Hands that earned points, from `from` on (its own row included) in the order in which they ended, at most
    /// `limit`. If `games` is not empty, only hands of these games. From running games, only hands that spectators, who
    /// are `delay` hands behind, have seen.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn scored(
        &self,
        id: Uuid,
        games: Option<&[Uuid]>,
        from: Option<(jiff::Timestamp, Uuid, u32)>,
        delay: u32,
        limit: i64,
    ) -> Result<Vec<Scored>, StoreError> {
        let (at, game, seq) = from.unwrap_or((jiff::Timestamp::UNIX_EPOCH, Uuid::nil(), 0));
        Ok(diesel::sql_query(
            "SELECT game_id, seq, at, hand, awards FROM tournament_hands AS scored
             WHERE tournament_id = $1 AND awards IS NOT NULL AND (at, game_id, seq) >= ($2, $3, $4)
             AND ($5 IS NULL OR game_id = ANY ($5))
             AND ($6 < 2 OR $6 <= (
                 SELECT count(*) + max(CASE WHEN later.places IS NULL THEN 0 ELSE $6 END)
                 FROM tournament_hands AS later
                 WHERE later.tournament_id = $1 AND later.game_id = scored.game_id AND later.seq >= scored.seq))
             ORDER BY at, game_id, seq LIMIT $7",
        )
        .bind::<SqlUuid, _>(id)
        .bind::<Timestamptz, _>(at.to_diesel())
        .bind::<SqlUuid, _>(game)
        .bind::<Integer, _>(seq.cast_signed())
        .bind::<Nullable<Array<SqlUuid>>, _>(games)
        .bind::<Integer, _>(delay.cast_signed())
        .bind::<BigInt, _>(limit)
        .prepared()
        .load(&mut self.connection().await?)
        .await?)
    }

    /// The games of all tournaments, by their ids: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournament_games(&self, after: Option<Uuid>, limit: i64) -> Result<Vec<Uuid>, StoreError> {
        Ok(games_table::table
            .filter(games_table::tournament_id.is_not_null())
            .filter(games_table::game_id.gt(after.unwrap_or_default()))
            .order(games_table::game_id)
            .select(games_table::game_id)
            .limit(limit)
            .load(&mut self.connection().await?)
            .await?)
    }

    /// How often rows of a tournament were rewritten. Rows that were read before the last rewrite may be wrong.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn recounted(&self, id: Uuid) -> Result<i32, StoreError> {
        Ok(tournaments::table
            .find(id)
            .select(tournaments::recounted)
            .first(&mut self.connection().await?)
            .await?)
    }

    /// Rewrites the results of the first `version` entries of a game. A rewrite for another game of the same tournament
    /// waits meanwhile; the games go on.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn replace_hands(
        &self,
        game: Uuid,
        version: u32,
        hands: Vec<NewHandRow>,
    ) -> Result<(), StoreError> {
        let mut connection = self.connection().await?;
        connection
            .transaction(async |connection| {
                let of_game = games_table::table.find(game).select(games_table::tournament_id);
                diesel::update(tournaments::table)
                    .filter(tournaments::tournament_id.nullable().eq_any(of_game))
                    .set(tournaments::recounted.eq(tournaments::recounted + 1))
                    .prepared()
                    .execute(connection)
                    .await?;
                let known = tournament_hands::table
                    .filter(tournament_hands::game_id.eq(game))
                    .filter(tournament_hands::seq.le(version.cast_signed()));
                diesel::delete(known).execute(connection).await?;
                note_hands(connection, game, hands).await
            })
            .await
    }
}

/// Writes the results of hands, inside the transaction that ends them.
pub(super) async fn note_hands(
    connection: &mut AsyncPgConnection,
    game_id: Uuid,
    hands: Vec<NewHandRow>,
) -> Result<(), StoreError> {
    let rows: Vec<_> = hands
        .into_iter()
        .map(|played| {
            (
                tournament_hands::tournament_id.eq(played.tournament_id),
                tournament_hands::game_id.eq(game_id),
                tournament_hands::seq.eq(played.seq.cast_signed()),
                tournament_hands::at.eq(played.at.to_diesel()),
                tournament_hands::hand.eq(played.hand.cast_signed()),
                tournament_hands::scores.eq(played.scores),
                tournament_hands::awards.eq(played.awards),
                tournament_hands::places.eq(played.places),
                tournament_hands::missed.eq(played.missed),
            )
        })
        .collect();
    diesel::insert_into(tournament_hands::table).values(rows).execute(connection).await?;
    Ok(())
}
