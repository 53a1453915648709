//! The games' own law. Pure and synchronous: no input or output, no time, no randomness, no hash maps.
//!
//! A game is a value. It says what it waits for ([`Need`]), is told what came ([`Game::chance`],
//! [`Game::act`]), and can be asked what a seat may do and what a viewer may see. Nothing else changes it,
//! so the same chances and actions always lead to the same game.

pub mod betting;
pub mod cards;
pub mod facts;
pub mod knights_heads;
pub mod menu;
pub mod registry;
#[cfg(test)]
pub mod revised;
pub mod ricketts_hearts;
pub mod ritunas_favour;
pub mod royal_gambit;
pub mod sevens;
pub mod written;

use std::fmt::Display;
use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use self::cards::{Card, CardInfo};
use self::facts::Names;
use self::menu::{Action, Menu};

/// A player's place, 0..n-1 clockwise.
pub type Seat = u8;

/// The most seats that any kind has.
pub const MAX_SEATS: usize = 10;

/// One value for each seat, seat 0 first.
pub type PerSeat<T> = ArrayVec<T, MAX_SEATS>;

/// A game, whole: its law and its state.
///
/// Clones are taken for every action, so the state keeps no heap where it can do without. Through serde goes all of
/// it, hidden cards too: that is for snapshots, and never leaves the house.
pub trait Game: Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The kind's name in paths and logs.
    const KIND: &'static str;
    /// Its name for people.
    const NAME: &'static str;
    /// One sentence that tells it from the others.
    const SUMMARY: &'static str;
    /// Stored with each game. A rule that changes makes a new version; the old one stays playable.
    const RULES_VERSION: u16;
    /// How many seats it takes.
    const SEATS: RangeInclusive<u8>;
    /// Whether [`Game::secret`] ever names any.
    const HAS_SECRETS: bool = false;
    /// Which final scores come first.
    const BEST: Best = Best::Highest;
    /// The types of the facts that say what a hand brought to whom.
    const HAND_RESULTS: &'static [&'static str] = &["pot_won", "pot_returned", "carried", "scored"];

    type Card: Card;
    /// What can be chosen when a game is made. Each field has its default.
    type Options: Serialize + DeserializeOwned + Default + Clone + ToSchema;
    type Action: Action<Self::Card> + Serialize + DeserializeOwned + Clone + ToSchema;
    /// What happened, for streams and hand histories. Worked out, never stored as truth.
    ///
    /// In JSON, objects told apart by `type`. Every kind tells everyone `hand_began` when a hand is dealt and
    /// `hand_ended` when it is over, with its number from 1 as `hand`: these delimit the hand histories.
    type Fact: Serialize + Clone + ToSchema;
    type View: Serialize + ToSchema;

    /// Every card that the kind knows, in deck order.
    fn deck() -> Vec<CardInfo>;

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

    /// A fact as one says it at the table: a clause with the players' names, without a full stop.
    fn words(fact: &Self::Fact, names: Names<'_>) -> String;

    /// What the clock plays for a seat that the game waits for.
    fn default_action(&self, seat: Seat) -> Self::Action;

    /// The list of cards in an action that is not for all to read, asked before the action is done. None
    /// where everything about it is public.
    fn secret(&self, _seat: Seat, _action: &Self::Action) -> Option<Secret> {
        None
    }

    /// Whether `viewer`, who is not the secret's own seat, knows its card number `nth` by now. Asked after
    /// every entry, and believed once it was true; of hands gone by it need not be true again.
    fn knows(&self, _viewer: Option<Seat>, _secret: Secret, _nth: usize) -> bool {
        false
    }

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

/// A set of seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatSet(u16);

impl SeatSet {
    pub const EMPTY: SeatSet = SeatSet(0);

    pub fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << seat)
    }

    pub fn contains(self, seat: Seat) -> bool {
        seat < 16 && self.0 & (1 << seat) != 0
    }

    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat;
    }

    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat);
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..16).filter(move |&seat| self.contains(seat))
    }

    /// The seats clockwise from the left of `seat`, `seat` itself last.
    pub fn from_left_of(self, seat: Seat) -> impl Iterator<Item = Seat> {
        (1..=16).map(move |step| (seat + step) % 16).filter(move |&s| self.contains(s))
    }
}

impl Serialize for SeatSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeatSet, D::Error> {
        let seats = PerSeat::<Seat>::deserialize(deserializer)?;
        match seats.iter().find(|&&seat| usize::from(seat) >= MAX_SEATS) {
            None => Ok(seats.into_iter().collect()),
            Some(seat) => Err(D::Error::custom(format!("there is no seat {seat}"))),
        }
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

/// Who may know a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Everyone,
    Only(Seat),
    /// For what is told besides an [`Audience::Only`] of the same seat, with less in it. Once nothing is hidden,
    /// everyone is told the other.
    AllBut(Seat),
}

impl Audience {
    /// Whether `viewer` (`None`: someone at no seat) belongs to it.
    pub fn includes(self, viewer: Option<Seat>) -> bool {
        match self {
            Audience::Everyone => true,
            Audience::Only(seat) => viewer == Some(seat),
            Audience::AllBut(seat) => viewer != Some(seat),
        }
    }
}

/// Where a game tells what happened. Replays that nobody watches leave it off.
#[derive(Debug)]
pub struct Facts<F>(Option<Vec<(Audience, F)>>);

impl<F> Facts<F> {
    /// Facts that are kept.
    pub fn kept() -> Self {
        Facts(Some(Vec::new()))
    }

    /// Facts that nobody asked for.
    pub fn ignored() -> Self {
        Facts(None)
    }

    /// Tells a fact to everyone. It is only made if somebody listens.
    pub fn tell(&mut self, fact: impl FnOnce() -> F) {
        self.tell_to(Audience::Everyone, fact);
    }

    /// Tells a fact to those who may know it.
    pub fn tell_to(&mut self, audience: Audience, fact: impl FnOnce() -> F) {
        if let Some(facts) = &mut self.0 {
            facts.push((audience, fact()));
        }
    }

    /// Whether anybody listens.
    pub fn are_kept(&self) -> bool {
        self.0.is_some()
    }

    /// What was told, in order.
    pub fn into_vec(self) -> Vec<(Audience, F)> {
        self.0.unwrap_or_default()
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Outcome {
    /// Every seat, by place, then by seat.
    pub places: Vec<Placing>,
    /// The seats at place 1.
    pub winners: Vec<u8>,
}

/// A seat's place in the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Placing {
    pub seat: u8,
    /// From 1; equals share a place, and the next is skipped (1, 1, 3).
    pub place: u8,
    /// The final stack, score or total, by the kind's rules.
    pub score: i64,
}

/// Which scores come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    Highest,
    Lowest,
}

impl Outcome {
    /// Places by score alone; `scores` holds one for each seat, seat 0 first.
    pub fn by_score(scores: &[i64], best: Best) -> Outcome {
        let better = |a: i64, b: i64| match best {
            Best::Highest => a > b,
            Best::Lowest => a < b,
        };
        let mut places: Vec<Placing> = scores
            .iter()
            .zip(0..)
            .map(|(&score, seat)| {
                let ahead = scores.iter().filter(|&&other| better(other, score)).count();
                Placing { seat, place: ahead as u8 + 1, score }
            })
            .collect();
        places.sort_by_key(|placing| placing.place);
        let winners = places.iter().filter(|p| p.place == 1).map(|p| p.seat).collect();
        Outcome { places, winners }
    }
}

/// Why something was refused: a stable word and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Refusal {
    pub code: &'static str,
    pub detail: String,
}

impl Refusal {
    pub fn new(code: &'static str, detail: impl Into<String>) -> Refusal {
        Refusal { code, detail: detail.into() }
    }

    pub fn not_your_turn() -> Refusal {
        Refusal::new("not_your_turn", "the game does not wait for you")
    }

    pub fn illegal(detail: impl Into<String>) -> Refusal {
        Refusal::new("illegal_action", detail)
    }

    pub fn options(detail: impl Into<String>) -> Refusal {
        Refusal::new("invalid_options", detail)
    }
}

/// Whether an option lies in its range.
///
/// # Errors
/// `invalid_options`, naming it and its bounds.
pub fn within<T: PartialOrd + Display>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), Refusal> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Refusal::options(format!("`{name}` is {value}, not within {}..{}", range.start(), range.end())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_a_place_and_the_next_is_skipped() {
        let outcome = Outcome::by_score(&[5, 9, 9, 1], Best::Highest);
        let places: Vec<_> = outcome.places.iter().map(|p| (p.seat, p.place)).collect();
        assert_eq!(places, [(1, 1), (2, 1), (0, 3), (3, 4)]);
        assert_eq!(outcome.winners, [1, 2]);
        assert_eq!(Outcome::by_score(&[5, 9], Best::Lowest).winners, [0]);
    }

    #[test]
    fn the_left_of_the_last_seat_is_the_first() {
        let seats: SeatSet = [0, 2, 3].into_iter().collect();
        assert_eq!(seats.from_left_of(2).collect::<Vec<_>>(), [3, 0, 2]);
        assert_eq!(seats.from_left_of(1).collect::<Vec<_>>(), [2, 3, 0]);
    }
}
