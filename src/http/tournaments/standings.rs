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
use crate::http::requests::accept::{Form, preferred};
use crate::http::requests::page::{self, Page};
use crate::http::tournaments::standings_export as sheet;
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
    /// 1 to 10,000; all if left out.
    limit: Option<u16>,
    /// `next` of the previous page: how many rows to skip.
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
    pub next: Option<u32>,
}

/// Shows the standings, the best first.
///
/// They count every hand that has ended. With `Accept: text/csv`, the answer is a table for other programs; with
/// `Accept: text/html`, a page to print.
#[utoipa::path(
    operation_id = "get_standings", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), StandingsQuery),
    responses(
        (status = 200, description = "The standings.",
         content((Standings = "application/json"), (String = "text/csv"), (String = "text/html"))),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/standings")]
pub async fn show(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<StandingsQuery>,
) -> Result<HttpResponse, Problem> {
    let StandingsQuery { as_of, limit, cursor } = query.into_inner();
    let limit = match limit {
        Some(limit @ 1..=10_000) => usize::from(limit),
        None => usize::MAX,
        Some(_) => return Err(Problem::new("invalid_parameter", "limit: 1 to 10000")),
    };
    let found = match as_of {
        None => tournaments.standings(*id).await,
        Some(as_of) => tournaments.standings_as_of(*id, as_of).await,
    };
    let (tournament, rows) = found.map_err(|error| problem(error, None))?;
    let from = cursor.map_or(0, |cursor| (cursor as usize).min(rows.len()));
    let to = from.saturating_add(limit).min(rows.len());
    let items = &rows[from..to];
    let mut response = HttpResponse::Ok();
    response.insert_header((header::CACHE_CONTROL, "no-cache")).insert_header((header::VARY, "Accept"));
    Ok(match preferred(&request, &[Form::Json, Form::Csv, Form::Html]) {
        Form::Csv => {
            let name = format!("attachment; filename=\"standings-{id}.csv\"");
            response.insert_header((header::CONTENT_DISPOSITION, name));
            response.content_type("text/csv; charset=utf-8").body(sheet::csv(items))
        }
        Form::Html => html::page(response, sheet::html(&tournament, items, as_of), Frames::Anybody),
        _ => response.json(Standings {
            status: tournament.status(),
            round: tournament.rounds().len() as u16,
            items,
            next: (to < rows.len()).then_some(to as u32),
        }),
    })
}

/// Which points to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PointsQuery {
    /// Only the points of this player, by the name in the standings.
    player: Option<String>,
    /// 1 to 200; 50 if left out.
    limit: Option<u16>,
    /// `next` of the previous page.
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
    #[serde(rename = "courts")]
    qualifiers: u8,
    #[schema(example = "court of knights")]
    reason: String,
    cards: Vec<String>,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
}

/// Lists all points that count, in the order in which they were scored.
///
/// Points of a duplicate round appear when all its tables have ended. If spectators see a game with a delay, its points
/// appear with the hands that they see.
#[utoipa::path(
    operation_id = "list_points", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), PointsQuery),
    responses(
        (status = 200, description = "A page of points.", body = Page<PointView>),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/points")]
pub async fn list_points(
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<PointsQuery>,
) -> Result<HttpResponse, Problem> {
    let PointsQuery { player, limit, cursor } = query.into_inner();
    let limit = page::limit(limit)?;
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
    let found = tournaments.points(*id, player.as_deref(), after, limit as usize + 1).await;
    let found = found.map_err(|error| problem(error, None))?;
    let page = Page::of(found.into_iter().map(PointView::from), limit, PointView::cursor);
    Ok(HttpResponse::Ok().json(page))
}

impl PointView {
    fn cursor(&self) -> String {
        Cursor { at: self.at.0, game: self.game, seq: self.seq, seat: self.seat }.to_string()
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
