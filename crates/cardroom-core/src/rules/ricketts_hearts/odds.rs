//! What thirteen cards hold as dealt: the queen of spades, and cards of each suit.

use std::collections::BTreeMap;

use super::cards::{CardSet, QUEEN_OF_SPADES, SPADES};
use crate::rules::odds::{Odds, OddsRow, OddsTable, choose, several};

/// Hands of one shape.
struct Shape {
    /// How many cards of each suit they have.
    suits: [u8; 4],
    has_queen: bool,
    /// How many such hands there are.
    ways: u64,
}

const HAND: u8 = 13;

const METHOD: &str =
    "All hands of 13 of the 52 cards were counted as they are dealt, before any card is passed.";
const METHOD_OF_GUARDS: &str = "All hands of 13 of the 52 cards that hold the queen of spades were counted as they are \
                                dealt, before any card is passed.";

pub fn odds() -> Odds {
    let shapes = shapes();
    let all = |of: fn(&Shape) -> u8, title: fn(u8) -> String| rows(shapes.iter(), of, title);
    let guards =
        rows(shapes.iter().filter(|shape| shape.has_queen), Shape::guards, |n| several(n, "other spade"));
    let in_hand = |n| if n == 0 { "not in the hand".into() } else { "in the hand".into() };
    let of_suit = all(|shape| shape.suits[0], |n| format!("{n} of the suit"));
    let voids = all(Shape::voids, |n| format!("no card of {}", several(n, "suit")));
    let longest = all(Shape::longest, |n| format!("{n} in the longest suit"));
    let queen = all(|shape| shape.has_queen.into(), in_hand);
    Odds {
        tables: vec![
            OddsTable::exact("queen_of_spades", "Whether a hand holds the queen of spades", METHOD, queen),
            OddsTable::exact("guards", "Spades beside the queen of spades", METHOD_OF_GUARDS, guards),
            OddsTable::exact(
                "cards_of_a_suit",
                "Cards of a suit, which is the same for each suit",
                METHOD,
                of_suit,
            ),
            OddsTable::exact("void_suits", "Suits of which a hand has no card", METHOD, voids),
            OddsTable::exact(
                "longest_suit",
                "Cards of the suit of which a hand has the most",
                METHOD,
                longest,
            ),
        ],
    }
}

impl Shape {
    /// The spades beside the queen.
    fn guards(&self) -> u8 {
        self.suits[usize::from(SPADES)] - 1
    }

    fn voids(&self) -> u8 {
        self.suits.iter().filter(|&&cards| cards == 0).count() as u8
    }

    fn longest(&self) -> u8 {
        self.suits.into_iter().max().unwrap_or(0)
    }
}

/// How often each number comes among these hands, the smallest first.
fn rows<'a>(
    shapes: impl Iterator<Item = &'a Shape>,
    of: fn(&Shape) -> u8,
    title: fn(u8) -> String,
) -> Vec<OddsRow> {
    let mut ways: BTreeMap<u8, u64> = BTreeMap::new();
    shapes.for_each(|shape| *ways.entry(of(shape)).or_default() += shape.ways);
    let cases = ways.values().sum();
    ways.into_iter().map(|(number, ways)| OddsRow::counted(number, title(number), ways, cases)).collect()
}

/// Every shape that a hand can have.
fn shapes() -> Vec<Shape> {
    let others = [0, 1, 2, SPADES].map(|suit| CardSet::suit(suit) & !QUEEN_OF_SPADES);
    let mut shapes = Vec::new();
    for has_queen in [false, true] {
        let held = HAND - u8::from(has_queen);
        for clubs in 0..=held {
            for diamonds in 0..=held - clubs {
                for hearts in 0..=held - clubs - diamonds {
                    let mut suits = [clubs, diamonds, hearts, held - clubs - diamonds - hearts];
                    let drawn = others.iter().zip(suits);
                    let ways = drawn.map(|(of, number)| choose(of.len().into(), number.into())).product();
                    suits[usize::from(SPADES)] += u8::from(has_queen);
                    shapes.push(Shape { suits, has_queen, ways });
                }
            }
        }
    }
    shapes.retain(|shape| shape.ways > 0);
    shapes
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;

    use super::*;
    use crate::rules::cards::French;
    use crate::rules::odds::tests::{assert_near, assert_whole, fraction, row, table};

    const HANDS: u64 = 635_013_559_600;

    #[test]
    fn all_hands_are_counted() {
        let odds = odds();
        odds.tables.iter().for_each(assert_whole);
        assert_eq!(fraction(table(&odds, "queen_of_spades"), 1), (HANDS / 4, HANDS));
        assert!(shapes().iter().all(|shape| shape.suits.iter().sum::<u8>() == HAND));
    }

    #[test]
    fn suits_are_as_long_as_any_bridge_player_knows() {
        let odds = odds();
        let longest = |number| row(table(&odds, "longest_suit"), number).probability;
        // 4-3-3-3, 4-4-3-2 and 4-4-4-1 are 10.536, 21.551 and 2.993 of a hundred.
        assert!((longest(4) - 0.350_805).abs() < 1e-6);
        assert_eq!(fraction(table(&odds, "longest_suit"), 13), (4, HANDS));
        let some = 1.0 - row(table(&odds, "void_suits"), 0).probability;
        assert!((some - 0.051_066).abs() < 1e-6, "{some}");
        let none_of_a_suit = fraction(table(&odds, "cards_of_a_suit"), 0).0;
        assert_eq!(none_of_a_suit, choose(39, 13));
    }

    #[test]
    fn each_suit_is_as_long_as_the_first_also_with_the_queen_counted_by_herself() {
        let shapes = shapes();
        let spades = rows(shapes.iter(), |shape| shape.suits[3], |n| format!("{n} of the suit"));
        assert_eq!(spades, table(&odds(), "cards_of_a_suit").rows);
    }

    #[test]
    fn the_queen_stands_alone_where_none_of_the_twelve_others_is_there() {
        let odds = odds();
        let guards = table(&odds, "guards");
        assert_eq!(fraction(guards, 0), (choose(39, 12), choose(51, 12)));
        assert_eq!(fraction(guards, 12), (1, choose(51, 12)));
    }

    #[test]
    fn hands_of_a_sample_are_as_they_are_counted() {
        const SAMPLE: u32 = 100_000;
        let odds = odds();
        let mut rng = SmallRng::seed_from_u64(1);
        let mut deck: Vec<French> = French::deck().collect();
        let (mut longest, mut guards) = ([0; 14], [0; 14]);
        for _ in 0..SAMPLE {
            let hand: CardSet = deck.partial_shuffle(&mut rng, HAND.into()).0.iter().copied().collect();
            let suits = [0, 1, 2, 3].map(|suit| (hand & CardSet::suit(suit)).len());
            longest[usize::from(*suits.iter().max().unwrap())] += 1;
            if !(hand & QUEEN_OF_SPADES).is_empty() {
                guards[usize::from(suits[3] - 1)] += 1;
            }
        }
        for (number, seen) in (4..=13).zip(&longest[4..]) {
            assert_near(*seen, SAMPLE, row(table(&odds, "longest_suit"), number).probability, "longest");
        }
        let queens = guards.iter().sum();
        for (number, seen) in (0..=12).zip(guards) {
            assert_near(seen, queens, row(table(&odds, "guards"), number).probability, "guards");
        }
    }
}
