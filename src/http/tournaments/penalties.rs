//! What organisers add to what entrants have earned, or take off.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use cardroom_core::log::entry::Time;
use cardroom_core::notice::Thousandths;
use cardroom_core::tournament::acts::THOUSANDTHS;
use cardroom_core::tournament::{Command, Penalty, Tournament};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::accounts::auth::Player;
use crate::http::games::game::{Nothing, problem};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::requests::page::{self, NumberedQuery, Page};
use crate::http::tournaments::tournament::{change, made, run};
use crate::http::tournaments::view::TournamentView;
use crate::tournaments::service::Tournaments;

/// A penalty to be given. At least one of `result` and `score` is not 0.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPenalty {
    /// The entrant's name in the standings.
    player: String,
    /// The reason, which everybody can read.
    #[schema(min_length = 1, max_length = 200, example = "late at the table")]
    reason: String,
    /// What is added to the result, in steps of a thousandth; below 0 it is taken off.
    #[serde(default)]
    #[schema(minimum = -1_000_000, maximum = 1_000_000, example = -0.5)]
    result: f64,
    /// What is added to the score; below 0 it is taken off.
    #[serde(default)]
    #[schema(minimum = -1_000_000, maximum = 1_000_000, example = -10)]
    score: i64,
}

/// A penalty, which stands in the list when it has been cancelled, too.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Penalty)]
pub struct PenaltyView<'a> {
    /// From 1, in the order in which they were given.
    penalty: u32,
    /// The entrant's number.
    entrant: u32,
    /// The entrant's name in the standings.
    player: &'a str,
    reason: &'a str,
    /// What it adds to the result; below 0 it takes off.
    #[schema(value_type = f64)]
    result: Thousandths,
    /// What it adds to the score; below 0 it takes off.
    score: i64,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// The name of the organiser who gave it.
    by: &'a str,
    /// When it was cancelled; null while it counts.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    cancelled_at: Option<Time>,
    /// The name of the organiser who cancelled it.
    #[schema(required)]
    cancelled_by: Option<&'a str>,
}

/// Adds to what an entrant has earned, or takes off. For organisers.
///
/// The standings show it beside what was earned. This is also possible after the tournament has finished, but not after
/// it was called off.
#[utoipa::path(
    operation_id = "penalise", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament."), KeyHeader),
    request_body = NewPenalty,
    responses(
        (status = 201, description = "The penalty.", body = PenaltyView,
         headers(("ETag" = String, description = "The tournament's version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`tournament_not_active`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `invalid_options`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/penalties")]
pub async fn penalise(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<NewPenalty>,
) -> Result<HttpResponse, Problem> {
    let NewPenalty { player: entrant, reason, result, score } = body.value;
    let result = thousandths(result)?;
    let command = Command::Penalise { player: entrant, reason, result, score };
    let changed = change(&player.actor(), &tournaments, *id, &command, (key, body.digest)).await?;
    let tournament = &*changed.tournament;
    let penalty = tournament.penalties().last().map(|penalty| PenaltyView::of(tournament, penalty));
    Ok(made(&changed, &penalty))
}

/// Lists the penalties, the newest first.
///
/// Everybody can read them.
#[utoipa::path(
    operation_id = "list_penalties", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), NumberedQuery),
    responses(
        (status = 200, description = "A page of penalties.", body = Page<PenaltyView>),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/penalties")]
pub async fn list(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<NumberedQuery>,
) -> Result<HttpResponse, Problem> {
    let tournament = tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    let limit = page::limit(query.limit)?;
    let before = |found: &&Penalty| query.cursor.is_none_or(|cursor| found.number < cursor);
    let found = tournament.penalties().iter().rev().filter(before);
    let found = found.map(|penalty| PenaltyView::of(&tournament, penalty)).take(limit as usize + 1);
    Ok(Page::of(found, limit, |last| last.penalty.to_string()).answer(&request))
}

/// Cancels a penalty. For organisers.
///
/// It stays in the list, and counts no more.
#[utoipa::path(
    operation_id = "cancel_penalty", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("penalty" = u32, Path, description = "The penalty's number."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `penalty_not_found`"),
        (status = 409, description = "`tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[delete("/v1/tournaments/{id}/penalties/{penalty}")]
pub async fn cancel(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u32)>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (id, penalty) = path.into_inner();
    run(StatusCode::OK, player, &tournaments, id, Command::CancelPenalty { penalty }, (key, body.digest))
        .await
}

/// A number in thousandths.
///
/// # Errors
/// `invalid_body` where it is finer than that, or too large.
fn thousandths(number: f64) -> Result<i64, Problem> {
    let thousandths = number * THOUSANDTHS as f64;
    // A decimal fraction is not exact in binary.
    if thousandths.abs() > 1e12 || (thousandths - thousandths.round()).abs() > 1e-6 {
        return Err(Problem::new("invalid_body", "result: at most a million, in steps of a thousandth"));
    }
    Ok(thousandths.round() as i64)
}

impl<'a> PenaltyView<'a> {
    fn of(tournament: &'a Tournament, penalty: &'a Penalty) -> PenaltyView<'a> {
        let Penalty { number, entrant, reason, result, score, at, by, cancelled } = penalty;
        let (cancelled_at, cancelled_by) = cancelled.as_ref().map(|(at, by)| (Time(*at), &**by)).unzip();
        PenaltyView {
            penalty: *number,
            entrant: *entrant,
            player: tournament.entrants()[*entrant as usize].entrant.name(),
            reason,
            result: Thousandths(*result),
            score: *score,
            at: Time(*at),
            by,
            cancelled_at,
            cancelled_by,
        }
    }
}
