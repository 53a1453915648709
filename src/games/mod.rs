//! Games as services: every command on a game, everything that is read of one, and what is written beside its log.

pub(crate) mod archive_format;
pub(crate) mod archived;
pub mod audits;
pub mod bots;
pub mod budget;
pub(crate) mod changes;
pub mod cipher;
pub mod counts;
pub mod decode;
pub mod dispatcher;
pub mod hand_results;
pub mod join;
pub mod lists;
pub mod log;
pub mod log_queries;
pub mod luck;
pub mod past;
pub mod quotas;
pub mod rematch;
pub mod replays;
pub mod reviews;
pub mod service;
pub mod snapshots;
pub mod uptime;
pub mod visibility;
pub mod watch;
