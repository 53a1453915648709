//! What the sources of the games say, a test a sentence.

mod knights_heads;
mod ricketts_hearts;
mod ritunas_favour;
mod royal_gambit;
mod sevens;
