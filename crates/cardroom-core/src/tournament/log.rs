//! What stands in a tournament's log. An entry's text is its canonical JSON, like a game's.
//!
//! A field without a value is left out, and so is a flag that does not hold. Setup and details stand there as a whole, as the
//! tournament shows them: each of their fields is written, and is null where nothing was chosen.

use std::borrow::Cow;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::acts::{
    Announced, AtTable, CallAnswered, CheckInCancelled, CheckedIn, Dismissed, Edited, Paused, Penalised,
    PenaltyCancelled, PrescriptionCancelled, RefereeCalled, Reinstated, Replaced, ResultCancelled, ResultSet,
    RoundEnded, TableRedone, TablesPrescribed, TeamChanged, TimeAdded,
};
use super::details::Details;
use super::entrants::{Entrant, Organiser};
use super::setup::Setup;
use super::versions::{PairingVersion, TieBreakVersion};
use crate::log::entry::{By, Time};
use crate::log::{Hex32, chain};

/// One thing that happened to a tournament.
#[derive(Debug, Clone)]
pub struct TournamentEntry {
    /// From 1, without gaps.
    pub seq: u32,
    pub at: Time,
    pub by: By,
    /// Whether the author did this as an administrator of the house, with no right to it in this tournament.
    pub by_admin: bool,
    pub event: TournamentEvent,
}

/// What happened. What the games brought stands in their own logs.
#[derive(Debug, Clone)]
pub enum TournamentEvent {
    Created(Box<Created>),
    /// An entrant entered, or was entered by an organiser.
    Entered(Entrant),
    Withdrawn(Withdrawn),
    Disqualified(Disqualified),
    OrganiserNamed(Organiser),
    OrganiserDismissed(Dismissed),
    TeamChanged(TeamChanged),
    TablesPrescribed(TablesPrescribed),
    PrescriptionCancelled(PrescriptionCancelled),
    Announced(Announced),
    Penalised(Penalised),
    PenaltyCancelled(PenaltyCancelled),
    Reinstated(Reinstated),
    Replaced(Replaced),
    Paused(Paused),
    Resumed,
    CheckedIn(CheckedIn),
    CheckInCancelled(CheckInCancelled),
    Edited(Edited),
    TableRedone(TableRedone),
    ResultSet(ResultSet),
    ResultCancelled(ResultCancelled),
    TablePaused(AtTable),
    TableResumed(AtTable),
    TimeAdded(TimeAdded),
    RefereeCalled(RefereeCalled),
    CallAnswered(CallAnswered),
    Started,
    RoundBegan(RoundBegan),
    RoundEnded(RoundEnded),
    Finished(Ended),
    Aborted(Ended),
}

/// A tournament was created, and the house committed to the seed of its lots and of all its games.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Created {
    pub setup: Setup,
    pub details: Details,
    pub organiser: Organiser,
    pub commitment: Hex32,
    pub tie_breaks: TieBreakVersion,
    pub pairing: PairingVersion,
}

/// An entrant plays on no more. Before the start, the entrant is taken off the list; after it, the clock plays for the
/// entrant in the round that runs.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withdrawn {
    pub entrant: u32,
}

/// An entrant was put out of the tournament, and counts as if never in it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Disqualified {
    pub entrant: u32,
    pub reason: String,
}

/// A round was drawn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundBegan {
    /// From 1.
    pub round: u16,
    /// The numbers of all entrants who have neither withdrawn nor been disqualified, in the order that was drawn:
    /// chance `round - 1` of the tournament's seed shuffles them from ascending order.
    pub lots: Vec<u32>,
    pub tables: Vec<RoundTable>,
    /// The entrants that sit out, in the order of the lots.
    pub byes: Vec<u32>,
    /// What goes into the chances of all tables, in a duplicate tournament. It follows from the tournament's seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shuffle_id: Option<Uuid>,
    /// How many pairs meet again, where the draw keeps them apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rematches: Option<Rematches>,
}

/// The pairs of a round that have sat together in an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rematches {
    pub pairs: u32,
    /// However these entrants had been seated at tables of these sizes, so many pairs at least would have met again.
    pub fewest: u32,
}

/// A table of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundTable {
    /// From 1.
    pub table: u16,
    pub game: Uuid,
    /// The entrant at each seat, seat 0 first; null: a bot that fills it.
    pub seats: Vec<Option<u32>>,
    /// What each seat brings, seat 0 first, in a freezeout. Left out in other formats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stacks: Vec<u32>,
}

/// The end of a tournament.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ended {
    pub server_seed: Hex32,
}

impl TournamentEntry {
    /// Whether such an author can cause this event: the house moves a tournament on, and calls off an open one.
    pub fn is_attributed(&self, is_open: bool) -> bool {
        let (by_house, by_player) = (self.by == By::System {}, matches!(self.by, By::Player { .. }));
        if self.by_admin && !by_player {
            return false;
        }
        match self.event {
            TournamentEvent::RoundBegan(_)
            | TournamentEvent::RoundEnded(_)
            | TournamentEvent::Finished(_) => by_house,
            TournamentEvent::Aborted(_) => by_player || (by_house && is_open),
            _ => by_player,
        }
    }

    /// The game that is to be called off because of this entry, if it runs.
    pub fn voided_game(&self) -> Option<Uuid> {
        match &self.event {
            TournamentEvent::TableRedone(redone) => Some(redone.replaced),
            TournamentEvent::ResultSet(set) => Some(set.game),
            _ => None,
        }
    }

    /// The account that takes part from this entry on.
    pub fn account(&self) -> Option<Uuid> {
        match &self.event {
            TournamentEvent::Created(created) => Some(created.organiser.account),
            TournamentEvent::Entered(entrant) => entrant.account(),
            TournamentEvent::OrganiserNamed(organiser) => Some(organiser.account),
            TournamentEvent::Replaced(replaced) => replaced.who.account(),
            _ => None,
        }
    }

    /// Whether the one who takes part from this entry on did not ask for it: an organiser entered them, or made them an
    /// organiser.
    pub fn is_by_others(&self) -> bool {
        let name = match &self.event {
            TournamentEvent::Entered(entrant) => entrant.name(),
            TournamentEvent::OrganiserNamed(organiser) => &organiser.name,
            TournamentEvent::Replaced(replaced) => replaced.who.player(),
            _ => return false,
        };
        !matches!(&self.by, By::Player { player } if player == name)
    }
}

impl RoundBegan {
    /// The entrants who play or sit out in this round.
    pub fn entrants(&self) -> impl Iterator<Item = u32> + '_ {
        let seated = self.tables.iter().flat_map(|table| table.seats.iter().flatten());
        seated.chain(&self.byes).copied()
    }
}

/// An entry as it is written: `data` holds what its `type` says. The names stand in canonical order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire<'a> {
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    admin: bool,
    at: Time,
    by: By,
    #[serde(borrow)]
    data: Cow<'a, RawValue>,
    seq: u32,
    #[serde(rename = "type")]
    kind: Cow<'a, str>,
}

/// The data of an entry that needs none.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

impl TournamentEntry {
    /// The entry's canonical JSON.
    pub fn text(&self) -> String {
        let TournamentEntry { seq, at, by, by_admin, event } = self;
        let (kind, data) = event.parts();
        let data = RawValue::from_string(data).expect("canonical JSON is JSON");
        let (at, by, data, kind) = (*at, by.clone(), Cow::Owned(data), kind.into());
        let wire = Wire { admin: *by_admin, at, by, data, seq: *seq, kind };
        serde_json::to_string(&wire).expect("entries have string keys and plain values")
    }

    /// Reads an entry from its JSON.
    ///
    /// # Errors
    /// What is wrong, in serde's words, where it is no entry.
    pub fn parse(text: &str) -> Result<TournamentEntry, serde_json::Error> {
        let Wire { admin: by_admin, at, by, data, seq, kind } = serde_json::from_str(text)?;
        Ok(TournamentEntry { seq, at, by, by_admin, event: TournamentEvent::read(&kind, data.get())? })
    }
}

impl TournamentEvent {
    /// The word for it, as it stands in the log.
    pub fn kind(&self) -> &'static str {
        self.parts().0
    }

    /// The type, and the data as canonical JSON.
    fn parts(&self) -> (&'static str, String) {
        use chain::canonical;
        match self {
            TournamentEvent::Created(data) => ("created", canonical(data)),
            TournamentEvent::Entered(data) => ("entered", canonical(data)),
            TournamentEvent::Withdrawn(data) => ("withdrawn", canonical(data)),
            TournamentEvent::Disqualified(data) => ("disqualified", canonical(data)),
            TournamentEvent::OrganiserNamed(data) => ("organiser_named", canonical(data)),
            TournamentEvent::OrganiserDismissed(data) => ("organiser_dismissed", canonical(data)),
            TournamentEvent::TeamChanged(data) => ("team_changed", canonical(data)),
            TournamentEvent::TablesPrescribed(data) => ("tables_prescribed", canonical(data)),
            TournamentEvent::PrescriptionCancelled(data) => ("prescription_cancelled", canonical(data)),
            TournamentEvent::Announced(data) => ("announced", canonical(data)),
            TournamentEvent::Penalised(data) => ("penalised", canonical(data)),
            TournamentEvent::PenaltyCancelled(data) => ("penalty_cancelled", canonical(data)),
            TournamentEvent::Reinstated(data) => ("reinstated", canonical(data)),
            TournamentEvent::Replaced(data) => ("replaced", canonical(data)),
            TournamentEvent::Paused(data) => ("paused", canonical(data)),
            TournamentEvent::Resumed => ("resumed", canonical(&Nothing {})),
            TournamentEvent::CheckedIn(data) => ("checked_in", canonical(data)),
            TournamentEvent::CheckInCancelled(data) => ("check_in_cancelled", canonical(data)),
            TournamentEvent::Edited(data) => ("edited", canonical(data)),
            TournamentEvent::TableRedone(data) => ("table_redone", canonical(data)),
            TournamentEvent::ResultSet(data) => ("result_set", canonical(data)),
            TournamentEvent::ResultCancelled(data) => ("result_cancelled", canonical(data)),
            TournamentEvent::TablePaused(data) => ("table_paused", canonical(data)),
            TournamentEvent::TableResumed(data) => ("table_resumed", canonical(data)),
            TournamentEvent::TimeAdded(data) => ("time_added", canonical(data)),
            TournamentEvent::RefereeCalled(data) => ("referee_called", canonical(data)),
            TournamentEvent::CallAnswered(data) => ("call_answered", canonical(data)),
            TournamentEvent::RoundEnded(data) => ("round_ended", canonical(data)),
            TournamentEvent::Started => ("started", canonical(&Nothing {})),
            TournamentEvent::RoundBegan(data) => ("round_began", canonical(data)),
            TournamentEvent::Finished(data) => ("finished", canonical(data)),
            TournamentEvent::Aborted(data) => ("aborted", canonical(data)),
        }
    }

    fn read(kind: &str, data: &str) -> Result<TournamentEvent, serde_json::Error> {
        fn of<T: DeserializeOwned>(
            data: &str,
            event: fn(T) -> TournamentEvent,
        ) -> Result<TournamentEvent, serde_json::Error> {
            serde_json::from_str(data).map(event)
        }
        match kind {
            "created" => of(data, TournamentEvent::Created),
            "entered" => of(data, TournamentEvent::Entered),
            "withdrawn" => of(data, TournamentEvent::Withdrawn),
            "disqualified" => of(data, TournamentEvent::Disqualified),
            "organiser_named" => of(data, TournamentEvent::OrganiserNamed),
            "organiser_dismissed" => of(data, TournamentEvent::OrganiserDismissed),
            "team_changed" => of(data, TournamentEvent::TeamChanged),
            "tables_prescribed" => of(data, TournamentEvent::TablesPrescribed),
            "prescription_cancelled" => of(data, TournamentEvent::PrescriptionCancelled),
            "announced" => of(data, TournamentEvent::Announced),
            "penalised" => of(data, TournamentEvent::Penalised),
            "penalty_cancelled" => of(data, TournamentEvent::PenaltyCancelled),
            "reinstated" => of(data, TournamentEvent::Reinstated),
            "replaced" => of(data, TournamentEvent::Replaced),
            "paused" => of(data, TournamentEvent::Paused),
            "resumed" => of(data, |Nothing {}| TournamentEvent::Resumed),
            "checked_in" => of(data, TournamentEvent::CheckedIn),
            "check_in_cancelled" => of(data, TournamentEvent::CheckInCancelled),
            "edited" => of(data, TournamentEvent::Edited),
            "table_redone" => of(data, TournamentEvent::TableRedone),
            "result_set" => of(data, TournamentEvent::ResultSet),
            "result_cancelled" => of(data, TournamentEvent::ResultCancelled),
            "table_paused" => of(data, TournamentEvent::TablePaused),
            "table_resumed" => of(data, TournamentEvent::TableResumed),
            "time_added" => of(data, TournamentEvent::TimeAdded),
            "referee_called" => of(data, TournamentEvent::RefereeCalled),
            "call_answered" => of(data, TournamentEvent::CallAnswered),
            "round_ended" => of(data, TournamentEvent::RoundEnded),
            "started" => of(data, |Nothing {}| TournamentEvent::Started),
            "round_began" => of(data, TournamentEvent::RoundBegan),
            "finished" => of(data, TournamentEvent::Finished),
            "aborted" => of(data, TournamentEvent::Aborted),
            other => Err(serde_json::Error::custom(format!("`{other}` is no type of entry"))),
        }
    }
}
