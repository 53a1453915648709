//! The kinds of games: their options and decks, and how they are told to players.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::http::header;
use actix_web::web::{self, Bytes, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use cardroom_core::rules::cards::CardInfo;
use cardroom_core::rules::guide::KindTexts;
use cardroom_core::rules::odds::Odds;
use cardroom_core::rules::registry::{self, Kind, KindName};
use cardroom_core::rules::texts::Language;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::language::preferred;
use crate::http::requests::page::Page;
use crate::http::requests::unchanged::{self, Freshness};

/// The header that chooses a language, for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "the handlers read the header; this describes it")]
pub struct LanguageHeader {
    /// The languages that you read, the best first; English if none of them is there.
    #[param(rename = "Accept-Language", example = "de, en;q=0.5")]
    accept_language: Option<String>,
}

/// Kinds.
pub fn routes(config: &mut ServiceConfig) {
    config.service(list).service(show).service(rank).service(odds);
}

/// Refuses a filter of a list by a kind that there is not: an empty list would hide the mistake.
///
/// # Errors
/// `invalid_parameter`.
pub fn check_kind(kind: Option<&str>) -> Result<(), Problem> {
    if kind.is_some_and(|kind| registry::by_name(kind).is_none()) {
        return Err(Problem::new("invalid_parameter", "kind: there is no such kind of game"));
    }
    Ok(())
}

/// A kind of game.
#[derive(Serialize, ToSchema)]
#[schema(as = KindSummary)]
pub struct KindView {
    #[schema(value_type = KindName)]
    kind: &'static str,
    name: String,
    /// One sentence that tells it from the others.
    summary: String,
    seats: SeatRange,
    /// JSON Schema of the options, with their defaults, and with a title for each option and each value to choose.
    #[schema(value_type = Object)]
    options_schema: Value,
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

impl KindView {
    fn of(kind: &Kind, language: Language) -> KindView {
        let texts = kind.texts(language);
        KindView {
            kind: kind.kind,
            name: texts.text("name").text,
            summary: texts.text("summary").text,
            seats: SeatRange { min: kind.min_seats, max: kind.max_seats },
            options_schema: kind.titled_options_schema(language),
            deck: (kind.deck)(),
            rules_version: kind.rules_version,
        }
    }
}

/// A kind of game with all that a player is told of it.
#[derive(Serialize, ToSchema)]
#[schema(as = KindText)]
pub struct KindWithTexts {
    #[serde(flatten)]
    kind: KindView,
    #[serde(flatten)]
    texts: KindTexts,
}

/// Answers that only change with the program: each is written once.
type Written<K> = LazyLock<HashMap<K, Bytes>>;

fn written(answer: &impl Serialize) -> Bytes {
    serde_json::to_vec(answer).expect("answers have string keys and plain values").into()
}

/// Lists the kinds of games.
///
/// `Accept-Language` chooses the language of the texts.
#[utoipa::path(
    operation_id = "list_kinds", tag = "kinds", params(LanguageHeader),
    responses((status = 200, description = "All kinds, on one page.", body = Page<KindView>,
               headers(("ETag" = String), ("Content-Language" = String))))
)]
#[get("/v1/kinds")]
pub async fn list(request: HttpRequest) -> HttpResponse {
    static LISTS: Written<Language> = LazyLock::new(|| {
        let list = |language| {
            let items: Vec<_> = registry::newest().map(|kind| KindView::of(kind, language)).collect();
            (language, written(&Page { items, next: None }))
        };
        Language::ALL.into_iter().map(list).collect()
    });
    let language = preferred(&request);
    localized(&request, language, &LISTS[&language])
}

/// Shows a kind of game, with all that a player has to know to play it.
///
/// It has the rules as a guide, and what each option, card, action, fact and hand is called and means. Each text has a
/// key that never changes. `Accept-Language` chooses the language of the texts: `en` or `de`.
#[utoipa::path(
    operation_id = "get_kind", tag = "kinds",
    params(("kind" = KindName, Path, description = "Its name."), LanguageHeader),
    responses(
        (status = 200, description = "The kind.", body = KindWithTexts,
         headers(("ETag" = String), ("Content-Language" = String))),
        (status = 404, description = "`kind_not_found`"),
    )
)]
#[get("/v1/kinds/{kind}")]
pub async fn show(request: HttpRequest, kind: Path<String>) -> Result<HttpResponse, Problem> {
    static KINDS: Written<(&'static str, Language)> = LazyLock::new(|| {
        let of = |kind: &'static Kind, language| {
            let view =
                KindWithTexts { kind: KindView::of(kind, language), texts: kind.player_texts(language) };
            ((kind.kind, language), written(&view))
        };
        registry::newest().flat_map(|kind| Language::ALL.map(|language| of(kind, language))).collect()
    });
    let language = preferred(&request);
    let kind = registry::by_name(&kind).ok_or_else(no_such_kind)?;
    Ok(localized(&request, language, &KINDS[&(kind.kind, language)]))
}

/// Shows how likely is what players of a kind ask about.
///
/// Each table says how it was computed. The odds follow from the rules of the game, so they change only with the program.
#[utoipa::path(
    operation_id = "get_odds", tag = "kinds",
    params(("kind" = KindName, Path, description = "Its name.")),
    responses(
        (status = 200, description = "The odds.", body = Odds, headers(("ETag" = String))),
        (status = 404, description = "`kind_not_found`"),
    )
)]
#[get("/v1/kinds/{kind}/odds")]
pub async fn odds(request: HttpRequest, kind: Path<String>) -> Result<HttpResponse, Problem> {
    static ODDS: Written<&'static str> = LazyLock::new(|| {
        registry::newest().filter_map(|kind| Some((kind.kind, written(&(kind.odds)()?)))).collect()
    });
    let kind = registry::by_name(&kind).ok_or_else(no_such_kind)?;
    // The first callers wait for up to two seconds, on a thread that serves nobody else.
    let odds = web::block(|| ODDS.get(kind.kind).cloned()).await.map_err(|error| {
        tracing::error!(%error, "the odds cannot be computed");
        Problem::new("internal", "something went wrong on our side; it has been logged")
    })?;
    let odds = odds.ok_or_else(|| Problem::new("kind_not_found", "this kind of game has no odds"))?;
    let mut response = HttpResponse::Ok();
    response.content_type("application/json");
    Ok(unchanged::content(&request, response, Freshness::WithTheProgram, odds))
}

fn no_such_kind() -> Problem {
    Problem::new("kind_not_found", "there is no such kind of game; GET /v1/kinds lists them")
}

fn localized(request: &HttpRequest, language: Language, text: &Bytes) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.content_type("application/json").insert_header((header::CONTENT_LANGUAGE, language.tag()));
    unchanged::content(request, response, Freshness::WithTheProgram, text.clone())
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
