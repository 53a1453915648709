//! Audits: the bundle of a game that is over, the check of any bundle, and exports of many.

use std::io::{self, BufReader, Read};
use std::pin::{Pin, pin};

use actix_web::http::header;
use actix_web::web::{self, Bytes, Data, Path, Query, block};
use actix_web::{HttpRequest, HttpResponse, get, post};
use cardroom_core::audit::{AuditBundle, Bundle, NotABundle, Report, verify};
use cardroom_core::rules::registry::KindName;
use futures_util::future::{Either, select};
use futures_util::{Stream, TryStreamExt};
use serde::Deserialize;
use tokio::sync::mpsc;
use utoipa::IntoParams;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::games::audits::Audits;
use crate::http::accounts::auth::Viewer;
use crate::http::games::game::{problem, tagged};
use crate::http::kinds::check_kind;
use crate::http::problem::Problem;
use crate::http::requests::body::check_media_type;
use crate::http::requests::conditions::{IfNoneMatch, KnownHeader};
use crate::http::requests::incoming::Incoming;
use crate::runtime::error::ServiceError;
use crate::store::ended::{Ended, Viewer as Eyes};

/// Audits.
pub fn routes(config: &mut ServiceConfig) {
    config.service(show).service(judge).service(export);
}

/// The most bytes and entries that a bundle to be checked may have. Use `cardroom audit` for longer ones.
const MAX_BUNDLE: usize = 32 * 1024 * 1024;
const MAX_ENTRIES: usize = 100_000;

/// How many pieces of a body may wait for the thread that reads them.
const CHUNKS: usize = 4;

/// Shows everything that a finished or aborted game claims, for anyone to check.
///
/// The bundle has the whole log, the seeds and the outcome, signed by the house. POST /v1/audit/verify, `cardroom audit`
/// and the scripts in `docs/` check it.
#[utoipa::path(
    operation_id = "get_audit", tag = "audit", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The game."),
        KnownHeader,
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
    tagged(&mut response, table.version);
    if is_known {
        return Ok(response.finish());
    }
    let pieces = audits.bundle(table).await.map_err(told)?;
    let name = format!("attachment; filename=\"cardroom-{id}.json\"");
    response.insert_header((header::CONTENT_DISPOSITION, name)).content_type("application/json");
    Ok(response.streaming(bytes(pieces)))
}

/// Checks an audit bundle from any source.
///
/// This is the same check as `cardroom audit`, which needs neither network nor database, and takes bundles of any
/// length. The signature has to be by one of this service's keys. Four bundles are checked at once; further requests
/// are refused with 503 and can be repeated later.
#[utoipa::path(
    operation_id = "verify_audit", tag = "audit",
    request_body(content = AuditBundle, description = "A bundle, of at most 32 MiB and 100,000 entries."),
    responses(
        (status = 200, description = "What became of each check.", body = Report),
        (status = 422, description = "`not_a_bundle`: the first thing that is none ends the reading."),
        (status = 503, description = "`unavailable`: as many are being checked as may be at once."),
    )
)]
#[post("/v1/audit/verify")]
pub async fn judge(
    audits: Data<Audits>,
    request: HttpRequest,
    payload: web::Payload,
) -> Result<HttpResponse, Problem> {
    check_media_type(&request)?;
    let incoming = Incoming::new(&request, payload.into_inner(), MAX_BUNDLE)?;
    let busy = "other bundles are being checked; come back, or use `cardroom audit`";
    let leave = audits.check().ok_or_else(|| Problem::new("unavailable", busy))?;
    let keys = audits.keys().await;
    let (sender, body) = mpsc::channel(CHUNKS);
    let judged = block(move || {
        let bundle = Bundle::read(BufReader::new(Chunks { body, chunk: Bytes::new() }), MAX_ENTRIES);
        let report = bundle.map(|bundle| verify(&bundle, &keys, &[]));
        drop(leave);
        report
    });
    let report = match select(pin!(send_on(incoming, sender)), pin!(judged)).await {
        Either::Left((sent, judged)) => {
            sent?;
            judged.await
        }
        // The data so far is not a bundle, so the rest is not read.
        Either::Right((report, _)) => report,
    };
    let report = report.map_err(|_| Problem::new("unavailable", "the service is stopping"))?;
    report
        .map(|report| HttpResponse::Ok().json(report))
        .map_err(|error: NotABundle| Problem::new("not_a_bundle", error.to_string()))
}

/// Passes a body on as it arrives, until the receiver takes no more.
async fn send_on(mut body: Incoming, sender: mpsc::Sender<Bytes>) -> Result<(), Problem> {
    while let Some(chunk) = body.next().await? {
        if sender.send(chunk).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// A body for a thread that blocks while it waits for each piece.
struct Chunks {
    body: mpsc::Receiver<Bytes>,
    chunk: Bytes,
}

impl Read for Chunks {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.chunk.is_empty() {
            let Some(chunk) = self.body.blocking_recv() else { return Ok(0) };
            self.chunk = chunk;
        }
        let taken = self.chunk.split_to(into.len().min(self.chunk.len()));
        into[..taken.len()].copy_from_slice(&taken);
        Ok(taken.len())
    }
}

/// Which games to export.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    #[param(value_type = Option<KindName>)]
    kind: Option<String>,
    /// Only the games of this tournament.
    tournament: Option<Uuid>,
    /// Only games that ended at this time or later (RFC 3339).
    #[param(value_type = Option<String>, format = DateTime)]
    from: Option<jiff::Timestamp>,
    /// Only games that ended before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    before: Option<jiff::Timestamp>,
    /// Only games that ended after the game with this id: the last game that you have.
    cursor: Option<Uuid>,
}

/// Exports games that are over, in the order in which they ended, with one bundle on each line.
///
/// Public games are exported for everybody, private games for their creator and their players, all games for admins. If
/// the connection breaks, repeat the request with the last game's id as `cursor`. Games that ended in the last ten
/// seconds come with the next request. Games of a duplicate round come together when its last table is over, and count as
/// ended then. If the service cannot read a game, its line is no bundle: `{"error": "this game cannot be read", "game": {"id": …}}`.
#[utoipa::path(
    operation_id = "export_audits", tag = "audit", security((), ("bearer" = [])), params(ExportQuery),
    responses(
        (status = 200, description = "Bundles, a line each.", body = String, content_type = "application/jsonl"),
        (status = 404, description = "`game_not_found`: `cursor` is no game that is over."),
    )
)]
#[get("/v1/audit/games")]
pub async fn export(
    viewer: Viewer,
    audits: Data<Audits>,
    query: Query<ExportQuery>,
) -> Result<HttpResponse, Problem> {
    let ExportQuery { kind, tournament, from, before, cursor } = query.into_inner();
    check_kind(kind.as_deref())?;
    let actor = viewer.0.map(|player| player.actor());
    let eyes = match &actor {
        None => Eyes::Anyone,
        Some(actor) if actor.admin => Eyes::Admin,
        Some(actor) => Eyes::Account(actor.account),
    };
    let after = match cursor {
        None => None,
        Some(id) => {
            Some(audits.cursor(id, actor.as_ref()).await.map_err(|error| problem(error, actor.as_ref()))?)
        }
    };
    let wanted = Ended { kind, tournament, from, before, viewer: eyes };
    let lines = Audits::clone(&audits).export(wanted, after);
    Ok(HttpResponse::Ok()
        .content_type("application/jsonl")
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .streaming(bytes(lines)))
}

/// The pieces as a body. If a piece fails, the body is cut off, so that a client does not take it for complete.
fn bytes(
    pieces: impl Stream<Item = Result<String, ServiceError>> + 'static,
) -> Pin<Box<dyn Stream<Item = Result<Bytes, ServiceError>>>> {
    Box::pin(pieces.map_ok(Bytes::from).inspect_err(|error| tracing::error!(%error, "an audit broke off")))
}
