//! Reviews of hands, as JSON or in words.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::review::Review;
use uuid::Uuid;

use crate::games::audits::Audits;
use crate::games::reviews::Reviews;
use crate::http::accounts::auth::Viewer;
use crate::http::games::game::problem;
use crate::http::games::hands::{FORMS, InviteQuery, answer};
use crate::http::problem::Problem;
use crate::http::requests::accept::chosen;
use crate::http::requests::conditions::{IfNoneMatch, KnownHeader};

/// Reviews a hand of a game that is over: what each action was worth by what its seat knew, and what the cards were.
///
/// An action's worth is about how likely the seat wins the game, from 0 to 1: a mean over sampled worlds, with its
/// standard error. Every replica comes to the same review. It may take seconds when it is asked for first. With
/// `Accept: text/plain`, the answer is in words.
#[utoipa::path(
    operation_id = "get_hand_review", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        ("n" = u32, Path, maximum = 4_294_967_295_i64, description = "The hand's number, from 1."),
        InviteQuery,
        KnownHeader,
    ),
    responses(
        (status = 200, description = "The review.",
         content((Review = "application/json"), (String = "text/plain")),
         headers(("ETag" = String, description = "The game's last version."))),
        (status = 304, description = "You have it: a game that is over does not change."),
        (status = 404, description = "`game_not_found`; `hand_not_found`: no such hand was played to its end."),
        (status = 409, description = "`not_finished`"),
        (status = 503, description = "`unavailable`: too many reviews are being computed."),
    )
)]
#[get("/v1/games/{id}/hands/{n}/review")]
pub async fn show(
    request: HttpRequest,
    viewer: Viewer,
    (audits, reviews): (Data<Audits>, Data<Reviews>),
    path: Path<(Uuid, u32)>,
    query: Query<InviteQuery>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, None, &FORMS)?;
    let (id, n) = path.into_inner();
    let actor = viewer.invited(query.into_inner().invite);
    let told = |error| problem(error, actor.as_ref());
    let table = audits.game(id, actor.as_ref()).await.map_err(told)?;
    let review = reviews.hand(&table, n).await.map_err(told)?;
    let review = review
        .ok_or_else(|| Problem::new("hand_not_found", "no hand of this number was played to its end"))?;
    Ok(answer(table.version, &known, form, &*review, || review.text()))
}
