//! The one list of games, and what each kind of game is called, takes and tells.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

pub use super::any_game::{AnyGame, Logged};
use super::any_game::{read_action, written};
pub use super::facts::{AnyFact, AnyFacts};
use crate::rules::bot::Observation;
use crate::rules::cards::CardInfo;
use crate::rules::facts::Names;
use crate::rules::game::Game;
use crate::rules::hand_story::HandStory;
use crate::rules::json::{read_object, to_json};
use crate::rules::knights_heads::KnightsHeads;
use crate::rules::odds::Odds;
use crate::rules::outcome::Best;
use crate::rules::profile::{CardRole, Profile, RankedHand};
use crate::rules::ranking::Ranking;
use crate::rules::refusal::Refusal;
use crate::rules::ricketts_hearts::RickettsHearts;
use crate::rules::ritunas_favour::RitunasFavour;
use crate::rules::royal_gambit::RoyalGambit;
use crate::rules::scoring::Scorings;
use crate::rules::seats::Seat;
use crate::rules::sevens::Sevens;
use crate::rules::stakes::Level;
use crate::rules::texts::Translations;
use crate::search::{self, Worlds, weigh};

/// Every kind in every rules version that a stored game may need, the newest version of a kind first.
pub fn all() -> &'static [Kind] {
    static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| {
        vec![
            Kind::thinking::<RitunasFavour>(),
            Kind::thinking::<Sevens>(),
            Kind::thinking::<RickettsHearts>(),
            Kind::thinking::<KnightsHeads>(),
            #[cfg(test)]
            Kind::of::<super::revised::Revised>(),
            Kind::thinking::<RoyalGambit>(),
        ]
    });
    &ALL
}

/// The kinds as new games are made, one each.
pub fn newest() -> impl Iterator<Item = &'static Kind> {
    all()
        .iter()
        .enumerate()
        .filter(|(at, kind)| all()[..*at].iter().all(|k| k.kind != kind.kind))
        .map(|(_, k)| k)
}

/// The names of the kinds, for the OpenAPI document.
pub struct KindName;

impl ToSchema for KindName {}

impl PartialSchema for KindName {
    fn schema() -> RefOr<Schema> {
        let names = newest().map(|kind| kind.kind);
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(names))
            .description(Some("The name of a kind of game."))
            .into()
    }
}

/// The kind of this name, as new games are made.
pub fn by_name(kind: &str) -> Option<&'static Kind> {
    newest().find(|k| k.kind == kind)
}

/// The kind of this name in the rules version that a game was begun with.
pub fn by_version(kind: &str, rules_version: u16) -> Option<&'static Kind> {
    all().iter().find(|k| k.kind == kind && k.rules_version == rules_version)
}

/// What is known of a kind before any game of it.
#[derive(Debug)]
pub struct Kind {
    pub kind: &'static str,
    pub name: &'static str,
    pub rules_version: u16,
    pub min_seats: u8,
    pub max_seats: u8,
    /// Whether actions can hold cards that not everybody may read.
    pub has_secrets: bool,
    /// Which final scores come first.
    pub best: Best,
    /// The texts that tell the game to its players, for each language.
    pub translations: Translations,
    /// For whom the game is, and how long it takes.
    pub profile: Profile,
    /// What each card of the deck counts and does, in deck order.
    pub roles: fn() -> Vec<CardRole>,
    /// The hands that the kind ranks, the highest first.
    pub hands: fn() -> Vec<RankedHand>,
    pub deck: fn() -> Vec<CardInfo>,
    /// The JSON Schemas of options, actions and view.
    pub schemas: fn() -> Schemas,
    /// The tournament scorings that are the kind's own.
    pub scorings: Option<Scorings>,
    /// What is counted of a player beside games and wins, by name.
    pub counters: &'static [&'static str],
    /// The counter that a fact raises: a seat, the counter's name, and by how much.
    pub counted: fn(&AnyFact) -> Option<(Seat, &'static str, u32)>,
    /// What a careful player would do.
    pub steady: fn(&Observation) -> Value,
    /// How its bots think ahead, and how what was done is reviewed.
    pub thoughts: Thoughts,
    /// A hand that has ended, by the facts that the public may know.
    pub story: fn(&[&AnyFact], Names<'_>) -> HandStory,
    /// How cards are ranked, if clients may ask for it.
    pub ranking: Option<Ranking>,
    /// How likely is what players ask about. It is computed anew at each call, which can take a second.
    pub odds: fn() -> Option<Odds>,
    resolve: fn(&str) -> Result<Box<RawValue>, Refusal>,
    ante: fn(&str) -> Option<u32>,
    at_level: fn(&str, Level) -> Option<Box<RawValue>>,
    new: NewGame,
    restore: fn(&str) -> serde_json::Result<Box<dyn AnyGame>>,
}

type NewGame = fn(&str, u8) -> Result<Box<dyn AnyGame>, Refusal>;

/// A kind's own JSON, described for the OpenAPI document.
pub struct Schemas {
    pub options: RefOr<Schema>,
    pub action: RefOr<Schema>,
    pub view: RefOr<Schema>,
    pub fact: RefOr<Schema>,
    /// The card with the name of its type, which kinds share that are played with the same deck.
    pub card: (Cow<'static, str>, RefOr<Schema>),
    /// What the first four refer to, by name.
    pub parts: Vec<(String, RefOr<Schema>)>,
}

/// What comes of worlds that fit what a seat knows. The same luck gives the same.
#[derive(Debug)]
pub struct Thoughts {
    /// In how many worlds a `skilled` bot tries its actions.
    pub skilled: u32,
    /// In how many an `expert` does, and a review.
    pub expert: u32,
    /// What comes out best in so many worlds, with this luck.
    pub choose: fn(&Observation, u32, u64) -> Box<RawValue>,
    /// What the action that was taken was worth in each of so many worlds, and what each other was worth. Nothing where
    /// the kind cannot tell.
    ///
    /// # Errors
    /// `illegal_action` where what was taken is no action of this kind.
    pub weigh: Weigh,
    /// How likely each of so many seats wins, world by world, if the chance that this state waits for is drawn anew.
    pub deal: fn(&dyn AnyGame, Seat, u32, u64) -> Vec<Vec<f64>>,
    /// The same if the hand is played on from this state.
    pub hand: fn(&dyn AnyGame, Seat, u32, u64) -> Vec<Vec<f64>>,
    /// The same in a state between two hands.
    pub win_chances: fn(&dyn AnyGame, Seat) -> Vec<f64>,
    /// How much of the luck of a deal is taken out of a result.
    pub luck_share: f64,
}

/// By what a seat saw and took, in so many worlds, with this luck.
pub type Weigh = fn(&Observation, &str, u32, u64) -> Result<Vec<Weighed>, Refusal>;

/// An action, and what it was worth in each world.
pub type Weighed = (Box<RawValue>, Vec<f64>);

impl Thoughts {
    fn of<G: Worlds>() -> Thoughts {
        Thoughts {
            skilled: G::SKILLED,
            expert: G::EXPERT,
            choose: |seen, worlds, luck| written(&search::choose::<G>(seen, worlds, luck)),
            weigh: |seen, taken, worlds, luck| {
                let weighed = weigh::actions::<G>(seen, read_action::<G>(taken)?, worlds, luck);
                Ok(weighed.into_iter().map(|(action, worths)| (written(&action), worths)).collect())
            },
            deal: |game, seats, worlds, luck| weigh::deal(&typed::<G>(game), seats, worlds, luck),
            hand: |game, seats, worlds, luck| weigh::hand(&typed::<G>(game), seats, worlds, luck),
            win_chances: |game, seats| weigh::win_chances(&typed::<G>(game), seats),
            luck_share: G::LUCK_SHARE,
        }
    }

    /// Where no worlds can be imagined, a bot does what a careful player would, and nothing is reviewed.
    fn none<G: Game>() -> Thoughts {
        Thoughts {
            skilled: 1,
            expert: 1,
            choose: |seen, _, _| to_json(&G::steady(seen)),
            weigh: |_, _, _, _| Ok(Vec::new()),
            deal: |_, _, _, _| Vec::new(),
            hand: |_, _, _, _| Vec::new(),
            win_chances: |_, _| Vec::new(),
            luck_share: 0.0,
        }
    }
}

/// A game with its types.
fn typed<G: Game>(game: &dyn AnyGame) -> G {
    serde_json::from_str(game.state().get()).expect("a game's state can be read again")
}

impl Kind {
    /// A kind whose worlds can be imagined.
    fn thinking<G: Worlds>() -> Kind {
        Kind { thoughts: Thoughts::of::<G>(), ..Kind::of::<G>() }
    }

    /// Any kind.
    fn of<G: Game>() -> Kind {
        Kind {
            kind: G::KIND,
            name: G::NAME,
            rules_version: G::RULES_VERSION,
            min_seats: *G::SEATS.start(),
            max_seats: *G::SEATS.end(),
            has_secrets: G::HAS_SECRETS,
            best: G::BEST,
            translations: G::TEXTS,
            profile: G::PROFILE,
            roles: roles::<G>,
            hands: G::hands,
            deck: G::deck,
            schemas: schemas::<G>,
            scorings: G::scorings(),
            counters: G::COUNTERS,
            counted: |fact| G::counted(fact.as_kind()?),
            steady: G::steady,
            thoughts: Thoughts::none::<G>(),
            story: |facts, names| {
                let own: Vec<&G::Fact> = facts.iter().filter_map(|fact| fact.as_kind()).collect();
                G::story(&own, names)
            },
            ranking: G::ranking(),
            odds: G::odds,
            resolve: |options| {
                let options: G::Options = read_options(options)?;
                check_options::<G>(&options)?;
                Ok(to_json(&options))
            },
            ante: |options| G::ante(&read_options(options).ok()?),
            at_level: |options, level| Some(to_json(&G::at_level(read_options(options).ok()?, level)?)),
            new: |options, seats| Ok(Box::new(G::new(read_options(options)?, seats)?)),
            restore: |state| Ok(Box::new(serde_json::from_str::<G>(state)?)),
        }
    }

    /// The options with every default filled in, as a game stores them, so that a default which changes
    /// later leaves old games alone. Whether they go with the number of seats that play is for [`Kind::new_game`] to
    /// say.
    ///
    /// # Errors
    /// `invalid_options` where one is unknown, of the wrong type, out of range or in contradiction, whatever the number
    /// of seats.
    pub fn resolve_options(&self, options: &RawValue) -> Result<Box<RawValue>, Refusal> {
        (self.resolve)(options.get())
    }

    /// What each seat pays for a hand by these options, which are the kind's: see [`Game::ante`].
    pub fn ante(&self, options: &RawValue) -> Option<u32> {
        (self.ante)(options.get())
    }

    /// These options, which are the kind's, at a level of a tournament: see [`Game::at_level`].
    pub fn at_level(&self, options: &RawValue, level: Level) -> Option<Box<RawValue>> {
        (self.at_level)(options.get(), level)
    }

    /// A game before its first chance. `seats` is within the kind's bounds.
    ///
    /// # Errors
    /// As [`Kind::resolve_options`], and where the options do not go with so many seats.
    pub fn new_game(&self, options: &RawValue, seats: u8) -> Result<Box<dyn AnyGame>, Refusal> {
        (self.new)(options.get(), seats)
    }

    /// A game of this kind from what [`AnyGame::state`] wrote.
    ///
    /// # Errors
    /// [`serde_json::Error`] where that is no state of this kind. Whether it is one that the rules lead to is not
    /// checked.
    pub fn restore(&self, state: &RawValue) -> serde_json::Result<Box<dyn AnyGame>> {
        (self.restore)(state.get())
    }
}

fn read_options<O: DeserializeOwned + Serialize>(options: &str) -> Result<O, Refusal> {
    read_object(options).map_err(|error| Refusal::options(format!("options: {error}")))
}

/// Whether a game with these options can be played, by whatever number of seats: starting stacks can be for few.
fn check_options<G: Game>(options: &G::Options) -> Result<(), Refusal> {
    let mut checks = G::SEATS.rev().map(|seats| G::new(options.clone(), seats).map(drop));
    let all_seats = checks.next().expect("a game has seats");
    all_seats.or_else(|refusal| if checks.any(|fewer| fewer.is_ok()) { Ok(()) } else { Err(refusal) })
}

fn roles<G: Game>() -> Vec<CardRole> {
    let card = |info: CardInfo| G::Card::try_from(info.card).expect("a deck holds its own cards");
    G::deck().into_iter().map(|info| G::role(card(info))).collect()
}

fn schemas<G: Game>() -> Schemas {
    let mut parts = Vec::new();
    <G::Options as ToSchema>::schemas(&mut parts);
    <G::Action as ToSchema>::schemas(&mut parts);
    <G::View as ToSchema>::schemas(&mut parts);
    <G::Fact as ToSchema>::schemas(&mut parts);
    Schemas {
        options: G::Options::schema(),
        action: G::Action::schema(),
        view: G::View::schema(),
        fact: G::Fact::schema(),
        card: (<G::Card as ToSchema>::name(), G::Card::schema()),
        parts,
    }
}
