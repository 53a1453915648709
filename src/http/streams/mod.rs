//! Server-sent events.

pub mod game;
pub mod sse;
pub mod tournament;
