//! The 26 hands, highest first, and which of two is better.
//!
//! Cards are counted (by face, by sex, sets of a face …), and each line of the table says how many of what a
//! hand needs. A need is always *at least*: where the table of the rules says *exactly*, the line's needs
//! add up to the ten cards there are. So the same lines serve before the luck card: whatever card follows,
//! nine cards make no less with it than without it.
//!
//! Counts stand side by side in one number, so that adding cards up counts all of them at once. No line is tried:
//! each two counts have a list, worked out from the table, of the lines that so many of them are enough for, and
//! what is made is the first line that stands in every list.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::deck::{CARDS, Face, KnightsCard, Sex};

/// What cards make, in the order of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = KnightsHeadsHand)]
pub enum Hand {
    Dynasty,
    CouncilOfKings,
    TwinCourts,
    Kingdom,
    RoyalHouse,
    Queendom,
    LadiesInWaiting,
    WarRoom,
    HouseDivided,
    Entourage,
    HouseOfTwins,
    RoyalAssembly,
    Gala,
    Council,
    CourtOfTwins,
    HouseOfMirrors,
    Hamlet,
    RoyalFamily,
    ThreeTwins,
    Family,
    ThreeTriplets,
    Court,
    PairOfTwins,
    PairOfTriplets,
    Twins,
    Triplet,
    /// None of the table; it never wins.
    Nothing,
}

/// A hand as it is compared: the better hand is the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[schema(as = KnightsHeadsRankedHand)]
pub struct Ranked {
    pub hand: Hand,
    /// Those of the sets that make the hand, highest first.
    #[schema(value_type = Vec<Face>)]
    pub faces: Faces,
    /// How many of the cards are notable.
    pub notables: u8,
}

/// A set of faces. Higher faces weigh more than all the lower ones together, so that of two sets of one size
/// the better is the greater.
#[derive(Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Faces(u64);

/// Ranks up to ten different cards. Without `triplet_counts` a triplet is nothing.
#[inline]
pub fn rank(cards: &[KnightsCard], triplet_counts: bool) -> Ranked {
    debug_assert!(cards.len() <= 10, "a hand holds ten cards");
    let tally = Tally::of(cards);
    let not_counted = if triplet_counts { 0 } else { 1 << Hand::Triplet as u8 };
    let line = &TABLE[(tally.lines() & !not_counted).trailing_zeros() as usize];
    Ranked { hand: line.hand, faces: tally.faces(line.sets), notables: sum(tally.notables) as u8 }
}

/// How many courts of knights lie in these cards, of whatever else they may be a part.
pub fn courts_of_knights(cards: &[KnightsCard]) -> u8 {
    let knights = cards.iter().filter(|card| card.face() == Face::Knight).count();
    (knights / 4) as u8
}

impl Hand {
    /// Every hand of the table, the highest first.
    pub fn all() -> impl Iterator<Item = Hand> {
        TABLE.iter().map(|line| line.hand).filter(|&hand| hand != Hand::Nothing)
    }

    /// Its number in the table, 1..=26.
    pub fn number(self) -> Option<u8> {
        (self != Hand::Nothing).then_some(self as u8 + 1)
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].name
    }
}

/// The higher hand is the greater.
impl Ord for Hand {
    fn cmp(&self, other: &Hand) -> Ordering {
        (*other as u8).cmp(&(*self as u8))
    }
}

impl PartialOrd for Hand {
    fn partial_cmp(&self, other: &Hand) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `court of knights`, `house divided: queens and jugglers`, `hamlet`.
impl fmt::Display for Ranked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Hand::{Council, Court, Dynasty, Triplet, TwinCourts, Twins};
        f.write_str(self.hand.name())?;
        match self.hand {
            _ if self.faces.is_empty() => Ok(()),
            Dynasty | TwinCourts | Council | Court | Twins | Triplet => write!(f, " of {}", self.faces),
            _ => write!(f, ": {}", self.faces),
        }
    }
}

impl Faces {
    const fn len(self) -> u64 {
        sum(self.0 / SPARE)
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The faces, highest first.
    pub fn iter(self) -> impl Iterator<Item = Face> {
        Face::ALL.into_iter().filter(move |&face| self.0 >> face_lane(face) & SPARE != 0)
    }
}

/// `kings, queens and jugglers`.
impl fmt::Display for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = self.iter().last();
        for (at, face) in self.iter().enumerate() {
            let before = match at {
                0 => "",
                _ if Some(face) == last => " and ",
                _ => ", ",
            };
            write!(f, "{before}{}s", face.name())?;
        }
        Ok(())
    }
}

impl Serialize for Faces {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl fmt::Debug for Faces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A line of the table: a hand and what it takes.
struct Line {
    hand: Hand,
    name: &'static str,
    needs: &'static [(Count, u64)],
    /// The sets whose faces tell the hand from its equals.
    sets: Sets,
}

/// The hands, line by line as the rules list them.
#[rustfmt::skip]
static TABLE: [Line; 27] = [
    /*  1 */ line(Hand::Dynasty, "dynasty", &[(Tens, 1)]),
    /*  2 */ line(Hand::CouncilOfKings, "council of kings", &[(Kings, 8)]),
    /*  3 */ line(Hand::TwinCourts, "twin courts", &[(Eights, 1)]),
    /*  4 */ line(Hand::Kingdom, "kingdom", &[
        (Males, 10), (Kings, 1), (Knights, 3), (Armorers, 1), (Merchants, 1), (Messengers, 1), (Dancers, 1),
        (Jugglers, 1), (Blacksmiths, 1),
    ]),
    /*  5 */ line(Hand::RoyalHouse, "royal house", &[(Royals, 10)]),
    /*  6 */ line(Hand::Queendom, "queendom", &[
        (Kings, 1), (Queens, 1), (Knights, 2), (Armorers, 1), (Merchants, 1), (Messengers, 1), (Dancers, 1),
        (Jugglers, 1), (Blacksmiths, 1),
    ]),
    /*  7 */ line(Hand::LadiesInWaiting, "ladies in waiting", &[
        (Females, 10), (Queens, 1), (Merchants, 1), (Dancers, 1), (Jugglers, 1), (Blacksmiths, 1),
    ]),
    /*  8 */ line(Hand::WarRoom, "war room", &[(Kings, 1), (Knights, 1), (Armorers, 4), (Blacksmiths, 4)]),
    /*  9 */ line(Hand::HouseDivided, "house divided", &[(Fives, 2)]),
    /* 10 */ line(Hand::Entourage, "entourage", &[(Armorers, 4), (Messengers, 4), (Merchants, 2)]),
    /* 11 */ line(Hand::HouseOfTwins, "house of twins", &[(Twins, 5)]),
    /* 12 */ line(Hand::RoyalAssembly, "royal assembly", &[(Kings, 2), (Queens, 2), (Knights, 4)]),
    /* 13 */ line(Hand::Gala, "gala", &[(Dancers, 4), (Jugglers, 4), (Merchants, 2)]),
    /* 14 */ line(Hand::Council, "council", &[(Courts, 2)]),
    /* 15 */ line(Hand::CourtOfTwins, "court of twins", &[(Twins, 4)]),
    /* 16 */ line(Hand::HouseOfMirrors, "house of mirrors", &[(Pairs, 5)]),
    /* 17 */ line(Hand::Hamlet, "hamlet", &[(Commons, 10)]),
    /* 18 */ line(Hand::RoyalFamily, "royal family", &[(Kings, 1), (Queens, 1), (Knights, 2)]),
    /* 19 */ line(Hand::ThreeTwins, "three twins", &[(Twins, 3)]),
    /* 20 */ line(Hand::Family, "family", &[(Males, 5), (Females, 5)]),
    /* 21 */ line(Hand::ThreeTriplets, "three triplets", &[(Triplets, 3)]),
    /* 22 */ line(Hand::Court, "court", &[(Courts, 1)]),
    /* 23 */ line(Hand::PairOfTwins, "pair of twins", &[(Twins, 2)]),
    /* 24 */ line(Hand::PairOfTriplets, "pair of triplets", &[(Triplets, 2)]),
    /* 25 */ line(Hand::Twins, "twins", &[(Twins, 1)]),
    /* 26 */ line(Hand::Triplet, "triplet", &[(Triplets, 1)]),
    /* none */ line(Hand::Nothing, "nothing", &[]),
];

/// What the table counts in some cards.
#[derive(Clone, Copy)]
enum Count {
    // The faces stand lowest first, so that Faces compare as they should.
    Blacksmiths,
    Jugglers,
    Dancers,
    Messengers,
    Merchants,
    Armorers,
    Knights,
    Queens,
    Kings,
    Males,
    Females,
    /// Kings, queens and knights.
    Royals,
    /// All the others.
    Commons,
    /// Faces with both their notable cards.
    Twins,
    /// Faces with at least two cards, at least three, and so on.
    Pairs,
    Triplets,
    Courts,
    Fives,
    Eights,
    Tens,
}

use Count::{
    Armorers, Blacksmiths, Commons, Courts, Dancers, Eights, Females, Fives, Jugglers, Kings, Knights, Males,
    Merchants, Messengers, Pairs, Queens, Royals, Tens, Triplets, Twins,
};

/// How many counts there are.
const COUNTS: usize = Tens as usize + 1;

/// Cards of one face, or notable ones of it, so many at least.
#[derive(Clone, Copy)]
struct Sets {
    size: u64,
    notable: bool,
}

impl Sets {
    /// More cards than there can be.
    const NONE: Sets = Sets::of(SPARE);
    const TWINS: Sets = Sets { size: 2, notable: true };

    const fn of(size: u64) -> Sets {
        Sets { size, notable: false }
    }
}

impl Count {
    /// The sets that are counted, if any.
    const fn sets(self) -> Sets {
        match self {
            Twins => Sets::TWINS,
            Pairs => Sets::of(2),
            Triplets => Sets::of(3),
            Courts => Sets::of(4),
            Fives => Sets::of(5),
            Eights => Sets::of(8),
            Tens => Sets::of(10),
            _ => Sets::NONE,
        }
    }
}

/// A hand whose first need is a number of sets is compared by their faces. It has no more such sets than it
/// needs, or it would be a higher hand; so nobody has to choose which ones to compare.
const fn line(hand: Hand, name: &'static str, needs: &'static [(Count, u64)]) -> Line {
    let sets = match needs {
        [(count, _), ..] => count.sets(),
        [] => Sets::NONE,
    };
    Line { hand, name, needs, sets }
}

// Numbers stand side by side in five bits each, their lanes: four for a number up to ten, and a spare one to
// borrow from.
const WIDTH: u32 = 5;
const LANE: u64 = (1 << WIDTH) - 1;
const SPARE: u64 = 1 << (WIDTH - 1);
/// One in each face's lane.
const ONES: u64 = ((1 << (WIDTH * 9)) - 1) / LANE;
const SPARES: u64 = ONES * SPARE;

/// Where a face has its lane.
const fn face_lane(face: Face) -> u32 {
    WIDTH * (Blacksmiths as u32 + Face::Blacksmith as u32 - face as u32)
}

/// The spare bits of the faces that have at least so many, up to [`SPARE`].
const fn reaching(faces: u64, number: u64) -> u64 {
    ((faces | SPARES) - ONES * number) & SPARES
}

/// The sum of the faces' lanes: multiplied by ones, the highest lane adds up all of them.
const fn sum(faces: u64) -> u64 {
    (faces.wrapping_mul(ONES) >> (WIDTH * 8)) & LANE
}

/// What numbers in two lanes beside each other can be. The second's spare bit is not among them.
const KEYS: usize = 1 << (2 * WIDTH - 1);

/// The numbers in this pair of lanes.
const fn key(lanes: u64, pair: usize) -> usize {
    (lanes >> (2 * WIDTH * pair as u32)) as usize % KEYS
}

/// A set of lines, the first of the table in the lowest bit.
type Lines = u32;

/// For each two counts, and all that they can be: the lines of which these two needs are met.
static ENOUGH: [[Lines; KEYS]; COUNTS / 2] = {
    let mut enough = [[(1 << TABLE.len()) - 1; KEYS]; COUNTS / 2];
    let mut line = 0;
    while line < TABLE.len() {
        let mut need = 0;
        while need < TABLE[line].needs.len() {
            let (count, least) = TABLE[line].needs[need];
            let mut key = 0;
            while key < KEYS {
                let number = key as u64 >> (WIDTH * (count as u32 % 2)) & LANE;
                if number < least {
                    enough[count as usize / 2][key] &= !(1 << line);
                }
                key += 1;
            }
            need += 1;
        }
        line += 1;
    }
    enough
};

/// For the numbers of cards of two faces: how many pairs there are, triplets, and so on up to tens, in lanes.
static SETS: [u32; KEYS] = {
    let mut sets = [0; KEYS];
    let mut key = 0;
    while key < KEYS {
        let mut nth = 0;
        while nth < BY_SIZE.len() {
            let faces = Tally { cards: key as u64, notables: 0 }.faces(BY_SIZE[nth].sets());
            sets[key] += (faces.len() as u32) << (WIDTH * nth as u32);
            nth += 1;
        }
        key += 1;
    }
    sets
};

/// As they follow each other in [`Count`].
const BY_SIZE: [Count; 6] = [Pairs, Triplets, Courts, Fives, Eights, Tens];

/// What some cards, or one, add up to, in lanes.
#[derive(Clone, Copy)]
struct Tally {
    /// The first twelve counts, up to the royals.
    cards: u64,
    /// The notable cards of each face, and above them the next count, the commons.
    notables: u64,
}

/// What each card adds, by its place. No card has the last ones.
static TALLIES: [Tally; 256] = {
    let mut tallies = [Tally { cards: 0, notables: 0 }; 256];
    let mut place = 0;
    while place < CARDS {
        tallies[place as usize] = Tally::of_card(KnightsCard::at(place));
        place += 1;
    }
    tallies
};

impl Tally {
    const COMMONS: u32 = WIDTH * 9;

    const fn of_card(card: KnightsCard) -> Tally {
        let face = 1 << face_lane(card.face());
        let sex = match card.sex() {
            Sex::Male => 1 << (WIDTH * Males as u32),
            Sex::Female => 1 << (WIDTH * Females as u32),
        };
        let (royal, common) = match card.face() {
            Face::King | Face::Queen | Face::Knight => (1 << (WIDTH * Royals as u32), 0),
            _ => (0, 1 << Tally::COMMONS),
        };
        let notable = if card.is_notable() { face } else { 0 };
        Tally { cards: face + sex + royal, notables: notable + common }
    }

    fn of(cards: &[KnightsCard]) -> Tally {
        let mut tally = Tally { cards: 0, notables: 0 };
        for card in cards {
            let one = &TALLIES[card.place()];
            tally.cards += one.cards;
            tally.notables += one.notables;
        }
        tally
    }

    /// The lines of which all needs are met.
    fn lines(&self) -> Lines {
        let kings = key(self.cards, 4) % SPARE as usize;
        let sets = (0..4).fold(SETS[kings], |sets, pair| sets + SETS[key(self.cards, pair)]);
        let twins = self.faces(Twins.sets()).len();
        let others = self.notables >> Tally::COMMONS | twins << WIDTH | u64::from(sets) << (2 * WIDTH);
        let lines = (0..6).fold(Lines::MAX, |lines, pair| lines & ENOUGH[pair][key(self.cards, pair)]);
        (0..4).fold(lines, |lines, pair| lines & ENOUGH[6 + pair][key(others, pair)])
    }

    /// The faces of which there is such a set.
    const fn faces(&self, sets: Sets) -> Faces {
        let numbers = if sets.notable { self.notables } else { self.cards };
        Faces(reaching(numbers, sets.size))
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};

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
}
