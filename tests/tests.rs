//! All integration tests, in one binary: builds are slow, and so is starting a database for each.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod ledger;
mod rules;
mod table;
