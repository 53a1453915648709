//! All integration tests, in one binary: builds are slow, and so is starting a database for each.

#![expect(clippy::unwrap_used, reason = "clippy excuses tests, but not the functions they share")]

mod api;
mod architecture;
mod embedded;
mod laws;
mod ledger;
mod openapi;
mod playthroughs;
mod rules;
mod table;
