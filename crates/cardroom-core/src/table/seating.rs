//! Who sits where, before the start.

use jiff::Timestamp;

use super::decide::Step;
use super::seat_assignments::{SeatAssignment, SeatAssignments};
use super::state::{Actor, Stage, Table};
use crate::log::entry::{By, Event, Moved, Policy, Removed, Seated};
use crate::rules::{Refusal, Seat};

impl Table {
    /// A player needs the invite to sit down at a private game; the game's own people need none.
    pub(super) fn check_invite(&self, actor: &Actor, invite: Option<&str>) -> Result<(), Refusal> {
        if !self.is_visible_to(Some(actor)) && !self.is_invite(invite) {
            return Err(Refusal::new(
                "wrong_invite",
                "this game is private, and the invite does not open it",
            ));
        }
        Ok(())
    }

    /// What an event before the start does to the seats.
    pub(super) fn change_seats(&mut self, seat: Option<Seat>, event: &Event) -> Result<(), String> {
        if !matches!(event, Event::Left) {
            self.check_changeable()?;
        }
        match event {
            Event::InviteRenewed => {
                self.check_private()?;
                self.renewals += 1;
            }
            Event::Seated(seated) => {
                let seat = seat.ok_or("nobody sits down at no seat")?;
                self.check_seated(seated)?;
                self.check_free(seat)?;
                let assignments = SeatAssignments::change(&mut self.assignments);
                let at = assignments.partition_point(|assignment| assignment.seat < seat);
                assignments.insert(at, SeatAssignment::of(seat, seated));
            }
            Event::Left => {
                let was = SeatAssignments::clear(&mut self.assignments, seat).ok_or("nobody sits there")?;
                was.account().ok_or("a bot does not leave")?;
            }
            Event::Removed(Removed { account }) => {
                let was = SeatAssignments::clear(&mut self.assignments, seat).ok_or("nobody sits there")?;
                if was.account() != *account || *account == Some(self.about.account) {
                    return Err("another account sits there, or the creator".to_owned());
                }
                if let Stage::Open(open) = &mut self.stage {
                    open.removed.extend(account);
                }
            }
            Event::Moved(Moved { to }) => {
                self.check_exists(*to)?;
                if Some(*to) == seat {
                    return Err(seat_taken().detail);
                }
                SeatAssignments::swap(&mut self.assignments, seat, *to).ok_or("nobody sits there")?;
            }
            _ => return Err("this does not change the seats".to_owned()),
        }
        Ok(())
    }
}

impl Step {
    /// Sits the actor down at this seat, or the lowest free one. The actor who takes the last one starts the game.
    pub(super) fn sit(
        &mut self,
        actor: &Actor,
        client_seed: String,
        seat: Option<Seat>,
        at: Timestamp,
    ) -> Result<(), Refusal> {
        let (player, account) = (actor.username.clone(), actor.account);
        let program = actor.is_program;
        self.seat(actor, Seated::Player { player, account, client_seed, program }, seat, at)
    }

    pub(super) fn seat_bot(&mut self, actor: &Actor, bot: Policy, at: Timestamp) -> Result<(), Refusal> {
        self.seat(actor, Seated::Bot { bot, client_seed: String::new() }, None, at)
    }

    pub(super) fn seat(
        &mut self,
        actor: &Actor,
        seated: Seated,
        wanted: Option<Seat>,
        at: Timestamp,
    ) -> Result<(), Refusal> {
        self.table.check_open()?;
        self.table.check_seated(&seated)?;
        let seat =
            wanted.or_else(|| (0..self.table.about.seats).find(|&seat| self.table.check_free(seat).is_ok()));
        let seat = seat.ok_or_else(|| Refusal::new("game_not_open", "every seat is taken"))?;
        self.table.check_free(seat)?;
        self.add(actor.by(), Some(seat), Event::Seated(seated), at);
        if self.table.is_full() {
            self.start(By::System {}, at);
        }
        Ok(())
    }

    /// Clears a seat: one's own, or as the creator anybody's.
    pub(super) fn clear_seat(&mut self, actor: &Actor, seat: Seat, at: Timestamp) -> Result<(), Refusal> {
        self.table.check_open()?;
        let assignment = self.table.assignment(seat).ok_or_else(|| no_such_seat(seat))?;
        let account = assignment.account();
        if account == Some(actor.account) {
            self.add(actor.by(), Some(seat), Event::Left, at);
            return Ok(());
        }
        self.table.check_creator(actor)?;
        self.table.check_changeable()?;
        self.add(actor.by(), Some(seat), Event::Removed(Removed { account }), at);
        Ok(())
    }

    /// Moves the player or the bot at one seat to another.
    pub(super) fn change_seat(
        &mut self,
        actor: &Actor,
        from: Seat,
        to: Seat,
        at: Timestamp,
    ) -> Result<(), Refusal> {
        self.table.check_changeable()?;
        let assignment = self.table.assignment(from).ok_or_else(|| no_such_seat(from))?;
        let is_own = assignment.account() == Some(actor.account);
        if !is_own {
            self.table.check_creator(actor)?;
        }
        self.table.check_exists(to)?;
        let is_taken = self.table.assignment(to).is_some();
        if from == to || (is_taken && self.table.check_creator(actor).is_err()) {
            return Err(seat_taken());
        }
        self.add(actor.by(), Some(from), Event::Moved(Moved { to }), at);
        Ok(())
    }
}

pub(super) fn no_such_seat(seat: Seat) -> Refusal {
    Refusal::new("no_such_seat", format!("there is no seat {seat}, or nobody sits at it"))
}

pub(super) fn seat_taken() -> Refusal {
    Refusal::new("seat_taken", "this seat is taken")
}
