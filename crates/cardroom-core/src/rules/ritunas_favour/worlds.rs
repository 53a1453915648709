//! Worlds of Rituna's Favour: all hands lie open, so that only the order of the deck is drawn.

use serde::Deserialize;

use super::bot::{self, Position};
use super::hand::{Hand, Holder, TARGET};
use super::options::LuckySevens;
use super::state::{Phase, RitunasFavour};
use super::{Action, Options};
use crate::rules::bot::{Luck, Observation};
use crate::rules::cards::French;
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::search::{Worlds, chips};

#[derive(Deserialize)]
struct View {
    hand: u16,
    dealer: Seat,
    phase: PhaseName,
    pot: u64,
    carried: u64,
    seats: Vec<SeatView>,
    house: Option<HouseView>,
    turn: Turn,
}

/// The phases in which a seat decides.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum PhaseName {
    LuckySevens,
    Turns,
}

#[derive(Deserialize)]
struct SeatView {
    stack: u64,
    hands_won: u16,
    hands: Vec<HandView>,
}

#[derive(Deserialize)]
struct HouseView {
    bank: i64,
    hand: Option<HandView>,
}

#[derive(Deserialize)]
struct HandView {
    cards: Vec<French>,
    stuck: bool,
}

#[derive(Deserialize)]
struct Turn {
    seat: Seat,
    hand: usize,
}

/// What a seat knows: all but the order of the deck.
pub struct Known(pub(super) RitunasFavour);

impl Worlds for RitunasFavour {
    type Known = Known;

    const LUCK_SHARE: f64 = 0.85;

    fn known(seen: &Observation) -> Known {
        let view: View = seen.view();
        let options: Options = seen.options();
        let hands = view.hands();
        let lie_open = |card: &French| hands.iter().any(|hand| hand.cards.contains(card));
        let own = hands.iter().position(|hand| hand.holder == Holder::Seat(view.turn.seat));
        let at = own.expect("a seat that decides has a hand") + view.turn.hand;
        Known(RitunasFavour {
            options,
            hand: view.hand,
            stacks: view.seats.iter().map(|seat| seat.stack).collect(),
            hands_won: view.seats.iter().map(|seat| seat.hands_won).collect(),
            bank: view.house.as_ref().map_or(0, |house| house.bank),
            pot: view.pot,
            carried: view.carried,
            deck: options.kings.deck().filter(|card| !lie_open(card)).collect(),
            phase: match view.phase {
                PhaseName::LuckySevens => Phase::LuckySevens { at },
                PhaseName::Turns => Phase::Turns { at },
            },
            hands: hands.into_iter().collect(),
        })
    }

    fn world(Known(known): &Known, luck: &mut Luck) -> RitunasFavour {
        let mut world = known.clone();
        luck.shuffle(&mut world.deck);
        world
    }

    fn candidates(&self, _seat: Seat) -> Vec<Action> {
        match self.phase {
            Phase::LuckySevens { .. } => match self.options.lucky_sevens {
                LuckySevens::Off => vec![Action::Keep {}],
                LuckySevens::Redeal => vec![Action::Keep {}, Action::Redeal {}],
                LuckySevens::Split => vec![Action::Keep {}, Action::Split {}],
            },
            Phase::Turns { at } => match self.certain(at) {
                Some(action) => vec![action],
                None => vec![Action::Stick {}, Action::Take {}],
            },
            _ => vec![Action::Stick {}],
        }
    }

    fn careful(&self, _seat: Seat) -> Action {
        match self.phase {
            Phase::LuckySevens { .. } if self.options.lucky_sevens == LuckySevens::Split => Action::Split {},
            Phase::LuckySevens { .. } => Action::Keep {},
            Phase::Turns { at } if !self.deck.is_empty() && bot::takes(&self.position(at)) => Action::Take {},
            _ => Action::Stick {},
        }
    }

    fn is_settled(&self) -> bool {
        matches!(self.phase, Phase::Shuffle { .. } | Phase::Over)
    }

    fn worth(&self, seat: Seat) -> f64 {
        self.standing(seat, 1.0)
    }

    fn win_chance(&self, seat: Seat) -> f64 {
        self.standing(seat, chips::WIDE)
    }
}

impl RitunasFavour {
    /// `wide`: how many times as wide as usual a hand's swing is taken.
    fn standing(&self, seat: Seat, wide: f64) -> f64 {
        let left = match self.phase {
            Phase::Over => 0,
            _ => u32::from(self.options.hands - self.hand),
        };
        if self.options.charge == 0 {
            let won: PerSeat<u64> = self.hands_won.iter().map(|&won| u64::from(won)).collect();
            return chips::worth(&won, seat, left, wide);
        }
        chips::worth(&self.stacks, seat, left, wide * chips::swing(self.options.charge_of(self.hand)))
    }
}

impl View {
    /// In the order dealt: from the left of the dealer, and the house last.
    fn hands(&self) -> Vec<Hand> {
        let dealt_to = |seat: &Seat| !self.seats[usize::from(*seat)].hands.is_empty();
        let seats: SeatSet = (0..self.seats.len() as Seat).filter(dealt_to).collect();
        let of_seats = seats.from_left_of(self.dealer).flat_map(|seat| {
            self.seats[usize::from(seat)].hands.iter().map(move |hand| hand.of(Holder::Seat(seat)))
        });
        let house = self.house.iter().filter_map(|house| house.hand.as_ref());
        of_seats.chain(house.map(|hand| hand.of(Holder::House))).collect()
    }
}

impl HandView {
    fn of(&self, holder: Holder) -> Hand {
        Hand { holder, cards: self.cards.iter().copied().collect(), stuck: self.stuck }
    }
}

impl RitunasFavour {
    /// What the hand at `at` takes or sticks about.
    fn position(&self, at: usize) -> Position {
        let kings = self.options.kings;
        let others = || self.hands.iter().filter(|hand| hand.holder != self.hands[at].holder);
        let stuck = others().filter(|hand| hand.stuck && !hand.is_bust(kings));
        Position {
            total: self.total(at),
            best: stuck.map(|hand| hand.total(kings)).max(),
            alone: others().all(|hand| hand.is_bust(kings)),
        }
    }

    /// What the hand at `at` had better do whatever the order of the deck is, where that is clear. A guess at this from
    /// a few worlds can only be worse.
    fn certain(&self, at: usize) -> Option<Action> {
        let (hand, kings) = (&self.hands[at], self.options.kings);
        let busts = |card: &French| hand.total(kings) + kings.value(*card) > TARGET;
        let busting = self.deck.iter().filter(|card| busts(card)).count();
        let others = || (0..self.hands.len()).filter(|&other| self.hands[other].holder != hand.holder);
        let to_beat = others()
            .filter(|&other| self.hands[other].stuck)
            .filter_map(|other| self.hands[other].strength(kings))
            .max();
        let own = hand.strength(kings);
        let has_won = own > to_beat && !others().any(|other| self.decides(other));
        if has_won || busting == self.deck.len() {
            Some(Action::Stick {})
        } else if busting == 0 || own < to_beat {
            Some(Action::Take {})
        } else {
            None
        }
    }
}
