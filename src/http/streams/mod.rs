//! Server-sent events.

pub mod account;
pub mod game;
pub mod sse;
pub mod standings;
pub mod tickets;
pub mod tournament;
