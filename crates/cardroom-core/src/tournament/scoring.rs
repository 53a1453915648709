//! What a hand, or the end of a game, is worth to the score.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::setup::Scoring;
use crate::rules::knights_heads::hands::Hand;
use crate::rules::{Outcome, Placing};

/// What one hand, or the end of a game, gave one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Award {
    pub seat: u8,
    /// 0 for a court of knights that only makes other points count.
    pub points: i64,
    /// How many courts of knights the seat showed in the hand.
    pub courts: u8,
    #[schema(example = "won with a hamlet")]
    pub reason: String,
    /// The cards that show it; none where there was no show.
    pub cards: Vec<String>,
}

/// What a hand of Knights' Heads told everybody at its end, as far as points go.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Fact {
    Shown(Shown),
    PotWon {
        pot: u8,
        seat: u8,
        why: String,
    },
    #[serde(other)]
    Other,
}

/// A hand that was shown.
#[derive(Deserialize)]
struct Shown {
    seat: u8,
    cards: Vec<String>,
    hand: Hand,
    courts_of_knights: u8,
}

/// Why points cannot be counted: a defect of the house, or a log that somebody changed.
#[derive(Debug, thiserror::Error)]
pub enum ScoringError {
    #[error("the scoring cannot be read: {0}")]
    Scoring(serde_json::Error),
    #[error("a fact cannot be read: {0}")]
    Fact(serde_json::Error),
    #[error("chips are to be counted, and the options have no buy-in")]
    NoBuyIn,
}

/// How a seat won the main pot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Won {
    No,
    ByFolds,
    AtTheShow,
}

impl Scoring {
    /// The scoring in a tournament's own words, as its games' logs have it.
    ///
    /// # Errors
    /// [`ScoringError::Scoring`].
    pub fn read(words: &RawValue) -> Result<Scoring, ScoringError> {
        serde_json::from_str(words.get()).map_err(ScoringError::Scoring)
    }

    /// What the end of a hand gave, seat by seat. `facts`: what the entry that ended it told everybody, in JSON.
    ///
    /// # Errors
    /// [`ScoringError::Fact`].
    pub fn awards(&self, facts: &[Box<RawValue>]) -> Result<Vec<Award>, ScoringError> {
        if matches!(self, Scoring::Places {} | Scoring::Chips {}) {
            return Ok(Vec::new());
        }
        // A court counts whether or not its hand wins; a hand is won with a share of the main pot.
        let (mut shown, mut won) = (Vec::new(), Vec::new());
        for fact in facts {
            match read(fact)? {
                Fact::Shown(hand) => shown.push(hand),
                Fact::PotWon { pot: 0, seat, why } => won.push((seat, why)),
                Fact::PotWon { .. } | Fact::Other => {}
            }
        }
        let mut seats: Vec<u8> =
            shown.iter().map(|hand| hand.seat).chain(won.iter().map(|(seat, _)| *seat)).collect();
        seats.sort_unstable();
        seats.dedup();
        let award = |seat| {
            let won = match won.iter().find(|(winner, _)| *winner == seat) {
                None => Won::No,
                Some((_, why)) if why == "all_folded" => Won::ByFolds,
                Some(_) => Won::AtTheShow,
            };
            self.award(seat, shown.iter().find(|hand| hand.seat == seat), won)
        };
        Ok(seats.into_iter().filter_map(award).collect())
    }

    /// What the end of a game gave, seat by seat. `buy_in`: as [`Setup::buy_in`](super::Setup::buy_in).
    ///
    /// # Errors
    /// [`ScoringError::NoBuyIn`].
    pub fn awards_at_end(&self, buy_in: Option<u32>, outcome: &Outcome) -> Result<Vec<Award>, ScoringError> {
        let places = || outcome.places.iter().map(|placing| placing.place);
        let award = |seat, points, reason| Award { seat, points, courts: 0, reason, cards: Vec::new() };
        let by_place = |placing: &Placing| {
            let reason = format!("{} of {}", ordinal(placing.place), outcome.places.len());
            award(placing.seat, behind(placing.place, places()), reason)
        };
        match self {
            Scoring::Places {} => Ok(outcome.places.iter().map(by_place).collect()),
            Scoring::Chips {} => {
                let buy_in = i64::from(buy_in.ok_or(ScoringError::NoBuyIn)?);
                let by_chips = |placing: &Placing| {
                    let reason = format!("ended with {} chips", placing.score);
                    award(placing.seat, placing.score - buy_in, reason)
                };
                Ok(outcome.places.iter().map(by_chips).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn award(&self, seat: u8, shown: Option<&Shown>, won: Won) -> Option<Award> {
        let courts = shown.map_or(0, |hand| hand.courts_of_knights);
        let hand = shown.map(|hand| hand.hand).filter(|_| won == Won::AtTheShow);
        let points = match self {
            Scoring::CourtsOfKnights {} => i64::from(courts),
            Scoring::WinningHands { .. } => i64::from(won != Won::No),
            Scoring::WeightedHands { .. } => {
                hand.and_then(Hand::number).map_or(0, |number| 27 - i64::from(number))
            }
            Scoring::HandTable { points, .. } => {
                hand.and_then(|hand| points.get(&hand)).copied().unwrap_or_default()
            }
            Scoring::Places {} | Scoring::Chips {} => 0,
        };
        let opens = self.requires_court_of_knights() && courts > 0;
        if points == 0 && !opens {
            return None;
        }
        let counts_courts = matches!(self, Scoring::CourtsOfKnights {}) || points == 0;
        let (reason, cards) = match (shown, courts) {
            (Some(shown), 2) if counts_courts => ("two courts of knights".to_owned(), knights(shown)),
            (Some(shown), _) if counts_courts => ("court of knights".to_owned(), knights(shown)),
            (Some(shown), _) => (format!("won with {}", with_article(shown.hand)), shown.cards.clone()),
            (None, _) => ("won by folds".to_owned(), Vec::new()),
        };
        Some(Award { seat, points, courts, reason, cards })
    }
}

/// How many courts of knights each seat showed at the end of a hand of Knights' Heads. `facts`: as for
/// [`Scoring::awards`].
///
/// # Errors
/// [`ScoringError::Fact`].
pub fn courts_of_knights(facts: &[Box<RawValue>]) -> Result<Vec<(u8, u8)>, ScoringError> {
    let courts = |fact| match fact {
        Fact::Shown(shown) => Some((shown.seat, shown.courts_of_knights)),
        _ => None,
    };
    facts.iter().filter_map(|fact| read(fact).map(courts).transpose()).collect()
}

fn read(fact: &RawValue) -> Result<Fact, ScoringError> {
    serde_json::from_str(fact.get()).map_err(ScoringError::Fact)
}

/// How many came in behind a place.
pub(super) fn behind(place: u8, places: impl Iterator<Item = u8>) -> i64 {
    places.filter(|&other| other > place).count() as i64
}

fn knights(shown: &Shown) -> Vec<String> {
    shown.cards.iter().filter(|card| card.starts_with('N')).cloned().collect()
}

fn with_article(hand: Hand) -> String {
    let name = hand.name();
    match hand {
        Hand::LadiesInWaiting | Hand::ThreeTwins | Hand::ThreeTriplets | Hand::Twins => name.to_owned(),
        _ if name.starts_with(['a', 'e', 'i', 'o']) => format!("an {name}"),
        _ => format!("a {name}"),
    }
}

/// `1st`, `2nd`: there are at most ten places.
fn ordinal(place: u8) -> String {
    match place {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        _ => format!("{place}th"),
    }
}
