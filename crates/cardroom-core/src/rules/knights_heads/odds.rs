//! How often each hand is dealt.

use arrayvec::ArrayVec;

use super::deck::{CARDS, Face, KnightsCard, Sex};
use super::hands::{self, Hand};
use crate::rules::odds::{Odds, OddsRow, OddsTable, choose, several};

/// A hand with its luck card.
const WITH_LUCK: usize = 10;
/// A hand as it is dealt at first.
const WITHOUT_LUCK: usize = 9;

const TEN: &str = "All hands of ten of the 104 cards were counted, as if no card were passed as rabble.";
const NINE: &str = "All hands of nine of the 104 cards were counted, as they are dealt before the rabble and the luck \
                    card. A hand counts where nine cards alone make it.";

pub fn odds() -> Odds {
    let deck: Vec<KnightsCard> = KnightsCard::deck().collect();
    let (ten, nine) = (Made::count(&deck, WITH_LUCK), Made::count(&deck, WITHOUT_LUCK));
    let (of_ten, of_nine) = ("Hands of ten cards", "Hands of nine cards");
    let without = |title: &str| format!("{title}, where a triplet does not count");
    Odds {
        tables: vec![
            OddsTable::exact("ten_cards", of_ten, TEN, ten.hands(true)),
            OddsTable::exact("ten_cards_without_triplet", &without(of_ten), TEN, ten.hands(false)),
            OddsTable::exact("nine_cards", of_nine, NINE, nine.hands(true)),
            OddsTable::exact("nine_cards_without_triplet", &without(of_nine), NINE, nine.hands(false)),
            OddsTable::exact("courts_of_knights", "Courts of knights in ten cards", TEN, ten.courts()),
        ],
    }
}

/// How many hands there are, by what they make.
struct Made {
    hands: u64,
    /// By their line in the table, where a triplet does not count and where it does.
    lines: [[u64; LINES]; 2],
    by_courts: [u64; WITH_LUCK / 4 + 1],
}

/// The hands of the table, and nothing.
const LINES: usize = Hand::Nothing as usize + 1;

impl Made {
    fn count(deck: &[KnightsCard], number: usize) -> Made {
        let hands = choose(deck.len() as u64, number as u64);
        let mut made = Made { hands, lines: [[0; LINES]; 2], by_courts: Default::default() };
        for_each_alike(deck, number, |example, ways| {
            for triplet_counts in [false, true] {
                let hand = hands::rank(example, triplet_counts).hand;
                made.lines[usize::from(triplet_counts)][hand as usize] += ways;
            }
            made.by_courts[usize::from(hands::courts_of_knights(example))] += ways;
        });
        made
    }

    fn hands(&self, triplet_counts: bool) -> Vec<OddsRow> {
        let ways = self.lines[usize::from(triplet_counts)];
        let row = |hand: Hand| {
            let name = hand.name();
            OddsRow::counted(name.replace(' ', "_"), name, ways[hand as usize], self.hands)
        };
        Hand::all().chain([Hand::Nothing]).map(row).collect()
    }

    fn courts(&self) -> Vec<OddsRow> {
        let row = |(courts, &ways): (u8, &u64)| {
            OddsRow::counted(courts, several(courts, "court") + " of knights", ways, self.hands)
        };
        (0..).zip(&self.by_courts).map(row).collect()
    }
}

/// Hands that have as many cards of each face, as many twins and as many males: the table does not tell them apart.
#[derive(Default, Clone, Copy)]
struct Group {
    ways: u64,
    /// One of them: a bit for each card, by its place.
    example: u128,
}

/// Hands that have as many cards of each face, by their twins and their males.
type ByTwinsAndMales = [[Group; WITH_LUCK + 1]; WITH_LUCK / 2 + 1];

/// What can be held of one face, by the number of cards: twins, males, and which cards.
type OfFace = Vec<Vec<(usize, usize, Group)>>;

impl Group {
    fn add(&mut self, ways: u64, example: u128) {
        if self.ways == 0 {
            self.example = example;
        }
        self.ways += ways;
    }
}

/// Tells an example of every group of hands of so many cards, and how many hands are like it. There are too many to go
/// through one by one.
fn for_each_alike(deck: &[KnightsCard], number: usize, mut tell: impl FnMut(&[KnightsCard], u64)) {
    let faces: Vec<OfFace> = Face::ALL.into_iter().map(|face| of_face(deck, face, number)).collect();
    let mut nothing = ByTwinsAndMales::default();
    nothing[0][0].ways = 1;
    add_faces(&faces, number, &nothing, &mut tell);
}

fn of_face(deck: &[KnightsCard], face: Face, most: usize) -> OfFace {
    let cards: Vec<KnightsCard> = deck.iter().copied().filter(|card| card.face() == face).collect();
    let mut held = vec![Vec::new(); most.min(cards.len()) + 1];
    for chosen in 0..1_usize << cards.len() {
        let Some(groups) = held.get_mut(chosen.count_ones() as usize) else { continue };
        let cards = (0..cards.len()).filter(|at| chosen >> at & 1 == 1).map(|at| cards[at]);
        let twins = cards.clone().filter(|card| card.is_notable()).count() / 2;
        let males = cards.clone().filter(|card| card.sex() == Sex::Male).count();
        let example = cards.fold(0, |cards, card| cards | 1 << card.place());
        match groups.iter_mut().find(|(t, m, _)| (*t, *m) == (twins, males)) {
            Some((.., group)) => Group::add(group, 1, example),
            None => groups.push((twins, males, Group { ways: 1, example })),
        }
    }
    held
}

/// Shares the cards that are left to a hand among the faces that are left.
fn add_faces(
    faces: &[OfFace],
    left: usize,
    so_far: &ByTwinsAndMales,
    tell: &mut impl FnMut(&[KnightsCard], u64),
) {
    let Some((face, others)) = faces.split_first() else {
        return so_far.iter().flatten().filter(|group| group.ways > 0).for_each(|group| {
            tell(&cards(group.example), group.ways);
        });
    };
    for (number, groups) in face.iter().enumerate().take(left + 1) {
        if !others.is_empty() || number == left {
            add_faces(others, left - number, &together(so_far, groups), tell);
        }
    }
}

fn together(so_far: &ByTwinsAndMales, more: &[(usize, usize, Group)]) -> ByTwinsAndMales {
    let mut all = ByTwinsAndMales::default();
    for (twins, by_males) in so_far.iter().enumerate() {
        for (males, group) in by_males.iter().enumerate().filter(|(_, group)| group.ways > 0) {
            for (more_twins, more_males, others) in more {
                let sum = &mut all[twins + more_twins][males + more_males];
                sum.add(group.ways * others.ways, group.example | others.example);
            }
        }
    }
    all
}

fn cards(example: u128) -> ArrayVec<KnightsCard, WITH_LUCK> {
    let mut left = example;
    let places = std::iter::from_fn(move || {
        let place = left.trailing_zeros() as u8;
        left &= left.wrapping_sub(1);
        (place < CARDS).then_some(place)
    });
    places.map(KnightsCard::at).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;

    use super::*;
    use crate::rules::odds::tests::{assert_near, assert_whole, fraction, row, table};

    static ODDS: LazyLock<Odds> = LazyLock::new(odds);

    #[test]
    fn all_hands_are_counted() {
        ODDS.tables.iter().for_each(assert_whole);
        assert_eq!(fraction(table(&ODDS, "ten_cards"), "dynasty"), (8 * choose(12, 10), choose(104, 10)));
        assert_eq!(fraction(table(&ODDS, "nine_cards"), "dynasty"), (0, choose(104, 9)));
    }

    #[test]
    fn hands_that_can_be_counted_by_hand_are_as_many() {
        let (ten, nine) = (table(&ODDS, "ten_cards"), table(&ODDS, "nine_cards"));
        assert_eq!(fraction(ten, "council_of_kings").0, choose(96, 2));
        assert_eq!(fraction(nine, "council_of_kings").0, 96);
        assert_eq!(fraction(ten, "war_room").0, 8 * 12 * choose(12, 4) * choose(12, 4));
        assert_eq!(fraction(nine, "twin_courts").0, 8 * (choose(12, 8) * 92 + choose(12, 9)));
        let of_knights = |number| choose(12, number) * choose(92, 10 - number);
        let courts = table(&ODDS, "courts_of_knights");
        assert_eq!(fraction(courts, 1).0, (4..8).map(of_knights).sum::<u64>());
        assert_eq!(fraction(courts, 2).0, (8..=10).map(of_knights).sum::<u64>());
    }

    #[test]
    fn a_triplet_that_does_not_count_is_nothing_and_changes_nothing_else() {
        for (counts, does_not) in
            [("ten_cards", "ten_cards_without_triplet"), ("nine_cards", "nine_cards_without_triplet")]
        {
            let (counts, does_not) = (table(&ODDS, counts), table(&ODDS, does_not));
            let (ways, nothing) = (fraction(counts, "triplet").0, fraction(counts, "nothing").0);
            assert_eq!(fraction(does_not, "triplet").0, 0);
            assert_eq!(fraction(does_not, "nothing").0, ways + nothing);
            assert!(ways > 0 && counts.rows[..25] == does_not.rows[..25]);
        }
    }

    #[test]
    fn hands_that_are_counted_alike_are_as_many_as_one_by_one() {
        let of_faces = |faces: [Face; 2]| -> Vec<KnightsCard> {
            KnightsCard::deck().filter(|card| faces.contains(&card.face())).take(18).collect()
        };
        let notable = KnightsCard::deck().filter(|card| card.is_notable()).collect();
        for deck in [of_faces([Face::King, Face::Juggler]), of_faces([Face::Merchant, Face::Dancer]), notable]
        {
            for number in [WITHOUT_LUCK, WITH_LUCK] {
                let mut one_by_one = [0; LINES];
                for chosen in (0..1_u32 << deck.len()).filter(|chosen| chosen.count_ones() as usize == number)
                {
                    let cards: ArrayVec<KnightsCard, WITH_LUCK> =
                        (0..deck.len()).filter(|at| chosen >> at & 1 == 1).map(|at| deck[at]).collect();
                    one_by_one[hands::rank(&cards, true).hand as usize] += 1;
                }
                assert_eq!(Made::count(&deck, number).lines[1], one_by_one, "{number} of {deck:?}");
            }
        }
    }

    #[test]
    fn a_sample_makes_each_hand_as_often() {
        const SAMPLE: u32 = 200_000;
        let mut rng = SmallRng::seed_from_u64(1);
        let mut deck: Vec<KnightsCard> = KnightsCard::deck().collect();
        let mut seen = [[0; LINES]; 2];
        for _ in 0..SAMPLE {
            let cards = &*deck.partial_shuffle(&mut rng, WITH_LUCK).0;
            seen[0][hands::rank(&cards[..WITHOUT_LUCK], true).hand as usize] += 1;
            seen[1][hands::rank(cards, true).hand as usize] += 1;
        }
        for (name, seen) in ["nine_cards", "ten_cards"].into_iter().zip(seen) {
            for (row, seen) in table(&ODDS, name).rows.iter().zip(seen) {
                assert_near(seen, SAMPLE, row.probability, &format!("{name}: {}", row.title));
            }
        }
    }

    #[test]
    fn the_rows_have_the_names_of_the_hands() {
        for hand in Hand::all().chain([Hand::Nothing]) {
            let name = serde_json::to_value(hand).unwrap();
            assert_eq!(row(table(&ODDS, "ten_cards"), name.as_str().unwrap()).title, hand.name());
        }
    }
}
