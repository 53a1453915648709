//! A game as it happens: server-sent events.

use std::sync::Arc;

use actix_web::web::{Bytes, Data, Path, Query};
use actix_web::{HttpResponse, get};
use cardroom_core::table::entry_update::EntryUpdate;
use cardroom_core::table::{Actor, Table};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::Viewer;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::limits::Streams;
use crate::http::problem::Problem;
use crate::http::streams::sse::{self, LastEventId, LastVersionHeader, Source};
use crate::http::streams::tickets::caller;
use crate::runtime::error::ServiceError;
use crate::streams::delayed::DelayedGameCursor;
use crate::streams::game::{GameCursor, Seen};
use crate::streams::tickets::{Resource, Tickets};

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// Begin with the events after this version; if left out, with the game as it is now.
    #[param(maximum = 4_294_967_295_i64)]
    after: Option<u32>,
    /// A ticket, in place of an access token.
    ticket: Option<String>,
    /// The invite to a private game, for a caller with an account or a guest's token.
    #[param(pattern = "^[0-9a-z]{10}$")]
    invite: Option<String>,
}

/// Streams a game as it happens, as server-sent events.
///
/// The first event is `event: game` with the whole `Game`, as the caller sees it. Then each new entry of the log comes
/// as `event: entry` with an `EntryEvent`: the entry, the facts that follow from it, and the game after it. The `id` of
/// each event is the game's version. A comment comes every 10 s. The stream ends after the game's last entry.
///
/// It also ends if the client reads too slowly, if the caller may no longer see the game, after an hour, and when the
/// service stops. Then continue with `Last-Event-ID` or `after`: the entries after that version follow, each once,
/// without `event: game` before them. When the game is over and there are no more entries, the answer is 204, which
/// tells an `EventSource` not to reconnect.
#[utoipa::path(
    operation_id = "stream_game", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."), StreamQuery,
        LastVersionHeader,
    ),
    responses(
        (status = 200, description = "The events: a `GameEvent` each.", body = String, content_type = "text/event-stream"),
        (status = 204, description = "The game is over, and you have all of it."),
        (status = 401, description = "`invalid_ticket`"),
        (status = 404, description = "`game_not_found`, `no_such_version`"),
        (status = 429, description = "`too_many_streams`"),
    )
)]
#[get("/v1/games/{id}/stream")]
pub async fn follow(
    client: ClientAddress,
    viewer: Viewer,
    (games, tickets, streams): (Data<GameService>, Data<Tickets>, Data<Streams>),
    id: Path<Uuid>,
    query: Query<StreamQuery>,
    last: LastEventId<u32>,
) -> Result<HttpResponse, Problem> {
    let StreamQuery { after, ticket, invite } = query.into_inner();
    let viewer = caller(viewer, ticket, &tickets, Resource::Game(*id)).await?;
    let viewer = viewer.map(|actor| Actor { invite, ..actor });
    let permit = streams.enter(viewer.as_ref().map(|actor| actor.account), client)?;
    let after = last.0.or(after);
    let opening = |table: Option<Arc<Table>>| {
        table.map(|table| sse::event("game", table.version, &table.view(viewer.as_ref())))
    };
    let refused = |error| problem(error, viewer.as_ref());
    if let Some((table, cursor)) = games.watch_delayed(*id, viewer.clone(), after).await.map_err(refused)? {
        return Ok(sse::response(opening(table), cursor, permit));
    }
    let (table, cursor) = games.watch(*id, viewer.clone(), after).await.map_err(refused)?;
    Ok(sse::response(opening(table), cursor, permit))
}

impl Source for GameCursor {
    const KIND: &str = "game";

    fn write(&self, event: Seen) -> Result<Bytes, ServiceError> {
        Ok(match event {
            Seen::Update(update) => entry(&update, self.viewer.as_ref()),
            Seen::UpdateBatch(batch) => batch.written(|updates| {
                let mut events = Vec::with_capacity(updates.len() * sse::LONG);
                for update in updates {
                    sse::write_event(&mut events, "entry", update.table.version, &update.seen_by(None));
                }
                events.into()
            }),
        })
    }
}

impl Source for DelayedGameCursor {
    const KIND: &str = "delayed_game";

    fn write(&self, update: Arc<EntryUpdate>) -> Result<Bytes, ServiceError> {
        Ok(entry(&update, self.viewer.as_ref()))
    }
}

fn entry(update: &EntryUpdate, viewer: Option<&Actor>) -> Bytes {
    sse::event("entry", update.table.version, &update.seen_by(viewer))
}
