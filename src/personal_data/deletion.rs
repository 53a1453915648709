//! Deletion of an account.

use cardroom_core::table::Actor;
use cardroom_core::table::decide::Command;
use cardroom_core::table::view::Status;
use cardroom_core::tournament;
use uuid::Uuid;

use crate::accounts::AccountError;
use crate::games::service::Conditions;
use crate::personal_data::PersonalData;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::participations::Topic;
use crate::store::personal_data::{self, Deleted};

/// Why an account is not deleted.
#[derive(Debug, thiserror::Error)]
pub enum DeletionError {
    #[error("you organise the tournament {0}, which is not over; end it or call it off first")]
    Organises(Uuid),
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

impl From<StoreError> for DeletionError {
    fn from(error: StoreError) -> DeletionError {
        DeletionError::Service(error.into())
    }
}

impl PersonalData {
    /// Deletes the player's account. The player leaves all games and tournaments first: seats at open games become free,
    /// the house plays for those at running ones, and open games of the player's own are called off.
    ///
    /// # Errors
    /// [`DeletionError::Organises`]; [`AccountError::WrongPassword`], unless the account is a guest's, which has none.
    pub async fn delete(&self, actor: Actor, password: String) -> Result<(), DeletionError> {
        // The row says whether there is a password: a token of the guest before the upgrade may still hold.
        match self.accounts.check_password(actor.account, password).await {
            Ok(_) | Err(AccountError::NoPassword) => {}
            Err(error) => return Err(error.into()),
        }
        if let Some(id) = personal_data::owned_tournament(&self.database, actor.account).await? {
            return Err(DeletionError::Organises(id));
        }
        self.leave(&actor).await?;
        match personal_data::delete(&self.database, actor.account, self.clock.now()).await? {
            Deleted::Done => {}
            Deleted::Owns(id) => return Err(DeletionError::Organises(id)),
        }
        // Somebody may have sat down with another session meanwhile. From now on nobody can.
        if let Err(error) = self.leave(&actor).await {
            tracing::error!(%error, account = %actor.account, "a deleted account may still sit at a game");
        }
        Ok(())
    }

    async fn leave(&self, actor: &Actor) -> Result<(), DeletionError> {
        for participation in self.database.running_participations(actor.account).await? {
            match participation.topic {
                Topic::Tournament(id) => {
                    let withdraw = tournament::Command::Withdraw;
                    for command in [withdraw].into_iter().chain(self.step_down(id, actor).await?) {
                        skip_refusal(self.tournaments.command(id, actor, &command, None).await)?;
                    }
                }
                Topic::Game(id) => self.leave_game(id, actor).await?,
            }
        }
        Ok(())
    }

    /// The command by which the account steps down as an organiser, if it is one. The tournament knows it by the name that it
    /// had when it was named.
    async fn step_down(&self, id: Uuid, actor: &Actor) -> Result<Option<tournament::Command>, DeletionError> {
        let tournament = match self.tournaments.look(id).await {
            Ok(tournament) => tournament,
            error => return Ok(skip_refusal(error).map(|()| None)?),
        };
        let named = tournament.organisers().iter().find(|organiser| organiser.account == actor.account);
        Ok(named.map(|named| tournament::Command::DismissOrganiser { player: named.name.clone() }))
    }

    async fn leave_game(&self, id: Uuid, actor: &Actor) -> Result<(), DeletionError> {
        let games = &self.tournaments.games;
        let table = match games.look(id, Some(actor)).await {
            Ok(table) => table,
            error => return Ok(skip_refusal(error)?),
        };
        let command = match table.status() {
            Status::Open if table.creator() == actor.account => Command::Abort,
            Status::Open => Command::StandUp,
            Status::Active => Command::Resign,
            Status::Finished | Status::Aborted => return Ok(()),
        };
        Ok(skip_refusal(games.command(id, actor, &command, &Conditions::default()).await)?)
    }
}

/// A refusal says that there is nothing to leave, or nothing that could be left any more: the player does not sit there, has
/// resigned, or the tournament is over. A log that nobody can read keeps nobody from going.
fn skip_refusal<T>(done: Result<T, ServiceError>) -> Result<(), ServiceError> {
    match done {
        Ok(_) | Err(ServiceError::Refused { .. } | ServiceError::NotFound) => Ok(()),
        Err(error) if error.is_of_one_log() => Ok(()),
        Err(error) => Err(error),
    }
}
