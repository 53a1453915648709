//! A table: the state that the entries of its log lead to.

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::kind;
use super::seat_assignments::{SeatAssignment, SeatAssignments};
use super::timing::{Pace, Timing};
use crate::log::entry::{AtTournament, Visibility};
use crate::log::fairness::{Seed, Source};
use crate::log::{Hex32, chain};
use crate::rules::registry::{AnyGame, Kind};
use crate::rules::{Need, Outcome, PerSeat, Seat, SeatSet};

/// A game at one version of its log. Cheap to clone: a decision is tried on a clone, which then takes the
/// original's place or is dropped.
#[derive(Clone)]
pub struct Table {
    pub id: Uuid,
    /// How many entries the log has.
    pub version: u32,
    /// The newest entry's hash.
    pub(super) hash: Hex32,
    /// When the newest entry was made; time does not run backwards in a log.
    pub(super) at: Timestamp,
    pub(super) seed: Seed,
    pub(super) about: Arc<About>,
    pub(super) assignments: Arc<SeatAssignments>,
    /// How often the invite was replaced.
    pub(super) renewals: u32,
    /// The seats for which the house plays, because their players have resigned.
    pub(super) resigned: SeatSet,
    /// The seats whose players want to call the game off.
    pub(super) agreed: SeatSet,
    pub(super) stage: Stage,
}

/// Which table it is, and nothing of what lies on it.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} at {})", self.id, self.version)
    }
}

/// What was settled when the game was created.
#[derive(Serialize, Deserialize)]
pub(super) struct About {
    #[serde(with = "kind")]
    pub(super) kind: &'static Kind,
    pub(super) options: Box<RawValue>,
    pub(super) seats: u8,
    pub(super) visibility: Visibility,
    pub(super) pace: Pace,
    pub(super) rated: bool,
    pub(super) tournament: Option<AtTournament>,
    pub(super) created_by: String,
    pub(super) account: Uuid,
    pub(super) created_at: Timestamp,
    pub(super) commitment: Hex32,
}

#[derive(Clone)]
pub(super) enum Stage {
    Open(Open),
    Active(Active),
    Finished {
        game: Game,
        outcome: Outcome,
        /// How many decisions running the clock had made for each seat; nothing without a clock.
        missed: PerSeat<u8>,
    },
    Aborted {
        game: Option<Game>,
    },
}

/// A game whose seats can be taken.
#[derive(Clone, Default)]
pub(super) struct Open {
    /// The accounts that the creator has removed. They cannot sit down again.
    pub(super) removed: Vec<Uuid>,
}

/// A game that is being played.
#[derive(Clone)]
pub(super) struct Active {
    pub(super) game: Game,
    pub(super) source: Arc<Source>,
    /// How many chances there have been: the next one's ordinal.
    pub(super) chances: u32,
    /// Only where a clock or a bot needs it.
    pub(super) timing: Option<Box<Timing>>,
}

/// A game of some kind.
pub(super) struct Game(pub(super) Box<dyn AnyGame>);

impl Clone for Game {
    fn clone(&self) -> Game {
        Game(self.0.boxed_clone())
    }
}

/// The caller: an account, and what it may do beyond its own seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub account: Uuid,
    pub username: String,
    pub admin: bool,
    /// Whether the account says that it is a program.
    pub is_program: bool,
    /// The invite to a private game that came with the request.
    pub invite: Option<String>,
}

/// A log that does not follow from the rules: it was damaged or tampered with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq}: {detail}")]
pub struct Fault {
    pub seq: u32,
    pub detail: String,
}

impl Table {
    /// The kind of the game, in the version of its rules.
    pub(crate) fn rules(&self) -> &'static Kind {
        self.about.kind
    }

    /// The game, while it is played, with all that is hidden in it.
    pub(crate) fn game(&self) -> Option<&dyn AnyGame> {
        match &self.stage {
            Stage::Active(active) => Some(&*active.game.0),
            _ => None,
        }
    }

    /// The seat of an account.
    pub fn seat_of(&self, account: Uuid) -> Option<Seat> {
        self.accounts().find(|(_, sitting)| *sitting == account).map(|(seat, _)| seat)
    }

    /// The seats that the game waits for.
    pub fn to_act(&self) -> SeatSet {
        match &self.stage {
            Stage::Active(active) => match active.game.0.need() {
                Need::Players(seats) => seats,
                _ => SeatSet::EMPTY,
            },
            _ => SeatSet::EMPTY,
        }
    }

    /// Whether the game is finished or aborted: nothing is hidden any more, and nothing will be added.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Finished { .. } | Stage::Aborted { .. })
    }

    /// Whether `viewer` may see the game: only its own people, those who have its invite and admins may see a private
    /// one.
    pub fn is_visible_to(&self, viewer: Option<&Actor>) -> bool {
        self.about.visibility == Visibility::Public
            || viewer.is_some_and(|actor| {
                actor.admin || self.is_own(actor) || self.is_invite(actor.invite.as_deref())
            })
    }

    /// Whether the actor created the game or sits at it.
    pub(super) fn is_own(&self, actor: &Actor) -> bool {
        actor.account == self.about.account || self.seat_of(actor.account).is_some()
    }

    /// Whether this is the game's invite, in its newest form.
    pub(super) fn is_invite(&self, invite: Option<&str>) -> bool {
        invite.is_some_and(|invite| invite == self.invite())
    }

    /// Whether the house plays for the seat, because its player has resigned.
    pub fn has_resigned(&self, seat: Seat) -> bool {
        self.resigned.contains(seat)
    }

    /// Whether an organiser has stopped the clocks: nobody acts until they run again.
    pub fn is_paused(&self) -> bool {
        matches!(&self.stage, Stage::Active(Active { timing: Some(timing), .. }) if timing.paused_at.is_some())
    }

    /// How many decisions running the clock had made for each seat when the game ended; nothing before that, and
    /// without a clock.
    pub fn missed(&self) -> &[u8] {
        match &self.stage {
            Stage::Finished { missed, .. } => missed,
            _ => &[],
        }
    }

    /// Where the game is played, if it is a tournament's.
    pub fn tournament(&self) -> Option<&AtTournament> {
        self.about.tournament.as_ref()
    }

    /// All options, defaults filled in.
    pub fn options(&self) -> &RawValue {
        &self.about.options
    }

    /// What goes into the chances beside the seeds: the game's id. In a tournament, whose house draws the ids of games when
    /// it knows all client seeds, it is the tournament's, or that of the round whose tables are dealt the same orders.
    pub fn shuffle_id(&self) -> Uuid {
        self.tournament().map_or(self.id, |at| at.shuffle_id.unwrap_or(at.id))
    }

    /// The `seq` of the entry that started the game, if its seats were all taken in turn.
    pub fn began(&self) -> u32 {
        self.assignments.len() as u32 + 2
    }

    /// The house's part in the chances. It may be shown once the game is over.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The newest entry's hash.
    pub fn hash(&self) -> Hex32 {
        self.hash
    }

    /// The accounts at the table, by seat. Bots have none.
    pub fn accounts(&self) -> impl Iterator<Item = (Seat, Uuid)> + '_ {
        self.assignments.iter().filter_map(|assignment| Some((assignment.seat, assignment.account()?)))
    }

    pub(super) fn assignment(&self, seat: Seat) -> Option<&SeatAssignment> {
        self.assignments.iter().find(|assignment| assignment.seat == seat)
    }

    /// About how many bytes the table takes in memory.
    pub fn weight(&self) -> u32 {
        2560 + self.about.options.get().len() as u32 + 340 * self.assignments.len() as u32
    }

    /// The hash of an entry that would come next.
    pub(super) fn next_hash(&self, text: &str) -> Hex32 {
        chain::hash(self.hash, &self.seed, self.version + 1, text)
    }
}

impl Active {
    /// The result, once the game is over by its rules, or nobody is left to play it.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        match self.broken_off() {
            Some(game) => Some(game.0.standings()),
            None => self.game.0.outcome(),
        }
    }

    /// The game without what waited for a next hand, if there is none because nobody is left to play it.
    pub(super) fn broken_off(&self) -> Option<Game> {
        let is_abandoned = self.timing.as_ref().is_some_and(|timing| timing.is_abandoned());
        (is_abandoned && self.game.0.is_between_hands()).then(|| {
            let mut game = self.game.clone();
            game.0.break_off();
            game
        })
    }
}
