//! All integration tests, in one binary: builds are slow, and so is starting a database for each.

#![expect(clippy::unwrap_used, reason = "clippy excuses tests, but not the functions they share")]

#[path = "../examples/any_game.rs"]
#[expect(dead_code, reason = "the example's own main is not called from here")]
mod any_game;
mod api;
mod architecture;
mod audits;
mod beside;
mod bots;
mod clocks;
mod coverage;
mod embedded;
mod hosts;
mod kill;
mod laws;
mod ledger;
mod openapi;
mod playthroughs;
mod program;
mod proxies;
mod rules;
mod table;
mod tls;
