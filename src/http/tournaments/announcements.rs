//! What organisers say to everybody in a tournament.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get, post};
use cardroom_core::log::entry::Time;
use cardroom_core::tournament::{Announcement, Command};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::requests::page::{self, NumberedQuery, Page};
use crate::http::tournaments::tournament::{change, made};
use crate::tournaments::service::Tournaments;

/// Something to say to everybody in a tournament.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAnnouncement {
    #[schema(min_length = 1, max_length = 500, example = "Round 2 begins at three.")]
    text: String,
}

/// An announcement of an organiser.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentAnnouncement)]
pub struct AnnouncementView<'a> {
    /// The entry of the tournament's log.
    seq: u32,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    /// The organiser's name.
    by: &'a str,
    text: &'a str,
}

/// Says something to everybody in the tournament. For organisers.
///
/// It comes to the entrants and organisers as a notice, in their streams, webhooks and browsers. This is possible until
/// the tournament is over.
#[utoipa::path(
    operation_id = "announce", tag = "tournaments", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The tournament."), KeyHeader),
    request_body = NewAnnouncement,
    responses(
        (status = 201, description = "The announcement.", body = AnnouncementView,
         headers(("ETag" = String, description = "The tournament's version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_over`, `too_many_changes`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/announcements")]
pub async fn announce(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<NewAnnouncement>,
) -> Result<HttpResponse, Problem> {
    let command = Command::Announce { text: body.value.text };
    let changed = change(&player.actor(), &tournaments, *id, &command, (key, body.digest)).await?;
    Ok(made(&changed, &changed.tournament.announcements().last().map(AnnouncementView::of)))
}

/// Lists the announcements, the newest first.
///
/// Everybody can read them.
#[utoipa::path(
    operation_id = "list_announcements", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), NumberedQuery),
    responses(
        (status = 200, description = "A page of announcements.", body = Page<AnnouncementView>),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/announcements")]
pub async fn list(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<NumberedQuery>,
) -> Result<HttpResponse, Problem> {
    let tournament = tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    let limit = page::limit(query.limit)?;
    let before = |found: &&Announcement| query.cursor.is_none_or(|cursor| found.seq < cursor);
    let found = tournament.announcements().iter().rev().filter(before).map(AnnouncementView::of);
    Ok(Page::of(found.take(limit as usize + 1), limit, |last| last.seq.to_string()).answer(&request))
}

impl<'a> AnnouncementView<'a> {
    fn of(announcement: &'a Announcement) -> AnnouncementView<'a> {
        let Announcement { seq, at, by, text } = announcement;
        AnnouncementView { seq: *seq, at: Time(*at), by, text }
    }
}
