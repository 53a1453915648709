//! Calls for a referee.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get, post};
use cardroom_core::log::entry::Time;
use cardroom_core::tournament::{Call, Command};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::requests::page::{self, NumberedQuery, Page};
use crate::http::tournaments::tournament::{change, made, run};
use crate::http::tournaments::view::TournamentView;
use crate::tournaments::service::Tournaments;

/// What a referee is needed for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewCall {
    #[schema(min_length = 1, max_length = 200, example = "My phone is dead.")]
    text: String,
}

/// What came of a call.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// What the caller is told; empty if left out.
    #[serde(default)]
    #[schema(max_length = 200, example = "You have five minutes more.")]
    answer: String,
}

/// A call for a referee.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RefereeCall)]
pub struct CallView<'a> {
    /// From 1, in the order in which they came.
    call: u32,
    /// The name of the player who called.
    player: &'a str,
    text: &'a str,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// When an organiser has seen to it; null while it is open.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    answered_at: Option<Time>,
    /// The organiser's name; null while it is open.
    #[schema(required)]
    answered_by: Option<&'a str>,
    /// Empty where nothing was said; null while it is open.
    #[schema(required)]
    answer: Option<&'a str>,
}

/// Calls a referee. For entrants.
///
/// The organisers get a notice. An entrant can have three open calls.
#[utoipa::path(
    operation_id = "call_referee", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament."), KeyHeader),
    request_body = NewCall,
    responses(
        (status = 201, description = "The call.", body = CallView,
         headers(("ETag" = String, description = "The tournament's version."))),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`not_entered`, `too_many_calls`, `tournament_not_active`, `tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/calls")]
pub async fn call_referee(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<NewCall>,
) -> Result<HttpResponse, Problem> {
    let command = Command::CallReferee { text: body.value.text };
    let changed = change(&player.actor(), &tournaments, *id, &command, (key, body.digest)).await?;
    Ok(made(&changed, &changed.tournament.calls().last().map(CallView::of)))
}

/// Lists the calls for a referee, the newest first.
///
/// Everybody can read them, because they stand in the log.
#[utoipa::path(
    operation_id = "list_calls", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), NumberedQuery),
    responses(
        (status = 200, description = "A page of calls.", body = Page<CallView>),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/calls")]
pub async fn list(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<NumberedQuery>,
) -> Result<HttpResponse, Problem> {
    let tournament = tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    let limit = page::limit(query.limit)?;
    let before = |found: &&Call| query.cursor.is_none_or(|cursor| found.number < cursor);
    let calls = tournament.calls().iter().rev().filter(before);
    let calls = calls.map(CallView::of);
    Ok(Page::of(calls.take(limit as usize + 1), limit, |last| last.call.to_string()).answer(&request))
}

/// Notes that a call was seen to. For organisers.
///
/// The caller gets a notice with the answer.
#[utoipa::path(
    operation_id = "answer_call", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("n" = u32, Path, description = "The call, from 1."),
        KeyHeader,
    ),
    request_body = Option<Answer>,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `call_not_found`"),
        (status = 409, description = "`tournament_over`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/calls/{n}/answer")]
pub async fn answer_call(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u32)>,
    key: IdempotencyKey,
    body: Body<Answer>,
) -> Result<HttpResponse, Problem> {
    let (id, call) = path.into_inner();
    let command = Command::AnswerCall { call, answer: body.value.answer };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}

impl<'a> CallView<'a> {
    fn of(call: &'a Call) -> CallView<'a> {
        let answer = call.answer.as_ref();
        CallView {
            call: call.number,
            player: &call.player,
            text: &call.text,
            at: Time(call.at),
            answered_at: answer.map(|(at, ..)| Time(*at)),
            answered_by: answer.map(|(_, by, _)| by.as_str()),
            answer: answer.map(|(.., answer)| answer.as_str()),
        }
    }
}
