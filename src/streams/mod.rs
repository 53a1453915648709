//! What clients follow as it happens: games, the lobby, tournaments, and all that concerns an account.

pub mod account;
pub mod checkpoint;
pub mod cursor;
pub mod delayed;
pub mod game;
pub mod lobby;
mod participation;
pub mod standings;
pub mod tickets;
pub mod tournament;
