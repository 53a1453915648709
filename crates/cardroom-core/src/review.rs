//! A review of a hand of a game that is over: for each decision, the actions that the seat had and what each was worth by
//! what the seat knew; and for each seat, what its cards were worth and what its decisions cost.
//!
//! All of it is an estimate with a standard error: an action's worth is its mean over worlds that fit what the seat knew,
//! each played on carefully by all. Worths are about how likely the seat wins the game, from 0 to 1. The luck of a
//! review follows from the game's id, so each replica comes to the same.

use std::fmt::Write;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::bots::Observation;
use crate::log::Hex32;
use crate::log::entry::{Acted, Chance, Drawn, Entry, Event};
use crate::rules::Seat;
use crate::rules::registry::{KindName, Weighed};
use crate::table::{Fault, Table};

/// In how many worlds each action is tried, in most kinds.
const WORLDS: u32 = 100;
/// How many decisions of a hand are reviewed. With a small `max_raise` a hand can have thousands.
const DECISIONS: usize = 500;

/// A hand of a game that is over, decision by decision.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HandReview)]
pub struct Review {
    /// From 1.
    pub hand: u32,
    #[schema(value_type = KindName)]
    pub kind: &'static str,
    /// In how many worlds each action was tried.
    pub worlds: u32,
    /// Seat 0 first.
    pub seats: Vec<SeatReview>,
    /// In order. Where a seat had no choice, there is none.
    pub decisions: Vec<Decision>,
    /// How many decisions were left out: after 500 of a hand, all.
    pub decisions_left_out: u32,
}

/// What a hand was to a seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewedSeat)]
pub struct SeatReview {
    pub seat: u8,
    pub player: String,
    /// About how likely the seat won the game before the hand was dealt: from 0 to 1, as all worths.
    pub before: f64,
    /// The same with the cards that were dealt, if all had played carefully.
    pub dealt: f64,
    /// The same after the hand.
    pub after: f64,
    /// What the deal was worth: `dealt` less `before`.
    pub luck: f64,
    /// Its standard error.
    pub luck_error: f64,
    /// What the seat's decisions cost, added up.
    pub cost: f64,
    /// Its standard error.
    pub cost_error: f64,
}

/// A decision of a seat that had a choice.
#[derive(Debug, Serialize, ToSchema)]
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
    /// The standard error of the cost. A cost of less than twice as much may be none.
    pub cost_error: f64,
    /// What it could have done, the best first: what bots think about, and what was done.
    pub actions: Vec<ActionWorth>,
}

/// An action that a seat had.
#[derive(Debug, Serialize, ToSchema)]
pub struct ActionWorth {
    #[schema(value_type = Object)]
    pub action: Box<RawValue>,
    /// The mean of what it was worth in the worlds.
    pub worth: f64,
    /// Its standard error.
    pub error: f64,
}

/// A decision that is to be reviewed.
struct Made {
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
        let worlds = WORLDS * kind.thoughts.effort;
        let mut after = before.clone();
        let (mut dealt, mut made) = (None, Vec::new());
        for (entry, hash) in entries {
            made.extend(decision(&after, &entry));
            after.evolve(&entry, hash)?;
            let is_deal = matches!(&entry.event, Event::Chance(Chance { drawn: Drawn::Shuffle { .. }, .. }));
            if is_deal && dealt.is_none() {
                dealt = Some(after.clone());
            }
        }
        let decisions_left_out = made.len().saturating_sub(DECISIONS) as u32;
        made.truncate(DECISIONS);
        let decisions: Result<Vec<_>, _> =
            made.into_iter().map(|made| made.reviewed(before, worlds)).collect();
        let decisions: Vec<Decision> = decisions?.into_iter().flatten().collect();
        let seats = seats([before, dealt.as_ref().unwrap_or(before), &after], hand, worlds, &decisions);
        Ok(Review { hand, kind: kind.kind, worlds, seats, decisions, decisions_left_out })
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        let decision = |decision: &Decision| decision.view.get().len() + 150 * (1 + decision.actions.len());
        200 * self.seats.len() + self.decisions.iter().map(decision).sum::<usize>()
    }

    /// The review for a player to read.
    pub fn text(&self) -> String {
        let mut text = format!(
            "Review of hand {}: each action was tried in {} worlds that fit what the seat knew.\n\
             Worths are about how likely the seat wins the game, in percent, with a standard error.\n",
            self.hand, self.worlds
        );
        let mut line = |line: String| writeln!(text, "{line}").expect("a string takes all that is written");
        for SeatReview { player, before, dealt, after, luck, luck_error, cost, cost_error, .. } in &self.seats
        {
            let [before, dealt, after] = [before, dealt, after].map(|worth| percent(*worth));
            let luck = format!("{} ± {}", signed(*luck), percent(*luck_error));
            let cost = format!("{} ± {}", percent(*cost), percent(*cost_error));
            line(format!(
                "  {player}: {before} before the deal, {dealt} with these cards ({luck}), {after} after the hand; own \
                 decisions cost {cost}"
            ));
        }
        for decision in &self.decisions {
            let Decision { seq, player, cost, cost_error, .. } = decision;
            let verdict = if decision.is_mistake() {
                format!("cost {} ± {}", percent(*cost), percent(*cost_error))
            } else {
                "as good as any".to_owned()
            };
            line(format!("  entry {seq}, {player}: {}: {verdict}", in_words(&decision.taken)));
            for ActionWorth { action, worth, error } in &decision.actions {
                line(format!("    {} {} ± {}", in_words(action), percent(*worth), percent(*error)));
            }
        }
        if self.decisions_left_out > 0 {
            line(format!("  {} more decisions were not reviewed", self.decisions_left_out));
        }
        text
    }
}

impl Decision {
    /// Whether what was done cost something for sure: more than two standard errors.
    pub fn is_mistake(&self) -> bool {
        self.cost > 2.0 * self.cost_error
    }
}

impl Made {
    /// None where the seat had no choice.
    fn reviewed(self, before: &Table, worlds: u32) -> Result<Option<Decision>, Fault> {
        let Made { seq, seen, taken } = self;
        let weigh = before.rules().thoughts.weigh;
        let weighed = weigh(&seen, taken.get(), worlds, luck(before, "decision", seq));
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
            error: rounded(worth.error),
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
        }))
    }
}

/// What a hand was to each seat, by the table before it, after its deal, and after it.
fn seats(
    [before, dealt, after]: [&Table; 3],
    hand: u32,
    worlds: u32,
    decisions: &[Decision],
) -> Vec<SeatReview> {
    let (thoughts, names) = (&before.rules().thoughts, before.names());
    let seats = names.len() as Seat;
    let played_out = |table: &Table| {
        let game = table.game().filter(|_| table.version < after.version);
        game.map(|game| (thoughts.hand)(game, seats, worlds, luck(before, "deal", hand)))
    };
    let Some(ends) = after.game().map(|game| (thoughts.worths)(game, seats)) else { return Vec::new() };
    let Some(at_first) = played_out(before) else { return Vec::new() };
    // A hand that ended with its deal was worth what it came to.
    let with_cards = played_out(dealt).unwrap_or_else(|| vec![ends.clone()]);
    let mean = |worlds: &[Vec<f64>], seat: usize| Mean::of(worlds.iter().map(|worths| worths[seat]));
    let review = |(seat, (player, end)): (usize, (String, f64))| {
        let (before, dealt) = (mean(&at_first, seat), mean(&with_cards, seat));
        let own = || decisions.iter().filter(|decision| usize::from(decision.seat) == seat);
        SeatReview {
            seat: seat as u8,
            player,
            before: rounded(before.mean),
            dealt: rounded(dealt.mean),
            after: rounded(end),
            luck: rounded(dealt.mean - before.mean),
            luck_error: rounded(before.error.hypot(dealt.error)),
            cost: rounded(own().map(|decision| decision.cost).sum()),
            cost_error: rounded(own().map(|decision| decision.cost_error.powi(2)).sum::<f64>().sqrt()),
        }
    };
    names.into_iter().zip(ends).enumerate().map(review).collect()
}

/// What an entry decided, if it is a seat's action.
fn decision(table: &Table, entry: &Entry) -> Option<Made> {
    let Event::Acted(Acted { action, .. }) = &entry.event else { return None };
    Some(Made { seq: entry.seq, seen: table.at_seat(entry.seat?)?, taken: action.clone() })
}

/// The luck of one part of a review.
fn luck(table: &Table, what: &str, number: u32) -> u64 {
    let digest = Sha256::digest(format!("cardroom.review/1:{}:{what}:{number}", table.id));
    digest.iter().take(8).fold(0, |luck, &byte| luck << 8 | u64::from(byte))
}

/// A mean, and its standard error.
#[derive(Clone, Copy)]
struct Mean {
    mean: f64,
    error: f64,
}

impl Mean {
    fn of(values: impl ExactSizeIterator<Item = f64> + Clone) -> Mean {
        let count = values.len().max(1) as f64;
        let mean = values.clone().sum::<f64>() / count;
        let variance = values.map(|value| (value - mean).powi(2)).sum::<f64>() / count;
        Mean { mean, error: (variance / count).sqrt() }
    }
}

/// To a hundredth of a percent. More would be no more than noise.
fn rounded(worth: f64) -> f64 {
    // The sum turns a negative zero into a plain one.
    (worth * 10_000.0).round() / 10_000.0 + 0.0
}

fn percent(worth: f64) -> String {
    format!("{:.1}", worth * 100.0)
}

fn signed(worth: f64) -> String {
    format!("{:+.1}", worth * 100.0)
}

/// An action as one would say it: `raise, chips 5`.
fn in_words(action: &RawValue) -> String {
    let read: Value = serde_json::from_str(action.get()).expect("an action is JSON");
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(" "),
        other => other.to_string(),
    };
    let mut words = read["type"].as_str().unwrap_or_default().replace('_', " ");
    for (name, value) in read.as_object().into_iter().flatten().filter(|(name, _)| *name != "type") {
        write!(words, ", {} {}", name.replace('_', " "), plain(value))
            .expect("a string takes all that is written");
    }
    words
}
