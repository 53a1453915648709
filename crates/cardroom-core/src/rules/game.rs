//! The contract of a game: its law and its state, and how an action and a chance come to it.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::ToSchema;

use crate::rules::bot::Observation;
use crate::rules::cards::{self, Card, CardInfo};
use crate::rules::facts::{Fact, Facts, Names};
use crate::rules::hand_story::HandStory;
use crate::rules::menu::{self, Action, Menu};
use crate::rules::odds::Odds;
use crate::rules::outcome::{Best, Outcome};
use crate::rules::profile::{CardRole, Profile, RankedHand};
use crate::rules::ranking::Ranking;
use crate::rules::refusal::Refusal;
use crate::rules::scoring::Scorings;
use crate::rules::seats::{Seat, SeatSet};
use crate::rules::stakes::Level;
use crate::rules::texts::Translations;

/// A game, whole: its law and its state.
///
/// Clones are taken for every action, so the state keeps no heap where it can do without. Serde writes all of it,
/// hidden cards too: that is for snapshots, and never leaves the house.
pub trait Game: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The kind's name in paths and logs.
    const KIND: &'static str;
    /// Its name for people.
    const NAME: &'static str;
    /// Stored with each game. A rule that changes makes a new version; the old one stays playable.
    const RULES_VERSION: u16;
    /// How many seats it takes.
    const SEATS: RangeInclusive<u8>;
    /// Whether actions can hold cards that not everybody may read: whether [`Game::secret`] ever names some.
    const HAS_SECRETS: bool = false;
    /// The texts that tell the game to its players, for each language.
    const TEXTS: Translations;
    /// For whom the game is, and how long it takes.
    const PROFILE: Profile;
    /// Which final scores come first.
    const BEST: Best = Best::Highest;

    type Card: Card + ToSchema;
    /// What can be chosen when a game is created. Each field has its default.
    type Options: Serialize + DeserializeOwned + Default + Clone + ToSchema;
    type Action: Action<Self::Card> + Serialize + DeserializeOwned + Clone + ToSchema;
    /// What happened, for streams and hand histories.
    type Fact: Fact;
    type View: Serialize + ToSchema;

    /// What is counted of a player beside games and wins, for leaderboards.
    const COUNTERS: &'static [&'static str] = &[];

    /// The counter that a fact raises: a seat, one of [`Game::COUNTERS`], and by how much.
    fn counted(_fact: &Self::Fact) -> Option<(Seat, &'static str, u32)> {
        None
    }

    /// The tournament scorings that are the kind's own.
    fn scorings() -> Option<Scorings> {
        None
    }

    /// How cards are ranked, if clients may ask for it.
    fn ranking() -> Option<Ranking> {
        None
    }

    /// How likely is what players ask about, if there is something. It is computed anew at each call, which can
    /// take a second.
    fn odds() -> Option<Odds> {
        None
    }

    /// What a careful player would do: one of the legal actions, with its parameters.
    fn steady(seen: &Observation) -> Value;

    /// A hand that has ended, by the facts that the public may know, in the order in which they happened.
    fn story(facts: &[&Self::Fact], names: Names<'_>) -> HandStory;

    /// What a card counts and does, as players are told.
    fn role(card: Self::Card) -> CardRole;

    /// The hands that the kind ranks, the highest first.
    fn hands() -> Vec<RankedHand> {
        Vec::new()
    }

    /// Every card that the kind knows, in deck order.
    fn deck() -> Vec<CardInfo>;

    /// What each seat pays for a hand, where players can take their chips from game to game: all seats begin alike, they alone
    /// put chips in and win them, and what they pay stays the same in a game.
    fn ante(_options: &Self::Options) -> Option<u32> {
        None
    }

    /// The options at a level of a tournament whose players take their chips from game to game. None where there is no
    /// [`Game::ante`].
    fn at_level(_options: Self::Options, _level: Level) -> Option<Self::Options> {
        None
    }

    /// A game before its first chance.
    ///
    /// # Errors
    /// `invalid_options` where an option is outside its range, or two contradict each other.
    /// `seats` is within [`Game::SEATS`]: the caller has seen to that.
    fn new(options: Self::Options, seats: u8) -> Result<Self, Refusal>;

    /// What the game waits for.
    fn need(&self) -> Need<Self::Card>;

    /// Takes the outcome of the pick or shuffle that [`Game::need`] asked for.
    fn chance(&mut self, outcome: Chance<Self::Card>, facts: &mut Facts<Self::Fact>);

    /// What `seat` may do now: complete and sound.
    fn legal(&self, seat: Seat) -> Menu<Self::Card>;

    /// Does what [`menu::check`] has passed.
    fn act(&mut self, seat: Seat, action: &Self::Action, facts: &mut Facts<Self::Fact>);

    /// The game as `viewer` may see it (`None`: someone at no seat), built up from nothing.
    fn view(&self, viewer: Option<Seat>) -> Self::View;

    /// What the clock plays for a seat that the game waits for.
    fn default_action(&self, seat: Seat) -> Self::Action;

    /// The list of cards in an action that not everybody may read, asked before the action is done. None where
    /// everything about it is public.
    fn secret(&self, _seat: Seat, _action: &Self::Action) -> Option<Secret> {
        None
    }

    /// Whether `viewer`, who is not the secret's own seat, knows its card number `nth` by now. The table
    /// asks after every entry and remembers a true answer, so for a hand that is over the answer may be false again.
    fn knows(&self, _viewer: Option<Seat>, _secret: Secret, _nth: usize) -> bool {
        false
    }

    /// Whether the next hand is to be dealt: the shuffle that the game waits for is for that one.
    fn is_between_hands(&self) -> bool {
        matches!(self.need(), Need::Shuffle(_))
    }

    /// Deals out what waits for the next hand, between two hands: there will be none, because nobody plays on.
    fn break_off(&mut self) {}

    /// The places as they stand, by what no running hand can change any more. Asked when the game is over, and
    /// between two hands.
    fn standings(&self) -> Outcome;

    /// The result, once the game is over.
    fn outcome(&self) -> Option<Outcome> {
        matches!(self.need(), Need::Nothing).then(|| self.standings())
    }
}

/// Plays an action if, and only if, it stands on the seat's menu. A refusal changes nothing.
///
/// # Errors
/// See [`menu::check`].
pub fn play<G: Game>(
    game: &mut G,
    seat: Seat,
    action: &G::Action,
    facts: &mut Facts<G::Fact>,
) -> Result<(), Refusal> {
    menu::check(&game.legal(seat), action)?;
    game.act(seat, action, facts);
    Ok(())
}

/// Takes what chance answered if, and only if, it is an answer to what the game waits for.
///
/// # Errors
/// [`NotAsked`] where it is none; nothing has changed then.
pub fn draw<G: Game>(
    game: &mut G,
    outcome: Chance<G::Card>,
    facts: &mut Facts<G::Fact>,
) -> Result<(), NotAsked> {
    let is_asked = match (game.need(), &outcome) {
        (Need::Pick { of }, Chance::Pick(result)) => *result < of,
        (Need::Shuffle(asked), Chance::Shuffle(order)) => {
            asked.len() == order.len() && {
                let mut missing = [0i8; cards::KINDS];
                asked.iter().for_each(|card| missing[usize::from(card.place())] += 1);
                order.iter().for_each(|card| missing[usize::from(card.place())] -= 1);
                missing.iter().all(|&number| number == 0)
            }
        }
        _ => false,
    };
    if !is_asked {
        return Err(NotAsked);
    }
    game.chance(outcome, facts);
    Ok(())
}

/// What the rules wait for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Need<C> {
    /// A number below `of`.
    Pick { of: u8 },
    /// An order of these cards, which stand here as before the shuffle.
    Shuffle(Vec<C>),
    /// A decision by each of these seats.
    Players(SeatSet),
    /// Nothing: the game is over.
    Nothing,
}

/// What chance answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chance<C> {
    Pick(u8),
    /// The top of the deck is the first.
    Shuffle(Vec<C>),
}

/// A chance that the game did not ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this chance is not what the rules asked for")]
pub struct NotAsked;

/// Cards that a seat put into an action, and that not everybody may read in the log of a running game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Secret {
    /// The hand it belongs to.
    pub hand: u32,
    /// Whose action it was.
    pub seat: Seat,
    /// The parameter that holds the cards.
    pub param: &'static str,
}
