//! What happens without a request: clocks run out, bots move, games are rated, notices are delivered, and unused things
//! expire.

pub mod deliveries;
mod disabled_webhooks;
pub mod expiry;
pub mod scheduler;
pub mod thinking;
