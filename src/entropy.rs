//! The only source of randomness.

use std::sync::{Arc, Mutex};

use jiff::Timestamp;
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};
use uuid::Uuid;

/// Where random bytes come from: the operating system, or a test's own sequence.
#[derive(Debug, Clone, Default)]
pub enum Entropy {
    #[default]
    System,
    /// The same bytes in every run, for tests only.
    Fixed(Arc<Mutex<StdRng>>),
}

impl Entropy {
    /// A sequence that depends only on `seed`.
    pub fn fixed(seed: u64) -> Entropy {
        Entropy::Fixed(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// Fresh random bytes, fit for secrets.
    ///
    /// # Panics
    /// Where the operating system provides no randomness: no cards can be dealt then.
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        match self {
            Entropy::System => SysRng.try_fill_bytes(&mut bytes).expect("the system gives random bytes"),
            Entropy::Fixed(rng) => rng.lock().expect("no test panics while it draws").fill_bytes(&mut bytes),
        }
        bytes
    }

    /// A new id (UUID version 7), which sorts by time.
    pub fn id(&self, now: Timestamp) -> Uuid {
        let millis = u64::try_from(now.as_millisecond()).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(millis, &self.bytes()).into_uuid()
    }
}
