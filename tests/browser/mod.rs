//! The page in a real browser: what people can do there, and what it must not show or do.

mod arena;
mod certificates;
mod check;
mod chromium;
mod cost;
mod desk;
mod embedded;
mod line;
mod manners;
mod page;
mod pages;
mod pictures;
mod play;
mod player;
mod recorded;
mod recovery;
mod review;
mod rounds;
mod series;
mod session;
mod speed;
mod table;
mod tournament;
mod watch;
