//! What a new entry of a game means to an account that sits at the table or created the game.

use uuid::Uuid;

use super::entry_update::EntryUpdate;
use crate::log::entry::{By, Event, Seated, Time};
use crate::notice::{
    AbortAgreed, GameOver, GameReference, GameStarted, Notice, Removed, Resigned, SeatLeft, SeatTaken,
    YourTurn, notice_id,
};
use crate::rules::Seat;

impl EntryUpdate {
    /// What the entry means to an account; none where it does not concern the account. An entry brings an account at
    /// most one notice.
    pub fn notice(&self, account: Uuid) -> Option<Notice> {
        let (table, entry) = (&self.table, self.entry());
        let you = table.seat_of(account);
        let is_removed = matches!(entry.event, Event::Removed(_)) && self.left() == Some(account);
        if you.is_none() && table.creator() != account && !is_removed {
            return None;
        }
        // Most entries are moves, and tell only the seat that is to act next: that is found out first.
        let asked = you.filter(|&seat| self.asks(seat));
        let is_play = matches!(entry.event, Event::Created(_) | Event::Chance(_) | Event::Acted(_));
        if is_play && asked.is_none() {
            return None;
        }
        let (id, at) = (notice_id(table.id, table.version), entry.at);
        let game = GameReference { id: table.id, kind: table.kind(), version: table.version };
        let by = || match &entry.by {
            By::Player { player } => Some(player.clone()),
            _ => None,
        };
        match &entry.event {
            Event::Seated(seated) => {
                let seat = entry.seat?;
                let (player, bot) = match seated {
                    // A tournament seats its players itself.
                    _ if table.tournament().is_some() => return None,
                    Seated::Player { account: other, .. } if *other == account => return None,
                    Seated::Player { player, .. } => (Some(player.clone()), None),
                    Seated::Bot { bot, .. } => (None, Some(*bot)),
                };
                Some(Notice::SeatTaken(SeatTaken { id, at, game, seat, player, bot }))
            }
            Event::Removed(_) if is_removed => {
                Some(Notice::Removed(Removed { id, at, game, seat: entry.seat? }))
            }
            Event::Left | Event::Resigned if self.left() == Some(account) => None,
            Event::Left => {
                Some(Notice::SeatLeft(SeatLeft { id, at, game, seat: entry.seat?, player: by()? }))
            }
            Event::Resigned => {
                Some(Notice::Resigned(Resigned { id, at, game, seat: entry.seat?, player: by()? }))
            }
            Event::AbortAgreed if entry.seat == you => None,
            Event::AbortAgreed => {
                Some(Notice::AbortAgreed(AbortAgreed { id, at, game, seat: entry.seat?, player: by()? }))
            }
            Event::Removed(_)
            | Event::Moved(_)
            | Event::InviteRenewed
            | Event::Paused(_)
            | Event::Resumed
            | Event::TimeAdded(_) => None,
            Event::Started(_) => Some(Notice::GameStarted(GameStarted { id, at, game, seat: you })),
            Event::Finished(_) | Event::Aborted(_) => {
                let own = table.results().into_iter().find(|result| result.account == account);
                let (place, score) = own.and_then(|result| result.placed).unzip();
                let over = GameOver { id, at, game, status: table.status(), seat: you, place, score };
                Some(Notice::GameOver(over))
            }
            Event::Created(_) | Event::Chance(_) | Event::Acted(_) => {
                let deadline = table.deadline().map(Time);
                Some(Notice::YourTurn(YourTurn { id, at, game, seat: asked?, deadline }))
            }
        }
    }

    /// Whether an account that follows its games has to hear of the entry: it gets a notice of it, or has nothing more to
    /// follow.
    pub fn concerns(&self, account: Uuid) -> bool {
        self.table.is_over() || self.left() == Some(account) || self.notice(account).is_some()
    }

    /// Whether the seat has to act now, and had not before, or has just acted and has to act again.
    fn asks(&self, seat: Seat) -> bool {
        let is_new = !self.waited_for().contains(seat) || self.entry().seat == Some(seat);
        is_new && self.table.to_act().contains(seat) && !self.table.has_resigned(seat)
    }
}
