//! Conditions of entry: which players may enter by themselves. Organisers can enter anybody.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::entrants::Person;
use crate::rules::{Refusal, within};

/// The highest rating that a condition can name.
const RATING_MAX: u32 = 10_000;
/// The most names on the list.
const PLAYERS_MAX: usize = 1000;

/// Which players may enter by themselves. Organisers can enter anybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EntryConditions)]
pub struct Conditions {
    /// Whether guests are refused.
    pub accounts_only: bool,
    pub programs: Programs,
    /// The least rating of all time in the kind; null: any, and players without one.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, maximum = 10_000)]
    pub rating_from: Option<u32>,
    /// The highest rating of all time in the kind; null: any.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, maximum = 10_000)]
    pub rating_to: Option<u32>,
    /// The names of the players who may enter; null: everybody.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required, min_items = 1, max_items = 1000)]
    pub players: Option<Vec<String>>,
}

/// Which players may enter by themselves; what is left out is no condition.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
#[schema(as = NewEntryConditions)]
pub struct NewConditions {
    /// Whether guests are refused.
    accounts_only: bool,
    programs: Programs,
    /// The least rating of all time in the kind.
    #[schema(maximum = 10_000)]
    rating_from: Option<u32>,
    /// The highest rating of all time in the kind.
    #[schema(maximum = 10_000)]
    rating_to: Option<u32>,
    /// The names of the players who may enter.
    #[schema(min_items = 1, max_items = 1000)]
    players: Option<Vec<String>>,
}

impl From<NewConditions> for Conditions {
    fn from(new: NewConditions) -> Conditions {
        let NewConditions { accounts_only, programs, rating_from, rating_to, players } = new;
        Conditions { accounts_only, programs, rating_from, rating_to, players }
    }
}

/// Whether accounts that say that they are programs may enter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ProgramsAdmitted)]
pub enum Programs {
    #[default]
    Admitted,
    Refused,
    /// Nobody else may enter.
    Only,
}

impl Conditions {
    /// Whether they ask for the player's rating.
    pub fn asks_for_rating(&self) -> bool {
        self.rating_from.is_some() || self.rating_to.is_some()
    }

    pub(super) fn check(&self) -> Result<(), Refusal> {
        let (from, to) = (self.rating_from.unwrap_or(0), self.rating_to.unwrap_or(RATING_MAX));
        within("rating_from", from, 0..=RATING_MAX)?;
        within("rating_to", to, 0..=RATING_MAX)?;
        if from > to {
            return Err(Refusal::options("`rating_from` is not above `rating_to`"));
        }
        let Some(players) = &self.players else { return Ok(()) };
        if !(1..=PLAYERS_MAX).contains(&players.len()) {
            return Err(Refusal::options(format!("players: 1 to {PLAYERS_MAX} names")));
        }
        if players.iter().any(|name| !(3..=32).contains(&name.chars().count())) {
            return Err(Refusal::options("players: names of accounts have 3 to 32 characters"));
        }
        Ok(())
    }

    /// # Errors
    /// `not_eligible`, and which condition the player does not meet.
    pub(super) fn judge(&self, player: &Person, rating: Option<f64>) -> Result<(), Refusal> {
        let refused = |detail: String| Err(Refusal::new("not_eligible", detail));
        if self.accounts_only && player.is_guest {
            return refused("guests cannot enter it; upgrade the guest by POST /v1/auth/upgrade".to_owned());
        }
        match (self.programs, player.is_program) {
            (Programs::Refused, true) => return refused("programs cannot enter it".to_owned()),
            (Programs::Only, false) => return refused("only programs can enter it".to_owned()),
            _ => {}
        }
        if let Some(least) = self.rating_from
            && rating.is_none_or(|rating| rating < f64::from(least))
        {
            return refused(format!("it takes a rating of {least} or more"));
        }
        if let Some(most) = self.rating_to
            && rating.is_some_and(|rating| rating > f64::from(most))
        {
            return refused(format!("it takes a rating of {most} or less"));
        }
        match &self.players {
            Some(players) if !players.iter().any(|name| name.eq_ignore_ascii_case(&player.username)) => {
                refused("only the players on its list can enter it".to_owned())
            }
            _ => Ok(()),
        }
    }
}
