//! How cards of a kind are ranked, for clients that ask.

use serde_json::value::RawValue;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use crate::rules::refusal::Refusal;

/// Tells a client what some cards of a kind make.
#[derive(Debug, Clone, Copy)]
pub struct Ranking {
    /// One sentence, for the OpenAPI document.
    pub summary: &'static str,
    /// What the answer is, for the OpenAPI document.
    pub answer: &'static str,
    /// What is asked, and what is answered: names and JSON Schemas.
    pub schemas: fn() -> [(&'static str, RefOr<Schema>); 2],
    /// Answers. Both are JSON.
    ///
    /// # Errors
    /// `invalid_body`.
    pub rank: fn(&str) -> Result<Box<RawValue>, Refusal>,
}
