//! Why something was not done.

use std::sync::Arc;

use cardroom_core::rules::Refusal;
use cardroom_core::table::{Fault, Table};
use uuid::Uuid;

use crate::store::error::StoreError;

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is no such game, or this viewer may not know of it.
    #[error("there is no such game")]
    NotFound,
    /// There is no such version of it yet.
    #[error("the game has not come to this version")]
    NoSuchVersion,
    #[error("{refusal}")]
    Refused { refusal: Refusal, table: Option<Arc<Table>> },
    /// `If-Match` names another version.
    #[error("the game has moved on")]
    Stale(Arc<Table>),
    /// The caller is over their limit, and this command is not a legal action: only those are still done.
    #[error("the caller is over their limit")]
    OverLimit,
    /// The idempotency key came with another request before.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The budget for play by bots alone is used up: nothing more begins for so many seconds.
    #[error("nothing more is played by bots alone for {seconds} s")]
    BudgetUsedUp { seconds: u64 },
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A log that does not replay: a defect, or somebody changed it.
    #[error("game {0}: {1}")]
    Fault(Uuid, Fault),
    /// The same of a tournament.
    #[error("tournament {0}: {1}")]
    BrokenTournament(Uuid, String),
}

impl ServiceError {
    /// A refusal that shows no table.
    pub fn refused(refusal: Refusal) -> ServiceError {
        ServiceError::Refused { refusal, table: None }
    }

    /// Whether this log alone cannot be read, whatever becomes of others.
    pub fn is_of_one_log(&self) -> bool {
        use ServiceError::{BrokenTournament, Fault, Store};
        matches!(
            self,
            Fault(..) | BrokenTournament(..) | Store(StoreError::Archive(_) | StoreError::Secret(_))
        )
    }

    /// The same, but for an archive, which may be back later.
    pub fn is_of_one_log_for_good(&self) -> bool {
        self.is_of_one_log() && !matches!(self, ServiceError::Store(StoreError::Archive(_)))
    }

    /// The same error once more, for every caller that waited for the same replay.
    pub fn again(&self) -> ServiceError {
        match self {
            ServiceError::Store(StoreError::Unavailable(detail)) => {
                StoreError::Unavailable(detail.clone()).into()
            }
            ServiceError::Store(StoreError::Busy(what)) => StoreError::Busy(what).into(),
            ServiceError::Store(StoreError::Archive(detail)) => StoreError::Archive(detail.clone()).into(),
            ServiceError::Store(StoreError::Secret(row)) => StoreError::Secret(row.clone()).into(),
            ServiceError::Store(StoreError::Key(detail)) => StoreError::Key(detail.clone()).into(),
            ServiceError::Fault(id, fault) => ServiceError::Fault(*id, fault.clone()),
            ServiceError::BrokenTournament(id, fault) => ServiceError::BrokenTournament(*id, fault.clone()),
            ServiceError::NotFound => ServiceError::NotFound,
            ServiceError::Refused { refusal, table } => {
                ServiceError::Refused { refusal: refusal.clone(), table: table.clone() }
            }
            other => StoreError::Broken(other.to_string()).into(),
        }
    }
}
