//! The standings of a series.

use actix_web::http::header;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::tournament::Ratio;
use cardroom_core::tournament::series::{SeriesLine, SeriesResult};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::export;
use crate::http::games::game::problem;
use crate::http::html::{self, Frames};
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::http::requests::page;
use crate::http::requests::unchanged::{self, Freshness};
use crate::store::series::SeriesTournament;
use crate::tournaments::series::AllSeries;

/// Which lines of the standings to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeriesStandingsQuery {
    /// 1 to 200; if left out, 50 in JSON, and up to 10,000 in the other forms.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page: how many lines to skip.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
    /// The form of the answer: `json`, `csv` or `html`; goes before `Accept`.
    #[param(inline)]
    format: Option<Form>,
}

/// The standings of a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeriesStandings {
    items: Vec<SeriesStanding>,
    /// The `cursor` of the next page; null on the last.
    #[schema(required)]
    next: Option<u32>,
}

/// The place of a player in a series.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeriesStanding {
    /// From 1; equals share a place, and the next is skipped (1, 1, 3).
    place: u32,
    player: String,
    /// The sum of the points that count.
    #[schema(value_type = f64)]
    points: Ratio,
    /// What each finished tournament gave that they played in, the oldest first.
    tournaments: Vec<SeriesStandingResult>,
}

/// What a tournament gave a player.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SeriesResult)]
pub struct SeriesStandingResult {
    tournament: Uuid,
    name: String,
    /// The place in the tournament.
    place: u32,
    #[schema(value_type = f64)]
    points: Ratio,
    /// Whether it is one of the best, which count.
    counts: bool,
}

impl SeriesStanding {
    fn of(line: &SeriesLine, tournaments: &[SeriesTournament]) -> SeriesStanding {
        let result = |result: &SeriesResult| {
            let tournament = &tournaments[usize::from(result.nth)];
            SeriesStandingResult {
                tournament: tournament.id,
                name: tournament.name.clone(),
                place: result.place,
                points: result.points.ratio(),
                counts: result.counts,
            }
        };
        SeriesStanding {
            place: line.place,
            player: line.player.clone(),
            points: line.points.ratio(),
            tournaments: line.results.iter().map(result).collect(),
        }
    }
}

/// Shows the standings of a series, the best first.
///
/// They count the finished tournaments, as their standings are now. With `Accept: text/csv` or `?format=csv` the answer
/// is a table for other programs, in which each tournament has a column; with `Accept: text/html` or `?format=html`, a
/// page to print.
#[utoipa::path(
    operation_id = "get_series_standings", tag = "series",
    params(("id" = Uuid, Path, description = "The series."), SeriesStandingsQuery),
    responses(
        (status = 200, description = "The standings.",
         content((SeriesStandings = "application/json"), (String = "text/csv"), (String = "text/html")),
         headers(("ETag" = String))),
        (status = 404, description = "`series_not_found`"),
    )
)]
#[get("/v1/series/{id}/standings")]
pub async fn show(
    request: HttpRequest,
    all: Data<AllSeries>,
    id: Path<Uuid>,
    query: Query<SeriesStandingsQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, query.format, &[Form::Json, Form::Csv, Form::Html])?;
    let limit = page::limit_of(form, query.limit)?.unsigned_abs() as usize;
    let found = all.standings(*id).await.map_err(|error| problem(error, None))?;
    let from = query.cursor.map_or(0, |cursor| (cursor as usize).min(found.lines.len()));
    let to = (from + limit).min(found.lines.len());
    let next = (to < found.lines.len()).then_some(to as u32);
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-cache"));
    let mut answer = match form {
        Form::Csv => export::csv(response, found, from..to).await?,
        Form::Html => html::page(response, export::html(found, from..to).await?, Frames::Anybody),
        _ => {
            let lines = found.lines[from..to].iter();
            let items = lines.map(|line| SeriesStanding::of(line, &found.tournaments)).collect();
            unchanged::json(&request, Freshness::Never, &SeriesStandings { items, next })
        }
    };
    page::link(&request, &mut answer, "cursor", next);
    Ok(answer)
}
