//! What is shown and told of Knights' Heads, and to whom. A card that somebody may not see is null, so that
//! the number of cards, which everybody may know, can still be read. Seats are spelled `u8`: the schema looks
//! through no alias.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::deck::KnightsCard;
use super::facts::{Shown, Why};
use super::hands::{Hand, rank};
use super::rabble::Three;
use super::settled::{Award, Settled, shown, words};
use super::state::{KnightsHeads, Phase};
use super::table::{Round, Stage, Table};
use crate::rules::betting::{Share, Status, Unmatched};
use crate::rules::seats::Seat;

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
    /// The seat whose turn it is to bet.
    #[schema(required)]
    pub turn: Option<u8>,
    /// The seats that have yet to pick their rabble.
    pub to_pick: Vec<u8>,
    /// What a seat has to have put in to stay in.
    pub bet: u32,
    /// What was put in for this hand.
    pub pot: u64,
    /// What earlier hands left; it is won with the main pot.
    pub carried: u64,
    /// Seat 0 first.
    #[schema(inline)]
    pub seats: Vec<SeatView>,
    /// What only you know of this hand; null where you take no part in it.
    #[schema(inline, required)]
    pub own: Option<OwnView>,
    /// How the hand before this one ended; once the game is over, the last.
    #[schema(inline, required)]
    pub last_hand: Option<LastHand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    FirstDealer,
    Shuffle,
    FirstBetting,
    Rabble,
    SecondBetting,
    FinalBetting,
    Over,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    #[schema(inline)]
    pub status: Status,
    pub stack: u32,
    /// What it has put in, in this hand.
    pub put_in: u32,
    /// Its hand, in the order of the deck; null where you may not see a card.
    #[schema(inline)]
    pub cards: Vec<Option<KnightsCard>>,
}

/// What a seat knows and the others do not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct OwnView {
    /// What your cards make at present; null once you have folded.
    #[schema(inline, required)]
    pub makes: Option<Makes>,
    /// Your rabble; empty until you have picked it.
    #[schema(inline)]
    pub gave: Vec<KnightsCard>,
    /// The rabble that came to you; empty until all have picked theirs.
    #[schema(inline)]
    pub got: Vec<KnightsCard>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Makes {
    #[schema(inline)]
    pub hand: Hand,
    /// The hand and the faces that it is compared by.
    #[schema(example = "court of knights")]
    pub words: String,
}

/// A hand that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LastHand {
    pub hand: u16,
    pub dealer: u8,
    /// The seat that called for the show; it showed last.
    #[schema(required)]
    pub caller: Option<u8>,
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
pub struct PotView {
    pub chips: u64,
    /// The seats that contested it.
    pub seats: Vec<u8>,
    /// The seats' shares of it, clockwise from the left of the dealer; none where it is carried.
    #[schema(inline)]
    pub shares: Vec<Share>,
    #[schema(inline)]
    pub why: Why,
    #[schema(example = "court of knights over court of messengers")]
    pub words: String,
}

/// The game as `viewer` may see it: their own cards, and what was shown.
pub(super) fn of(game: &KnightsHeads, viewer: Option<Seat>) -> View {
    let table = match &game.phase {
        Phase::Hand(table) => Some(table),
        _ => None,
    };
    let seats = 0..game.stacks().len() as Seat;
    View {
        hand: game.hand,
        hands: game.options.hands,
        dealer: match &game.phase {
            Phase::FirstDealer { .. } => None,
            Phase::Shuffle { dealer, .. } => Some(*dealer),
            Phase::Hand(table) => Some(table.dealer),
            Phase::Over { .. } => game.last_hand.as_ref().map(|last| last.dealer),
        },
        phase: phase(game),
        turn: table.and_then(Table::turn),
        to_pick: table.map_or(Vec::new(), |table| table.to_pick().iter().collect()),
        bet: table.map_or(0, |table| table.bets.bet),
        pot: table.map_or(0, |table| table.bets.put_in.iter().map(|&chips| u64::from(chips)).sum()),
        carried: match &game.phase {
            Phase::Shuffle { carried, .. } => *carried,
            _ => table.map_or(0, |table| table.bets.carried),
        },
        seats: match table {
            Some(table) => seats.map(|seat| seat_in_hand(table, seat, viewer)).collect(),
            None => seats.map(|seat| seat_between_hands(game, seat)).collect(),
        },
        own: table
            .zip(viewer)
            .filter(|(table, seat)| table.seats.contains(*seat))
            .map(|(table, seat)| own(table, seat, game.options.triplet_counts)),
        last_hand: game.last_hand.as_ref().map(last_hand),
    }
}

fn phase(game: &KnightsHeads) -> PhaseName {
    match &game.phase {
        Phase::FirstDealer { .. } => PhaseName::FirstDealer,
        Phase::Shuffle { .. } => PhaseName::Shuffle,
        Phase::Over { .. } => PhaseName::Over,
        Phase::Hand(table) => match table.stage {
            Stage::Betting { round: Round::First, .. } => PhaseName::FirstBetting,
            Stage::Betting { round: Round::Second, .. } => PhaseName::SecondBetting,
            Stage::Betting { round: Round::Final, .. } | Stage::Done { .. } => PhaseName::FinalBetting,
            Stage::Rabble => PhaseName::Rabble,
        },
    }
}

fn seat_in_hand(table: &Table, seat: Seat, viewer: Option<Seat>) -> SeatView {
    let at = usize::from(seat);
    let sees = |&card: &KnightsCard| (viewer == Some(seat)).then_some(card);
    SeatView {
        status: if table.seats.contains(seat) { table.bets.status(seat) } else { Status::Out },
        stack: table.bets.stacks[at],
        put_in: table.bets.put_in[at],
        cards: table.cards[at].iter().map(sees).collect(),
    }
}

fn seat_between_hands(game: &KnightsHeads, seat: Seat) -> SeatView {
    let can_pay = game.able_to_pay(game.stacks()).contains(seat);
    SeatView {
        status: if can_pay { Status::In } else { Status::Out },
        stack: game.stacks()[usize::from(seat)],
        put_in: 0,
        cards: Vec::new(),
    }
}

fn own(table: &Table, seat: Seat, triplet_counts: bool) -> OwnView {
    let cards = &table.cards[usize::from(seat)];
    let ranked = (!cards.is_empty()).then(|| rank(cards, triplet_counts));
    let giver = table.rabble.giver(seat).filter(|_| table.rabble_is_passed());
    OwnView {
        makes: ranked.map(|ranked| Makes { hand: ranked.hand, words: ranked.to_string() }),
        gave: table.rabble.gave(seat).to_vec(),
        got: giver.map_or(Three::new(), |giver| table.rabble.gave(giver).clone()).to_vec(),
    }
}

fn last_hand(settled: &Settled) -> LastHand {
    let pot = |award: &Award| PotView {
        chips: award.pot.chips,
        seats: award.pot.seats.iter().collect(),
        shares: award.shares(settled.dealer).collect(),
        why: award.why,
        words: words(settled, *award),
    };
    LastHand {
        hand: settled.hand,
        dealer: settled.dealer,
        caller: settled.caller,
        shown: settled.in_order().map(|seat| shown(settled, seat)).collect(),
        unmatched: settled.unmatched.map(|(seat, chips)| Unmatched { seat, chips }),
        pots: settled.awards.iter().map(pot).collect(),
    }
}
