//! What everybody may know of a player.

use std::collections::BTreeMap;

use actix_web::web::{Data, Json, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::log::entry::Time;
use cardroom_core::rules::registry::{self, KindName};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::accounts::Accounts;
use crate::http::leaderboards::{RatingInfo, counters};
use crate::http::problem::Problem;
use crate::http::requests::page::{self, Page};
use crate::store::profiles::{FinishedGame, RatedGame, Tally};

/// How many games a profile lists.
const LISTED: usize = 10;

/// The public data of a player.
#[derive(Debug, Serialize, ToSchema)]
pub struct Profile {
    #[schema(example = "ann")]
    username: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    guest: bool,
    /// Whether it is a program.
    program: bool,
    kinds: Vec<KindRecord>,
    /// The newest ten games that the player has finished, the newest first.
    games: Vec<PlayedGame>,
}

/// A player's public games of one kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct KindRecord {
    #[schema(value_type = KindName)]
    kind: String,
    /// Public games, those that run included.
    #[schema(value_type = i32)]
    games: i64,
    /// Those that were played to their end.
    #[schema(value_type = i32)]
    finished: i64,
    /// Those with the first place.
    #[schema(value_type = i32)]
    wins: i64,
    /// The places in the newest ten games that are finished, the newest first.
    #[schema(max_items = 10)]
    form: Vec<i16>,
    /// Null before the first game of this kind that counts.
    #[schema(required)]
    rating: Option<RatingInfo>,
    /// What else is counted in games of this kind that are rated, such as courts of knights that were shown.
    counters: BTreeMap<&'static str, u32>,
}

/// A game that a player has finished.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlayedGame {
    game: Uuid,
    #[schema(value_type = KindName)]
    kind: String,
    #[schema(value_type = String, format = DateTime)]
    ended_at: Time,
    /// From 1. Equal players share a place.
    #[schema(minimum = 1)]
    place: i16,
    /// The final stack, score or total.
    score: i64,
    /// How many played.
    #[schema(minimum = 2)]
    seats: i16,
}

/// A player's rating after a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct RatingPoint {
    game: Uuid,
    /// When the game ended.
    #[schema(value_type = String, format = DateTime)]
    at: Time,
    rating: f64,
}

/// A player who was found.
#[derive(Debug, Serialize, ToSchema)]
pub struct FoundPlayer {
    #[schema(example = "ann")]
    username: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    /// Whether it is a program.
    program: bool,
}

/// A page of points.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct HistoryQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(minimum = 0)]
    cursor: Option<u32>,
}

/// Whom to look for.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayersQuery {
    /// How the name begins, in any case.
    #[param(min_length = 1, max_length = 32, pattern = "^[A-Za-z0-9_-]+$", example = "an")]
    prefix: String,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(max_length = 32, pattern = "^[a-z0-9_-]*$")]
    cursor: Option<String>,
}

/// A player's public profile.
///
/// It counts the public games of the player by kind: begun, finished and won.
#[utoipa::path(
    tag = "accounts",
    params((
        "username" = String, Path, min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$",
        description = "The name, in any case."
    )),
    responses(
        (status = 200, description = "The profile.", body = Profile),
        (status = 404, description = "`player_not_found`: nobody has this name.")
    )
)]
#[get("/v1/players/{username}")]
pub async fn profile(accounts: Data<Accounts>, username: Path<String>) -> Result<Json<Profile>, Problem> {
    let found = accounts.profile(&username).await?;
    let games: Vec<PlayedGame> = found.games.into_iter().map(PlayedGame::from).collect();
    let record = |Tally { kind, games: begun, finished, wins }| {
        let rating = found.ratings.iter().find(|row| row.kind == kind);
        let form = games.iter().filter(|game| game.kind == kind).map(|game| game.place).collect();
        let counted = rating.map(|row| &row.counters.0);
        let counters = registry::by_name(&kind).map(|kind| counters(kind, counted)).unwrap_or_default();
        KindRecord {
            kind,
            games: begun,
            finished,
            wins,
            form,
            rating: rating.map(RatingInfo::from),
            counters,
        }
    };
    let kinds = found.tallies.into_iter().map(record).collect();
    let guest = found.account.password_hash.is_none();
    Ok(Json(Profile {
        guest,
        program: found.account.is_program,
        username: found.account.username,
        created_at: Time(found.account.created_at),
        kinds,
        games: games.into_iter().take(LISTED).collect(),
    }))
}

impl From<FinishedGame> for PlayedGame {
    fn from(game: FinishedGame) -> PlayedGame {
        let FinishedGame { game_id, kind, ended_at, place, score, seats } = game;
        PlayedGame { game: game_id, kind, ended_at: Time(ended_at), place, score, seats }
    }
}

/// How a player's rating went.
///
/// It has a point for each game that counted, the newest first.
#[utoipa::path(
    operation_id = "get_rating_history", tag = "accounts",
    params(
        (
            "username" = String, Path, min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$",
            description = "The name, in any case."
        ),
        ("kind" = KindName, Path, description = "The kind of game."),
        HistoryQuery,
    ),
    responses(
        (status = 200, description = "A page of points.", body = Page<RatingPoint>),
        (status = 404, description = "`player_not_found`, `kind_not_found`")
    )
)]
#[get("/v1/players/{username}/ratings/{kind}")]
pub async fn rating_history(
    request: HttpRequest,
    accounts: Data<Accounts>,
    path: Path<(String, String)>,
    query: Query<HistoryQuery>,
) -> Result<HttpResponse, Problem> {
    let (username, kind) = path.into_inner();
    if registry::by_name(&kind).is_none() {
        return Err(Problem::new(
            "kind_not_found",
            "there is no such kind of game; GET /v1/kinds lists them",
        ));
    }
    let limit = page::limit(query.limit)?;
    let before = query.cursor.map(i64::from);
    let found = accounts.rating_history(&username, &kind, before, limit + 1).await?;
    let point = |RatedGame { n, game_id, ended_at, rating }| {
        (n, RatingPoint { game: game_id, at: Time(ended_at), rating })
    };
    let Page { items, next } = Page::of(found.into_iter().map(point), limit, |(n, _)| n.to_string());
    let items = items.into_iter().map(|(_, point)| point).collect();
    Ok(Page::<RatingPoint> { items, next }.answer(&request))
}

/// Finds players by how their names begin.
///
/// Guests are left out. Names come in the order of their letters.
#[utoipa::path(
    operation_id = "find_players", tag = "accounts", params(PlayersQuery),
    responses((status = 200, description = "A page of players.", body = Page<FoundPlayer>))
)]
#[get("/v1/players")]
pub async fn find(
    request: HttpRequest,
    accounts: Data<Accounts>,
    query: Query<PlayersQuery>,
) -> Result<HttpResponse, Problem> {
    let PlayersQuery { prefix, limit, cursor } = query.into_inner();
    if prefix.is_empty() {
        return Err(Problem::new("invalid_parameter", "prefix: at least one letter"));
    }
    let limit = page::limit(limit)?;
    let found = accounts.find(&prefix, cursor.as_deref().unwrap_or_default(), limit + 1).await?;
    let player = |account: crate::store::accounts::Account| FoundPlayer {
        username: account.username,
        created_at: Time(account.created_at),
        program: account.is_program,
    };
    let page = Page::of(found.into_iter().map(player), limit, |player| player.username.to_lowercase());
    Ok(page.answer(&request))
}
