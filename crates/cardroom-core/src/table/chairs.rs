//! Who sits at the table: people, who have accounts, and bots, who have none.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::log::entry::{Policy, Seated};
use crate::rules::Seat;

/// Those who sit, by seat.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Chairs {
    chairs: Vec<Chair>,
    #[serde(skip)]
    shown: OnceLock<Box<RawValue>>,
}

impl Deref for Chairs {
    type Target = [Chair];

    fn deref(&self) -> &[Chair] {
        &self.chairs
    }
}

impl Chairs {
    /// The chairs, to be changed.
    pub fn change(chairs: &mut Arc<Chairs>) -> &mut Vec<Chair> {
        let chairs = Arc::make_mut(chairs);
        chairs.shown.take();
        &mut chairs.chairs
    }

    /// How they are shown, as long as nothing but the chairs themselves bears on it: `show` is asked once.
    pub fn shown(&self, show: impl FnOnce() -> Box<RawValue>) -> &RawValue {
        self.shown.get_or_init(show)
    }
}

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
