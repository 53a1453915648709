//! What clients follow as it happens: games, the lobby, tournaments.

pub mod dispatcher;
pub mod followers;
pub mod tickets;
pub mod watch;
pub mod watcher;
