//! A review of a hand of a game that is over: for each decision, the actions that the seat had and what each was worth by
//! what the seat knew; and for each seat, what its cards were worth and what its decisions cost.
//!
//! All of it is an estimate with a standard error: an action's worth is its mean over worlds that fit what the seat knew,
//! each played on carefully by all. A worth is a score from 0 to 1: the better the seat stands in the game, the higher. What
//! a deal was is told in chances of winning. The chance in a review follows from the game's seed, so each replica comes to the
//! same.

pub mod comparison;
pub mod estimates;
pub mod luck;
mod words;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::bots::Observation;
use crate::log::Hex32;
use crate::log::entry::{Acted, By, Entry, Event};
use crate::review::estimates::{Mean, rounded, seed, together};
use crate::review::luck::Deal;
use crate::rules::Seat;
use crate::rules::registry::{KindName, Weighed};
use crate::table::{Fault, Table};

/// A word for the sources that decide how a game is reviewed. A review that was kept counts only for the same word.
pub const METHOD: &str = env!("CARDROOM_REVIEWS");

/// How many decisions of a hand are reviewed. With a small `max_raise` a hand can have thousands.
const DECISIONS: usize = 500;
/// How many decisions of a game are reviewed together, and how many hands: no further hand is begun then.
const DECISIONS_OF_A_GAME: u32 = 2000;
const HANDS_OF_A_GAME: u32 = 200;

/// A hand of a game that is over, decision by decision.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = HandReview)]
pub struct Review {
    /// From 1.
    pub hand: u32,
    #[schema(value_type = KindName)]
    pub kind: String,
    /// In how many worlds each action was tried.
    pub worlds: u32,
    /// Seat 0 first.
    pub seats: Vec<SeatReview>,
    /// In order. Those are left out for which bots think about one action only, if the seat took it.
    pub decisions: Vec<Decision>,
    /// How many actions were left out: all after the 500th of the hand.
    pub actions_left_out: u32,
}

/// What a hand was to a seat.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ReviewedSeat)]
pub struct SeatReview {
    pub seat: u8,
    pub player: String,
    /// How likely the seat was to win the game before the hand was dealt, about, from 0 to 1.
    pub before: f64,
    /// The same with the cards that were dealt.
    pub dealt: f64,
    /// The same after the hand.
    pub after: f64,
    /// What the deal was worth: `dealt` less `before`. If more is shuffled in the hand, that counts, too.
    pub luck: f64,
    /// Its standard error.
    pub luck_error: f64,
    /// What the seat's decisions cost, added up. By chance it is somewhat too high, because the best of several actions
    /// looks better than it is.
    pub cost: f64,
    /// Its standard error.
    pub cost_error: f64,
}

/// A decision of a seat.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = ReviewedDecision)]
pub struct Decision {
    /// The entry of the log.
    pub seq: u32,
    pub seat: u8,
    pub player: String,
    /// What the seat saw.
    #[schema(value_type = Object)]
    pub view: Box<RawValue>,
    /// What it did.
    #[schema(value_type = Object)]
    pub taken: Box<RawValue>,
    /// How much less that was worth than the best action.
    pub cost: f64,
    /// The standard error of the cost.
    pub cost_error: f64,
    /// Whether it cost more than two standard errors, which chance alone seldom brings.
    pub is_mistake: bool,
    /// What it could have done, the best first: what bots think about, and what was done.
    pub actions: Vec<ActionWorth>,
}

/// The reviews of a game's hands, added up.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct GameReview {
    /// How many hands were reviewed.
    pub hands: u32,
    /// How many were left out: all after the 2,000th decision or the 200th hand.
    pub hands_left_out: u32,
    /// Seat 0 first.
    pub seats: Vec<SeatTotal>,
}

/// What a game was to a seat.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct SeatTotal {
    pub seat: u8,
    pub player: String,
    /// What its deals were worth, added up: by how much they changed how likely it won.
    pub luck: f64,
    /// Its standard error.
    pub luck_error: f64,
    /// What its decisions cost, added up.
    pub cost: f64,
    /// Its standard error.
    pub cost_error: f64,
    /// How many decisions were reviewed.
    pub decisions: u32,
    /// How many of them cost more than two standard errors.
    pub mistakes: u32,
}

/// An action that a seat had.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ActionWorth {
    #[schema(value_type = Object)]
    pub action: Box<RawValue>,
    /// The mean of what it was worth in the worlds.
    pub worth: f64,
    /// Its standard error.
    pub worth_error: f64,
}

/// A decision that is to be reviewed.
struct TakenDecision {
    seq: u32,
    seen: Observation,
    taken: Box<RawValue>,
}

impl Review {
    /// Reviews a hand. `before`: the table before the deal; `entries`: from the deal to the end of the hand.
    ///
    /// # Errors
    /// [`Fault`] where the entries do not follow from the table.
    pub fn of(before: &Table, hand: u32, entries: Vec<(Entry, Hex32)>) -> Result<Review, Fault> {
        let kind = before.rules();
        let worlds = kind.thoughts.expert;
        let mut after = before.clone();
        let (mut deals, mut made) = (Vec::new(), Vec::new());
        let mut actions_left_out = 0;
        for (entry, hash) in entries {
            if made.len() < DECISIONS {
                made.extend(decision(&after, &entry));
            } else if matches!(entry.event, Event::Acted(_)) {
                actions_left_out += 1;
            }
            let before = after.clone();
            after.evolve(&entry, hash)?;
            deals.extend(Deal::of(&before, &after, &entry));
        }
        let decisions: Result<Vec<_>, _> =
            made.into_iter().map(|made| made.reviewed(before, worlds)).collect();
        let decisions: Vec<Decision> = decisions?.into_iter().flatten().collect();
        let seats = seats(&after, &deals, &decisions);
        Ok(Review { hand, kind: kind.kind.to_owned(), worlds, seats, decisions, actions_left_out })
    }
}

impl GameReview {
    /// Nothing is added up yet.
    pub fn new(table: &Table) -> GameReview {
        let seat = |(player, seat)| SeatTotal {
            seat,
            player,
            luck: 0.0,
            luck_error: 0.0,
            cost: 0.0,
            cost_error: 0.0,
            decisions: 0,
            mistakes: 0,
        };
        let seats = table.names().into_iter().zip(0..).map(seat).collect();
        GameReview { hands: 0, hands_left_out: 0, seats }
    }

    /// Adds the next hand.
    pub fn add(&mut self, review: &Review) {
        self.hands += 1;
        for (total, hand) in self.seats.iter_mut().zip(&review.seats) {
            let own = || review.decisions.iter().filter(|decision| decision.seat == total.seat);
            total.luck = rounded(total.luck + hand.luck);
            total.luck_error = rounded(together(total.luck_error, hand.luck_error));
            total.cost = rounded(total.cost + hand.cost);
            total.cost_error = rounded(together(total.cost_error, hand.cost_error));
            total.decisions += own().count() as u32;
            total.mistakes += own().filter(|decision| decision.is_mistake).count() as u32;
        }
    }

    /// Whether no further hand is to be added.
    pub fn is_full(&self) -> bool {
        let decisions: u32 = self.seats.iter().map(|total| total.decisions).sum();
        decisions >= DECISIONS_OF_A_GAME || self.hands >= HANDS_OF_A_GAME
    }
}

impl TakenDecision {
    /// None where bots would think about nothing else.
    fn reviewed(self, before: &Table, worlds: u32) -> Result<Option<Decision>, Fault> {
        let TakenDecision { seq, seen, taken } = self;
        let weigh = before.rules().thoughts.weigh;
        let weighed = weigh(&seen, taken.get(), worlds, seed(before, "decision", seq));
        let weighed = weighed.map_err(|refusal| Fault { seq, detail: refusal.detail })?;
        if weighed.len() < 2 {
            return Ok(None);
        }
        let mut ranked: Vec<(Mean, &Weighed)> =
            weighed.iter().map(|weighed| (Mean::of(weighed.1.iter().copied()), weighed)).collect();
        ranked.sort_by(|(one, _), (other, _)| other.mean.total_cmp(&one.mean));
        let (best, done) = (&ranked[0].1.1, &weighed[0].1);
        // World by world, so that what is luck in both does not count.
        let cost = Mean::of(best.iter().zip(done).map(|(best, done)| best - done));
        let action = |(worth, weighed): &(Mean, &Weighed)| ActionWorth {
            action: weighed.0.clone(),
            worth: rounded(worth.mean),
            worth_error: rounded(worth.error),
        };
        Ok(Some(Decision {
            seq,
            seat: seen.seat,
            player: before.names().swap_remove(seen.seat.into()),
            actions: ranked.iter().map(action).collect(),
            taken: weighed[0].0.clone(),
            view: seen.view,
            cost: rounded(cost.mean),
            cost_error: rounded(cost.error),
            is_mistake: cost.mean > 2.0 * cost.error,
        }))
    }
}

/// What a hand was to each seat, by the table after it.
fn seats(after: &Table, deals: &[Deal], decisions: &[Decision]) -> Vec<SeatReview> {
    let (Some(game), Some(first), names) = (after.game(), deals.first(), after.names()) else {
        return Vec::new();
    };
    let ends = (after.rules().thoughts.win_chances)(game, names.len() as Seat);
    let review = |(seat, (player, end)): (usize, (String, f64))| {
        let (mut luck, mut luck_error) = (0.0, 0.0);
        for (lucky, error) in deals.iter().map(|deal| deal.luck(seat)) {
            (luck, luck_error) = (luck + lucky, together(luck_error, error));
        }
        let own = || decisions.iter().filter(|decision| usize::from(decision.seat) == seat);
        SeatReview {
            seat: seat as u8,
            player,
            before: rounded(first.before[seat].mean),
            dealt: rounded(first.with_cards[seat].mean),
            after: rounded(end),
            luck: rounded(luck),
            luck_error: rounded(luck_error),
            cost: rounded(own().map(|decision| decision.cost).sum()),
            cost_error: rounded(own().map(|decision| decision.cost_error).fold(0.0, together)),
        }
    };
    names.into_iter().zip(ends).enumerate().map(review).collect()
}

/// What an entry decided, if it is an action of a player or a bot. What the clock does is nobody's decision.
fn decision(table: &Table, entry: &Entry) -> Option<TakenDecision> {
    let Event::Acted(Acted { action, .. }) = &entry.event else { return None };
    if entry.by == (By::Clock {}) {
        return None;
    }
    Some(TakenDecision { seq: entry.seq, seen: table.at_seat(entry.seat?)?, taken: action.clone() })
}
