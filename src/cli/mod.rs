//! What commands print. `audit` and `replay` look at games from outside: they need no database, and trust no claim
//! without checking it. `selfplay` makes games that no card room has seen.

mod audit;
mod check;
mod interactive;
mod replay;
mod selfplay;
mod source;

pub use audit::audit;
pub use check::Findings;
pub use replay::replay;
pub use selfplay::{Misuse, planned, selfplay};

pub use source::Failure;
