//! The API: one file for each resource, with its routes, its requests and answers, and its handlers.

pub mod openapi;
pub mod problem;
