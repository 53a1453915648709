//! Decks and cards. A card is a small integer; its string exists only at the border.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;

use arrayvec::ArrayString;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A card as it is written everywhere outside the rules: `AS`, `2C`, `Q12`.
pub type CardName = ArrayString<4>;

/// One card of a deck. Its numbers are chosen so that `Ord` is the order of the deck before a shuffle.
pub trait Card:
    Copy
    + Ord
    + Hash
    + fmt::Debug
    + Serialize
    + DeserializeOwned
    + TryFrom<CardName, Error = UnknownCard>
    + Send
    + Sync
    + 'static
{
    /// The card as a string, unique within its deck.
    fn name(self) -> CardName;

    /// Its place among the different cards of its deck, below [`KINDS`].
    fn place(self) -> u8;

    /// The card that has this place.
    fn at(place: u8) -> Self;
}

/// The most different cards that a deck can have.
pub const KINDS: usize = 128;

/// Cards of which one can be chosen: a bit for each place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnyOf<C>(u128, PhantomData<C>);

impl<C: Card> AnyOf<C> {
    pub fn contains(self, card: C) -> bool {
        self.0 >> card.place() & 1 == 1
    }

    #[expect(clippy::len_without_is_empty, reason = "there is always something to choose from")]
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// In the order of the deck.
    pub fn iter(self) -> impl Iterator<Item = C> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            (usize::from(place) < KINDS).then(|| C::at(place))
        })
    }
}

impl<C: Card> FromIterator<C> for AnyOf<C> {
    fn from_iter<I: IntoIterator<Item = C>>(cards: I) -> AnyOf<C> {
        AnyOf(cards.into_iter().fold(0, |set, card| set | 1 << card.place()), PhantomData)
    }
}

impl<C: Card> Serialize for AnyOf<C> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// What `GET /v1/kinds/{kind}` tells of a card, so that a frontend can draw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct CardInfo {
    /// The card as it stands in logs and views.
    #[schema(value_type = String, example = "QS")]
    pub card: CardName,
    /// Its name in words.
    #[schema(example = "queen of spades")]
    pub name: String,
    /// How many such cards the deck holds.
    pub copies: u8,
    /// `ace`, `two` … `ten`, `jack`, `queen` or `king`, in the French deck. An attribute that the cards of a deck do not
    /// have is left out, like all that follow.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rank: Option<&'static str>,
    /// What a card of Knights' Heads shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub face: Option<&'static str>,
    /// In Sevens, what the card counts; in Knights' Heads, its number among the cards of its face.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub number: Option<u8>,
    /// In the French deck, and in Sevens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub suit: Option<&'static str>,
    /// The sex of the person on a card of Knights' Heads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sex: Option<&'static str>,
    /// The race of the person on a card of Knights' Heads: `human`, `elven` or `half_celestial`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub race: Option<&'static str>,
    /// What makes a notable card of Knights' Heads so; null for its other cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub notable: Option<Option<&'static str>>,
}

impl CardInfo {
    /// A card without attributes.
    pub fn new(card: CardName, name: String, copies: u8) -> CardInfo {
        CardInfo {
            card,
            name,
            copies,
            rank: None,
            face: None,
            number: None,
            suit: None,
            sex: None,
            race: None,
            notable: None,
        }
    }
}

/// A card of the French deck: clubs A..K are 0..12, then diamonds, hearts, spades.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(into = "CardName", try_from = "CardName")]
#[schema(
    as = FrenchCard, value_type = String, pattern = "^[A2-9TJQK][CDHS]$", example = "AS",
    description = "A card of the French deck: its rank, T for ten, and its suit."
)]
pub struct French(u8);

/// The rank of a French card, ace low: `ACE` = 1 … `KING` = 13.
pub type Rank = u8;
pub const ACE: Rank = 1;
pub const SEVEN: Rank = 7;
pub const TEN: Rank = 10;
pub const JACK: Rank = 11;
pub const QUEEN: Rank = 12;
pub const KING: Rank = 13;

const RANKS: &[u8; 13] = b"A23456789TJQK";
const SUITS: &[u8; 4] = b"CDHS";
/// The place of each letter among the ranks and among the suits, because looking for it takes longer.
static PLACES: [(Option<u8>, Option<u8>); 256] = {
    let mut places = [(None, None); 256];
    let mut at = 0;
    while at < RANKS.len() {
        places[RANKS[at] as usize].0 = Some(at as u8);
        at += 1;
    }
    at = 0;
    while at < SUITS.len() {
        places[SUITS[at] as usize].1 = Some(at as u8);
        at += 1;
    }
    places
};

const RANK_NAMES: [&str; 13] =
    ["ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
const SUIT_NAMES: [&str; 4] = ["clubs", "diamonds", "hearts", "spades"];

impl French {
    /// The whole deck in its order before a shuffle.
    pub fn deck() -> impl Iterator<Item = French> {
        (0..52).map(French)
    }

    /// The card that has this place in the deck before a shuffle, 0..52.
    pub fn at(place: u8) -> French {
        debug_assert!(place < 52);
        French(place)
    }

    /// Its place in the deck before a shuffle.
    pub fn place(self) -> u8 {
        self.0
    }

    /// The card's rank, 1..=13.
    pub fn rank(self) -> Rank {
        self.0 % 13 + 1
    }

    /// The card's suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades.
    pub fn suit(self) -> u8 {
        self.0 / 13
    }

    /// The card as a frontend may show it.
    pub fn info(self) -> CardInfo {
        let rank = RANK_NAMES[usize::from(self.rank() - 1)];
        let suit = SUIT_NAMES[usize::from(self.suit())];
        let plain = CardInfo::new(self.name(), format!("{rank} of {suit}"), 1);
        CardInfo { rank: Some(rank), suit: Some(suit), ..plain }
    }
}

impl Card for French {
    fn name(self) -> CardName {
        self.into()
    }

    fn place(self) -> u8 {
        self.0
    }

    fn at(place: u8) -> French {
        French::at(place)
    }
}

impl From<French> for CardName {
    fn from(card: French) -> CardName {
        let mut name = CardName::new();
        name.push(char::from(RANKS[usize::from(card.rank() - 1)]));
        name.push(char::from(SUITS[usize::from(card.suit())]));
        name
    }
}

impl TryFrom<CardName> for French {
    type Error = UnknownCard;

    fn try_from(name: CardName) -> Result<French, UnknownCard> {
        let [rank, suit] = *name.as_bytes() else {
            return Err(UnknownCard(name));
        };
        match (PLACES[usize::from(rank)], PLACES[usize::from(suit)]) {
            ((Some(rank), _), (_, Some(suit))) => Ok(French(suit * KING + rank)),
            _ => Err(UnknownCard(name)),
        }
    }
}

impl fmt::Debug for French {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// A string that names no card of the deck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no card of this deck")]
pub struct UnknownCard(pub CardName);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_french_card_is_found_again_by_its_name() {
        for (i, card) in French::deck().enumerate() {
            assert_eq!(French::try_from(card.name()), Ok(card));
            assert_eq!(format!("{card:?}"), card.name().as_str());
            assert_eq!(usize::from(card.place()), i);
            assert_eq!(French::at(card.place()), card);
        }
    }

    #[test]
    fn a_set_to_choose_from_gives_its_cards_back_in_the_order_of_the_deck() {
        let set: AnyOf<French> = [51, 0, 17, 0].map(French).into_iter().collect();
        assert_eq!(set.iter().map(French::place).collect::<Vec<_>>(), [0, 17, 51]);
        assert_eq!(set.len(), 3);
        assert!(French::deck().all(|card| set.contains(card) == [0, 17, 51].contains(&card.place())));
    }

    #[test]
    fn the_deck_stands_by_suit_then_rank() {
        let names: Vec<_> = French::deck().map(|c| c.name().to_string()).collect();
        assert_eq!(names[..3], ["AC", "2C", "3C"]);
        assert_eq!(names[12..15], ["KC", "AD", "2D"]);
        assert_eq!(names[51], "KS");
    }

    #[test]
    fn a_card_is_described_in_one_flat_object() {
        let queen = French::deck().find(|card| card.name().as_str() == "QS").unwrap();
        let expected = r#"{"card":"QS","name":"queen of spades","copies":1,"rank":"queen","suit":"spades"}"#;
        assert_eq!(serde_json::to_string(&queen.info()).unwrap(), expected);
    }

    #[test]
    fn strings_that_are_no_cards_are_refused() {
        for text in ["\"\"", "\"A\"", "\"1S\"", "\"as\"", "\"10S\"", "\"ASSSSS\"", "7", "null"] {
            assert!(serde_json::from_str::<French>(text).is_err(), "{text}");
        }
    }
}
