//! Penalties: what an organiser adds to what an entrant has earned, or takes off.

use super::acts::{Penalised, Penalty, THOUSANDTHS};
use super::bounds::{check_number, check_text};
use super::decide::REASON_MAX;
use super::decide::not_begun;
use super::state::{Status, Tournament};
use crate::rules::{Refusal, within};

/// The most penalties of a tournament, cancelled ones counted.
pub const MAX_PENALTIES: usize = 10_000;
/// The most points that a penalty adds or takes off.
pub const PENALTY_MAX: i64 = 1_000_000;
impl Tournament {
    /// All penalties, the oldest first.
    pub fn penalties(&self) -> &[Penalty] {
        &self.penalties
    }

    /// The penalties that count.
    pub(super) fn standing_penalties(&self) -> impl Iterator<Item = &Penalty> {
        self.penalties.iter().filter(|penalty| penalty.cancelled.is_none())
    }

    pub(super) fn penalise(
        &self,
        player: &str,
        reason: &str,
        (result, score): (i64, i64),
    ) -> Result<Penalised, Refusal> {
        self.check_not_aborted()?;
        if self.status == Status::Open {
            return Err(not_begun());
        }
        let entrant = self.find(player)?;
        check_text("reason", reason, REASON_MAX)?;
        check_amounts(result, score)?;
        if (result, score) == (0, 0) {
            return Err(Refusal::new("invalid_body", "a penalty changes the result, the score or both"));
        }
        check_number("penalties", self.penalties.len(), MAX_PENALTIES)?;
        let penalty = self.penalties.len() as u32 + 1;
        Ok(Penalised { entrant, penalty, reason: reason.to_owned(), result_thousandths: result, score })
    }
}

/// # Errors
/// `invalid_options` where a penalty is too large.
pub(super) fn check_amounts(result: i64, score: i64) -> Result<(), Refusal> {
    within("result", result, -PENALTY_MAX * THOUSANDTHS..=PENALTY_MAX * THOUSANDTHS)?;
    within("score", score, -PENALTY_MAX..=PENALTY_MAX)
}
