//! A hand of Sevens that is over: the hands shown, unmatched chips and the pots.

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use super::facts::Why;
use super::hand::Cards;
use crate::rules::betting;
use crate::rules::seats::{MAX_SEATS, PerSeat, Seat};

/// A hand that is over, as far as everybody may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    pub hand: u16,
    pub dealer: Seat,
    /// What each seat showed; nothing where it did not.
    pub shown: PerSeat<Cards>,
    /// Chips that nobody matched, and the seat that took them back.
    pub unmatched: Option<(Seat, u32)>,
    /// The main pot first.
    pub awards: ArrayVec<Award, MAX_SEATS>,
}

pub type Award = betting::Award<Why>;
