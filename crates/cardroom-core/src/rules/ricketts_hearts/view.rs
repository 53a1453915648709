//! What is shown and told of Ricketts House Hearts, and to whom. A card that somebody may not see is null, so
//! that the number of cards, which everybody may know, can still be read. Seats are spelled `u8`: the schema
//! looks through no alias.

use serde::Serialize;
use utoipa::ToSchema;

use super::cards::{CardSet, SEATS};
use super::deal::{Deal, left_of, received};
use super::facts::Received;
use super::moon::MoonChoice;
use super::passing::Passing;
use super::score::Settled;
use super::state::{Phase, RickettsHearts};
use super::tricks::{Trick, Tricks, points};
use crate::rules::cards::French;
use crate::rules::seats::Seat;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct View {
    /// The hand's number, from 1; 0 before the first is dealt.
    pub hand: u32,
    /// The seat that deals, or dealt last; null before the first is drawn.
    #[schema(required)]
    pub dealer: Option<u8>,
    #[schema(inline)]
    pub phase: PhaseName,
    /// Where cards go in this hand; null before the first is dealt.
    #[schema(inline, required)]
    pub passing: Option<Passing>,
    /// The seat that plays a card or has the moon to choose; null while all pass.
    #[schema(required)]
    pub turn: Option<u8>,
    /// A heart or the queen of spades has been played, so hearts can be led.
    pub hearts_broken: bool,
    /// Seat 0 first.
    #[schema(inline)]
    pub seats: Vec<SeatView>,
    /// What you have passed on in this hand.
    #[schema(inline)]
    pub passed: Vec<Given>,
    /// What you have received in this hand.
    #[schema(inline)]
    pub received: Vec<Received>,
    /// The seat that leads, or led, the trick on the table.
    #[schema(required)]
    pub leader: Option<u8>,
    /// The trick on the table, in the order played.
    #[schema(inline)]
    pub trick: Vec<French>,
    /// The tricks taken in this hand, the first one first.
    #[schema(inline)]
    pub tricks: Vec<TrickView>,
    /// How the hand before this one ended; once the game is over, the last.
    #[schema(inline, required)]
    pub last_hand: Option<LastHand>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    FirstDealer,
    Shuffle,
    Passing,
    Tricks,
    Moon,
    Over,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    pub score: i32,
    /// Its hand, in the order of the deck; null where you may not see a card. What it has passed on is gone,
    /// what it receives comes when all have passed.
    #[schema(inline)]
    pub cards: Vec<Option<French>>,
    /// How many tricks it has taken in this hand.
    pub tricks: u8,
    /// What they count.
    pub points: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct Given {
    pub to: u8,
    #[schema(inline)]
    pub card: French,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct TrickView {
    pub leader: u8,
    /// In the order played.
    #[schema(inline)]
    pub cards: Vec<French>,
    pub taken_by: u8,
    pub points: u8,
}

/// A hand that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LastHand {
    pub hand: u32,
    pub dealer: u8,
    #[schema(inline)]
    pub tricks: Vec<TrickView>,
    /// Null where nobody shot it.
    #[schema(inline, required)]
    pub moon: Option<MoonView>,
    /// Seat 0 first.
    #[schema(inline)]
    pub results: Vec<SeatResult>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoonView {
    pub seat: u8,
    #[schema(inline)]
    pub choice: MoonChoice,
}

/// What a hand did to a seat's score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatResult {
    /// What its tricks count.
    pub points: u8,
    pub score_before: i32,
    /// Its points, if nobody shot the moon.
    pub added: i32,
    /// The sum was a score that goes back to 0.
    pub wrapped: bool,
    pub score: i32,
}

/// The game as `viewer` may see it: their own cards, what they passed and got, and what was played.
pub(super) fn of(game: &RickettsHearts, viewer: Option<Seat>) -> View {
    let tricks = match &game.phase {
        Phase::Tricks(tricks) | Phase::Moon { tricks, .. } => Some(tricks),
        _ => None,
    };
    let deal = match &game.phase {
        Phase::Passing(deal) => Some(deal),
        _ => tricks.map(|tricks| &tricks.deal),
    };
    let (passed, received) = match (deal, viewer) {
        (Some(deal), Some(seat)) => passed_and_received(deal, game.hand, seat, tricks.is_some()),
        _ => (Vec::new(), Vec::new()),
    };
    View {
        hand: game.hand,
        dealer: dealer(game),
        phase: phase_name(&game.phase),
        passing: (game.hand > 0).then(|| Passing::of_hand(game.hand)),
        turn: match &game.phase {
            Phase::Tricks(tricks) => Some(tricks.turn()),
            Phase::Moon { shooter, .. } => Some(*shooter),
            _ => None,
        },
        hearts_broken: tricks.is_some_and(Tricks::hearts_are_broken),
        seats: (0..SEATS as Seat).map(|seat| seat_view(game, deal, tricks, seat, viewer)).collect(),
        passed,
        received,
        leader: match &game.phase {
            Phase::Tricks(tricks) => Some(tricks.leader),
            _ => None,
        },
        trick: tricks.map_or_else(Vec::new, |tricks| tricks.trick.to_vec()),
        tricks: tricks.map_or_else(Vec::new, |tricks| trick_views(&tricks.taken)),
        last_hand: game.last_hand.as_ref().map(last_hand),
    }
}

fn dealer(game: &RickettsHearts) -> Option<Seat> {
    match &game.phase {
        Phase::FirstDealer => None,
        Phase::Shuffle { dealer } => Some(*dealer),
        Phase::Passing(deal) => Some(deal.dealer),
        Phase::Tricks(tricks) | Phase::Moon { tricks, .. } => Some(tricks.deal.dealer),
        Phase::Over => game.last_hand.as_ref().map(|last| last.dealer),
    }
}

fn phase_name(phase: &Phase) -> PhaseName {
    match phase {
        Phase::FirstDealer => PhaseName::FirstDealer,
        Phase::Shuffle { .. } => PhaseName::Shuffle,
        Phase::Passing(_) => PhaseName::Passing,
        Phase::Tricks(_) => PhaseName::Tricks,
        Phase::Moon { .. } => PhaseName::Moon,
        Phase::Over => PhaseName::Over,
    }
}

fn passed_and_received(
    deal: &Deal,
    hand: u32,
    seat: Seat,
    all_have_passed: bool,
) -> (Vec<Given>, Vec<Received>) {
    let Some(route) = Passing::of_hand(hand).route() else { return (Vec::new(), Vec::new()) };
    let cards = deal.passed[usize::from(seat)].into_iter().flatten();
    let passed = cards.zip(route).map(|(card, places)| Given { to: left_of(seat, places), card }).collect();
    let received = received(&deal.passed, route, seat).filter(|_| all_have_passed);
    (passed, received.map(|(from, card)| Received { from, card: Some(card) }).collect())
}

fn seat_view(
    game: &RickettsHearts,
    deal: Option<&Deal>,
    tricks: Option<&Tricks>,
    seat: Seat,
    viewer: Option<Seat>,
) -> SeatView {
    let sees = |card| (viewer == Some(seat)).then_some(card);
    let taken = tricks.map_or(&[][..], |tricks| &tricks.taken);
    SeatView {
        score: game.scores[usize::from(seat)],
        cards: deal.map_or(CardSet::EMPTY, |deal| deal.hand(seat)).iter().map(sees).collect(),
        tricks: taken.iter().filter(|trick| trick.taker == seat).count() as u8,
        points: points(taken)[usize::from(seat)],
    }
}

fn trick_views(taken: &[Trick]) -> Vec<TrickView> {
    let view = |trick: &Trick| TrickView {
        leader: trick.leader,
        cards: trick.cards.to_vec(),
        taken_by: trick.taker,
        points: trick.points,
    };
    taken.iter().map(view).collect()
}

fn last_hand(settled: &Settled) -> LastHand {
    let points = points(&settled.tricks);
    let added = settled.added();
    let result = |seat: Seat| {
        let at = usize::from(seat);
        SeatResult {
            points: points[at],
            score_before: settled.before[at],
            added: added[at],
            wrapped: settled.wrapped(seat),
            score: settled.after[at],
        }
    };
    LastHand {
        hand: settled.hand,
        dealer: settled.dealer,
        tricks: trick_views(&settled.tricks),
        moon: settled.moon.map(|moon| MoonView { seat: moon.shooter, choice: moon.choice }),
        results: (0..SEATS as Seat).map(result).collect(),
    }
}
