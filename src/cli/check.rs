//! `cardroom check`: a line for each fault, and how far it is.

use crate::check::Told;

/// Prints faults to standard output and progress to standard error.
pub struct Findings;

impl Told for Findings {
    fn fault(&mut self, what: &str, fault: &str) {
        println!("WRONG  {what}: {fault}");
    }

    fn progress(&mut self, what: &str, done: u64, of: u64) {
        eprintln!("{what}: {done} of {of} are checked");
    }
}
