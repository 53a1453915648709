//! What a command does to a tournament: the entries that follow from it, or why it is refused.

use jiff::Timestamp;
use uuid::Uuid;

use super::command::{Command, NewEntrant};
use super::details::Details;
use super::entrants::{Organiser, Person, Role};
use super::game_results::GameResults;
use super::log::{Created, Disqualified, Ended, TournamentEntry, TournamentEvent, Withdrawn};
use super::pairing;
use super::setup::Setup;
use super::state::{Departure, Registration, Status, Tournament};
use super::versions::{PairingVersion, TieBreakVersion};
use crate::log::entry::{By, Time};
use crate::log::fairness::Seed;
use crate::rules::Refusal;

/// The most characters of the reason for a disqualification.
pub const REASON_MAX: usize = 200;

/// What follows: entries to be appended, all or none, and the tournament after them.
#[derive(Debug)]
pub struct Step {
    pub tournament: Tournament,
    /// Each with its canonical JSON.
    pub entries: Vec<(TournamentEntry, String)>,
    /// Whether it follows from what an administrator of the house does.
    is_admin: bool,
}

impl Tournament {
    /// Creates a tournament. `id` and `seed` are fresh.
    pub fn create(
        id: Uuid,
        seed: Seed,
        organiser: &Person,
        (setup, details): (Setup, Details),
        at: Timestamp,
    ) -> Step {
        let created = Created {
            setup,
            details,
            organiser: organiser.owner(),
            commitment: seed.commitment(),
            tie_breaks: TieBreakVersion::NEWEST,
            pairing: PairingVersion::NEWEST,
        };
        let event = TournamentEvent::Created(Box::new(created));
        let entry = TournamentEntry { seq: 1, at: Time(at), by: organiser.by(), by_admin: false, event };
        let tournament = Tournament::begin(id, seed, &entry).expect("a creation is what a log begins with");
        let text = entry.text();
        Step { tournament, entries: vec![(entry, text)], is_admin: false }
    }

    /// What follows from a command. The tournament itself is not changed.
    ///
    /// # Errors
    /// [`Refusal`] where it is not for this person, or not at this stage.
    pub fn decide(&self, actor: &Person, command: &Command, at: Timestamp) -> Result<Step, Refusal> {
        let mut step = Step { is_admin: actor.admin, ..self.step() };
        let at = at.max(self.at);
        let by = self.author(actor);
        if let Some(role) = command.role() {
            self.check_role(actor, role)?;
        }
        match command {
            Command::Enter(application) => {
                let (who, team) = self.enter(actor, application, at)?;
                step.enter(actor.by(), who, team, at);
            }
            Command::EnterMany(rows) => self.enter_many(&mut step, &by, rows, at)?,
            Command::EnterBot { policy, team } => {
                let row = NewEntrant::Bot { policy: *policy, team: team.clone() };
                self.enter_many(&mut step, &by, &[row], at)?;
            }
            Command::Withdraw => step.add(by, TournamentEvent::Withdrawn(self.withdraw(actor)?), at),
            Command::Disqualify { player, reason } => {
                step.add(by, TournamentEvent::Disqualified(self.disqualify(player, reason)?), at);
            }
            // Asking twice does no harm.
            Command::NameOrganiser { account, name, role } => {
                if let Some(named) = self.name_organiser(*account, name, *role)? {
                    step.add(by, TournamentEvent::OrganiserNamed(named), at);
                }
            }
            Command::DismissOrganiser { player } => {
                step.add(by, TournamentEvent::OrganiserDismissed(self.dismiss(actor, player)?), at);
            }
            Command::CallReferee { text } => {
                step.add(by, TournamentEvent::RefereeCalled(self.call_referee(actor, text)?), at);
            }
            Command::CheckIn { player, is_present } => {
                self.check_in(&mut step, actor, player, *is_present, at)?
            }
            Command::Start => {
                self.check_open()?;
                self.check_enough()?;
                step.add(by, TournamentEvent::Started, at);
            }
            Command::Abort => {
                self.check_not_over()?;
                let server_seed = self.seed.reveal();
                step.add(by, TournamentEvent::Aborted(Ended { server_seed }), at);
            }
            _ => self.at_the_desk(&mut step, &by, command, at)?,
        }
        Ok(step)
    }

    fn withdraw(&self, actor: &Person) -> Result<Withdrawn, Refusal> {
        self.check_not_over()?;
        let registration =
            self.entrant_of(actor.account).filter(|registration| may_withdraw(registration.departure));
        let not_entered = || Refusal::new("not_entered", "you are not on the list of this tournament");
        Ok(Withdrawn { entrant: registration.ok_or_else(not_entered)?.entrant.number })
    }

    fn disqualify(&self, player: &str, reason: &str) -> Result<Disqualified, Refusal> {
        if self.status == Status::Aborted {
            return Err(over());
        }
        let entrant = self.find(player)?;
        if !(1..=REASON_MAX).contains(&reason.chars().count()) {
            let detail = format!("reason: 1 to {REASON_MAX} characters");
            return Err(Refusal::new("invalid_body", detail));
        }
        Ok(Disqualified { entrant, reason: reason.to_owned() })
    }

    /// What the house does once all tables of the running round have ended, one entry at a time: it notes who did not play,
    /// draws the next round, or ends the tournament. In an arena it draws the next round while others run. Nothing
    /// otherwise. `ids` gives fresh ids, for games and for what duplicate tables share.
    pub fn advance(&self, game_results: &GameResults, at: Timestamp, ids: &mut dyn FnMut() -> Uuid) -> Step {
        let mut step = self.step();
        if self.status != Status::Active {
            return step;
        }
        // What the house does comes after the games from which it follows, whatever other replicas' clocks say.
        let clock = at;
        let at = clock.max(self.at).max(game_results.newest());
        // Once an arena seats nobody any more, there is no round from which anybody could be absent.
        let goes_on = !self.setup().is_arena() || self.arena_runs(at);
        let event = match goes_on.then(|| self.round_ended(game_results)).flatten() {
            Some(ended) => Some(TournamentEvent::RoundEnded(ended)),
            None if self.is_paused => None,
            None if self.setup().is_arena() => self.arena_next(game_results, (at, clock), ids),
            None => pairing::next(self, game_results, ids),
        };
        if let Some(event) = event {
            step.add(By::System {}, event, at);
        }
        step
    }

    /// Calls an open tournament off on behalf of the house, because nobody starts it. Nothing follows where it is not
    /// open.
    pub fn call_off(&self, at: Timestamp) -> Step {
        let mut step = self.step();
        if self.status == Status::Open {
            let server_seed = self.seed.reveal();
            step.add(By::System {}, TournamentEvent::Aborted(Ended { server_seed }), at.max(self.at));
        }
        step
    }

    /// The end, which shows the seed.
    pub(super) fn end_event(&self) -> TournamentEvent {
        TournamentEvent::Finished(Ended { server_seed: self.seed.reveal() })
    }

    /// Nothing has happened yet.
    fn step(&self) -> Step {
        Step { tournament: self.clone(), entries: Vec::new(), is_admin: false }
    }

    pub(super) fn check_open(&self) -> Result<(), Refusal> {
        match self.status {
            Status::Open => Ok(()),
            Status::Active => Err(Refusal::new("tournament_not_open", "the tournament has started")),
            Status::Finished | Status::Aborted => Err(over()),
        }
    }

    pub(super) fn check_not_over(&self) -> Result<(), Refusal> {
        if self.is_over() { Err(over()) } else { Ok(()) }
    }

    /// What counts can be changed until the tournament is called off, also after its end.
    pub(super) fn check_not_aborted(&self) -> Result<(), Refusal> {
        if self.status == Status::Aborted { Err(over()) } else { Ok(()) }
    }

    /// Enough for a table, or for two where tables are compared.
    fn check_enough(&self) -> Result<(), Refusal> {
        let (here, least) = (self.present(), pairing::fewest(self.setup(), self.kind()));
        if here < least {
            let what = if self.setup().check_in_minutes.is_some() { "are there" } else { "have entered" };
            let detail = format!("{here} {what}; it takes at least {least}");
            return Err(Refusal::new("too_few_entrants", detail));
        }
        Ok(())
    }

    /// The entrant whom the standings call so.
    pub(super) fn find(&self, player: &str) -> Result<u32, Refusal> {
        let there = |registration: &&Registration| {
            !matches!(
                registration.departure,
                Some(Departure::TakenOff | Departure::Waiting | Departure::Disqualified)
            )
        };
        let named =
            self.entrants.iter().filter(there).find(|registration| registration.entrant.is_named(player));
        named
            .map(|registration| registration.entrant.number)
            .ok_or_else(|| Refusal::new("entrant_not_found", format!("no {player} is in this tournament")))
    }
}

impl Step {
    /// Lets an event happen, and writes it down.
    pub(super) fn add(&mut self, by: By, event: TournamentEvent, at: Timestamp) {
        let by_admin = self.is_admin && !self.tournament.may_cause(&by, &event);
        let entry = TournamentEntry { seq: self.tournament.version + 1, at: Time(at), by, by_admin, event };
        // A log with an entry that cannot be would never be read again.
        assert_eq!(self.tournament.check(&entry.event, at), Ok(()), "the log would refuse this entry");
        self.tournament.apply(&entry);
        let text = entry.text();
        self.entries.push((entry, text));
    }
}

impl Person {
    fn by(&self) -> By {
        By::Player { player: self.username.clone() }
    }

    fn owner(&self) -> Organiser {
        Organiser { account: self.account, name: self.username.clone(), role: Role::Owner }
    }
}

/// A player who got no place can give up waiting for one, and one who is absent need not come back.
pub(super) fn may_withdraw(departure: Option<Departure>) -> bool {
    matches!(departure, None | Some(Departure::Waiting | Departure::Absent))
}

pub(super) fn over() -> Refusal {
    Refusal::new("tournament_over", "the tournament is over")
}

pub(super) fn not_begun() -> Refusal {
    Refusal::new("tournament_not_active", "the tournament has not started")
}
