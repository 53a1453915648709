//! What a command does to a tournament: the entries that follow from it, or why it is refused.

use std::collections::HashSet;

use jiff::Timestamp;
use uuid::Uuid;

use super::command::{Command, NewEntrant};
use super::details::Details;
use super::entrants::{Entrant, Organiser, Who};
use super::game_results::GameResults;
use super::log::{Created, Disqualified, Ended, Entered, TournamentEntry, TournamentEvent, Withdrawn};
use super::pairing::{self, Next};
use super::setup::{Admission, MAX_ENTRANTS, Setup};
use super::state::{Departure, Person, Registration, Status, Tournament};
use super::versions::{PairingVersion, TieBreakVersion};
use crate::log::entry::{By, Time};
use crate::log::fairness::Seed;
use crate::rules::Refusal;

/// The most characters of a client seed.
pub const CLIENT_SEED_MAX: usize = 64;
/// The most characters of the reason for a disqualification.
pub const REASON_MAX: usize = 200;
/// The most organisers of a tournament.
pub const MAX_ORGANISERS: usize = 20;

/// What follows: entries to be appended, all or none, and the tournament after them.
#[derive(Debug)]
pub struct Step {
    pub tournament: Tournament,
    /// Each with its canonical JSON.
    pub entries: Vec<(TournamentEntry, String)>,
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
            organiser: organiser.named(),
            commitment: seed.commitment(),
            tie_breaks: TieBreakVersion::NEWEST,
            pairing: PairingVersion::NEWEST,
        };
        let event = TournamentEvent::Created(Box::new(created));
        let entry = TournamentEntry { seq: 1, at: Time(at), by: organiser.by(), event };
        let tournament = Tournament::begin(id, seed, &entry).expect("a creation is what a log begins with");
        let text = entry.text();
        Step { tournament, entries: vec![(entry, text)] }
    }

    /// What follows from a command. The tournament itself is not changed.
    ///
    /// # Errors
    /// [`Refusal`] where it is not for this person, or not at this stage.
    pub fn decide(&self, actor: &Person, command: &Command, at: Timestamp) -> Result<Step, Refusal> {
        let mut step = self.step();
        let at = at.max(self.at);
        let by = actor.by();
        match command {
            Command::Enter { client_seed, invite } => {
                let who = self.enter(actor, client_seed, invite.as_deref(), at)?;
                step.enter(by, who, at);
            }
            Command::EnterMany(rows) => {
                self.check_organiser(actor)?;
                self.check_can_be_entered()?;
                self.check_rows(rows)?;
                self.check_room(rows.len())?;
                for row in rows {
                    step.enter_row(by.clone(), row, at);
                }
            }
            Command::EnterBot { policy } => {
                self.check_organiser(actor)?;
                self.check_can_be_entered()?;
                self.check_room(1)?;
                step.enter_row(by, &NewEntrant::Bot { policy: *policy }, at);
            }
            Command::Withdraw => step.add(by, TournamentEvent::Withdrawn(self.withdraw(actor)?), at),
            Command::Disqualify { player, reason } => {
                self.check_organiser(actor)?;
                step.add(by, TournamentEvent::Disqualified(self.disqualify(player, reason)?), at);
            }
            Command::NameOrganiser { account, name } => {
                self.check_may_name(actor)?;
                // Asking twice does no harm.
                if !self.is_organiser(*account) {
                    let named = Organiser { account: *account, name: name.clone() };
                    step.add(by, TournamentEvent::OrganiserNamed(named), at);
                }
            }
            Command::CallReferee { text } => {
                step.add(by, TournamentEvent::RefereeCalled(self.call_referee(actor, text)?), at);
            }
            Command::CheckIn { player, is_present } => {
                self.check_in(&mut step, actor, player, *is_present, at)?
            }
            Command::Announce { .. }
            | Command::Penalise { .. }
            | Command::CancelPenalty { .. }
            | Command::Reinstate { .. }
            | Command::Replace { .. }
            | Command::Pause { .. }
            | Command::Resume
            | Command::PauseTable { .. }
            | Command::ResumeTable { .. }
            | Command::AddTime { .. }
            | Command::AnswerCall { .. }
            | Command::Redo { .. }
            | Command::SetResult { .. }
            | Command::CancelResult { .. }
            | Command::Edit(_) => {
                self.check_organiser(actor)?;
                self.at_the_desk(&mut step, &by, command, at)?;
            }
            Command::Start => {
                self.check_organiser(actor)?;
                self.check_open()?;
                self.check_enough()?;
                step.add(by, TournamentEvent::Started, at);
            }
            Command::Abort => {
                self.check_organiser(actor)?;
                self.check_not_over()?;
                let server_seed = self.seed.reveal();
                step.add(by, TournamentEvent::Aborted(Ended { server_seed }), at);
            }
        }
        Ok(step)
    }

    /// A player enters.
    fn enter(
        &self,
        actor: &Person,
        client_seed: &str,
        invite: Option<&str>,
        at: Timestamp,
    ) -> Result<Who, Refusal> {
        self.check_can_be_entered()?;
        self.check_registration(at)?;
        self.check_admission(actor, invite)?;
        self.check_room(1)?;
        if client_seed.chars().count() > CLIENT_SEED_MAX {
            let detail = format!("client_seed: at most {CLIENT_SEED_MAX} characters");
            return Err(Refusal::new("invalid_body", detail));
        }
        let Person { account, username: player, is_program: program, .. } = actor.clone();
        match self.entrant_of(account) {
            Some(registration) => Err(already(registration)),
            None => Ok(Who::Player { player, account, client_seed: client_seed.to_owned(), program }),
        }
    }

    fn withdraw(&self, actor: &Person) -> Result<Withdrawn, Refusal> {
        self.check_not_over()?;
        let registration =
            self.entrant_of(actor.account).filter(|registration| registration.departure.is_none());
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

    fn check_may_name(&self, actor: &Person) -> Result<(), Refusal> {
        self.check_not_over()?;
        if !actor.admin && self.organisers[0].account != actor.account {
            return Err(Refusal::new(
                "not_creator",
                "only the player who created the tournament may do this",
            ));
        }
        if self.organisers.len() >= MAX_ORGANISERS {
            let detail = format!("at most {MAX_ORGANISERS} run a tournament");
            return Err(Refusal::new("invalid_body", detail));
        }
        Ok(())
    }

    /// What the house does once all tables of the running round have ended, one entry at a time: it notes who did not play,
    /// draws the next round, or ends the tournament. Nothing otherwise. `ids` gives
    /// fresh ids, for games and for what duplicate tables share.
    pub fn advance(&self, game_results: &GameResults, at: Timestamp, ids: &mut dyn FnMut() -> Uuid) -> Step {
        let mut step = self.step();
        let ended = || (self.status == Status::Active).then(|| self.round_ended(game_results)).flatten();
        let event = match ended() {
            Some(ended) => TournamentEvent::RoundEnded(ended),
            None => match pairing::next(self, game_results, ids) {
                Next::Nothing => return step,
                Next::Round(began) => TournamentEvent::RoundBegan(began),
                Next::End => TournamentEvent::Finished(Ended { server_seed: self.seed.reveal() }),
            },
        };
        step.add(By::System {}, event, at.max(self.at));
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

    /// Nothing has happened yet.
    fn step(&self) -> Step {
        Step { tournament: self.clone(), entries: Vec::new() }
    }

    fn check_can_be_entered(&self) -> Result<(), Refusal> {
        if self.can_be_entered() { Ok(()) } else { self.check_open() }
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

    pub(super) fn check_organiser(&self, actor: &Person) -> Result<(), Refusal> {
        if actor.admin || self.is_organiser(actor.account) {
            return Ok(());
        }
        Err(Refusal::new("not_organiser", "only its organisers may do this"))
    }

    /// Organisers need no invite.
    fn check_admission(&self, actor: &Person, invite: Option<&str>) -> Result<(), Refusal> {
        match self.invite() {
            Some(word) if invite != Some(&word) && !self.is_organiser(actor.account) => {
                Err(Refusal::new("wrong_invite", "this tournament is entered with its invite"))
            }
            _ => Ok(()),
        }
    }

    fn check_room(&self, more: usize) -> Result<(), Refusal> {
        let max = match self.setup().admission {
            Admission::Limited { max } => max as usize,
            Admission::Open {} | Admission::Invite {} => MAX_ENTRANTS,
        };
        // An entrant that enters and withdraws makes the list longer, too.
        if self.entered() + more > max || self.entrants.len() + more > 2 * MAX_ENTRANTS {
            return Err(Refusal::new("tournament_full", format!("at most {max} play in it")));
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

    /// Enough for a table, or for two where tables are compared.
    fn check_enough(&self) -> Result<(), Refusal> {
        let (here, least) = (self.present().count(), pairing::fewest(self.setup(), self.kind()));
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
            !matches!(registration.departure, Some(Departure::TakenOff | Departure::Disqualified))
        };
        let named =
            self.entrants.iter().filter(there).find(|registration| registration.entrant.name() == player);
        named
            .map(|registration| registration.entrant.number)
            .ok_or_else(|| Refusal::new("entrant_not_found", format!("no {player} is in this tournament")))
    }
}

impl Step {
    fn enter_row(&mut self, by: By, row: &NewEntrant, at: Timestamp) {
        let who = match row.clone() {
            NewEntrant::Player { account, name, is_program: program } => {
                Who::Player { player: name, account, client_seed: String::new(), program }
            }
            NewEntrant::Bot { policy: bot } => {
                let alike = |who: &Who| matches!(who, Who::Bot { bot: other, .. } if *other == bot);
                let before =
                    self.tournament.entrants.iter().filter(|registration| alike(&registration.entrant.who));
                Who::Bot { bot, name: format!("{} {}", bot.as_str(), before.count() + 1) }
            }
        };
        self.enter(by, who, at);
    }

    fn enter(&mut self, by: By, who: Who, at: Timestamp) {
        let entrant = Entrant { number: self.tournament.entrants.len() as u32, who };
        self.add(by, TournamentEvent::Entered(Entered { entrant }), at);
    }

    /// Lets an event happen, and writes it down.
    pub(super) fn add(&mut self, by: By, event: TournamentEvent, at: Timestamp) {
        let entry = TournamentEntry { seq: self.tournament.version + 1, at: Time(at), by, event };
        debug_assert_eq!(self.tournament.check(&entry.event), Ok(()), "the log would refuse this entry");
        self.tournament.apply(&entry);
        let text = entry.text();
        self.entries.push((entry, text));
    }
}

impl Person {
    pub(super) fn by(&self) -> By {
        By::Player { player: self.username.clone() }
    }

    fn named(&self) -> Organiser {
        Organiser { account: self.account, name: self.username.clone() }
    }
}

pub(super) fn over() -> Refusal {
    Refusal::new("tournament_over", "the tournament is over")
}

fn already(registration: &Registration) -> Refusal {
    let detail = format!("{} is on the list already", registration.entrant.name());
    Refusal::new("already_entered", detail)
}
