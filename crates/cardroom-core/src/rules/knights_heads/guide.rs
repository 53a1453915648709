//! What a player is told about Knights' Heads beside its texts.

use super::deck::{Face, KnightsCard};
use super::hands::Hand;
use crate::rules::profile::{CardRole, Profile, RankedHand, range};
use crate::rules::texts::{Language, Translations};

pub const TEXTS: Translations =
    &[(Language::English, include_str!("texts/en.json")), (Language::German, include_str!("texts/de.json"))];

/// Where the numbers come from: the source. It says two to six, and names neither a time nor an age.
pub const PROFILE: Profile = Profile { usual_seats: range(2, 6), minutes: None, min_age: None };

/// The group that a card belongs to. Cards have no value of their own: they count by face, sex and notability.
pub fn role(card: KnightsCard) -> CardRole {
    let role = match (card.face(), card.is_notable()) {
        (Face::King | Face::Queen | Face::Knight, true) => "notable_royal",
        (Face::King | Face::Queen | Face::Knight, false) => "royal",
        (_, true) => "notable_commoner",
        (_, false) => "commoner",
    };
    CardRole { value: None, role: Some(role) }
}

/// Ten cards, in the order of the deck, that make this hand; of `nothing`, ten that make none.
pub fn example(hand: Hand) -> [&'static str; 10] {
    EXAMPLES[hand as usize]
}

/// The hands of the table, the highest first.
pub fn hands() -> Vec<RankedHand> {
    let told = |hand: Hand| {
        Some(RankedHand {
            name: hand.name().replace(' ', "_"),
            number: hand.number()?,
            example: example(hand).to_vec(),
        })
    };
    Hand::all().filter_map(told).collect()
}

/// In the order of the table of hands.
#[rustfmt::skip]
static EXAMPLES: [[&str; 10]; 27] = [
    /*    1 */ ["Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q9", "Q10", "Q11", "Q12"],
    /*    2 */ ["K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8", "M4", "B9"],
    /*    3 */ ["K5", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "J7"],
    /*    4 */ ["K4", "N3", "N6", "N9", "A5", "M3", "E8", "D12", "J4", "B7"],
    /*    5 */ ["K2", "K5", "K7", "Q3", "Q6", "Q8", "Q11", "N4", "N9", "N12"],
    /*    6 */ ["K3", "Q7", "N4", "N8", "A6", "M10", "E2", "D5", "J9", "B11"],
    /*    7 */ ["Q4", "Q5", "Q9", "M2", "M8", "D3", "D7", "J2", "J10", "B12"],
    /*    8 */ ["K6", "N5", "A3", "A4", "A5", "A6", "B4", "B5", "B6", "B7"],
    /*    9 */ ["N3", "N4", "N5", "N6", "N7", "J5", "J6", "J7", "J8", "J9"],
    /*   10 */ ["A7", "A8", "A9", "A10", "M3", "M9", "E5", "E6", "E7", "E8"],
    /*   11 */ ["K1", "K2", "N1", "N2", "M1", "M2", "D1", "D2", "B1", "B2"],
    /*   12 */ ["K3", "K8", "Q2", "Q10", "N3", "N5", "N7", "N11", "A4", "J6"],
    /*   13 */ ["M4", "M12", "D3", "D6", "D9", "D12", "J1", "J5", "J8", "J11"],
    /*   14 */ ["Q3", "Q4", "Q5", "Q6", "A2", "E7", "E8", "E9", "E10", "B5"],
    /*   15 */ ["K4", "Q1", "Q2", "A1", "A2", "E1", "E2", "J1", "J2", "B8"],
    /*   16 */ ["K3", "K6", "Q4", "Q9", "A5", "A7", "D8", "D10", "B3", "B6"],
    /*   17 */ ["A3", "A8", "M5", "M9", "M11", "E4", "D6", "D7", "J3", "B10"],
    /*   18 */ ["K5", "Q8", "N6", "N10", "A3", "M7", "E9", "E11", "D4", "J12"],
    /*   19 */ ["K1", "K2", "Q5", "A1", "A2", "M6", "E3", "J1", "J2", "B9"],
    /*   20 */ ["K4", "Q3", "Q12", "N7", "A6", "M3", "M8", "E10", "D5", "J9"],
    /*   21 */ ["Q6", "N3", "N5", "N9", "M4", "M6", "M7", "B3", "B8", "B11"],
    /*   22 */ ["K7", "Q4", "N8", "A9", "E3", "E4", "E5", "E6", "D11", "J6"],
    /*   23 */ ["K5", "Q1", "Q2", "A7", "M4", "E6", "D12", "J3", "B1", "B2"],
    /*   24 */ ["K2", "K4", "K8", "A5", "M6", "E12", "D3", "D7", "D9", "B4"],
    /*   25 */ ["K3", "N1", "N2", "A4", "M5", "M8", "E7", "D10", "J6", "B9"],
    /*   26 */ ["K6", "Q7", "N11", "A3", "E9", "D4", "J7", "B5", "B8", "B10"],
    /* none */ ["K3", "K7", "Q5", "N4", "A6", "A9", "M5", "E3", "D8", "B7"],
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::rules::cards::CardName;
    use crate::rules::knights_heads::hands;

    fn cards(names: [&str; 10]) -> Vec<KnightsCard> {
        let card = |name| KnightsCard::try_from(CardName::from(name).unwrap()).unwrap();
        names.map(card).to_vec()
    }

    #[test]
    fn every_example_ranks_as_its_hand() {
        for hand in Hand::all().chain([Hand::Nothing]) {
            let cards = cards(example(hand));
            assert!(cards.is_sorted_by(|one, next| one < next), "{cards:?}");
            assert_eq!(hands::rank(&cards, true).hand, hand, "{cards:?}");
        }
    }

    #[test]
    fn every_number_of_the_table_has_an_example() {
        let numbers = EXAMPLES.map(|names| hands::rank(&cards(names), true).hand.number());
        assert_eq!(numbers.to_vec(), (1..=26).map(Some).chain([None]).collect::<Vec<_>>());
    }

    #[test]
    fn all_but_two_queens_are_human() {
        let others = KnightsCard::deck().filter(|&card| card.race() != "human");
        let others: Vec<_> = others.map(|card| (format!("{card:?}"), card.race())).collect();
        assert_eq!(others, [("Q1".to_owned(), "elven"), ("Q2".to_owned(), "half_celestial")]);
    }

    #[test]
    fn each_role_has_as_many_cards_as_the_deck_holds_of_it() {
        let mut cards = BTreeMap::new();
        for card in KnightsCard::deck() {
            *cards.entry(role(card).role.unwrap()).or_insert(0) += 1;
        }
        let expected = [("commoner", 60), ("notable_commoner", 12), ("notable_royal", 6), ("royal", 26)];
        assert_eq!(cards, BTreeMap::from(expected));
    }

    #[test]
    fn both_languages_tell_every_card_role_race_and_hand() {
        for texts in [include_str!("texts/en.json"), include_str!("texts/de.json")] {
            let texts: BTreeMap<String, String> = serde_json::from_str(texts).unwrap();
            let told = |key: String| assert!(texts.get(&key).is_some_and(|text| !text.is_empty()), "{key}");
            for card in KnightsCard::deck() {
                told(format!("card.{card:?}.name"));
                told(format!("role.{}.title", role(card).role.unwrap()));
                told(format!("role.{}.text", role(card).role.unwrap()));
                told(format!("race.{}", card.race()));
                told(format!("sex.{}", card.sex().name()));
            }
            for hand in Hand::all().chain([Hand::Nothing]) {
                let slug = hand.name().replace(' ', "_");
                told(format!("hand.{slug}.title"));
                told(format!("hand.{slug}.takes"));
            }
        }
    }
}
