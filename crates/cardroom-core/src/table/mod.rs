//! A game as its log: the state that the entries lead to. Pure.
//!
//! [`Table::evolve`] takes what has happened; [`decide`] says what happens next; [`view`] shows it to a viewer,
//! [`projection`] how it came about, and [`entry_update`] what a new entry brings.

pub mod awarded_hands;
mod checks;
mod clocks;
pub mod create;
pub mod decide;
pub mod entry_update;
mod evolve;
pub mod hand_result;
pub mod hands;
mod kind;
pub mod legal_action;
mod notice;
pub mod projection;
pub mod redaction;
mod seat_assignments;
mod seating;
pub mod snapshot;
mod state;
mod timing;
pub mod turns;
mod unattended;
#[cfg(test)]
mod versions;
pub mod view;

pub use self::clocks::MAX_TIME_ADDED;
pub use self::state::{Actor, Fault, Table};
