//! The time, and the outages: times in which no replica was up, which every clock of every game leaves out.

use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use cardroom_core::table::turns::{Now, Outage};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Mutex;

use crate::clock::Clock;
use crate::store::database::Database;
use crate::store::deadlines::{CameUp, GRACE};
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
    catching_up: Arc<Mutex<()>>,
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
        let known = come_up(&database, &clock).await?;
        Ok(Uptime { database, clock, known: Arc::new(RwLock::new(known)), catching_up: Arc::default() })
    }

    pub fn now(&self) -> Present {
        let at = self.clock.now();
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        present(at, &known, || self.has_shards())
    }

    /// Says that this replica is up, if it has not just done so. A replica that was last heard of too long ago, or
    /// whose clock was put back, reads anew what the others may have written down.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn beat(&self) -> Result<(), StoreError> {
        let _turn = self.catching_up.lock().await;
        self.beat_in_turn().await
    }

    async fn beat_in_turn(&self) -> Result<(), StoreError> {
        let now = self.clock.now();
        let silent = self.silent(now);
        if silent < BEAT && silent >= -GRACE {
            return Ok(());
        }
        if silent.abs() <= GRACE && self.database.beat(now).await? {
            self.know().beaten = now;
            return Ok(());
        }
        let known = come_up(&self.database, &self.clock).await?;
        *self.know() = known;
        Ok(())
    }

    /// Makes sure that [`Uptime::now`] knows of an outage that has just ended. A player's request may be quicker than the
    /// next beat, and time in which they could not act is not theirs. With shards it knows that anyway, and no player waits
    /// for a server that has none of their games.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn catch_up(&self) -> Result<(), StoreError> {
        let is_silent = self.silent(self.clock.now()) > GRACE;
        if self.is_current() || (is_silent && self.has_shards()) {
            return Ok(());
        }
        // The first request does it for all.
        let _turn = self.catching_up.lock().await;
        if self.is_current() { Ok(()) } else { self.beat_in_turn().await }
    }

    fn has_shards(&self) -> bool {
        self.database.shards().is_some()
    }

    fn is_current(&self) -> bool {
        self.silent(self.clock.now()).abs() <= GRACE
    }

    /// For how long this replica has not said that it is up; negative where the clock was put back.
    fn silent(&self, now: Timestamp) -> SignedDuration {
        now.duration_since(self.known.read().unwrap_or_else(PoisonError::into_inner).beaten)
    }

    fn know(&self) -> RwLockWriteGuard<'_, Known> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The time, with the outages. `goes_on`: games go on while this replica cannot say that it is up.
fn present(at: Timestamp, known: &Known, goes_on: impl Fn() -> bool) -> Present {
    let mut outages = known.outages.clone();
    // A server with shards is away, and so all clocks stand still. It is written down when the server is back.
    if at.duration_since(known.beaten) > GRACE && goes_on() {
        let running = Outage { from: known.beaten, until: at };
        outages = outages.iter().copied().chain([running]).collect();
    }
    // The clock has been put back. The next beat strikes such outages out.
    let is_to_come = |outage: &Outage| outage.until > at + GRACE;
    if outages.iter().any(is_to_come) {
        outages = outages.iter().copied().filter(|outage| !is_to_come(outage)).collect();
    }
    Present { at, outages }
}

async fn come_up(database: &Database, clock: &Clock) -> Result<Known, StoreError> {
    let CameUp { at, outages } = database.come_up(clock, REMEMBERED).await?;
    let outages = outages.into_iter().map(|(from, until)| Outage { from, until }).collect();
    Ok(Known { beaten: at, outages })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::constant(1_763_640_000, 0);

    fn seconds(seconds: i64) -> Timestamp {
        NOON + SignedDuration::from_secs(seconds)
    }

    fn outage(from: i64, until: i64) -> Outage {
        Outage { from: seconds(from), until: seconds(until) }
    }

    #[test]
    fn while_a_server_with_shards_is_away_all_clocks_stand_still_and_elsewhere_they_wait_for_the_next_beat() {
        let known = Known { beaten: NOON, outages: [outage(-900, -600)].into() };
        let at = |after: i64, goes_on: bool| present(seconds(after), &known, || goes_on).outages.to_vec();
        let grace = GRACE.as_secs();
        for (after, goes_on) in [(grace, true), (grace + 1, false), (60, false), (-60, true)] {
            assert_eq!(at(after, goes_on), [outage(-900, -600)], "{after} {goes_on}");
        }
        assert_eq!(at(grace + 1, true), [outage(-900, -600), outage(0, grace + 1)]);
        assert_eq!(at(60, true), [outage(-900, -600), outage(0, 60)]);
    }

    #[test]
    fn outages_that_are_to_come_are_left_out_because_the_clock_was_put_back() {
        let known = Known { beaten: NOON, outages: [outage(-9000, -8000), outage(-900, -600)].into() };
        for goes_on in [true, false] {
            assert_eq!(*present(seconds(-3600), &known, || goes_on).outages, [outage(-9000, -8000)]);
        }
    }
}
