//! The results of a tournament without the luck of the deals, beside its standings.

use std::collections::HashMap;
use std::sync::Arc;

use cardroom_core::review::luck::SeatLuck;
use cardroom_core::rules::Refusal;
use cardroom_core::tournament::{Row, Tournament};
use moka::future::Cache;
use tokio::time::{Duration, Instant};
use uuid::Uuid;

use crate::games::reviews::Reviews;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::tournaments::service::Tournaments;

/// Of how many tables the luck is told.
const TABLES: usize = 500;
/// How long a request waits while games are played out. What is known by then is kept for the next.
const PATIENCE: Duration = Duration::from_secs(20);
/// How many tournaments are in memory.
const IN_MEMORY: u64 = 64;

/// What an entrant won, with luck and without.
#[derive(Debug, Clone)]
pub struct EntrantLuck {
    pub place: Option<u32>,
    pub player: String,
    pub games: u32,
    /// Won games; a win that is shared counts in parts.
    pub won: f64,
    /// What the deals were worth, and the standard error.
    pub luck: (f64, f64),
    /// `won` without luck, and the standard error that comes from the estimate.
    pub won_without_luck: (f64, f64),
}

/// The luck of a tournament that is over.
#[derive(Debug)]
pub struct TournamentLuck {
    /// How many games are counted.
    pub games: u32,
    /// How many tables came after those that are looked at.
    pub tables_left_out: u32,
    /// In the order of the standings.
    pub entrants: Vec<EntrantLuck>,
}

/// Takes the luck out of the results of tournaments.
#[derive(Clone)]
pub struct Lucks {
    tournaments: Tournaments,
    reviews: Reviews,
    known: Cache<Uuid, Arc<TournamentLuck>>,
}

impl Lucks {
    pub fn new(tournaments: Tournaments, reviews: Reviews) -> Lucks {
        Lucks { tournaments, reviews, known: Cache::new(IN_MEMORY) }
    }

    /// The luck of a tournament that is over.
    ///
    /// # Errors
    /// `tournament_not_found`; `not_finished` while it or one of its games runs; [`StoreError::Busy`] where it takes too
    /// long: what is known by then is kept, and the next request goes on.
    pub async fn tournament(&self, id: Uuid) -> Result<Arc<TournamentLuck>, ServiceError> {
        let tournament = self.tournaments.look(id).await?;
        if !tournament.is_over() {
            return Err(not_finished());
        }
        if let Some(known) = self.known.get(&id).await {
            return Ok(known);
        }
        let (tournament, standings) = self.tournaments.standings(id).await?;
        let luck = Arc::new(self.of(&tournament, &standings).await?);
        self.known.insert(id, luck.clone()).await;
        Ok(luck)
    }

    async fn of(&self, tournament: &Tournament, standings: &[Row]) -> Result<TournamentLuck, ServiceError> {
        let until = Instant::now() + PATIENCE;
        let mut by_entrant: HashMap<u32, Vec<SeatLuck>> = HashMap::new();
        let mut games = 0;
        let tables = || tournament.rounds().iter().flat_map(|round| &round.tables);
        for table in tables().take(TABLES) {
            if Instant::now() > until {
                return Err(StoreError::Busy("games of this tournament").into());
            }
            let game = self.tournaments.games.look(table.game, None).await?;
            if !game.is_over() {
                return Err(not_finished());
            }
            let Some(luck) = self.reviews.luck(game).await? else { continue };
            games += 1;
            for (entrant, seat) in table.seats.iter().zip(&luck.seats) {
                if let Some(entrant) = entrant {
                    by_entrant.entry(*entrant).or_default().push(seat.clone());
                }
            }
        }
        let entrant = |row: &Row| {
            let seats = by_entrant.remove(&row.entrant).unwrap_or_default();
            EntrantLuck::of(row, &seats)
        };
        let entrants = standings.iter().map(entrant).collect();
        let tables_left_out = tables().count().saturating_sub(TABLES) as u32;
        Ok(TournamentLuck { games, tables_left_out, entrants })
    }
}

impl EntrantLuck {
    fn of(row: &Row, seats: &[SeatLuck]) -> EntrantLuck {
        let sum = |of: fn(&SeatLuck) -> f64| seats.iter().map(of).sum::<f64>();
        let error =
            |of: fn(&SeatLuck) -> f64| seats.iter().map(|seat| of(seat) * of(seat)).sum::<f64>().sqrt();
        EntrantLuck {
            place: row.place,
            player: row.player.clone(),
            games: seats.len() as u32,
            won: sum(|seat| seat.won),
            luck: (sum(|seat| seat.luck), error(|seat| seat.luck_error)),
            won_without_luck: (sum(|seat| seat.won_without_luck), error(|seat| seat.error)),
        }
    }
}

fn not_finished() -> ServiceError {
    ServiceError::refused(Refusal::new(
        "not_finished",
        "the tournament is not over; what it hides would be told",
    ))
}
