//! A game's log, entry by entry.

use actix_web::http::header;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::log::public::PublicEntry;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::Viewer;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::page;

/// Which entries to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// The entries after this `seq`; if left out, from the first.
    #[serde(default)]
    #[param(maximum = 4_294_967_295_i64)]
    after: u32,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// The invite to a private game, for a caller with an account or a guest's token.
    #[param(pattern = "^[0-9a-z]{10}$")]
    invite: Option<String>,
}

/// A page of a log.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogPage {
    items: Vec<PublicEntry>,
    /// The `after` of the next page; null where the log ends.
    #[schema(required)]
    next: Option<u32>,
}

/// Lists a game's entries, as the caller may see them.
///
/// The orders of shuffles stay null until the game is over.
#[utoipa::path(
    operation_id = "get_log", tag = "log", security((), ("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), LogQuery),
    responses(
        (status = 200, description = "A page of entries.", body = LogPage),
        (status = 404, description = "`game_not_found`"),
    )
)]
#[get("/v1/games/{id}/log")]
pub async fn list(
    request: HttpRequest,
    viewer: Viewer,
    games: Data<GameService>,
    id: Path<Uuid>,
    query: Query<LogQuery>,
) -> Result<HttpResponse, Problem> {
    let LogQuery { after, limit, invite } = query.into_inner();
    let actor = viewer.invited(invite);
    let (items, more) = games
        .entries(*id, actor.as_ref(), after, page::limit(limit)?)
        .await
        .map_err(|error| problem(error, actor.as_ref()))?;
    let next = items.last().filter(|_| more).map(|entry| entry.seq);
    let mut response = HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .json(LogPage { items, next });
    page::link(&request, &mut response, "after", next);
    Ok(response)
}
