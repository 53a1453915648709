//! The ranking beside one that tries line after line.

use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};

use super::super::deck::Sex;
use super::lanes::{SPARE, face_lane};
use super::table::{Count, Count::*, Line, Sets};
use super::*;

impl Sets {
    /// How many of these cards can be in such a set of this face.
    fn number_in(self, cards: &[KnightsCard], face: Face) -> u64 {
        let fits = |card: &&KnightsCard| card.face() == face && (card.is_notable() || !self.notable);
        cards.iter().filter(fits).count() as u64
    }
}

impl Count {
    fn faces_in(self, cards: &[KnightsCard]) -> impl Iterator<Item = Face> {
        let sets = self.sets();
        Face::ALL.into_iter().filter(move |&face| sets.number_in(cards, face) >= sets.size)
    }

    /// The number of this in some cards, counted card by card.
    fn number_in(self, cards: &[KnightsCard]) -> u64 {
        let is_royal = |card: &KnightsCard| (card.face() as u8) <= Face::Knight as u8;
        let counted = |card: &&KnightsCard| match self {
            Males => card.sex() == Sex::Male,
            Females => card.sex() == Sex::Female,
            Royals => is_royal(card),
            Commons => !is_royal(card),
            _ => Blacksmiths as u8 + Face::Blacksmith as u8 - card.face() as u8 == self as u8,
        };
        let number = match self {
            Twins | Pairs | Triplets | Courts | Fives | Eights | Tens => self.faces_in(cards).count(),
            _ => cards.iter().filter(counted).count(),
        };
        number as u64
    }
}

impl Line {
    fn is_met_by(&self, cards: &[KnightsCard]) -> bool {
        self.needs.iter().all(|(count, least)| count.number_in(cards) >= *least)
    }

    /// How many cards are missing for all its needs, those twice that are for two.
    fn missing(&self, cards: &[KnightsCard]) -> u64 {
        let missing = |(count, least): &(Count, u64)| match count.sets() {
            Sets { size: SPARE, .. } => least.saturating_sub(count.number_in(cards)),
            sets => {
                let mut faces = Face::ALL.map(|face| sets.number_in(cards, face).min(sets.size));
                faces.sort_unstable();
                least * sets.size - faces.iter().rev().take(*least as usize).sum::<u64>()
            }
        };
        self.needs.iter().map(missing).sum()
    }

    /// Ten cards, each the first of the deck that brings it nearest.
    fn towards(&self, deck: &[KnightsCard]) -> Vec<KnightsCard> {
        let mut cards = Vec::new();
        while cards.len() < 10 {
            let missing_with = |card: KnightsCard| self.missing(&[&cards[..], &[card]].concat());
            let others = deck.iter().filter(|card| !cards.contains(card));
            let next = *others.min_by_key(|&&card| missing_with(card)).unwrap();
            cards.push(next);
        }
        cards
    }
}

/// Line after line and need after need, until one is made.
fn by_trying(cards: &[KnightsCard]) -> Ranked {
    let line = TABLE.iter().find(|line| line.is_met_by(cards)).unwrap();
    let faces = line.needs.first().into_iter().flat_map(|(count, _)| count.faces_in(cards));
    let faces = Faces(faces.map(|face| SPARE << face_lane(face)).sum());
    let notables = cards.iter().filter(|card| card.is_notable()).count() as u8;
    Ranked { hand: line.hand, faces, notables }
}

#[test]
fn random_hands_are_what_trying_line_after_line_finds() {
    let mut rng = StdRng::seed_from_u64(1);
    let deck: Vec<KnightsCard> = KnightsCard::deck().collect();
    for _ in 0..1_000_000 {
        let cards: [KnightsCard; 10] = deck.sample_array(&mut rng).unwrap();
        assert_eq!(rank(&cards, true), by_trying(&cards), "{cards:?}");
    }
}

#[test]
fn so_is_all_that_makes_a_line_or_almost_does() {
    let mut rng = StdRng::seed_from_u64(2);
    let mut deck: Vec<KnightsCard> = KnightsCard::deck().collect();
    for line in &TABLE {
        let mut made = 0;
        for _ in 0..50 {
            deck.shuffle(&mut rng);
            let cards = line.towards(&deck);
            made += u8::from(line.is_met_by(&cards));
            for number in 0..=10 {
                assert_eq!(rank(&cards[..number], true), by_trying(&cards[..number]), "{cards:?}");
            }
            for at in 0..10 {
                let mut cards = cards.clone();
                cards[at] = *deck.iter().filter(|card| !cards.contains(card)).choose(&mut rng).unwrap();
                assert_eq!(rank(&cards, true), by_trying(&cards), "{cards:?}");
            }
        }
        assert!(made > 0, "{}", line.name);
    }
}

#[test]
fn a_slug_is_the_name_with_underscores() {
    for hand in Hand::all().chain([Hand::Nothing]) {
        assert_eq!(serde_json::to_value(hand).unwrap(), hand.name().replace(' ', "_"));
    }
}

#[test]
fn the_table_is_numbered_from_1_to_26() {
    let numbers: Vec<_> = Hand::all().filter_map(Hand::number).collect();
    assert_eq!(numbers, (1..=26).collect::<Vec<_>>());
    assert_eq!(Hand::Nothing.number(), None);
}
