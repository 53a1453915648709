//! One hand while it is played: betting rounds, rabble, luck.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::deck::KnightsCard;
use super::facts::{Fact, tell_hidden};
use super::rabble::{Rabble, Three};
use crate::rules::betting::Bets;
use crate::rules::facts::Facts;
use crate::rules::seats::{PerSeat, Seat, SeatSet};

/// How many cards are dealt before any bet.
pub const DEALT: usize = 9;

/// With the luck card.
pub const HAND: usize = 10;

/// How many can play.
pub const SEATS: u8 = 6;

/// In deck order: a hand's order tells nobody where a card came from.
pub type Cards = ArrayVec<KnightsCard, HAND>;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    pub dealer: Seat,
    /// The seats that were dealt to.
    pub seats: SeatSet,
    pub bets: Bets,
    /// What each seat holds; nothing once it has folded.
    pub cards: PerSeat<Cards>,
    pub rabble: Rabble,
    pub stage: Stage,
    /// The luck cards, as far as they could be needed; the top is the last. The rest of the deck is never seen.
    pub luck: ArrayVec<KnightsCard, { SEATS as usize }>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    Betting {
        round: Round,
        turn: Seat,
        /// What the bet was when the round began.
        opening: u32,
    },
    Rabble,
    /// No seat is waited for: the hand is to be settled.
    Done {
        caller: Option<Seat>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Round {
    First,
    Second,
    Final,
}

impl Table {
    /// `seats` can all pay the ante; `carried` is what earlier hands left.
    pub fn dealt(
        dealer: Seat,
        seats: SeatSet,
        stacks: PerSeat<u32>,
        ante: u32,
        carried: u64,
        order: &[KnightsCard],
    ) -> Table {
        let mut cards: PerSeat<Cards> = stacks.iter().map(|_| Cards::new()).collect();
        let turns = (0..DEALT).flat_map(|_round| seats.from_left_of(dealer));
        for (seat, &card) in turns.zip(order) {
            cards[usize::from(seat)].push(card);
        }
        cards.iter_mut().for_each(|cards| cards.sort_unstable());
        let mut table = Table {
            dealer,
            seats,
            rabble: Rabble::none(stacks.len()),
            bets: Bets::new(stacks, seats, ante, carried),
            cards,
            stage: Stage::Done { caller: None },
            luck: order[DEALT * seats.len()..].iter().take(seats.len()).rev().copied().collect(),
        };
        table.begin(Round::First, &mut Facts::ignored());
        table
    }

    /// The seat that a betting round waits for.
    pub fn turn(&self) -> Option<Seat> {
        match self.stage {
            Stage::Betting { turn, .. } => Some(turn),
            _ => None,
        }
    }

    /// Whether the round is one in which a seat can pass, and nobody has bet in it.
    pub fn may_pass(&self) -> bool {
        let first = matches!(self.stage, Stage::Betting { round: Round::First, .. });
        !first && self.is_unopened()
    }

    /// Whether nobody has bet in this round.
    pub fn is_unopened(&self) -> bool {
        matches!(self.stage, Stage::Betting { opening, .. } if self.bets.bet == opening)
    }

    /// Whether a seat that matches ends the last betting round, and so calls for the show.
    pub fn match_calls(&self, seat: Seat) -> bool {
        matches!(self.stage, Stage::Betting { round: Round::Final, .. }) && self.bets.match_closes(seat)
    }

    /// The seats that the rabble waits for.
    pub fn to_pick(&self) -> SeatSet {
        if self.stage != Stage::Rabble {
            return SeatSet::EMPTY;
        }
        let picked = self.rabble.givers();
        self.bets.still_in.iter().filter(|&seat| !picked.contains(seat)).collect()
    }

    /// Whether the rabble has come to its new owners.
    pub fn rabble_is_passed(&self) -> bool {
        self.stage != Stage::Rabble && !self.rabble.givers().is_empty()
    }

    pub fn pass(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        // Nobody has bet, so it owes nothing.
        self.bets.match_bet(seat);
        facts.tell(|| Fact::Passed { seat });
        self.go_on(seat, facts);
    }

    pub fn match_bet(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        let chips = self.bets.match_bet(seat);
        facts.tell(|| Fact::Matched { seat, chips });
        self.go_on(seat, facts);
    }

    pub fn call(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        let chips = self.bets.match_bet(seat);
        facts.tell(|| Fact::Called { seat, chips });
        self.stage = Stage::Done { caller: Some(seat) };
    }

    pub fn bet(&mut self, seat: Seat, by: u32, facts: &mut Facts<Fact>) {
        self.bets.raise(seat, by);
        facts.tell(|| Fact::Bet { seat, by });
        self.go_on(seat, facts);
    }

    pub fn raise(&mut self, seat: Seat, by: u32, facts: &mut Facts<Fact>) {
        let chips = self.bets.owed(seat) + by;
        self.bets.raise(seat, by);
        facts.tell(|| Fact::Raised { seat, by, chips });
        self.go_on(seat, facts);
    }

    pub fn fold(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        self.bets.fold(seat);
        self.cards[usize::from(seat)].clear();
        facts.tell(|| Fact::Folded { seat });
        self.go_on(seat, facts);
    }

    /// `cards` are three that the seat holds. They change hands when all have picked.
    pub fn pick(&mut self, seat: Seat, cards: &Three, facts: &mut Facts<Fact>) {
        self.cards[usize::from(seat)].retain(|card| !cards.contains(card));
        self.rabble.pick(seat, cards.clone());
        tell_hidden(facts, seat, |sees| Fact::RabblePicked {
            seat,
            cards: cards.iter().map(|&card| sees(card)).collect(),
        });
        if self.to_pick().is_empty() {
            self.pass_rabble(facts);
            self.begin(Round::Second, facts);
        }
    }

    fn pass_rabble(&mut self, facts: &mut Facts<Fact>) {
        for from in self.rabble.givers().from_left_of(self.dealer) {
            let seat = self.rabble.receiver(from).expect("who gives has somebody on its left");
            let passed = self.rabble.gave(from);
            let cards = &mut self.cards[usize::from(seat)];
            cards.extend(passed.iter().copied());
            cards.sort_unstable();
            tell_hidden(facts, seat, |sees| Fact::RabbleReceived {
                seat,
                from,
                cards: passed.iter().map(|&card| sees(card)).collect(),
            });
        }
    }

    fn deal_luck(&mut self, facts: &mut Facts<Fact>) {
        for seat in self.bets.still_in.from_left_of(self.dealer) {
            let card = self.luck.pop().expect("there is one for each seat");
            let cards = &mut self.cards[usize::from(seat)];
            cards.push(card);
            cards.sort_unstable();
            tell_hidden(facts, seat, |sees| Fact::LuckDealt { seat, card: sees(card) });
        }
    }

    /// After `seat` has acted in a betting round, the next has a turn, or the round ends.
    fn go_on(&mut self, seat: Seat, facts: &mut Facts<Fact>) {
        let Stage::Betting { round, turn, .. } = &mut self.stage else {
            unreachable!("bets are made in betting rounds");
        };
        if self.bets.last_seat().is_some() {
            self.stage = Stage::Done { caller: None };
            return;
        }
        match self.bets.next_after(seat) {
            Some(next) => *turn = next,
            None => {
                let round = *round;
                self.end(round, facts);
            }
        }
    }

    /// A round that nobody can bet in ends as it begins.
    fn begin(&mut self, round: Round, facts: &mut Facts<Fact>) {
        self.bets.begin_round();
        match self.bets.next_after(self.dealer) {
            Some(turn) => self.stage = Stage::Betting { round, turn, opening: self.bets.bet },
            None => self.end(round, facts),
        }
    }

    fn end(&mut self, round: Round, facts: &mut Facts<Fact>) {
        match round {
            Round::First => self.stage = Stage::Rabble,
            Round::Second => {
                self.deal_luck(facts);
                self.begin(Round::Final, facts);
            }
            Round::Final => self.stage = Stage::Done { caller: None },
        }
    }
}
