//! What personal access tokens may be used for.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::store::error::StoreError;

/// What a token may be used for. Each includes reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// See what its owner sees: games, tournaments, streams.
    Read,
    /// Create games, sit down, act, and enter tournaments.
    Play,
    /// Create and run tournaments.
    Organise,
}

impl Scope {
    pub fn word(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Play => "play",
            Scope::Organise => "organise",
        }
    }

    fn of(word: &str) -> Result<Scope, StoreError> {
        let known =
            [Scope::Read, Scope::Play, Scope::Organise].into_iter().find(|scope| scope.word() == word);
        known.ok_or_else(|| StoreError::Broken(format!("a token has the scope {word:?}")))
    }
}

/// The scopes of a token: at least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes {
    play: bool,
    organise: bool,
}

impl Scopes {
    /// # Errors
    /// [`StoreError::Broken`] where a word is no scope.
    pub fn of(words: &[String]) -> Result<Scopes, StoreError> {
        let scopes = words.iter().map(|word| Scope::of(word)).collect::<Result<Vec<Scope>, _>>()?;
        Ok(Scopes { play: scopes.contains(&Scope::Play), organise: scopes.contains(&Scope::Organise) })
    }

    pub fn include(self, scope: Scope) -> bool {
        match scope {
            Scope::Read => true,
            Scope::Play => self.play,
            Scope::Organise => self.organise,
        }
    }
}
