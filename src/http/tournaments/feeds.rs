//! A tournament in other programs: its start in a calendar, its news in a feed reader.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use atom_syndication::{Content, Entry, Feed, FixedDateTime, Link, Person, Text};
use cardroom_core::log::entry::By;
use cardroom_core::tournament::{Status, Tournament, TournamentEntry, TournamentEvent};
use icalendar::{Calendar, Component, Event, EventLike, EventStatus};
use jiff::Timestamp;
use uuid::Uuid;

use crate::http::games::game::{problem, tagged};
use crate::http::problem::Problem;
use crate::http::requests::conditions::{IfNoneMatch, KnownHeader};
use crate::store::error::StoreError;
use crate::tournaments::service::Tournaments;

/// How much news a feed has at most.
const NEWS: i64 = 50;

/// Shows when the tournament starts, as iCalendar (RFC 5545).
///
/// Calendars that subscribe to this address follow when the start is changed.
#[utoipa::path(
    operation_id = "get_tournament_calendar", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament.")),
    responses(
        (status = 200, description = "A calendar with one event.", body = String, content_type = "text/calendar"),
        (status = 404, description = "`tournament_not_found`; `not_scheduled` where `details` has no `starts_at`."),
    )
)]
#[get("/v1/tournaments/{id}/calendar.ics")]
pub async fn calendar(tournaments: Data<Tournaments>, id: Path<Uuid>) -> Result<HttpResponse, Problem> {
    let tournament = tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    let details = tournament.details();
    let starts_at = details
        .starts_at
        .ok_or_else(|| Problem::new("not_scheduled", "nobody has said yet when this tournament starts"))?;
    let mut event = Event::new();
    event
        .uid(&id.to_string())
        .summary(&tournament.setup().name)
        .sequence(tournament.version)
        .add_property("DTSTAMP", utc(tournament.changed_at()))
        .add_property("DTSTART", utc(starts_at.0));
    if tournament.status() == Status::Aborted {
        event.status(EventStatus::Cancelled);
    }
    if let Some(description) = &details.description {
        event.description(description);
    }
    if let Some(venue) = &details.venue {
        event.location(venue);
    }
    let calendar = Calendar::new().push(event.done()).done();
    Ok(HttpResponse::Ok().content_type("text/calendar; charset=utf-8").body(calendar.to_string()))
}

/// A moment as RFC 5545 writes it.
fn utc(at: Timestamp) -> String {
    at.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// Shows the news of a tournament as an Atom feed (RFC 4287), the newest first.
///
/// Announcements, rounds, tables that are played once more, results that organisers have set, and the end: the newest 50.
#[utoipa::path(
    operation_id = "get_tournament_feed", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), KnownHeader),
    responses(
        (status = 200, description = "A feed.", body = String, content_type = "application/atom+xml",
         headers(("ETag" = String, description = "The tournament's version."))),
        (status = 304, description = "The tournament is still at that version."),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/feed.atom")]
pub async fn feed(
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    known: IfNoneMatch,
) -> Result<HttpResponse, Problem> {
    let told = |error| problem(error, None);
    let tournament = tournaments.look(*id).await.map_err(told)?;
    let is_known = known.has(tournament.version);
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    tagged(&mut response, tournament.version);
    if is_known {
        return Ok(response.finish());
    }
    let texts = tournaments.news(*id, NEWS).await.map_err(told)?;
    let mut entries = Vec::new();
    for text in &texts {
        let entry = TournamentEntry::parse(text)
            .map_err(|error| StoreError::Broken(format!("the log of tournament {id}: {error}")))?;
        entries.extend(news(&tournament, &entry));
    }
    let feed = Feed {
        title: Text::plain(tournament.setup().name.clone()),
        id: format!("urn:uuid:{id}"),
        updated: moment(tournament.changed_at()),
        authors: vec![Person { name: tournament.created_by().to_owned(), ..Person::default() }],
        // Relative to where the feed was read: the service may have many names.
        links: vec![Link {
            href: format!("/tournaments/{id}"),
            rel: "alternate".to_owned(),
            ..Link::default()
        }],
        entries,
        ..Feed::default()
    };
    Ok(response.content_type("application/atom+xml; charset=utf-8").body(feed.to_string()))
}

/// What an entry of the log is worth to readers; none for most.
fn news(tournament: &Tournament, entry: &TournamentEntry) -> Option<Entry> {
    let (title, text) = match &entry.event {
        TournamentEvent::Announced(announced) => ("Announcement".to_owned(), announced.text.clone()),
        TournamentEvent::Started => ("The tournament has started".to_owned(), String::new()),
        TournamentEvent::RoundBegan(began) => {
            let tables = began.tables.len();
            (format!("Round {} has begun", began.round), format!("Tables: {tables}."))
        }
        TournamentEvent::TableRedone(redone) => {
            let title = format!("Round {}: table {} is played once more", redone.round, redone.table);
            (title, redone.reason.clone())
        }
        TournamentEvent::ResultSet(set) => {
            (format!("Round {}: the result of table {} was set", set.round, set.table), set.reason.clone())
        }
        TournamentEvent::Finished(_) => ("The tournament is over".to_owned(), String::new()),
        TournamentEvent::Aborted(_) => ("The tournament was called off".to_owned(), String::new()),
        _ => return None,
    };
    let by = match &entry.by {
        By::Player { player } => vec![Person { name: player.clone(), ..Person::default() }],
        _ => Vec::new(),
    };
    let link = Link {
        href: format!("/tournaments/{}", tournament.id),
        rel: "alternate".to_owned(),
        ..Link::default()
    };
    Some(Entry {
        title: Text::plain(title),
        id: format!("urn:uuid:{}#{}", tournament.id, entry.seq),
        updated: moment(entry.at.0),
        authors: by,
        links: vec![link],
        content: (!text.is_empty()).then(|| Content {
            value: Some(text),
            content_type: Some("text".to_owned()),
            ..Content::default()
        }),
        ..Entry::default()
    })
}

fn moment(at: Timestamp) -> FixedDateTime {
    at.to_string().parse().expect("a moment of a log has a year of four digits")
}
