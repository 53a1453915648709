//! The lobby: games to join, to watch, and to look back at.

use actix_web::web::{Data, Query};
use actix_web::{HttpResponse, get};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::auth::Viewer;
use super::games::problem;
use super::page::{self, Page};
use super::problem::Problem;
use crate::ledger::entry::Time;
use crate::play::room::Room;
use crate::store::games::{Filter, Listed};
use crate::table::view::Status;

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LobbyQuery {
    status: Option<Status>,
    kind: Option<String>,
    /// The name of somebody at the table.
    player: Option<String>,
    /// 1 to 200; 50 if left out.
    limit: Option<u16>,
    /// `next` of the page before.
    cursor: Option<Uuid>,
}

/// A game in the lobby.
#[derive(Debug, Serialize, ToSchema)]
pub struct LobbyGame {
    id: Uuid,
    kind: String,
    rules_version: i16,
    status: String,
    visibility: String,
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Object)]
    options: Box<RawValue>,
    /// How many seats there are to be taken.
    seats: i16,
    /// Who sits at the table.
    players: Vec<String>,
    /// How many bots sit there, too.
    bots: i16,
    /// Seconds for each decision; null where nobody counts them.
    turn_seconds: Option<i32>,
}

/// Lists games, the newest first.
///
/// Private games are listed for who made them and who sits at them.
#[utoipa::path(
    operation_id = "list_games", tag = "games", params(LobbyQuery), security((), ("bearer" = [])),
    responses((status = 200, description = "A page of games.", body = Page<LobbyGame>))
)]
#[get("/v1/games")]
pub async fn list(
    viewer: Viewer,
    room: Data<Room>,
    query: Query<LobbyQuery>,
) -> Result<HttpResponse, Problem> {
    let LobbyQuery { status, kind, player, limit, cursor } = query.into_inner();
    let limit = page::limit(limit)?;
    // No name holds it, and the database takes it for a defect of ours.
    if [&kind, &player].into_iter().flatten().any(|name| name.contains('\0')) {
        return Err(Problem::new("invalid_parameter", "a name has no zero byte"));
    }
    let viewer = viewer.0.map(|player| player.account);
    let filter = Filter { status: status.map(Status::as_str), kind, player, viewer };
    let games = room.lobby(&filter, cursor, limit + 1).await.map_err(|error| problem(error, None))?;
    let items = games.into_iter().map(LobbyGame::from);
    Ok(HttpResponse::Ok().json(Page::of(items, limit, |game| game.id.to_string())))
}

impl From<(Listed, Vec<String>)> for LobbyGame {
    fn from((listed, players): (Listed, Vec<String>)) -> LobbyGame {
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
        LobbyGame {
            id,
            kind,
            rules_version,
            status,
            visibility,
            created_by,
            created_at: Time(created_at.into()),
            options: RawValue::from_string(options).unwrap_or_default(),
            seats,
            players,
            bots,
            turn_seconds,
        }
    }
}
