//! What a player is told about Royal Gambit beside its texts.

use crate::rules::cards::{ACE, French, JACK, KING, QUEEN, SEVEN};
use crate::rules::profile::{CardRole, Profile, range};

/// Where the numbers come from: the source.
pub const PROFILE: Profile = Profile { usual_seats: range(2, 5), minutes: range(15, 20), min_age: Some(10) };

/// What a card scores by itself (a king doubles what the others score), and the texts that tell what it does.
pub fn role(card: French) -> CardRole {
    let (value, role) = match card.rank() {
        ACE => (1, "petition"),
        number @ 2..=5 => (number.into(), "minor_nobles"),
        SEVEN => (0, "hot_potato"),
        JACK => (0, "court_spy"),
        QUEEN => (0, "royal_pardon"),
        KING => (0, "crowns_blessing"),
        _ => (0, "courtesies"),
    };
    CardRole { value: Some(value), role: Some(role) }
}
