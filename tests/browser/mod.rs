//! The page in a real browser: what people can do there, and what it must not show or do.

mod check;
mod chromium;
mod cost;
mod desk;
mod line;
mod manners;
mod page;
mod pages;
mod pictures;
mod play;
mod player;
mod recorded;
mod recovery;
mod speed;
mod tournament;
mod watch;
