//! The API: one file for each resource, with its routes, its requests and answers, and its handlers.

pub mod accept;
pub mod accounts;
pub mod audit;
pub mod auth;
pub mod body;
pub mod bots;
pub mod conditions;
pub mod creation;
pub mod document;
pub mod games;
pub mod hands;
pub mod kinds;
pub mod limits;
pub mod lobby;
pub mod log;
pub mod middleware;
pub mod openapi;
pub mod page;
pub mod problem;
pub mod rematch;
pub mod service;
pub mod sse;
pub mod stream;
