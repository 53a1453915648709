//! Who sits where, before the start.

use jiff::Timestamp;

use super::decide::{CLIENT_SEED_MAX, Step};
use super::state::{Actor, Stage, Table};
use crate::log::entry::{By, Event, Moved, Policy, Removed, Seated};
use crate::rules::{Refusal, Seat, SeatSet};

impl Table {
    /// A player needs the invite to sit down at a private game; the game's own people need none. A player who was
    /// removed cannot come back.
    pub(super) fn check_invite(&self, actor: &Actor, invite: Option<&str>) -> Result<(), Refusal> {
        if !self.is_visible_to(Some(actor)) && !self.is_invite(invite) {
            return Err(Refusal::new(
                "wrong_invite",
                "this game is private, and the invite does not open it",
            ));
        }
        match &self.stage {
            Stage::Open(open) if open.removed.contains(&actor.account) => {
                Err(Refusal::new("removed", "the game's creator has removed you from this table"))
            }
            _ => Ok(()),
        }
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
        self.table.check_open()?;
        if self.table.seat_of(actor.account).is_some() {
            return Err(Refusal::new("already_seated", "you sit at this table already"));
        }
        if client_seed.chars().count() > CLIENT_SEED_MAX {
            return Err(Refusal::new(
                "invalid_body",
                format!("client_seed: at most {CLIENT_SEED_MAX} characters"),
            ));
        }
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
        let taken: SeatSet = self.table.assignments.iter().map(|assignment| assignment.seat).collect();
        let seat = match wanted {
            Some(seat) if seat >= self.table.about.seats => return Err(no_such_seat(seat)),
            Some(seat) if taken.contains(seat) => return Err(seat_taken()),
            Some(seat) => seat,
            None => (0..self.table.about.seats)
                .find(|&seat| !taken.contains(seat))
                .ok_or_else(|| Refusal::new("game_not_open", "every seat is taken"))?,
        };
        self.add(actor.by(), Some(seat), Event::Seated(seated), at);
        if self.table.assignments.len() == usize::from(self.table.about.seats) {
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
        if to >= self.table.about.seats {
            return Err(no_such_seat(to));
        }
        let is_taken = self.table.assignment(to).is_some();
        if from == to || (is_taken && self.table.check_creator(actor).is_err()) {
            return Err(seat_taken());
        }
        self.add(actor.by(), Some(from), Event::Moved(Moved { to }), at);
        Ok(())
    }
}

fn no_such_seat(seat: Seat) -> Refusal {
    Refusal::new("no_such_seat", format!("there is no seat {seat}, or nobody sits at it"))
}

fn seat_taken() -> Refusal {
    Refusal::new("seat_taken", "this seat is taken")
}
