//! What a player is told about Ricketts House Hearts beside its texts.

use super::cards::{CardSet, HEARTS, QUEEN_OF_SPADES};
use crate::rules::cards::French;
use crate::rules::profile::{CardRole, Profile, range};

/// Where the numbers come from: the source. It tells no playing time.
pub const PROFILE: Profile = Profile { usual_seats: range(4, 4), minutes: None, min_age: Some(13) };

/// What a card counts against the seat that wins it, and the texts that tell what it does.
pub fn role(card: French) -> CardRole {
    let one = CardSet::one(card);
    let role = if !(one & HEARTS).is_empty() {
        "heart"
    } else if one == QUEEN_OF_SPADES {
        "queen_of_spades"
    } else {
        "harmless"
    };
    CardRole { value: Some(one.points().into()), role: Some(role) }
}
