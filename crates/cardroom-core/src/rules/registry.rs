//! The one list of games, and a game with its types erased: cards are names, actions and views are JSON.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

pub use super::facts::{AnyFact, AnyFacts};
use crate::rules::bot::Observation;
use crate::rules::canonical_action::CanonicalAction;
use crate::rules::cards::{Card, CardInfo, CardName};
use crate::rules::facts::{Facts, Names};
use crate::rules::game::{Chance, Game, Need, NotAsked, Secret};
use crate::rules::hand_story::HandStory;
use crate::rules::json::{read_object, to_json};
use crate::rules::knights_heads::KnightsHeads;
use crate::rules::menu::{self, Action as _};
use crate::rules::odds::Odds;
use crate::rules::outcome::{Best, Outcome};
use crate::rules::profile::{CardRole, Profile, RankedHand};
use crate::rules::ranking::Ranking;
use crate::rules::refusal::Refusal;
use crate::rules::ricketts_hearts::RickettsHearts;
use crate::rules::ritunas_favour::RitunasFavour;
use crate::rules::royal_gambit::RoyalGambit;
use crate::rules::scoring::Scorings;
use crate::rules::seats::Seat;
use crate::rules::sevens::Sevens;
use crate::rules::texts::Translations;

/// Every kind in every rules version that a stored game may need, the newest version of a kind first.
pub fn all() -> &'static [Kind] {
    static ALL: LazyLock<Vec<Kind>> = LazyLock::new(|| {
        vec![
            Kind::of::<RitunasFavour>(),
            Kind::of::<Sevens>(),
            Kind::of::<RickettsHearts>(),
            Kind::of::<KnightsHeads>(),
            #[cfg(test)]
            Kind::of::<super::revised::Revised>(),
            Kind::of::<RoyalGambit>(),
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
    pub steady: fn(&Observation<'_>) -> Value,
    /// A hand that has ended, by the facts that the public may know.
    pub story: fn(&[&AnyFact], Names<'_>) -> HandStory,
    /// How cards are ranked, if clients may ask for it.
    pub ranking: Option<Ranking>,
    /// How likely is what players ask about. It is computed anew at each call, which can take a second.
    pub odds: fn() -> Option<Odds>,
    resolve: fn(&str) -> Result<Box<RawValue>, Refusal>,
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

impl Kind {
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
            story: |facts, names| {
                let own: Vec<&G::Fact> = facts.iter().filter_map(|fact| fact.as_kind()).collect();
                G::story(&own, names)
            },
            ranking: G::ranking(),
            odds: G::odds,
            resolve: |options| {
                let options: G::Options = read_options(options)?;
                G::new(options.clone(), *G::SEATS.end())?;
                Ok(to_json(&options))
            },
            new: |options, seats| Ok(Box::new(G::new(read_options(options)?, seats)?)),
            restore: |state| Ok(Box::new(serde_json::from_str::<G>(state)?)),
        }
    }

    /// The options with every default filled in, as a game stores them, so that a default which changes
    /// later leaves old games alone.
    ///
    /// # Errors
    /// `invalid_options` where one is unknown, of the wrong type, out of range or in contradiction.
    pub fn resolve_options(&self, options: &RawValue) -> Result<Box<RawValue>, Refusal> {
        (self.resolve)(options.get())
    }

    /// A game before its first chance. `seats` is within the kind's bounds.
    ///
    /// # Errors
    /// As [`Kind::resolve_options`].
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

/// An action as logs keep it.
pub struct Logged {
    pub action: Box<RawValue>,
    /// Whether it holds cards that not everybody may read while the game runs.
    pub is_secret: bool,
}

/// A game with its types erased.
pub trait AnyGame: Send + Sync {
    fn kind(&self) -> &'static Kind;

    fn boxed_clone(&self) -> Box<dyn AnyGame>;

    /// All of it, what nobody may see too: for snapshots alone.
    fn state(&self) -> Box<RawValue>;

    /// What the game waits for.
    fn need(&self) -> Need<CardName>;

    /// Takes what chance answered.
    ///
    /// # Errors
    /// [`NotAsked`] where it is no answer to [`AnyGame::need`]: such a log was tampered with.
    fn chance(&mut self, outcome: Chance<CardName>, facts: &mut AnyFacts) -> Result<(), NotAsked>;

    /// What `seat` may do now: the game's menu, as a JSON list.
    fn legal(&self, seat: Seat) -> Box<RawValue>;

    /// Plays an action given as JSON. A refusal changes nothing.
    ///
    /// # Errors
    /// `not_your_turn` or `illegal_action`.
    fn play(&mut self, seat: Seat, action: &str, facts: &mut AnyFacts) -> Result<(), Refusal>;

    /// An action of this kind as the log keeps it.
    ///
    /// # Errors
    /// `illegal_action` where it is none.
    fn written(&self, seat: Seat, action: &str) -> Result<Logged, Refusal>;

    /// The game as `viewer` may see it.
    fn view(&self, viewer: Option<Seat>) -> Box<RawValue>;

    /// What the clock plays for a seat that the game waits for.
    fn default_action(&self, seat: Seat) -> Box<RawValue>;

    /// The secret in an action that is about to be done, and how many cards it has.
    fn secret(&self, seat: Seat, action: &str) -> Option<(Secret, usize)>;

    /// Whether `viewer` knows a secret's card number `nth` by now.
    fn knows(&self, viewer: Option<Seat>, secret: Secret, nth: usize) -> bool;

    /// The places as they stand between two hands.
    fn standings(&self) -> Outcome;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;
}

impl<G: Game> AnyGame for G {
    fn kind(&self) -> &'static Kind {
        by_version(G::KIND, G::RULES_VERSION).expect("games are made by the registry")
    }

    fn boxed_clone(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn state(&self) -> Box<RawValue> {
        to_json(self)
    }

    fn need(&self) -> Need<CardName> {
        match Game::need(self) {
            Need::Pick { of } => Need::Pick { of },
            Need::Shuffle(cards) => Need::Shuffle(cards.into_iter().map(Card::name).collect()),
            Need::Players(seats) => Need::Players(seats),
            Need::Nothing => Need::Nothing,
        }
    }

    fn chance(&mut self, outcome: Chance<CardName>, facts: &mut AnyFacts) -> Result<(), NotAsked> {
        let outcome = match outcome {
            Chance::Pick(result) => Chance::Pick(result),
            Chance::Shuffle(names) => {
                let cards = names.into_iter().map(G::Card::try_from).collect::<Result<_, _>>();
                Chance::Shuffle(cards.map_err(|_| NotAsked)?)
            }
        };
        let mut drawn = Ok(());
        told::<G>(facts, |own| drawn = super::draw(self, outcome, own));
        drawn
    }

    fn legal(&self, seat: Seat) -> Box<RawValue> {
        to_json(&Game::legal(self, seat).as_slice())
    }

    fn play(&mut self, seat: Seat, action: &str, facts: &mut AnyFacts) -> Result<(), Refusal> {
        let menu = Game::legal(self, seat);
        if menu.is_empty() {
            return Err(Refusal::not_your_turn());
        }
        let action = read_action::<G>(action)?;
        menu::check(&menu, &action)?;
        told::<G>(facts, |own| self.act(seat, &action, own));
        Ok(())
    }

    fn written(&self, seat: Seat, action: &str) -> Result<Logged, Refusal> {
        let action = read_action::<G>(action)?;
        Ok(Logged { is_secret: Game::secret(self, seat, &action).is_some(), action: written(&action) })
    }

    fn view(&self, viewer: Option<Seat>) -> Box<RawValue> {
        to_json(&Game::view(self, viewer))
    }

    fn default_action(&self, seat: Seat) -> Box<RawValue> {
        written(&Game::default_action(self, seat))
    }

    fn secret(&self, seat: Seat, action: &str) -> Option<(Secret, usize)> {
        let action = read_action::<G>(action).ok()?;
        let secret = Game::secret(self, seat, &action)?;
        let params = action.params();
        let cards = params.iter().find_map(|(name, value)| match value {
            menu::Value::Cards(cards) if *name == secret.param => Some(cards.len()),
            _ => None,
        });
        Some((secret, cards?))
    }

    fn knows(&self, viewer: Option<Seat>, secret: Secret, nth: usize) -> bool {
        Game::knows(self, viewer, secret, nth)
    }

    fn standings(&self) -> Outcome {
        Game::standings(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Game::outcome(self)
    }
}

fn read_action<G: Game>(action: &str) -> Result<G::Action, Refusal> {
    let canonical = CanonicalAction::of(action).and_then(|written| G::Action::read(&written));
    canonical.map_or_else(|| read_object(action), Ok).map_err(|error| {
        Refusal::illegal(format!(
            "no action of this kind of game, whose parameters stand beside `type`: {error}"
        ))
    })
}

fn written<C: Card>(action: &impl menu::Action<C>) -> Box<RawValue> {
    RawValue::from_string(menu::canonical(action)).expect("what is written is JSON")
}

fn read_options<O: DeserializeOwned + Serialize>(options: &str) -> Result<O, Refusal> {
    read_object(options).map_err(|error| Refusal::options(format!("options: {error}")))
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

/// Runs `body` with facts of the game's own type and passes them on, if they are kept.
pub(super) fn told<G: Game>(facts: &mut AnyFacts, body: impl FnOnce(&mut Facts<G::Fact>)) {
    if !facts.are_kept() {
        return body(&mut Facts::ignored());
    }
    let mut own = Facts::kept();
    body(&mut own);
    for (audience, fact) in own.into_vec() {
        facts.tell_to(audience, || AnyFact::of(fact));
    }
}
