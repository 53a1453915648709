//! Why something is refused.

use std::fmt::Display;
use std::ops::RangeInclusive;

/// Why something was refused: a stable word and a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Refusal {
    pub code: &'static str,
    pub detail: String,
}

impl Refusal {
    pub fn new(code: &'static str, detail: impl Into<String>) -> Refusal {
        Refusal { code, detail: detail.into() }
    }

    pub fn not_your_turn() -> Refusal {
        Refusal::new("not_your_turn", "the game does not wait for you")
    }

    pub fn illegal(detail: impl Into<String>) -> Refusal {
        Refusal::new("illegal_action", detail)
    }

    pub fn options(detail: impl Into<String>) -> Refusal {
        Refusal::new("invalid_options", detail)
    }
}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> String {
        refusal.detail
    }
}

/// Whether an option lies in its range.
///
/// # Errors
/// `invalid_options`, naming it and its bounds.
pub fn within<T: PartialOrd + Display>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<(), Refusal> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Refusal::options(format!("`{name}` is {value}, not within {}..{}", range.start(), range.end())))
}
