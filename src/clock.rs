//! The only source of time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// Where the time comes from: the system, or a test that sets it.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    #[default]
    System,
    /// Microseconds since 1970, advanced by hand.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `start` until it is advanced.
    pub fn manual(start: Timestamp) -> Clock {
        Clock::Manual(Arc::new(AtomicI64::new(start.as_microsecond())))
    }

    /// The current time in whole microseconds, which is the precision of a log.
    pub fn now(&self) -> Timestamp {
        let micros = match self {
            Clock::System => {
                #[expect(clippy::disallowed_methods, reason = "this is the door")]
                let now = Timestamp::now();
                now.as_microsecond()
            }
            Clock::Manual(micros) => micros.load(Ordering::SeqCst),
        };
        Timestamp::from_microsecond(micros).expect("between the years -9999 and 9999")
    }

    /// Advances a manual clock; the system's clock advances by itself.
    pub fn advance(&self, seconds: i64) {
        if let Clock::Manual(micros) = self {
            micros.fetch_add(seconds * 1_000_000, Ordering::SeqCst);
        }
    }
}
