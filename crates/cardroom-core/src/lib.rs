//! The games, their logs and tables, the tournaments, the audits, the ratings and the bots of cardroom: all that is
//! decided, and nothing that is done. No async, no input or output, no time and no randomness but what the caller
//! brings, so that it runs in a server, in a test and in a browser alike.

pub mod audit;
pub mod bots;
pub mod log;
pub mod notice;
pub mod rating;
pub mod review;
pub mod rules;
mod search;
pub mod selfplay;
pub mod table;
pub mod tournament;
