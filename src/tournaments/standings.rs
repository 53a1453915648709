//! Standings and points, as far as the hands have been played.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use cardroom_core::rules::Refusal;
use cardroom_core::tournament::{
    Award, CountedAward, CountedAwards, CrosstableRow, Departure, GameResults, Registration, Row, Tournament,
};
use jiff::Timestamp;
use uuid::Uuid;

use crate::games::hand_results;
use crate::games::replays::in_background;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::hand_results::Scored;
use crate::tournaments::service::Tournaments;

/// How many rows are read at a time.
const PAGE: i64 = 500;
/// Of more entrants than these, standings take some milliseconds.
const MANY: usize = 1000;

/// Points that an entrant scored, and where.
#[derive(Debug, Clone)]
pub struct Point {
    /// The name in the standings.
    pub player: String,
    pub entrant: u32,
    pub round: u16,
    pub table: u16,
    pub game: Uuid,
    pub hand: u32,
    pub seq: u32,
    pub at: Timestamp,
    pub award: Award,
}

/// A cursor in a list of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    pub at: Timestamp,
    pub game: Uuid,
    pub seq: u32,
    pub seat: u8,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cursor { at, game, seq, seat } = self;
        write!(f, "{}.{}.{seq}.{seat}", at.as_microsecond(), game.simple())
    }
}

impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Cursor, ()> {
        let mut parts = text.split('.');
        let mut part = || parts.next().ok_or(());
        let at = Timestamp::from_microsecond(part()?.parse().map_err(drop)?).map_err(drop)?;
        let game = part()?.parse().map_err(drop)?;
        let seq = part()?.parse().map_err(drop)?;
        let seat = part()?.parse().map_err(drop)?;
        // PostgreSQL knows no times before 4713 BC.
        if parts.next().is_some() || i32::try_from(seq).is_err() || at < Timestamp::UNIX_EPOCH {
            return Err(());
        }
        Ok(Cursor { at, game, seq, seat })
    }
}

impl Tournaments {
    /// The standings as they are. They never run behind a hand that has ended.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn standings(&self, id: Uuid) -> Result<(Arc<Tournament>, Arc<Vec<Row>>), ServiceError> {
        let cached = self.runtime.cached(id).await?;
        let tournament = self.runtime.catch_up(&cached).await?;
        let mut kept = self.game_results(&cached, &tournament).await?;
        let now = (tournament.version, kept.rows);
        if let Some((then, standings)) = &kept.standings
            && *then == now
        {
            return Ok((tournament, standings.clone()));
        }
        let (ranked, game_results) = (tournament.clone(), kept.game_results.clone());
        let rank = move || ranked.standings(&game_results);
        let standings = Arc::new(apart_if_many(&tournament, rank).await?);
        kept.standings = Some((now, standings.clone()));
        Ok((tournament, standings))
    }

    /// Lines of the crosstable in the order of the standings: those after the first `skip`, at most `limit`; and whether
    /// there are more.
    ///
    /// # Errors
    /// `tournament_not_found`.
    pub async fn crosstable(
        &self,
        id: Uuid,
        skip: usize,
        limit: usize,
    ) -> Result<(Vec<CrosstableRow>, bool), ServiceError> {
        let (tournament, standings) = self.standings(id).await?;
        let cached = self.runtime.cached(id).await?;
        let game_results = self.game_results(&cached, &tournament).await?.game_results.clone();
        let turn = self.games.runtime.store.turn().await?;
        let drawn = tournament.clone();
        let lines = move || {
            let _turn = turn;
            let rest = standings.get(skip..).unwrap_or_default();
            (drawn.crosstable(&game_results, &rest[..limit.min(rest.len())]), rest.len() > limit)
        };
        Ok(apart_if_many(&tournament, lines).await?)
    }

    /// The standings as they were at a time, by what had happened until then.
    ///
    /// # Errors
    /// `tournament_not_found`; `no_such_version` where it had not been created yet.
    pub async fn standings_as_of(
        &self,
        id: Uuid,
        as_of: Timestamp,
    ) -> Result<(Arc<Tournament>, Arc<Vec<Row>>), ServiceError> {
        let turn = self.games.runtime.store.turn().await?;
        let too_early = || {
            let detail = "the tournament had not been created yet at this time";
            ServiceError::refused(Refusal::new("no_such_version", detail))
        };
        let tournament = self.runtime.store.replay_until(id, as_of).await?.ok_or_else(too_early)?;
        let tables = tournament.rounds().iter().flat_map(|round| &round.tables);
        let everything: Vec<_> = tables.map(|table| (table.game, 0)).collect();
        let mut game_results = GameResults::new();
        for row in self.games.database.hands_after(id, &everything).await? {
            let awarded = hand_results::awarded(row)?;
            if awarded.at <= as_of {
                game_results.take(awarded);
            }
        }
        let rank = move || {
            let _turn = turn;
            let standings = tournament.standings(&game_results);
            (Arc::new(tournament), Arc::new(standings))
        };
        Ok(in_background(rank).await?)
    }

    /// The points that count, in the order in which they were scored: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// `tournament_not_found`; `entrant_not_found` where nobody is called `player`.
    pub async fn points(
        &self,
        id: Uuid,
        player: Option<&str>,
        mut after: Option<Cursor>,
        limit: usize,
    ) -> Result<Vec<Point>, ServiceError> {
        let cached = self.runtime.cached(id).await?;
        let tournament = self.runtime.catch_up(&cached).await?;
        let only = player.map(|name| entrant_named(&tournament, name)).transpose()?;
        let games = only.map(|entrant| games_of(&tournament, entrant));
        // Only for so long: whoever moves the tournament on waits for it.
        let game_results = self.game_results(&cached, &tournament).await?.game_results.clone();
        let delay = tournament.setup().spectator_delay_hands;
        let counted = tournament.counted_awards(&game_results);
        let mut points = Vec::new();
        loop {
            let from = after.map(|cursor| (cursor.at, cursor.game, cursor.seq));
            let page = self.games.database.scored(id, games.as_deref(), from, delay, PAGE).await?;
            for row in &page {
                for point in points_of(&tournament, &counted, row)? {
                    let here =
                        Cursor { at: point.at, game: point.game, seq: point.seq, seat: point.award.seat };
                    let is_wanted = only.is_none_or(|entrant| entrant == point.entrant);
                    if is_wanted && after.is_none_or(|after| here > after) {
                        points.push(point);
                    }
                }
            }
            let Some(last) = page.last().filter(|_| points.len() < limit && page.len() as i64 == PAGE) else {
                points.truncate(limit);
                return Ok(points);
            };
            after = Some(Cursor {
                at: last.at.into(),
                game: last.game_id,
                seq: last.seq.unsigned_abs(),
                seat: u8::MAX,
            });
        }
    }
}

/// Does work that takes the longer, the more entrants there are: of many, on a thread of its own.
async fn apart_if_many<T: Send + 'static>(
    tournament: &Tournament,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    if tournament.entrants().len() > MANY { in_background(work).await } else { Ok(work()) }
}

fn entrant_named(tournament: &Tournament, name: &str) -> Result<u32, ServiceError> {
    // One who left before the start may have come back as another entrant.
    let is_meant = |listed: &&Registration| {
        listed.entrant.is_named(name) && listed.departure != Some(Departure::TakenOff)
    };
    let found = tournament.entrants().iter().find(is_meant);
    let not_found = || {
        ServiceError::refused(Refusal::new("entrant_not_found", format!("no {name} is in this tournament")))
    };
    found.map(|listed| listed.entrant.number).ok_or_else(not_found)
}

fn games_of(tournament: &Tournament, entrant: u32) -> Vec<Uuid> {
    let tables = tournament.rounds().iter().flat_map(|round| &round.tables);
    tables.filter(|table| table.seats.contains(&Some(entrant))).map(|table| table.game).collect()
}

fn points_of(
    tournament: &Tournament,
    counted: &CountedAwards<'_>,
    row: &Scored,
) -> Result<Vec<Point>, StoreError> {
    let mut awards: Vec<Award> = serde_json::from_str(&row.awards)
        .map_err(|error| StoreError::Broken(format!("points of game {}: {error}", row.game_id)))?;
    // In the order of the cursor.
    awards.sort_unstable_by_key(|award| award.seat);
    let (hand, seq) = (row.hand.unsigned_abs(), row.seq.unsigned_abs());
    let point = |award: Award| {
        let CountedAward { entrant, round, table, award } = counted.of(row.game_id, hand, award)?;
        let player = tournament.entrants().get(entrant as usize)?.entrant.name().to_owned();
        Some(Point { player, entrant, round, table, game: row.game_id, hand, seq, at: row.at.into(), award })
    };
    Ok(awards.into_iter().filter_map(point).collect())
}
