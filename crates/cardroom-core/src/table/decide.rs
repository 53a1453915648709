//! What a command does to a game: the entries that follow from it, or why it is refused.

use jiff::Timestamp;
use serde_json::value::RawValue;

use super::hand_result::{HandResult, facts_of};
use super::state::{Actor, Stage, Table};
use super::turns::Now;
use crate::log::Hex32;
use crate::log::entry::{
    Aborted, Acted, By, Chance, Drawn, Entry, Event, Finished, Policy, Seated, Started, StartedSeat, Time,
};
use crate::rules::registry::Logged;
use crate::rules::{self, Need, Refusal, Seat};

/// The most characters of a client seed.
pub const CLIENT_SEED_MAX: usize = 64;

/// A command on a game that is there.
#[derive(Debug, Clone)]
pub enum Command {
    /// Take a seat, with one's own part in the chances. A private game wants its invite.
    Sit { client_seed: String, invite: Option<String> },
    /// Leave the seat, before the start.
    StandUp,
    /// Give a seat to a bot.
    SeatBot { policy: Policy },
    /// Begin with the players and bots that sit at the table.
    Start,
    /// Call the game off.
    Abort,
    /// Act, in the game's own words.
    Act { action: Box<RawValue> },
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
            Command::Sit { client_seed, invite } => {
                self.check_invite(actor, invite.as_deref())?;
                step.sit(actor, client_seed.clone(), at)?;
            }
            Command::StandUp => {
                self.check_open()?;
                let seat = self.seat_of(actor.account).ok_or_else(not_seated)?;
                step.add(actor.by(), Some(seat), Event::Left, at);
            }
            Command::SeatBot { policy } => {
                self.check_open()?;
                self.check_creator(actor)?;
                step.seat_bot(actor, *policy, at)?;
            }
            Command::Start => {
                self.check_open()?;
                self.check_creator(actor)?;
                let (least, here) = (self.about.kind.min_seats, self.assignments.len());
                if here < usize::from(least) {
                    return Err(Refusal::new(
                        "too_few_players",
                        format!("{here} sit here; the game takes at least {least}"),
                    ));
                }
                step.start(actor.by(), at);
            }
            Command::Abort => {
                if self.is_over() {
                    return Err(game_over());
                }
                if !actor.admin {
                    self.check_open()?;
                    self.check_creator(actor)?;
                }
                let server_seed = self.seed.reveal();
                step.add(actor.by(), None, Event::Aborted(Aborted { server_seed }), at);
            }
            Command::Act { action } => {
                let seat = self.seat_of(actor.account).ok_or_else(not_seated)?;
                step.act(actor.by(), seat, action, now)?;
            }
        }
        Ok(step)
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

    /// Nothing has happened yet.
    pub(super) fn step(&self) -> Step {
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

    fn check_open(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::Open => Ok(()),
            Stage::Active(_) => Err(Refusal::new("game_not_open", "the game has started")),
            Stage::Finished { .. } | Stage::Aborted { .. } => Err(game_over()),
        }
    }

    fn check_creator(&self, actor: &Actor) -> Result<(), Refusal> {
        if actor.account == self.about.account {
            return Ok(());
        }
        Err(Refusal::new("not_creator", "only the player who created the game may do this"))
    }

    /// A player needs the invite to sit down at a private game; the game's own people need none.
    fn check_invite(&self, actor: &Actor, invite: Option<&str>) -> Result<(), Refusal> {
        if self.is_visible_to(Some(actor)) || invite == Some(&self.seed.invite()) {
            return Ok(());
        }
        Err(Refusal::new("wrong_invite", "this game is private, and the invite does not open it"))
    }
}

impl Step {
    /// Sits the actor down at the lowest free seat. The actor who takes the last one starts the game.
    pub(super) fn sit(&mut self, actor: &Actor, client_seed: String, at: Timestamp) -> Result<(), Refusal> {
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
        self.seat(actor, Seated::Player { player, account, client_seed }, at)
    }

    pub(super) fn seat_bot(&mut self, actor: &Actor, bot: Policy, at: Timestamp) -> Result<(), Refusal> {
        self.seat(actor, Seated::Bot { bot, client_seed: String::new() }, at)
    }

    pub(super) fn seat(&mut self, actor: &Actor, seated: Seated, at: Timestamp) -> Result<(), Refusal> {
        self.table.check_open()?;
        let taken: rules::SeatSet = self.table.assignments.iter().map(|assignment| assignment.seat).collect();
        let seat = (0..self.table.about.seats)
            .find(|&seat| !taken.contains(seat))
            .ok_or_else(|| Refusal::new("game_not_open", "every seat is taken"))?;
        self.add(actor.by(), Some(seat), Event::Seated(seated), at);
        if self.table.assignments.len() == usize::from(self.table.about.seats) {
            self.start(By::System {}, at);
        }
        Ok(())
    }

    fn start(&mut self, by: By, at: Timestamp) {
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

    fn act(&mut self, by: By, seat: Seat, action: &RawValue, now: Now<'_>) -> Result<(), Refusal> {
        let (at, granted) = (self.table.time_of(now), self.table.granted(seat, now));
        let active = match &mut self.table.stage {
            Stage::Active(active) => active,
            Stage::Open => return Err(Refusal::new("game_not_active", "the game has not started yet")),
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

fn game_over() -> Refusal {
    Refusal::new("game_over", "the game is over")
}
