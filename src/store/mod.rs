//! SQL, and nothing but SQL: what is stored here means something only further up.

pub mod accounts;
pub mod append;
mod connect;
pub mod database;
pub mod deadlines;
pub mod embedded;
pub mod ended;
pub mod expiry;
pub mod games;
mod gather;
pub mod keys;
pub mod lobby;
pub mod log;
pub mod networks;
pub mod played;
pub mod quotas;
pub mod ratings;
pub mod readiness;
pub mod schema;
mod session;
pub mod snapshots;
pub mod tail;
pub mod tickets;
mod tls;
pub mod tournaments;
pub mod wake;
