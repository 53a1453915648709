//! The players at the table: people, which have accounts, and bots, which have none.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::log::entry::{Policy, Seated};
use crate::rules::Seat;

/// The players at the table, by seat.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct SeatAssignments {
    assignments: Vec<SeatAssignment>,
    #[serde(skip)]
    shown: OnceLock<Box<RawValue>>,
}

impl Deref for SeatAssignments {
    type Target = [SeatAssignment];

    fn deref(&self) -> &[SeatAssignment] {
        &self.assignments
    }
}

impl SeatAssignments {
    /// The chairs, to be changed.
    pub fn change(assignments: &mut Arc<SeatAssignments>) -> &mut Vec<SeatAssignment> {
        let assignments = Arc::make_mut(assignments);
        assignments.shown.take();
        &mut assignments.assignments
    }

    /// Takes the player or the bot from a seat; none where nobody sits there.
    pub fn clear(assignments: &mut Arc<SeatAssignments>, seat: Option<Seat>) -> Option<SeatAssignment> {
        let at = assignments.iter().position(|assignment| Some(assignment.seat) == seat)?;
        Some(SeatAssignments::change(assignments).remove(at))
    }

    /// Moves the player or the bot at a seat to another, and whoever sits there to the first; none where nobody sits at
    /// the first.
    pub fn swap(assignments: &mut Arc<SeatAssignments>, seat: Option<Seat>, to: Seat) -> Option<()> {
        let seat = seat?;
        assignments.iter().find(|assignment| assignment.seat == seat)?;
        let assignments = SeatAssignments::change(assignments);
        for assignment in &mut *assignments {
            match assignment.seat {
                was if was == seat => assignment.seat = to,
                was if was == to => assignment.seat = seat,
                _ => {}
            }
        }
        assignments.sort_unstable_by_key(|assignment| assignment.seat);
        Some(())
    }

    /// How the chairs are shown, as long as nothing but the chairs themselves bears on it: `show` is called once.
    pub fn shown(&self, show: impl FnOnce() -> Box<RawValue>) -> &RawValue {
        self.shown.get_or_init(show)
    }
}

/// A player at the table.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct SeatAssignment {
    pub seat: Seat,
    pub who: Occupant,
    pub client_seed: String,
}

/// The player on a chair.
#[derive(Clone, Serialize, Deserialize)]
pub(super) enum Occupant {
    Player {
        account: Uuid,
        name: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        program: bool,
    },
    Bot(Policy),
}

impl SeatAssignment {
    pub fn of(seat: Seat, seated: &Seated) -> SeatAssignment {
        let (who, client_seed) = match seated.clone() {
            Seated::Player { player, account, client_seed, program } => {
                (Occupant::Player { account, name: player, program }, client_seed)
            }
            Seated::Bot { bot, client_seed } => (Occupant::Bot(bot), client_seed),
        };
        SeatAssignment { seat, who, client_seed }
    }

    pub fn account(&self) -> Option<Uuid> {
        match self.who {
            Occupant::Player { account, .. } => Some(account),
            Occupant::Bot(_) => None,
        }
    }

    pub fn player(&self) -> Option<&str> {
        match &self.who {
            Occupant::Player { name, .. } => Some(name),
            Occupant::Bot(_) => None,
        }
    }

    pub fn is_program(&self) -> bool {
        matches!(self.who, Occupant::Player { program: true, .. })
    }

    pub fn policy(&self) -> Option<Policy> {
        match self.who {
            Occupant::Player { .. } => None,
            Occupant::Bot(policy) => Some(policy),
        }
    }

    /// What a hand history calls it. No account can have a bot's name.
    pub fn name(&self) -> String {
        match &self.who {
            Occupant::Player { name, .. } => name.clone(),
            Occupant::Bot(policy) => format!("{} (seat {})", policy.as_str(), self.seat),
        }
    }
}
