//! What an entry changes outside its log: the rows that lists, quotas and results are read from.

use cardroom_core::log::entry::{Event, Removed, Seated};
use cardroom_core::table::decide::{HashedEntry, Step};
use cardroom_core::table::view::AccountResult;
use cardroom_core::table::{Actor, Table, view};
use uuid::Uuid;

use crate::store::games::{Change, End, PlayerResult};
use crate::store::status::Status;

/// The accounts that take part from this step on.
pub(crate) fn seated(step: &Step, caller: Option<&Actor>) -> Vec<Uuid> {
    let account = |sealed: &HashedEntry| match &sealed.entry.event {
        Event::Created(_) => caller.map(|actor| actor.account),
        Event::Seated(Seated::Player { account, .. }) => Some(*account),
        _ => None,
    };
    step.entries.iter().filter_map(account).collect()
}

/// What an entry changes outside the log.
pub(crate) fn change(sealed: &HashedEntry, caller: Option<&Actor>, after: &Table) -> Option<Change> {
    let ended = |status| {
        let result = |result: AccountResult| PlayerResult {
            account: result.account,
            seat: i16::from(result.seat),
            placed: result.placed.map(|(place, score)| (i16::from(place), score)),
        };
        let results = after.results().into_iter().map(result).collect();
        Change::Ended(End { status, at: sealed.entry.at.0, results })
    };
    match &sealed.entry.event {
        Event::Seated(Seated::Player { account, .. }) => Some(Change::SatDown(*account)),
        Event::Seated(Seated::Bot { .. }) => Some(Change::BotSatDown),
        Event::Left => caller.map(|actor| Change::StoodUp(actor.account, sealed.entry.at.0)),
        Event::Removed(Removed { account: Some(account) }) => {
            Some(Change::StoodUp(*account, sealed.entry.at.0))
        }
        Event::Removed(Removed { account: None }) => Some(Change::BotRemoved),
        Event::Resigned => caller.map(|actor| Change::Resigned(actor.account)),
        Event::Started(_) => Some(Change::Started),
        Event::Aborted(_) => Some(ended(Status::Aborted)),
        Event::Finished(_) => Some(ended(Status::Finished)),
        Event::Paused(_) => Some(Change::ClocksStopped(true)),
        Event::Resumed => Some(Change::ClocksStopped(false)),
        Event::TimeAdded(added) => Some(Change::TimeAdded(sealed.entry.seat, added.seconds)),
        Event::Created(_)
        | Event::Moved(_)
        | Event::InviteRenewed
        | Event::AbortAgreed
        | Event::Chance(_)
        | Event::Acted(_) => None,
    }
}

impl From<view::Status> for Status {
    fn from(status: view::Status) -> Status {
        match status {
            view::Status::Open => Status::Open,
            view::Status::Active => Status::Active,
            view::Status::Finished => Status::Finished,
            view::Status::Aborted => Status::Aborted,
        }
    }
}
