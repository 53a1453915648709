//! Games that no person attends to: those that the house plays by itself, and those that wait for people in vain.

use uuid::Uuid;

use super::{Active, Stage, Table};

/// After so many entries in which no player has acted, the house plays by itself. A hand among ten bots takes fewer.
const UNATTENDED_AFTER: u32 = 256;

impl Table {
    /// The account of whoever made the game; of a tournament's games, its organiser.
    pub fn creator(&self) -> Uuid {
        self.about.account
    }

    /// Whether somebody with an account sits at the table.
    pub fn has_people(&self) -> bool {
        self.accounts().next().is_some()
    }

    /// Whether the house plays this game by itself: no person sits at it, or none has acted for a long time while bots
    /// and the clock played on.
    pub fn is_unattended(&self) -> bool {
        match &self.stage {
            Stage::Open => false,
            Stage::Active(Active { timing: Some(timing), .. }) if timing.unattended > UNATTENDED_AFTER => {
                true
            }
            _ => !self.has_people(),
        }
    }
}
