//! The standings of series that were asked for, as far as they fit into memory; and how many are counted at once.

use std::sync::Arc;

use cardroom_core::tournament::series::SeriesLine;
use moka::sync::Cache;
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

/// How many results of players are kept: each takes some 50 bytes.
const MOST_RESULTS: u64 = 500_000;
/// How many series are counted at once. Others wait.
const COUNTED_AT_ONCE: usize = 2;

/// A tournament; once it has finished and counts, at a version of its log, after its games were counted so often.
pub type Stamp = (Uuid, Option<(i32, i32)>);

/// Standings by series.
#[derive(Clone)]
pub struct SeriesCache {
    kept: Cache<Uuid, Arc<Kept>>,
    countings: Arc<Semaphore>,
}

struct Kept {
    stamps: Vec<Stamp>,
    lines: Arc<Vec<SeriesLine>>,
}

impl Default for SeriesCache {
    fn default() -> SeriesCache {
        let results = |kept: &Kept| kept.lines.iter().map(|line| 1 + line.results.len()).sum::<usize>();
        let kept = Cache::builder()
            .max_capacity(MOST_RESULTS)
            .weigher(move |_, kept: &Arc<Kept>| u32::try_from(1 + results(kept)).unwrap_or(u32::MAX))
            .build();
        SeriesCache { kept, countings: Arc::new(Semaphore::new(COUNTED_AT_ONCE)) }
    }
}

impl SeriesCache {
    /// The standings that followed from these tournaments.
    pub fn known(&self, id: Uuid, stamps: &[Stamp]) -> Option<Arc<Vec<SeriesLine>>> {
        let kept = self.kept.get(&id)?;
        (kept.stamps == stamps).then(|| kept.lines.clone())
    }

    pub fn keep(&self, id: Uuid, stamps: Vec<Stamp>, lines: Arc<Vec<SeriesLine>>) {
        self.kept.insert(id, Arc::new(Kept { stamps, lines }));
    }

    pub fn forget(&self, id: Uuid) {
        self.kept.invalidate(&id);
    }

    /// Waits until this caller may count.
    pub async fn turn(&self) -> SemaphorePermit<'_> {
        self.countings.acquire().await.expect("it is never closed")
    }
}
