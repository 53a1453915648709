//! An audit asks more of an entry than a replay does: its author may do this, and there is a place for the entrant who comes.
//! A replay does not ask for that, so that a log in which it is wrong can still be read.

use uuid::Uuid;

use super::entrants::{Person, Role};
use super::log::{TournamentEntry, TournamentEvent};
use super::state::{Departure, Tournament};
use crate::log::entry::By;

impl Tournament {
    /// The reason why the next entry of the log is wrong, although it can follow; none if it is right.
    pub fn objection(&self, entry: &TournamentEntry) -> Option<String> {
        let as_admin = entry.by_admin && least_role(&entry.event).is_some();
        if !as_admin && !self.may_cause(&entry.by, &entry.event) {
            return Some("its author may not do this".to_owned());
        }
        let gone = |entrant: u32| self.entrants.get(entrant as usize)?.departure;
        let comes = match &entry.event {
            TournamentEvent::Entered(_) => self.check_room(1),
            TournamentEvent::Reinstated(reinstated) => self.check_place_is_free(gone(reinstated.entrant)),
            TournamentEvent::Replaced(replaced) if gone(replaced.entrant).is_some() => {
                self.check_place_is_free(gone(replaced.entrant))
            }
            TournamentEvent::CheckedIn(checked) if gone(checked.entrant) == Some(Departure::Absent) => {
                self.check_place_is_free(gone(checked.entrant))
            }
            _ => Ok(()),
        };
        comes.err().map(|refusal| format!("there is no place for another entrant: {}", refusal.detail))
    }

    /// Whether the author has the role that this event needs, or does it for themselves. What the house does is checked
    /// elsewhere.
    pub(super) fn may_cause(&self, by: &By, event: &TournamentEvent) -> bool {
        let By::Player { player } = by else { return true };
        let by_themselves = match event {
            TournamentEvent::Entered(entrant) => {
                !entrant.is_bot() && (entrant.name() == player || self.is_called(entrant.account(), player))
            }
            TournamentEvent::OrganiserDismissed(dismissed) => self.is_called(Some(dismissed.account), player),
            TournamentEvent::Withdrawn(gone) => self.is_entrant(gone.entrant, player),
            TournamentEvent::RefereeCalled(called) => self.is_entrant(called.entrant, player),
            TournamentEvent::CheckedIn(checked) => self.is_entrant(checked.entrant, player),
            TournamentEvent::CheckInCancelled(gone) => self.is_entrant(gone.entrant, player),
            _ => false,
        };
        by_themselves
            || least_role(event).is_some_and(|least| {
                let mut organisers = self.organisers.iter().filter(|organiser| organiser.role >= least);
                organisers.any(|organiser| self.is_called(Some(organiser.account), player))
            })
    }

    fn is_entrant(&self, entrant: u32, name: &str) -> bool {
        let registration = self.entrants.get(entrant as usize);
        registration.is_some_and(|registration| self.is_called(registration.entrant.account(), name))
    }

    /// Whether the log has called an account so.
    fn is_called(&self, account: Option<Uuid>, name: &str) -> bool {
        let organises = |account| {
            self.organisers.iter().any(|organiser| organiser.account == account && organiser.name == name)
        };
        let plays = |account| {
            let mut entrants = self.entrants.iter().map(|registration| &registration.entrant);
            entrants.any(|entrant| entrant.account() == Some(account) && entrant.name() == name)
        };
        account.is_some_and(|account| organises(account) || plays(account))
    }

    /// The author of what this person does. A guest may have taken another name since they came into the tournament; the
    /// log goes on to call them by the first, so that it shows whose act it was.
    pub(super) fn author(&self, actor: &Person) -> By {
        let organiser = self.organisers.iter().find(|organiser| organiser.account == actor.account);
        let known = organiser.map(|organiser| &*organiser.name);
        let known = known.or_else(|| Some(self.entrant_of(actor.account)?.entrant.name()));
        By::Player { player: known.unwrap_or(&actor.username).to_owned() }
    }
}

/// The role that an organiser needs to cause this; none where no organiser can.
fn least_role(event: &TournamentEvent) -> Option<Role> {
    match event {
        TournamentEvent::Created(_)
        | TournamentEvent::Withdrawn(_)
        | TournamentEvent::RefereeCalled(_)
        | TournamentEvent::RoundBegan(_)
        | TournamentEvent::RoundEnded(_)
        | TournamentEvent::Finished(_) => None,
        TournamentEvent::OrganiserNamed(_) | TournamentEvent::OrganiserDismissed(_) => Some(Role::Owner),
        TournamentEvent::Entered(_)
        | TournamentEvent::Disqualified(_)
        | TournamentEvent::TeamChanged(_)
        | TournamentEvent::TablesPrescribed(_)
        | TournamentEvent::PrescriptionCancelled(_)
        | TournamentEvent::Reinstated(_)
        | TournamentEvent::Replaced(_)
        | TournamentEvent::Paused(_)
        | TournamentEvent::Resumed
        | TournamentEvent::Edited(_)
        | TournamentEvent::Started
        | TournamentEvent::Aborted(_) => Some(Role::Director),
        TournamentEvent::Announced(_)
        | TournamentEvent::Penalised(_)
        | TournamentEvent::PenaltyCancelled(_)
        | TournamentEvent::CheckedIn(_)
        | TournamentEvent::CheckInCancelled(_)
        | TournamentEvent::TableRedone(_)
        | TournamentEvent::ResultSet(_)
        | TournamentEvent::ResultCancelled(_)
        | TournamentEvent::TablePaused(_)
        | TournamentEvent::TableResumed(_)
        | TournamentEvent::TimeAdded(_)
        | TournamentEvent::CallAnswered(_) => Some(Role::Referee),
    }
}
