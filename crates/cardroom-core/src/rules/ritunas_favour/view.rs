//! What is shown and told of Rituna's Favour. All hands are face up; only the deck is hidden, so everyone
//! sees the same. Seats are spelled `u8`: the schema looks through no alias.

use serde::Serialize;
use utoipa::ToSchema;

use super::hand::{Hand, Holder};
use super::options::Dealer;
use super::state::{Phase, RitunasFavour};
use crate::rules::cards::French;
use crate::rules::seats::Seat;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct View {
    /// The hand's number, from 1; 0 before the first is dealt.
    pub hand: u16,
    /// How many hands the game lasts, unless fewer than two seats can pay for the next.
    pub hands: u16,
    /// The seat with the button, once it is drawn.
    #[schema(required)]
    pub dealer: Option<u8>,
    #[schema(inline)]
    pub phase: PhaseName,
    /// What was paid in for this hand.
    pub pot: u64,
    /// What earlier hands left; it is won with the pot.
    pub carried: u64,
    pub cards_left: u8,
    /// Seat 0 first.
    #[schema(inline)]
    pub seats: Vec<SeatView>,
    /// Only where the house deals.
    #[schema(inline, required)]
    pub house: Option<HouseView>,
    /// The hand that decides now.
    #[schema(inline, required)]
    pub turn: Option<Turn>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    FirstDealer,
    Shuffle,
    LuckySevens,
    Turns,
    Over,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    pub stack: u64,
    /// It could not pay, and takes no more part in the game.
    pub out: bool,
    pub hands_won: u16,
    /// Two after a split, else one. They lie open until the next hand is dealt.
    #[schema(inline)]
    pub hands: Vec<HandView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HouseView {
    /// What the house has won, less what it has paid in.
    pub bank: i64,
    /// Null before the first hand is dealt.
    #[schema(inline, required)]
    pub hand: Option<HandView>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct HandView {
    /// In the order dealt.
    #[schema(inline)]
    pub cards: Vec<French>,
    pub total: u8,
    pub stuck: bool,
    pub bust: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Turn {
    pub seat: u8,
    /// 0, or 1 for the second of two split hands.
    pub hand: u8,
}

/// The game as anyone may see it.
pub(super) fn of(game: &RitunasFavour) -> View {
    View {
        hand: game.hand,
        hands: game.options.hands,
        dealer: match game.phase {
            Phase::Shuffle { dealer } => Some(dealer),
            _ => game.button(),
        },
        phase: phase_name(game.phase),
        pot: game.pot,
        carried: game.carried,
        cards_left: game.deck.len() as u8,
        seats: (0..game.stacks.len() as Seat).map(|seat| seat_view(game, seat)).collect(),
        house: (game.options.dealer == Dealer::House)
            .then(|| HouseView { bank: game.bank, hand: hands_of(game, Holder::House).next() }),
        turn: turn(game),
    }
}

fn phase_name(phase: Phase) -> PhaseName {
    match phase {
        Phase::FirstDealer => PhaseName::FirstDealer,
        Phase::Shuffle { .. } | Phase::Redeal { .. } => PhaseName::Shuffle,
        Phase::LuckySevens { .. } => PhaseName::LuckySevens,
        Phase::Turns { .. } => PhaseName::Turns,
        Phase::Over => PhaseName::Over,
    }
}

fn seat_view(game: &RitunasFavour, seat: Seat) -> SeatView {
    let hands: Vec<HandView> = hands_of(game, Holder::Seat(seat)).collect();
    SeatView {
        stack: game.stacks[usize::from(seat)],
        // One that has paid its last chips is in until the hand is over.
        out: hands.is_empty() && !game.able_to_pay().contains(seat),
        hands_won: game.hands_won[usize::from(seat)],
        hands,
    }
}

fn hands_of(game: &RitunasFavour, holder: Holder) -> impl Iterator<Item = HandView> {
    let kings = game.options.kings;
    game.hands.iter().filter(move |hand| hand.holder == holder).map(move |hand: &Hand| HandView {
        cards: hand.cards.to_vec(),
        total: hand.total(kings),
        stuck: hand.stuck,
        bust: hand.is_bust(kings),
    })
}

fn turn(game: &RitunasFavour) -> Option<Turn> {
    let at = game.deciding()?;
    let seat = game.hands[at].holder.seat()?;
    Some(Turn { seat, hand: game.nth(at) })
}
