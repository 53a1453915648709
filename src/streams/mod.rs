//! What clients follow as it happens: games, the lobby, tournaments.

pub mod delayed;
pub mod dispatcher;
pub mod game;
pub mod lobby;
pub mod tickets;
pub mod tournament;
pub mod watch;
