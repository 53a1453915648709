//! `cardroom check`: a line for each fault, and how far it is.

use crate::check::Told;

/// Prints faults to standard output and progress to standard error.
#[derive(Default)]
pub struct Findings {
    /// How many faults were printed.
    pub faults: u64,
}

impl Told for Findings {
    fn fault(&mut self, what: &str, fault: &str) {
        self.faults += 1;
        println!("WRONG  {what}: {fault}");
    }

    fn progress(&mut self, what: &str, done: u64, of: u64) {
        eprintln!("{what}: {done} of {of} are checked");
    }
}
