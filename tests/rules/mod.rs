//! What the sources of the games say, a test a sentence.

mod ritunas_favour;
mod royal_gambit;
mod sevens;
