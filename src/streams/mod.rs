//! What clients follow as it happens: games, the lobby, tournaments.

pub mod account;
pub mod checkpoint;
pub mod cursor;
pub mod delayed;
pub mod game;
pub mod lobby;
pub mod tickets;
pub mod tournament;
