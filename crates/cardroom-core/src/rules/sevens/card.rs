//! The cards of Sevens: three suits, one to six, each of them twice.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::cards::{Card, CardInfo, CardName, UnknownCard};

/// A card of the merchants' deck: coins 1..6 are 0..5, then grain, then ships. Its twin is the same card.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(into = "CardName", try_from = "CardName")]
#[schema(
    as = SevensCard, value_type = String, pattern = "^[1-6][CGS]$", example = "6S",
    description = "A card of Sevens: its number and its suit, coins, grain or ships."
)]
pub struct NaykuhCard(u8);

/// How many cards there are, twins counted.
pub const DECK: usize = 36;

const COPIES: u8 = 2;
const NUMBERS: &[u8; 6] = b"123456";
const SUITS: &[u8; 3] = b"CGS";
const SUIT_NAMES: [&str; 3] = ["coins", "grain", "ships"];

impl NaykuhCard {
    /// The whole deck in its order before a shuffle, twins side by side.
    pub fn deck() -> impl Iterator<Item = NaykuhCard> {
        NaykuhCard::kinds().flat_map(|card| [card; COPIES as usize])
    }

    /// One card of each pair of twins.
    pub fn kinds() -> impl Iterator<Item = NaykuhCard> {
        (0..(SUITS.len() * NUMBERS.len()) as u8).map(NaykuhCard)
    }

    /// What it counts towards seven.
    pub fn number(self) -> u8 {
        self.0 % 6 + 1
    }

    /// 0 coins, 1 grain, 2 ships.
    pub fn suit(self) -> u8 {
        self.0 / 6
    }

    /// The card as a frontend may show it.
    pub fn info(self) -> CardInfo {
        let suit = SUIT_NAMES[usize::from(self.suit())];
        let plain = CardInfo::new(self.name(), format!("{} of {suit}", self.number()), COPIES);
        CardInfo { number: Some(self.number()), suit: Some(suit), ..plain }
    }
}

impl Card for NaykuhCard {
    fn name(self) -> CardName {
        self.into()
    }

    fn place(self) -> u8 {
        self.0
    }

    fn at(place: u8) -> NaykuhCard {
        NaykuhCard(place)
    }
}

impl From<NaykuhCard> for CardName {
    fn from(card: NaykuhCard) -> CardName {
        let mut name = CardName::new();
        name.push(char::from(NUMBERS[usize::from(card.number() - 1)]));
        name.push(char::from(SUITS[usize::from(card.suit())]));
        name
    }
}

impl TryFrom<CardName> for NaykuhCard {
    type Error = UnknownCard;

    fn try_from(name: CardName) -> Result<NaykuhCard, UnknownCard> {
        let [number, suit] = *name.as_bytes() else {
            return Err(UnknownCard(name));
        };
        let number = NUMBERS.iter().position(|&n| n == number);
        let suit = SUITS.iter().position(|&s| s == suit);
        match (number, suit) {
            (Some(number), Some(suit)) => Ok(NaykuhCard((suit * NUMBERS.len() + number) as u8)),
            _ => Err(UnknownCard(name)),
        }
    }
}

impl fmt::Debug for NaykuhCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_found_again_by_its_name() {
        for card in NaykuhCard::kinds() {
            assert_eq!(NaykuhCard::try_from(card.name()), Ok(card));
            assert_eq!(format!("{card:?}"), card.name().as_str());
        }
    }

    #[test]
    fn strings_that_are_no_cards_are_refused() {
        for text in
            ["\"\"", "\"1\"", "\"0C\"", "\"7C\"", "\"1D\"", "\"1c\"", "\"C1\"", "\"11C\"", "1", "null"]
        {
            assert!(serde_json::from_str::<NaykuhCard>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_card_is_told_to_frontends_with_its_twin() {
        let cards: Vec<CardInfo> = NaykuhCard::kinds().map(NaykuhCard::info).collect();
        let first = r#"{"card":"1C","name":"1 of coins","copies":2,"number":1,"suit":"coins"}"#;
        assert_eq!(serde_json::to_string(&cards[0]).unwrap(), first);
        let names: Vec<&str> = cards.iter().map(|info| info.name.as_str()).collect();
        assert_eq!((cards.len(), names[0], names[17]), (18, "1 of coins", "6 of ships"));
        assert_eq!(cards.iter().map(|info| usize::from(info.copies)).sum::<usize>(), DECK);
    }
}
