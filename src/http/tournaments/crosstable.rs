//! What each entrant got in each round.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::tournament::CrosstableRow;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::http::requests::page;
use crate::http::tournaments::export;
use crate::tournaments::service::Tournaments;

/// Which lines of the crosstable to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CrosstableQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page: how many lines to skip.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
    /// The form of the answer: `json` or `csv`; goes before `Accept`.
    #[param(inline)]
    format: Option<Form>,
}

/// A page of the crosstable.
#[derive(Debug, Serialize, ToSchema)]
pub struct Crosstable {
    items: Vec<CrosstableRow>,
    /// The `cursor` of the next page; null on the last.
    #[schema(required)]
    next: Option<u32>,
}

/// The headings of the columns.
const COLUMNS: [&str; 9] =
    ["place", "player", "round", "table", "seat", "result", "table_score", "same_cards_mean", "game"];
const PLAYER: usize = 1;

/// Shows what each entrant got in each round, in the order of the standings.
///
/// Each cell names the table, the game and the opponents. Where all tables of a round are dealt the same cards,
/// `same_cards_mean` tells what the others made of them. With `Accept: text/csv` or `?format=csv`, the answer has a row
/// for each entrant and round.
#[utoipa::path(
    operation_id = "get_crosstable", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), CrosstableQuery),
    responses(
        (status = 200, description = "A page of the crosstable.",
         content((Crosstable = "application/json"), (String = "text/csv"))),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/crosstable")]
pub async fn crosstable(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<CrosstableQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, query.format, &[Form::Json, Form::Csv])?;
    let (limit, skip) = (page::limit(query.limit)? as usize, query.cursor.unwrap_or(0));
    let found = tournaments.crosstable(*id, skip as usize, limit).await;
    let (items, is_more) = found.map_err(|error| problem(error, None))?;
    let next = is_more.then(|| skip + items.len() as u32);
    let mut answer = match form {
        Form::Csv => {
            let rows = items.iter().flat_map(cells);
            export::csv(HttpResponse::Ok(), &format!("crosstable-{id}"), COLUMNS, &[PLAYER], rows)?
        }
        _ => HttpResponse::Ok().json(Crosstable { items, next }),
    };
    page::link(&request, &mut answer, "cursor", next);
    Ok(answer)
}

/// A row for each round of a line.
fn cells(line: &CrosstableRow) -> impl Iterator<Item = [String; 9]> + '_ {
    fn text(value: Option<impl ToString>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    line.rounds.iter().map(|cell| {
        let (round, player) = (cell.round.to_string(), line.player.clone());
        [
            text(line.place),
            player,
            round,
            text(cell.table),
            text(cell.seat),
            text(cell.result),
            text(cell.table_score),
            text(cell.same_cards_mean),
            text(cell.game),
        ]
    })
}
