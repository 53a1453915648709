//! Twin worlds: two games that differ only in cards which a viewer cannot know look the same to that viewer,
//! to the byte, for as long as that is so.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use cardroom_core::rules::cards::CardName;
use cardroom_core::rules::registry::{AnyFacts, AnyGame};
use cardroom_core::rules::{Chance, Need, Seat};
use serde_json::Value;

use super::dice::Dice;
use super::kinds::own;
use super::playing::{Input, Record, feed, parsed};

/// Another world, up to some state of the first: cards that the viewer knows nothing of by then have changed
/// their names.
pub struct Twin {
    pub viewer: Option<Seat>,
    /// The shuffle from which on the worlds differ: how many inputs come before it.
    pub shuffle: usize,
    /// What goes into this world up to that state.
    pub inputs: Vec<Input>,
}

impl Twin {
    /// `None`: the viewer was never without knowledge of two cards while somebody decided; or there is no such
    /// world, because what another seat did would not have been legal in it.
    pub fn of(record: &Record, viewer: Option<Seat>, dice: &mut Dice) -> Option<Twin> {
        let unseen = unseen(record, viewer);
        let (shuffle, until, unseen) = unseen.get(dice.below(unseen.len().max(1) as u64) as usize)?;
        let mut ring: Vec<_> = unseen.iter().copied().collect();
        dice.shuffle(&mut ring);
        // A few cards or all: where few have changed, more of what was done stays legal.
        ring.truncate(2 + dice.below(ring.len() as u64 - 1) as usize);
        Twin::renaming(record, viewer, *shuffle..*until, &ring)
    }

    /// The world in which each of these cards has the next one's name, from a shuffle on and up to some state:
    /// which inputs of the first world those are.
    pub fn renaming(
        record: &Record,
        viewer: Option<Seat>,
        inputs: Range<usize>,
        ring: &[CardName],
    ) -> Option<Twin> {
        let renamed = ring.iter().copied().zip(ring.iter().copied().cycle().skip(1)).collect();
        let mut game = record.start();
        let (shuffle, mirror) = (inputs.start, &record.inputs[inputs]);
        let mut inputs = record.inputs[..shuffle].to_vec();
        inputs.iter().for_each(|input| drop(feed(game.as_mut(), input)));
        for input in mirror {
            let mirrored = mirrored(input, viewer, &renamed);
            if !is_legal(game.as_ref(), &mirrored) {
                return None;
            }
            feed(game.as_mut(), &mirrored);
            inputs.push(mirrored);
        }
        Some(Twin { viewer, shuffle, inputs })
    }
}

/// What goes into the twin instead: the viewer's own actions name no card that was renamed.
fn mirrored(input: &Input, viewer: Option<Seat>, renamed: &BTreeMap<CardName, CardName>) -> Input {
    let rename = |card: &CardName| *renamed.get(card).unwrap_or(card);
    match input {
        Input::Chance(Chance::Shuffle(order)) => {
            Input::Chance(Chance::Shuffle(order.iter().map(rename).collect()))
        }
        Input::Action(seat, action) if Some(*seat) != viewer => {
            let mut action: Value = serde_json::from_str(action).unwrap();
            for_each_word(&mut action, &|word| {
                if let Some(other) = CardName::from(word).ok().and_then(|card| renamed.get(&card)) {
                    *word = other.to_string();
                }
            });
            Input::Action(*seat, action.to_string())
        }
        input => input.clone(),
    }
}

/// Each state in which somebody decides: the newest shuffle, how many inputs lead there, and the cards of
/// that shuffle which the viewer has not seen any copy of since.
fn unseen(record: &Record, viewer: Option<Seat>) -> Vec<(usize, usize, BTreeSet<CardName>)> {
    let shown = own(record.kind.kind).shown;
    let mut game = record.start();
    let (mut newest, mut unseen, mut states) = (0, BTreeSet::new(), Vec::new());
    for (at, input) in record.inputs.iter().enumerate() {
        feed(game.as_mut(), input);
        if let Input::Chance(Chance::Shuffle(order)) = input {
            (newest, unseen) = (at, order.iter().copied().collect());
        }
        for card in shown(&parsed(&game.view(viewer)), viewer) {
            unseen.remove(&card);
        }
        if matches!(game.need(), Need::Players(_)) && unseen.len() > 1 {
            states.push((newest, at + 1, unseen.clone()));
        }
    }
    states
}

fn is_legal(game: &dyn AnyGame, input: &Input) -> bool {
    match input {
        Input::Action(seat, action) => {
            game.boxed_clone().play(*seat, action, &mut AnyFacts::ignored()).is_ok()
        }
        Input::Chance(_) => true,
    }
}

fn for_each_word(value: &mut Value, change: &impl Fn(&mut String)) {
    match value {
        Value::String(word) => change(word),
        Value::Array(values) => values.iter_mut().for_each(|value| for_each_word(value, change)),
        Value::Object(fields) => fields.values_mut().for_each(|value| for_each_word(value, change)),
        _ => {}
    }
}
