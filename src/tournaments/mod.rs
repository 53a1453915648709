//! Tournaments as services. Like a game, a tournament is a log that every replica reads; the replica that appends first
//! was first.

pub mod audits;
pub mod comparisons;
pub mod log;
pub mod luck;
pub mod rebuild;
mod rotation;
pub mod rounds;
pub mod seed;
pub mod series;
pub mod series_cache;
pub mod series_standings;
pub mod service;
pub mod standings;
