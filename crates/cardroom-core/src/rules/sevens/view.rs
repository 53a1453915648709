//! What is shown and told of Sevens, and to whom. A card that somebody may not see is null, so that the number
//! of cards, which everybody may know, can still be read. Seats are spelled `u8`: the schema looks through no
//! alias.

use serde::Serialize;
use utoipa::ToSchema;

use super::card::{DECK, NaykuhCard};
use super::facts::Why;
use super::hand::{one_suit, total};
use super::settled::{Award, Settled};
use super::state::{Phase, Sevens};
use super::table::Table;
use crate::rules::betting::{Share, Status, Unmatched};
use crate::rules::seats::{Seat, SeatSet};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct View {
    /// The hand's number, from 1; 0 before the first is dealt.
    pub hand: u16,
    /// How many hands the game lasts, unless fewer than two seats can pay for the next.
    pub hands: u16,
    /// The seat that deals, or dealt last; null before the first is drawn.
    #[schema(required)]
    pub dealer: Option<u8>,
    #[schema(inline)]
    pub phase: PhaseName,
    /// The seat whose turn it is; others may fold.
    #[schema(required)]
    pub turn: Option<u8>,
    /// What a seat has to have put in to stay in.
    pub bet: u32,
    /// What was put in for this hand.
    pub pot: u64,
    /// What earlier hands left; it is won with the main pot.
    pub carried: u64,
    pub cards_left: u8,
    /// Seat 0 first.
    #[schema(inline)]
    pub seats: Vec<SeatView>,
    /// How the hand before this one ended; once the game is over, the last.
    #[schema(inline, required)]
    pub last_hand: Option<LastHand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    FirstDealer,
    Shuffle,
    Betting,
    Over,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    #[schema(inline)]
    pub status: Status,
    pub stack: u32,
    /// What it has put in, in this hand.
    pub put_in: u32,
    /// How many cards it has traded in this hand.
    pub traded: u8,
    /// Its hand, in the order of the deck; null where you may not see a card.
    #[schema(inline)]
    pub cards: Vec<Option<NaykuhCard>>,
}

/// A hand that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LastHand {
    pub hand: u16,
    pub dealer: u8,
    /// In the order of the show; empty where all but one had folded.
    #[schema(inline)]
    pub shown: Vec<Shown>,
    /// Chips that nobody matched, back with the seat that put them in.
    #[schema(inline, required)]
    pub unmatched: Option<Unmatched>,
    /// The main pot first.
    #[schema(inline)]
    pub pots: Vec<PotView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Shown {
    pub seat: u8,
    #[schema(inline)]
    pub cards: Vec<NaykuhCard>,
    pub total: u8,
    /// How many cards of one suit it holds at most, which breaks ties.
    pub one_suit: u8,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct PotView {
    pub chips: u64,
    /// The seats that contested it.
    pub seats: Vec<u8>,
    /// The seats' shares of it, clockwise from the left of the dealer; none where it is carried.
    #[schema(inline)]
    pub shares: Vec<Share>,
    #[schema(inline)]
    pub why: Why,
}

/// The game as `viewer` may see it: their own cards, and what was shown.
pub(super) fn of(game: &Sevens, viewer: Option<Seat>) -> View {
    let table = match &game.phase {
        Phase::Betting(table) => Some(table),
        _ => None,
    };
    let seats = 0..game.stacks().len() as Seat;
    View {
        hand: game.hand,
        hands: game.options.hands,
        dealer: match &game.phase {
            Phase::FirstDealer { .. } => None,
            Phase::Shuffle { dealer, .. } => Some(*dealer),
            Phase::Betting(table) => Some(table.dealer),
            Phase::Over { .. } => game.last_hand.as_ref().map(|last| last.dealer),
        },
        phase: match game.phase {
            Phase::FirstDealer { .. } => PhaseName::FirstDealer,
            Phase::Shuffle { .. } => PhaseName::Shuffle,
            Phase::Betting(_) => PhaseName::Betting,
            Phase::Over { .. } => PhaseName::Over,
        },
        turn: table.map(|table| table.turn),
        bet: table.map_or(0, |table| table.bets.bet),
        pot: table.map_or(0, |table| table.bets.put_in.iter().map(|&chips| u64::from(chips)).sum()),
        carried: match &game.phase {
            Phase::Shuffle { carried, .. } => *carried,
            _ => table.map_or(0, |table| table.bets.carried),
        },
        cards_left: table.map_or(DECK, |table| table.deck.len()) as u8,
        seats: match table {
            Some(table) => seats.map(|seat| seat_in_hand(table, seat, viewer)).collect(),
            None => seats.map(|seat| seat_between_hands(game, seat)).collect(),
        },
        last_hand: game.last_hand.as_ref().map(last_hand),
    }
}

fn seat_in_hand(table: &Table, seat: Seat, viewer: Option<Seat>) -> SeatView {
    let bets = &table.bets;
    let at = usize::from(seat);
    let sees = |&card: &NaykuhCard| (viewer == Some(seat)).then_some(card);
    SeatView {
        status: if table.seats.contains(seat) { bets.status(seat) } else { Status::Out },
        stack: bets.stacks[at],
        put_in: bets.put_in[at],
        traded: table.traded[at],
        cards: table.cards[at].iter().map(sees).collect(),
    }
}

fn seat_between_hands(game: &Sevens, seat: Seat) -> SeatView {
    let can_pay = game.able_to_pay(game.stacks()).contains(seat);
    SeatView {
        status: if can_pay { Status::In } else { Status::Out },
        stack: game.stacks()[usize::from(seat)],
        put_in: 0,
        traded: 0,
        cards: Vec::new(),
    }
}

fn last_hand(settled: &Settled) -> LastHand {
    let seats: SeatSet = (0..settled.shown.len() as Seat).collect();
    let shown = |seat: Seat| {
        let cards = &settled.shown[usize::from(seat)];
        Shown { seat, cards: cards.to_vec(), total: total(cards), one_suit: one_suit(cards) }
    };
    let pot = |award: &Award| PotView {
        chips: award.pot.chips,
        seats: award.pot.seats.iter().collect(),
        shares: award.shares(settled.dealer).collect(),
        why: award.why,
    };
    LastHand {
        hand: settled.hand,
        dealer: settled.dealer,
        shown: seats
            .from_left_of(settled.dealer)
            .filter(|&seat| !settled.shown[usize::from(seat)].is_empty())
            .map(shown)
            .collect(),
        unmatched: settled.unmatched.map(|(seat, chips)| Unmatched { seat, chips }),
        pots: settled.awards.iter().map(pot).collect(),
    }
}
