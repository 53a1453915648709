//! What commands print. `audit` and `replay` look at games from outside: they need no database, and trust no claim
//! without checking it.

mod audit;
mod check;
mod replay;
mod source;

pub use audit::audit;
pub use check::Findings;
pub use replay::replay;

pub use source::Failure;
