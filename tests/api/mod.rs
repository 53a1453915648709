//! The API, as a client meets it.

mod accounts;
pub mod app;
pub mod contract;
mod games;
mod hostile;
mod races;
mod shell;
mod statements;
mod walk;
