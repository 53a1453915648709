//! Use cases: what the program does for whoever asks, over HTTP or otherwise.

pub mod accounts;
pub mod audits;
mod bots;
pub mod curtain;
pub mod error;
pub mod followers;
pub mod keeper;
mod news;
pub mod passwords;
mod points;
pub mod ratings;
mod reads;
mod rebuild;
pub mod rematch;
pub mod room;
mod rounds;
pub mod signing;
pub mod snapshots;
pub mod standings;
pub mod tables;
pub mod tickets;
pub mod tokens;
pub mod tournaments;
pub mod uptime;
pub mod watch;
pub mod watcher;
