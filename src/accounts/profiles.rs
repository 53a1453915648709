//! What everybody may know of a player.

use uuid::Uuid;

use crate::accounts::{AccountError, Accounts, is_username};
use crate::store::accounts::{self, Account};
use crate::store::profiles::{self, FinishedGame, RatedGame, Tally};
use crate::store::ratings::RatingRow;

/// How many games of each kind a profile tells.
const GAMES: i64 = 10;

/// A player's public data.
pub struct Profile {
    pub account: Account,
    pub tallies: Vec<Tally>,
    pub ratings: Vec<RatingRow>,
    /// The newest of each kind that are finished, the newest first.
    pub games: Vec<FinishedGame>,
}

impl Accounts {
    /// A player's public data.
    ///
    /// # Errors
    /// [`AccountError::PlayerNotFound`].
    pub async fn profile(&self, username: &str) -> Result<Profile, AccountError> {
        let account = self.by_name(username).await?;
        let tallies = profiles::tallies(&self.database, account.id).await?;
        let games = profiles::newest_games(&self.database, account.id, GAMES).await?;
        let ratings = self.database.ratings_of(account.id).await?;
        Ok(Profile { account, tallies, ratings, games })
    }

    /// How a player's rating in a kind went, the newest game first: those before `before`, at most `limit`.
    ///
    /// # Errors
    /// [`AccountError::PlayerNotFound`].
    pub async fn rating_history(
        &self,
        username: &str,
        kind: &str,
        before: Option<i64>,
        limit: i64,
    ) -> Result<Vec<RatedGame>, AccountError> {
        Ok(self.rated_games(username, kind, before, limit).await?.1)
    }

    /// The same, and whose rating it is.
    ///
    /// # Errors
    /// [`AccountError::PlayerNotFound`].
    pub async fn rated_games(
        &self,
        username: &str,
        kind: &str,
        before: Option<i64>,
        limit: i64,
    ) -> Result<(Uuid, Vec<RatedGame>), AccountError> {
        let account = self.by_name(username).await?.id;
        Ok((account, profiles::rating_history(&self.database, account, kind, before, limit).await?))
    }

    /// The accounts whose names begin so, in any case, in the order of their names: those after `after`, at most `limit`.
    ///
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn find(&self, beginning: &str, after: &str, limit: i64) -> Result<Vec<Account>, AccountError> {
        let [beginning, after] = [beginning, after].map(str::to_lowercase);
        if beginning.contains('\0') || after.contains('\0') {
            return Ok(Vec::new());
        }
        Ok(profiles::search(&self.database, &beginning, &after, limit).await?)
    }

    /// Says for ever that an account is a program.
    ///
    /// # Errors
    /// [`AccountError::PlayerNotFound`] where the account is gone.
    pub async fn declare_program(&self, player: uuid::Uuid) -> Result<Account, AccountError> {
        accounts::declare_program(&self.database, player).await?.ok_or(AccountError::PlayerNotFound)
    }

    pub(super) async fn by_name(&self, username: &str) -> Result<Account, AccountError> {
        let found = match is_username(username) {
            true => accounts::by_username(&self.database, username).await?,
            false => None,
        };
        found.ok_or(AccountError::PlayerNotFound)
    }
}
