//! All that concerns the caller, as it happens: server-sent events.

use actix_web::web::{Bytes, Data, Query};
use actix_web::{HttpResponse, get};
use cardroom_core::notice::Notice;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::accounts::auth::{Viewer, signed_out};
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::games::lobby::LobbyGame;
use crate::http::limits::Streams;
use crate::http::problem::Problem;
use crate::http::streams::sse::{self, LastEventId, Source};
use crate::http::streams::tickets::caller;
use crate::runtime::error::ServiceError;
use crate::streams::account::AccountCursor;
use crate::streams::checkpoint::Checkpoint;
use crate::streams::cursor::{Cursor, Step};
use crate::streams::tickets::{Resource, Tickets};
use crate::tournaments::service::Tournaments;

/// Most notices are no longer than this, in bytes.
const NOTICE: usize = 512;

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AccountStreamQuery {
    /// Begin with the notices after the event with this `id`; if left out, with your running games as they are now.
    #[param(pattern = r"^[0-9]+(\.[0-9]+-[0-9]+)*$", max_length = 32768)]
    after: Option<String>,
    /// A ticket, in place of an access token.
    ticket: Option<String>,
}

/// The header with which a client continues, for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "an extractor reads the header; this describes it")]
pub struct LastNoticeHeader {
    /// The `id` of the last event that you have; goes before `after`.
    #[param(
        rename = "Last-Event-ID",
        nullable = false,
        pattern = r"^[0-9]+(\.[0-9]+-[0-9]+)*$",
        max_length = 32768
    )]
    last_event_id: Option<String>,
}

/// The caller's running games.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunningGames {
    /// Those at which you sit and those that you created. The one that you joined last comes first.
    games: Vec<LobbyGame>,
}

/// Streams all that concerns you, over all your games and tournaments, as server-sent events.
///
/// The first event is `event: games` with your running games. Then an `event: notice` with a `Notice` comes whenever
/// something happens that concerns you: the game waits for you, somebody sits down at your table, a game starts or ends,
/// a rematch is offered, a tournament starts, draws a round, or ends. A notice says where to look. Those of a game come
/// in the order of its log.
///
/// The stream ends after an hour, if the client reads too slowly, and when the service stops. Then continue with
/// `Last-Event-ID` or `after` on any replica: the notices after that event follow, each once, without `event: games`
/// before them. An event's `id` is only a place in this stream; a notice has an `id` of its own in `data`.
#[utoipa::path(
    operation_id = "stream_account", tag = "accounts", security((), ("bearer" = [])),
    params(AccountStreamQuery, LastNoticeHeader),
    responses(
        (status = 200, description = "The events: an `AccountEvent` each.", body = String, content_type = "text/event-stream"),
        (status = 401, description = "`unauthorized`, `invalid_ticket`"),
        (status = 429, description = "`too_many_streams`"),
    )
)]
#[get("/v1/me/stream")]
pub async fn follow(
    client: ClientAddress,
    viewer: Viewer,
    (tournaments, tickets, streams): (Data<Tournaments>, Data<Tickets>, Data<Streams>),
    query: Query<AccountStreamQuery>,
    last: LastEventId<Checkpoint>,
) -> Result<HttpResponse, Problem> {
    let AccountStreamQuery { after, ticket } = query.into_inner();
    let actor = caller(viewer, ticket, &tickets, Resource::Account).await?.ok_or_else(signed_out)?;
    let permit = streams.enter(Some(actor.account), client)?;
    let unknown = || {
        Problem::new(
            "invalid_parameter",
            "after: no event of this stream had this id, or more than 500 games have ended since; begin without it",
        )
    };
    let after = after.map(|after| after.parse().map_err(|_| unknown())).transpose()?;
    let (games, cursor) = match tournaments.follow_account(actor, last.0.or(after)).await {
        Err(ServiceError::NoSuchVersion) => return Err(unknown()),
        followed => followed.map_err(|error| problem(error, None))?,
    };
    let opening = match games {
        None => None,
        Some(rows) => {
            let games = rows.into_iter().map(LobbyGame::try_from).collect::<Result<_, _>>()?;
            Some(sse::event("games", cursor.checkpoint(), &RunningGames { games }))
        }
    };
    Ok(sse::response(opening, Notices(cursor), permit))
}

/// All notices that have come, at once: to write each by itself costs the others' moves more.
struct Notices(AccountCursor);

impl Cursor for Notices {
    /// Notices, each with the checkpoint after it.
    type Event = Vec<(String, Notice)>;

    fn is_done(&self) -> bool {
        self.0.is_done()
    }

    async fn advance(&mut self) -> Result<Step<Vec<(String, Notice)>>, ServiceError> {
        let step = self.0.advance().await?;
        Ok(step.map(|first| [first].into_iter().chain(self.0.take_waiting()).collect()))
    }
}

impl Source for Notices {
    const KIND: &str = "account";

    fn write(&self, notices: Vec<(String, Notice)>) -> Result<Bytes, ServiceError> {
        let mut out = Vec::with_capacity(NOTICE * notices.len());
        for (checkpoint, notice) in notices {
            sse::write_event(&mut out, "notice", checkpoint, &notice);
        }
        Ok(out.into())
    }
}
