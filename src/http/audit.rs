//! Audits: the bundle of a game that is over, the check of any bundle, and exports of many.

use std::pin::Pin;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::web::{Bytes, Data, Path, Query, block};
use actix_web::{FromRequest, HttpRequest, HttpResponse, get, post};
use futures_util::{Stream, TryStreamExt};
use serde::Deserialize;
use utoipa::IntoParams;
use uuid::Uuid;

use super::auth::Viewer;
use super::body::{check_media_type, read};
use super::conditions::IfNoneMatch;
use super::games::{cacheable, problem};
use super::problem::Problem;
use crate::audit::{AuditBundle, Bundle, NotABundle, Report, verify};
use crate::play::audits::Audits;
use crate::play::error::PlayError;
use crate::store::ended::{Ended, Viewer as Eyes};

/// The most that a bundle to be checked may have: some 100,000 entries. Longer ones are for `cardroom audit`.
const MAX_BUNDLE: usize = 32 * 1024 * 1024;

/// Shows all that a game which is over claims, for anyone to check.
#[utoipa::path(
    operation_id = "get_audit", tag = "audit", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        ("If-None-Match" = Option<String>, Header, description = "The version that you have."),
    ),
    responses(
        (status = 200, description = "The audit bundle.", body = AuditBundle,
         headers(("ETag" = String, description = "The game's last version."))),
        (status = 304, description = "You have it: a game that is over does not change."),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`not_finished`"),
    )
)]
#[get("/v1/games/{id}/audit")]
pub async fn show(
    viewer: Viewer,
    audits: Data<Audits>,
    id: Path<Uuid>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let actor = viewer.0.map(|player| player.actor());
    let told = |error| problem(error, actor.as_ref());
    let table = audits.game(*id, actor.as_ref()).await.map_err(told)?;
    let is_known = known.has(table.version);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    cacheable(&mut response, table.version);
    if is_known {
        return Ok(response.finish());
    }
    let pieces = audits.bundle(table).await.map_err(told)?;
    let name = format!("attachment; filename=\"cardroom-{id}.json\"");
    response.insert_header((header::CONTENT_DISPOSITION, name)).content_type("application/json");
    Ok(response.streaming(bytes(pieces)))
}

/// Checks an audit bundle, whoever it comes from.
///
/// The same as `cardroom audit`, which needs neither network nor database. The signature has to be by one of
/// this service's keys.
#[utoipa::path(
    operation_id = "verify_audit", tag = "audit",
    request_body(content = AuditBundle, description = "A bundle, of at most 32 MiB."),
    responses(
        (status = 200, description = "What became of each check.", body = Report),
        (status = 422, description = "`not_a_bundle`"),
    )
)]
#[post("/v1/audit/verify")]
pub async fn judge(audits: Data<Audits>, text: BundleText) -> Result<HttpResponse, Problem> {
    let keys = audits.keys().await;
    let report = block(move || {
        let bundle = Bundle::parse(&text.0)?;
        Ok(verify(&bundle, &keys, &[]))
    });
    let report = report.await.map_err(|_| Problem::new("unavailable", "the service is stopping"))?;
    report
        .map(|report| HttpResponse::Ok().json(report))
        .map_err(|error: NotABundle| Problem::new("not_a_bundle", error.to_string()))
}

/// A bundle that was sent.
pub struct BundleText(String);

impl FromRequest for BundleText {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<BundleText, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            check_media_type(&request)?;
            let bytes = read(&request, payload, MAX_BUNDLE).await?;
            let text = String::from_utf8(bytes)
                .map_err(|error| Problem::new("malformed_json", format!("no UTF-8: {error}")))?;
            Ok(BundleText(text))
        })
    }
}

/// Which games to export.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    kind: Option<String>,
    /// Those of a tournament.
    tournament: Option<Uuid>,
    /// Those that ended at this time or later (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<jiff::Timestamp>,
    /// Those that ended before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    before: Option<jiff::Timestamp>,
    /// The id of the last game that you have: those that ended after it.
    after: Option<Uuid>,
}

/// Exports games that are over, in the order in which they ended: a bundle a line.
///
/// Public games for everybody, private ones for who made them and who sat at them, all for admins. When the
/// connection breaks, ask again with the last game's id as `after`. Games that ended in the last ten seconds
/// come with the next request. Those of a duplicate tournament are there once their round is over, in the order in
/// which they ended.
#[utoipa::path(
    operation_id = "export_audits", tag = "audit", security((), ("bearer" = [])), params(ExportQuery),
    responses(
        (status = 200, description = "Bundles, a line each.", body = String, content_type = "application/jsonl"),
        (status = 404, description = "`game_not_found`: `after` is no game that is over."),
    )
)]
#[get("/v1/audit/games")]
pub async fn export(
    viewer: Viewer,
    audits: Data<Audits>,
    query: Query<ExportQuery>,
) -> Result<HttpResponse, Problem> {
    let ExportQuery { kind, tournament, from, before, after } = query.into_inner();
    if kind.as_ref().is_some_and(|kind| crate::rules::registry::by_name(kind).is_none()) {
        return Err(Problem::new("invalid_parameter", "there is no such kind of game"));
    }
    let actor = viewer.0.map(|player| player.actor());
    let eyes = match &actor {
        None => Eyes::Anyone,
        Some(actor) if actor.admin => Eyes::Admin,
        Some(actor) => Eyes::Account(actor.account),
    };
    let after = match after {
        None => None,
        Some(id) => {
            Some(audits.cursor(id, actor.as_ref()).await.map_err(|error| problem(error, actor.as_ref()))?)
        }
    };
    let wanted = Ended { kind, tournament, from, before, viewer: eyes };
    let lines = Audits::clone(&audits).export(wanted, after);
    Ok(HttpResponse::Ok()
        .content_type("application/jsonl")
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .streaming(bytes(lines)))
}

/// The pieces as a body. One that fails breaks it off, so that nobody takes it for whole.
fn bytes(
    pieces: impl Stream<Item = Result<String, PlayError>> + 'static,
) -> Pin<Box<dyn Stream<Item = Result<Bytes, PlayError>>>> {
    Box::pin(pieces.map_ok(Bytes::from).inspect_err(|error| tracing::error!(%error, "an audit broke off")))
}
