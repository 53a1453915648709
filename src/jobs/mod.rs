//! What happens without a request: clocks run out, bots move, games are rated, and unused things expire.

pub mod expiry;
pub mod scheduler;
