//! A table: the state that the entries of its log lead to.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

use super::kind;
use super::seat_assignments::{SeatAssignment, SeatAssignments};
use super::timing::{Pace, Timing};
use crate::log::entry::{
    Acted, AtTournament, By, Chance, Created, Drawn, Entry, Event, Seated, Started, Visibility,
};
use crate::log::fairness::{Seed, Source};
use crate::log::{Hex32, chain};
use crate::rules::registry::{self, AnyFacts, AnyGame, Kind};
use crate::rules::{self, Facts, Need, Outcome, Seat, SeatSet};

/// A game at one version of its log. Cheap to clone: a decision is tried on a clone, which then takes the
/// original's place or is dropped.
#[derive(Clone)]
pub struct Table {
    pub id: Uuid,
    /// How many entries the log has.
    pub version: u32,
    /// The newest entry's hash.
    pub(super) hash: Hex32,
    /// When the newest entry was made; time does not run backwards in a log.
    pub(super) at: Timestamp,
    pub(super) seed: Seed,
    pub(super) about: Arc<About>,
    pub(super) assignments: Arc<SeatAssignments>,
    pub(super) stage: Stage,
}

/// Which table it is, and nothing of what lies on it.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} at {})", self.id, self.version)
    }
}

/// What was settled when the game was created.
#[derive(Serialize, Deserialize)]
pub(super) struct About {
    #[serde(with = "kind")]
    pub(super) kind: &'static Kind,
    pub(super) options: Box<RawValue>,
    pub(super) seats: u8,
    pub(super) visibility: Visibility,
    pub(super) pace: Pace,
    pub(super) tournament: Option<AtTournament>,
    pub(super) created_by: String,
    pub(super) account: Uuid,
    pub(super) created_at: Timestamp,
    pub(super) commitment: Hex32,
}

#[derive(Clone)]
pub(super) enum Stage {
    /// Seats can be taken.
    Open,
    Active(Active),
    Finished {
        game: Game,
        outcome: Outcome,
    },
    Aborted {
        game: Option<Game>,
    },
}

/// A game that is being played.
#[derive(Clone)]
pub(super) struct Active {
    pub(super) game: Game,
    pub(super) source: Arc<Source>,
    /// How many chances there have been: the next one's ordinal.
    pub(super) chances: u32,
    /// Only where a clock or a bot needs it.
    pub(super) timing: Option<Box<Timing>>,
}

/// A game of some kind.
pub(super) struct Game(pub(super) Box<dyn AnyGame>);

impl Clone for Game {
    fn clone(&self) -> Game {
        Game(self.0.boxed_clone())
    }
}

/// The caller: an account, and what it may do beyond its own seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    pub account: Uuid,
    pub username: String,
    pub admin: bool,
}

/// A log that does not follow from the rules: it was damaged or tampered with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {seq}: {detail}")]
pub struct Fault {
    pub seq: u32,
    pub detail: String,
}

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
        let mut table = Table::begin(id, seed, first.borrow(), hash)?;
        for (entry, hash) in entries {
            table.evolve(entry.borrow(), hash)?;
        }
        Ok(table)
    }

    pub(super) fn begin(id: Uuid, seed: Seed, entry: &Entry, hash: Hex32) -> Result<Table, Fault> {
        let fault = |detail: &str| Fault { seq: 1, detail: detail.to_owned() };
        let (Event::Created(created), By::Player { player }) = (&entry.event, &entry.by) else {
            return Err(fault("a log begins with its creation by a player"));
        };
        let Created {
            kind,
            rules_version,
            options,
            seats,
            visibility,
            turn_seconds,
            bank_seconds,
            bot_delay_ms,
            tournament,
            account,
            commitment,
        } = created.clone();
        let kind = registry::by_version(&kind, rules_version)
            .ok_or_else(|| fault("unknown kind or rules version"))?;
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
                pace: Pace { turn_seconds, bank_seconds, bot_delay_ms },
                tournament,
                created_by: player.clone(),
                account,
                created_at: entry.at.0,
                commitment,
            }),
            assignments: Arc::default(),
            stage: Stage::Open,
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
    pub(super) fn evolve_telling(
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
    }

    /// What an event does to the state.
    pub(super) fn apply(
        &mut self,
        seat: Option<Seat>,
        event: &Event,
        facts: &mut AnyFacts,
    ) -> Result<(), String> {
        match (event, &mut self.stage) {
            (Event::Seated(seated), Stage::Open) => {
                let seat = seat.filter(|seat| *seat < self.about.seats).ok_or("there is no such seat")?;
                if matches!(seated, Seated::Bot { client_seed, .. } if !client_seed.is_empty()) {
                    return Err("a bot has no part in the chances".to_owned());
                }
                let assignments = SeatAssignments::change(&mut self.assignments);
                let at = match assignments.binary_search_by_key(&seat, |assignment| assignment.seat) {
                    Ok(_) => return Err("the seat is taken".to_owned()),
                    Err(at) => at,
                };
                assignments.insert(at, SeatAssignment::of(seat, seated));
            }
            (Event::Left, Stage::Open) => {
                let at = self.assignments.iter().position(|assignment| Some(assignment.seat) == seat);
                SeatAssignments::change(&mut self.assignments).remove(at.ok_or("nobody sits there")?);
            }
            (Event::Started(started), Stage::Open) => self.start(started)?,
            (Event::Chance(chance), Stage::Active(active)) => active.chance(chance, facts)?,
            (Event::Acted(Acted { action, .. }), Stage::Active(active)) => {
                let seat = seat.ok_or("nobody acts from no seat")?;
                active.game.0.play(seat, action.get(), facts).map_err(|refusal| refusal.detail)?;
            }
            (Event::Finished(finished), Stage::Active(active)) => {
                if active.outcome().as_ref() != Some(&finished.outcome) {
                    return Err("the game did not end so".to_owned());
                }
                let (game, outcome) = (active.game.clone(), finished.outcome.clone());
                self.stage = Stage::Finished { game, outcome };
            }
            (Event::Aborted(_), Stage::Open) => self.stage = Stage::Aborted { game: None },
            (Event::Aborted(_), Stage::Active(active)) => {
                self.stage = Stage::Aborted { game: Some(active.game.clone()) };
            }
            _ => return Err("this cannot happen at this stage of a game".to_owned()),
        }
        Ok(())
    }

    /// Renumbers the seats as the entry says, and sets up the game.
    pub(super) fn start(&mut self, started: &Started) -> Result<(), String> {
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
        let seats = assignments.len() as u8;
        let game = self.about.kind.new_game(&self.about.options, seats).map_err(|refusal| refusal.detail)?;
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

    /// The seat of an account.
    pub fn seat_of(&self, account: Uuid) -> Option<Seat> {
        self.accounts().find(|(_, sitting)| *sitting == account).map(|(seat, _)| seat)
    }

    /// The seats that the game waits for.
    pub fn to_act(&self) -> SeatSet {
        match &self.stage {
            Stage::Active(active) => match active.game.0.need() {
                Need::Players(seats) => seats,
                _ => SeatSet::EMPTY,
            },
            _ => SeatSet::EMPTY,
        }
    }

    /// Whether the game is finished or aborted: nothing is hidden any more, and nothing will be added.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Finished { .. } | Stage::Aborted { .. })
    }

    /// Whether `viewer` may see the game: only its own people and admins may see a private one.
    pub fn is_visible_to(&self, viewer: Option<&Actor>) -> bool {
        self.about.visibility == Visibility::Public
            || viewer.is_some_and(|actor| {
                actor.admin || actor.account == self.about.account || self.seat_of(actor.account).is_some()
            })
    }

    /// Where the game is played, if it is a tournament's.
    pub fn tournament(&self) -> Option<&AtTournament> {
        self.about.tournament.as_ref()
    }

    /// All options, defaults filled in.
    pub fn options(&self) -> &RawValue {
        &self.about.options
    }

    /// What tells this game's chances from every other's: its id, or that of the round whose tables are dealt the
    /// same orders.
    pub fn shuffle_id(&self) -> Uuid {
        self.tournament().and_then(|at| at.shuffle_id).unwrap_or(self.id)
    }

    /// The `seq` of the entry that started the game, if its seats were all taken in turn.
    pub fn began(&self) -> u32 {
        self.assignments.len() as u32 + 2
    }

    /// The house's part in the chances. It may be shown once the game is over.
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The newest entry's hash.
    pub fn hash(&self) -> Hex32 {
        self.hash
    }

    /// The accounts at the table, by seat. Bots have none.
    pub fn accounts(&self) -> impl Iterator<Item = (Seat, Uuid)> + '_ {
        self.assignments.iter().filter_map(|assignment| Some((assignment.seat, assignment.account()?)))
    }

    pub(super) fn assignment(&self, seat: Seat) -> Option<&SeatAssignment> {
        self.assignments.iter().find(|assignment| assignment.seat == seat)
    }

    /// About how many bytes the table takes in memory.
    pub fn weight(&self) -> u32 {
        2560 + self.about.options.get().len() as u32 + 340 * self.assignments.len() as u32
    }

    /// The hash of an entry that would come next.
    pub(super) fn next_hash(&self, text: &str) -> Hex32 {
        chain::hash(self.hash, &self.seed, self.version + 1, text)
    }
}

impl Active {
    /// The result, once the game is over by its rules, or nobody is left to play it.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        let between_hands = || matches!(self.game.0.need(), Need::Shuffle(_));
        let is_abandoned =
            self.timing.as_ref().is_some_and(|timing| timing.is_abandoned()) && between_hands();
        if is_abandoned { Some(self.game.0.standings()) } else { self.game.0.outcome() }
    }

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
        self.game.0.chance(outcome, facts).map_err(|error| error.to_string())?;
        self.chances += 1;
        Ok(())
    }
}
