//! Which tournaments a series has.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, delete, put};
use uuid::Uuid;

use super::view::{SeriesView, answer};
use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::tournaments::series::AllSeries;

/// Adds a tournament to a series. The owner of the series does this, and has to organise the tournament, too.
///
/// The tournament counts as soon as it is finished. It may be in several series. To add it once more changes nothing.
#[utoipa::path(
    operation_id = "add_to_series", tag = "series", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The series."),
        ("tournament" = Uuid, Path, description = "The tournament."),
    ),
    responses(
        (status = 200, description = "The series.", body = SeriesView),
        (status = 403, description = "`not_creator`, `not_organiser`"),
        (status = 404, description = "`series_not_found`, `tournament_not_found`"),
        (status = 409, description = "`series_full`, `too_many_series`"),
    )
)]
#[put("/v1/series/{id}/tournaments/{tournament}")]
pub async fn add(
    player: Player,
    all: Data<AllSeries>,
    path: Path<(Uuid, Uuid)>,
) -> Result<HttpResponse, Problem> {
    let (id, tournament) = path.into_inner();
    let series = all.add(id, tournament, &player.actor()).await;
    answer(&all, series.map_err(|error| problem(error, None))?).await
}

/// Takes a tournament out of a series. For its owner.
///
/// The tournament stays as it is. If the series does not have it, nothing changes.
#[utoipa::path(
    operation_id = "take_out_of_series", tag = "series", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The series."),
        ("tournament" = Uuid, Path, description = "The tournament."),
    ),
    responses(
        (status = 200, description = "The series.", body = SeriesView),
        (status = 403, description = "`not_creator`"),
        (status = 404, description = "`series_not_found`"),
    )
)]
#[delete("/v1/series/{id}/tournaments/{tournament}")]
pub async fn take_out(
    player: Player,
    all: Data<AllSeries>,
    path: Path<(Uuid, Uuid)>,
) -> Result<HttpResponse, Problem> {
    let (id, tournament) = path.into_inner();
    let series = all.remove(id, tournament, &player.actor()).await;
    answer(&all, series.map_err(|error| problem(error, None))?).await
}
