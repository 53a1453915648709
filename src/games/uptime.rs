//! The time, and the outages: times in which no replica was up, which every clock of every game leaves out.

use std::sync::{Arc, PoisonError, RwLock};

use cardroom_core::table::turns::{Now, Outage};
use jiff::{SignedDuration, Timestamp};

use crate::clock::Clock;
use crate::store::database::Database;
use crate::store::deadlines::GRACE;
use crate::store::error::StoreError;

/// How often a replica says that it is up.
const BEAT: SignedDuration = SignedDuration::from_secs(1);
/// The longest turn and the longest reserve together are two weeks: no clock asks for older outages.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(15 * 24);

/// What this replica knows of the time.
#[derive(Clone)]
pub struct Uptime {
    database: Database,
    clock: Clock,
    known: Arc<RwLock<Known>>,
}

struct Known {
    /// When this replica last said that it is up.
    beaten: Timestamp,
    outages: Arc<[Outage]>,
}

/// The time, with the outages that were known at it.
pub struct Present {
    pub at: Timestamp,
    pub outages: Arc<[Outage]>,
}

impl Present {
    pub fn now(&self) -> Now<'_> {
        Now { at: self.at, outages: &self.outages }
    }
}

impl Uptime {
    /// Says that this replica is up, and reads what was missed.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn begin(database: Database, clock: Clock) -> Result<Uptime, StoreError> {
        let known = come_up(&database, clock.now()).await?;
        Ok(Uptime { database, clock, known: Arc::new(RwLock::new(known)) })
    }

    pub fn now(&self) -> Present {
        let mut outages = self.known.read().unwrap_or_else(PoisonError::into_inner).outages.clone();
        let at = self.clock.now();
        // The clock has been put back. The next beat strikes such outages out.
        let is_to_come = |outage: &Outage| outage.until > at + GRACE;
        if outages.iter().any(is_to_come) {
            outages = outages.iter().copied().filter(|outage| !is_to_come(outage)).collect();
        }
        Present { at, outages }
    }

    /// Says that this replica is up, if it has not just done so. A replica that was last heard of too long ago, or
    /// whose clock was put back, reads anew what the others may have written down.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn beat(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let silent = now.duration_since(self.known.read().unwrap_or_else(PoisonError::into_inner).beaten);
        if silent < BEAT && silent >= -GRACE {
            return Ok(());
        }
        if silent.abs() <= GRACE && self.database.beat(now).await? {
            self.known.write().unwrap_or_else(PoisonError::into_inner).beaten = now;
        } else {
            let known = come_up(&self.database, now).await?;
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = known;
        }
        Ok(())
    }
}

async fn come_up(database: &Database, now: Timestamp) -> Result<Known, StoreError> {
    let outages = database.come_up(now, now - REMEMBERED).await?;
    let outages = outages.into_iter().map(|(from, until)| Outage { from, until }).collect();
    Ok(Known { beaten: now, outages })
}
