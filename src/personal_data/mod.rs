//! What is held about an account: its owner may have all of it, and may have it deleted. `docs/privacy.md` says what that
//! is.

pub mod deletion;
pub mod export;

use std::sync::Arc;

use crate::accounts::Accounts;
use crate::clock::Clock;
use crate::store::database::Database;
use crate::tournaments::service::Tournaments;

/// Exports accounts and deletes them.
#[derive(Clone)]
pub struct PersonalData {
    database: Database,
    accounts: Arc<Accounts>,
    tournaments: Tournaments,
    clock: Clock,
}

impl PersonalData {
    pub fn new(accounts: Arc<Accounts>, tournaments: Tournaments, clock: Clock) -> PersonalData {
        let database = tournaments.games.database.clone();
        PersonalData { database, accounts, tournaments, clock }
    }
}
