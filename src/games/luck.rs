//! What somebody won in several games, with the luck of the deals and without.

use std::net::IpAddr;

use cardroom_core::review::luck::{GameLuck, SeatLuck};
use cardroom_core::rules::Refusal;
use tokio::time::{Duration, Instant, timeout_at};
use uuid::Uuid;

use crate::games::reviews::Reviews;
use crate::games::service::GameService;
use crate::runtime::error::ServiceError;

/// How long a request waits while games are played out. What is known by then is kept for the next.
const PATIENCE: Duration = Duration::from_secs(20);

/// What somebody won in several games.
#[derive(Debug, Clone)]
pub struct LuckSum {
    pub games: u32,
    /// Won games; a win that is shared counts in parts.
    pub won: f64,
    /// What the deals were worth, and the standard error.
    pub luck: (f64, f64),
    /// `won` without luck, and the standard error that comes from the estimate.
    pub won_without_luck: (f64, f64),
}

impl LuckSum {
    pub fn of(seats: &[SeatLuck]) -> LuckSum {
        let sum = |of: fn(&SeatLuck) -> f64| seats.iter().map(of).sum::<f64>();
        let error =
            |of: fn(&SeatLuck) -> f64| seats.iter().map(|seat| of(seat) * of(seat)).sum::<f64>().sqrt();
        LuckSum {
            games: seats.len() as u32,
            won: sum(|seat| seat.won),
            luck: (sum(|seat| seat.luck), error(|seat| seat.luck_error)),
            won_without_luck: (sum(|seat| seat.won_without_luck), error(|seat| seat.won_without_luck_error)),
        }
    }
}

/// Reads the luck of games for one request, which does not wait for ever.
pub struct LuckReader<'s> {
    games: &'s GameService,
    reviews: &'s Reviews,
    /// Where the caller is.
    network: IpAddr,
    until: Instant,
}

impl<'s> LuckReader<'s> {
    pub fn new(games: &'s GameService, reviews: &'s Reviews, network: IpAddr) -> LuckReader<'s> {
        LuckReader { games, reviews, network, until: Instant::now() + PATIENCE }
    }

    /// The luck of a game that anyone may see; none where it was called off.
    ///
    /// # Errors
    /// `not_finished`, [`ServiceError::NotFound`]; `unavailable` where it takes too long: what has begun goes on when nobody
    /// waits for it any longer.
    pub async fn game(&self, id: Uuid) -> Result<Option<GameLuck>, ServiceError> {
        timeout_at(self.until, self.read(id)).await.map_err(|_| still_computed())?
    }

    /// What a player won in these games. What not everybody may see is not told by a sum either, and left out.
    ///
    /// # Errors
    /// As [`LuckReader::game`].
    pub async fn of_player(
        &self,
        account: Uuid,
        games: impl Iterator<Item = Uuid>,
    ) -> Result<LuckSum, ServiceError> {
        let mut seats = Vec::new();
        for id in games {
            match timeout_at(self.until, self.seat_of(account, id)).await.map_err(|_| still_computed())? {
                Ok(seat) => seats.extend(seat),
                // What nobody can read does not keep the player from the rest.
                Err(error) if error.is_of_one_log() => {
                    tracing::error!(%error, "the luck of a game cannot be read");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(LuckSum::of(&seats))
    }

    /// What a player's seat won in a game; none where not everybody may see its end.
    async fn seat_of(&self, account: Uuid, id: Uuid) -> Result<Option<SeatLuck>, ServiceError> {
        let table = match self.games.look(id, None).await {
            Ok(table) if table.is_over() => table,
            Ok(_) | Err(ServiceError::NotFound) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(seat) = table.seat_of(account) else { return Ok(None) };
        let luck = self.reviews.luck(table, self.network).await?;
        Ok(luck.and_then(|luck| luck.seats.into_iter().nth(seat.into())))
    }

    async fn read(&self, id: Uuid) -> Result<Option<GameLuck>, ServiceError> {
        let game = self.games.look(id, None).await?;
        if !game.is_over() {
            return Err(not_finished("the game is not over; what it hides would be told"));
        }
        self.reviews.luck(game, self.network).await
    }
}

/// A refusal, because what is hidden would be told.
pub fn not_finished(detail: &'static str) -> ServiceError {
    ServiceError::refused(Refusal::new("not_finished", detail))
}

fn still_computed() -> ServiceError {
    let detail = "the luck of these games is still being computed; ask again, and it goes on";
    ServiceError::refused(Refusal::new("unavailable", detail))
}
