//! The deck: 104 cards, no two alike. Eight kings, and twelve of each other face.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::cards::{Card, CardInfo, CardName, UnknownCard};

/// How many cards there are.
pub const CARDS: u8 = 104;

/// A card: kings 1..8 are 0..7, queens 1..12 are 8..19, and so on by the rank of the faces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(into = "CardName", try_from = "CardName")]
#[schema(
    as = KnightsHeadsCard, value_type = String, pattern = "^(K[1-8]|[QNAMEDJB]([1-9]|1[0-2]))$", example = "Q12",
    description = "A card of Knights' Heads: the letter of its face, and its number."
)]
pub struct KnightsCard(u8);

/// What a card shows. In order of rank, the highest first; written as its letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = KnightsHeadsFace)]
pub enum Face {
    #[serde(rename = "K")]
    King,
    #[serde(rename = "Q")]
    Queen,
    #[serde(rename = "N")]
    Knight,
    #[serde(rename = "A")]
    Armorer,
    #[serde(rename = "M")]
    Merchant,
    #[serde(rename = "E")]
    Messenger,
    #[serde(rename = "D")]
    Dancer,
    #[serde(rename = "J")]
    Juggler,
    #[serde(rename = "B")]
    Blacksmith,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sex {
    Male,
    Female,
}

use Face::{Armorer, Blacksmith, Dancer, Juggler, King, Knight, Merchant, Messenger, Queen};

/// Each face's letter, its name, and what makes its cards 1 and 2 notable.
const FACES: [(u8, &str, [&str; 2]); 9] = [
    (b'K', "king", ["scepter of blessing", "throne of judgment"]),
    (b'Q', "queen", ["elven", "half-celestial"]),
    (b'N', "knight", ["dead", "being dubbed"]),
    (b'A', "armorer", ["quaffing ale", "smoking a pipe"]),
    (b'M', "merchant", ["wizard", "cleric"]),
    (b'E', "messenger", ["winged", "hawk on the shoulder"]),
    (b'D', "dancer", ["nude", "dances suggestively"]),
    (b'J', "juggler", ["fiery torches", "daggers"]),
    (b'B', "blacksmith", ["bald", "left-handed"]),
];

impl Face {
    pub const ALL: [Face; 9] =
        [King, Queen, Knight, Armorer, Merchant, Messenger, Dancer, Juggler, Blacksmith];

    pub fn name(self) -> &'static str {
        FACES[self as usize].1
    }

    /// How many cards show it.
    pub const fn cards(self) -> u8 {
        match self {
            King => 8,
            _ => 12,
        }
    }

    /// Where its cards begin in the deck. The kings lack four.
    const fn first(self) -> u8 {
        (self as u8 * 12).saturating_sub(4)
    }
}

impl Sex {
    pub fn name(self) -> &'static str {
        match self {
            Sex::Male => "male",
            Sex::Female => "female",
        }
    }
}

impl KnightsCard {
    /// The whole deck in its order before a shuffle.
    pub fn deck() -> impl Iterator<Item = KnightsCard> {
        (0..CARDS).map(KnightsCard)
    }

    /// The card at this place in the deck's order, below [`CARDS`].
    pub(super) const fn at(place: u8) -> KnightsCard {
        assert!(place < CARDS);
        KnightsCard(place)
    }

    /// Its place in the deck's order.
    pub(super) const fn place(self) -> usize {
        self.0 as usize
    }

    pub const fn face(self) -> Face {
        Face::ALL[(self.0 as usize + 4) / 12]
    }

    /// Its number among the cards of its face, from 1.
    pub const fn number(self) -> u8 {
        self.0 - self.face().first() + 1
    }

    pub const fn sex(self) -> Sex {
        match (self.face(), self.number()) {
            (Queen, _) | (Merchant | Juggler, 2 | 8..=12) | (Dancer, 1..=11) | (Blacksmith, 12) => {
                Sex::Female
            }
            _ => Sex::Male,
        }
    }

    /// Who is on the card: `human`, `elven` or `half_celestial`. The source names two queens; all others are human.
    pub const fn race(self) -> &'static str {
        match (self.face(), self.number()) {
            (Queen, 1) => "elven",
            (Queen, 2) => "half_celestial",
            _ => "human",
        }
    }

    /// Whether it is one of its face's two notable cards.
    pub const fn is_notable(self) -> bool {
        self.number() <= 2
    }

    /// What makes it notable, if it is.
    pub fn notable(self) -> Option<&'static str> {
        let words = FACES[self.face() as usize].2;
        words.get(usize::from(self.number() - 1)).copied()
    }

    /// The card as a frontend may show it.
    pub fn info(self) -> CardInfo {
        let (face, number) = (self.face().name(), self.number());
        CardInfo {
            face: Some(face),
            number: Some(number),
            sex: Some(self.sex().name()),
            race: Some(self.race()),
            notable: Some(self.notable()),
            ..CardInfo::new(self.name(), format!("{face} {number}"), 1)
        }
    }
}

impl Card for KnightsCard {
    fn name(self) -> CardName {
        self.into()
    }

    fn place(self) -> u8 {
        self.0
    }

    fn at(place: u8) -> KnightsCard {
        KnightsCard::at(place)
    }
}

impl From<KnightsCard> for CardName {
    fn from(card: KnightsCard) -> CardName {
        let mut name = CardName::new();
        name.push(char::from(FACES[card.face() as usize].0));
        if card.number() >= 10 {
            name.push('1');
        }
        name.push(char::from(b'0' + card.number() % 10));
        name
    }
}

impl TryFrom<CardName> for KnightsCard {
    type Error = UnknownCard;

    fn try_from(name: CardName) -> Result<KnightsCard, UnknownCard> {
        let (letter, number) = match *name.as_bytes() {
            [letter, ones @ b'1'..=b'9'] => (letter, ones - b'0'),
            [letter, b'1', ones @ b'0'..=b'2'] => (letter, 10 + ones - b'0'),
            _ => return Err(UnknownCard(name)),
        };
        Face::ALL
            .into_iter()
            .find(|&face| FACES[face as usize].0 == letter)
            .filter(|face| number <= face.cards())
            .map(|face| KnightsCard(face.first() + number - 1))
            .ok_or(UnknownCard(name))
    }
}

impl fmt::Debug for KnightsCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(name: &str) -> KnightsCard {
        KnightsCard::try_from(CardName::from(name).unwrap()).unwrap()
    }

    #[test]
    fn every_card_is_found_again_by_its_name() {
        for (place, card) in KnightsCard::deck().enumerate() {
            assert_eq!(KnightsCard::try_from(card.name()), Ok(card));
            assert_eq!(format!("{card:?}"), card.name().as_str());
            assert_eq!(card.place(), place);
        }
    }

    #[test]
    fn the_deck_stands_by_face_then_number() {
        let names: Vec<_> = KnightsCard::deck().map(|c| c.name().to_string()).collect();
        assert_eq!(names.len(), 104);
        assert_eq!(names[..9], ["K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "Q1"]);
        let firsts: Vec<_> = (8..104).step_by(12).map(|at| names[at].as_str()).collect();
        assert_eq!(firsts, ["Q1", "N1", "A1", "M1", "E1", "D1", "J1", "B1"]);
        assert_eq!(names[100..], ["B9", "B10", "B11", "B12"]);
    }

    #[test]
    fn a_card_is_told_to_frontends_with_what_makes_it_notable() {
        let told = |name: &str| serde_json::to_string(&card(name).info()).unwrap();
        let expected = r#"{"card":"K1","name":"king 1","copies":1,"face":"king","number":1,"sex":"male","race":"human","notable":"scepter of blessing"}"#;
        assert_eq!(told("K1"), expected);
        let expected = r#"{"card":"Q3","name":"queen 3","copies":1,"face":"queen","number":3,"sex":"female","race":"human","notable":null}"#;
        assert_eq!(told("Q3"), expected);
    }

    #[test]
    fn strings_that_are_no_cards_are_refused() {
        for name in ["", "K", "K0", "K9", "K10", "Q13", "Q20", "Q01", "Q+1", "Q112", "X1", "q1", "1Q", "QQ"] {
            assert!(KnightsCard::try_from(CardName::from(name).unwrap()).is_err(), "{name}");
        }
    }

    #[test]
    fn the_table_of_the_rules_names_every_female_card() {
        let all = |letter: &str, numbers: &[u8]| -> Vec<String> {
            numbers.iter().map(|number| format!("{letter}{number}")).collect()
        };
        let twelve: Vec<u8> = (1..=12).collect();
        let expected = [
            all("Q", &twelve),
            all("M", &[2, 8, 9, 10, 11, 12]),
            all("D", &twelve[..11]),
            all("J", &[2, 8, 9, 10, 11, 12]),
            all("B", &[12]),
        ];
        let females = KnightsCard::deck().filter(|card| card.sex() == Sex::Female);
        assert_eq!(females.map(|card| card.name().to_string()).collect::<Vec<_>>(), expected.concat());
    }

    #[test]
    fn the_first_two_cards_of_each_face_are_notable() {
        let notable: Vec<_> = KnightsCard::deck()
            .filter(|card| card.is_notable())
            .map(|card| format!("{} {}", card.name(), card.notable().unwrap()))
            .collect();
        let expected = [
            "K1 scepter of blessing",
            "K2 throne of judgment",
            "Q1 elven",
            "Q2 half-celestial",
            "N1 dead",
            "N2 being dubbed",
            "A1 quaffing ale",
            "A2 smoking a pipe",
            "M1 wizard",
            "M2 cleric",
            "E1 winged",
            "E2 hawk on the shoulder",
            "D1 nude",
            "D2 dances suggestively",
            "J1 fiery torches",
            "J2 daggers",
            "B1 bald",
            "B2 left-handed",
        ];
        assert_eq!(notable, expected);
        assert!(KnightsCard::deck().all(|card| card.is_notable() == card.notable().is_some()));
    }

    #[test]
    fn a_card_is_described_by_face_number_sex_and_notability() {
        let described = |name| serde_json::to_value(card(name).info()).unwrap();
        let cleric = serde_json::json!({
            "card": "M2", "name": "merchant 2", "copies": 1,
            "face": "merchant", "number": 2, "sex": "female", "race": "human", "notable": "cleric",
        });
        let dancer = serde_json::json!({
            "card": "D12", "name": "dancer 12", "copies": 1,
            "face": "dancer", "number": 12, "sex": "male", "race": "human", "notable": null,
        });
        assert_eq!((described("M2"), described("D12")), (cleric, dancer));
    }

    #[test]
    fn a_face_is_written_as_the_letter_of_its_cards() {
        for face in Face::ALL {
            let letter = serde_json::to_value(face).unwrap();
            let own = KnightsCard::deck().filter(|card| card.name().starts_with(letter.as_str().unwrap()));
            assert_eq!(own.map(KnightsCard::face).collect::<Vec<_>>(), vec![face; face.cards().into()]);
        }
    }
}
