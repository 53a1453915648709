//! Test messages that are under way: one of an account at a time, and few in all, so that tests of receivers that do not
//! answer hold up nobody's notices.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

/// How many test messages are under way at once. Further ones wait.
const AT_ONCE: usize = 16;

/// The test messages of this replica.
#[derive(Clone)]
pub struct Trials {
    accounts: Arc<Mutex<HashSet<Uuid>>>,
    permits: Arc<Semaphore>,
}

impl Default for Trials {
    fn default() -> Trials {
        Trials { accounts: Arc::default(), permits: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

/// A test message's place, free again when this is dropped.
pub struct Trial {
    account: Uuid,
    accounts: Arc<Mutex<HashSet<Uuid>>>,
    permit: Option<OwnedSemaphorePermit>,
}

impl Trials {
    /// A place for a test message of this account; none while another one of it is under way.
    pub async fn begin(&self, account: Uuid) -> Option<Trial> {
        if !self.accounts.lock().unwrap_or_else(PoisonError::into_inner).insert(account) {
            return None;
        }
        let mut trial = Trial { account, accounts: self.accounts.clone(), permit: None };
        trial.permit = self.permits.clone().acquire_owned().await.ok();
        Some(trial)
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        self.accounts.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.account);
    }
}
