//! The lobby: games to join, to watch, and to look back at.

use actix_web::web::{Bytes, Data, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::log::entry::{Time, Visibility};
use cardroom_core::rules::registry::KindName;
use cardroom_core::table::Actor;
use cardroom_core::table::view::Status;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::games::lists::{GameRow, Position};
use crate::games::service::GameService;
use crate::http::accounts::auth::Viewer;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::kinds::check_kind;
use crate::http::limits::Streams;
use crate::http::problem::Problem;
use crate::http::requests::page::{self, Page};
use crate::http::streams::sse::{self, LastEventId, Source};
use crate::http::streams::tickets::caller;
use crate::runtime::error::ServiceError;
use crate::store::error::StoreError;
use crate::store::lists::{Filter, Listed};
use crate::streams::lobby::LobbyCursor;
use crate::streams::tickets::{Resource, Tickets};

/// Which games to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LobbyQuery {
    status: Option<Status>,
    /// Of this kind only.
    #[param(value_type = Option<KindName>)]
    kind: Option<String>,
    /// The name of a player at the table.
    #[param(pattern = r"^[^\x00]*$")]
    player: Option<String>,
    /// `true`: open games only that have a free seat.
    #[serde(default)]
    free_seats: bool,
    /// `true`: games with a clock only; `false`: games without one only.
    timed: Option<bool>,
    /// Games only whose clock gives at most so many seconds for a decision.
    #[param(minimum = 5, maximum = 604_800)]
    max_turn_seconds: Option<u32>,
    /// `true`: games only that count for ratings; `false`: the others only.
    rated: Option<bool>,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

/// A game in the lobby.
#[derive(Debug, Serialize, ToSchema)]
pub struct LobbyGame {
    id: Uuid,
    #[schema(value_type = KindName)]
    kind: String,
    rules_version: i16,
    #[schema(value_type = Status)]
    status: &'static str,
    #[schema(value_type = Visibility)]
    visibility: String,
    created_by: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = Object)]
    options: Box<RawValue>,
    /// The number of seats.
    seats: i16,
    /// The names of the seated players.
    players: Vec<String>,
    /// The number of seated bots.
    bots: i16,
    /// How many seats can be taken; 0 once the game has started.
    free_seats: i16,
    /// Seconds for each decision; null if there is no time limit.
    #[schema(required)]
    turn_seconds: Option<i32>,
    /// Whether the result counts for ratings. It does in public games in which two players or more have accounts.
    rated: bool,
    /// The game's version; null where you see the game later than it happens.
    #[schema(required)]
    version: Option<u32>,
    /// The seats that the game waits for; null where you see the game later than it happens.
    #[schema(required)]
    to_act: Option<Vec<u8>>,
    /// Your seat; null if you have none.
    #[schema(required)]
    you: Option<u8>,
    /// Whether the game waits for you.
    your_turn: bool,
    /// When the clock acts for the first seat that the game waits for; null without a clock.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    deadline: Option<Time>,
}

/// Lists games, the newest first.
///
/// Private games are listed only for their creator and their players. Tables of a duplicate round are active until the
/// round is over.
///
/// A page is chosen from at most 10,000 games. So if you ask for what is rare, a page may have fewer items than `limit`,
/// or none, and older ones follow: there are no more when `next` is null.
#[utoipa::path(
    operation_id = "list_games", tag = "games", params(LobbyQuery), security((), ("bearer" = [])),
    responses((status = 200, description = "A page of games.", body = Page<LobbyGame>))
)]
#[get("/v1/games")]
pub async fn list(
    request: HttpRequest,
    viewer: Viewer,
    games: Data<GameService>,
    query: Query<LobbyQuery>,
) -> Result<HttpResponse, Problem> {
    let LobbyQuery { status, kind, player, free_seats, timed, max_turn_seconds, rated, limit, cursor } =
        query.into_inner();
    let wanted = Wanted { status, kind, player, free_seats, timed, max_turn_seconds, rated };
    let viewer = viewer.0.map(|player| player.actor());
    let page = page(&games, &wanted.filter()?, viewer.as_ref(), cursor, page::limit(limit)?).await?;
    Ok(page.answer(&request))
}

/// Which games a request asks for.
#[derive(Default)]
pub(super) struct Wanted {
    pub status: Option<Status>,
    pub kind: Option<String>,
    pub player: Option<String>,
    pub free_seats: bool,
    pub timed: Option<bool>,
    pub max_turn_seconds: Option<u32>,
    pub rated: Option<bool>,
}

impl Wanted {
    /// The filter of the list.
    ///
    /// # Errors
    /// `invalid_parameter`.
    pub fn filter(self) -> Result<Filter, Problem> {
        let Wanted { status, kind, player, free_seats, timed, max_turn_seconds, rated } = self;

        check_kind(kind.as_deref())?;
        // No name contains a NUL character, and PostgreSQL would answer with an error that counts as a defect of this
        // program.
        if player.as_ref().is_some_and(|name| name.contains('\0')) {
            return Err(Problem::new("invalid_parameter", "a name has no zero byte"));
        }
        if max_turn_seconds.is_some_and(|most| !(5..=604_800).contains(&most)) {
            return Err(Problem::new("invalid_parameter", "max_turn_seconds: 5 to 604800"));
        }
        Ok(Filter {
            status: status.map(Into::into),
            kind,
            player,
            is_running: false,
            free_seats,
            timed,
            most_turn_seconds: max_turn_seconds.map(u32::cast_signed),
            rated,
            viewer: None,
        })
    }
}

async fn page(
    games: &GameService,
    filter: &Filter,
    viewer: Option<&Actor>,
    cursor: Option<Uuid>,
    limit: i64,
) -> Result<Page<LobbyGame>, Problem> {
    let found = games.lobby(filter, viewer, cursor, limit + 1).await;
    let (games, looked_to) = found.map_err(|error| problem(error, viewer))?;
    let games = games.into_iter().map(LobbyGame::try_from).collect::<Result<Vec<_>, _>>()?;
    let mut page = Page::of(games.into_iter(), limit, |game| game.id.to_string());
    page.next = page.next.or_else(|| looked_to.map(|id| id.to_string()));
    Ok(page)
}

/// Which games to follow, and where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LobbyStreamQuery {
    status: Option<Status>,
    /// Of this kind only.
    #[param(value_type = Option<KindName>)]
    kind: Option<String>,
    /// `true`: games with a clock only; `false`: games without one only.
    timed: Option<bool>,
    /// Games only whose clock gives at most so many seconds for a decision.
    #[param(minimum = 5, maximum = 604_800)]
    max_turn_seconds: Option<u32>,
    /// `true`: games only that count for ratings; `false`: the others only.
    rated: Option<bool>,
    /// Begin with the changes after the event with this `id`; if left out, with the list as it is now.
    after: Option<i64>,
    /// A ticket, in place of an access token.
    ticket: Option<String>,
}

/// Streams the lobby as it changes, as server-sent events.
///
/// The first event is `event: lobby` with the list's first page, `Page_LobbyGame`. Then, whenever a game is created or
/// its status or seats change, an `event: game` follows with a `LobbyGame`, the game after its newest change. A game
/// that leaves the list because of its status is sent once more. The first change may repeat what the page already
/// shows. Games of tournaments, which nobody can join, are left out.
///
/// When the stream has ended, continue with `Last-Event-ID` or `after`: each game that has changed since follows, and
/// none is missed. An `id` only says how far you have read. It is valid for all lists, for as long as the service keeps
/// its database.
#[utoipa::path(
    operation_id = "stream_games", tag = "games", security((), ("bearer" = [])),
    params(
        LobbyStreamQuery,
        LastChangeHeader,
    ),
    responses(
        (status = 200, description = "The events: a `LobbyEvent` each.", body = String, content_type = "text/event-stream"),
        (status = 401, description = "`invalid_ticket`"),
        (status = 429, description = "`too_many_streams`"),
    )
)]
#[get("/v1/games/stream")]
pub async fn follow(
    client: ClientAddress,
    viewer: Viewer,
    (games, tickets, streams): (Data<GameService>, Data<Tickets>, Data<Streams>),
    query: Query<LobbyStreamQuery>,
    last: LastEventId<i64>,
) -> Result<HttpResponse, Problem> {
    let LobbyStreamQuery { status, kind, timed, max_turn_seconds, rated, after, ticket } = query.into_inner();
    let filter = Wanted { status, kind, timed, max_turn_seconds, rated, ..Wanted::default() }.filter()?;
    let viewer = caller(viewer, ticket, &tickets, Resource::Lobby).await?;
    let permit = streams.enter(viewer.as_ref().map(|actor| actor.account), client)?;
    let after = last.0.or(after);
    let changes = match games.watch_lobby(filter.clone(), viewer.clone(), after).await {
        Err(ServiceError::NoSuchVersion) => {
            return Err(Problem::new(
                "invalid_parameter",
                "after: no event of this list had this id, or more than 10,000 games have changed since; begin without it",
            ));
        }
        changes => changes.map_err(|error| problem(error, None))?,
    };
    let opening = match after {
        None => {
            let page = page(&games, &filter, viewer.as_ref(), None, page::limit(None)?).await?;
            Some(sse::event("lobby", changes.cursor(), &page))
        }
        Some(_) => None,
    };
    Ok(sse::response(opening, changes, permit))
}

/// The header with which a client continues, for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "an extractor reads the header; this describes it")]
pub struct LastChangeHeader {
    /// The `id` of the last event that you have; goes before `after`.
    #[param(rename = "Last-Event-ID", nullable = false)]
    last_event_id: Option<i64>,
}

impl Source for LobbyCursor {
    const KIND: &str = "lobby";

    fn write(&self, (at, row): (i64, GameRow)) -> Result<Bytes, ServiceError> {
        Ok(sse::event("game", at, &LobbyGame::try_from(row)?))
    }
}

impl TryFrom<GameRow> for LobbyGame {
    /// [`StoreError::Broken`] where the options are not JSON.
    type Error = StoreError;

    fn try_from(GameRow { listed, position }: GameRow) -> Result<LobbyGame, StoreError> {
        let Listed {
            id,
            kind,
            rules_version,
            options,
            seats,
            created_at,
            status,
            visibility,
            created_by,
            bots,
            turn_seconds,
            is_rated: rated,
            version: _,
        } = listed.game;
        let players: Vec<String> = listed.players.into_iter().map(|player| player.name).collect();
        // What is newer than the row is taken from the log.
        let status = position.as_ref().map_or(status.as_str(), |position| position.status.as_str());
        let taken = bots.saturating_add(i16::try_from(players.len()).unwrap_or(i16::MAX));
        let free_seats = if status == "open" { seats.saturating_sub(taken).max(0) } else { 0 };
        let broken = |error| StoreError::Broken(format!("the options of game {id}: {error}"));
        Ok(LobbyGame {
            id,
            kind,
            rules_version,
            status,
            visibility,
            created_by,
            created_at: Time(created_at.into()),
            options: RawValue::from_string(options).map_err(broken)?,
            seats,
            players,
            bots,
            free_seats,
            turn_seconds,
            rated,
            your_turn: position.as_ref().is_some_and(Position::is_your_turn),
            version: position.as_ref().map(|position| position.version),
            you: position.as_ref().and_then(|position| position.you),
            deadline: position.as_ref().and_then(|position| position.deadline).map(Time),
            to_act: position.map(|position| position.to_act),
        })
    }
}
