//! Random games of every kind: numbers, options and orders, and games that are played with them. The server's tests
//! use them, too.

pub mod dice;
pub mod kinds;
pub mod options;
pub mod orders;
pub mod playing;
pub mod twins;
