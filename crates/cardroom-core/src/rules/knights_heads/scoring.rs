//! What a hand of Knights' Heads is worth in a tournament: courts of knights shown, hands won, or hands won by their
//! numbers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::deck::{Face, KnightsCard};
use super::facts::{Fact, Shown, Why};
use super::hands::Hand;
use crate::rules::cards::Card;
use crate::rules::refusal::{Refusal, within};
use crate::rules::scoring::{self, Award};

/// What the score counts: a prize beside the result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Scoring {
    /// A point for each court of knights shown. Knights' Heads only, as the next three.
    CourtsOfKnights {},
    /// A point for each hand won, at a show or by folds.
    WinningHands {
        /// Whether nothing counts before the player has shown a court of knights in this tournament.
        #[serde(default)]
        requires_court_of_knights: bool,
    },
    /// 27 minus the hand's number in the table, for each hand won at a show.
    WeightedHands {
        /// Whether nothing counts before the player has shown a court of knights in this tournament.
        #[serde(default)]
        requires_court_of_knights: bool,
    },
    /// The organiser's own points, for each hand won at a show; hands not named get 0.
    HandTable {
        #[schema(value_type = BTreeMap<String, i64>, example = json!({"dynasty": 50, "court": 5}))]
        points: BTreeMap<Hand, i64>,
        /// Whether nothing counts before the player has shown a court of knights in this tournament.
        #[serde(default)]
        requires_court_of_knights: bool,
    },
}

/// How a seat won the main pot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Won {
    No,
    ByFolds,
    AtTheShow,
}

impl Default for Scoring {
    fn default() -> Scoring {
        Scoring::CourtsOfKnights {}
    }
}

impl scoring::Scoring for Scoring {
    type Fact = Fact;

    fn check(&self) -> Result<(), Refusal> {
        let Scoring::HandTable { points, .. } = self else { return Ok(()) };
        if points.contains_key(&Hand::Nothing) {
            return Err(Refusal::options("`nothing` never wins, so it has no points"));
        }
        points.values().try_for_each(|&points| within("points", points, -1_000_000..=1_000_000))
    }

    fn waits_for_qualifier(&self) -> bool {
        match self {
            Scoring::WinningHands { requires_court_of_knights }
            | Scoring::WeightedHands { requires_court_of_knights }
            | Scoring::HandTable { requires_court_of_knights, .. } => *requires_court_of_knights,
            Scoring::CourtsOfKnights {} => false,
        }
    }

    fn ranks_qualified_only(&self) -> bool {
        matches!(self, Scoring::CourtsOfKnights {}) || scoring::Scoring::waits_for_qualifier(self)
    }

    /// A court counts whether or not its hand wins; a hand is won with a share of the main pot.
    fn awards(&self, facts: &[&Fact]) -> Vec<Award> {
        let shown = |wanted: u8| {
            facts.iter().find_map(|fact| match fact {
                Fact::Shown(shown) if shown.seat == wanted => Some(shown),
                _ => None,
            })
        };
        let won = |wanted: u8| {
            let how = facts.iter().find_map(|fact| match fact {
                Fact::PotWon { pot: 0, seat, why, .. } if *seat == wanted => Some(*why),
                _ => None,
            });
            match how {
                None => Won::No,
                Some(Why::AllFolded) => Won::ByFolds,
                Some(_) => Won::AtTheShow,
            }
        };
        let seat = |fact: &&Fact| match fact {
            Fact::Shown(shown) => Some(shown.seat),
            Fact::PotWon { pot: 0, seat, .. } => Some(*seat),
            _ => None,
        };
        let mut seats: Vec<u8> = facts.iter().filter_map(seat).collect();
        seats.sort_unstable();
        seats.dedup();
        seats.into_iter().filter_map(|seat| self.award(seat, shown(seat), won(seat))).collect()
    }
}

impl Scoring {
    fn award(&self, seat: u8, shown: Option<&Shown>, won: Won) -> Option<Award> {
        let courts = shown.map_or(0, |hand| hand.courts_of_knights);
        let hand = shown.map(|shown| shown.made).filter(|_| won == Won::AtTheShow);
        let points = match self {
            Scoring::CourtsOfKnights {} => i64::from(courts),
            Scoring::WinningHands { .. } => i64::from(won != Won::No),
            Scoring::WeightedHands { .. } => {
                hand.and_then(Hand::number).map_or(0, |number| 27 - i64::from(number))
            }
            Scoring::HandTable { points, .. } => {
                hand.and_then(|hand| points.get(&hand)).copied().unwrap_or_default()
            }
        };
        let opens = scoring::Scoring::waits_for_qualifier(self) && courts > 0;
        if points == 0 && !opens {
            return None;
        }
        let counts_courts = matches!(self, Scoring::CourtsOfKnights {}) || points == 0;
        let (reason, cards) = match (shown, courts) {
            (Some(shown), 2) if counts_courts => ("two courts of knights".to_owned(), knights(shown)),
            (Some(shown), _) if counts_courts => ("court of knights".to_owned(), knights(shown)),
            (Some(shown), _) => (format!("won with {}", with_article(shown.made)), names(&shown.cards)),
            (None, _) => ("won by folds".to_owned(), Vec::new()),
        };
        Some(Award { seat, points, qualifiers: courts, reason, cards })
    }
}

fn knights(shown: &Shown) -> Vec<String> {
    let knights: Vec<KnightsCard> =
        shown.cards.iter().copied().filter(|card| card.face() == Face::Knight).collect();
    names(&knights)
}

fn names(cards: &[KnightsCard]) -> Vec<String> {
    cards.iter().map(|card| card.name().to_string()).collect()
}

fn with_article(hand: Hand) -> String {
    let name = hand.name();
    match hand {
        Hand::LadiesInWaiting | Hand::ThreeTwins | Hand::ThreeTriplets | Hand::Twins => name.to_owned(),
        _ if name.starts_with(['a', 'e', 'i', 'o']) => format!("an {name}"),
        _ => format!("a {name}"),
    }
}
