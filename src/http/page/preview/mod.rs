//! The picture of a hand that messengers show with a link to it.

pub mod canvas;
pub mod cards;
pub mod marks;
pub mod picture;
pub mod told;
