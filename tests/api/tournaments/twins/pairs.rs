//! What is played at a table in two worlds that look the same to somebody.

use std::collections::BTreeSet;

use cardroom_core::rules::cards::CardName;
use cardroom_core::rules::facts::Mark;
use cardroom_core::rules::registry::AnyFact;
use cardroom_core::rules::{Audience, Chance, Outcome, Seat};
use cardroom_core::tournament::Scoring;

use crate::random::dice::Dice;
use crate::random::playing::{Input, Record, feed, next_input};
use crate::random::twins::Twin;

/// How often a twin of what was played is looked for.
const TRIES: usize = 20;

/// How somebody sees a table.
#[derive(Debug, Clone, Copy)]
pub enum Sight {
    /// As it is, from a seat or from none.
    Live(Option<Seat>),
    /// So many hands behind, at least one.
    Behind(usize),
    /// Not at all.
    Nothing,
}

/// What goes into the game in each of the worlds.
pub type Pair = [Vec<Input>; 2];

/// Whether a hand ends with what these facts tell.
pub fn ends_hand(facts: &[(Audience, AnyFact)]) -> bool {
    facts.iter().any(|(_, fact)| matches!(fact.mark(), Mark::HandEnded(_)))
}

impl Sight {
    /// Some of a random game, or all of it if it `may_end`, and a twin of that.
    pub fn pair(self, start: Record, may_end: bool, scoring: &Scoring, dice: &mut Dice) -> Pair {
        let whole = start.played_on(dice);
        match self {
            // Where all is seen in the end, all of it is the same.
            Sight::Live(_) | Sight::Behind(_) if may_end && dice.one_in(3) => {
                [whole.inputs.clone(), whole.inputs]
            }
            Sight::Live(viewer) => live(whole, viewer, dice),
            Sight::Behind(hands) => behind(&whole, hands, scoring, dice),
            // Each world has a game of its own.
            Sight::Nothing => {
                let mut pair = [whole.inputs.clone(), whole.again().played_on(dice).inputs];
                let end = if may_end { 1 + dice.below(3) } else { 0 };
                for (inputs, ends) in pair.iter_mut().zip([end & 1 > 0, end & 2 > 0]) {
                    if !ends {
                        inputs.truncate(dice.below(inputs.len() as u64) as usize);
                    }
                }
                pair
            }
        }
    }
}

/// Cards that have not been seen have changed their names.
fn live(whole: Record, viewer: Option<Seat>, dice: &mut Dice) -> Pair {
    let mut cut = whole.again();
    for _ in 0..TRIES {
        let length = 1 + dice.below(whole.inputs.len() as u64 - 1) as usize;
        cut.inputs = whole.inputs[..length].to_vec();
        if let Some(twin) = Twin::of(&cut, viewer, dice) {
            cut.inputs.truncate(twin.inputs.len());
            return [cut.inputs, twin.inputs];
        }
    }
    [cut.inputs.clone(), cut.inputs]
}

/// In hands that have ended and are not shown yet cards have changed their names in a way that nobody won anything
/// else; and of the hand that is played each world has its own.
fn behind(whole: &Record, hands: usize, scoring: &Scoring, dice: &mut Dice) -> Pair {
    let ends = hand_ends(whole);
    // With the last one the game is over, and shown.
    let ended = dice.below(ends.len() as u64) as usize;
    let end_of = |hands: usize| if hands == 0 { 0 } else { ends[hands - 1] };
    let (shown, now) = (end_of((ended + 1).saturating_sub(hands)), end_of(ended));
    let mut pair = [whole.inputs[..now].to_vec(), whole.inputs[..now].to_vec()];
    let hidden = whole.inputs[shown..now].iter().zip(shown..);
    let shuffle = hidden.into_iter().find_map(|(input, at)| match input {
        Input::Chance(Chance::Shuffle(order)) => Some((order.iter().collect::<BTreeSet<_>>(), at)),
        _ => None,
    });
    if let Some((cards, at)) = shuffle {
        let mut cards: Vec<CardName> = cards.into_iter().copied().collect();
        let won = |inputs: &[Input]| won(whole, inputs, scoring);
        let twin = (0..TRIES).find_map(|_| {
            dice.shuffle(&mut cards);
            let ring = &cards[..2 + dice.below(6) as usize];
            let twin = Twin::renaming(whole, None, at..now, ring)?;
            (won(&twin.inputs) == won(&pair[0])).then_some(twin)
        });
        if let Some(twin) = twin {
            pair[1] = twin.inputs;
        }
    }
    for inputs in &mut pair {
        let hand = running_hand(whole, inputs, dice);
        inputs.extend(hand);
    }
    pair
}

/// After how many inputs each hand has ended.
fn hand_ends(record: &Record) -> Vec<usize> {
    let mut game = record.start();
    let ends =
        record.inputs.iter().zip(1..).filter(|(input, _)| ends_hand(&feed(game.as_mut(), input).into_vec()));
    ends.map(|(_, at)| at).collect()
}

/// A seat's award: the seat, the points and the courts of knights.
type Won = (u8, i64, u8);

/// What standings may tell of the hands that have ended.
fn won(record: &Record, inputs: &[Input], scoring: &Scoring) -> Vec<(Outcome, Vec<Won>)> {
    let mut game = record.start();
    let mut won = Vec::new();
    for input in inputs {
        let facts = feed(game.as_mut(), input).into_vec();
        if ends_hand(&facts) {
            let public = facts.into_iter().filter(|(who, _)| *who == Audience::Everyone);
            let facts: Vec<_> = public.map(|(_, fact)| fact).collect();
            let awards = scoring.awards(&facts).unwrap();
            let points = awards.iter().map(|award| (award.seat, award.points, award.qualifiers));
            won.push((game.standings(), points.collect()));
        }
    }
    won
}

/// Some of a random hand that follows.
fn running_hand(record: &Record, before: &[Input], dice: &mut Dice) -> Vec<Input> {
    let mut game = record.start();
    before.iter().for_each(|input| drop(feed(game.as_mut(), input)));
    let mut hand = Vec::new();
    while let Some(input) = next_input(game.as_ref(), record.seats, dice) {
        if ends_hand(&feed(game.as_mut(), &input).into_vec()) {
            break;
        }
        hand.push(input);
    }
    hand.truncate(dice.below(hand.len() as u64 + 1) as usize);
    hand
}

impl Record {
    /// The same game with nothing played.
    pub fn again(&self) -> Record {
        Record { kind: self.kind, options: self.options.clone(), seats: self.seats, inputs: Vec::new() }
    }
}
