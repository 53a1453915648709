//! What requests have in common: headers, bodies, pages of lists.

pub mod accept;
pub mod body;
pub mod conditions;
pub mod incoming;
pub mod language;
pub mod objects;
pub mod page;
pub mod unchanged;
pub mod vary;
