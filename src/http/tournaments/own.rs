//! The caller's own tournaments.

use actix_web::web::{Data, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::rules::registry::KindName;
use cardroom_core::tournament::Status;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::page::{self, Page};
use crate::http::tournaments::tournament::{ListedView, filter};
use crate::tournaments::service::Tournaments;

/// Which of the caller's tournaments to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OwnTournamentsQuery {
    status: Option<Status>,
    /// Of this kind only.
    #[param(value_type = Option<KindName>)]
    kind: Option<String>,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(minimum = 1)]
    cursor: Option<u32>,
}

/// Lists your tournaments, the one that you joined last first.
///
/// They are those that you organise, and those that you have entered.
#[utoipa::path(
    operation_id = "list_own_tournaments", tag = "tournaments", params(OwnTournamentsQuery),
    security(("bearer" = [])),
    responses((status = 200, description = "A page of tournaments.", body = Page<ListedView>))
)]
#[get("/v1/me/tournaments")]
pub async fn list(
    request: HttpRequest,
    player: Player,
    tournaments: Data<Tournaments>,
    query: Query<OwnTournamentsQuery>,
) -> Result<HttpResponse, Problem> {
    let OwnTournamentsQuery { status, kind, limit, cursor } = query.into_inner();
    let (limit, filter) = (page::limit(limit)?, filter(status, kind.as_deref())?);
    let before = page::before(cursor);
    let found = tournaments.list_of(player.account, filter, before, limit + 1).await;
    let found = found.map_err(|error| problem(error, None))?.into_iter();
    let page = Page::numbered(found.map(|(n, listed)| (n, ListedView::from(listed))), limit);
    Ok(page.answer(&request))
}
