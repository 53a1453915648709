//! The caller's own games.

use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::rules::registry::KindName;
use cardroom_core::table::view::Status;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::games::service::GameService;
use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::games::lobby::{LobbyGame, Wanted};
use crate::http::problem::Problem;
use crate::http::requests::page::{self, Page};

/// Which of the caller's games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OwnGamesQuery {
    status: Option<Status>,
    /// `true`: games only that wait for you; `false`: the others only.
    your_turn: Option<bool>,
    /// Of this kind only.
    #[param(value_type = Option<KindName>)]
    kind: Option<String>,
    /// `true`: open games only that have a free seat.
    #[serde(default)]
    free_seats: bool,
    /// `true`: games with a clock only; `false`: games without one only.
    timed: Option<bool>,
    /// Games only whose clock gives at most so many seconds for a decision.
    #[param(minimum = 5, maximum = 604_800)]
    max_turn_seconds: Option<u32>,
    /// `true`: games only that count for ratings; `false`: the others only.
    rated: Option<bool>,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(minimum = 1)]
    cursor: Option<u32>,
}

/// Lists your games, the one that you joined last first.
///
/// They are those at which you sit or sat to the end, and those that you created.
#[utoipa::path(
    operation_id = "list_own_games", tag = "games", params(OwnGamesQuery), security(("bearer" = [])),
    responses((status = 200, description = "A page of games.", body = Page<LobbyGame>))
)]
#[get("/v1/me/games")]
pub async fn list(
    request: HttpRequest,
    player: Player,
    games: Data<GameService>,
    query: Query<OwnGamesQuery>,
) -> Result<HttpResponse, Problem> {
    let OwnGamesQuery { status, your_turn, kind, free_seats, timed, max_turn_seconds, rated, limit, cursor } =
        query.into_inner();
    let wanted = Wanted { status, kind, player: None, free_seats, timed, max_turn_seconds, rated };
    let (actor, limit) = (player.actor(), page::limit(limit)?);
    let found = games.games_of(&actor, &wanted.filter()?, your_turn, page::before(cursor), limit + 1).await;
    let rows = found.map_err(|error| problem(error, Some(&actor)))?.into_iter();
    let rows = rows.map(|(n, row)| Ok((n, LobbyGame::try_from(row)?)));
    let rows: Vec<(i32, LobbyGame)> = rows.collect::<Result<_, Problem>>()?;
    Ok(Page::numbered(rows.into_iter(), limit).answer(&request))
}
