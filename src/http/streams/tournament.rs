//! A tournament as it goes on: server-sent events.

use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpResponse, get};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::accounts::auth::Viewer;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::limits::Streams;
use crate::http::problem::Problem;
use crate::http::streams::sse::{self, LastEventId, LastVersionHeader, Source};
use crate::http::streams::tickets::caller;
use crate::http::tournaments::log::TournamentEntry;
use crate::http::tournaments::view::TournamentView;
use crate::runtime::error::ServiceError;
use crate::streams::tickets::{Resource, Tickets};
use crate::streams::tournament::{News, TournamentCursor};
use crate::tournaments::log::broken;
use crate::tournaments::seed::without_seed;
use crate::tournaments::service::Tournaments;

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TournamentStreamQuery {
    /// Begin with the events after this version; if left out, with the tournament as it is now.
    #[param(maximum = 4_294_967_295_i64)]
    after: Option<u32>,
    /// A ticket, in place of an access token.
    ticket: Option<String>,
}

/// A new entry of a tournament's log.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentEntryEvent<'a> {
    #[schema(value_type = TournamentEntry)]
    entry: &'a RawValue,
    /// The tournament after the entry.
    tournament: TournamentView<'a>,
}

/// Streams a tournament as it goes on, as server-sent events.
///
/// The first event is `event: tournament` with the whole `Tournament`. Then each new entry of its log comes as `event:
/// entry` with a `TournamentEntryEvent`: a player has entered or left, a round was drawn, the tournament has ended. The `id`
/// of each event is the tournament's version. The stream ends when the tournament is over, and for the same reasons as
/// the stream of a game; continue with `Last-Event-ID` or `after`. If the tournament is called off while its games run, the
/// last event does not show the seed: ask for the tournament a little later.
#[utoipa::path(
    operation_id = "stream_tournament", tag = "tournaments", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."), TournamentStreamQuery,
        LastVersionHeader,
    ),
    responses(
        (status = 200, description = "The events: a `TournamentEvent` each.", body = String, content_type = "text/event-stream"),
        (status = 204, description = "The tournament is over, and you have all of it."),
        (status = 401, description = "`invalid_ticket`"),
        (status = 404, description = "`tournament_not_found`, `no_such_version`"),
        (status = 429, description = "`too_many_streams`"),
    )
)]
#[get("/v1/tournaments/{id}/stream")]
pub async fn follow(
    client: ClientAddress,
    viewer: Viewer,
    (tournaments, tickets, streams): (Data<Tournaments>, Data<Tickets>, Data<Streams>),
    id: Path<Uuid>,
    query: Query<TournamentStreamQuery>,
    last: LastEventId<u32>,
) -> Result<HttpResponse, Problem> {
    let TournamentStreamQuery { after, ticket } = query.into_inner();
    let viewer = caller(viewer, ticket, &tickets, Resource::Tournament(*id)).await?;
    let permit = streams.enter(viewer.as_ref().map(|actor| actor.account), client)?;
    let (tournament, cursor) = match tournaments.follow(*id, viewer, last.0.or(after)).await {
        Err(ServiceError::NoSuchVersion) => {
            return Err(Problem::new("no_such_version", "the tournament has not come to this version"));
        }
        followed => followed.map_err(|error| problem(error, None))?,
    };
    let shows_seed = match &tournament {
        Some(tournament) => tournaments.shows_seed(tournament).await.map_err(|error| problem(error, None))?,
        None => false,
    };
    let opening = tournament.map(|tournament| {
        let view = TournamentView::of(&tournament, cursor.viewer.as_ref(), shows_seed);
        sse::event("tournament", tournament.version, &view)
    });
    Ok(sse::response(opening, cursor, permit))
}

impl Source for TournamentCursor {
    const KIND: &str = "tournament";

    fn write(&self, News { entry, tournament, shows_seed }: News) -> Result<Bytes, ServiceError> {
        let entry =
            if tournament.is_over() && !shows_seed { without_seed(tournament.id, &entry)? } else { entry };
        let entry = serde_json::from_str(&entry).map_err(|error| broken(tournament.id, &error))?;
        let version = tournament.version;
        let tournament = TournamentView::of(&tournament, self.viewer.as_ref(), shows_seed);
        Ok(sse::event("entry", version, &TournamentEntryEvent { entry, tournament }))
    }
}
