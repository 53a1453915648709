//! The OpenAPI document: what the handlers declare, and what applies to all of them.

mod additions;
mod components;
mod examples;
pub mod layout;
mod operations;
mod served;

pub use self::served::Document;
use cardroom_core::notice::Notice;
use cardroom_core::table::entry_update::MomentView;
use serde_json::Value;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi as _};

use crate::http::games::lobby::LobbyGame;
use crate::http::games::schemas::with_kinds;
use crate::http::problem::Problem;
use crate::http::streams::account::RunningGames;

/// The content of the document before any handler is added.
pub fn base() -> OpenApi {
    Base::openapi()
}

/// The whole document: what the handlers declare, what applies to all operations, and the types of each kind of game.
/// What stands in several places is named once, among the components.
///
/// # Panics
/// Where the document cannot be written as JSON, which would be a defect of the program.
pub fn complete(api: OpenApi) -> Value {
    let mut document = serde_json::to_value(&api).expect("the document has string keys and plain values");
    for (path, method, operation) in operations::of(&mut document) {
        additions::complete(&path, &method, operation);
    }
    document = with_kinds(document);
    additions::null_or_any(&mut document);
    additions::widen(&mut document);
    examples::add(&mut document);
    components::share(&mut document);
    document
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "cardroom",
        description = "Five card games over HTTP. Every game is an append-only log that anyone can check.\n\n\
            To begin: `POST /v1/auth/guest` gives a token. `POST /v1/games` with `sit` and `bots` makes a game. \
            `GET /v1/games/{id}/stream` tells what happens. `POST /v1/games/{id}/actions` takes one of the \
            `legal_actions`. `GET /v1/kinds/{kind}` tells the rules, `GET /v1/games/{id}/audit` proves the game.\n\n\
            Every failure is a problem document (RFC 9457) with a stable `code`; \
            `/docs/problems` explains them all. An operation that names no request body takes none, or `{}`; another one may \
            be refused like any wrong body.\n\n\
            Answers may gain fields, and their enumerations may gain values: a new kind of game, a new type of entry or \
            fact, a new code. A client ignores fields that it does not know, and does something sensible with a value \
            that it does not know.",
        contact(name = "The operator of this service"),
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT")
    ),
    components(schemas(Problem, MomentView, LobbyGame, RunningGames, Notice)),
    servers((url = "/", description = "The service that serves this document.")),
    modifiers(&Bearer),
    tags(
        (name = "accounts", description = "Accounts, guests and sessions."),
        (name = "kinds", description = "The kinds of games, their options and decks."),
        (name = "games", description = "Tables, seats and actions."),
        (name = "audit", description = "Proofs of finished games, and their checks."),
        (name = "log", description = "What happened: entries, streams, hand histories, audits."),
        (name = "tournaments", description = "Tournaments, standings and leaderboards."),
        (name = "series", description = "Points over several tournaments."),
        (name = "webhooks", description = "Notices that are sent to you, and what came back."),
        (name = "service", description = "The service itself."),
    )
)]
struct Base;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, api: &mut OpenApi) {
        let bearer = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("JWT")
            .description(Some(
                "The `access_token` of a session, or a personal access token (`POST /v1/me/tokens`).",
            ))
            .build();
        api.components
            .get_or_insert_default()
            .security_schemes
            .insert("bearer".to_owned(), SecurityScheme::Http(bearer).into());
    }
}
