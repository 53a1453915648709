//! Hand histories, as JSON or in words.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::table::Actor;
use cardroom_core::table::hands::{Hand, HandSummary};
use serde::{Deserialize, Serialize};
use utoipa::IntoParams;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::http::accounts::auth::Viewer;
use crate::http::games::game::{problem, tagged};
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::http::requests::conditions::{IfNoneMatch, KnownHeader};
use crate::http::requests::page::{self, Page};

/// For programs, or for people.
pub const FORMS: [Form; 2] = [Form::Json, Form::Text];

/// Which hands to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HandsQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
    /// The invite to a private game, for a caller with an account or a guest's token.
    #[param(pattern = "^[0-9a-z]{10}$")]
    invite: Option<String>,
}

/// Lets a caller see a private game.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct InviteQuery {
    /// The invite to a private game, for a caller with an account or a guest's token.
    #[param(pattern = "^[0-9a-z]{10}$")]
    pub invite: Option<String>,
}

/// Lists a game's hands, the first one first, each with its result for each player.
///
/// With `Accept: text/plain`, the answer is in words.
#[utoipa::path(
    operation_id = "list_hands", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."), HandsQuery,
        KnownHeader,
    ),
    responses(
        (status = 200, description = "A page of hands, as the caller may know them.",
         content((Page<HandSummary> = "application/json"), (String = "text/plain")),
         headers(("ETag" = String, description = "The game's version."))),
        (status = 304, description = "The game is still at that version."),
        (status = 404, description = "`game_not_found`"),
    )
)]
#[get("/v1/games/{id}/hands")]
pub async fn list(
    request: HttpRequest,
    viewer: Viewer,
    games: Data<GameService>,
    id: Path<Uuid>,
    query: Query<HandsQuery>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, None, &FORMS)?;
    let HandsQuery { limit, cursor, invite } = query.into_inner();
    let limit = page::limit(limit)?;
    let (version, hands) = hands(viewer.invited(invite), &games, *id).await?;
    let after = cursor.unwrap_or(0);
    let found = hands.into_iter().filter(|hand| hand.span.hand > after).map(Hand::summary);
    let page = Page::of(found, limit, |hand| hand.span.hand.to_string());
    let in_words = || page.items.iter().map(HandSummary::text).collect::<Vec<_>>().join("\n");
    let mut response = answer(version, &known, form, &page, in_words);
    page::link(&request, &mut response, "cursor", page.next.as_ref());
    Ok(response)
}

/// Shows one hand: the cards that each player was dealt, each action, the show, and the winners with what they won and
/// why.
///
/// With `Accept: text/plain`, the answer is in words.
#[utoipa::path(
    operation_id = "get_hand", tag = "log", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        ("n" = u32, Path, maximum = 4_294_967_295_i64, description = "The hand's number, from 1."),
        InviteQuery,
        KnownHeader,
    ),
    responses(
        (status = 200, description = "The hand, as the caller may know it.",
         content((Hand = "application/json"), (String = "text/plain")),
         headers(("ETag" = String, description = "The game's version."))),
        (status = 304, description = "The game is still at that version."),
        (status = 404, description = "`game_not_found`, `hand_not_found`"),
    )
)]
#[get("/v1/games/{id}/hands/{n}")]
pub async fn show(
    request: HttpRequest,
    viewer: Viewer,
    games: Data<GameService>,
    path: Path<(Uuid, u32)>,
    query: Query<InviteQuery>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, None, &FORMS)?;
    let (id, n) = path.into_inner();
    let (version, hands) = hands(viewer.invited(query.into_inner().invite), &games, id).await?;
    let hand = hands
        .into_iter()
        .find(|hand| hand.span.hand == n)
        .ok_or_else(|| Problem::new("hand_not_found", "no hand of this number has begun"))?;
    Ok(answer(version, &known, form, &hand, || hand.text()))
}

async fn hands(actor: Option<Actor>, games: &GameService, id: Uuid) -> Result<(u32, Vec<Hand>), Problem> {
    games.hands(id, actor.as_ref()).await.map_err(|error| problem(error, actor.as_ref()))
}

fn answer(
    version: u32,
    known: &IfNoneMatch,
    form: Form,
    body: &impl Serialize,
    in_words: impl FnOnce() -> String,
) -> HttpResponse {
    let is_known = known.has(version);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    tagged(&mut response, version);
    match form {
        _ if is_known => response.finish(),
        Form::Text => response.content_type("text/plain; charset=utf-8").body(in_words()),
        _ => response.json(body),
    }
}
