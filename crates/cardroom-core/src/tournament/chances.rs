//! What the chances of a tournament's games come from. The house commits to all of it when the tournament is made, so it
//! cannot choose the cards of a table to fit the players who sit there and the client seeds that they have brought.

use uuid::{Builder, Uuid};

use super::log::{RoundBegan, RoundTable};
use super::state::Tournament;
use crate::log::fairness::Seed;

impl Tournament {
    /// The server seed of the game at a table of a round. It follows from the tournament's seed: the tables of a duplicate
    /// round share one, and a table that is played once more has another.
    pub fn game_seed(&self, began: &RoundBegan, table: &RoundTable) -> Seed {
        let round = began.round;
        if began.shuffle_id.is_some() {
            return Seed::new(self.seed.hmac(format_args!("round:{round}")));
        }
        let found = self.interventions.get(&(round, table.table));
        let earlier = found.map_or(0, |found| found.earlier_games.len());
        Seed::new(self.seed.hmac(format_args!("table:{round}:{}:{earlier}", table.table)))
    }

    /// What the tables of a duplicate round share. None in other tournaments.
    pub(super) fn shuffle_id(&self, round: u16) -> Option<Uuid> {
        let digest = || self.seed.hmac(format_args!("shuffle:{round}"));
        self.setup().duplicate.then(|| {
            let mut bytes = [0; 16];
            bytes.copy_from_slice(&digest()[..16]);
            Builder::from_random_bytes(bytes).into_uuid()
        })
    }
}
