//! The games' own law. Pure and synchronous: no input or output, no time, no randomness, no hash maps.
//!
//! A game is a value. It says what it waits for ([`Need`]), is told what came ([`Game::chance`],
//! [`Game::act`]), and can be asked what a seat may do and what a viewer may see. Nothing else changes it,
//! so the same chances and actions always lead to the same game.

pub mod action;
pub mod any_game;
pub mod betting;
pub mod bot;
pub mod canonical_action;
pub mod cards;
pub mod facts;
pub mod game;
pub mod guide;
pub mod hand_story;
pub mod json;
pub mod knights_heads;
pub mod menu;
pub mod odds;
pub mod outcome;
mod pot_story;
pub mod profile;
pub mod ranking;
pub mod refusal;
pub mod registry;
#[cfg(test)]
pub mod revised;
pub mod ricketts_hearts;
pub mod ritunas_favour;
pub mod royal_gambit;
pub mod scoring;
pub mod seats;
pub mod sevens;
pub mod stakes;
pub mod texts;

pub use self::facts::{Audience, Facts};
pub use self::game::{Chance, Game, Need, NotAsked, Secret, draw, play};
pub use self::outcome::{Best, Outcome, Placing};
pub use self::refusal::{Refusal, within};
pub use self::seats::{MAX_SEATS, PerSeat, Seat, SeatSet};
