//! What some cards add up to, and the lines of the table that this is enough for.

use super::super::deck::{CARDS, Face, KnightsCard, Sex};
use super::lanes::{KEYS, LANE, SPARE, WIDTH, face_lane, key, reaching};
use super::table::Count::{Courts, Eights, Females, Fives, Males, Pairs, Royals, Tens, Triplets, Twins};
use super::table::{COUNTS, Count, Faces, Sets, TABLE};

/// A set of lines, the first of the table in the lowest bit.
pub(super) type Lines = u32;

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
pub(super) struct Tally {
    /// The first twelve counts, up to the royals.
    cards: u64,
    /// The notable cards of each face, and above them the next count, the commons.
    pub notables: u64,
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

    pub fn of(cards: &[KnightsCard]) -> Tally {
        let mut tally = Tally { cards: 0, notables: 0 };
        for card in cards {
            let one = &TALLIES[card.place()];
            tally.cards += one.cards;
            tally.notables += one.notables;
        }
        tally
    }

    /// The lines of which all needs are met.
    pub fn lines(&self) -> Lines {
        let kings = key(self.cards, 4) % SPARE as usize;
        let sets = (0..4).fold(SETS[kings], |sets, pair| sets + SETS[key(self.cards, pair)]);
        let twins = self.faces(Twins.sets()).len();
        let others = self.notables >> Tally::COMMONS | twins << WIDTH | u64::from(sets) << (2 * WIDTH);
        let lines = (0..6).fold(Lines::MAX, |lines, pair| lines & ENOUGH[pair][key(self.cards, pair)]);
        (0..4).fold(lines, |lines, pair| lines & ENOUGH[6 + pair][key(others, pair)])
    }

    /// The faces of which there is such a set.
    pub const fn faces(&self, sets: Sets) -> Faces {
        let numbers = if sets.notable { self.notables } else { self.cards };
        Faces(reaching(numbers, sets.size))
    }
}
