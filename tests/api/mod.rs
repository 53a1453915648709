//! The API, as a client meets it.

mod abandoned;
mod accounts;
pub mod app;
mod audits;
mod bots;
mod busy;
pub mod client;
mod clock_put_back;
mod clocks;
pub mod contract;
mod games;
mod hands;
mod hostile;
mod kinds;
pub mod leaderboards;
mod long_games;
mod races;
mod rematch;
mod secrets;
mod shell;
mod statements;
mod streams;
mod tournaments;
mod twins;
mod unattended;
mod walk;
mod worlds;
