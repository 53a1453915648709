//! All integration tests, in one binary: builds are slow, and so is starting a database for each.

#![expect(clippy::unwrap_used, reason = "clippy excuses tests, but not the functions they share")]

#[path = "../examples/any_game.rs"]
#[expect(dead_code, reason = "the example's own main is not called from here")]
mod any_game;
mod api;
mod architecture;
mod attempt;
mod audits;
mod beside;
mod browser;
mod compatibility;
mod documents;
#[path = "../crates/local-postgres/tests/eventually.rs"]
mod eventually;
mod examples;
mod failover;
#[path = "../crates/local-postgres/tests/folder.rs"]
mod folder;
mod hosts;
mod kill;
mod migrations;
mod openapi;
mod program;
mod proxies;
#[path = "../crates/cardroom-core/tests/random/mod.rs"]
#[expect(dead_code, reason = "some of it is for the laws alone")]
mod random;
mod seed;
mod selfplay;
mod shards;
mod tls;
mod upgrade;

/// `kill -9` of a process.
fn kill_9(pid: &str) {
    let killed = std::process::Command::new("kill").args(["-9", pid]).status().unwrap();
    assert!(killed.success());
}
