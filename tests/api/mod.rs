//! The API, as a client meets it.

mod accounts;
pub mod app;
pub mod contract;
mod games;
mod races;
mod shell;
mod walk;
