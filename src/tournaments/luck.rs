//! The results of a tournament without the luck of the deals, beside its standings.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use cardroom_core::review::luck::{GameLuck, SeatLuck};
use cardroom_core::tournament::{RoundTable, Row, Tournament};
use moka::future::Cache;
use uuid::Uuid;

use crate::games::luck::{LuckReader, LuckSum, not_finished};
use crate::games::reviews::Reviews;
use crate::runtime::error::ServiceError;
use crate::tournaments::service::Tournaments;

/// Of how many tables the luck is told.
const TABLES: usize = 500;
/// How many tournaments are in memory.
const IN_MEMORY: u64 = 64;

/// What an entrant won, with luck and without.
#[derive(Debug, Clone)]
pub struct EntrantLuck {
    pub place: Option<u32>,
    pub player: String,
    pub sum: LuckSum,
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

/// The luck of the games of a tournament.
struct GamesLuck {
    games: u32,
    /// Games that cannot be read.
    left_out: u32,
    /// By the entrant's number.
    seats: HashMap<u32, Vec<SeatLuck>>,
}

/// Takes the luck out of the results of tournaments.
#[derive(Clone)]
pub struct TournamentLucks {
    tournaments: Tournaments,
    reviews: Reviews,
    /// By the tournament and its version: organisers can still change things when it is over.
    known: Cache<(Uuid, u32), Arc<GamesLuck>>,
}

impl TournamentLucks {
    pub fn new(tournaments: Tournaments, reviews: Reviews) -> TournamentLucks {
        TournamentLucks { tournaments, reviews, known: Cache::new(IN_MEMORY) }
    }

    /// The luck of a tournament that is over. `network`: where the caller is.
    ///
    /// # Errors
    /// `tournament_not_found`; `not_finished` while it or one of its games runs; `unavailable` where it takes too long: what
    /// is known by then is kept, and the next request goes on.
    pub async fn tournament(&self, id: Uuid, network: IpAddr) -> Result<TournamentLuck, ServiceError> {
        if !self.tournaments.look(id).await?.is_over() {
            return Err(not_finished("the tournament is not over; what it hides would be told"));
        }
        let (tournament, standings) = self.tournaments.standings(id).await?;
        let key = (id, tournament.version);
        let luck = match self.known.get(&key).await {
            Some(known) => known,
            None => {
                let luck = Arc::new(self.of_games(&tournament, network).await?);
                self.known.insert(key, luck.clone()).await;
                luck
            }
        };
        let seats = |row: &Row| luck.seats.get(&row.entrant).map(Vec::as_slice).unwrap_or_default();
        let entrants = standings.iter().map(|row| EntrantLuck::of(row, seats(row))).collect();
        let tables_left_out = luck.left_out + tables(&tournament).count().saturating_sub(TABLES) as u32;
        Ok(TournamentLuck { games: luck.games, tables_left_out, entrants })
    }

    async fn of_games(&self, tournament: &Tournament, network: IpAddr) -> Result<GamesLuck, ServiceError> {
        let reader = LuckReader::new(&self.tournaments.games, &self.reviews, network);
        let (mut games, mut left_out, mut seats) = (0, 0, HashMap::<u32, Vec<SeatLuck>>::new());
        let ids: Vec<Uuid> = tables(tournament).take(TABLES).map(|table| table.game).collect();
        let mut kept = self.reviews.kept_lucks(&ids).await?;
        for table in tables(tournament).take(TABLES) {
            let luck = match kept.remove(&table.game) {
                Some(kept) => Some(kept),
                None => match reader.game(table.game).await {
                    Err(error) if error.is_of_one_log_for_good() => {
                        tracing::error!(%error, game = %table.game, "a tournament's luck leaves out a game");
                        left_out += 1;
                        None
                    }
                    luck => luck?,
                },
            };
            let Some(GameLuck { seats: of_seats, .. }) = luck else { continue };
            games += 1;
            for (entrant, seat) in table.seats.iter().zip(of_seats) {
                if let Some(entrant) = entrant {
                    seats.entry(*entrant).or_default().push(seat);
                }
            }
        }
        Ok(GamesLuck { games, left_out, seats })
    }
}

impl EntrantLuck {
    fn of(row: &Row, seats: &[SeatLuck]) -> EntrantLuck {
        EntrantLuck { place: row.place, player: row.player.clone(), sum: LuckSum::of(seats) }
    }
}

fn tables(tournament: &Tournament) -> impl Iterator<Item = &RoundTable> {
    tournament.rounds().iter().flat_map(|round| &round.tables)
}
