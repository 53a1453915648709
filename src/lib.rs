//! cardroom: five card games over HTTP, every game an append-only log in PostgreSQL.

pub mod app;
pub mod cli;
pub mod clock;
pub mod config;
pub mod entropy;
pub mod http;
pub mod metrics;
pub mod play;
pub mod store;
