//! How many games an account may have, and which accounts may let bots play without a person.

use std::net::IpAddr;

use cardroom_core::log::entry::Event;
use cardroom_core::rules::Refusal;
use cardroom_core::table::Actor;
use cardroom_core::table::decide::Step;
use jiff::Timestamp;
use uuid::Uuid;

use crate::accounts::is_guest;
use crate::games::budget::{Budget, Rates};
use crate::runtime::error::ServiceError;
use crate::store::accounts::ACCOUNT_DELETED;
use crate::store::error::StoreError;
use crate::store::games::Change;
use crate::store::participations::PARTICIPATIONS_PER_ACCOUNT;
use crate::store::quotas::{BOT_GAMES_PER_ACCOUNT, GAMES_PER_ACCOUNT, GUEST_GAMES_PER_ADDRESS, Of, Quota};

/// The limits, as they are set.
#[derive(Debug, Clone, Copy)]
pub struct QuotaLimits {
    /// Open and active games, and tournaments, that one account may have created.
    pub games_per_account: u32,
    /// Open and active games that guests of one network may have created.
    pub guest_games_per_address: u32,
    /// Games without a person that one account may have under way.
    pub bot_games_per_account: u32,
    /// Open and active games at which one account may sit, and as many tournaments that it may enter.
    pub participations_per_account: u32,
    /// What the house may write by itself.
    pub unattended: Rates,
}

/// Decides whether an account may create or start a game.
#[derive(Clone)]
pub struct Quotas {
    limits: QuotaLimits,
    budget: Budget,
}

impl Quotas {
    pub fn new(limits: QuotaLimits) -> Quotas {
        Quotas { budget: Budget::new(limits.unattended), limits }
    }

    /// Notes which network an account's requests come from: play by bots alone is charged to that network, too.
    pub fn note_network(&self, actor: &Actor, network: IpAddr) {
        self.budget.note(actor.account, network);
    }

    /// The network of a guest, whose games are counted by it.
    pub(crate) fn guest_network(&self, actor: &Actor) -> Option<String> {
        let network = self.budget.network(actor.account).filter(|_| is_guest(actor));
        network.map(|network| network.to_string())
    }

    /// Judges a game that starts without a person: a guest may not start it, and no account may while its budget is
    /// used up.
    pub(crate) fn admit(&self, actor: &Actor, step: &Step, now: Timestamp) -> Result<(), ServiceError> {
        if actor.admin || !starts(step) || step.table.has_people() {
            return Ok(());
        }
        is_no_guest(actor)?;
        self.is_within_budget(actor.account, now)
    }

    /// Refuses where the account has used up its budget of moves without a person.
    fn is_within_budget(&self, account: Uuid, now: Timestamp) -> Result<(), ServiceError> {
        match self.budget.wait(account, now) {
            Some(wait) => Err(ServiceError::BudgetUsedUp { seconds: wait.as_secs().unsigned_abs() + 1 }),
            None => Ok(()),
        }
    }

    /// The quotas that a change of the lists has to keep.
    pub(crate) fn of(&self, actor: &Actor, step: &Step) -> Vec<Change> {
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

    /// How many running games, and how many running tournaments, an account may take part in.
    pub(crate) fn participations(&self) -> u32 {
        self.limits.participations_per_account
    }

    pub(crate) fn quota(&self, of: Of) -> Quota {
        Quota { most: self.most(&of), of }
    }

    fn most(&self, of: &Of) -> u32 {
        let QuotaLimits { games_per_account, guest_games_per_address, bot_games_per_account, .. } =
            self.limits;
        match of {
            Of::Account(_) => games_per_account,
            Of::Network(_) => guest_games_per_address,
            Of::Bots(_) => bot_games_per_account,
        }
    }

    /// Judges the start of a tournament with bots. It is charged to the account that created the tournament.
    pub(crate) fn admit_tournament(
        &self,
        actor: &Actor,
        payer: Uuid,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        if let Some(network) = self.budget.network(actor.account) {
            self.budget.note(payer, network);
        }
        self.is_within_budget(payer, now)
    }

    /// When a game that plays without a person goes on: as soon as the budget has paid for what it has written.
    pub(crate) fn charge(&self, payer: Uuid, entries: usize, now: Timestamp) -> Timestamp {
        self.budget.charge(payer, entries, now)
    }

    /// The refusal, where the error comes from a quota.
    pub(crate) fn exceeded(&self, error: StoreError) -> ServiceError {
        let StoreError::Constraint(name) = &error else { return error.into() };
        let QuotaLimits { games_per_account, guest_games_per_address, bot_games_per_account, .. } =
            self.limits;
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
            PARTICIPATIONS_PER_ACCOUNT => {
                let most = self.limits.participations_per_account;
                format!(
                    "an account takes part in at most {most} games and {most} tournaments that are not over, and \
                     organisers can enter it in {most} more"
                )
            }
            ACCOUNT_DELETED => {
                return ServiceError::refused(Refusal::new("unauthorized", "the account has been deleted"));
            }
            _ => return error.into(),
        };
        ServiceError::refused(Refusal::new("too_many_games", detail))
    }
}

fn starts(step: &Step) -> bool {
    step.entries.iter().any(|sealed| matches!(sealed.entry.event, Event::Started(_)))
}

/// Refuses a guest.
pub(crate) fn is_no_guest(actor: &Actor) -> Result<(), ServiceError> {
    if !is_guest(actor) {
        return Ok(());
    }
    let detail = "bots play without a person only for accounts that have a name and a password; \
                  take a seat, or upgrade the guest by POST /v1/auth/upgrade";
    Err(ServiceError::refused(Refusal::new("account_required", detail)))
}
