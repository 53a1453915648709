//! Bets and pots: once, for the games that play for chips. The rules are those of "Chips, pots and
//! betting": table stakes, side pots by what each seat has put in, unmatched chips back.

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::rules::seats::{MAX_SEATS, PerSeat, Seat, SeatSet};
use crate::rules::stakes::Limits;

/// The chips of one hand: what lies before each seat, and what each has put in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bets {
    /// What each seat has left to bet with.
    pub stacks: PerSeat<u32>,
    /// What each seat has put in, in this hand.
    pub put_in: PerSeat<u32>,
    /// The seats that contest the pots: dealt in, and not folded.
    pub still_in: SeatSet,
    /// What a seat has to put in to stay in.
    pub bet: u32,
    /// A pot that an earlier hand left.
    pub carried: u64,
    /// The seats that have acted since the last raise, or since the round began.
    pub acted: SeatSet,
}

/// Chips that these seats, and no others, can win.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pot {
    pub chips: u64,
    pub seats: SeatSet,
}

/// The pots of a hand, the main pot first.
pub type Pots = ArrayVec<Pot, MAX_SEATS>;

/// What became of a pot, and by which of a game's reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Award<Why> {
    pub pot: Pot,
    /// The seats that have a share of it; none where it is carried.
    pub to: SeatSet,
    pub why: Why,
}

impl<Why> Award<Why> {
    /// The seats' shares, clockwise from the left of the dealer: the odd chips go to the first.
    pub fn shares(&self, dealer: Seat) -> impl Iterator<Item = Share> {
        let chips = shares(self.pot.chips, self.to.len().max(1));
        self.to.from_left_of(dealer).zip(chips).map(|(seat, chips)| Share { seat, chips })
    }
}

/// How a seat stands in a hand, as views tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    In,
    /// In, with nothing left to bet.
    AllIn,
    Folded,
    /// It cannot pay, and takes no more part in the game.
    Out,
}

/// A seat's part of a pot, as views tell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Share {
    pub seat: u8,
    pub chips: u64,
}

/// Chips that went back to the seat that put them in, as views tell of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Unmatched {
    pub seat: u8,
    pub chips: u32,
}

impl Bets {
    /// A hand begins: each of `seats`, which can all pay it, puts in the ante.
    pub fn new(stacks: PerSeat<u32>, seats: SeatSet, ante: u32, carried: u64) -> Bets {
        let put_in = stacks.iter().map(|_| 0).collect();
        let mut bets = Bets { stacks, put_in, still_in: seats, bet: ante, carried, acted: SeatSet::EMPTY };
        for seat in seats.iter() {
            bets.put(seat, ante);
        }
        bets
    }

    /// A betting round begins.
    pub fn begin_round(&mut self) {
        self.acted = SeatSet::EMPTY;
    }

    /// What `seat` has to put in to stay in; more than its stack where it would be all in.
    pub fn owed(&self, seat: Seat) -> u32 {
        self.bet - self.put_in[usize::from(seat)].min(self.bet)
    }

    /// Whether `seat` is in and not all in.
    pub fn can_bet(&self, seat: Seat) -> bool {
        self.still_in.contains(seat) && self.stacks[usize::from(seat)] > 0
    }

    /// How a seat stands that was dealt to.
    pub fn status(&self, seat: Seat) -> Status {
        if !self.still_in.contains(seat) {
            Status::Folded
        } else if !self.can_bet(seat) {
            Status::AllIn
        } else {
            Status::In
        }
    }

    /// What `seat` may raise by; none while every other seat that is in is all in, or with nothing left.
    pub fn raise_bounds(&self, seat: Seat, limits: Limits) -> Option<RangeInclusive<u32>> {
        let someone_answers = self.still_in.iter().any(|other| other != seat && self.can_bet(other));
        let left = self.stacks[usize::from(seat)].saturating_sub(self.owed(seat));
        if !someone_answers || left == 0 {
            return None;
        }
        // A seat with less than the least raise may raise by all of it.
        let min = limits.min_raise.min(left);
        Some(min..=limits.max_raise.unwrap_or(left).min(left))
    }

    /// Puts in what `seat` owes, or all it has.
    pub fn match_bet(&mut self, seat: Seat) -> u32 {
        let chips = self.owed(seat).min(self.stacks[usize::from(seat)]);
        self.put(seat, chips);
        self.acted.insert(seat);
        chips
    }

    /// Puts in what `seat` owes and `by` more, which all others have to answer. `by` is within the bounds.
    pub fn raise(&mut self, seat: Seat, by: u32) {
        self.match_bet(seat);
        self.put(seat, by);
        self.bet += by;
        self.acted = SeatSet::one(seat);
    }

    /// `seat` gives up what it has put in.
    pub fn fold(&mut self, seat: Seat) {
        self.still_in.remove(seat);
    }

    /// The next seat clockwise from the left of `seat` that the betting round waits for; none: it has ended.
    pub fn next_after(&self, seat: Seat) -> Option<Seat> {
        if self.is_skipped() {
            return None;
        }
        self.still_in
            .from_left_of(seat)
            .find(|&next| self.can_bet(next) && (self.owed(next) > 0 || !self.acted.contains(next)))
    }

    /// Whether the betting round ends when `seat` puts in what it owes.
    pub fn match_closes(&self, seat: Seat) -> bool {
        let mut matched = self.clone();
        matched.match_bet(seat);
        matched.next_after(seat).is_none()
    }

    /// Whether there is nothing left to bet about: at most one seat can bet, and it owes nothing.
    pub fn is_skipped(&self) -> bool {
        let mut betting = self.still_in.iter().filter(|&seat| self.can_bet(seat));
        match (betting.next(), betting.next()) {
            (None, _) => true,
            (Some(one), None) => self.owed(one) == 0,
            _ => false,
        }
    }

    /// The only seat that is left, where all others have folded.
    pub fn last_seat(&self) -> Option<Seat> {
        let mut seats = self.still_in.iter();
        seats.next().filter(|_| seats.next().is_none())
    }

    /// Gives chips that nobody matched back to the seat that put them in, if that seat is still in: the betting of the
    /// hand is over.
    pub fn take_back_unmatched(&mut self) -> Option<(Seat, u32)> {
        let most = *self.put_in.iter().max()?;
        let seat = self.put_in.iter().position(|&chips| chips == most)?;
        let others = self.put_in.iter().enumerate().filter(|(other, _)| *other != seat);
        let matched = others.map(|(_, &chips)| chips).max().unwrap_or(0);
        if matched == most || !self.still_in.contains(seat as Seat) {
            return None;
        }
        self.put_in[seat] = matched;
        self.stacks[seat] += most - matched;
        Some((seat as Seat, most - matched))
    }

    /// What there is to win, one pot for each set of seats that contest it. What a folded seat put in above
    /// all that are in lies in the last.
    pub fn pots(&self) -> Pots {
        let mut levels: PerSeat<u32> =
            self.still_in.iter().map(|seat| self.put_in[usize::from(seat)]).collect();
        levels.sort_unstable();
        let mut pots = Pots::new();
        let mut below = 0;
        for (at, &level) in levels.iter().enumerate() {
            // The lowest level makes the main pot, an empty one too; after it only what is new makes a pot.
            if at > 0 && level == below {
                continue;
            }
            let seats =
                self.still_in.iter().filter(|&seat| self.put_in[usize::from(seat)] >= level).collect();
            let top = if Some(&level) == levels.last() { u32::MAX } else { level };
            let chips = self.put_in.iter().map(|&chips| u64::from(chips.min(top) - chips.min(below))).sum();
            pots.push(Pot { chips, seats });
            below = level;
        }
        if let Some(main) = pots.first_mut() {
            main.chips += self.carried;
        }
        pots
    }

    /// A share of a pot goes to its seat.
    pub fn pay(&mut self, share: Share) {
        let chips = u32::try_from(share.chips).expect("a game has fewer than 2,100,000,000 chips");
        self.stacks[usize::from(share.seat)] += chips;
    }

    /// What is to be won, all pots together.
    pub fn pot(&self) -> u64 {
        self.put_in.iter().map(|&chips| u64::from(chips)).sum::<u64>() + self.carried
    }

    /// All chips on the table: in stacks, in pots, carried.
    pub fn total(&self) -> u64 {
        self.stacks.iter().chain(&self.put_in).map(|&chips| u64::from(chips)).sum::<u64>() + self.carried
    }

    fn put(&mut self, seat: Seat, chips: u32) {
        self.stacks[usize::from(seat)] -= chips;
        self.put_in[usize::from(seat)] += chips;
    }
}

/// The seats that can pay for a hand. A seat that is not among them when one begins is out for good.
pub fn able_to_pay<Chips: PartialOrd>(stacks: &PerSeat<Chips>, price: Chips) -> SeatSet {
    (0..).zip(stacks).filter(|(_, stack)| **stack >= price).map(|(seat, _)| seat).collect()
}

/// The seat that deals after `dealer`, where `able` can pay for another hand; none where they are fewer than two.
pub fn next_dealer(dealer: Seat, able: SeatSet) -> Option<Seat> {
    able.from_left_of(dealer).next().filter(|_| able.len() >= 2)
}

/// The shares of `pot` split `ways` ways, which stand clockwise from the left of the dealer: chips are
/// whole, and the odd ones go one each to the first. `ways` is at least 1.
pub fn shares(pot: u64, ways: usize) -> impl Iterator<Item = u64> {
    let (each, odd) = (pot / ways as u64, pot % ways as u64);
    (0..ways as u64).map(move |at| each + u64::from(at < odd))
}

/// Deals out a carried pot for which no hand will be played. It belongs to the seats that would have contested it: to
/// `able`, which can pay for that hand, from the left of its `dealer`.
pub fn split_carried(carried: u64, stacks: &mut PerSeat<u32>, able: SeatSet, dealer: Seat) {
    for (seat, chips) in able.from_left_of(dealer).zip(shares(carried, able.len().max(1))) {
        stacks[usize::from(seat)] += u32::try_from(chips).expect("a game has fewer than 2,100,000,000 chips");
    }
}

/// A pot as one says it: 0 is the main pot.
pub fn pot_name(pot: u8) -> String {
    match pot {
        0 => "the main pot".to_owned(),
        nth => format!("side pot {nth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Limits = Limits { min_raise: 5, max_raise: None };

    fn hand(stacks: &[u32], ante: u32) -> Bets {
        let seats = (0..stacks.len() as u8).collect();
        Bets::new(stacks.iter().copied().collect(), seats, ante, 0)
    }

    /// The seat that takes chips back, and how many.
    type Back = Option<(u8, u32)>;

    /// What a hand comes to, given what each seat has put in (`f` before it: folded), as `(chips, contesting seats)`,
    /// and which seat takes back how many chips.
    fn settled(put_in: &[&str]) -> (Vec<(u64, Vec<u8>)>, Back) {
        let chips = |text: &&str| text.trim_start_matches('f').parse::<u32>().unwrap();
        let mut bets = hand(&vec![0; put_in.len()], 0);
        bets.put_in = put_in.iter().map(chips).collect();
        bets.bet = bets.put_in.iter().copied().max().unwrap();
        for (seat, _) in put_in.iter().enumerate().filter(|(_, text)| text.starts_with('f')) {
            bets.fold(seat as u8);
        }
        let before = bets.total();
        let back = bets.take_back_unmatched();
        let pots = bets.pots();
        let in_pots: u64 = pots.iter().map(|pot| pot.chips).sum();
        assert_eq!(in_pots + u64::from(back.map_or(0, |(_, chips)| chips)), before, "{put_in:?}");
        (pots.iter().map(|pot| (pot.chips, pot.seats.iter().collect())).collect(), back)
    }

    #[test]
    fn pots_are_split_by_what_each_seat_has_put_in() {
        type Case = (&'static [&'static str], &'static [(u64, &'static [u8])], Back);
        let cases: [Case; 9] = [
            // All alike: one pot.
            (&["10", "10", "10"], &[(30, &[0, 1, 2])], None),
            // Three all-ins of different size, and a fourth seat above them all.
            (
                &["5", "20", "50", "80"],
                &[(20, &[0, 1, 2, 3]), (45, &[1, 2, 3]), (60, &[2, 3])],
                Some((3, 30)),
            ),
            // Two all in for the same: one side pot, not two.
            (&["7", "7", "40", "40"], &[(28, &[0, 1, 2, 3]), (66, &[2, 3])], None),
            // A folded seat's chips lie in the pots of those still in.
            (&["f10", "30", "30"], &[(70, &[1, 2])], None),
            // … across a side pot's edge.
            (&["f25", "10", "40", "40"], &[(40, &[1, 2, 3]), (75, &[2, 3])], None),
            // What it put in above all of them lies in the last pot, and does not come back to it.
            (&["f60", "10", "40", "40"], &[(40, &[1, 2, 3]), (110, &[2, 3])], None),
            // Chips that only a folded seat matched are matched: nothing comes back for them.
            (&["100", "40", "f70"], &[(120, &[0, 1]), (60, &[0])], Some((0, 30))),
            // All folded but one.
            (&["f5", "f5", "20"], &[(15, &[2])], Some((2, 15))),
            // Nobody has put in anything: the main pot is there all the same.
            (&["0", "0"], &[(0, &[0, 1])], None),
        ];
        for (put_in, pots, back) in cases {
            let pots: Vec<(u64, Vec<u8>)> =
                pots.iter().map(|(chips, seats)| (*chips, seats.to_vec())).collect();
            assert_eq!(settled(put_in), (pots, back), "{put_in:?}");
        }
    }

    #[test]
    fn a_seat_without_chips_contests_an_empty_main_pot() {
        let (pots, _) = settled(&["0", "10", "10"]);
        assert_eq!(pots, [(0, vec![0, 1, 2]), (20, vec![1, 2])]);
    }

    #[test]
    fn a_carried_pot_goes_into_the_main_pot() {
        let mut bets = hand(&[10, 20, 20], 10);
        bets.carried = 7;
        bets.raise(1, 10);
        bets.match_bet(2);
        let pots: Vec<_> = bets.pots().iter().map(|pot| pot.chips).collect();
        assert_eq!(pots, [37, 20]);
    }

    #[test]
    fn a_round_ends_when_all_have_acted_and_put_in_as_much_as_the_bet() {
        let mut bets = hand(&[100, 100, 100], 5);
        assert_eq!(bets.next_after(0), Some(1));
        bets.match_bet(1);
        bets.match_bet(2);
        assert_eq!(bets.next_after(2), Some(0));
        bets.raise(0, 10);
        // The raise reopens the betting for both.
        assert_eq!((bets.owed(1), bets.next_after(0)), (10, Some(1)));
        bets.fold(1);
        bets.match_bet(2);
        assert_eq!(bets.next_after(2), None);
        bets.begin_round();
        assert_eq!(bets.next_after(0), Some(2));
    }

    #[test]
    fn a_raise_lies_between_its_bounds() {
        let bets = |stacks: &[u32], bet| Bets { bet, ..hand(stacks, 0) };
        let bounds = |bets: &Bets, limits| bets.raise_bounds(0, limits).map(|b| (*b.start(), *b.end()));
        assert_eq!(bounds(&bets(&[100, 100], 0), FREE), Some((5, 100)));
        assert_eq!(bounds(&bets(&[100, 100], 30), FREE), Some((5, 70)));
        assert_eq!(
            bounds(&bets(&[100, 100], 0), Limits { min_raise: 5, max_raise: Some(20) }),
            Some((5, 20))
        );
        // Less than the least raise is left: all of it.
        assert_eq!(bounds(&bets(&[33, 100], 30), FREE), Some((3, 3)));
        // Nothing is left over what is owed.
        assert_eq!(bounds(&bets(&[30, 100], 30), FREE), None);
        // Nobody could answer.
        assert_eq!(bounds(&bets(&[100, 0], 0), FREE), None);
    }

    #[test]
    fn betting_is_skipped_when_one_seat_can_bet_and_owes_nothing() {
        let mut bets = hand(&[50, 20, 5], 5);
        assert!(!bets.is_skipped());
        bets.raise(1, 15);
        // Seat 0 owes: it has to answer, though nobody could answer it.
        assert!(!bets.is_skipped());
        assert_eq!(bets.next_after(1), Some(0));
        bets.match_bet(0);
        assert!(bets.is_skipped());
        assert_eq!(bets.next_after(0), None);
    }

    #[test]
    fn a_match_closes_a_round_when_no_other_seat_has_to_answer() {
        let mut bets = hand(&[100, 100, 20], 5);
        bets.raise(0, 30);
        assert!(!bets.match_closes(1));
        bets.match_bet(1);
        assert!(bets.match_closes(2), "all in it cannot match, but it answers");
        assert_eq!(bets.next_after(1), Some(2), "asking changes nothing");
    }

    #[test]
    fn who_cannot_match_puts_in_what_it_has() {
        let mut bets = hand(&[100, 30], 0);
        bets.raise(0, 60);
        assert_eq!(bets.match_bet(1), 30);
        assert!(!bets.can_bet(1));
        assert_eq!(bets.take_back_unmatched(), Some((0, 30)));
        assert_eq!(bets.total(), 130);
    }

    #[test]
    fn odd_chips_go_to_the_first_from_the_left_of_the_dealer() {
        assert_eq!(shares(11, 3).collect::<Vec<_>>(), [4, 4, 3]);
        assert_eq!(shares(2, 3).collect::<Vec<_>>(), [1, 1, 0]);
        assert_eq!(shares(0, 1).collect::<Vec<_>>(), [0]);
    }
}
