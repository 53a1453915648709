//! Tickets, with which browsers open streams.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, post};
use cardroom_core::table::Actor;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::{Player, Viewer};
use crate::http::games::game::problem;
use crate::http::games::hands::InviteQuery;
use crate::http::problem::Problem;
use crate::streams::tickets::{LIFETIME, Resource, Tickets};
use crate::tournaments::service::Tournaments;

/// Tickets for all streams.
pub fn routes(config: &mut ServiceConfig) {
    config.service(of_lobby).service(of_game).service(of_tournament).service(of_account);
}

/// A ticket, which opens one stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ticket {
    /// The value for `?ticket=`.
    ticket: String,
    /// Seconds for which it opens the stream, as often as you reconnect: as long as a stream lasts. It ends with the
    /// session that asked for it.
    #[schema(example = 3900)]
    expires_in: i64,
}

/// The caller, identified by a ticket, or else by a token.
///
/// # Errors
/// `invalid_ticket`; `invalid_parameter` where there are both.
pub async fn caller(
    viewer: Viewer,
    ticket: Option<String>,
    tickets: &Tickets,
    resource: Resource,
) -> Result<Option<Actor>, Problem> {
    match (viewer.0, ticket) {
        (viewer, None) => Ok(viewer.map(|player| player.actor())),
        (Some(_), Some(_)) => {
            Err(Problem::new("invalid_parameter", "ticket: the request has an access token already"))
        }
        (None, Some(ticket)) => match tickets.take(resource, &ticket).await? {
            Some(actor) => Ok(Some(actor)),
            None => Err(Problem::new("invalid_ticket", "the ticket does not open this stream, or no longer")),
        },
    }
}

async fn give(tickets: &Tickets, resource: Resource, player: &Player) -> Result<HttpResponse, Problem> {
    let ticket = Ticket { ticket: tickets.give(resource, player).await?, expires_in: LIFETIME };
    Ok(HttpResponse::Created().insert_header(("Cache-Control", "no-store")).json(ticket))
}

/// Issues a ticket for the stream of a game.
///
/// For browsers' `EventSource`, which cannot send an access token.
#[utoipa::path(
    operation_id = "create_stream_ticket", tag = "log", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The game."), InviteQuery),
    responses(
        (status = 201, description = "The ticket.", body = Ticket),
        (status = 404, description = "`game_not_found`"),
    )
)]
#[post("/v1/games/{id}/stream-ticket")]
pub async fn of_game(
    player: Player,
    (games, tickets): (Data<GameService>, Data<Tickets>),
    id: Path<Uuid>,
    query: Query<InviteQuery>,
) -> Result<HttpResponse, Problem> {
    let actor = Actor { invite: query.into_inner().invite, ..player.actor() };
    games.look(*id, Some(&actor)).await.map_err(|error| problem(error, Some(&actor)))?;
    give(&tickets, Resource::Game(*id), &player).await
}

/// Issues a ticket for the stream of a tournament.
///
/// For browsers' `EventSource`, which cannot send an access token.
#[utoipa::path(
    operation_id = "create_tournament_stream_ticket", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament.")),
    responses(
        (status = 201, description = "The ticket.", body = Ticket),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[post("/v1/tournaments/{id}/stream-ticket")]
pub async fn of_tournament(
    player: Player,
    (tournaments, tickets): (Data<Tournaments>, Data<Tickets>),
    id: Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    give(&tickets, Resource::Tournament(*id), &player).await
}

/// Issues a ticket for the stream of the lobby.
///
/// For browsers' `EventSource`, which cannot send an access token.
#[utoipa::path(
    operation_id = "create_lobby_stream_ticket", tag = "games", security(("bearer" = [])),
    responses((status = 201, description = "The ticket.", body = Ticket))
)]
#[post("/v1/games/stream-ticket")]
pub async fn of_lobby(player: Player, tickets: Data<Tickets>) -> Result<HttpResponse, Problem> {
    give(&tickets, Resource::Lobby, &player).await
}

/// Issues a ticket for your own stream.
///
/// For browsers' `EventSource`, which cannot send an access token.
#[utoipa::path(
    operation_id = "create_account_stream_ticket", tag = "accounts", security(("bearer" = [])),
    responses((status = 201, description = "The ticket.", body = Ticket))
)]
#[post("/v1/me/stream-ticket")]
pub async fn of_account(player: Player, tickets: Data<Tickets>) -> Result<HttpResponse, Problem> {
    give(&tickets, Resource::Account, &player).await
}
