//! Series: their tournaments, and who may change them.

use cardroom_core::rules::Refusal;
use cardroom_core::table::Actor;
use cardroom_core::tournament::series::{MAX_TOURNAMENTS, NewSeries, SeriesPatch, SeriesPoints};
use uuid::Uuid;

use crate::accounts::is_guest;
use crate::runtime::Key;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::series::{
    self as store, SERIES_IDEMPOTENCY, SERIES_PER_ACCOUNT, SERIES_PER_TOURNAMENT, Series, SeriesFilter,
    SeriesTournament, TOURNAMENTS_PER_SERIES,
};
use crate::tournaments::series_cache::SeriesCache;
use crate::tournaments::service::Tournaments;

/// How many series an account may have.
pub const MOST: i64 = 100;
/// In how many series a tournament may be.
pub const MOST_OF_TOURNAMENT: i64 = 10;

/// The series of all accounts.
#[derive(Clone)]
pub struct AllSeries {
    pub(super) tournaments: Tournaments,
    pub(super) cache: SeriesCache,
}

impl AllSeries {
    pub fn new(tournaments: Tournaments) -> AllSeries {
        AllSeries { tournaments, cache: SeriesCache::default() }
    }

    /// Creates a series. True: it had been created before, under the same key.
    ///
    /// # Errors
    /// `account_required`, `too_many_series`; [`ServiceError::KeyReused`].
    pub async fn create(
        &self,
        actor: &Actor,
        new: NewSeries,
        key: Key,
    ) -> Result<(Series, bool), ServiceError> {
        if is_guest(actor) {
            return Err(refused("account_required", "a guest has no series"));
        }
        if let Some(done) = self.created(actor, &key).await? {
            return Ok((done, true));
        }
        let now = self.tournaments.now();
        let NewSeries { name, description, points, best } = new;
        let new = Series {
            id: self.tournaments.fresh_id(),
            account_id: actor.account,
            created_by: actor.username.clone(),
            name,
            description,
            points: serde_json::to_string(&points).expect("points are plain values"),
            best: best.map(u16::cast_signed),
            created_at: now,
        };
        match store::create(self.database(), &new, key.clone(), MOST).await {
            Ok(()) => Ok((new, false)),
            // Another request with the same key was quicker.
            Err(StoreError::Constraint(name)) if name == SERIES_IDEMPOTENCY => {
                Ok((self.created(actor, &key).await?.ok_or(ServiceError::KeyReused)?, true))
            }
            Err(StoreError::Constraint(name)) if name == SERIES_PER_ACCOUNT => Err(refused(
                "too_many_series",
                format!("you have {MOST} series, which is as many as an account may have"),
            )),
            Err(error) => Err(error.into()),
        }
    }

    /// The series that the actor created under this key.
    async fn created(&self, actor: &Actor, key: &Key) -> Result<Option<Series>, ServiceError> {
        let Some((key, request)) = key else { return Ok(None) };
        match store::claimed(self.database(), actor.account, key).await? {
            None => Ok(None),
            Some((id, asked)) if asked.as_deref() == Some(request.as_slice()) => {
                Ok(Some(self.find(id).await?))
            }
            Some(_) => Err(ServiceError::KeyReused),
        }
    }

    /// A page of the list, the newest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn list(
        &self,
        filter: &SeriesFilter,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<Vec<Series>, ServiceError> {
        Ok(store::list(self.database(), filter, before, limit).await?)
    }

    /// # Errors
    /// `series_not_found`.
    pub async fn find(&self, id: Uuid) -> Result<Series, ServiceError> {
        store::find(self.database(), id).await?.ok_or_else(not_found)
    }

    /// The tournaments of a series, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tournaments_of(&self, id: Uuid) -> Result<Vec<SeriesTournament>, ServiceError> {
        Ok(store::tournaments(self.database(), id).await?)
    }

    /// Changes what is told about a series.
    ///
    /// # Errors
    /// `series_not_found`; `not_creator`.
    pub async fn edit(&self, id: Uuid, actor: &Actor, patch: &SeriesPatch) -> Result<Series, ServiceError> {
        self.owned(id, actor).await?;
        let description = patch.description.as_ref().map(Option::as_deref);
        store::edit(self.database(), id, patch.name.as_deref(), description).await?;
        self.find(id).await
    }

    /// Deletes a series. Its tournaments stay.
    ///
    /// # Errors
    /// `series_not_found`; `not_creator`.
    pub async fn delete(&self, id: Uuid, actor: &Actor) -> Result<(), ServiceError> {
        self.owned(id, actor).await?;
        self.cache.forget(id);
        Ok(store::delete(self.database(), id).await?)
    }

    /// Adds a tournament to a series.
    ///
    /// # Errors
    /// `series_not_found`, `tournament_not_found`; `not_creator`, `not_organiser`; `series_full`, `too_many_series`.
    pub async fn add(&self, id: Uuid, tournament: Uuid, actor: &Actor) -> Result<Series, ServiceError> {
        let series = self.owned(id, actor).await?;
        let added = self.tournaments.look(tournament).await?;
        if !actor.admin && !added.is_organiser(actor.account) {
            return Err(refused("not_organiser", "only organisers of a tournament add it to a series"));
        }
        let most = (MAX_TOURNAMENTS as i64, MOST_OF_TOURNAMENT);
        match store::add(self.database(), id, tournament, most).await {
            Ok(true) => Ok(series),
            Ok(false) => Err(not_found()),
            Err(StoreError::Constraint(name)) if name == TOURNAMENTS_PER_SERIES => Err(refused(
                "series_full",
                format!("the series has {MAX_TOURNAMENTS} tournaments, which is as many as it may have"),
            )),
            Err(StoreError::Constraint(name)) if name == SERIES_PER_TOURNAMENT => Err(refused(
                "too_many_series",
                format!("the tournament is in {MOST_OF_TOURNAMENT} series, which is as many as it may be in"),
            )),
            Err(error) => Err(error.into()),
        }
    }

    /// Takes a tournament out of a series.
    ///
    /// # Errors
    /// `series_not_found`; `not_creator`.
    pub async fn remove(&self, id: Uuid, tournament: Uuid, actor: &Actor) -> Result<Series, ServiceError> {
        let series = self.owned(id, actor).await?;
        store::remove(self.database(), id, tournament).await?;
        Ok(series)
    }

    /// A series that the actor may change.
    async fn owned(&self, id: Uuid, actor: &Actor) -> Result<Series, ServiceError> {
        let series = self.find(id).await?;
        if !actor.admin && series.account_id != actor.account {
            return Err(refused("not_creator", "only the account that created a series changes it"));
        }
        Ok(series)
    }

    pub(super) fn database(&self) -> &crate::store::database::Database {
        &self.tournaments.games.database
    }
}

/// What a finished tournament gives in this series.
///
/// # Errors
/// [`StoreError::Broken`] where the row cannot be read.
pub fn points_of(series: &Series) -> Result<SeriesPoints, StoreError> {
    serde_json::from_str(&series.points)
        .map_err(|error| StoreError::Broken(format!("series {}: {error}", series.id)))
}

fn not_found() -> ServiceError {
    refused("series_not_found", "there is no such series")
}

fn refused(code: &'static str, detail: impl Into<String>) -> ServiceError {
    ServiceError::refused(Refusal { code, detail: detail.into() })
}
