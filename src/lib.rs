//! cardroom: five card games over HTTP, every game an append-only log in PostgreSQL.

pub mod accounts;
pub mod app;
pub mod archive;
pub mod archive_files;
pub mod check;
pub mod cli;
pub mod clock;
pub mod config;
pub mod entropy;
pub mod games;
pub mod http;
pub mod jobs;
pub mod mail;
pub mod metrics;
pub mod personal_data;
pub mod ratings;
pub mod runtime;
pub mod store;
pub mod streams;
pub mod tournaments;
pub mod webhooks;
