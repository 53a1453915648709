//! What a command does to a game: the entries that follow from it, or why it is refused.

use jiff::Timestamp;
use serde_json::value::RawValue;

use super::hand_result::{HandResult, facts_of};
use super::state::{Actor, Stage, Table};
use super::turns::Now;
use crate::log::Hex32;
use crate::log::entry::{
    Aborted, Acted, By, Chance, Drawn, Entry, Event, Finished, Policy, Started, StartedSeat, Time,
};
use crate::rules::registry::Logged;
use crate::rules::{Need, Refusal, Seat};

/// A command on a game that is there.
#[derive(Debug, Clone)]
pub enum Command {
    /// Take this seat, or the lowest free one, with one's own part in the chances. A private game wants its invite.
    Sit { client_seed: String, invite: Option<String>, seat: Option<Seat> },
    /// Leave the seat, before the start.
    StandUp,
    /// Give a seat to a bot.
    SeatBot { policy: Policy },
    /// Clear a seat, before the start: one's own, or as the creator anybody's.
    ClearSeat { seat: Seat },
    /// Move from one seat to another, before the start. The creator can move anybody, and let two change places.
    Move { from: Seat, to: Seat },
    /// Replace a private game's invite, before the start.
    RenewInvite,
    /// Begin with the players and bots that sit at the table.
    Start,
    /// Call the game off: as its creator before the start, as an admin at any time, or, while it is played, together
    /// with all other players.
    Abort,
    /// Call a tournament's game off, because its organisers want it so. The house does this, in their owner's name.
    CallOff,
    /// Leave a running game for good. The house plays for the seat from then on.
    Resign,
    /// Act, in the game's own words.
    Act { action: Box<RawValue> },
    /// Stop the clocks of a tournament's game; organisers only, like the next two.
    Pause,
    /// Let the clocks run again.
    Resume,
    /// Give players more time in reserve, until each seat was given so many seconds in all, seat 0 first.
    AddTime { totals: Vec<u32> },
}

/// What follows from a command: entries to be appended, all or none, and the table after them.
pub struct Step {
    pub table: Table,
    pub entries: Vec<HashedEntry>,
    /// The hands that end with one of them, where a tournament counts them.
    pub hands: Vec<HandResult>,
}

/// An entry ready for the log.
#[derive(Debug, Clone)]
pub struct HashedEntry {
    pub entry: Entry,
    /// Its canonical JSON.
    pub text: String,
    pub hash: Hex32,
    /// Whether some reader may not see it while the game runs, so that the database holds it encrypted.
    pub is_secret: bool,
}

impl Table {
    /// What follows from a command. The table itself is not changed.
    ///
    /// # Errors
    /// [`Refusal`] where it is not for this actor, at this stage, or by the rules.
    pub fn decide<'a>(
        &self,
        actor: &Actor,
        command: &Command,
        now: impl Into<Now<'a>>,
    ) -> Result<Step, Refusal> {
        let now = now.into();
        let (mut step, at) = (self.step(), self.time_of(now));
        match command {
            Command::Sit { client_seed, invite, seat } => {
                self.check_invite(actor, invite.as_deref())?;
                self.check_changeable()?;
                step.sit(actor, client_seed.clone(), *seat, at)?;
            }
            Command::StandUp => {
                self.check_open()?;
                let seat = self.seat_of(actor.account).ok_or_else(not_seated)?;
                step.add(actor.by(), Some(seat), Event::Left, at);
            }
            Command::SeatBot { policy } => {
                self.check_changeable()?;
                self.check_creator(actor)?;
                step.seat_bot(actor, *policy, at)?;
            }
            Command::ClearSeat { seat } => step.clear_seat(actor, *seat, at)?,
            Command::Move { from, to } => step.change_seat(actor, *from, *to, at)?,
            Command::RenewInvite => {
                self.check_changeable()?;
                self.check_creator(actor)?;
                self.check_private()?;
                step.add(actor.by(), None, Event::InviteRenewed, at);
            }
            Command::Start => {
                self.check_open()?;
                self.check_creator(actor)?;
                self.new_game()?;
                step.start(actor.by(), at);
            }
            Command::Abort => step.abort(actor, at)?,
            Command::CallOff => {
                self.directed(actor)?;
                self.check_settled()?;
                step.call_off(actor, false, at);
            }
            Command::Resign => step.resign(actor, at)?,
            Command::Act { action } => {
                let seat = self.seat_of(actor.account).ok_or_else(not_seated)?;
                self.check_plays(seat)?;
                self.check_running()?;
                step.act(actor.by(), seat, action, now)?;
            }
            Command::Pause | Command::Resume | Command::AddTime { .. } => {
                step.change_clocks(actor, command, now)?;
            }
        }
        Ok(step)
    }

    /// The seat of a player who takes part in the running game.
    fn playing_seat(&self, actor: &Actor) -> Result<Seat, Refusal> {
        self.check_active()?;
        let seat = self.seat_of(actor.account).ok_or_else(not_seated)?;
        self.check_plays(seat)?;
        self.check_settled()?;
        Ok(seat)
    }

    /// What the clock plays for all seats whose time has run out; nothing where none has.
    pub fn time_out(&self, now: Now<'_>) -> Step {
        let mut step = self.step();
        while let (Some(seat), Stage::Active(active)) = (step.table.overdue(now), &step.table.stage) {
            let action = active.game.0.default_action(seat);
            step.act(By::Clock {}, seat, &action, now).expect("the default action stands on the menu");
        }
        step
    }

    /// A step in which nothing has happened yet.
    pub fn step(&self) -> Step {
        Step { table: self.clone(), entries: Vec::new(), hands: Vec::new() }
    }

    /// Clocks of replicas may differ a little; a log's time never runs backwards.
    pub(super) fn time_of(&self, now: Now<'_>) -> Timestamp {
        now.at.max(self.at)
    }

    /// What the house has to do next: the chance that the rules ask for, drawn from the seeds, or the end. None
    /// while the game waits for players, and where it is not active.
    pub fn next_by_house(&self) -> Option<Event> {
        let Stage::Active(active) = &self.stage else { return None };
        let k = active.chances;
        let words = || active.source.chance(k);
        match (active.game.0.need(), active.outcome()) {
            (_, Some(outcome)) => {
                Some(Event::Finished(Finished { outcome, server_seed: self.seed.reveal() }))
            }
            (Need::Pick { of }, None) => {
                let result = words().uniform(u32::from(of)) as u8;
                Some(Event::Chance(Chance { k, drawn: Drawn::Pick { of, result } }))
            }
            (Need::Shuffle(mut cards), None) => {
                words().shuffle(&mut cards);
                Some(Event::Chance(Chance { k, drawn: Drawn::Shuffle { result: Some(cards) } }))
            }
            (Need::Players(_) | Need::Nothing, None) => None,
        }
    }

    /// Whether other tables are dealt the same orders.
    fn shares_orders(&self) -> bool {
        self.tournament().is_some_and(|at| at.shuffle_id.is_some())
    }

    pub(super) fn check_creator(&self, actor: &Actor) -> Result<(), Refusal> {
        if actor.account == self.about.account {
            return Ok(());
        }
        Err(Refusal::new("not_creator", "only the player who created the game may do this"))
    }
}

impl Step {
    /// Calls the game off, or notes that a player wants to: when all of them do, it is called off.
    fn abort(&mut self, actor: &Actor, at: Timestamp) -> Result<(), Refusal> {
        let table = &self.table;
        if table.is_over() {
            return Err(game_over());
        }
        let is_played = matches!(table.stage, Stage::Active(_));
        match (is_played, actor.admin) {
            (false, true) => {}
            (false, false) => table.check_creator(actor)?,
            (true, true) => table.check_settled()?,
            (true, false) => {
                let seat = table.playing_seat(actor)?;
                table.check_agreement(seat)?;
                self.add(actor.by(), Some(seat), Event::AbortAgreed, at);
                if !self.table.is_unanimous() {
                    return Ok(());
                }
            }
        }
        let table = &self.table;
        let is_right = if is_played { table.is_unanimous() } else { table.check_creator(actor).is_ok() };
        self.call_off(actor, !is_right, at);
        Ok(())
    }

    fn resign(&mut self, actor: &Actor, at: Timestamp) -> Result<(), Refusal> {
        let seat = self.table.playing_seat(actor)?;
        self.add(actor.by(), Some(seat), Event::Resigned, at);
        // The others may have waited for this player's word alone.
        if self.table.is_unanimous() {
            self.call_off(actor, false, at);
        }
        Ok(())
    }

    fn call_off(&mut self, actor: &Actor, admin: bool, at: Timestamp) {
        let server_seed = self.table.seed.reveal();
        self.add(actor.by(), None, Event::Aborted(Aborted { server_seed, admin }), at);
    }

    pub(super) fn start(&mut self, by: By, at: Timestamp) {
        let seats = self.table.assignments.iter().zip(0..).map(|(assignment, seat)| StartedSeat {
            seat,
            was: assignment.seat,
            player: assignment.player().map(str::to_owned),
            bot: assignment.policy(),
        });
        let started = Started { seats: seats.collect() };
        self.add(by, None, Event::Started(started), at);
        self.settle(at);
    }

    /// A bot acts. It is judged like anybody else.
    ///
    /// # Errors
    /// [`Refusal`] where the action does not stand on the seat's menu; nothing has changed then.
    pub fn bot_acts(
        &mut self,
        seat: Seat,
        bot: Policy,
        action: &RawValue,
        now: Now<'_>,
    ) -> Result<(), Refusal> {
        self.act(By::Bot { bot }, seat, action, now)
    }

    /// A bot plays what the clock would.
    pub fn bot_passes(&mut self, seat: Seat, bot: Policy, now: Now<'_>) {
        if let Stage::Active(active) = &self.table.stage {
            let action = active.game.0.default_action(seat);
            self.act(By::Bot { bot }, seat, &action, now).expect("the default action stands on the menu");
        }
    }

    /// The house plays the default action for a seat whose player has resigned, if the game waits for one.
    pub fn plays_for_resigned(&mut self, now: Now<'_>) -> bool {
        let (Some(seat), Stage::Active(active)) = (self.table.resigned_due(), &self.table.stage) else {
            return false;
        };
        let action = active.game.0.default_action(seat);
        self.act(By::Clock {}, seat, &action, now).expect("the default action stands on the menu");
        true
    }

    fn act(&mut self, by: By, seat: Seat, action: &RawValue, now: Now<'_>) -> Result<(), Refusal> {
        let (at, granted) = (self.table.time_of(now), self.table.granted(seat, now));
        let active = match &mut self.table.stage {
            Stage::Active(active) => active,
            Stage::Open(_) => return Err(not_active()),
            Stage::Finished { .. } | Stage::Aborted { .. } => return Err(game_over()),
        };
        let mut facts = facts_of(self.table.about.tournament.as_ref());
        active.game.0.play(seat, action.get(), &mut facts)?;
        let Logged { action, is_secret } = active.game.0.written(seat, action.get())?;
        let granted_ms = u32::try_from(granted.as_millis()).unwrap_or(u32::MAX);
        self.record(by, Some(seat), Event::Acted(Acted { action, granted_ms }), at, is_secret);
        self.hands.extend(self.table.hand_result(facts));
        self.settle(at);
        Ok(())
    }

    /// Does what is the house's to do, until the rules wait for a player or the game is over.
    fn settle(&mut self, at: Timestamp) {
        while let Some(event) = self.table.next_by_house() {
            self.add(By::System {}, None, event, at);
        }
    }

    /// Lets an event happen, and writes it down.
    pub(super) fn add(&mut self, by: By, seat: Option<Seat>, event: Event, at: Timestamp) {
        let mut facts = facts_of(self.table.about.tournament.as_ref());
        self.table.apply(seat, &event, &mut facts).expect("what is decided here can happen");
        let is_secret = matches!(event, Event::Chance(Chance { drawn: Drawn::Shuffle { .. }, .. }));
        self.record(by, seat, event, at, is_secret);
        self.hands.extend(self.table.hand_result(facts));
    }

    /// Writes down what has happened to the table.
    fn record(&mut self, by: By, seat: Option<Seat>, event: Event, at: Timestamp, is_secret: bool) {
        // The entries of a duplicate table, and the seed that its end shows, tell of the other tables' cards.
        let is_secret = is_secret || self.table.shares_orders();
        let entry = Entry { seq: self.table.version + 1, at: Time(at), by, seat, event };
        let text = entry.text();
        let hash = self.table.next_hash(&text);
        self.table.advance(&entry, hash);
        self.entries.push(HashedEntry { entry, text, hash, is_secret });
    }
}

impl Actor {
    pub(super) fn by(&self) -> By {
        By::Player { player: self.username.clone() }
    }
}

pub(super) fn not_seated() -> Refusal {
    Refusal::new("not_seated", "you do not sit at this table")
}

pub(super) fn not_active() -> Refusal {
    Refusal::new("game_not_active", "the game has not started yet")
}

pub(super) fn game_over() -> Refusal {
    Refusal::new("game_over", "the game is over")
}
