//! A game with its types erased: cards are names, actions and views are JSON.

use serde_json::value::RawValue;

use super::facts::{AnyFact, AnyFacts};
use crate::rules::bot::Observation;
use crate::rules::canonical_action::CanonicalAction;
use crate::rules::cards::{Card, CardName};
use crate::rules::facts::Facts;
use crate::rules::game::{Chance, Game, Need, NotAsked, Secret};
use crate::rules::json::{read_object, to_json};
use crate::rules::menu::{self, Action as _};
use crate::rules::outcome::Outcome;
use crate::rules::refusal::Refusal;
use crate::rules::seats::Seat;

/// An action as logs keep it.
pub struct Logged {
    pub action: Box<RawValue>,
    /// Whether it holds cards that not everybody may read while the game runs.
    pub is_secret: bool,
}

/// A game with its types erased.
pub trait AnyGame: Send + Sync {
    /// The kind, and the version of its rules.
    fn kind(&self) -> (&'static str, u16);

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

    /// What the player at `seat` sees of the game, which has these options, and may do.
    fn at_seat(&self, seat: Seat, options: &RawValue) -> Observation {
        let (kind, rules_version) = self.kind();
        Observation {
            kind,
            rules_version,
            seat,
            options: options.to_owned(),
            view: self.view(Some(seat)),
            legal_actions: self.legal(seat),
        }
    }

    /// Whether the next hand is to be dealt.
    fn is_between_hands(&self) -> bool;

    /// Deals out what waits for the next hand, between two hands: there will be none.
    fn break_off(&mut self);

    /// The places as they stand between two hands.
    fn standings(&self) -> Outcome;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome>;
}

impl<G: Game> AnyGame for G {
    fn kind(&self) -> (&'static str, u16) {
        (G::KIND, G::RULES_VERSION)
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

    fn is_between_hands(&self) -> bool {
        Game::is_between_hands(self)
    }

    fn break_off(&mut self) {
        Game::break_off(self);
    }

    fn standings(&self) -> Outcome {
        Game::standings(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Game::outcome(self)
    }
}

pub(super) fn read_action<G: Game>(action: &str) -> Result<G::Action, Refusal> {
    let canonical = CanonicalAction::of(action).and_then(|written| G::Action::read(&written));
    canonical.map_or_else(|| read_object(action), Ok).map_err(|error| {
        Refusal::illegal(format!(
            "no action of this kind of game, whose parameters stand beside `type`: {error}"
        ))
    })
}

pub(super) fn written<C: Card>(action: &impl menu::Action<C>) -> Box<RawValue> {
    RawValue::from_string(menu::canonical(action)).expect("what is written is JSON")
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
