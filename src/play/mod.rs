//! Use cases: what the program does for whoever asks, over HTTP or otherwise.

pub mod accounts;
pub mod audits;
pub mod error;
pub mod passwords;
pub mod room;
pub mod signing;
pub mod tables;
pub mod tokens;
