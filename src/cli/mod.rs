//! The commands that look at games from outside: they need no database, and trust no claim without checking it.

mod audit;
mod replay;
mod source;

pub use audit::audit;
pub use replay::replay;

pub use source::Failure;
