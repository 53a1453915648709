//! The API, as a client meets it.

mod accounts;
pub mod app;
mod contract;
mod shell;
