//! Tournaments: creating, listing, running and showing them.

use actix_web::http::{StatusCode, header};
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, get, post};
use cardroom_core::log::entry::Time;
use cardroom_core::rules::registry::KindName;
use cardroom_core::table::Actor;
use cardroom_core::tournament::{Command, NewTournament, Status, Tournament};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::accounts::auth::{Player, Viewer};
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::{Nothing, problem, tagged};
use crate::http::kinds::check_kind;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{
    IDEMPOTENCY_REPLAYED, IdempotencyKey, IfNoneMatch, KeyHeader, KnownHeader,
};
use crate::http::requests::page::{self, Page};
use crate::http::tournaments::view::TournamentView;
use crate::store;
use crate::store::tournaments::ListedTournament;
use crate::tournaments::service::{Changed, Tournaments};

/// Creates a tournament.
///
/// Its creator is its first organiser. `result` says what decides the places. `scoring` says what counts for the other
/// prize, the `score`.
#[utoipa::path(
    operation_id = "create_tournament", tag = "tournaments", security(("bearer" = [])),
    params(KeyHeader),
    request_body = NewTournament,
    responses(
        (status = 201, description = "The tournament.", body = TournamentView,
         headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its version."))),
        (status = 404, description = "`kind_not_found`"),
        (status = 409, description = "`too_many_games`"),
        (status = 422, description = "`invalid_options`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments")]
pub async fn create(
    player: Player,
    tournaments: Data<Tournaments>,
    key: IdempotencyKey,
    body: Body<NewTournament>,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    let settled = body.value.settle()?;
    let key = key.0.zip(body.digest);
    let changed = tournaments.create(&actor, settled, key).await.map_err(|error| problem(error, None))?;
    Ok(send(StatusCode::CREATED, &changed, &actor))
}

/// Which tournaments to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TournamentsQuery {
    status: Option<Status>,
    /// Of this kind only.
    #[param(value_type = Option<KindName>)]
    kind: Option<String>,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

/// A tournament in the list.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ListedTournament)]
pub struct ListedView {
    id: Uuid,
    name: String,
    #[schema(value_type = KindName)]
    kind: String,
    #[schema(value_type = Status)]
    status: &'static str,
    /// The number of entrants.
    entrants: i32,
    /// The round that was begun last; 0 before the first.
    round: i16,
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// Lists tournaments, the newest first.
///
/// Narrow the list by `status` and `kind`; `next` and the header `Link` lead to the next page.
#[utoipa::path(
    operation_id = "list_tournaments", tag = "tournaments", params(TournamentsQuery),
    responses((status = 200, description = "A page of tournaments.", body = Page<ListedView>))
)]
#[get("/v1/tournaments")]
pub async fn list(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    query: Query<TournamentsQuery>,
) -> Result<HttpResponse, Problem> {
    let TournamentsQuery { status, kind, limit, cursor } = query.into_inner();
    let (limit, filter) = (page::limit(limit)?, filter(status, kind.as_deref())?);
    let found = tournaments.list(filter, cursor, limit + 1).await.map_err(|error| problem(error, None))?;
    let page = Page::of(found.into_iter().map(ListedView::from), limit, |listed| listed.id.to_string());
    Ok(page.answer(&request))
}

/// The filter of a list.
///
/// # Errors
/// `invalid_parameter`.
pub(super) fn filter(
    status: Option<Status>,
    kind: Option<&str>,
) -> Result<(Option<store::status::Status>, Option<&str>), Problem> {
    check_kind(kind)?;
    Ok((status.map(Into::into), kind))
}

/// Shows a tournament, with its newest rounds and their tables.
///
/// Each table names its game. With a token, `you` says whether you have entered and where you play.
#[utoipa::path(
    operation_id = "get_tournament", tag = "tournaments", security((), ("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KnownHeader,
    ),
    responses(
        (status = 200, description = "The tournament, as the caller sees it.", body = TournamentView,
         headers(("ETag" = String, description = "Its version."))),
        (status = 304, description = "It is still at that version."),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}")]
pub async fn show(
    viewer: Viewer,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let actor = viewer.0.map(|player| player.actor());
    let tournament = tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    let shows_seed = tournaments.shows_seed(&tournament).await.map_err(|error| problem(error, None))?;
    let is_known = known.has(tournament.version) && is_settled(&tournament, shows_seed);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    tag(&mut response, &tournament, shows_seed);
    if is_known {
        return Ok(response.finish());
    }
    Ok(response.json(TournamentView::of(&tournament, actor.as_ref(), shows_seed)))
}

/// Closes the list of entrants; the first round begins.
///
/// Only organisers can do this. The first round is drawn just after the answer: `rounds` is empty until then. Nobody can
/// enter after the start, unless the setup has `late_entry`.
#[utoipa::path(
    operation_id = "start_tournament", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`too_few_entrants`, `tournament_not_open`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
        (status = 429, description = "With bots: `bot_budget_used_up`."),
    )
)]
#[post("/v1/tournaments/{id}/start")]
pub async fn start(
    (player, client): (Player, ClientAddress),
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    tournaments.note_network(&player.actor(), client.network());
    run(StatusCode::OK, player, &tournaments, *id, Command::Start, (key, body.digest)).await
}

/// Calls the tournament off, and its running games.
///
/// Only organisers can do this. The standings stay as they are.
#[utoipa::path(
    operation_id = "abort_tournament", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KeyHeader,
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/abort")]
pub async fn abort(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    run(StatusCode::OK, player, &tournaments, *id, Command::Abort, (key, body.digest)).await
}

/// Runs any change to an existing tournament.
pub(crate) async fn run(
    status: StatusCode,
    player: Player,
    tournaments: &Tournaments,
    id: Uuid,
    command: Command,
    keyed: Keyed,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    let changed = change(&actor, tournaments, id, &command, keyed).await?;
    Ok(send(status, &changed, &actor))
}

/// The key of a request, and the digest of its body.
type Keyed = (IdempotencyKey, Option<[u8; 32]>);

/// Changes an existing tournament.
pub(super) async fn change(
    actor: &Actor,
    tournaments: &Tournaments,
    id: Uuid,
    command: &Command,
    (key, digest): Keyed,
) -> Result<Changed, Problem> {
    let changed = tournaments.command(id, actor, command, key.0.zip(digest)).await;
    changed.map_err(|error| problem(error, None))
}

/// The answer to a change that has made a part of a tournament: that part.
pub(super) fn made(changed: &Changed, part: &impl Serialize) -> HttpResponse {
    begun(StatusCode::CREATED, changed).json(part)
}

pub(super) fn send(status: StatusCode, changed: &Changed, actor: &Actor) -> HttpResponse {
    let Changed { tournament, .. } = changed;
    let mut response = begun(status, changed);
    if status == StatusCode::CREATED {
        response.insert_header((header::LOCATION, format!("/v1/tournaments/{}", tournament.id)));
    }
    response.json(TournamentView::of(tournament, Some(actor), changed.shows_seed))
}

/// The head of the answer to a change.
fn begun(status: StatusCode, changed: &Changed) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(status);
    if changed.replayed {
        response.insert_header((IDEMPOTENCY_REPLAYED, "true"));
    }
    tag(&mut response, &changed.tournament, changed.shows_seed);
    response
}

/// Whether what is shown of a tournament stays the same until its version changes. The seed of a tournament that is over
/// may be shown later, without a new version.
fn is_settled(tournament: &Tournament, shows_seed: bool) -> bool {
    shows_seed || !tournament.is_over()
}

/// Gives the answer its `ETag`, unless the same version may be shown differently later.
fn tag(response: &mut HttpResponseBuilder, tournament: &Tournament, shows_seed: bool) {
    if is_settled(tournament, shows_seed) {
        tagged(response, tournament.version);
    } else {
        response.insert_header((header::CACHE_CONTROL, "private, no-store"));
    }
}

impl From<ListedTournament> for ListedView {
    fn from(listed: ListedTournament) -> ListedView {
        let ListedTournament { id, name, kind, status, entrants, round, created_at, created_by } = listed;
        let (status, created_at) = (status.as_str(), Time(created_at.into()));
        ListedView { id, name, kind, status, entrants, round, created_by, created_at }
    }
}
