//! A game as its log: the state that the entries lead to. Pure.
//!
//! [`Table::evolve`] takes what has happened; [`decide`] says what happens next; [`view`] shows it to somebody,
//! [`reading`] how it came about, and [`update`] what a new entry brings.

mod chairs;
pub mod decide;
pub mod entry_update;
pub mod hands;
mod kind;
pub mod making;
pub mod reading;
pub mod secrets;
pub mod snapshot;
pub mod standing;
mod state;
mod timing;
pub mod turns;
mod unattended;
#[cfg(test)]
mod versions;
pub mod view;

pub use self::state::{Actor, Fault, Table};
