//! What the entries of a log do to a table.

use std::borrow::Borrow;
use std::sync::Arc;

use uuid::Uuid;

use super::checks::{check_created, pace};
use super::seat_assignments::SeatAssignments;
use super::state::{About, Active, Fault, Game, Open, Stage, Table};
use super::timing::Timing;
use crate::log::Hex32;
use crate::log::entry::{Aborted, Acted, By, Chance, Created, Drawn, Entry, Event, Finished, Started};
use crate::log::fairness::{Seed, Source};
use crate::rules::registry::AnyFacts;
use crate::rules::{self, Facts, Need, Refusal, Seat, SeatSet};

impl Table {
    /// The table that a log leads to. `entries` are the log's entries with their hashes, in order.
    ///
    /// # Errors
    /// [`Fault`] at the first entry that cannot be.
    pub fn replay(
        id: Uuid,
        seed: Seed,
        entries: impl IntoIterator<Item = (impl Borrow<Entry>, Hex32)>,
    ) -> Result<Table, Fault> {
        let mut entries = entries.into_iter();
        let (first, hash) = entries.next().ok_or(Fault { seq: 1, detail: "the log is empty".to_owned() })?;
        let begun = Table::begin(id, seed, first.borrow(), hash);
        let mut table = begun.map_err(|refusal| Fault { seq: 1, detail: refusal.detail })?;
        for (entry, hash) in entries {
            table.evolve(entry.borrow(), hash)?;
        }
        Ok(table)
    }

    pub(super) fn begin(id: Uuid, seed: Seed, entry: &Entry, hash: Hex32) -> Result<Table, Refusal> {
        let (Event::Created(created), By::Player { player }) = (&entry.event, &entry.by) else {
            return Err(Refusal::new("invalid_body", "a log begins with its creation by a player"));
        };
        entry.at.check().map_err(|detail| Refusal::new("invalid_body", detail))?;
        let (kind, pace) = (check_created(created)?, pace(created));
        let Created { options, seats, visibility, rated, tournament, account, commitment, .. } =
            created.clone();
        Ok(Table {
            id,
            version: 1,
            hash,
            at: entry.at.0,
            seed,
            about: Arc::new(About {
                kind,
                options,
                seats,
                visibility,
                pace,
                rated,
                tournament,
                created_by: player.clone(),
                account,
                created_at: entry.at.0,
                commitment,
            }),
            assignments: Arc::default(),
            renewals: 0,
            resigned: SeatSet::EMPTY,
            agreed: SeatSet::EMPTY,
            stage: Stage::Open(Open::default()),
        })
    }

    /// Takes the next entry of the log.
    ///
    /// # Errors
    /// [`Fault`] where it cannot be the next. The table is of no use then.
    pub fn evolve(&mut self, entry: &Entry, hash: Hex32) -> Result<(), Fault> {
        self.evolve_telling(entry, hash, &mut Facts::ignored())
    }

    /// The same, and tells what follows from the entry.
    pub(crate) fn evolve_telling(
        &mut self,
        entry: &Entry,
        hash: Hex32,
        facts: &mut AnyFacts,
    ) -> Result<(), Fault> {
        let fault = |detail: String| Fault { seq: entry.seq, detail };
        if entry.seq != self.version + 1 {
            return Err(fault(format!("entry {} was to come", self.version + 1)));
        }
        if entry.at.0 < self.at {
            return Err(fault("time runs backwards".to_owned()));
        }
        entry.at.check().map_err(|detail| fault(detail.to_owned()))?;
        if !entry.is_attributed() {
            return Err(fault("this is not for them to do".to_owned()));
        }
        self.check_actor(entry).map_err(fault)?;
        self.apply(entry.seat, &entry.event, facts).map_err(fault)?;
        self.advance(entry, hash);
        Ok(())
    }

    /// One entry more.
    pub(super) fn advance(&mut self, entry: &Entry, hash: Hex32) {
        self.version += 1;
        self.hash = hash;
        self.at = entry.at.0;
        self.keep_time(entry);
        // A player who acts plays on.
        if let (Event::Acted(_), By::Player { .. }, Some(seat)) = (&entry.event, &entry.by, entry.seat) {
            self.agreed.remove(seat);
        }
    }

    /// What an event does to the state.
    pub(super) fn apply(
        &mut self,
        seat: Option<Seat>,
        event: &Event,
        facts: &mut AnyFacts,
    ) -> Result<(), String> {
        self.check_turn(event)?;
        match (event, &mut self.stage) {
            (
                Event::Seated(_) | Event::Left | Event::Removed(_) | Event::Moved(_) | Event::InviteRenewed,
                Stage::Open(_),
            ) => self.change_seats(seat, event)?,
            (Event::Started(started), Stage::Open(_)) => self.start(started)?,
            (Event::Chance(chance), Stage::Active(active)) => active.chance(chance, facts)?,
            (Event::Acted(Acted { action, .. }), Stage::Active(active)) => {
                let seat = seat.ok_or("nobody acts from no seat")?;
                active.game.0.play(seat, action.get(), facts).map_err(|refusal| refusal.detail)?;
            }
            (Event::Resigned, Stage::Active(active)) => {
                let seat = seat.ok_or("nobody resigns from no seat")?;
                // From here on the house plays, and that needs times.
                let (seats, pace) = (self.assignments.len(), self.about.pace);
                active.timing.get_or_insert_with(|| Box::new(Timing::new(seats, pace)));
                self.agreed.remove(seat);
                self.resigned.insert(seat);
            }
            (Event::AbortAgreed, Stage::Active(_)) => {
                let seat = seat.ok_or("nobody agrees from no seat")?;
                self.check_agreement(seat)?;
                self.agreed.insert(seat);
            }
            (Event::Paused(_) | Event::Resumed | Event::TimeAdded(_), Stage::Active(active)) => {
                active.check_change_of_clocks(seat, event, self.assignments.len())?;
                self.check_directed()?;
            }
            (Event::Finished(finished), Stage::Active(active)) => {
                self.stage = active.finished(finished, self.resigned)?;
            }
            (Event::Aborted(_), Stage::Open(_)) => self.stage = Stage::Aborted { game: None },
            (Event::Aborted(Aborted { admin, .. }), Stage::Active(active)) => {
                let game = Some(active.game.clone());
                // Whether organisers have asked for it, their tournament's log tells.
                if self.tournament().is_none() && self.is_unanimous() == *admin {
                    return Err("neither an administrator nor all players call the game off".to_owned());
                }
                self.stage = Stage::Aborted { game };
            }
            _ => return Err("this cannot happen at this stage of a game".to_owned()),
        }
        Ok(())
    }

    /// Renumbers the seats as the entry says, and sets up the game.
    pub(super) fn start(&mut self, started: &Started) -> Result<(), String> {
        let game = self.new_game()?;
        let agree = self.assignments.len() == started.seats.len()
            && self.assignments.iter().zip(&started.seats).zip(0..).all(|((assignment, seat), number)| {
                (assignment.seat, number, assignment.player(), assignment.policy())
                    == (seat.was, seat.seat, seat.player.as_deref(), seat.bot)
            });
        if !agree {
            return Err("the seats are not those of the players who sat down".to_owned());
        }
        let assignments = SeatAssignments::change(&mut self.assignments);
        for (assignment, number) in assignments.iter_mut().zip(0..) {
            assignment.seat = number;
        }
        let source = self.source();
        let timing = self.has_dues().then(|| Box::new(Timing::new(self.assignments.len(), self.about.pace)));
        self.stage = Stage::Active(Active { game: Game(game), source, chances: 0, timing });
        Ok(())
    }

    /// What the chances come from, once all have sat down.
    pub(super) fn source(&self) -> Arc<Source> {
        let client_seeds = self.assignments.iter().map(|assignment| assignment.client_seed.as_str());
        Arc::new(Source::new(self.seed.clone(), self.shuffle_id(), client_seeds))
    }
}

impl Active {
    pub(super) fn chance(&mut self, chance: &Chance, facts: &mut AnyFacts) -> Result<(), String> {
        if chance.k != self.chances {
            return Err(format!("chance {} was to come", self.chances));
        }
        let outcome = match &chance.drawn {
            Drawn::Pick { of, result } => match self.game.0.need() {
                Need::Pick { of: asked } if asked == *of => rules::Chance::Pick(*result),
                _ => return Err("the rules asked for no such pick".to_owned()),
            },
            Drawn::Shuffle { result: Some(order) } => rules::Chance::Shuffle(order.clone()),
            Drawn::Shuffle { result: None } => return Err("the order is missing".to_owned()),
        };
        // Not every shuffle is for a new hand: cards can be dealt anew in the middle of one.
        let deals = matches!(outcome, rules::Chance::Shuffle(_)) && self.game.0.is_between_hands();
        self.game.0.chance(outcome, facts).map_err(|error| error.to_string())?;
        self.chances += 1;
        if let Some(timing) = self.timing.as_mut().filter(|_| deals) {
            timing.hand_begins();
        }
        Ok(())
    }

    /// The stage after the game's end. It stands by itself, because its locals would slow down every other entry in
    /// [`Table::apply`].
    fn finished(&self, finished: &Finished, resigned: SeatSet) -> Result<Stage, String> {
        if self.outcome().as_ref() != Some(&finished.outcome) {
            return Err("the game did not end so".to_owned());
        }
        let mut missed = self.timing.as_ref().map(|timing| timing.missed()).unwrap_or_default();
        // For those who have resigned, nobody waited.
        let seats = missed.iter_mut().zip(0..);
        seats.filter(|(_, seat)| resigned.contains(*seat)).for_each(|(missed, _)| *missed = 0);
        let game = self.broken_off().unwrap_or_else(|| self.game.clone());
        Ok(Stage::Finished { game, outcome: finished.outcome.clone(), missed })
    }

    /// Whether an organiser can have done this to the clocks of a game with so many seats.
    fn check_change_of_clocks(&self, seat: Option<Seat>, event: &Event, seats: usize) -> Result<(), String> {
        if seat.is_some_and(|seat| usize::from(seat) >= seats) {
            return Err("there is no such seat".to_owned());
        }
        self.check_clocks(event).map_err(|refusal| refusal.detail)
    }
}
