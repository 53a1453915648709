//! The organisers of a tournament: the owner, directors and referees.

use std::sync::Arc;

use uuid::Uuid;

use super::acts::Dismissed;
use super::bounds::check_number;
use super::command::Command;
use super::entrants::{Organiser, Person, Role};
use super::state::Tournament;
use crate::rules::Refusal;

/// The most organisers of a tournament.
const MAX_ORGANISERS: usize = 20;
/// How often organisers may be named or dismissed.
const MAX_CHANGES: usize = 1000;

impl Command {
    /// The role that an organiser needs for it; none where it is not for organisers alone.
    pub(super) fn role(&self) -> Option<Role> {
        match self {
            Command::Enter(_)
            | Command::Withdraw
            | Command::CallReferee { .. }
            | Command::CheckIn { .. }
            // Organisers may step down by themselves.
            | Command::DismissOrganiser { .. } => None,
            Command::NameOrganiser { .. } => Some(Role::Owner),
            Command::EnterMany(_)
            | Command::EnterBot { .. }
            | Command::Disqualify { .. }
            | Command::Reinstate { .. }
            | Command::Replace { .. }
            | Command::ChangeTeam { .. }
            | Command::PrescribeTables { .. }
            | Command::Pause { .. }
            | Command::Resume
            | Command::Edit(_)
            | Command::Start
            | Command::Abort => Some(Role::Director),
            Command::Announce { .. }
            | Command::Penalise { .. }
            | Command::CancelPenalty { .. }
            | Command::PauseTable { .. }
            | Command::ResumeTable { .. }
            | Command::AddTime { .. }
            | Command::AnswerCall { .. }
            | Command::Redo { .. }
            | Command::SetResult { .. }
            | Command::CancelResult { .. } => Some(Role::Referee),
        }
    }
}

impl Tournament {
    /// The owner, and the organisers that the owner has named.
    pub fn organisers(&self) -> &[Organiser] {
        &self.organisers
    }

    pub fn is_organiser(&self, account: Uuid) -> bool {
        self.role_of(account).is_some()
    }

    /// None for an account that does not organise it.
    pub fn role_of(&self, account: Uuid) -> Option<Role> {
        self.organisers.iter().find(|organiser| organiser.account == account).map(|found| found.role)
    }

    /// The account that created it.
    pub fn owner(&self) -> &Organiser {
        &self.organisers[0]
    }

    pub(super) fn check_role(&self, actor: &Person, least: Role) -> Result<(), Refusal> {
        match self.role_of(actor.account) {
            _ if actor.admin => Ok(()),
            Some(role) if role >= least => Ok(()),
            _ if least == Role::Owner => {
                Err(Refusal::new("not_creator", "only the player who created the tournament may do this"))
            }
            None => Err(Refusal::new("not_organiser", "only its organisers may do this")),
            Some(_) => Err(Refusal::new("not_director", "a referee may not do this; ask a director")),
        }
    }

    /// Names an organiser, or gives one another role. None where the account has the role already.
    pub(super) fn name_organiser(
        &self,
        account: Uuid,
        name: &str,
        role: Role,
    ) -> Result<Option<Organiser>, Refusal> {
        self.check_not_over()?;
        if role == Role::Owner {
            return Err(Refusal::new(
                "invalid_body",
                "a tournament has one owner: the player who created it",
            ));
        }
        match self.role_of(account) {
            Some(known) if known == role => return Ok(None),
            // The owner is one already, and may do more.
            Some(Role::Owner) => return Ok(None),
            Some(_) => {}
            None => check_number("organisers", self.organisers.len(), MAX_ORGANISERS)?,
        }
        check_number("changes of its organisers", self.organiser_changes as usize, MAX_CHANGES)?;
        Ok(Some(Organiser { account, name: name.to_owned(), role }))
    }

    /// Dismisses an organiser. The owner does this, or the organiser who steps down.
    pub(super) fn dismiss(&self, actor: &Person, name: &str) -> Result<Dismissed, Refusal> {
        self.check_not_over()?;
        let named = self.organisers.iter().find(|organiser| organiser.name.eq_ignore_ascii_case(name));
        if named.is_none_or(|named| named.account != actor.account) {
            self.check_role(actor, Role::Owner)?;
        }
        let not_found = || Refusal::new("organiser_not_found", format!("{name} does not organise it"));
        let named = named.ok_or_else(not_found)?;
        if named.role == Role::Owner {
            return Err(Refusal::new("owner_stays", "the player who created a tournament stays its owner"));
        }
        check_number("changes of its organisers", self.organiser_changes as usize, MAX_CHANGES)?;
        Ok(Dismissed { account: named.account, player: named.name.clone() })
    }

    /// Whether this can stand here in the log.
    pub(super) fn can_be_named(&self, named: &Organiser) -> Result<(), String> {
        let can_be = match self.role_of(named.account) {
            None => true,
            Some(role) => role != Role::Owner && role != named.role,
        };
        if can_be && named.role != Role::Owner && !self.is_over() {
            return Ok(());
        }
        Err("they have this role already, or another one for good".to_owned())
    }

    /// Whether this can stand here in the log.
    pub(super) fn can_be_dismissed(&self, dismissed: &Dismissed) -> Result<(), String> {
        match self.role_of(dismissed.account) {
            Some(Role::Director | Role::Referee) if !self.is_over() => Ok(()),
            _ => Err("no such organiser can be dismissed".to_owned()),
        }
    }

    pub(super) fn apply_named(&mut self, named: &Organiser) {
        self.organiser_changes += 1;
        let organisers = Arc::make_mut(&mut self.organisers);
        match organisers.iter_mut().find(|organiser| organiser.account == named.account) {
            Some(known) => known.role = named.role,
            None => organisers.push(named.clone()),
        }
    }

    pub(super) fn apply_dismissed(&mut self, dismissed: &Dismissed) {
        self.organiser_changes += 1;
        Arc::make_mut(&mut self.organisers).retain(|organiser| organiser.account != dismissed.account);
    }
}
