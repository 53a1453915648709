//! Server-sent events.

pub mod account;
pub mod game;
pub mod sse;
pub mod tickets;
pub mod tournament;
