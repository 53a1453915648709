//! cardroom: five card games over HTTP, every game an append-only log in PostgreSQL.

pub mod app;
pub mod audit;
pub mod bots;
pub mod cli;
pub mod clock;
pub mod config;
pub mod entropy;
pub mod http;
pub mod ledger;
pub mod metrics;
pub mod play;
pub mod rating;
pub mod rules;
pub mod store;
pub mod table;
pub mod tournament;
