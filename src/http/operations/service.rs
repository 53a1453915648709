//! The service itself: its health, its API document and its problems.

use std::fmt::Write;
use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::html::{self, Frames};
use crate::http::operations::document::Document;
use crate::http::problem::{CODES, Problem};
use crate::store::readiness::Readiness;

/// The state of the service.
#[derive(Debug, Serialize, ToSchema)]
pub struct Health {
    #[schema(example = "ok")]
    status: &'static str,
}

/// Whether the process runs.
///
/// Says nothing about the database: a restart of the process would not bring that back.
#[utoipa::path(tag = "service", responses((status = 200, description = "It runs.", body = Health)))]
#[get("/health/live")]
pub async fn live() -> web::Json<Health> {
    web::Json(Health { status: "ok" })
}

/// Whether requests can be served.
///
/// True if the database takes a write: it is neither away nor read-only, and has room on its disk. The answer comes
/// within two seconds.
#[utoipa::path(tag = "service", responses((status = 200, description = "They can.", body = Health)))]
#[get("/health/ready")]
pub async fn ready(readiness: web::Data<Readiness>) -> Result<web::Json<Health>, Problem> {
    readiness.check().await?;
    Ok(web::Json(Health { status: "ok" }))
}

/// This document.
#[utoipa::path(
    tag = "service",
    responses((status = 200, description = "The OpenAPI document.", body = serde_json::Value))
)]
#[get("/openapi.json")]
pub async fn openapi(document: web::Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(document.json.clone())
}

/// Redirects to the page to read and try the API.
#[utoipa::path(tag = "service", responses((status = 308, description = "It is at `/docs/`.")))]
#[get("/docs")]
pub async fn docs() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/docs/")).finish()
}

/// Lists all problems by their codes.
#[utoipa::path(
    tag = "service",
    responses((status = 200, description = "A page.", body = String, content_type = "text/html"))
)]
#[get("/docs/problems")]
pub async fn problems() -> HttpResponse {
    html::page(HttpResponse::Ok(), problems_page(), Frames::Nobody)
}

/// A page to read and try the API.
///
/// Everything that the page needs is served from here.
#[utoipa::path(
    tag = "service",
    responses((status = 200, description = "The page.", body = String, content_type = "text/html"))
)]
#[get("/docs/")]
pub async fn docs_page() -> Result<HttpResponse, Problem> {
    docs_part("index.html")
}

/// A part of the page to read and try the API.
#[utoipa::path(
    tag = "service",
    params(("file" = String, Path, description = "The part's name, as the page has it.")),
    responses(
        (status = 200, description = "The part.", content(
            (String = "text/html"), (String = "text/css"), (String = "text/javascript"), (String = "image/png"),
            (String = "application/json")
        )),
        (status = 404, description = "`not_found`: the page has no such part.")
    )
)]
#[get("/docs/{file}")]
pub async fn docs_file(file: web::Path<String>) -> Result<HttpResponse, Problem> {
    docs_part(&file)
}

fn docs_part(name: &str) -> Result<HttpResponse, Problem> {
    let config = Arc::new(utoipa_swagger_ui::Config::new(["/openapi.json"]));
    let found = utoipa_swagger_ui::serve(name, config)
        .map_err(|error| Problem::new("internal", error.to_string()))?
        .ok_or_else(|| Problem::new("not_found", "the page has no such part"))?;
    let mut response = html::with_own_scripts(HttpResponse::Ok());
    if found.gzpipped {
        response.insert_header((header::CONTENT_ENCODING, "gzip"));
    }
    Ok(response.content_type(found.content_type).body(found.bytes.into_owned()))
}

fn problems_page() -> String {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Problems - cardroom</title>\
         <style>body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}\
         dt{font-weight:bold}:target{background:#ffc}</style><h1>Problems</h1>\
         <p>Every failure is <code>application/problem+json</code> with one of these codes.</p><dl>",
    );
    for known in CODES {
        let (code, status, meaning) = (known.code, known.status, known.meaning);
        write!(page, "<dt id=\"{code}\"><code>{code}</code> ({status})</dt><dd>{meaning}</dd>")
            .expect("a string takes all that is written");
    }
    page.push_str("</dl></html>");
    page
}
