//! Series, as everybody sees them.

use actix_web::HttpResponse;
use cardroom_core::log::entry::Time;
use cardroom_core::rules::registry::KindName;
use cardroom_core::tournament::Status;
use cardroom_core::tournament::series::SeriesPoints;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::store::error::StoreError;
use crate::store::series::{Series, SeriesTournament};
use crate::tournaments::series::{AllSeries, points_of};

/// A series in the list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ListedSeries)]
pub struct ListedView {
    pub id: Uuid,
    name: String,
    #[schema(required)]
    description: Option<String>,
    /// What a finished tournament gives.
    points: SeriesPoints,
    /// How many of a player's tournaments count, the best ones; null: all.
    #[schema(required, minimum = 1, maximum = 100)]
    best: Option<u16>,
    /// The name of the owner's account.
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// A series with its tournaments.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Series)]
pub struct SeriesView {
    id: Uuid,
    name: String,
    #[schema(required)]
    description: Option<String>,
    /// What a finished tournament gives.
    points: SeriesPoints,
    /// How many of a player's tournaments count, the best ones; null: all.
    #[schema(required, minimum = 1, maximum = 100)]
    best: Option<u16>,
    /// The name of the owner's account.
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// The oldest first.
    tournaments: Vec<TournamentOfSeries>,
}

/// A tournament of a series.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesTournament)]
pub struct TournamentOfSeries {
    tournament: Uuid,
    name: String,
    #[schema(value_type = KindName)]
    kind: String,
    #[schema(value_type = Status)]
    status: &'static str,
    /// The number of entrants.
    entrants: i32,
}

impl TryFrom<Series> for ListedView {
    type Error = StoreError;

    fn try_from(series: Series) -> Result<ListedView, StoreError> {
        let points = points_of(&series)?;
        let Series { id, name, description, best, created_by, created_at, .. } = series;
        let (best, created_at) = (best.map(i16::cast_unsigned), Time(created_at));
        Ok(ListedView { id, name, description, points, best, created_by, created_at })
    }
}

impl SeriesView {
    fn of(series: Series, tournaments: Vec<SeriesTournament>) -> Result<SeriesView, StoreError> {
        let ListedView { id, name, description, points, best, created_by, created_at } = series.try_into()?;
        let tournaments = tournaments.into_iter().map(TournamentOfSeries::from).collect();
        Ok(SeriesView { id, name, description, points, best, created_by, created_at, tournaments })
    }
}

impl From<SeriesTournament> for TournamentOfSeries {
    fn from(one: SeriesTournament) -> TournamentOfSeries {
        let SeriesTournament { id: tournament, name, kind, status, entrants, .. } = one;
        TournamentOfSeries { tournament, name, kind, status: status.as_str(), entrants }
    }
}

/// The answer to a change of a series.
///
/// # Errors
/// [`Problem`] where its tournaments cannot be read.
pub async fn answer(all: &AllSeries, series: Series) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::Ok().json(view(all, series).await?))
}

/// A series with its tournaments.
///
/// # Errors
/// [`Problem`] where they cannot be read.
pub async fn view(all: &AllSeries, series: Series) -> Result<SeriesView, Problem> {
    let tournaments = all.tournaments_of(series.id).await.map_err(|error| problem(error, None))?;
    Ok(SeriesView::of(series, tournaments)?)
}
