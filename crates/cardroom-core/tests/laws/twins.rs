//! Twin worlds: two games that differ only in cards which a viewer cannot know look the same to that viewer,
//! to the byte, for as long as that is so.

use std::cell::Cell;

use cardroom_core::rules::registry::{AnyFacts, AnyGame, newest};

use super::{GAMES, for_random_games, games};
use crate::random::playing::{Record, feed, seen, told, viewers};
use crate::random::twins::Twin;

#[test]
fn two_worlds_that_differ_in_unseen_cards_look_the_same() {
    let compared = Cell::new(0);
    for_random_games(|kind, dice| {
        let record = Record::played(kind, dice);
        let viewer = *dice.pick(&viewers(record.seats).collect::<Vec<_>>());
        if let Some(twin) = Twin::of(&record, viewer, dice) {
            looks_the_same(&twin, &record);
            compared.set(compared.get() + 1);
        }
    });
    assert!(compared.get() > games(GAMES) * newest().count() as u64 / 2, "{} pairs are few", compared.get());
}

fn looks_the_same(twin: &Twin, record: &Record) {
    let Twin { viewer, shuffle, inputs } = twin;
    assert_eq!(inputs[..*shuffle], record.inputs[..*shuffle], "the worlds are one until their shuffle");
    let (mut world, mut twin) = (record.start(), record.start());
    for (input, mirrored) in record.inputs.iter().zip(inputs) {
        let (facts, twin_facts) = (feed(world.as_mut(), input), feed(twin.as_mut(), mirrored));
        assert_eq!(told(facts, *viewer), told(twin_facts, *viewer));
        assert_eq!(
            seen(world.as_ref(), &record.options, *viewer),
            seen(twin.as_ref(), &record.options, *viewer)
        );
    }
    if let Some(seat) = *viewer {
        let refusal = |game: &mut dyn AnyGame| game.play(seat, "{}", &mut AnyFacts::ignored()).err();
        assert_eq!(refusal(world.as_mut()), refusal(twin.as_mut()));
    }
}
