//! The table: the 26 hands, and what each of them takes.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::deck::Face;
use super::lanes::{SPARE, face_lane, sum};

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
pub struct Faces(pub(super) u64);
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
    pub(super) const fn len(self) -> u64 {
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
pub(super) struct Line {
    pub hand: Hand,
    pub name: &'static str,
    pub needs: &'static [(Count, u64)],
    /// The sets whose faces tell the hand from its equals.
    pub sets: Sets,
}

/// The hands, line by line as the rules list them.
#[rustfmt::skip]
pub(super) static TABLE: [Line; 27] = [
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
pub(super) enum Count {
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
pub(super) const COUNTS: usize = Tens as usize + 1;

/// Cards of one face, or notable ones of it, so many at least.
#[derive(Clone, Copy)]
pub(super) struct Sets {
    pub size: u64,
    pub notable: bool,
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
    pub const fn sets(self) -> Sets {
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
