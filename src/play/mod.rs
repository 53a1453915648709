//! Use cases: what the program does for whoever asks, over HTTP or otherwise.

pub mod accounts;
pub mod audits;
mod bots;
pub mod error;
pub mod keeper;
pub mod passwords;
pub mod rematch;
pub mod room;
pub mod signing;
pub mod tables;
pub mod tickets;
pub mod tokens;
pub mod uptime;
pub mod watch;
pub mod watcher;
