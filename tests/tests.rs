//! All integration tests, in one binary: builds are slow, and so is starting a database for each.

mod ledger;
mod rules;
