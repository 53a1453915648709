//! What a player is told about Sevens beside its texts.

use super::card::NaykuhCard;
use crate::rules::profile::{CardRole, Profile};

/// The source names no usual number of players, no playing time and no age.
pub const PROFILE: Profile = Profile { usual_seats: None, minutes: None, min_age: None };

/// What a card counts. All cards do the same.
pub fn role(card: NaykuhCard) -> CardRole {
    CardRole { value: Some(card.number().into()), role: Some("goods") }
}
