//! What a player is told about Rituna's Favour beside its texts.

use crate::rules::cards::{ACE, French, JACK, KING, QUEEN, SEVEN};
use crate::rules::profile::{CardRole, Profile, range};

/// Where the numbers come from: the source. It names no playing time and no age.
pub const PROFILE: Profile = Profile { usual_seats: range(4, 6), minutes: None, min_age: None };

/// What a card counts and does. The kings have no value, because by default they are not in the deck.
pub fn role(card: French) -> CardRole {
    let rank = card.rank();
    let role = match rank {
        ACE => "ace",
        SEVEN => "lucky_seven",
        JACK => "jack",
        QUEEN => "favoured_queen",
        KING => "king",
        _ => "number",
    };
    CardRole { value: (rank != KING).then_some(rank.into()), role: Some(role) }
}
