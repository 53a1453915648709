//! Waiting for what happens soon, but not at once. The server's tests use it, too.

use std::time::{Duration, Instant};

/// Asks again and again until there is an answer, within a bound that only a failure reaches: a busy machine may refuse
/// several requests, each after its own time limit of 30 s.
pub async fn eventually<T>(ask: impl AsyncFn() -> Option<T>) -> Option<T> {
    within(Duration::from_secs(180), ask).await
}

/// The same within a bound of the caller's choice.
pub async fn within<T>(bound: Duration, ask: impl AsyncFn() -> Option<T>) -> Option<T> {
    let began = Instant::now();
    while began.elapsed() < bound {
        if let Some(answer) = ask().await {
            return Some(answer);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    None
}
