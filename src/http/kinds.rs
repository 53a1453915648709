//! The kinds of games: their options and their decks.

use actix_web::web::Path;
use actix_web::{HttpResponse, get, post};
use cardroom_core::rules::cards::CardInfo;
use cardroom_core::rules::registry::{self, Kind};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa_actix_web::service_config::ServiceConfig;

use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::page::Page;

/// Kinds.
pub fn routes(config: &mut ServiceConfig) {
    config.service(list).service(show).service(rank);
}

/// A kind of game.
#[derive(Serialize, ToSchema)]
#[schema(as = Kind)]
pub struct KindView {
    #[schema(example = "royal_gambit")]
    kind: &'static str,
    name: &'static str,
    summary: &'static str,
    seats: SeatRange,
    /// JSON Schema of the options, with their defaults.
    #[schema(value_type = Object)]
    options_schema: RefOr<Schema>,
    /// Every card, in the order before a shuffle.
    deck: Vec<CardInfo>,
    rules_version: u16,
}

/// The number of players.
#[derive(Debug, Serialize, ToSchema)]
pub struct SeatRange {
    min: u8,
    max: u8,
}

impl From<&Kind> for KindView {
    fn from(kind: &Kind) -> KindView {
        KindView {
            kind: kind.kind,
            name: kind.name,
            summary: kind.summary,
            seats: SeatRange { min: kind.min_seats, max: kind.max_seats },
            options_schema: (kind.schemas)().options,
            deck: (kind.deck)(),
            rules_version: kind.rules_version,
        }
    }
}

/// Lists the kinds of games.
#[utoipa::path(
    operation_id = "list_kinds", tag = "kinds",
    responses((status = 200, description = "All kinds, on one page.", body = Page<KindView>))
)]
#[get("/v1/kinds")]
pub async fn list() -> HttpResponse {
    let items = registry::newest().map(KindView::from).collect();
    HttpResponse::Ok().json(Page { items, next: None })
}

/// Shows a kind of game.
#[utoipa::path(
    operation_id = "get_kind", tag = "kinds",
    params(("kind" = String, Path, description = "Its name, like `royal_gambit`.")),
    responses(
        (status = 200, description = "The kind.", body = KindView),
        (status = 404, description = "`kind_not_found`"),
    )
)]
#[get("/v1/kinds/{kind}")]
pub async fn show(kind: Path<String>) -> Result<HttpResponse, Problem> {
    match registry::by_name(&kind) {
        Some(kind) => Ok(HttpResponse::Ok().json(KindView::from(kind))),
        None => {
            Err(Problem::new("kind_not_found", "there is no such kind of game; GET /v1/kinds lists them"))
        }
    }
}

/// Ranks some cards, in the kinds that rank them.
#[utoipa::path(
    operation_id = "rank", tag = "kinds",
    params(("kind" = String, Path, description = "Its name, like `knights_heads`.")),
    request_body = Value,
    responses((status = 200, description = "What they make.", body = Value))
)]
#[post("/v1/kinds/{kind}/rank")]
pub async fn rank(kind: Path<String>, body: Body<Box<RawValue>>) -> Result<HttpResponse, Problem> {
    let ranking = registry::by_name(&kind).and_then(|kind| kind.ranking).ok_or_else(|| {
        Problem::new("kind_not_found", "there is no such kind of game, or it ranks no cards")
    })?;
    let ranked =
        (ranking.rank)(body.value.get()).map_err(|refusal| Problem::new(refusal.code, refusal.detail))?;
    Ok(HttpResponse::Ok().json(ranked))
}
