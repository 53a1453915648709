//! A tournament: the state that the entries of its log lead to.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::acts::{Announcement, Call, Penalty, TablesPrescribed};
use super::details::Details;
use super::entrants::{Entrant, Organiser};
use super::interventions::Intervention;
use super::log::{RoundBegan, RoundTable, TournamentEntry, TournamentEvent};
use super::setup::{Admission, Setup};
use super::versions::{PairingVersion, TieBreakVersion};

use crate::log::Hex32;
use crate::log::fairness::{Seed, Source};
use crate::rules::registry::Kind;

/// A tournament at one version of its log. Cheap to clone.
#[derive(Clone)]
pub struct Tournament {
    pub id: Uuid,
    /// How many entries the log has.
    pub version: u32,
    /// When the newest entry was made; time does not run backwards in a log.
    pub(super) at: Timestamp,
    pub(super) seed: Seed,
    pub(super) about: Arc<About>,
    /// The owner first.
    pub(super) organisers: Arc<Vec<Organiser>>,
    /// How often organisers were named or dismissed.
    pub(super) organiser_changes: u32,
    /// How often an entrant's team was changed.
    pub(super) team_changes: u32,
    /// The tables that an organiser has prescribed for the next round.
    pub(super) prescribed: Option<Arc<TablesPrescribed>>,
    /// How often tables were prescribed.
    pub(super) prescriptions: u32,
    /// By number.
    pub(super) entrants: Vec<Registration>,
    pub(super) rounds: Vec<Arc<RoundBegan>>,
    pub(super) announcements: Arc<Vec<Announcement>>,
    /// In the order of their numbers.
    pub(super) penalties: Arc<Vec<Penalty>>,
    /// How often an entrant was replaced.
    pub(super) replacements: u32,
    /// The account that was replaced last, unless it was a bot.
    pub(super) replaced: Option<Uuid>,
    /// By round and table: what organisers did to it.
    pub(super) interventions: Arc<BTreeMap<(u16, u16), Intervention>>,
    /// How often the details were changed.
    pub(super) edits: u32,
    /// How often a result was set.
    pub(super) results_set: u32,
    /// No round is drawn.
    pub(super) is_paused: bool,
    /// The clocks of all tables stand still.
    pub(super) clocks_stopped: bool,
    /// How often clocks were stopped or started, or time was added.
    pub(super) clock_changes: u32,
    /// The rounds of which it is still to be noted who did not play them.
    pub(super) unsettled: Vec<u16>,
    /// When the newest round was drawn.
    pub(super) drawn_at: Option<Timestamp>,
    /// In the order of their numbers.
    pub(super) calls: Arc<Vec<Call>>,
    pub(super) status: Status,
    pub(super) started_at: Option<Timestamp>,
    pub(super) ended_at: Option<Timestamp>,
}

/// Which tournament it is, and nothing of its seed.
impl fmt::Debug for Tournament {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tournament({} at {})", self.id, self.version)
    }
}

/// What was settled when the tournament was created; name and details as they are now.
#[derive(Clone)]
pub(super) struct About {
    pub(super) setup: Setup,
    pub(super) details: Details,
    pub(super) kind: &'static Kind,
    /// See [`Setup::buy_in`]: standings ask for it at every seat.
    pub(super) buy_in: Option<u32>,
    pub(super) tie_breaks: TieBreakVersion,
    pub(super) pairing: PairingVersion,
    pub(super) created_at: Timestamp,
}

/// An entrant, and whether they are still there.
#[derive(Debug, Clone)]
pub struct Registration {
    pub entrant: Arc<Entrant>,
    /// Why the entrant plays on no more.
    pub departure: Option<Departure>,
    /// The departure before the disqualification. It comes back when the disqualification is lifted.
    pub(super) earlier_departure: Option<Departure>,
    /// The entrant has checked in.
    pub(super) has_checked_in: bool,
    /// How often the entrant has checked in or taken that back.
    pub(super) check_ins: u8,
    /// Whether the entrant is absent because they did not play a round.
    pub(super) is_no_show: bool,
    /// The last round of which it is not noted whether they played it: they came later, or have said that they are there.
    pub(super) excused_in: u16,
    /// Where they sit, or sat last: the round and the table, both from 1.
    pub(super) last_table: Option<(u16, u16)>,
    /// The account that plays at that table; none for a bot. If the entrant was replaced since, it is the earlier player's.
    pub(super) seated_account: Option<Uuid>,
    /// At how many tables they have been seated.
    pub(super) tables: u16,
}

/// Why an entrant plays on no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departure {
    /// Before the start: they were never in it.
    TakenOff,
    /// All places were taken when the tournament started.
    Waiting,
    Withdrawn,
    /// They had not checked in when the tournament started, or did not play a round.
    Absent,
    Disqualified,
}

/// How far a tournament has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TournamentStatus)]
pub enum Status {
    /// It can be entered.
    Open,
    Active,
    Finished,
    Aborted,
}

impl Status {
    /// The word for it, as it stands in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Active => "active",
            Status::Finished => "finished",
            Status::Aborted => "aborted",
        }
    }
}

/// A log that cannot be: it was damaged or tampered with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq}: {detail}")]
pub struct Fault {
    pub seq: u32,
    pub detail: String,
}

impl Registration {
    pub(super) fn new(entrant: Entrant) -> Registration {
        Registration {
            entrant: Arc::new(entrant),
            departure: None,
            earlier_departure: None,
            has_checked_in: false,
            check_ins: 0,
            is_no_show: false,
            excused_in: 0,
            last_table: None,
            seated_account: None,
            tables: 0,
        }
    }
}

impl Tournament {
    /// What was chosen for it.
    pub fn setup(&self) -> &Setup {
        &self.about.setup
    }

    /// What is told about it.
    pub fn details(&self) -> &Details {
        &self.about.details
    }

    /// The kind that is played, in the version of the rules that the tournament began with.
    pub fn kind(&self) -> &'static Kind {
        self.about.kind
    }

    pub fn status(&self) -> Status {
        self.status
    }

    /// Whether it has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.status, Status::Finished | Status::Aborted)
    }

    /// All entrants that ever entered, by number.
    pub fn entrants(&self) -> &[Registration] {
        &self.entrants
    }

    /// How many have a place: neither taken off nor disqualified, nor waiting.
    pub fn entered(&self) -> usize {
        self.listed() - self.waiting()
    }

    /// How many are on the list: neither taken off nor disqualified.
    pub(super) fn listed(&self) -> usize {
        let is_listed = |registration: &&Registration| {
            !matches!(registration.departure, Some(Departure::TakenOff | Departure::Disqualified))
        };
        self.entrants.iter().filter(is_listed).count()
    }

    /// The rounds that have begun, the first first.
    pub fn rounds(&self) -> &[Arc<RoundBegan>] {
        &self.rounds
    }

    /// The creator's name.
    pub fn created_by(&self) -> &str {
        &self.owner().name
    }

    pub fn created_at(&self) -> Timestamp {
        self.about.created_at
    }

    pub fn started_at(&self) -> Option<Timestamp> {
        self.started_at
    }

    /// When the newest entry was made.
    pub fn changed_at(&self) -> Timestamp {
        self.at
    }

    /// When it was finished or aborted.
    pub fn ended_at(&self) -> Option<Timestamp> {
        self.ended_at
    }

    /// What is public from the start and binds the house to the lots.
    pub fn commitment(&self) -> Hex32 {
        self.seed.commitment()
    }

    /// What the lots and the seeds of all games come from. It may be shown once the tournament is over.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The word that opens a tournament that is entered by invite.
    pub fn invite(&self) -> Option<String> {
        matches!(self.about.setup.admission, Admission::Invite {}).then(|| self.seed.invite(0))
    }

    /// The entrant of an account that is on the list, disqualified or not.
    pub fn entrant_of(&self, account: Uuid) -> Option<&Registration> {
        self.entrants.iter().find(|registration| {
            registration.departure != Some(Departure::TakenOff)
                && registration.entrant.account() == Some(account)
        })
    }

    /// The account that takes part no longer by this entry, the newest of its type: the entrants or the organisers are
    /// without it.
    pub fn taken_off(&self, entry: &TournamentEntry) -> Option<Uuid> {
        let withdrawn = match &entry.event {
            TournamentEvent::Withdrawn(withdrawn) => withdrawn,
            TournamentEvent::Replaced(_) => {
                return self.replaced.filter(|replaced| !self.is_organiser(*replaced));
            }
            TournamentEvent::OrganiserDismissed(dismissed) => {
                return self.entrant_of(dismissed.account).is_none().then_some(dismissed.account);
            }
            _ => return None,
        };
        let registration = self.entrants.get(withdrawn.entrant as usize)?;
        let account =
            registration.entrant.account().filter(|_| registration.departure == Some(Departure::TakenOff))?;
        (!self.is_organiser(account)).then_some(account)
    }

    /// An entrant's name in the standings.
    pub fn name_of(&self, entrant: u32) -> &str {
        self.entrants.get(entrant as usize).map_or("", |registration| registration.entrant.name())
    }

    /// The round, the table and the seats of a game.
    pub fn table_of(&self, game: Uuid) -> Option<(&RoundBegan, &RoundTable)> {
        self.rounds.iter().find_map(|round| {
            let table = round.tables.iter().find(|table| table.game == game)?;
            Some((&**round, table))
        })
    }

    /// The table at which an entrant sits; in an arena, their newest one, though it may be over. A player who has taken the
    /// place of another does not sit at the table that the other plays to its end.
    pub fn seat_of(&self, entrant: u32) -> Option<&RoundTable> {
        let registration = self.entrants.get(entrant as usize)?;
        if registration.seated_account != registration.entrant.account() {
            return None;
        }
        let (round, table) = registration.last_table?;
        let sits = self.setup().is_arena() || usize::from(round) == self.rounds.len();
        let began = self.rounds.get(usize::from(round) - 1).filter(|_| sits)?;
        began.tables.get(usize::from(table) - 1)
    }

    /// How many can be seated in another round.
    pub fn playing_on(&self) -> usize {
        if self.setup().is_arena() { self.arena_players().len() } else { self.remaining().len() }
    }

    /// The numbers of the entrants who play on, ascending.
    pub(super) fn remaining(&self) -> Vec<u32> {
        let waits = self.waits();
        let there = |registration: &&Registration| registration.departure.is_none() && !waits(registration);
        self.entrants.iter().filter(there).map(|registration| registration.entrant.number).collect()
    }

    /// The lots of a round, from 1: they are drawn for all remaining entrants.
    pub(super) fn lots(&self, round: u16) -> Vec<u32> {
        self.shuffled(round, self.remaining())
    }

    /// These entrants, ascending, in the order that is drawn for a round.
    pub(super) fn shuffled(&self, round: u16, mut entrants: Vec<u32>) -> Vec<u32> {
        let source = Source::new(self.seed.clone(), self.id, []);
        source.chance(u32::from(round) - 1).shuffle(&mut entrants);
        entrants
    }

    /// Whether nobody who sits at this table has been seated anew since.
    pub(super) fn is_newest_table(&self, (round, table): (u16, u16)) -> bool {
        if !self.setup().is_arena() {
            return usize::from(round) == self.rounds.len();
        }
        let sits = |entrant: u32| self.entrants[entrant as usize].last_table == Some((round, table));
        let began = self.rounds.get(usize::from(round).wrapping_sub(1));
        let found = began.and_then(|began| began.tables.get(usize::from(table).wrapping_sub(1)));
        found.is_some_and(|table| table.seats.iter().flatten().all(|&entrant| sits(entrant)))
    }
}
