//! Use cases: what the program does for whoever asks, over HTTP or otherwise.

pub mod room;
pub mod tables;
