//! The OpenAPI document: what the handlers declare, and what the kinds of games add to it.

pub use crate::table::view::{Domain, LegalAction};
