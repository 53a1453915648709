//! The kinds of games: what can be chosen, and what their decks hold.

use actix_web::web::Path;
use actix_web::{HttpResponse, get};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

use super::page::Page;
use super::problem::Problem;
use crate::rules::cards::CardInfo;
use crate::rules::registry::{self, Kind};

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

/// How many play.
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
