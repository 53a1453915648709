//! The standings of a tournament as they change: server-sent events.

use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpResponse, get};
use cardroom_core::tournament::{Row, Status};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::accounts::auth::Viewer;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::limits::Streams;
use crate::http::problem::Problem;
use crate::http::streams::sse::{self, Source};
use crate::runtime::error::ServiceError;
use crate::streams::standings::{StandingsChange, StandingsCursor};
use crate::tournaments::service::Tournaments;

/// How many rows are told if the client does not say.
const ROWS: u16 = 100;

/// How much of the standings to follow.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StandingsStreamQuery {
    /// The first so many rows, 1 to 1000; 100 if left out.
    #[param(minimum = 1, maximum = 1000)]
    limit: Option<u16>,
}

/// What has changed in the standings.
#[derive(Debug, Serialize, ToSchema)]
pub struct StandingsUpdate {
    status: Status,
    /// The round that was begun last; 0 before the first.
    round: u16,
    /// How many rows the standings have. Rows from this position on are gone.
    #[schema(value_type = u32)]
    total: usize,
    /// The rows that are not what they were.
    items: Vec<PlacedRow>,
}

/// A row of the standings, and where it stands.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlacedRow {
    /// The position in the list, from 0. The row takes the place of the one that stood there.
    #[schema(value_type = u32)]
    position: usize,
    standing: Row,
}

/// Streams the first rows of the standings as they change, as server-sent events.
///
/// Each event is `event: standings` with a `StandingsUpdate`. The first has all rows that were asked for, and each that
/// follows has those that differ, at most once a second. The stream ends when the tournament is over, and for the same
/// reasons as the stream of a game. A client that comes back gets all rows first, so `Last-Event-ID` is not needed.
#[utoipa::path(
    operation_id = "stream_standings", tag = "tournaments", security((), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament."), StandingsStreamQuery),
    responses(
        (status = 200, description = "The events.", body = String, content_type = "text/event-stream"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 429, description = "`too_many_streams`"),
    )
)]
#[get("/v1/tournaments/{id}/standings/stream")]
pub async fn follow(
    client: ClientAddress,
    viewer: Viewer,
    (tournaments, streams): (Data<Tournaments>, Data<Streams>),
    id: Path<Uuid>,
    query: Query<StandingsStreamQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = match query.limit {
        None => ROWS,
        Some(limit @ 1..=1000) => limit,
        Some(_) => return Err(Problem::new("invalid_parameter", "limit: 1 to 1000")),
    };
    let permit = streams.enter(viewer.0.map(|player| player.actor().account), client)?;
    let cursor = tournaments.follow_standings(*id, limit.into()).await;
    Ok(sse::response(None, cursor.map_err(|error| problem(error, None))?, permit))
}

impl Source for StandingsCursor {
    const KIND: &str = "standings";

    fn write(&self, change: StandingsChange) -> Result<Bytes, ServiceError> {
        let StandingsChange { n, status, round, total, rows } = change;
        let items = rows.into_iter().map(|(position, standing)| PlacedRow { position, standing }).collect();
        Ok(sse::event("standings", n, &StandingsUpdate { status, round, total, items }))
    }
}
