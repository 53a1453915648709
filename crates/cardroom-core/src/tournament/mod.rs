//! A tournament as its log: the state that the entries lead to. Pure.
//!
//! [`Tournament::evolve`] takes what has happened; [`decide`] says what happens next; [`seating`] who sits where;
//! [`book`] keeps what the games brought, [`scoring`] what that is worth, and [`standings`] who is ahead.

pub mod book;
pub mod decide;
pub mod exact;
pub mod log;
mod points;
mod results;
mod score;
pub mod scoring;
#[cfg(test)]
mod scoring_tests;
pub mod seating;
pub mod setup;
#[cfg(test)]
mod simulation;
pub mod standings;
mod swiss;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

pub use self::book::{Book, End, Played};
pub use self::decide::{Command, NewEntrant, Step};
pub use self::exact::Exact;
pub use self::log::{Entrant, Organiser, RoundBegan, RoundTable, TournamentEntry, TournamentEvent, Who};
pub use self::scoring::{Scoring, ScoringError};
pub use self::setup::{Admission, Format, NewTournament, ResultBy, Seating, Setup};
pub use self::standings::{EntrantStatus, Row, TieBreaks};
pub use crate::rules::scoring::Award;

use self::log::Created;
use crate::log::Hex32;
use crate::log::entry::By;
use crate::log::fairness::{Seed, Source};
use crate::rules::registry::Kind;

/// A tournament at one version of its log. Cheap to clone.
#[derive(Clone)]
pub struct Tournament {
    pub id: Uuid,
    /// How many entries the log has.
    pub version: u32,
    /// When the newest entry was made; time does not run backwards in a log.
    at: Timestamp,
    seed: Seed,
    about: Arc<About>,
    /// The creator first.
    organisers: Arc<Vec<Organiser>>,
    /// By number.
    entrants: Vec<Listed>,
    rounds: Vec<Arc<RoundBegan>>,
    status: Status,
    started_at: Option<Timestamp>,
    ended_at: Option<Timestamp>,
}

/// Which tournament it is, and nothing of its seed.
impl fmt::Debug for Tournament {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tournament({} at {})", self.id, self.version)
    }
}

/// What was settled when the tournament was made.
struct About {
    setup: Setup,
    kind: &'static Kind,
    /// See [`Setup::buy_in`]: standings ask for it at every seat.
    buy_in: Option<u32>,
    created_at: Timestamp,
}

/// An entrant, and whether they are still there.
#[derive(Debug, Clone)]
pub struct Listed {
    pub entrant: Arc<Entrant>,
    /// Why they play on no more.
    pub gone: Option<Gone>,
}

/// Why somebody plays on no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// Before the start: they were never in it.
    TakenOff,
    Withdrawn,
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

/// Who asks: an account, and whether it may do everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub account: Uuid,
    pub username: String,
    pub admin: bool,
}

/// A log that cannot be: it was damaged or tampered with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq}: {detail}")]
pub struct Fault {
    pub seq: u32,
    pub detail: String,
}

impl Tournament {
    /// The tournament that a log leads to. `entries` are the log's, in order.
    ///
    /// # Errors
    /// [`Fault`] at the first entry that cannot be.
    pub fn replay(
        id: Uuid,
        seed: Seed,
        entries: impl IntoIterator<Item = TournamentEntry>,
    ) -> Result<Tournament, Fault> {
        let mut entries = entries.into_iter();
        let first = entries.next().ok_or(Fault { seq: 1, detail: "the log is empty".to_owned() })?;
        let mut tournament = Tournament::begin(id, seed, &first)?;
        for entry in entries {
            tournament.evolve(&entry)?;
        }
        Ok(tournament)
    }

    fn begin(id: Uuid, seed: Seed, entry: &TournamentEntry) -> Result<Tournament, Fault> {
        let fault = |detail: &str| Fault { seq: 1, detail: detail.to_owned() };
        let (TournamentEvent::Created(created), By::Player { player }, 1) =
            (&entry.event, &entry.by, entry.seq)
        else {
            return Err(fault("a log begins with its creation by a player"));
        };
        let Created { setup, organiser, commitment } = created.clone();
        let kind = setup.kind().ok_or_else(|| fault("unknown kind or rules version"))?;
        if seed.commitment() != commitment {
            return Err(fault("the seed is not the one that was committed to"));
        }
        if organiser.name != *player {
            return Err(fault("who makes a tournament organises it"));
        }
        Ok(Tournament {
            id,
            version: 1,
            at: entry.at.0,
            seed,
            about: Arc::new(About { buy_in: setup.buy_in(), setup, kind, created_at: entry.at.0 }),
            organisers: Arc::new(vec![organiser]),
            entrants: Vec::new(),
            rounds: Vec::new(),
            status: Status::Open,
            started_at: None,
            ended_at: None,
        })
    }

    /// Takes the next entry of the log.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be the next: lots that do not follow from the seed, seats that were not drawn so,
    /// somebody twice in a round. The tournament is of no use then.
    pub fn evolve(&mut self, entry: &TournamentEntry) -> Result<(), Fault> {
        let fault = |detail: &str| Fault { seq: entry.seq, detail: detail.to_owned() };
        if entry.seq != self.version + 1 {
            return Err(fault(&format!("entry {} was to come", self.version + 1)));
        }
        if entry.at.0 < self.at {
            return Err(fault("time runs backwards"));
        }
        if !entry.is_attributed(self.status == Status::Open) {
            return Err(fault("this is not for them to do"));
        }
        self.check(&entry.event).map_err(|detail| fault(&detail))?;
        self.apply(entry);
        Ok(())
    }

    /// Whether this can happen now.
    fn check(&self, event: &TournamentEvent) -> Result<(), String> {
        let refused = |detail: &str| Err(detail.to_owned());
        match (event, self.status) {
            (TournamentEvent::Entered(entered), Status::Open) => {
                if entered.entrant.number as usize != self.entrants.len() {
                    return refused("entrants are numbered in the order of entry");
                }
                if entered.entrant.account().is_some_and(|account| self.entrant_of(account).is_some()) {
                    return refused("they have entered already");
                }
                Ok(())
            }
            (TournamentEvent::Withdrawn(gone), Status::Open | Status::Active) => {
                self.check_there(gone.entrant)
            }
            (TournamentEvent::Disqualified(gone), Status::Open | Status::Active | Status::Finished) => {
                match self.entrants.get(gone.entrant as usize).map(|listed| listed.gone) {
                    Some(None | Some(Gone::Withdrawn)) => Ok(()),
                    _ => refused("no such entrant is there"),
                }
            }
            (TournamentEvent::OrganiserNamed(named), Status::Open | Status::Active) => {
                if self.is_organiser(named.account) {
                    return refused("they organise it already");
                }
                Ok(())
            }
            (TournamentEvent::Started, Status::Open) => Ok(()),
            (TournamentEvent::RoundBegan(began), Status::Active) => seating::check(self, began),
            (TournamentEvent::Aborted(ended), Status::Open | Status::Active)
            | (TournamentEvent::Finished(ended), Status::Active) => {
                if ended.server_seed != self.seed.reveal() {
                    return refused("this is not the seed that was committed to");
                }
                Ok(())
            }
            _ => refused("this cannot happen at this stage of a tournament"),
        }
    }

    fn check_there(&self, entrant: u32) -> Result<(), String> {
        match self.entrants.get(entrant as usize) {
            Some(Listed { gone: None, .. }) => Ok(()),
            _ => Err("no such entrant is there".to_owned()),
        }
    }

    /// What an entry that can be does to the state.
    fn apply(&mut self, entry: &TournamentEntry) {
        match &entry.event {
            TournamentEvent::Created(_) => {}
            TournamentEvent::Entered(entered) => {
                self.entrants.push(Listed { entrant: Arc::new(entered.entrant.clone()), gone: None });
            }
            TournamentEvent::Withdrawn(gone) => {
                let how = if self.status == Status::Open { Gone::TakenOff } else { Gone::Withdrawn };
                self.entrants[gone.entrant as usize].gone = Some(how);
            }
            TournamentEvent::Disqualified(gone) => {
                self.entrants[gone.entrant as usize].gone = Some(Gone::Disqualified);
            }
            TournamentEvent::OrganiserNamed(named) => {
                Arc::make_mut(&mut self.organisers).push(named.clone());
            }
            TournamentEvent::Started => {
                self.status = Status::Active;
                self.started_at = Some(entry.at.0);
            }
            TournamentEvent::RoundBegan(began) => self.rounds.push(Arc::new(began.clone())),
            TournamentEvent::Finished(_) => self.end(Status::Finished, entry),
            TournamentEvent::Aborted(_) => self.end(Status::Aborted, entry),
        }
        self.version = entry.seq;
        self.at = entry.at.0;
    }

    fn end(&mut self, status: Status, entry: &TournamentEntry) {
        self.status = status;
        self.ended_at = Some(entry.at.0);
    }

    /// What was chosen for it.
    pub fn setup(&self) -> &Setup {
        &self.about.setup
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

    /// All who ever entered, by number.
    pub fn entrants(&self) -> &[Listed] {
        &self.entrants
    }

    /// How many are on the list: neither taken off nor disqualified.
    pub fn entered(&self) -> usize {
        self.entrants
            .iter()
            .filter(|listed| !matches!(listed.gone, Some(Gone::TakenOff | Gone::Disqualified)))
            .count()
    }

    /// The rounds that have begun, the first first.
    pub fn rounds(&self) -> &[Arc<RoundBegan>] {
        &self.rounds
    }

    /// Whoever made it, and those they have named.
    pub fn organisers(&self) -> &[Organiser] {
        &self.organisers
    }

    pub fn is_organiser(&self, account: Uuid) -> bool {
        self.organisers.iter().any(|organiser| organiser.account == account)
    }

    /// The name of whoever made it.
    pub fn created_by(&self) -> &str {
        &self.organisers[0].name
    }

    pub fn created_at(&self) -> Timestamp {
        self.about.created_at
    }

    pub fn started_at(&self) -> Option<Timestamp> {
        self.started_at
    }

    /// When it was finished or aborted.
    pub fn ended_at(&self) -> Option<Timestamp> {
        self.ended_at
    }

    /// What is public from the start and binds the house to the lots.
    pub fn commitment(&self) -> Hex32 {
        self.seed.commitment()
    }

    /// What the lots come from. It may be shown once the tournament is over.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The word that opens a tournament that one enters by invite.
    pub fn invite(&self) -> Option<String> {
        matches!(self.about.setup.admission, Admission::Invite).then(|| self.seed.invite())
    }

    /// The entrant of an account who is on the list, disqualified or not.
    pub fn entrant_of(&self, account: Uuid) -> Option<&Listed> {
        self.entrants
            .iter()
            .find(|listed| listed.gone != Some(Gone::TakenOff) && listed.entrant.account() == Some(account))
    }

    /// The round, the table and the seats of a game.
    pub fn table_of(&self, game: Uuid) -> Option<(&RoundBegan, &RoundTable)> {
        self.rounds.iter().find_map(|round| {
            let table = round.tables.iter().find(|table| table.game == game)?;
            Some((&**round, table))
        })
    }

    /// The numbers of those who have neither withdrawn nor been disqualified, ascending.
    fn remaining(&self) -> Vec<u32> {
        self.numbers(|gone| gone.is_none())
    }

    /// The lots of a round, from 1: they are drawn for all who are left.
    fn lots(&self, round: u16) -> Vec<u32> {
        let mut lots = self.remaining();
        let source = Source::new(self.seed.clone(), self.id, []);
        source.chance(u32::from(round) - 1).shuffle(&mut lots);
        lots
    }
}
