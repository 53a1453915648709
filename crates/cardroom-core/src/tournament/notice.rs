//! What a new entry of a tournament means to an account that organises it or has entered.

use uuid::Uuid;

use super::acts::{CallAnswered, RefereeCalled};
use super::log::{TournamentEntry, TournamentEvent};
use super::state::Tournament;
use crate::notice::Thousandths;
use crate::notice::{
    self, Announcement, Disqualified, MarkedAbsent, Notice, OrganiserNamed, Penalised, PlaceFreed,
    Reinstated, RoundDrawn, TournamentEntered, TournamentOver, TournamentReference, TournamentStarted,
    notice_id,
};

impl Tournament {
    /// What the newest entry means to an account; none where it does not concern the account. An entry brings an
    /// account at most one notice.
    pub fn notice(&self, entry: &TournamentEntry, account: Uuid) -> Option<Notice> {
        let entrant = self.entrant_of(account);
        let organises = self.is_organiser(account);
        if entrant.is_none() && !organises {
            return None;
        }
        let is_own = |number: u32| entrant.is_some_and(|registration| registration.entrant.number == number);
        let (id, at) = (notice_id(self.id, entry.seq), entry.at);
        let tournament = TournamentReference {
            id: self.id,
            name: self.setup().name.clone(),
            kind: self.kind().kind,
            version: entry.seq,
        };
        match &entry.event {
            TournamentEvent::Entered(entered) => {
                let is_entered = entered.account() == Some(account) && entry.is_by_others();
                is_entered.then_some(Notice::TournamentEntered(TournamentEntered { id, at, tournament }))
            }
            // The entrant who leaves may give their place to the first who waits.
            TournamentEvent::Withdrawn(_) | TournamentEvent::Disqualified(_)
                if self.moved_up(entry).is_some_and(is_own) =>
            {
                Some(Notice::PlaceFreed(PlaceFreed { id, at, tournament }))
            }
            TournamentEvent::Disqualified(gone) => {
                let reason = gone.reason.clone();
                is_own(gone.entrant).then_some(Notice::Disqualified(Disqualified {
                    id,
                    at,
                    tournament,
                    reason,
                }))
            }
            TournamentEvent::Announced(announced) => {
                let text = announced.text.clone();
                Some(Notice::Announcement(Announcement { id, at, tournament, text }))
            }
            TournamentEvent::Penalised(penalised) if is_own(penalised.entrant) => {
                let (reason, result) = (penalised.reason.clone(), Thousandths(penalised.result_thousandths));
                Some(Notice::Penalised(Penalised {
                    id,
                    at,
                    tournament,
                    reason,
                    result,
                    score: penalised.score,
                }))
            }
            TournamentEvent::RoundEnded(ended) => {
                let is_absent = ended.absent.iter().any(|&entrant| is_own(entrant));
                let round = ended.round;
                is_absent.then_some(Notice::MarkedAbsent(MarkedAbsent { id, at, tournament, round }))
            }
            TournamentEvent::RefereeCalled(called) if organises && !is_own(called.entrant) => {
                let RefereeCalled { call, entrant, text } = called.clone();
                let player = self.entrants().get(entrant as usize)?.entrant.name().to_owned();
                let called = notice::RefereeCalled { id, at, tournament, call, player, text };
                Some(Notice::RefereeCalled(called))
            }
            TournamentEvent::CallAnswered(answered) => {
                let CallAnswered { call, answer } = answered.clone();
                let asked = self.calls().get((call as usize).wrapping_sub(1))?.account;
                let answered = notice::CallAnswered { id, at, tournament, call, answer };
                (asked == Some(account)).then_some(Notice::CallAnswered(answered))
            }
            TournamentEvent::Reinstated(back) if is_own(back.entrant) => {
                Some(Notice::Reinstated(Reinstated { id, at, tournament }))
            }
            TournamentEvent::Replaced(replaced) if is_own(replaced.entrant) => {
                Some(Notice::TournamentEntered(TournamentEntered { id, at, tournament }))
            }
            TournamentEvent::Started => {
                Some(Notice::TournamentStarted(TournamentStarted { id, at, tournament }))
            }
            TournamentEvent::RoundBegan(began) => {
                let number = entrant
                    .filter(|registration| registration.departure.is_none())
                    .map(|registration| registration.entrant.number);
                if number.is_none() && !organises {
                    return None;
                }
                let sits = |seats: &[Option<u32>]| number.is_some() && seats.contains(&number);
                let table = began.tables.iter().find(|table| sits(&table.seats));
                if table.is_none() && self.setup().is_arena() {
                    return None;
                }
                Some(Notice::RoundDrawn(RoundDrawn {
                    id,
                    at,
                    tournament,
                    round: began.round,
                    table: table.map(|table| table.table),
                    game_id: table.map(|table| table.game),
                }))
            }
            TournamentEvent::TableRedone(redone) => {
                let began = self.rounds().get(usize::from(redone.round) - 1)?;
                let table = began.tables.get(usize::from(redone.table) - 1)?;
                let sits = entrant
                    .is_some_and(|registration| table.seats.contains(&Some(registration.entrant.number)));
                sits.then_some(Notice::RoundDrawn(RoundDrawn {
                    id,
                    at,
                    tournament,
                    round: redone.round,
                    table: Some(redone.table),
                    game_id: Some(redone.game),
                }))
            }
            TournamentEvent::Finished(_) | TournamentEvent::Aborted(_) => {
                Some(Notice::TournamentOver(TournamentOver { id, at, tournament, status: self.status() }))
            }
            TournamentEvent::OrganiserNamed(named) if named.account == account => {
                let role = named.role;
                Some(Notice::OrganiserNamed(OrganiserNamed { id, at, tournament, role }))
            }
            TournamentEvent::Created(_)
            | TournamentEvent::OrganiserNamed(_)
            | TournamentEvent::Withdrawn(_)
            | TournamentEvent::OrganiserDismissed(_)
            | TournamentEvent::TeamChanged(_)
            | TournamentEvent::TablesPrescribed(_)
            | TournamentEvent::PrescriptionCancelled(_)
            | TournamentEvent::Penalised(_)
            | TournamentEvent::PenaltyCancelled(_)
            | TournamentEvent::Reinstated(_)
            | TournamentEvent::Replaced(_)
            | TournamentEvent::Paused(_)
            | TournamentEvent::Resumed
            | TournamentEvent::CheckedIn(_)
            | TournamentEvent::CheckInCancelled(_)
            | TournamentEvent::Edited(_)
            | TournamentEvent::RefereeCalled(_)
            | TournamentEvent::TablePaused(_)
            | TournamentEvent::TableResumed(_)
            | TournamentEvent::TimeAdded(_)
            | TournamentEvent::ResultSet(_)
            | TournamentEvent::ResultCancelled(_) => None,
        }
    }
}
