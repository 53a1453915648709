//! Series: creating, listing, showing, changing and deleting them.

use actix_web::http::header;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, patch, post};
use cardroom_core::tournament::series::{NewSeries, SeriesPatch};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::view::{ListedView, SeriesView, answer, view};
use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IDEMPOTENCY_REPLAYED, IdempotencyKey, KeyHeader};
use crate::http::requests::page::{self, Page};
use crate::http::requests::unchanged::{self, Freshness};
use crate::store::series::SeriesFilter;
use crate::tournaments::series::AllSeries;

/// Creates a series.
///
/// It adds up what finished tournaments give: points for places, the result or the score. `best` says how many of a
/// player's tournaments count. Neither changes later. A series is public, and belongs to the account that creates it.
#[utoipa::path(
    operation_id = "create_series", tag = "series", security(("bearer" = [])),
    params(KeyHeader),
    request_body = NewSeries,
    responses(
        (status = 201, description = "The series.", body = SeriesView,
         headers(("Location" = String, description = "Where it is."))),
        (status = 403, description = "`account_required`"),
        (status = 409, description = "`too_many_series`"),
        (status = 422, description = "`invalid_options`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/series")]
pub async fn create(
    player: Player,
    all: Data<AllSeries>,
    key: IdempotencyKey,
    body: Body<NewSeries>,
) -> Result<HttpResponse, Problem> {
    let key = key.0.zip(body.digest);
    let created = all.create(&player.actor(), body.value.settle()?, key).await;
    let (series, is_replayed) = created.map_err(|error| problem(error, None))?;
    let mut response = HttpResponse::Created();
    response.insert_header((header::LOCATION, format!("/v1/series/{}", series.id)));
    if is_replayed {
        response.insert_header((IDEMPOTENCY_REPLAYED, "true"));
    }
    Ok(response.json(view(&all, series).await?))
}

/// Which series to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeriesQuery {
    /// Only those with this tournament.
    tournament: Option<Uuid>,
    /// Only those of this account, by its name.
    #[param(pattern = r"^[^\x00]*$")]
    created_by: Option<String>,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

/// Lists series, the newest first.
///
/// Narrow the list by `tournament` and `created_by`; `next` and the header `Link` lead to the next page.
#[utoipa::path(
    operation_id = "list_series", tag = "series", params(SeriesQuery),
    responses((status = 200, description = "A page of series.", body = Page<ListedView>))
)]
#[get("/v1/series")]
pub async fn list(
    request: HttpRequest,
    all: Data<AllSeries>,
    query: Query<SeriesQuery>,
) -> Result<HttpResponse, Problem> {
    let SeriesQuery { tournament, created_by, limit, cursor } = query.into_inner();
    if created_by.as_ref().is_some_and(|name| name.contains('\0')) {
        return Err(Problem::new("invalid_parameter", "a name has no zero byte"));
    }
    let (limit, filter) = (page::limit(limit)?, SeriesFilter { created_by, tournament });
    let found = all.list(&filter, cursor, limit + 1).await.map_err(|error| problem(error, None))?;
    let views = found.into_iter().map(ListedView::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::of(views.into_iter(), limit, |series| series.id.to_string()).answer(&request))
}

/// Shows a series, with its tournaments.
///
/// `GET /v1/series/{id}/standings` adds up what they gave.
#[utoipa::path(
    operation_id = "get_series", tag = "series",
    params(("id" = Uuid, Path, description = "The series.")),
    responses(
        (status = 200, description = "The series.", body = SeriesView, headers(("ETag" = String))),
        (status = 404, description = "`series_not_found`"),
    )
)]
#[get("/v1/series/{id}")]
pub async fn show(
    request: HttpRequest,
    all: Data<AllSeries>,
    id: Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    let series = all.find(*id).await.map_err(|error| problem(error, None))?;
    Ok(unchanged::json(&request, Freshness::Never, &view(&all, series).await?))
}

/// Changes the name or the description of a series. For its owner.
///
/// Fields that are left out stay as they are; null clears the description.
#[utoipa::path(
    operation_id = "edit_series", tag = "series", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The series.")),
    request_body = SeriesPatch,
    responses(
        (status = 200, description = "The series.", body = SeriesView),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`series_not_found`"),
        (status = 422, description = "`invalid_options`"),
    )
)]
#[patch("/v1/series/{id}")]
pub async fn edit(
    player: Player,
    all: Data<AllSeries>,
    id: Path<Uuid>,
    body: Body<SeriesPatch>,
) -> Result<HttpResponse, Problem> {
    let edited = all.edit(*id, &player.actor(), &body.value.settle()?).await;
    answer(&all, edited.map_err(|error| problem(error, None))?).await
}

/// Deletes a series. For its owner.
///
/// Its tournaments stay as they are.
#[utoipa::path(
    operation_id = "delete_series", tag = "series", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The series.")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`series_not_found`"),
    )
)]
#[delete("/v1/series/{id}")]
pub async fn remove(player: Player, all: Data<AllSeries>, id: Path<Uuid>) -> Result<HttpResponse, Problem> {
    all.delete(*id, &player.actor()).await.map_err(|error| problem(error, None))?;
    Ok(HttpResponse::NoContent().finish())
}
