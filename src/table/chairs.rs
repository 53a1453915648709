//! Who sits at the table: people, who have accounts, and bots, who have none.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::ledger::entry::{Policy, Seated};
use crate::rules::Seat;

/// Somebody at the table.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Chair {
    pub seat: Seat,
    pub who: Sitter,
    pub client_seed: String,
}

/// Who sits on a chair.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Sitter {
    Player { account: Uuid, name: String },
    Bot(Policy),
}

impl Chair {
    pub fn of(seat: Seat, seated: &Seated) -> Chair {
        let (who, client_seed) = match seated.clone() {
            Seated::Player { player, account, client_seed } => {
                (Sitter::Player { account, name: player }, client_seed)
            }
            Seated::Bot { bot, client_seed } => (Sitter::Bot(bot), client_seed),
        };
        Chair { seat, who, client_seed }
    }

    pub fn account(&self) -> Option<Uuid> {
        match self.who {
            Sitter::Player { account, .. } => Some(account),
            Sitter::Bot(_) => None,
        }
    }

    pub fn player(&self) -> Option<&str> {
        match &self.who {
            Sitter::Player { name, .. } => Some(name),
            Sitter::Bot(_) => None,
        }
    }

    pub fn policy(&self) -> Option<Policy> {
        match self.who {
            Sitter::Player { .. } => None,
            Sitter::Bot(policy) => Some(policy),
        }
    }

    /// What a hand history calls it. No account can have a bot's name.
    pub fn name(&self) -> String {
        match &self.who {
            Sitter::Player { name, .. } => name.clone(),
            Sitter::Bot(policy) => format!("{} (seat {})", policy.as_str(), self.seat),
        }
    }
}
