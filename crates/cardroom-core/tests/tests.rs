//! The tests of the games, their logs and their tables, in one binary. None needs a database.

#![expect(clippy::unwrap_used, reason = "clippy excuses tests, but not the functions they share")]

mod audits;
mod bots;
mod clocks;
mod coverage;
mod forgeries;
mod hands;
mod laws;
mod levels;
mod log;
mod notices;
mod passed_cards;
mod playthroughs;
mod random;
mod reviews;
mod rules;
mod seating;
mod stopped_clocks;
mod table;
mod told;
