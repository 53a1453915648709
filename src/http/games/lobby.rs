//! The lobby: games to join, to watch, and to look back at.

use std::sync::Arc;

use actix_web::web::{Bytes, Data, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::log::entry::{Time, Visibility};
use cardroom_core::rules::registry::KindName;
use cardroom_core::table::view::Status;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::Viewer;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::limits::Streams;
use crate::http::problem::Problem;
use crate::http::requests::page::{self, Page};
use crate::http::streams::sse::{self, LastEventId, Source};
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::games::{Filter, Listed};
use crate::store::lobby::Changed;
use crate::streams::lobby::LobbyCursor;

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LobbyQuery {
    status: Option<Status>,
    /// Of this kind only: a `KindName`.
    #[param(pattern = r"^[^\x00]*$")]
    kind: Option<String>,
    /// The name of a player at the table.
    #[param(pattern = r"^[^\x00]*$")]
    player: Option<String>,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

/// A game in the lobby.
#[derive(Debug, Serialize, ToSchema)]
pub struct LobbyGame {
    id: Uuid,
    #[schema(value_type = KindName)]
    kind: String,
    rules_version: i16,
    #[schema(value_type = Status)]
    status: &'static str,
    #[schema(value_type = Visibility)]
    visibility: String,
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Object)]
    options: Box<RawValue>,
    /// The number of seats.
    seats: i16,
    /// The names of the seated players.
    players: Vec<String>,
    /// The number of seated bots.
    bots: i16,
    /// Seconds for each decision; null if there is no time limit.
    #[schema(required)]
    turn_seconds: Option<i32>,
}

/// Lists games, the newest first.
///
/// Private games are listed only for their creator and their players. Tables of a duplicate round are active until the
/// round is over.
#[utoipa::path(
    operation_id = "list_games", tag = "games", params(LobbyQuery), security((), ("bearer" = [])),
    responses((status = 200, description = "A page of games.", body = Page<LobbyGame>))
)]
#[get("/v1/games")]
pub async fn list(
    request: HttpRequest,
    viewer: Viewer,
    games: Data<GameService>,
    query: Query<LobbyQuery>,
) -> Result<HttpResponse, Problem> {
    let LobbyQuery { status, kind, player, limit, cursor } = query.into_inner();
    let filter = filter(viewer, status, kind, player)?;
    Ok(page(&games, &filter, cursor, page::limit(limit)?).await?.answer(&request))
}

fn filter(
    viewer: Viewer,
    status: Option<Status>,
    kind: Option<String>,
    player: Option<String>,
) -> Result<Filter, Problem> {
    // No name contains a NUL character, and PostgreSQL would answer with an error that counts as a defect of this
    // program.
    if [&kind, &player].into_iter().flatten().any(|name| name.contains('\0')) {
        return Err(Problem::new("invalid_parameter", "a name has no zero byte"));
    }
    let viewer = viewer.0.map(|player| player.account);
    Ok(Filter { status: status.map(Into::into), kind, player, viewer })
}

async fn page(
    games: &GameService,
    filter: &Filter,
    cursor: Option<Uuid>,
    limit: i64,
) -> Result<Page<LobbyGame>, Problem> {
    let games = games.lobby(filter, cursor, limit + 1).await.map_err(|error| problem(error, None))?;
    let games = games.into_iter().map(LobbyGame::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::of(games.into_iter(), limit, |game| game.id.to_string()))
}

/// Which games to follow, and where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LobbyStreamQuery {
    status: Option<Status>,
    /// Of this kind only: a `KindName`.
    #[param(pattern = r"^[^\x00]*$")]
    kind: Option<String>,
    /// Begin with the changes after the event with this `id`; if left out, with the list as it is now.
    after: Option<i64>,
}

/// Streams the lobby as it changes, as server-sent events.
///
/// The first event is `event: lobby` with the list's first page, `Page_LobbyGame`. Then, whenever a game is created or
/// its status or seats change, an `event: game` follows with a `LobbyGame`, the game after its newest change. A game
/// that leaves the list because of its status is sent once more. The first change may repeat what the page already
/// shows. Games of tournaments, which nobody can join, are left out.
///
/// When the stream has ended, continue with `Last-Event-ID` or `after`: each game that has changed since follows, and
/// none is missed. An `id` only says how far you have read. It is valid for all lists, for as long as the service keeps
/// its database.
#[utoipa::path(
    operation_id = "stream_games", tag = "games", security((), ("bearer" = [])),
    params(
        LobbyStreamQuery,
        LastChangeHeader,
    ),
    responses(
        (status = 200, description = "The events: a `LobbyEvent` each.", body = String, content_type = "text/event-stream"),
        (status = 429, description = "`too_many_streams`"),
    )
)]
#[get("/v1/games/stream")]
pub async fn follow(
    client: ClientAddress,
    viewer: Viewer,
    (games, streams): (Data<GameService>, Data<Streams>),
    query: Query<LobbyStreamQuery>,
    last: LastEventId<i64>,
) -> Result<HttpResponse, Problem> {
    let LobbyStreamQuery { status, kind, after } = query.into_inner();
    let filter = filter(viewer, status, kind, None)?;
    let permit = streams.enter(filter.viewer, client)?;
    let after = last.0.or(after);
    let changes = match games.watch_lobby(filter.clone(), after).await {
        Err(ServiceError::NoSuchVersion) => {
            return Err(Problem::new("invalid_parameter", "after: no event of this list had this id"));
        }
        changes => changes.map_err(|error| problem(error, None))?,
    };
    let opening = match after {
        None => {
            let page = page(&games, &filter, None, page::limit(None)?).await?;
            Some(sse::event("lobby", changes.cursor(), &page))
        }
        Some(_) => None,
    };
    Ok(sse::response(opening, changes, permit))
}

/// The header with which a client continues, for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "an extractor reads the header; this describes it")]
pub struct LastChangeHeader {
    /// The `id` of the last event that you have; goes before `after`.
    #[param(rename = "Last-Event-ID", nullable = false)]
    last_event_id: Option<i64>,
}

impl Source for LobbyCursor {
    const KIND: &str = "lobby";

    fn write(&self, changed: Arc<Changed>) -> Result<Bytes, ServiceError> {
        let game = LobbyGame::try_from((changed.game.clone(), changed.players.clone()))?;
        Ok(sse::event("game", changed.at, &game))
    }
}

impl TryFrom<(Listed, Vec<String>)> for LobbyGame {
    /// [`StoreError::Broken`] where the options are not JSON.
    type Error = StoreError;

    fn try_from((listed, players): (Listed, Vec<String>)) -> Result<LobbyGame, StoreError> {
        let Listed {
            id,
            kind,
            rules_version,
            options,
            seats,
            created_at,
            status,
            visibility,
            created_by,
            bots,
            turn_seconds,
        } = listed;
        let broken = |error| StoreError::Broken(format!("the options of game {id}: {error}"));
        Ok(LobbyGame {
            id,
            kind,
            rules_version,
            status: status.as_str(),
            visibility,
            created_by,
            created_at: Time(created_at.into()),
            options: RawValue::from_string(options).map_err(broken)?,
            seats,
            players,
            bots,
            turn_seconds,
        })
    }
}
