//! A hand as its picture tells it: from the facts that the public may know, what decided it, and for each player the
//! cards at the end and what they brought.

mod knights_heads;
mod pots;
mod ricketts_hearts;
mod ritunas_favour;
mod royal_gambit;
mod sevens;
mod telling;

use cardroom_core::rules::facts::{Fact, Mark, Names};
use cardroom_core::rules::registry::{self, AnyFact};
use cardroom_core::table::hands::Hand;

use self::telling::Told;
use super::picture::Picture;

/// How much of a guest's name is shown: of "guest-b090597a05919a06" the page shows "Guest b090".
const GUEST: usize = 4;

/// The picture of a hand as the public may know it. None while it runs, and where the game was called off in it.
pub fn picture(hand: &Hand) -> Option<Picture> {
    hand.span.to_version?;
    let facts: Vec<&AnyFact> = hand.entries.iter().flat_map(|entry| &entry.facts).collect();
    let names: Vec<String> = hand.span.players.iter().map(|name| person(name)).collect();
    let names = Names(&names);
    let Told { happened, mut players } = match hand.span.kind {
        "knights_heads" => knights_heads::told(&own(&facts), names),
        "ricketts_hearts" => ricketts_hearts::told(&own(&facts), names),
        "ritunas_favour" => ritunas_favour::told(&own(&facts), names),
        "royal_gambit" => royal_gambit::told(&own(&facts), names),
        "sevens" => sevens::told(&own(&facts), names),
        _ => results(&facts, names),
    };
    players.sort_by_key(|ranked| std::cmp::Reverse(ranked.rank));
    Some(Picture {
        kind: registry::by_name(hand.span.kind)?.name.to_owned(),
        hand: hand.span.hand,
        happened,
        players: players.into_iter().map(|ranked| ranked.player).collect(),
    })
}

/// The facts of a kind.
fn own<'a, F: Fact>(facts: &[&'a AnyFact]) -> Vec<&'a F> {
    facts.iter().filter_map(|fact| fact.as_kind()).collect()
}

/// A kind that nobody has told has a picture without cards.
fn results(facts: &[&AnyFact], names: Names<'_>) -> Told {
    let result = facts.iter().find(|fact| fact.mark() == Mark::Result);
    Told { happened: result.map(|fact| fact.describe(names)).unwrap_or_default(), players: Vec::new() }
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
