//! Random games, and games played again from what went into them.

use cardroom_core::bots;
use cardroom_core::log::entry::Policy;
use cardroom_core::rules::cards::CardName;
use cardroom_core::rules::registry::{AnyFacts, AnyGame, Kind};
use cardroom_core::rules::{Chance, Need, Outcome, Seat};
use serde_json::Value;
use serde_json::value::RawValue;

use super::dice::Dice;
use super::options;
use super::orders::{list, order};

/// No random game comes near it.
pub const ENDLESS: usize = 50_000;

/// All that a log holds of a game.
pub struct Record {
    pub kind: &'static Kind,
    pub options: Box<RawValue>,
    pub seats: u8,
    pub inputs: Vec<Input>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Chance(Chance<CardName>),
    Action(Seat, String),
}

/// What one viewer may know of a state, to the byte.
#[derive(Debug, PartialEq, Eq)]
pub struct Seen {
    view: String,
    menu: String,
    waits: Waits,
    /// What the house does for the viewer's seat where the game waits for it: the clock, and bots of each policy.
    house: Vec<String>,
    outcome: Option<Outcome>,
}

/// What the game waits for, without the cards of a shuffle.
#[derive(Debug, PartialEq, Eq)]
enum Waits {
    Chance,
    Seats(Vec<Seat>),
    Nothing,
}

impl Record {
    /// A game of the kind with nothing played, its options and seats drawn.
    pub fn drawn(kind: &'static Kind, dice: &mut Dice) -> Record {
        let options = options::draw(kind, dice);
        let seats = kind.min_seats + dice.below(u64::from(kind.max_seats - kind.min_seats) + 1) as u8;
        Record { kind, options, seats, inputs: Vec::new() }
    }

    /// A random game, played to its end.
    pub fn played(kind: &'static Kind, dice: &mut Dice) -> Record {
        Record::drawn(kind, dice).played_on(dice)
    }

    /// The same game with random play to its end.
    pub fn played_on(mut self, dice: &mut Dice) -> Record {
        let mut game = self.start();
        self.inputs.iter().for_each(|input| drop(feed(game.as_mut(), input)));
        while let Some(input) = next_input(game.as_ref(), self.seats, dice) {
            feed(game.as_mut(), &input);
            self.inputs.push(input);
            assert!(self.inputs.len() < ENDLESS, "this game does not end");
        }
        self
    }

    pub fn start(&self) -> Box<dyn AnyGame> {
        self.kind.new_game(&self.options, self.seats).expect("resolved options are valid")
    }
}

/// What chance or a random player puts in next; `None`: the game is over.
pub fn next_input(game: &dyn AnyGame, seats: u8, dice: &mut Dice) -> Option<Input> {
    match game.need() {
        Need::Nothing => None,
        Need::Pick { of } => Some(Input::Chance(Chance::Pick(dice.below(of.into()) as u8))),
        Need::Shuffle(mut cards) => {
            dice.shuffle(&mut cards);
            Some(Input::Chance(Chance::Shuffle(cards)))
        }
        Need::Players(_) => {
            let offers: Vec<_> = (0..seats)
                .flat_map(|seat| list(&menu(game, seat)).clone().into_iter().map(move |entry| (seat, entry)))
                .collect();
            let (seat, entry) = dice.pick(&offers);
            Some(Input::Action(*seat, order(entry, dice).to_string()))
        }
    }
}

/// Puts in what the game accepts, and returns the facts, each with its audience.
pub fn feed(game: &mut dyn AnyGame, input: &Input) -> AnyFacts {
    let mut facts = AnyFacts::kept();
    match input {
        Input::Chance(chance) => game.chance(chance.clone(), &mut facts).expect("it was asked for"),
        Input::Action(seat, action) => {
            game.play(*seat, action, &mut facts).unwrap_or_else(|refusal| panic!("{action}: {refusal}"));
        }
    }
    facts
}

pub fn seen(game: &dyn AnyGame, options: &RawValue, viewer: Option<Seat>) -> Seen {
    let to_act = |seat: &Seat| matches!(game.need(), Need::Players(seats) if seats.contains(*seat));
    Seen {
        house: viewer.filter(to_act).map(|seat| by_house(game, options, seat)).unwrap_or_default(),
        view: game.view(viewer).get().to_owned(),
        menu: viewer.map(|seat| game.legal(seat).get().to_owned()).unwrap_or_default(),
        waits: match game.need() {
            Need::Pick { .. } | Need::Shuffle(_) => Waits::Chance,
            Need::Players(seats) => Waits::Seats(seats.iter().collect()),
            Need::Nothing => Waits::Nothing,
        },
        outcome: game.outcome(),
    }
}

fn by_house(game: &dyn AnyGame, options: &RawValue, seat: Seat) -> Vec<String> {
    let seen = game.at_seat(seat, options);
    // Any number will do that is the same for the same view.
    let luck = seen.view.get().len() as u64;
    let acts = [game.default_action(seat), bots::random(&seen, luck), bots::steady(&seen)];
    // Now and then: each thought plays many hands.
    let thought = luck.is_multiple_of(64).then(|| bots::choose(Policy::Skilled, &seen, luck));
    acts.into_iter().chain(thought).map(|action| action.get().to_owned()).collect()
}

pub fn seen_by_all(game: &dyn AnyGame, record: &Record) -> Vec<Seen> {
    viewers(record.seats).map(|viewer| seen(game, &record.options, viewer)).collect()
}

/// Every seat, and a viewer at none.
pub fn viewers(seats: u8) -> impl Iterator<Item = Option<Seat>> {
    (0..seats).map(Some).chain([None])
}

pub fn told(facts: AnyFacts, viewer: Option<Seat>) -> Vec<String> {
    let facts = facts.into_vec().into_iter().filter(|(audience, _)| audience.includes(viewer));
    facts.map(|(_, fact)| fact.json().get().to_owned()).collect()
}

pub fn menu(game: &dyn AnyGame, seat: Seat) -> Value {
    parsed(&game.legal(seat))
}

pub fn parsed(json: &RawValue) -> Value {
    serde_json::from_str(json.get()).expect("JSON")
}
