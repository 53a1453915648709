//! The lots of a round, and the seats that follow from them.

use uuid::Uuid;

use super::log::RoundTable;
use super::state::Tournament;
use super::versions::PairingVersion;

/// The lots of a round.
pub(super) struct Lots {
    /// The entrants in the order that was drawn.
    pub drawn: Vec<u32>,
    /// By entrant, where they stand in the lots.
    at: Vec<Option<u32>>,
}

impl Lots {
    pub fn new(tournament: &Tournament, drawn: Vec<u32>) -> Lots {
        let mut at = vec![None; tournament.entrants.len()];
        for (&entrant, position) in drawn.iter().zip(0..) {
            at[entrant as usize] = Some(position);
        }
        Lots { drawn, at }
    }

    /// An entrant's position; none for an entrant who is not in them.
    pub fn position(&self, entrant: u32) -> Option<u32> {
        self.at.get(entrant as usize).copied().flatten()
    }

    pub fn sorted(&self, mut entrants: Vec<u32>) -> Vec<u32> {
        entrants.sort_unstable_by_key(|&entrant| self.position(entrant));
        entrants
    }

    /// Gives each their seat; bots fill the last ones, up to so many at each table.
    pub fn seated(
        &self,
        tournament: &Tournament,
        fewest: usize,
        tables: Vec<Vec<u32>>,
        ids: &mut dyn FnMut() -> Uuid,
    ) -> Vec<RoundTable> {
        let counts = match tournament.about.pairing {
            PairingVersion::V1 => None,
            PairingVersion::V2 => Some(tournament.seat_counts()),
        };
        let tables = tables.into_iter().enumerate().map(|(at, players)| {
            let players = self.sorted(players);
            let seated = counts.as_ref().map_or_else(|| players.clone(), |counts| counts.seated(&players));
            let mut seats: Vec<Option<u32>> = seated.into_iter().map(Some).collect();
            seats.resize(seats.len().max(fewest), None);
            RoundTable { table: at as u16 + 1, game: ids(), seats, stacks: Vec::new() }
        });
        tables.collect()
    }
}
