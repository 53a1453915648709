//! Those who take part in a tournament, and those who run it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::log::entry::Policy;
use crate::rules::{Refusal, within};

/// The caller: an account, and whether it may do everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub account: Uuid,
    pub username: String,
    pub admin: bool,
    /// Whether the account has neither a name of its own nor a password.
    pub is_guest: bool,
    /// Whether the account says that it is a program.
    pub is_program: bool,
}

/// What an organiser may do. Each role may do what the ones before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = OrganiserRole)]
pub enum Role {
    /// Decides at the tables: calls, clocks, results, penalties, check-in and announcements.
    Referee,
    /// Runs the tournament: entrants, start, rounds, and what is told about it.
    #[default]
    Director,
    /// Created the tournament, and names and dismisses the others.
    Owner,
}

/// An account that may run the tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organiser {
    pub account: Uuid,
    #[serde(rename = "player")]
    pub name: String,
    pub role: Role,
}

/// A player or a bot in the tournament.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// From 0, in the order of entry.
    #[serde(rename = "entrant")]
    pub number: u32,
    pub who: Who,
    /// Left out where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
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
        player: String,
    },
}

/// How entrants play in teams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Teams {
    /// The most members of a team.
    #[schema(minimum = 2, maximum = 100)]
    pub size: u8,
    /// How many members count for each of the two prizes, the best first; null: all.
    #[schema(required, minimum = 1, maximum = 100)]
    pub counts: Option<u8>,
}

impl Teams {
    pub(super) fn check(&self, in_rounds: bool) -> Result<(), Refusal> {
        within("size", self.size, 2..=100)?;
        if let Some(counts) = self.counts {
            within("counts", counts, 1..=self.size)?;
        }
        if in_rounds {
            return Ok(());
        }
        // Results of different rounds of a knockout cannot be added up.
        Err(Refusal::options("`teams` are for tournaments of rounds"))
    }
}

impl Entrant {
    /// Whether standings call them so, in any case: no two names differ by their case alone.
    pub fn is_named(&self, name: &str) -> bool {
        self.name().eq_ignore_ascii_case(name)
    }

    /// What standings call them.
    pub fn name(&self) -> &str {
        self.who.player()
    }

    /// The account; bots have none.
    pub fn account(&self) -> Option<Uuid> {
        self.who.account()
    }

    /// A bot's policy; players have none.
    pub fn policy(&self) -> Option<Policy> {
        match self.who {
            Who::Player { .. } => None,
            Who::Bot { bot, .. } => Some(bot),
        }
    }

    pub fn is_bot(&self) -> bool {
        self.policy().is_some()
    }
}

impl Who {
    /// The name of the player or of the bot.
    pub fn player(&self) -> &str {
        match self {
            Who::Player { player, .. } | Who::Bot { player, .. } => player,
        }
    }

    /// The account; bots have none.
    pub fn account(&self) -> Option<Uuid> {
        match self {
            Who::Player { account, .. } => Some(*account),
            Who::Bot { .. } => None,
        }
    }
}
