//! The log of a tournament, as it is stored.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::log::entry::Time;
use cardroom_core::log::public::ByInfo;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::page;
use crate::store::error::StoreError;
use crate::tournaments::service::Tournaments;

/// Which entries of the log to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct TournamentLogQuery {
    /// Only entries after this `seq`.
    #[serde(default)]
    #[param(maximum = 4_294_967_295_i64)]
    after: u32,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
}

/// An entry of a tournament's log.
#[derive(Debug, ToSchema)]
#[expect(
    dead_code,
    reason = "it says in the document what entries look like, which are sent as they are stored"
)]
pub struct TournamentEntry {
    /// From 1, without gaps.
    seq: u32,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    r#type: TournamentEntryType,
    by: ByInfo,
    /// True if the author did this as an administrator of the house, with no role in the tournament that allows it. Left out
    /// otherwise.
    #[schema(required = false)]
    admin: bool,
    /// The data of the entry, depending on its type. All its numbers are whole. A field without a value is left out; `setup` and
    /// `details` are as the tournament shows them. `seats` of a table holds the entrants' numbers, seat 0 first.
    #[schema(value_type = Object)]
    data: Box<RawValue>,
}

/// The types of entries of a tournament's log.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "snake_case")]
#[expect(dead_code, reason = "entries are sent as they are stored; this describes them")]
enum TournamentEntryType {
    Created,
    Entered,
    Withdrawn,
    Disqualified,
    OrganiserNamed,
    OrganiserDismissed,
    TeamChanged,
    TablesPrescribed,
    PrescriptionCancelled,
    Announced,
    Penalised,
    PenaltyCancelled,
    Reinstated,
    Replaced,
    Paused,
    Resumed,
    CheckedIn,
    CheckInCancelled,
    Edited,
    TableRedone,
    ResultSet,
    ResultCancelled,
    TablePaused,
    TableResumed,
    TimeAdded,
    RefereeCalled,
    CallAnswered,
    Started,
    RoundBegan,
    RoundEnded,
    Finished,
    Aborted,
}

/// A page of a tournament's log.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentLogPage {
    #[schema(value_type = Vec<TournamentEntry>)]
    items: Vec<Box<RawValue>>,
    /// The `after` of the next page; null on the last.
    #[schema(required)]
    next: Option<u32>,
}

/// Shows what has happened to a tournament: the entries, the draws, and how it ended.
///
/// The lots of round n are the shuffle of the numbers of all entrants who were still in, in ascending order, by chance
/// n - 1 of the seed that the first entry commits to and the last one shows; in an arena, of those who were free. While a game
/// of a tournament that is over has not ended, the last entry's `server_seed` is null.
#[utoipa::path(
    operation_id = "get_tournament_log", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), TournamentLogQuery),
    responses(
        (status = 200, description = "A page of the log.", body = TournamentLogPage),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/log")]
pub async fn log(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<TournamentLogQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = page::limit(query.limit)?;
    let texts =
        tournaments.shown_log(*id, query.after, limit + 1).await.map_err(|error| problem(error, None))?;
    let more = texts.len() as i64 > limit;
    let items =
        texts.into_iter().take(limit as usize).map(RawValue::from_string).collect::<Result<Vec<_>, _>>();
    let items = items.map_err(|error| StoreError::Broken(format!("the log of tournament {id}: {error}")))?;
    let next = more.then(|| query.after + items.len() as u32);
    let mut response = HttpResponse::Ok().json(TournamentLogPage { items, next });
    page::link(&request, &mut response, "after", next);
    Ok(response)
}
