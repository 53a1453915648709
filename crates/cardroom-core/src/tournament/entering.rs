//! How players and bots come into a tournament.

use std::collections::HashSet;

use jiff::Timestamp;
use uuid::Uuid;

use super::check_in::registration_closed;
use super::command::{Application, NewEntrant};
use super::decide::Step;
use super::entrants::{Entrant, Person, Who};
use super::format::LateEntry;
use super::log::TournamentEvent;
use super::setup::{Admission, MAX_ENTRANTS};
use super::state::{Departure, Registration, Status, Tournament};
use crate::log::entry::By;
use crate::rules::Refusal;

/// The most characters of a client seed.
pub const CLIENT_SEED_MAX: usize = 64;

/// How often a player can enter a tournament, having left it each time before the start.
const MAX_TIMES_ENTERED: usize = 20;

impl Tournament {
    /// Whether entrants may enter now: before the start, and then as long as the setup says.
    pub(super) fn can_be_entered(&self) -> bool {
        match (self.status, self.setup().late_entry) {
            (Status::Open, _) => true,
            (Status::Active, _) if self.setup().is_arena() => true,
            (Status::Active, Some(LateEntry { until_round, .. })) => {
                self.rounds.len() < usize::from(until_round)
            }
            _ => false,
        }
    }

    pub(super) fn check_can_be_entered(&self) -> Result<(), Refusal> {
        if self.can_be_entered() { Ok(()) } else { self.check_open() }
    }

    /// Nobody is seated any more in an arena whose time is up.
    pub(super) fn check_arena_time(&self, at: Timestamp) -> Result<(), Refusal> {
        match self.arena_ends_at() {
            Some(ends) if at >= ends => Err(registration_closed(ends)),
            _ => Ok(()),
        }
    }

    /// A player enters.
    pub(super) fn enter(
        &self,
        actor: &Person,
        application: &Application,
        at: Timestamp,
    ) -> Result<(Who, Option<String>), Refusal> {
        let Application { client_seed, invite, team, rating } = application;
        self.check_can_be_entered()?;
        self.check_arena_time(at)?;
        self.check_registration(at)?;
        self.check_admission(actor, invite.as_deref(), *rating)?;
        self.check_room(1)?;
        if client_seed.chars().count() > CLIENT_SEED_MAX {
            let detail = format!("client_seed: at most {CLIENT_SEED_MAX} characters");
            return Err(Refusal::new("invalid_body", detail));
        }
        let Person { account, username: player, is_program: program, .. } = actor.clone();
        if let Some(registration) = self.entrant_of(account) {
            let detail = format!("{} is on the list already", registration.entrant.name());
            return Err(Refusal::new("already_entered", detail));
        }
        self.check_times_entered(account)?;
        let team = self.team_for(team.as_deref(), true, None)?;
        Ok((Who::Player { player, account, client_seed: client_seed.clone(), program }, team))
    }

    /// Each time that somebody enters makes the list and the log longer.
    fn check_times_entered(&self, account: Uuid) -> Result<(), Refusal> {
        let is_theirs = |registration: &&Registration| registration.entrant.account() == Some(account);
        if self.entrants.iter().filter(is_theirs).count() < MAX_TIMES_ENTERED {
            return Ok(());
        }
        let detail =
            format!("a player can enter {MAX_TIMES_ENTERED} times; an organiser can put you on the list");
        Err(Refusal::new("too_many_changes", detail))
    }

    /// Organisers need no invite, and meet every condition.
    fn check_admission(
        &self,
        actor: &Person,
        invite: Option<&str>,
        rating: Option<f64>,
    ) -> Result<(), Refusal> {
        if self.is_organiser(actor.account) {
            return Ok(());
        }
        if self.invite().is_some_and(|word| invite != Some(&word)) {
            return Err(Refusal::new("wrong_invite", "this tournament is entered with its invite"));
        }
        self.setup().conditions.judge(actor, rating)
    }

    pub(super) fn check_room(&self, more: usize) -> Result<(), Refusal> {
        let max = match self.setup().admission {
            Admission::Limited { max, .. } if !self.has_waiting_list() => max as usize,
            _ => MAX_ENTRANTS,
        };
        // An entrant that enters and withdraws makes the list longer, too.
        let there = match self.capacity() {
            Some(_) if self.has_waiting_list() => self.listed(),
            None if !self.setup().is_arena() => self.entered(),
            // A player who has left gives up the place, to a player who waits or comes.
            _ => self.numbers(|gone| gone.is_none()).len(),
        };
        if there + more > max || self.entrants.len() + more > 2 * MAX_ENTRANTS {
            return Err(Refusal::new("tournament_full", format!("at most {max} play in it")));
        }
        Ok(())
    }

    /// An entrant who has left has given up the place if others wait for one or come later, or if it was by a
    /// disqualification. After the end nobody needs a place.
    pub(super) fn check_place_is_free(&self, departure: Option<Departure>) -> Result<(), Refusal> {
        let gave_it_up = self.capacity().is_some()
            || self.setup().is_arena()
            || departure == Some(Departure::Disqualified);
        if gave_it_up && !self.has_waiting_list() && !self.is_over() { self.check_room(1) } else { Ok(()) }
    }

    /// Organisers put others on the list, all or none.
    pub(super) fn enter_many(
        &self,
        step: &mut Step,
        by: &By,
        rows: &[NewEntrant],
        at: Timestamp,
    ) -> Result<(), Refusal> {
        self.check_can_be_entered()?;
        self.check_arena_time(at)?;
        self.check_rows(rows)?;
        self.check_room(rows.len())?;
        for (row, number) in rows.iter().zip(1..) {
            let in_row = |refusal: Refusal| match rows.len() {
                1 => refusal,
                _ => Refusal::new(refusal.code, format!("row {number}: {}", refusal.detail)),
            };
            // Each row may fill a team for the next.
            let team = step.tournament.team_for(row.team(), !row.is_bot(), None).map_err(in_row)?;
            step.enter_row(by.clone(), row, team, at);
        }
        Ok(())
    }

    /// Every row that is refused, with its number from 1.
    fn check_rows(&self, rows: &[NewEntrant]) -> Result<(), Refusal> {
        let known: HashSet<Uuid> = self
            .entrants
            .iter()
            .filter(|registration| registration.departure != Some(Departure::TakenOff))
            .filter_map(|registration| registration.entrant.account())
            .collect();
        let mut here = HashSet::new();
        let mut bad = Vec::new();
        for (row, number) in rows.iter().zip(1..) {
            let NewEntrant::Player { account, name, .. } = row else { continue };
            if known.contains(account) {
                bad.push(format!("row {number}: {name} is on the list already"));
            } else if !here.insert(account) {
                bad.push(format!("row {number}: {name} stands here twice"));
            }
        }
        match bad.is_empty() {
            true => Ok(()),
            false => Err(Refusal::new("already_entered", bad.join("; "))),
        }
    }

    /// Whether an entry can stand here in the log.
    pub(super) fn can_enter(&self, entrant: &Entrant) -> Result<(), String> {
        if !self.can_be_entered() {
            return Err("the list is closed".to_owned());
        }
        if entrant.number as usize != self.entrants.len() {
            return Err("entrants are numbered in the order of entry".to_owned());
        }
        if entrant.account().is_some_and(|account| self.entrant_of(account).is_some()) {
            return Err("they have entered already".to_owned());
        }
        self.can_be_in_team(entrant.team.as_deref(), None)
    }
}

impl Step {
    fn enter_row(&mut self, by: By, row: &NewEntrant, team: Option<String>, at: Timestamp) {
        let who = match row.clone() {
            NewEntrant::Player { account, name, is_program: program, .. } => {
                Who::Player { player: name, account, client_seed: String::new(), program }
            }
            NewEntrant::Bot { policy: bot, .. } => {
                // Not their number: players may have replaced some of them.
                let number = |registration: &Registration| match &registration.entrant.who {
                    Who::Bot { bot: other, player } if *other == bot => {
                        player.rsplit(' ').next()?.parse().ok()
                    }
                    _ => None,
                };
                let last: u32 = self.tournament.entrants.iter().filter_map(number).max().unwrap_or(0);
                Who::Bot { bot, player: format!("{} {}", bot.as_str(), last + 1) }
            }
        };
        self.enter(by, who, team, at);
    }

    pub(super) fn enter(&mut self, by: By, who: Who, team: Option<String>, at: Timestamp) {
        let entrant = Entrant { number: self.tournament.entrants.len() as u32, who, team };
        self.add(by, TournamentEvent::Entered(entrant), at);
    }
}
