//! What organisers do while a tournament runs: when it is refused, and what it does to the state. How it stands in the log
//! is in `acts.rs`.
//!
//! Whatever can be undone is undone by another entry: nothing is taken out of the log, and the standings as of an earlier
//! entry stay what they were.

use std::sync::Arc;

use jiff::Timestamp;

use super::acts::{
    Announced, Announcement, Edited, Paused, Penalised, Penalty, PenaltyCancelled, Reinstated, Replaced,
};
use super::bounds::{check_number, check_text};
use super::command::Command;
use super::decide::{self, REASON_MAX, Step};
use super::details::{Details, TournamentPatch, check_name};
use super::entrants::{Entrant, Who};
use super::log::{TournamentEntry, TournamentEvent};
use super::penalties::check_amounts;
use super::state::{Departure, Registration, Status, Tournament};
use crate::log::entry::By;
use crate::rules::Refusal;

/// The most characters of an announcement.
pub const ANNOUNCEMENT_MAX: usize = 500;
/// The most announcements of a tournament.
pub const MAX_ANNOUNCEMENTS: usize = 1000;
/// How often the details of a tournament may be changed.
const MAX_EDITS: usize = 1000;
/// How often players of a tournament may be replaced.
const MAX_REPLACEMENTS: usize = 1000;

impl Tournament {
    /// The announcements, the oldest first.
    pub fn announcements(&self) -> &[Announcement] {
        &self.announcements
    }

    /// Whether no round is drawn until an organiser resumes the tournament.
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// What follows from an act of an organiser; see [`Tournament::decide`].
    pub(super) fn at_the_desk(
        &self,
        step: &mut Step,
        by: &By,
        command: &Command,
        at: Timestamp,
    ) -> Result<(), Refusal> {
        let event = match command {
            Command::Announce { text } => {
                self.check_not_over()?;
                check_text("text", text, ANNOUNCEMENT_MAX)?;
                check_number("announcements", self.announcements.len(), MAX_ANNOUNCEMENTS)?;
                TournamentEvent::Announced(Announced { text: text.clone() })
            }
            Command::Penalise { player, reason, result, score } => {
                TournamentEvent::Penalised(self.penalise(player, reason, (*result, *score))?)
            }
            Command::CancelPenalty { penalty } => {
                self.check_not_aborted()?;
                let known = self.penalties.get((*penalty as usize).wrapping_sub(1));
                match known {
                    None => return Err(Refusal::new("penalty_not_found", "there is no such penalty")),
                    // Asking twice does no harm.
                    Some(Penalty { cancelled: Some(_), .. }) => return Ok(()),
                    Some(_) => TournamentEvent::PenaltyCancelled(PenaltyCancelled { penalty: *penalty }),
                }
            }
            Command::Reinstate { player } => {
                TournamentEvent::Reinstated(Reinstated { entrant: self.gone(player)? })
            }
            Command::Replace { player, by } => TournamentEvent::Replaced(self.replace(player, by)?),
            Command::Pause { reason, stop_clocks } => {
                self.check_active()?;
                // A tournament that is paused already can have its clocks stopped, too.
                if self.is_paused && (self.clocks_stopped || !stop_clocks) {
                    return Ok(());
                }
                if !reason.is_empty() {
                    check_text("reason", reason, REASON_MAX)?;
                }
                if *stop_clocks {
                    self.check_clock_changes()?;
                }
                TournamentEvent::Paused(Paused { reason: reason.clone(), stop_clocks: *stop_clocks })
            }
            Command::Resume => {
                self.check_active()?;
                if !self.is_paused {
                    return Ok(());
                }
                TournamentEvent::Resumed
            }
            Command::ChangeTeam { player, team } => match self.change_team(player, team.as_deref())? {
                Some(changed) => TournamentEvent::TeamChanged(changed),
                None => return Ok(()),
            },
            Command::PrescribeTables { round, tables } => match self.prescribe(*round, tables)? {
                Some(event) => event,
                None => return Ok(()),
            },
            Command::PauseTable { .. } | Command::ResumeTable { .. } | Command::AddTime { .. } => {
                match self.change_clocks(command)? {
                    Some(event) => event,
                    None => return Ok(()),
                }
            }
            Command::AnswerCall { call, answer } => match self.answer_call(*call, answer)? {
                Some(answered) => TournamentEvent::CallAnswered(answered),
                None => return Ok(()),
            },
            Command::Redo { round, table, reason, replaced, game } => {
                TournamentEvent::TableRedone(self.redo((*round, *table), reason, *replaced, *game)?)
            }
            Command::SetResult { round, table, reason, game, result } => {
                TournamentEvent::ResultSet(self.set_result((*round, *table), reason, *game, result)?)
            }
            Command::CancelResult { round, table } => match self.cancel_result((*round, *table))? {
                Some(cancelled) => TournamentEvent::ResultCancelled(cancelled),
                None => return Ok(()),
            },
            Command::Edit(patch) => match self.edited(patch)? {
                Some((name, details)) => TournamentEvent::Edited(Edited { name, details }),
                None => return Ok(()),
            },
            _ => unreachable!("`decide` passes on the acts of organisers"),
        };
        step.add(by.clone(), event, at);
        Ok(())
    }

    /// Name and details after a change; none where it changes nothing.
    pub(super) fn edited(&self, patch: &TournamentPatch) -> Result<Option<(String, Details)>, Refusal> {
        self.check_not_over()?;
        check_number("changes of its details", self.edits as usize, MAX_EDITS)?;
        let name =
            patch.name.as_ref().map_or_else(|| self.setup().name.clone(), |name| name.trim().to_owned());
        let details = patch.details.applied_to(self.details());
        check_name(&name)?;
        details.check()?;
        let is_same = name == self.setup().name && details == *self.details();
        Ok((!is_same).then_some((name, details)))
    }

    /// The entrant of this name who is out and can come back.
    fn gone(&self, player: &str) -> Result<u32, Refusal> {
        self.check_not_aborted()?;
        let named = |registration: &&Registration| {
            registration.entrant.is_named(player) && registration.departure != Some(Departure::TakenOff)
        };
        let registration = self.entrants.iter().find(named);
        let not_found = || Refusal::new("entrant_not_found", format!("no {player} is in this tournament"));
        let registration = registration.ok_or_else(not_found)?;
        match (registration.departure, self.status) {
            (Some(Departure::Waiting), Status::Active) if !self.setup().format.takes_back() => {
                Err(Refusal::new("tournament_not_open", "nobody comes into a knockout after its start"))
            }
            (Some(Departure::Disqualified), _)
            | (Some(Departure::Withdrawn | Departure::Absent | Departure::Waiting), Status::Active) => {
                self.check_place_is_free(registration.departure)?;
                self.check_team_has_room(&registration.entrant)?;
                Ok(registration.entrant.number)
            }
            (Some(_), _) => Err(over_for_them()),
            (None, _) => Err(Refusal::new("entrant_not_out", format!("{player} is in it"))),
        }
    }

    fn replace(&self, player: &str, who: &Who) -> Result<Replaced, Refusal> {
        self.check_not_over()?;
        let entrant = self.find(player)?;
        if let Some(registration) = who.account().and_then(|account| self.entrant_of(account)) {
            let detail = format!("{} is on the list already", registration.entrant.name());
            return Err(Refusal::new("already_entered", detail));
        }
        let departure = self.entrants[entrant as usize].departure;
        if departure.is_some() {
            self.check_place_is_free(departure)?;
        }
        check_number("replacements", self.replacements as usize, MAX_REPLACEMENTS)?;
        Ok(Replaced { entrant, who: who.clone() })
    }

    pub(super) fn check_active(&self) -> Result<(), Refusal> {
        match self.status {
            Status::Open => Err(decide::not_begun()),
            Status::Active => Ok(()),
            Status::Finished | Status::Aborted => Err(decide::over()),
        }
    }

    /// Whether an act of an organiser can stand here in the log.
    pub(super) fn check_desk(&self, event: &TournamentEvent) -> Result<(), String> {
        let is = |can_be: bool, detail: &str| if can_be { Ok(()) } else { Err(detail.to_owned()) };
        let gone =
            |entrant: u32| self.entrants.get(entrant as usize).map(|registration| registration.departure);
        match event {
            TournamentEvent::Announced(_) => is(!self.is_over(), "the tournament is over"),
            TournamentEvent::Penalised(penalised) => {
                is(
                    penalised.penalty as usize == self.penalties.len() + 1,
                    "penalties are numbered in order",
                )?;
                check_amounts(penalised.result_thousandths, penalised.score)
                    .map_err(|refusal| refusal.detail.to_string())?;
                is(gone(penalised.entrant).is_some(), "there is no such entrant")
            }
            TournamentEvent::PenaltyCancelled(cancelled) => {
                let known = self.penalties.get((cancelled.penalty as usize).wrapping_sub(1));
                is(known.is_some_and(|penalty| penalty.cancelled.is_none()), "no such penalty counts")
            }
            TournamentEvent::Reinstated(reinstated) => {
                let can_be = match gone(reinstated.entrant) {
                    Some(Some(Departure::Disqualified)) => true,
                    Some(Some(Departure::Withdrawn | Departure::Absent | Departure::Waiting)) => {
                        self.status == Status::Active
                    }
                    _ => false,
                };
                is(can_be, "no such entrant is out")
            }
            TournamentEvent::Replaced(replaced) => {
                let registration = replaced.who.account().and_then(|account| self.entrant_of(account));
                is(registration.is_none(), "they have entered already")?;
                is(
                    matches!(
                        gone(replaced.entrant),
                        Some(None | Some(Departure::Withdrawn | Departure::Absent))
                    ) && !self.is_over(),
                    "no such entrant is there",
                )
            }
            TournamentEvent::Paused(paused) => {
                let can_be = !self.is_paused || (paused.stop_clocks && !self.clocks_stopped);
                is(self.is_running() && can_be, "it is not running")
            }
            TournamentEvent::TablePaused(_)
            | TournamentEvent::TableResumed(_)
            | TournamentEvent::TimeAdded(_) => self.can_change_clocks(event),
            TournamentEvent::RefereeCalled(called) => self.can_be_called(called),
            TournamentEvent::CallAnswered(answered) => self.can_be_answered(answered),
            TournamentEvent::Resumed => is(self.is_running() && self.is_paused, "it is not paused"),
            TournamentEvent::CheckedIn(checked_in) => {
                is(self.can_check_in(checked_in.entrant, true), "nobody checks in now")
            }
            TournamentEvent::CheckInCancelled(cancelled) => {
                is(self.can_check_in(cancelled.entrant, false), "no such check-in can be taken back now")
            }
            TournamentEvent::Edited(Edited { name, details }) => {
                is(!self.is_over(), "the tournament is over")?;
                let checked = check_name(name).and_then(|()| details.check());
                checked.map_err(|refusal| refusal.detail.to_string())
            }
            TournamentEvent::TeamChanged(changed) => {
                is(gone(changed.entrant).is_some() && !self.is_over(), "there is no such entrant")?;
                self.can_be_in_team(changed.team.as_deref(), Some(changed.entrant))
            }
            TournamentEvent::TablesPrescribed(prescribed) => self.can_be_prescribed(prescribed),
            TournamentEvent::PrescriptionCancelled(cancelled) => self.can_be_unprescribed(cancelled),
            TournamentEvent::TableRedone(redone) => self.can_be_redone(redone),
            TournamentEvent::ResultSet(set) => self.can_be_set(set),
            TournamentEvent::ResultCancelled(cancelled) => self.can_be_cancelled(cancelled),
            _ => Err("this cannot happen at this stage of a tournament".to_owned()),
        }
    }

    fn is_running(&self) -> bool {
        self.status == Status::Active
    }

    /// What such an entry does to the state.
    pub(super) fn apply_desk(&mut self, entry: &TournamentEntry) {
        let by = match &entry.by {
            By::Player { player } => player.clone(),
            _ => String::new(),
        };
        let rounds = self.rounds.len() as u16;
        match &entry.event {
            TournamentEvent::Announced(Announced { text }) => {
                let (seq, at, text) = (entry.seq, entry.at.0, text.clone());
                Arc::make_mut(&mut self.announcements).push(Announcement { seq, at, by, text });
            }
            TournamentEvent::Penalised(penalised) => {
                let Penalised { entrant, penalty: number, reason, result_thousandths: result, score } =
                    penalised.clone();
                let at = entry.at.0;
                let penalty = Penalty { number, entrant, reason, result, score, at, by, cancelled: None };
                Arc::make_mut(&mut self.penalties).push(penalty);
            }
            TournamentEvent::PenaltyCancelled(cancelled) => {
                let penalties = Arc::make_mut(&mut self.penalties);
                penalties[cancelled.penalty as usize - 1].cancelled = Some((entry.at.0, by));
            }
            TournamentEvent::Reinstated(reinstated) => {
                let registration = &mut self.entrants[reinstated.entrant as usize];
                // None, unless a disqualification is lifted.
                registration.departure = registration.earlier_departure.take();
                registration.is_no_show &= registration.departure == Some(Departure::Absent);
                registration.excused_in = rounds;
            }
            TournamentEvent::Replaced(Replaced { entrant, who }) => {
                let before = &self.entrants[*entrant as usize];
                self.replaced = before.entrant.account();
                let team = before.entrant.team.clone();
                let replacement = Entrant { number: *entrant, who: who.clone(), team };
                self.entrants[*entrant as usize] = Registration {
                    has_checked_in: true,
                    excused_in: rounds,
                    last_table: before.last_table,
                    seated_account: before.seated_account,
                    tables: before.tables,
                    ..Registration::new(replacement)
                };
                self.replacements += 1;
            }
            TournamentEvent::Paused(_) => {
                self.is_paused = true;
                self.apply_clocks(&entry.event);
            }
            TournamentEvent::Resumed => {
                self.is_paused = false;
                self.apply_clocks(&entry.event);
            }
            TournamentEvent::TablePaused(_)
            | TournamentEvent::TableResumed(_)
            | TournamentEvent::TimeAdded(_) => self.apply_clocks(&entry.event),
            TournamentEvent::RefereeCalled(called) => self.apply_called(called, entry.at.0),
            TournamentEvent::CallAnswered(answered) => self.apply_answered(answered, entry.at.0, by),
            TournamentEvent::CheckedIn(checked_in) => self.apply_check_in(checked_in.entrant, true),
            TournamentEvent::CheckInCancelled(cancelled) => self.apply_check_in(cancelled.entrant, false),
            TournamentEvent::Edited(Edited { name, details }) => {
                self.edits += 1;
                let about = Arc::make_mut(&mut self.about);
                (about.setup.name, about.details) = (name.clone(), details.clone());
            }
            TournamentEvent::TeamChanged(changed) => self.apply_team(changed),
            TournamentEvent::TablesPrescribed(prescribed) => self.apply_prescribed(Some(prescribed)),
            TournamentEvent::PrescriptionCancelled(_) => self.apply_prescribed(None),
            TournamentEvent::TableRedone(redone) => self.apply_redone(redone),
            TournamentEvent::ResultSet(set) => self.apply_set(set, entry.at.0, by),
            TournamentEvent::ResultCancelled(cancelled) => self.apply_cancelled(cancelled),
            _ => {}
        }
    }
}

fn over_for_them() -> Refusal {
    Refusal::new("tournament_over", "the tournament is over, and they had withdrawn")
}
