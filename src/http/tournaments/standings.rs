//! The standings of a tournament, and the points behind them.

use actix_web::http::header;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::log::entry::Time;
use cardroom_core::tournament::{Row, Status};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::games::game::problem;
use crate::http::html::{self, Frames};
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::http::requests::page::{self, Page};
use crate::http::requests::unchanged::{self, Freshness};
use crate::http::tournaments::export;
use crate::tournaments::service::Tournaments;
use crate::tournaments::standings::{Cursor, Point};

/// Which standings to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StandingsQuery {
    /// The standings as they were at this time (RFC 3339); if left out, as they are now.
    #[param(value_type = Option<String>, format = DateTime)]
    as_of: Option<Timestamp>,
    /// 1 to 200; if left out, 50 in JSON, and up to 10,000 in the other forms.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page: how many rows to skip.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
    /// The form of the answer: `json`, `csv` or `html`; goes before `Accept`.
    #[param(inline)]
    format: Option<Form>,
}

/// Which standings to show as CSV.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StandingsSheetQuery {
    /// The standings as they were at this time (RFC 3339); if left out, as they are now.
    #[param(value_type = Option<String>, format = DateTime)]
    as_of: Option<Timestamp>,
    /// 1 to 10,000; 10,000 if left out.
    #[param(minimum = 1, maximum = 10_000)]
    limit: Option<u16>,
    /// How many rows to skip: as the header `Link` says.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
}

/// The standings of a tournament.
#[derive(Debug, Serialize, ToSchema)]
pub struct Standings<'a> {
    /// The status of the tournament at that time.
    pub status: Status,
    /// The round that was begun last; 0 before the first.
    pub round: u16,
    pub items: &'a [Row],
    /// The `cursor` of the next page; null on the last.
    #[schema(required)]
    pub next: Option<u32>,
}

/// Shows the standings, the best first.
///
/// They count every hand that has ended. With `Accept: text/csv`, `?format=csv` or the path `standings.csv`, the answer
/// is a table for other programs; with `Accept: text/html` or `?format=html`, a page to print.
#[utoipa::path(
    operation_id = "get_standings", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), StandingsQuery),
    responses(
        (status = 200, description = "The standings.",
         content((Standings = "application/json"), (String = "text/csv"), (String = "text/html")),
         headers(("ETag" = String))),
        (status = 404, description = "`tournament_not_found`; with `as_of`: `no_such_version`"),
    )
)]
#[get("/v1/tournaments/{id}/standings")]
pub async fn show(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<StandingsQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, query.format, &[Form::Json, Form::Csv, Form::Html])?;
    let StandingsQuery { as_of, limit, cursor, format: _ } = query.into_inner();
    let limit = page::limit_of(form, limit)?;
    standings(&request, &tournaments, *id, as_of, (limit, cursor), form).await
}

/// Shows the standings as CSV, the best first.
///
/// They are the standings of `/standings` for spreadsheets, all rows unless `limit` says otherwise.
#[utoipa::path(
    operation_id = "get_standings_csv", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), StandingsSheetQuery),
    responses(
        (status = 200, description = "The standings.", body = String, content_type = "text/csv"),
        (status = 404, description = "`tournament_not_found`; with `as_of`: `no_such_version`"),
    )
)]
#[get("/v1/tournaments/{id}/standings.csv")]
pub async fn show_csv(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<StandingsSheetQuery>,
) -> Result<HttpResponse, Problem> {
    let StandingsSheetQuery { as_of, limit, cursor } = query.into_inner();
    let limit = page::limit_of_sheet(limit)?;
    standings(&request, &tournaments, *id, as_of, (limit, cursor), Form::Csv).await
}

async fn standings(
    request: &HttpRequest,
    tournaments: &Tournaments,
    id: Uuid,
    as_of: Option<Timestamp>,
    (limit, cursor): (i64, Option<u32>),
    form: Form,
) -> Result<HttpResponse, Problem> {
    let found = match as_of {
        None => tournaments.standings(id).await,
        Some(as_of) => tournaments.standings_as_of(id, as_of).await,
    };
    let (tournament, rows) = found.map_err(|error| problem(error, None))?;
    let from = cursor.map_or(0, |cursor| (cursor as usize).min(rows.len()));
    let to = (from + limit as usize).min(rows.len());
    let items = &rows[from..to];
    let next = (to < rows.len()).then_some(to as u32);
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-cache"));
    let mut answer = match form {
        Form::Csv => export::standings(response, &format!("standings-{id}"), items)?,
        Form::Html => html::page(response, export::html(&tournament, items, as_of), Frames::Anybody),
        _ => {
            let (status, round) = (tournament.status(), tournament.rounds().len() as u16);
            unchanged::json(request, Freshness::Never, &Standings { status, round, items, next })
        }
    };
    page::link(request, &mut answer, "cursor", next);
    Ok(answer)
}

/// The columns of the points in a sheet.
const POINT_COLUMNS: [&str; 13] = [
    "player",
    "entrant",
    "round",
    "table",
    "game",
    "hand",
    "seq",
    "seat",
    "points",
    "courts_of_knights",
    "reason",
    "cards",
    "at",
];

/// Which points to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PointsQuery {
    /// Only the points of this player, by the name in the standings.
    player: Option<String>,
    /// 1 to 200; if left out, 50 in JSON, and up to 10,000 in CSV.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(pattern = r"^-?[0-9]{1,17}\.[0-9a-f]{32}\.[0-9]{1,9}\.[0-9]{1,2}$")]
    cursor: Option<String>,
    /// The form of the answer: `json` or `csv`; goes before `Accept`.
    #[param(inline)]
    format: Option<Form>,
}

/// Which points to list as CSV.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PointsSheetQuery {
    /// Only the points of this player, by the name in the standings.
    player: Option<String>,
    /// 1 to 10,000; 10,000 if left out.
    #[param(minimum = 1, maximum = 10_000)]
    limit: Option<u16>,
    /// Where to go on: as the header `Link` says.
    #[param(pattern = r"^-?[0-9]{1,17}\.[0-9a-f]{32}\.[0-9]{1,9}\.[0-9]{1,2}$")]
    cursor: Option<String>,
}

/// Points that an entrant scored, and their proof.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Point)]
pub struct PointView {
    /// The name in the standings.
    player: String,
    /// The entrant's number.
    entrant: u32,
    round: u16,
    table: u16,
    /// The game whose log and hand histories prove it.
    game: Uuid,
    hand: u32,
    /// The entry of that log which ended the hand, or the game.
    seq: u32,
    seat: u8,
    points: i64,
    /// How many courts of knights were shown.
    #[serde(rename = "courts_of_knights")]
    qualifiers: u8,
    #[schema(example = "court of knights")]
    reason: String,
    cards: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
}

/// Lists all points that count, in the order in which they were scored.
///
/// They are the points of `setup.scoring`, and come to the `score` in the standings. What decides the `result` is not in
/// this list.
///
/// With `Accept: text/csv`, `?format=csv` or the path `points.csv`, the answer is a table for other programs; where it
/// is not all, the header `Link` names the next page. Points of a duplicate round appear when all its tables have ended. If spectators see a game with a delay, its points
/// appear with the hands that they see.
#[utoipa::path(
    operation_id = "list_points", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), PointsQuery),
    responses(
        (status = 200, description = "A page of points.",
         content((Page<PointView> = "application/json"), (String = "text/csv"))),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/points")]
pub async fn list_points(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<PointsQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, query.format, &[Form::Json, Form::Csv])?;
    let PointsQuery { player, limit, cursor, format: _ } = query.into_inner();
    let limit = page::limit_of(form, limit)?;
    points(&request, &tournaments, *id, player.as_deref(), (limit, cursor), form).await
}

/// Lists all points that count as CSV, in the order in which they were scored.
///
/// It is the list of `/points` for spreadsheets; the header `Link` names the next page where it is not all.
#[utoipa::path(
    operation_id = "list_points_csv", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), PointsSheetQuery),
    responses(
        (status = 200, description = "Points.", body = String, content_type = "text/csv"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/points.csv")]
pub async fn list_points_csv(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<PointsSheetQuery>,
) -> Result<HttpResponse, Problem> {
    let PointsSheetQuery { player, limit, cursor } = query.into_inner();
    let limit = page::limit_of_sheet(limit)?;
    points(&request, &tournaments, *id, player.as_deref(), (limit, cursor), Form::Csv).await
}

async fn points(
    request: &HttpRequest,
    tournaments: &Tournaments,
    id: Uuid,
    player: Option<&str>,
    (limit, cursor): (i64, Option<String>),
    form: Form,
) -> Result<HttpResponse, Problem> {
    let after = match cursor {
        None => None,
        Some(text) => {
            let cursor = text.parse::<Cursor>();
            Some(
                cursor
                    .map_err(|()| Problem::new("invalid_parameter", "cursor: `next` of the page before"))?,
            )
        }
    };
    let found = tournaments.points(id, player, after, limit as usize + 1).await;
    let found = found.map_err(|error| problem(error, None))?;
    let page = Page::of(found.into_iter().map(PointView::from), limit, PointView::cursor);
    let mut answer = match form {
        Form::Csv => {
            let (file, rows) = (format!("points-{id}"), page.items.iter().map(PointView::cells));
            export::csv(HttpResponse::Ok(), &file, POINT_COLUMNS, &[0], rows)?
        }
        _ => HttpResponse::Ok().json(&page),
    };
    page::link(request, &mut answer, "cursor", page.next.as_ref());
    Ok(answer)
}

impl PointView {
    fn cursor(&self) -> String {
        Cursor { at: self.at.0, game: self.game, seq: self.seq, seat: self.seat }.to_string()
    }

    fn cells(&self) -> [String; 13] {
        [
            self.player.clone(),
            self.entrant.to_string(),
            self.round.to_string(),
            self.table.to_string(),
            self.game.to_string(),
            self.hand.to_string(),
            self.seq.to_string(),
            self.seat.to_string(),
            self.points.to_string(),
            self.qualifiers.to_string(),
            self.reason.clone(),
            self.cards.join(" "),
            format!("{:.6}", self.at.0),
        ]
    }
}

impl From<Point> for PointView {
    fn from(point: Point) -> PointView {
        let Point { player, entrant, round, table, game, hand, seq, at, award } = point;
        let cardroom_core::tournament::Award { seat, points, qualifiers, reason, cards } = award;
        let at = Time(at);
        PointView {
            player,
            entrant,
            round,
            table,
            game,
            hand,
            seq,
            seat,
            points,
            qualifiers,
            reason,
            cards,
            at,
        }
    }
}
