//! Seats, and sets of them.

use arrayvec::ArrayVec;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A player's place, 0..n-1 clockwise.
pub type Seat = u8;

/// The most seats that any kind has.
pub const MAX_SEATS: usize = 10;

/// One value for each seat, seat 0 first.
pub type PerSeat<T> = ArrayVec<T, MAX_SEATS>;

/// A set of seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeatSet(u16);

impl SeatSet {
    pub const EMPTY: SeatSet = SeatSet(0);

    pub fn one(seat: Seat) -> SeatSet {
        SeatSet(1 << seat)
    }

    pub fn contains(self, seat: Seat) -> bool {
        seat < 16 && self.0 & (1 << seat) != 0
    }

    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat;
    }

    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat);
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats, lowest first.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..16).filter(move |&seat| self.contains(seat))
    }

    /// The seats clockwise from the left of `seat`, `seat` itself last.
    pub fn from_left_of(self, seat: Seat) -> impl Iterator<Item = Seat> {
        (1..=16).map(move |step| (seat + step) % 16).filter(move |&s| self.contains(s))
    }
}

impl Serialize for SeatSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeatSet, D::Error> {
        let seats = PerSeat::<Seat>::deserialize(deserializer)?;
        match seats.iter().find(|&&seat| usize::from(seat) >= MAX_SEATS) {
            None => Ok(seats.into_iter().collect()),
            Some(seat) => Err(D::Error::custom(format!("there is no seat {seat}"))),
        }
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> SeatSet {
        let mut set = SeatSet::EMPTY;
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_left_of_the_last_seat_is_the_first() {
        let seats: SeatSet = [0, 2, 3].into_iter().collect();
        assert_eq!(seats.from_left_of(2).collect::<Vec<_>>(), [3, 0, 2]);
        assert_eq!(seats.from_left_of(1).collect::<Vec<_>>(), [2, 3, 0]);
    }
}
