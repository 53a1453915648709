//! Those who take part in a tournament.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::log::entry::Policy;

/// An account that may run the tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organiser {
    pub account: Uuid,
    pub name: String,
}

/// A player or a bot in the tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// From 0, in the order of entry.
    pub number: u32,
    pub who: Who,
}

/// A player or a bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Who {
    Player {
        player: String,
        account: Uuid,
        /// The player's part in the chances of their games.
        client_seed: String,
        /// Whether the account says that it is a program. Left out if it does not.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        program: bool,
    },
    Bot {
        bot: Policy,
        /// `steady 3`: no account can have such a name.
        name: String,
    },
}

impl Entrant {
    /// What standings call them.
    pub fn name(&self) -> &str {
        match &self.who {
            Who::Player { player, .. } => player,
            Who::Bot { name, .. } => name,
        }
    }

    /// The account; bots have none.
    pub fn account(&self) -> Option<Uuid> {
        self.who.account()
    }

    pub fn is_bot(&self) -> bool {
        matches!(self.who, Who::Bot { .. })
    }
}

impl Who {
    /// The account; bots have none.
    pub fn account(&self) -> Option<Uuid> {
        match self {
            Who::Player { account, .. } => Some(*account),
            Who::Bot { .. } => None,
        }
    }
}
