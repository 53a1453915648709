//! The service itself: its health and its API document.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::html;
use crate::http::operations::document::Document;
use crate::http::problem::Problem;
use crate::http::requests::unchanged::{self, Freshness};
use crate::store::readiness::Readiness;

/// The page to read and try the API. Its parts are Swagger UI's.
const DOCS: &str = r#"<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>cardroom: the API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="stylesheet" href="/docs/index.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png" sizes="32x32">
<div id="swagger-ui"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/swagger-initializer.js"></script></html>
"#;

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
///
/// Generate clients from it. It changes only with the program.
#[utoipa::path(
    tag = "service",
    responses((status = 200, description = "The OpenAPI document.", body = serde_json::Value, headers(("ETag" = String))))
)]
#[get("/openapi.json")]
pub async fn openapi(request: HttpRequest, document: web::Data<Document>) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.content_type("application/json");
    unchanged::content(&request, response, Freshness::WithTheProgram, document.json.clone())
}

/// A page to read and try the API.
///
/// Everything that the page needs is served from here.
#[utoipa::path(
    tag = "service",
    responses((status = 200, description = "The page.", body = String, content_type = "text/html"))
)]
#[get("/docs")]
pub async fn docs() -> HttpResponse {
    html::with_own_scripts(HttpResponse::Ok()).content_type("text/html; charset=utf-8").body(DOCS)
}

/// Leads `/docs/` to `/docs`.
pub async fn docs_with_slash() -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((header::LOCATION, "/docs")).finish()
}

/// A part of the page to read and try the API.
///
/// The page names them: scripts, styles and pictures. Nothing is loaded from elsewhere.
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
