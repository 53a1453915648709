//! The commands that look at games from outside: they need no database, and trust nobody's word.

mod audit;
mod replay;
mod source;

pub use audit::audit;
pub use replay::replay;

pub use source::Failure;
