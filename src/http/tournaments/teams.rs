//! The teams of a tournament: their members and their standings.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get, put};
use cardroom_core::tournament::{Command, Status, TeamRow};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::requests::page;
use crate::http::tournaments::export;
use crate::http::tournaments::tournament::run;
use crate::http::tournaments::view::TournamentView;
use crate::tournaments::service::Tournaments;

/// The team of an entrant.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeTeam {
    /// The team's name; null: the entrant is in none.
    #[schema(required, min_length = 1, max_length = 40, example = "Foxes")]
    team: Option<String>,
}

/// Puts an entrant into a team. For organisers.
///
/// A team that nobody is in yet is a new one. The points that the entrant has earned count for the new team.
#[utoipa::path(
    operation_id = "change_team", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "Their name in the standings."),
        KeyHeader,
    ),
    request_body = ChangeTeam,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`team_full`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[put("/v1/tournaments/{id}/entries/{player}/team")]
pub async fn change_team(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<ChangeTeam>,
) -> Result<HttpResponse, Problem> {
    let (id, name) = path.into_inner();
    let command = Command::ChangeTeam { player: name, team: body.value.team };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

/// Which teams to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TeamsQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page: how many teams to skip.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
    /// The form of the answer: `json` or `csv`; goes before `Accept`.
    #[param(inline)]
    format: Option<Form>,
}

/// A page of the teams' standings.
#[derive(Debug, Serialize, ToSchema)]
pub struct TeamStandings {
    /// The status of the tournament.
    status: Status,
    items: Vec<TeamRow>,
    /// The `cursor` of the next page; null on the last.
    #[schema(required)]
    next: Option<u32>,
}

const COLUMNS: [&str; 9] = [
    "place",
    "team",
    "team_result",
    "team_score",
    "player",
    "result",
    "score",
    "result_counts",
    "score_counts",
];
/// The columns that hold names that players chose.
const NAMES: [usize; 2] = [1, 4];

/// Shows the standings of the teams, the best first.
///
/// The list is empty if the tournament is not played in teams. With `Accept: text/csv` or `?format=csv`, the answer has
/// a row for each member.
#[utoipa::path(
    operation_id = "get_team_standings", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), TeamsQuery),
    responses(
        (status = 200, description = "A page of the teams.",
         content((TeamStandings = "application/json"), (String = "text/csv"))),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/teams")]
pub async fn show(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<TeamsQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, query.format, &[Form::Json, Form::Csv])?;
    let (limit, skip) = (page::limit(query.limit)? as usize, query.cursor.unwrap_or(0) as usize);
    let (tournament, rows) = tournaments.standings(*id).await.map_err(|error| problem(error, None))?;
    let mut teams = tournament.team_standings(&rows);
    let mut items = teams.split_off(skip.min(teams.len()));
    let next = (items.len() > limit).then(|| (skip + limit) as u32);
    items.truncate(limit);
    let mut answer = match form {
        Form::Csv => {
            let rows = items.iter().flat_map(members);
            export::csv(HttpResponse::Ok(), &format!("teams-{id}"), COLUMNS, &NAMES, rows)?
        }
        _ => HttpResponse::Ok().json(TeamStandings { status: tournament.status(), items, next }),
    };
    page::link(&request, &mut answer, "cursor", next);
    Ok(answer)
}

/// A row for each member of a team.
fn members(team: &TeamRow) -> impl Iterator<Item = [String; 9]> + '_ {
    fn text(value: Option<impl ToString>) -> String {
        value.map_or_else(String::new, |value| value.to_string())
    }
    team.members.iter().map(|member| {
        [
            text(team.place),
            team.team.clone(),
            team.result.to_string(),
            text(team.score),
            member.player.clone(),
            member.result.to_string(),
            text(member.score),
            member.result_counts.to_string(),
            member.score_counts.to_string(),
        ]
    })
}
