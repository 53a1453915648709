//! What plays in a match.

use std::fmt;

use cardroom_core::bots::{self, Observation};
use cardroom_core::log::entry::Policy;
use serde_json::value::RawValue;

/// A way to play.
#[derive(Debug, Clone, Copy)]
pub enum Contender {
    /// As a table's bots play.
    Policy(Policy),
    /// What comes out best in so many worlds.
    Worlds(u32),
}

impl Contender {
    /// The policy with this name.
    pub fn read(name: &str) -> Result<Contender, String> {
        if let Ok(policy) = serde_json::from_value(name.into()) {
            return Ok(Contender::Policy(policy));
        }
        let worlds = name.strip_prefix("worlds:").and_then(|worlds| worlds.parse().ok());
        let worlds =
            worlds.filter(|&worlds| worlds > 0).ok_or_else(|| format!("there is no policy `{name}`"))?;
        Ok(Contender::Worlds(worlds))
    }

    pub fn choose(self, seen: &Observation, luck: u64) -> Box<RawValue> {
        match self {
            Contender::Policy(policy) => bots::choose(policy, seen, luck),
            Contender::Worlds(worlds) => bots::thought_out(seen, worlds, luck),
        }
    }
}

impl fmt::Display for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contender::Policy(policy) => f.pad(policy.as_str()),
            Contender::Worlds(worlds) => f.pad(&format!("worlds:{worlds}")),
        }
    }
}
