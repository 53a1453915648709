//! How many games somebody may have, and who may let bots play without a person.

use std::net::IpAddr;

use cardroom_core::log::entry::Event;
use cardroom_core::rules::Refusal;
use cardroom_core::table::Actor;
use cardroom_core::table::decide::Step;
use cardroom_core::tournament::{Command, NewEntrant, Tournament};
use jiff::Timestamp;
use uuid::Uuid;

use crate::accounts::is_guest;
use crate::games::budget::Rates;
use crate::games::error::PlayError;
use crate::games::service::{GameService, refused};
use crate::store::database::StoreError;
use crate::store::games::Change;
use crate::store::quotas::{BOT_GAMES_PER_ACCOUNT, GAMES_PER_ACCOUNT, GUEST_GAMES_PER_ADDRESS, Of, Quota};
use crate::tournaments::Tournaments;

/// What is allowed.
#[derive(Debug, Clone, Copy)]
pub struct Quotas {
    /// Open and active games, and tournaments, that one account may have made.
    pub games_per_account: u32,
    /// Open and active games that guests of one network may have made.
    pub guest_games_per_address: u32,
    /// Games without a person that one account may have under way.
    pub bot_games_per_account: u32,
    /// What the house may write by itself.
    pub unattended: Rates,
}

impl GameService {
    /// Notes which network an account's requests come from: what it has bots play is charged there, too.
    pub fn note_network(&self, actor: &Actor, network: IpAddr) {
        self.budget.note(actor.account, network);
    }

    /// The network of a guest, whose games are counted by it.
    pub(crate) fn guest_network(&self, actor: &Actor) -> Option<String> {
        let network = self.budget.network(actor.account).filter(|_| is_guest(actor));
        network.map(|network| network.to_string())
    }

    /// Judges a game that starts without a person: guests may not start it, nor anybody while the budget is used up.
    pub(crate) fn admit(&self, actor: &Actor, step: &Step, now: Timestamp) -> Result<(), PlayError> {
        if actor.admin || !starts(step) || step.table.has_people() {
            return Ok(());
        }
        is_no_guest(actor)?;
        self.is_within_budget(actor.account, now)
    }

    fn is_within_budget(&self, account: Uuid, now: Timestamp) -> Result<(), PlayError> {
        match self.budget.wait(account, now) {
            Some(wait) => Err(PlayError::BudgetUsedUp { seconds: wait.as_secs().unsigned_abs() + 1 }),
            None => Ok(()),
        }
    }

    /// The quotas that a change of the lists has to keep.
    pub(crate) fn quotas(&self, actor: &Actor, step: &Step) -> Vec<Change> {
        let mut quotas = Vec::new();
        if step.entries.first().is_some_and(|first| matches!(first.entry.event, Event::Created(_))) {
            quotas.push(self.quota(Of::Account(actor.account)));
            quotas.extend(self.guest_network(actor).map(|network| self.quota(Of::Network(network))));
        }
        if starts(step) && !step.table.has_people() && !actor.admin {
            quotas.push(self.quota(Of::Bots(actor.account)));
        }
        quotas.into_iter().map(Change::Within).collect()
    }

    pub(crate) fn quota(&self, of: Of) -> Quota {
        Quota { most: self.most(&of), of }
    }

    fn most(&self, of: &Of) -> u32 {
        let Quotas { games_per_account, guest_games_per_address, bot_games_per_account, .. } = self.quotas;
        match of {
            Of::Account(_) => games_per_account,
            Of::Network(_) => guest_games_per_address,
            Of::Bots(_) => bot_games_per_account,
        }
    }

    /// The refusal, where a quota is what stood in the way.
    pub(crate) fn over_quota(&self, error: StoreError) -> PlayError {
        let StoreError::Constraint(name) = &error else { return error.into() };
        let Quotas { games_per_account, guest_games_per_address, bot_games_per_account, .. } = self.quotas;
        let detail = match name.as_str() {
            GAMES_PER_ACCOUNT => {
                format!(
                    "you have made {games_per_account} games and tournaments that are not over; end some first"
                )
            }
            GUEST_GAMES_PER_ADDRESS => format!(
                "guests of your network have made {guest_games_per_address} games that are not over; end some first, \
                 or register"
            ),
            BOT_GAMES_PER_ACCOUNT => format!(
                "bots play at most {bot_games_per_account} games without a person for you at a time; \
                 wait until one is over"
            ),
            _ => return error.into(),
        };
        refused(Refusal::new("too_many_games", detail))
    }
}

impl Tournaments {
    /// As [`GameService::note_network`].
    pub fn note_network(&self, actor: &Actor, network: IpAddr) {
        self.games.note_network(actor, network);
    }

    /// Judges what has bots play at tables without a person: guests enter none, nor does a tournament with bots start
    /// while the budget of whoever made it is used up.
    pub(crate) fn admit(
        &self,
        actor: &Actor,
        tournament: &Tournament,
        command: &Command,
        now: Timestamp,
    ) -> Result<(), PlayError> {
        let is_bot = |row: &NewEntrant| matches!(row, NewEntrant::Bot { .. });
        match command {
            _ if actor.admin => Ok(()),
            Command::EnterBot { .. } => is_no_guest(actor),
            Command::EnterMany(rows) if rows.iter().any(is_bot) => is_no_guest(actor),
            Command::Start if tournament.entrants().iter().any(|listed| listed.entrant.is_bot()) => {
                let (payer, budget) = (tournament.organisers()[0].account, &self.games.budget);
                if let Some(network) = budget.network(actor.account) {
                    budget.note(payer, network);
                }
                self.games.is_within_budget(payer, now)
            }
            _ => Ok(()),
        }
    }
}

fn starts(step: &Step) -> bool {
    step.entries.iter().any(|sealed| matches!(sealed.entry.event, Event::Started(_)))
}

fn is_no_guest(actor: &Actor) -> Result<(), PlayError> {
    if !is_guest(actor) {
        return Ok(());
    }
    let detail = "bots play without a person only for accounts that have a name and a password; \
                  take a seat, or upgrade the guest by POST /v1/auth/upgrade";
    Err(refused(Refusal::new("account_required", detail)))
}
