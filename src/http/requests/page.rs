//! Lists: a page at a time, by a cursor that stays valid while items are added.

use serde::Serialize;
use utoipa::ToSchema;

use crate::http::problem::Problem;

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The `cursor` of the next page; null on the last.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// A page of `limit` items out of `found`, which holds one more if there is a next page.
    pub fn of(found: impl Iterator<Item = T>, limit: i64, cursor: impl Fn(&T) -> String) -> Page<T> {
        let mut items: Vec<T> = found.collect();
        let limit = limit.unsigned_abs() as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| more).map(cursor);
        Page { items, next }
    }
}

/// The `limit` of a request: 1 to 200, 50 if left out.
///
/// # Errors
/// `invalid_parameter`.
pub fn limit(asked: Option<u16>) -> Result<i64, Problem> {
    match asked.unwrap_or(50) {
        limit @ 1..=200 => Ok(i64::from(limit)),
        _ => Err(Problem::new("invalid_parameter", "limit: 1 to 200")),
    }
}
