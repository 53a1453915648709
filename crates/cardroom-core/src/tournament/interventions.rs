//! What organisers did to a table.

use jiff::Timestamp;
use uuid::Uuid;

use super::game_results::{End, Game};

/// A result that an organiser has set.
#[derive(Debug, Clone)]
pub struct SetResult {
    pub reason: String,
    pub at: Timestamp,
    /// The organiser's name.
    pub by: String,
    /// As if the game had ended so.
    pub(super) game: Game,
}

impl SetResult {
    /// Stack, score or total, seat 0 first.
    pub fn scores(&self) -> &[i64] {
        &self.game.scores
    }

    /// Seat 0 first.
    pub fn places(&self) -> &[u8] {
        match &self.game.end {
            Some(End::Finished { places, .. }) => places,
            _ => &[],
        }
    }
}

/// What became of a table besides its game.
#[derive(Debug, Clone, Default)]
pub struct Intervention {
    /// The games that were played there before and count for nothing, the oldest first.
    pub earlier_games: Vec<Uuid>,
    pub result: Option<SetResult>,
    /// The clocks of the table alone stand still.
    pub(super) is_paused: bool,
}
