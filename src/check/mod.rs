//! The whole database, checked: every log by itself, and every row that follows from a log against it.
//!
//! - `archives`: the files with the logs of old games
//! - `games`: the chains, the rules, the seeds, and the rows of games, players, hands and snapshots
//! - `tournaments`: the logs of tournaments, their rows, and their games
//! - `ratings`: the ratings, counted again
//!
//! Nothing is written. The service may run meanwhile.

mod archives;
mod games;
mod log;
mod ratings;
mod tournaments;

use std::fmt::Debug;
use std::time::{Duration, Instant};

use uuid::Uuid;

use crate::games::archived::ArchivedLogs;
use crate::runtime::error::ServiceError;
use crate::store::database::Database;
use crate::store::error::StoreError;

/// How many logs are looked up at a time.
const PAGE: i64 = 200;
/// How often something is checked that is not as it should be: it may have changed between two reads.
const LOOKS: u32 = 3;
/// How often progress is told.
const TELL: Duration = Duration::from_secs(5);

/// What was checked.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// Files with archived games.
    pub archives: u64,
    pub games: u64,
    /// Of all games.
    pub entries: u64,
    pub tournaments: u64,
    /// Games that were counted for the ratings.
    pub rated_games: u64,
    pub ratings: u64,
    pub faults: u64,
}

/// How a check tells what it finds.
pub trait Told {
    /// Something is not as it should be. `what` names it, and `fault` says what is wrong, in words that tell no card.
    fn fault(&mut self, what: &str, fault: &str);
    /// How far it is: so many of so many.
    fn progress(&mut self, what: &str, done: u64, of: u64);
}

/// A check under way.
struct Check<'a> {
    database: &'a Database,
    archived: ArchivedLogs,
    told: &'a mut dyn Told,
    checked: Checked,
    /// Whether all files of archived games are as they were written.
    are_archives_right: bool,
    /// When progress was told last.
    told_at: Instant,
}

/// Checks everything. Memory is needed for one log at a time, and for the figures of all rated players.
///
/// # Errors
/// [`StoreError`] where the database does not answer, or a master key is missing: then not all was checked.
pub async fn check(database: &Database, told: &mut dyn Told) -> Result<Checked, StoreError> {
    let (archived, checked) = (ArchivedLogs::new(database), Checked::default());
    let mut check =
        Check { database, archived, told, checked, are_archives_right: false, told_at: Instant::now() };
    check.archives().await?;
    check.are_archives_right = check.checked.faults == 0;
    let (games, tournaments) = database.logs().await?;
    check.games(games.unsigned_abs()).await?;
    check.tournaments(tournaments.unsigned_abs()).await?;
    check.ratings().await?;
    Ok(check.checked)
}

impl Check<'_> {
    /// A fault of the database itself ends a check, and so does an archive that was right a moment ago and cannot be read
    /// now; a fault of a log is what a check looks for.
    fn fault_of(&self, error: ServiceError) -> Result<String, StoreError> {
        match error {
            ServiceError::Store(
                error @ (StoreError::Unavailable(_) | StoreError::Key(_) | StoreError::Busy(_)),
            ) => Err(error),
            ServiceError::Store(error @ StoreError::Archive(_)) if self.are_archives_right => Err(error),
            ServiceError::Fault(_, fault) => Ok(fault.to_string()),
            other => Ok(other.to_string()),
        }
    }

    fn faults(&mut self, what: &str, faults: &[String]) {
        for fault in faults {
            self.checked.faults += 1;
            self.told.fault(what, fault);
        }
    }

    fn progress(&mut self, what: &str, done: u64, of: u64) {
        if self.told_at.elapsed() >= TELL {
            self.told_at = Instant::now();
            self.told.progress(what, done, of.max(done));
        }
    }
}

/// What a row says, compared with what its log says.
struct Comparison(Vec<String>);

impl Comparison {
    fn of<T: PartialEq + Debug>(&mut self, column: &str, row: T, log: T) {
        if row != log {
            self.0.push(format!("{column}: the row has {row:?}, its log says {log:?}"));
        }
    }
}

fn named(what: &str, id: Uuid) -> String {
    format!("{what} {id}")
}
