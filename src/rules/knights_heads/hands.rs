//! The 26 hands, highest first, and which of two is better.
//!
//! Cards are counted (by face, by sex, sets of a face …), and each line of the table says how many of what a
//! hand needs. A need is always *at least*: where the table of the rules says *exactly*, the line's needs
//! add up to the ten cards there are. So the same lines serve before the luck card: whatever card follows,
//! nine cards make no less with it than without it.
//!
//! All counts stand side by side in one number, so that ten additions count ten cards and one subtraction
//! tells whether they meet a line.

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

/// A hand as it is compared: the better is the greater.
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
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Faces(u64);

/// Ranks up to ten different cards. Without `triplet_counts` a triplet is nothing.
pub fn rank(cards: &[KnightsCard], triplet_counts: bool) -> Ranked {
    debug_assert!(cards.len() <= 10, "a hand holds ten cards");
    let tally = Tally::of(cards);
    let notables = sum(tally.notables) as u8;
    match TABLE.iter().find(|line| tally.meets(line)) {
        Some(line) if triplet_counts || line.hand != Hand::Triplet => {
            let faces = line.sets.map_or(Faces(0), |sets| tally.faces(sets));
            Ranked { hand: line.hand, faces, notables }
        }
        _ => Ranked { hand: Hand::Nothing, faces: Faces(0), notables },
    }
}

/// How many courts of knights lie in these cards, of whatever else they may be a part.
pub fn courts_of_knights(cards: &[KnightsCard]) -> u8 {
    let knights = cards.iter().filter(|card| card.face() == Face::Knight).count();
    (knights / 4) as u8
}

impl Hand {
    /// Every hand of the table, the highest first.
    pub fn all() -> impl Iterator<Item = Hand> {
        TABLE.iter().map(|line| line.hand)
    }

    /// Its number in the table, 1..=26.
    pub fn number(self) -> Option<u8> {
        (self != Hand::Nothing).then_some(self as u8 + 1)
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        TABLE.get(self as usize).map_or("nothing", |line| line.name)
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
        let left = self.faces.iter().count();
        for (at, face) in self.faces.iter().enumerate() {
            let before = match (at, self.hand) {
                (0, Dynasty | TwinCourts | Council | Court | Twins | Triplet) => " of ",
                (0, _) => ": ",
                _ if at + 1 == left => " and ",
                _ => ", ",
            };
            write!(f, "{before}{}s", face.name())?;
        }
        Ok(())
    }
}

impl Faces {
    /// The faces, highest first.
    pub fn iter(self) -> impl Iterator<Item = Face> {
        Face::ALL.into_iter().filter(move |&face| self.0 >> face_lane(face) & SPARE != 0)
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
    needs: Lanes,
    /// The sets whose faces tell the hand from its equals.
    sets: Option<Count>,
}

/// The hands, line by line as the rules list them.
#[rustfmt::skip]
const TABLE: [Line; 26] = [
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

impl Count {
    /// How many cards make one of the sets counted; nothing for what are no sets.
    const fn size(self) -> Option<u64> {
        match self {
            Twins | Pairs => Some(2),
            Triplets => Some(3),
            Courts => Some(4),
            Fives => Some(5),
            Eights => Some(8),
            Tens => Some(10),
            _ => None,
        }
    }
}

/// A hand whose first need is a number of sets is compared by their faces. It has no more such sets than it
/// needs, or it would be a higher hand; so nobody has to choose which ones to compare.
const fn line(hand: Hand, name: &'static str, needs: &[(Count, u8)]) -> Line {
    let sets = match needs[0].0.size() {
        Some(_) => Some(needs[0].0),
        None => None,
    };
    let mut packed = 0;
    let mut at = 0;
    while at < needs.len() {
        let (count, number) = needs[at];
        packed += lane(count) * number as Lanes;
        at += 1;
    }
    Line { hand, name, needs: packed, sets }
}

/// Numbers side by side, five bits each: four for a number up to ten, and a spare one to borrow from.
type Lanes = u128;

/// One of this count.
const fn lane(count: Count) -> Lanes {
    1 << (WIDTH * count as u32)
}

/// Where a face has its lane, the lowest face first.
const fn face_lane(face: Face) -> u32 {
    WIDTH * (Blacksmiths as u32 + Face::Blacksmith as u32 - face as u32)
}

const WIDTH: u32 = 5;
const LANE: u64 = (1 << WIDTH) - 1;
const SPARE: u64 = 1 << (WIDTH - 1);
/// One in each face's lane.
const ONES: u64 = ((1 << (WIDTH * 9)) - 1) / LANE;
const FACE_SPARES: u64 = ONES * SPARE;
/// The spare bits of all the counts.
const SPARES: Lanes = ((1 << (WIDTH * (Tens as u32 + 1))) - 1) / LANE as Lanes * SPARE as Lanes;

/// The spare bits of the faces that have at least so many.
const fn reaching(faces: u64, number: u64) -> u64 {
    ((faces | FACE_SPARES) - ONES * number) & FACE_SPARES
}

/// The sum of the faces' lanes: multiplied by ones, the highest lane adds up all of them.
const fn sum(faces: u64) -> u64 {
    (faces.wrapping_mul(ONES) >> (WIDTH * 8)) & LANE
}

/// What some cards, or one, add up to.
#[derive(Clone, Copy)]
struct Tally {
    /// A lane for each [`Count`]; those of the faces are the lowest.
    counts: Lanes,
    /// The notable cards of each face.
    notables: u64,
}

/// What each card adds.
static TALLIES: [Tally; CARDS as usize] = {
    let mut tallies = [Tally { counts: 0, notables: 0 }; CARDS as usize];
    let mut place = 0;
    while place < CARDS {
        tallies[place as usize] = Tally::of_card(KnightsCard::at(place));
        place += 1;
    }
    tallies
};

impl Tally {
    const fn of_card(card: KnightsCard) -> Tally {
        let face = face_lane(card.face());
        let sex = match card.sex() {
            Sex::Male => Males,
            Sex::Female => Females,
        };
        let estate = match card.face() {
            Face::King | Face::Queen | Face::Knight => Royals,
            _ => Commons,
        };
        Tally { counts: (1 << face) + lane(sex) + lane(estate), notables: (card.is_notable() as u64) << face }
    }

    fn of(cards: &[KnightsCard]) -> Tally {
        let mut tally = Tally { counts: 0, notables: 0 };
        for card in cards {
            let one = &TALLIES[card.place()];
            tally.counts += one.counts;
            tally.notables += one.notables;
        }
        for sets in [Twins, Pairs, Triplets, Courts, Fives, Eights, Tens] {
            let faces = tally.faces(sets).0;
            tally.counts += lane(sets) * Lanes::from(sum(faces / SPARE));
        }
        tally
    }

    /// Whether every count is at least what the line needs: then nothing is borrowed.
    fn meets(&self, line: &Line) -> bool {
        ((self.counts | SPARES) - line.needs) & SPARES == SPARES
    }

    /// The faces of which there is such a set.
    fn faces(&self, sets: Count) -> Faces {
        let Some(size) = sets.size() else {
            return Faces(0);
        };
        let cards = match sets {
            Twins => self.notables,
            _ => self.counts as u64,
        };
        Faces(reaching(cards, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
