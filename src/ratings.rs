//! Ratings: finished games are counted one after the other, by the first replica that takes them.

use cardroom_core::log::entry::{AtTournament, Created, Event, Visibility};
use cardroom_core::rating::{Counters, Game, Key, Player, PlayerRating, PlayerRatings, Window};
use cardroom_core::rules::MAX_SEATS;
use cardroom_core::rules::registry::{self, Kind};
use cardroom_core::table::Table;
use cardroom_core::table::hand_result::HandResult;
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::accounts::GUEST_PREFIX;
use crate::games::service::GameService;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::ratings::{BoardLine, NewPoint, RatingRow, StoredCounters};

/// How many games are handled in one go.
const AT_ONCE: i64 = 16;
/// How long a game waits while its end must stay secret.
const LATER: SignedDuration = SignedDuration::from_secs(5);
/// How many games a rebuild reads at a time.
const PAGE: i64 = 500;

/// Counts games, and reads the leaderboards.
#[derive(Clone)]
pub struct Ratings {
    games: GameService,
}

impl Ratings {
    pub fn new(games: GameService) -> Ratings {
        Ratings { games }
    }

    /// Handles games that have finished. Returns how many it has handled, without those that another replica is
    /// counting.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn poll(&self) -> Result<usize, StoreError> {
        let mut done = 0;
        let now = self.games.uptime.now().at;
        for id in self.games.database.unrated_games(now, now + 2 * LATER, AT_ONCE).await? {
            done += usize::from(self.process(id, now).await?);
        }
        Ok(done)
    }

    async fn process(&self, id: Uuid, now: Timestamp) -> Result<bool, StoreError> {
        let database = &self.games.database;
        match self.read(id).await {
            Ok((table, _)) if self.is_to_be_told_later(&table).await? => {
                database.rate_later(id, now + LATER).await?;
                return Ok(false);
            }
            Ok((_, Some(game))) => return self.count(id, &game).await,
            Ok((_, None)) => {}
            // What cannot be opened may be opened later, by another key or from an archive that is back.
            Err(ServiceError::Store(error @ (StoreError::Archive(_) | StoreError::Secret(_)))) => {
                tracing::error!(%error, %id, "a finished game cannot be read, so it is counted later");
                database.rate_later(id, now + LATER).await?;
                return Ok(false);
            }
            Err(ServiceError::Store(error)) => return Err(error),
            Err(error) => {
                tracing::error!(%error, %id, "a finished game cannot be read, so it does not count")
            }
        }
        database.dismiss(id).await?;
        Ok(true)
    }

    /// Whether the result must stay secret for now: the end of a duplicate table would reveal cards that other tables
    /// are still to be dealt.
    async fn is_to_be_told_later(&self, table: &Table) -> Result<bool, StoreError> {
        match table.tournament() {
            Some(AtTournament { shuffle_id: Some(shuffle_id), .. }) => {
                self.games.database.is_dealt_elsewhere(*shuffle_id).await
            }
            _ => Ok(false),
        }
    }

    async fn count(&self, id: Uuid, game: &Game) -> Result<bool, StoreError> {
        let periods = Window::EACH.map(|window| window.period(game.ended_at));
        let accounts: Vec<Uuid> = game.players.iter().map(|player| player.account).collect();
        let count = |rows: Vec<RatingRow>| {
            let mut ladder: PlayerRatings = rows.into_iter().map(figures).collect();
            game.count(&mut ladder);
            ladder.into_iter().map(row).collect()
        };
        self.games.database.rate((id, game.ended_at), &game.kind, &periods, &accounts, count).await
    }

    /// Reads a finished game, and what it shows about the strength of its players, from its log alone; `None` where it
    /// does not count.
    async fn read(&self, id: Uuid) -> Result<(Table, Option<Game>), ServiceError> {
        let (seed, log) = self.games.runtime.store.log(id).await?;
        let created = log.first().and_then(|(entry, _)| match &entry.event {
            Event::Created(created) => Some(created.clone()),
            _ => None,
        });
        let (table, hands) =
            Table::replay_hands(id, seed, log).map_err(|fault| ServiceError::Fault(id, fault))?;
        let game = created.and_then(|created| game_of(&created, &table, &hands));
        Ok((table, game))
    }

    /// Discards all figures and counts the games again, in the order in which they were counted. Returns the number of
    /// those games. No replica counts games meanwhile.
    ///
    /// # Errors
    /// [`ServiceError`] at the first log that cannot be read; nothing has changed then.
    pub async fn rebuild(&self) -> Result<usize, ServiceError> {
        let mut lock = self.games.database.rating_lock().await?;
        let mut ladder = PlayerRatings::new();
        let (mut games, mut after) = (0, 0);
        loop {
            let page = self.games.database.rated_games(after, PAGE).await?;
            let Some(&(last, _)) = page.last() else { break };
            let mut history = Vec::new();
            for &(n, id) in &page {
                if let (_, Some(game)) = self.read(id).await? {
                    game.count(&mut ladder);
                    history.extend(points(&ladder, &game, n, id));
                }
            }
            lock.add_history(history).await?;
            (games, after) = (games + page.len(), last);
        }
        let rows: Vec<RatingRow> = ladder.into_iter().map(row).collect();
        lock.replace_all(&rows).await?;
        Ok(games)
    }

    /// A page of a leaderboard as it is now, of programs or of people, the best first: the lines after `after`, a rating and an account.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn board(
        &self,
        kind: &str,
        window: Window,
        of_programs: bool,
        after: Option<(f64, Uuid)>,
        limit: i64,
    ) -> Result<Vec<BoardLine>, StoreError> {
        let period = window.period(self.games.uptime.now().at);
        self.games.database.board(kind, &period, of_programs, after, limit).await
    }
}

/// What a game shows about the strength of its players; `None` where it does not count.
pub(crate) fn game_of(created: &Created, table: &Table, hands: &[HandResult]) -> Option<Game> {
    if created.visibility != Visibility::Public {
        return None;
    }
    let counters = counters(registry::by_version(&created.kind, created.rules_version)?, hands);
    let (players, ended_at) = (players(table, counters), table.changed_at());
    let game = Game { kind: created.kind.clone(), ended_at, hands: hands.len() as u32, players };
    Some(game).filter(|game| game.players.len() > 1)
}

/// The players at the table who are neither bots nor guests. A player who sat down as a guest counts as a guest in this
/// game.
fn players(table: &Table, mut counters: [Counters; MAX_SEATS]) -> Vec<Player> {
    let names = table.names();
    let seats: Vec<(u8, Uuid)> = table.accounts().collect();
    let Some(outcome) = table.outcome() else { return Vec::new() };
    let player = |(seat, account): (u8, Uuid)| {
        let place = outcome.places.iter().find(|placing| placing.seat == seat)?.place;
        let is_guest = names[usize::from(seat)].starts_with(GUEST_PREFIX);
        (!is_guest).then(|| Player {
            account,
            place,
            counters: std::mem::take(&mut counters[usize::from(seat)]),
        })
    };
    seats.into_iter().filter_map(player).collect()
}

/// The kind's own counters for each seat, from what its hands revealed to everybody.
fn counters(kind: &Kind, hands: &[HandResult]) -> [Counters; MAX_SEATS] {
    let mut counters: [Counters; MAX_SEATS] = Default::default();
    for fact in hands.iter().flat_map(|hand| &hand.facts) {
        if let Some((seat, name, more)) = (kind.counted)(fact) {
            *counters[usize::from(seat)].entry(name.to_owned()).or_default() += more;
        }
    }
    counters
}

/// The ratings of a game's players after it.
fn points(ladder: &PlayerRatings, game: &Game, n: i64, id: Uuid) -> Vec<NewPoint> {
    let point = |player: &Player| NewPoint::of(&of_all_time(ladder, game, player)?, n, id, game.ended_at);
    game.players.iter().filter_map(point).collect()
}

/// A player's figures of all time.
pub(crate) fn of_all_time(ladder: &PlayerRatings, game: &Game, player: &Player) -> Option<RatingRow> {
    let period = Window::All.period(game.ended_at);
    let key = Key { kind: game.kind.clone(), period, account: player.account };
    let figures = ladder.get(&key)?.clone();
    Some(row((key, figures)))
}

pub(crate) fn figures(row: RatingRow) -> (Key, PlayerRating) {
    let RatingRow { account_id, kind, period, rating: _, mu, sigma, .. } = row;
    let figures = PlayerRating {
        mu,
        sigma,
        games: row.games.unsigned_abs(),
        wins: row.wins.unsigned_abs(),
        hands: row.hands.unsigned_abs(),
        streak: row.streak.unsigned_abs(),
        best_streak: row.best_streak.unsigned_abs(),
        counters: row.counters.0,
    };
    (Key { kind, period, account: account_id }, figures)
}

pub(crate) fn row((key, figures): (Key, PlayerRating)) -> RatingRow {
    RatingRow {
        account_id: key.account,
        kind: key.kind,
        period: key.period,
        rating: figures.rating(),
        mu: figures.mu,
        sigma: figures.sigma,
        games: figures.games.cast_signed(),
        wins: figures.wins.cast_signed(),
        hands: figures.hands.cast_signed(),
        streak: figures.streak.cast_signed(),
        best_streak: figures.best_streak.cast_signed(),
        counters: StoredCounters(figures.counters),
    }
}
