//! Games as services: every command on a game, everything that is read of one, and the tables in memory.

pub mod audits;
pub mod bots;
pub mod budget;
pub mod cache;
pub mod cipher;
pub mod counts;
pub mod error;
pub mod past;
pub mod quotas;
pub mod reads;
pub mod rebuild;
pub mod rematch;
pub mod service;
pub mod snapshots;
pub mod uptime;
pub mod visibility;
