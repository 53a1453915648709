//! From entries to the state that they lead to.

use std::sync::Arc;

use jiff::Timestamp;
use uuid::Uuid;

use super::decide::may_withdraw;
use super::entrants::Role;
use super::log::{Created, RoundBegan, TournamentEntry, TournamentEvent};
use super::pairing;
use super::state::{About, Departure, Fault, Registration, Status, Tournament};
use crate::log::entry::By;
use crate::log::fairness::Seed;

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

    pub(super) fn begin(id: Uuid, seed: Seed, entry: &TournamentEntry) -> Result<Tournament, Fault> {
        let fault = |detail: &str| Fault { seq: 1, detail: detail.to_owned() };
        let (TournamentEvent::Created(created), By::Player { player }, 1) =
            (&entry.event, &entry.by, entry.seq)
        else {
            return Err(fault("a log begins with its creation by a player"));
        };
        let Created { setup, details, organiser, commitment, tie_breaks, pairing } = (**created).clone();
        let kind = setup.kind().ok_or_else(|| fault("unknown kind or rules version"))?;
        if seed.commitment() != commitment {
            return Err(fault("the seed is not the one that was committed to"));
        }
        entry.at.check().map_err(fault)?;
        setup.check(kind).map_err(|refusal| fault(&refusal.detail))?;
        if organiser.name != *player || organiser.role != Role::Owner {
            return Err(fault("a tournament is organised by the player who creates it"));
        }
        Ok(Tournament {
            id,
            version: 1,
            at: entry.at.0,
            seed,
            about: Arc::new(About {
                buy_in: setup.buy_in(),
                setup,
                details,
                kind,
                tie_breaks,
                pairing,
                created_at: entry.at.0,
            }),
            organisers: Arc::new(vec![organiser]),
            organiser_changes: 0,
            team_changes: 0,
            prescribed: None,
            prescriptions: 0,
            entrants: Vec::new(),
            rounds: Vec::new(),
            announcements: Arc::default(),
            penalties: Arc::default(),
            replacements: 0,
            replaced: None,
            interventions: Arc::default(),
            edits: 0,
            results_set: 0,
            is_paused: false,
            clocks_stopped: false,
            clock_changes: 0,
            unsettled: Vec::new(),
            drawn_at: None,
            calls: Arc::default(),
            status: Status::Open,
            started_at: None,
            ended_at: None,
        })
    }

    /// Takes the next entry of the log.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be the next: lots that do not follow from the seed, seats that were not drawn so, an
    /// entrant twice in a round. The tournament is of no use then.
    pub fn evolve(&mut self, entry: &TournamentEntry) -> Result<(), Fault> {
        let fault = |detail: &str| Fault { seq: entry.seq, detail: detail.to_owned() };
        if entry.seq != self.version + 1 {
            return Err(fault(&format!("entry {} was to come", self.version + 1)));
        }
        if entry.at.0 < self.at {
            return Err(fault("time runs backwards"));
        }
        entry.at.check().map_err(fault)?;
        if !entry.is_attributed(self.status == Status::Open) {
            return Err(fault("this is not for them to do"));
        }
        self.check(&entry.event, entry.at.0).map_err(|detail| fault(&detail))?;
        self.apply(entry);
        Ok(())
    }

    /// Whether this can happen now.
    pub(super) fn check(&self, event: &TournamentEvent, at: Timestamp) -> Result<(), String> {
        let refused = |detail: &str| Err(detail.to_owned());
        match (event, self.status) {
            (TournamentEvent::Entered(entrant), _) => self.can_enter(entrant),
            (TournamentEvent::Withdrawn(gone), Status::Open | Status::Active) => {
                self.check_there(gone.entrant)
            }
            (TournamentEvent::Disqualified(gone), Status::Open | Status::Active | Status::Finished) => {
                match self.entrants.get(gone.entrant as usize).map(|registration| registration.departure) {
                    Some(None | Some(Departure::Withdrawn | Departure::Absent)) => Ok(()),
                    _ => refused("no such entrant is there"),
                }
            }
            (TournamentEvent::OrganiserNamed(named), _) => self.can_be_named(named),
            (TournamentEvent::OrganiserDismissed(dismissed), _) => self.can_be_dismissed(dismissed),
            (TournamentEvent::Started, Status::Open) => Ok(()),
            (TournamentEvent::RoundBegan(began), Status::Active) => pairing::check(self, began, at),
            (TournamentEvent::RoundEnded(ended), Status::Active) => self.can_end(ended),
            (TournamentEvent::Aborted(ended), Status::Open | Status::Active)
            | (TournamentEvent::Finished(ended), Status::Active) => {
                if ended.server_seed != self.seed.reveal() {
                    return refused("this is not the seed that was committed to");
                }
                Ok(())
            }
            (event, _) => self.check_desk(event),
        }
    }

    fn check_there(&self, entrant: u32) -> Result<(), String> {
        match self.entrants.get(entrant as usize) {
            Some(registration) if may_withdraw(registration.departure) => Ok(()),
            _ => Err("no such entrant is there".to_owned()),
        }
    }

    /// What an entry that can be does to the state.
    pub(super) fn apply(&mut self, entry: &TournamentEntry) {
        match &entry.event {
            TournamentEvent::Created(_) => {}
            TournamentEvent::Entered(entrant) => self.entrants.push(Registration::new(entrant.clone())),
            TournamentEvent::Withdrawn(gone) => {
                let departure = &mut self.entrants[gone.entrant as usize].departure;
                let was_in_it = self.status != Status::Open && *departure != Some(Departure::Waiting);
                *departure = Some(if was_in_it { Departure::Withdrawn } else { Departure::TakenOff });
            }
            TournamentEvent::Disqualified(gone) => {
                let registration = &mut self.entrants[gone.entrant as usize];
                registration.earlier_departure = registration.departure.replace(Departure::Disqualified);
            }
            TournamentEvent::OrganiserNamed(named) => self.apply_named(named),
            TournamentEvent::OrganiserDismissed(dismissed) => self.apply_dismissed(dismissed),
            TournamentEvent::Started => {
                self.leave_out_absent();
                self.leave_out_waiting();
                self.status = Status::Active;
                self.started_at = Some(entry.at.0);
            }
            TournamentEvent::RoundEnded(ended) => self.leave_out_no_shows(ended),
            TournamentEvent::RoundBegan(began) => self.apply_round(began, entry.at.0),
            TournamentEvent::Finished(_) => self.end(Status::Finished, entry),
            TournamentEvent::Aborted(_) => self.end(Status::Aborted, entry),
            _ => self.apply_desk(entry),
        }
        self.version = entry.seq;
        self.at = entry.at.0;
    }

    fn apply_round(&mut self, began: &RoundBegan, at: Timestamp) {
        let is_last = self.ends_with(began);
        self.is_paused = self.setup().pause_after_rounds && !is_last;
        // After the last round there is none from which anybody could be absent.
        if self.setup().no_show_limit.is_some() && !is_last {
            self.unsettled.push(began.round);
        }
        for table in &began.tables {
            for &entrant in table.seats.iter().flatten() {
                let registration = &mut self.entrants[entrant as usize];
                registration.last_table = Some((began.round, table.table));
                registration.seated_account = registration.entrant.account();
                registration.tables += 1;
            }
        }
        self.rounds.push(Arc::new(began.clone()));
        self.drawn_at = Some(at);
        self.prescribed = None;
    }

    fn end(&mut self, status: Status, entry: &TournamentEntry) {
        self.status = status;
        self.ended_at = Some(entry.at.0);
    }
}
