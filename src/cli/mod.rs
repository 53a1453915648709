//! The commands that look at games from outside: they need no database, and trust nobody's word.

mod audit;
mod replay;
mod source;

pub use audit::audit;
pub use replay::replay;

/// Why a command did not do what it was asked, in a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failure(String);
