//! A hand as its picture tells it: from the facts that the public may know, what decided it, and for each player the
//! cards at the end and what they brought.

use cardroom_core::rules::facts::Names;
use cardroom_core::rules::hand_story::{HandStory, PlayerStory};
use cardroom_core::rules::registry::{self, AnyFact};
use cardroom_core::table::hands::Hand;

use super::cards::Face;
use super::picture::{Picture, Player};

/// How much of a guest's name is shown: of "guest-b090597a05919a06" the page shows "Guest b090".
const GUEST: usize = 4;

/// The picture of a hand as the public may know it. None while it runs, and where the game was called off in it.
pub fn picture(hand: &Hand) -> Option<Picture> {
    hand.span.to_version?;
    let facts: Vec<&AnyFact> = hand.entries.iter().flat_map(|entry| &entry.facts).collect();
    let names: Vec<String> = hand.span.players.iter().map(|name| person(name)).collect();
    let kind = registry::by_name(hand.span.kind)?;
    let HandStory { happened, mut players } = (kind.story)(&facts, Names(&names));
    players.sort_by_key(|player| std::cmp::Reverse(player.rank));
    let players = players.into_iter().map(drawn).collect();
    Some(Picture { kind: kind.name.to_owned(), hand: hand.span.hand, happened, players })
}

fn drawn(PlayerStory { name, cards, note, has_won, rank: _ }: PlayerStory) -> Player {
    let cards = cards.iter().map(|card| card.as_ref().map_or(Face::Back, Face::of)).collect();
    Player { name, cards, note, has_won }
}

/// What the picture calls a player.
fn person(name: &str) -> String {
    match name.strip_prefix("guest-").and_then(|number| number.get(..GUEST)) {
        Some(number) => format!("Guest {number}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_are_called_by_the_beginning_of_their_number_and_all_others_by_their_names() {
        assert_eq!(person("guest-b090597a05919a06"), "Guest b090");
        for name in ["ann", "guest-", "steady (seat 2)"] {
            assert_eq!(person(name), name);
        }
    }
}
