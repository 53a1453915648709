//! Rematches: a game that is over is repeated by the players who sat at it.

use cardroom_core::rules::Refusal;
use cardroom_core::table::Actor;
use cardroom_core::table::decide::Command;
use uuid::Uuid;

use crate::games::service::{Conditions, Done, GameService};
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;

impl GameService {
    /// The game that repeats this one, if there is one yet.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn rematch_of(&self, id: Uuid) -> Result<Option<Uuid>, ServiceError> {
        Ok(self.database.rematch_of(id).await?)
    }

    /// Sits down at the game that repeats this one. The first player to ask creates it; a player who sits there already
    /// gets it as it is.
    ///
    /// # Errors
    /// `not_finished`, `not_seated`, and what [`GameService::create`] and [`GameService::command`] refuse.
    pub async fn rematch(
        &self,
        id: Uuid,
        actor: &Actor,
        client_seed: String,
        key: Option<(String, [u8; 32])>,
    ) -> Result<Done, ServiceError> {
        let played = self.look(id, Some(actor)).await?;
        let again = played.again(actor, client_seed.clone());
        let again = again.map_err(ServiceError::refused)?;
        if let Some(next) = self.rematch_of(id).await? {
            return self.sit_at_rematch(next, actor, client_seed, key).await;
        }
        match self.create(actor, again, key.clone(), Some(id)).await {
            // Another request was quicker.
            Err(ServiceError::Store(StoreError::Constraint(name))) if name == "games_rematch" => {
                let next = self.rematch_of(id).await?.ok_or(ServiceError::NotFound)?;
                self.sit_at_rematch(next, actor, client_seed, key).await
            }
            Ok(made) => {
                self.runtime.store.watch.participating(played.accounts().map(|(_, account)| account));
                Ok(made)
            }
            Err(error) => Err(error),
        }
    }

    async fn sit_at_rematch(
        &self,
        next: Uuid,
        actor: &Actor,
        client_seed: String,
        key: Option<(String, [u8; 32])>,
    ) -> Result<Done, ServiceError> {
        // The newest invite: another replica may have renewed it.
        let invite = self.runtime.look(next).await?.invite();
        let command = Command::Sit { client_seed, invite: Some(invite), seat: None };
        let conditions = Conditions { key, ..Conditions::default() };
        match self.command(next, actor, &command, &conditions).await {
            Err(ServiceError::Refused {
                refusal: Refusal { code: "already_seated", .. },
                table: Some(table),
            }) => Ok(Done { seq: table.version, hash: table.hash(), table, replayed: false }),
            sat => sat,
        }
    }
}
