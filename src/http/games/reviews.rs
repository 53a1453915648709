//! Reviews of hands, as JSON or in words; and hands beside those of other tables.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::review::comparison::HandComparison;
use cardroom_core::review::luck::GameLuck;
use cardroom_core::review::{GameReview, Review};
use serde::Serialize;
use uuid::Uuid;

use crate::games::audits::Audits;
use crate::games::reviews::Reviews;
use crate::http::accounts::auth::Viewer;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::games::hands::{FORMS, InviteQuery};
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::tournaments::service::Tournaments;

/// Reviews a hand of a game that is over: what each action was worth by what its seat knew, and what the cards were.
///
/// A worth is a score from 0 to 1: the better the seat stands in the game, the higher. An action's is a mean over sampled
/// worlds, with its standard error. Every replica comes to the same review. It may take seconds when it is asked for
/// first. With `Accept: text/plain`, the answer is in words.
#[utoipa::path(
    operation_id = "get_hand_review", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        ("n" = u32, Path, maximum = 4_294_967_295_i64, description = "The hand's number, from 1."),
        InviteQuery,
    ),
    responses(
        (status = 200, description = "The review.",
         content((Review = "application/json"), (String = "text/plain"))),
        (status = 404, description = "`game_not_found`; `hand_not_found`: no such hand was played to its end."),
        (status = 409, description = "`not_finished`"),
        (status = 503, description = "`unavailable`: too many reviews are being computed."),
    )
)]
#[get("/v1/games/{id}/hands/{n}/review")]
pub async fn show(
    request: HttpRequest,
    (client, viewer): (ClientAddress, Viewer),
    (audits, reviews): (Data<Audits>, Data<Reviews>),
    path: Path<(Uuid, u32)>,
    query: Query<InviteQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, None, &FORMS)?;
    let (id, n) = path.into_inner();
    let actor = viewer.invited(query.into_inner().invite);
    let told = |error| problem(error, actor.as_ref());
    let table = audits.game(id, actor.as_ref()).await.map_err(told)?;
    let review = reviews.hand(table, n, client.network()).await.map_err(told)?;
    let review = review.ok_or_else(hand_not_found)?;
    Ok(answer(form, &review, || review.text()))
}

/// Compares a hand of a game that is over with the same hand at the other tables of a duplicate round: what each seat made of
/// the cards, and what was done where seats saw the same.
///
/// With `Accept: text/plain`, the answer is in words.
#[utoipa::path(
    operation_id = "get_hand_comparison", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        ("n" = u32, Path, maximum = 4_294_967_295_i64, description = "The hand's number, from 1."),
        InviteQuery,
    ),
    responses(
        (status = 200, description = "The comparison.",
         content((HandComparison = "application/json"), (String = "text/plain"))),
        (status = 404, description = "`game_not_found`; `hand_not_found`: no such hand was played to its end."),
        (status = 409, description = "`not_finished`: a game of a duplicate round is shown as over when all its tables are; `not_duplicate`"),
        (status = 503, description = "`unavailable`: too many reviews are being computed."),
    )
)]
#[get("/v1/games/{id}/hands/{n}/comparison")]
pub async fn compare(
    request: HttpRequest,
    (client, viewer): (ClientAddress, Viewer),
    (audits, reviews, tournaments): (Data<Audits>, Data<Reviews>, Data<Tournaments>),
    path: Path<(Uuid, u32)>,
    query: Query<InviteQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, None, &FORMS)?;
    let (id, n) = path.into_inner();
    let actor = viewer.invited(query.into_inner().invite);
    let told = |error| problem(error, actor.as_ref());
    let table = audits.game(id, actor.as_ref()).await.map_err(told)?;
    let compared = tournaments.comparison(&reviews, table, n, client.network()).await.map_err(told)?;
    let compared = compared.ok_or_else(hand_not_found)?;
    Ok(answer(form, &compared, || compared.text()))
}

/// Reviews a game that is over: the luck of its deals, what decisions cost and how many were mistakes, by seat.
///
/// These are the reviews of its hands, added up, until 2,000 decisions or 200 hands are reviewed. It may take seconds when it is asked
/// for first. With `Accept: text/plain`, the answer is in words.
#[utoipa::path(
    operation_id = "get_review", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        InviteQuery,
    ),
    responses(
        (status = 200, description = "The review.",
         content((GameReview = "application/json"), (String = "text/plain"))),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`not_finished`"),
        (status = 503, description = "`unavailable`: too many reviews are being computed."),
    )
)]
#[get("/v1/games/{id}/review")]
pub async fn show_game(
    request: HttpRequest,
    (client, viewer): (ClientAddress, Viewer),
    (audits, reviews): (Data<Audits>, Data<Reviews>),
    id: Path<Uuid>,
    query: Query<InviteQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, None, &FORMS)?;
    let actor = viewer.invited(query.into_inner().invite);
    let told = |error| problem(error, actor.as_ref());
    let table = audits.game(*id, actor.as_ref()).await.map_err(told)?;
    let review = reviews.game(table, client.network()).await.map_err(told)?;
    Ok(answer(form, &review, || review.text()))
}

/// Shows what each seat of a game that is over won, and the same without the luck of the deals.
///
/// Each deal is played out in 100 worlds, and in 100 others in which it is dealt anew; the difference is its luck. Every
/// replica comes to the same. It may take a second when it is asked for first.
#[utoipa::path(
    operation_id = "get_game_luck", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        InviteQuery,
    ),
    responses(
        (status = 200, description = "The luck of each seat.", body = GameLuck),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`not_finished`; `was_aborted`: nobody won it."),
        (status = 503, description = "`unavailable`: too many reviews are being computed."),
    )
)]
#[get("/v1/games/{id}/luck")]
pub async fn luck(
    (client, viewer): (ClientAddress, Viewer),
    (audits, reviews): (Data<Audits>, Data<Reviews>),
    id: Path<Uuid>,
    query: Query<InviteQuery>,
) -> Result<HttpResponse, Problem> {
    let actor = viewer.invited(query.into_inner().invite);
    let told = |error| problem(error, actor.as_ref());
    let table = audits.game(*id, actor.as_ref()).await.map_err(told)?;
    let luck = reviews.luck(table, client.network()).await.map_err(told)?;
    let luck = luck.ok_or_else(|| Problem::new("was_aborted", "the game was called off: nobody won it"))?;
    Ok(answer(Form::Json, &luck, String::new))
}

fn hand_not_found() -> Problem {
    Problem::new("hand_not_found", "no hand of this number was played to its end")
}

/// It has no tag: a game that is over does not change, but a later program may review it in another way.
fn answer(form: Form, review: &impl Serialize, in_words: impl FnOnce() -> String) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "private, max-age=600"));
    match form {
        Form::Text => response.content_type("text/plain; charset=utf-8").body(in_words()),
        _ => response.json(review),
    }
}
