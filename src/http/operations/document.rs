//! The OpenAPI document: what the handlers declare, and what applies to all of them.

use actix_web::dev::ResourceDef;
use cardroom_core::table::entry_update::MomentView;
use serde_json::Value;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{
    Content, ContentBuilder, HeaderBuilder, ObjectBuilder, OpenApi, PathItem, Ref, RefOr, Response,
    path::Operation, schema::Type,
};
use utoipa::{Modify, OpenApi as _};

use crate::http::games::lobby::LobbyGame;
use crate::http::games::schemas::with_kinds;
use crate::http::problem::{CODES, Problem};

/// The content of the document before any handler is added.
pub fn base() -> OpenApi {
    Base::openapi()
}

/// Adds to each operation what no handler has to repeat: the failures that any request can meet, the form of all
/// failures, and the headers of all answers. Adds to the whole document the types of each kind of game.
///
/// # Panics
/// Where the document cannot be written as JSON, which would be a defect of the program.
pub fn complete(mut api: OpenApi) -> Value {
    for item in api.paths.paths.values_mut() {
        for (_, operation) in operations_mut(item) {
            document_common_failures(operation);
            for (status, response) in &mut operation.responses.responses {
                if let RefOr::T(response) = response {
                    document_response(status, response);
                }
            }
        }
    }
    with_kinds(serde_json::to_value(&api).expect("the document has string keys and plain values"))
}

/// The finished document, as it is served, and the methods that each path allows.
pub struct Document {
    pub json: String,
    paths: Vec<(ResourceDef, String)>,
}

impl Document {
    pub fn new(document: &Value) -> Document {
        let paths = document["paths"].as_object().into_iter().flatten();
        let paths = paths.map(|(path, item)| (ResourceDef::new(path.as_str()), allow(item))).collect();
        Document { json: document.to_string(), paths }
    }

    /// The methods that `path` allows, as `Allow` lists them; `None` if the path does not exist.
    pub fn allowed(&self, path: &str) -> Option<&str> {
        self.paths.iter().find(|(known, _)| known.is_match(path)).map(|(_, methods)| methods.as_str())
    }
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "cardroom",
        description = "Five card games over HTTP. Every game is an append-only log that anyone can check.\n\n\
            Every failure is a problem document (RFC 9457) with a stable `code`; \
            `/docs/problems` explains them all.",
        license(name = "Apache-2.0 OR MIT", identifier = "Apache-2.0 OR MIT")
    ),
    components(schemas(Problem, MomentView, LobbyGame)),
    modifiers(&Bearer),
    tags(
        (name = "accounts", description = "Accounts, guests and sessions."),
        (name = "kinds", description = "The kinds of games, their options and decks."),
        (name = "games", description = "Tables, seats and actions."),
        (name = "log", description = "What happened: entries, streams, hand histories, audits."),
        (name = "tournaments", description = "Tournaments, standings and leaderboards."),
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
            .description(Some("The `access_token` of a session."))
            .build();
        api.components
            .get_or_insert_default()
            .security_schemes
            .insert("bearer".to_owned(), SecurityScheme::Http(bearer).into());
    }
}

/// The failures that any operation can meet. An operation's own failures are declared with its handler.
fn document_common_failures(operation: &mut Operation) {
    let mut codes: Vec<&str> = vec!["too_many_requests", "internal", "unavailable", "invalid_parameter"];
    if operation.security.is_some() {
        codes.push("unauthorized");
    }
    if operation.request_body.is_some() {
        codes.extend([
            "request_timeout",
            "malformed_json",
            "body_too_large",
            "unsupported_media_type",
            "invalid_body",
        ]);
    }
    for code in CODES.iter().filter(|known| codes.contains(&known.code)) {
        let sentence = format!("`{}`: {}", code.code, code.meaning);
        let response = operation
            .responses
            .responses
            .entry(code.status.to_string())
            .or_insert_with(|| RefOr::T(Response::default()));
        if let RefOr::T(response) = response {
            let description = std::mem::take(&mut response.description);
            response.description =
                if description.is_empty() { sentence } else { format!("{description}\n\n{sentence}") };
        }
    }
}

/// Every failure is a problem document, and every answer has the request's id.
fn document_response(status: &str, response: &mut Response) {
    if status >= "400" && response.content.is_empty() {
        response.content.insert("application/problem+json".to_owned(), problem_content().into());
    }
    let request_id = HeaderBuilder::new()
        .description(Some("The id under which the service logged the request."))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build();
    response.headers.insert("X-Request-Id".to_owned(), request_id.into());
}

fn problem_content() -> Content {
    ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build()
}

fn operations_mut(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    [
        ("GET", item.get.as_mut()),
        ("POST", item.post.as_mut()),
        ("PUT", item.put.as_mut()),
        ("PATCH", item.patch.as_mut()),
        ("DELETE", item.delete.as_mut()),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation?)))
}

fn allow(item: &Value) -> String {
    let methods = item.as_object().into_iter().flatten();
    let methods: Vec<String> = methods.map(|(method, _)| method.to_uppercase()).collect();
    methods.join(", ")
}
