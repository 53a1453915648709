//! The kinds of games: what can be chosen, and what their decks hold.

use actix_web::web::Path;
use actix_web::{HttpResponse, get, post};
use cardroom_core::rules::cards::CardInfo;
use cardroom_core::rules::knights_heads::deck::{Face, KnightsCard};
use cardroom_core::rules::knights_heads::hands::{self, Faces, Hand, Ranked};
use cardroom_core::rules::registry::{self, Kind};
use serde::{Deserialize, Serialize};
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

/// Ten cards of the deck of Knights' Heads.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TenCards {
    /// No card twice.
    #[schema(inline, min_items = 10, max_items = 10)]
    cards: Vec<KnightsCard>,
}

/// What ten cards make, where a triplet counts.
#[derive(Debug, Serialize, ToSchema)]
pub struct RankedCards {
    #[schema(inline)]
    hand: Hand,
    /// Its number in the table of hands, 1 for the highest; null for `nothing`.
    #[schema(required, minimum = 1, maximum = 26)]
    rank: Option<u8>,
    /// The faces that it is compared by with its equals, highest first.
    #[schema(inline, value_type = Vec<Face>)]
    faces: Faces,
    /// How many of the cards are notable: equal faces are compared by them.
    notables: u8,
    courts_of_knights: u8,
}

/// Tells what ten cards make in Knights' Heads.
#[utoipa::path(
    operation_id = "rank_knights_heads", tag = "kinds",
    request_body = TenCards,
    responses((status = 200, description = "The highest hand that they fit.", body = RankedCards))
)]
#[post("/v1/kinds/knights_heads/rank")]
pub async fn rank(body: Body<TenCards>) -> Result<HttpResponse, Problem> {
    let cards = ten_different(body.value.cards)?;
    let Ranked { hand, faces, notables } = hands::rank(&cards, true);
    let courts_of_knights = hands::courts_of_knights(&cards);
    Ok(HttpResponse::Ok().json(RankedCards { hand, rank: hand.number(), faces, notables, courts_of_knights }))
}

fn ten_different(mut cards: Vec<KnightsCard>) -> Result<Vec<KnightsCard>, Problem> {
    if cards.len() != 10 {
        let detail = format!("a hand holds ten cards, and here are {}", cards.len());
        return Err(Problem::new("invalid_body", detail));
    }
    cards.sort_unstable();
    match cards.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(Problem::new("invalid_body", format!("the deck holds {:?} once", pair[0]))),
        None => Ok(cards),
    }
}
