//! Royal Gambit: flip cards for points, and stop before a rank comes twice.
//!
//! Source: "Royal Gambit, a push-your-luck card game of courtly intrigue".
//!
//! The rules. Each hand is dealt from a freshly shuffled deck, and each seat builds a row, face up. In its
//! turn a seat hits (flips a card onto its row) or stays (leaves the hand and scores). Aces to fives score
//! their number, a king doubles the sum, all else is worth nothing. A second card of a rank busts the seat,
//! which scores nothing, unless a queen in its row goes instead, together with that card. A seven is given
//! to another seat that has none; a jack makes a seat flip two cards at once. When a total reaches the
//! target, all but the favourites (the seats with the highest total) play one more hand; then the highest
//! total wins, and the seats that tie for it play on until one of them is ahead.
//!
//! The rulings.
//! 1. A seat is *still in* if it takes part in the hand and has neither stayed nor bust, whether or not its turn has
//!    come; such seats can be given sevens, be spied on, and bust.
//! 2. A card flipped while another is being settled is settled first, and the seat that flipped a card chooses for it.
//! 3. The pardon looks at the row before the flip, so that a second queen goes with the first.
//! 4. A seat that is no longer in owes no flips, and nobody owes any to an empty deck. A jack that is the
//!    last card still has its seat chosen; then both flips lapse.
//! 5. A seven that waits to be given lies in the row of the seat that flipped it.
//! 6. `auto_hit` stands in for a turn's decision alone (with alternating turns it is that turn); the seats
//!    for sevens and jacks are always the player's to choose.
//! 7. A row that has bust is still listed in the view: everybody has seen it.

mod bot;
mod describe;
mod facts;
mod guide;
mod odds;
mod options;
mod seen;
#[cfg(test)]
mod solved;
mod state;
mod story;
mod table;
mod view;
mod worlds;

use std::mem;
use std::ops::RangeInclusive;

pub use self::facts::*;
pub use self::options::{Options, Turns};
use self::state::Phase;
pub use self::state::RoyalGambit;
use self::table::{Decision, Table};
pub use self::view::*;
use crate::rules::action::actions;
use crate::rules::bot::Observation;
use crate::rules::cards::{CardInfo, French};
use crate::rules::facts::{Facts, Names};
use crate::rules::game::{Chance, Game, Need};
use crate::rules::hand_story::HandStory;
use crate::rules::menu::{Domain, LegalAction, Menu};
use crate::rules::odds::Odds;
use crate::rules::outcome::Outcome;
use crate::rules::profile::{CardRole, Profile};
use crate::rules::refusal::Refusal;
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::rules::texts::{Language, Translations};

actions! {
    /// What a seat can do.
    #[derive(Copy)]
    of French;

    /// Flip the top card onto one's row.
    "hit" => Hit {}
    /// Leave the hand and score.
    "stay" => Stay {}
    /// Hand the seven just flipped to another seat.
    "give" => Give { seat: u8, }
    /// Send the jack just flipped to a seat, which flips two cards.
    "spy" => Spy { seat: u8, }
}

impl Game for RoyalGambit {
    const KIND: &'static str = "royal_gambit";
    const NAME: &'static str = "Royal Gambit";
    const RULES_VERSION: u16 = 1;
    const SEATS: RangeInclusive<u8> = 2..=5;

    const TEXTS: Translations = &[
        (Language::English, include_str!("texts/en.json")),
        (Language::German, include_str!("texts/de.json")),
    ];
    const PROFILE: Profile = guide::PROFILE;

    type Card = French;
    type Options = Options;
    type Action = Action;
    type Fact = Fact;
    type View = View;

    fn odds() -> Option<Odds> {
        Some(odds::odds())
    }

    fn steady(seen: &Observation) -> serde_json::Value {
        bot::steady(seen)
    }

    fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
        story::story(facts, names)
    }

    fn role(card: French) -> CardRole {
        guide::role(card)
    }

    fn deck() -> Vec<CardInfo> {
        French::deck().map(French::info).collect()
    }

    fn new(options: Options, seats: u8) -> Result<Self, Refusal> {
        if !(1..=500).contains(&options.target_score) {
            return Err(Refusal::options("`target_score` is a number from 1 to 500"));
        }
        let totals = (0..seats).map(|_| 0).collect();
        Ok(RoyalGambit { options, hand: 1, stage: Stage::Ordinary, totals, phase: Phase::Drawing })
    }

    fn need(&self) -> Need<French> {
        match &self.phase {
            Phase::Drawing => Need::Pick { of: self.totals.len() as u8 },
            Phase::Shuffling { .. } => Need::Shuffle(French::deck().collect()),
            Phase::Playing { decision, .. } => Need::Players(SeatSet::one(decision.by())),
            Phase::Over { .. } => Need::Nothing,
        }
    }

    fn chance(&mut self, outcome: Chance<French>, facts: &mut Facts<Fact>) {
        match (&self.phase, outcome) {
            (Phase::Drawing, Chance::Pick(dealer)) => {
                self.phase = Phase::Shuffling { dealer, seats: self.all_seats() };
            }
            (&Phase::Shuffling { dealer, seats }, Chance::Shuffle(order)) => {
                facts.tell(|| Fact::HandBegan {
                    hand: self.hand,
                    stage: self.stage,
                    dealer,
                    seats: seats.iter().collect(),
                });
                let mut table = Table::laid(dealer, seats, self.totals.len(), &order);
                match table.go_on(self.options, facts) {
                    Some(decision) => self.phase = Phase::Playing { table, decision },
                    None => self.end_hand(table, facts),
                }
            }
            _ => unreachable!("chance answers what was asked"),
        }
    }

    fn legal(&self, seat: Seat) -> Menu<French> {
        let mut menu = Menu::new();
        match &self.phase {
            Phase::Playing { table, decision } if decision.by() == seat => match *decision {
                Decision::Turn { .. } => {
                    if !table.deck.is_empty() {
                        menu.push(LegalAction::plain("hit"));
                    }
                    menu.push(LegalAction::plain("stay"));
                }
                Decision::Give { to, .. } => {
                    menu.push(LegalAction::plain("give").with("seat", Domain::Seat { from: to }));
                }
                Decision::Spy { on, .. } => {
                    menu.push(LegalAction::plain("spy").with("seat", Domain::Seat { from: on }));
                }
            },
            _ => {}
        }
        menu
    }

    fn act(&mut self, seat: Seat, action: &Action, facts: &mut Facts<Fact>) {
        let Phase::Playing { table, decision } = &mut self.phase else {
            unreachable!("menus are empty outside a hand");
        };
        let mut choice = None;
        match *action {
            Action::Hit {} => choice = table.hit(seat, Cause::Hit, self.options, facts),
            Action::Stay {} => {
                let score = table.stay(seat);
                let total = &mut self.totals[usize::from(seat)];
                *total += score;
                facts.tell(|| Fact::Stayed { seat, score, total: *total });
            }
            Action::Give { seat: to } => table.give(seat, to, facts),
            Action::Spy { seat: on } => table.spy(seat, on, facts),
        }
        match choice.or_else(|| table.go_on(self.options, facts)) {
            Some(next) => *decision = next,
            None => {
                if let Phase::Playing { table, .. } = mem::replace(&mut self.phase, Phase::Drawing) {
                    self.end_hand(table, facts);
                }
            }
        }
    }

    fn view(&self, _viewer: Option<Seat>) -> View {
        match &self.phase {
            Phase::Drawing => self.view_between_hands(None, self.all_seats()),
            Phase::Shuffling { dealer, seats } => self.view_between_hands(Some(*dealer), *seats),
            Phase::Playing { table, decision } => self.view_of_hand(table, Some(*decision)),
            Phase::Over { table } => self.view_of_hand(table, None),
        }
    }

    fn default_action(&self, _seat: Seat) -> Action {
        let first_left_of = |by, seats: SeatSet| {
            seats.from_left_of(by).next().expect("a choice is only asked for where somebody can be chosen")
        };
        match &self.phase {
            Phase::Playing { decision: Decision::Give { by, to }, .. } => {
                Action::Give { seat: first_left_of(*by, *to) }
            }
            Phase::Playing { decision: Decision::Spy { by, on }, .. } => {
                Action::Spy { seat: first_left_of(*by, *on) }
            }
            _ => Action::Stay {},
        }
    }

    fn standings(&self) -> Outcome {
        let totals: PerSeat<i64> = self.totals.iter().map(|&total| total.into()).collect();
        Outcome::by_score(&totals, Self::BEST)
    }
}

/// From hand to hand.
impl RoyalGambit {
    fn end_hand(&mut self, table: Table, facts: &mut Facts<Fact>) {
        facts.tell(|| Fact::HandEnded { hand: self.hand, totals: self.totals.to_vec() });
        let Some((stage, seats)) = self.next_hand() else {
            self.phase = Phase::Over { table };
            return;
        };
        self.hand += 1;
        self.stage = stage;
        let dealer = seats.from_left_of(table.dealer).next().expect("a hand has seats");
        self.phase = Phase::Shuffling { dealer, seats };
    }

    /// What the next hand is played for, and by which seats; `None`: a seat has won.
    fn next_hand(&self) -> Option<(Stage, SeatSet)> {
        let highest = self.totals.iter().copied().max().unwrap_or(0);
        let (favourites, others): (Vec<Seat>, Vec<Seat>) =
            self.all_seats().iter().partition(|&seat| self.totals[usize::from(seat)] == highest);
        match self.stage {
            Stage::Ordinary if highest < self.options.target_score => {
                Some((Stage::Ordinary, self.all_seats()))
            }
            Stage::Ordinary if !others.is_empty() => Some((Stage::Extra, others.into_iter().collect())),
            _ if favourites.len() > 1 => Some((Stage::Tie, favourites.into_iter().collect())),
            _ => None,
        }
    }

    fn all_seats(&self) -> SeatSet {
        (0..self.totals.len() as Seat).collect()
    }
}
