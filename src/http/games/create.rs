//! Creating games.

use actix_web::http::{StatusCode, header};
use actix_web::web::Data;
use actix_web::{HttpResponse, post};
use cardroom_core::log::entry::{Policy, Visibility};
use cardroom_core::rules::registry::{self, KindName};
use cardroom_core::table::create::NewGame;
use cardroom_core::table::turns::Pace;
use cardroom_core::table::view::GameView;
use cardroom_core::tournament::setup::has_stacks;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::games::service::GameService;
use crate::http::accounts::auth::Player;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::{done_response, problem, send};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};

/// A game to be created.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateGame {
    #[schema(value_type = KindName)]
    pub(super) kind: String,
    /// The kind's own options. An option that is left out has its default.
    #[schema(value_type = Option<Object>)]
    pub(super) options: Option<Box<RawValue>>,
    /// The number of seats. If left out: with `bots`, one for each bot and one for you if you sit, or the kind's
    /// minimum if that is more; without `bots`, the kind's maximum. When all seats are taken, the game starts.
    pub(super) seats: Option<u8>,
    /// Public if left out.
    #[serde(default)]
    pub(super) visibility: Visibility,
    /// Sit down at once; `false` if left out.
    #[serde(default)]
    pub(super) sit: bool,
    /// Your contribution to the randomness, 0 to 64 characters; goes with `sit`.
    #[schema(max_length = 64)]
    pub(super) client_seed: Option<String>,
    /// Seconds for each decision, after which the clock acts for the seat. If left out, a day; null for no time limit.
    #[serde(default = "a_day")]
    #[schema(minimum = 5, maximum = 604_800)]
    pub(super) turn_seconds: Option<u32>,
    /// Seconds that each seat has in reserve for the whole game, used up before the clock acts; 0 if left out.
    #[serde(default)]
    #[schema(maximum = 604_800)]
    pub(super) bank_seconds: u32,
    /// Bots to be seated after you, by their policies.
    #[serde(default)]
    #[schema(max_items = 10)]
    pub(super) bots: Vec<Policy>,
    /// Milliseconds that a bot waits before it acts; with 0, which is the default, its actions come with the
    /// answer to yours, unless it thinks ahead.
    #[serde(default)]
    #[schema(maximum = 10_000)]
    pub(super) bot_delay_ms: u32,
    /// Whether the result counts for ratings; `true` if left out. It does in public games in which two players or more
    /// have accounts, and all seats begin alike.
    #[serde(default = "yes")]
    pub(super) rated: bool,
}

/// A game that nobody thought about for a day does not wait for ever.
#[expect(clippy::unnecessary_wraps, reason = "null stands for no time limit")]
pub(super) fn a_day() -> Option<u32> {
    Some(86_400)
}

pub(super) fn yes() -> bool {
    true
}

/// Creates a game.
///
/// With `sit`, the creator takes the first seat, and `bots` take the next ones; the others are free. It starts when the
/// last seat is taken, or when its creator starts it. Options that are left out have their defaults.
#[utoipa::path(
    operation_id = "create_game", tag = "games", security(("bearer" = [])),
    params(KeyHeader),
    request_body = CreateGame,
    responses(
        (status = 201, description = "The game.", body = GameView,
         headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its version."))),
        (status = 403, description = "`account_required`: a guest takes a seat at the games of bots that they make"),
        (status = 404, description = "`kind_not_found`"),
        (status = 409, description = "`too_many_games`"),
        (status = 422, description = "`invalid_options`, `idempotency_key_reused`"),
        (status = 429, description = "`bot_budget_used_up`"),
    )
)]
#[post("/v1/games")]
pub async fn create(
    (player, client): (Player, ClientAddress),
    games: Data<GameService>,
    key: IdempotencyKey,
    body: Body<CreateGame>,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    games.quotas.note_network(&actor, client.network());
    let done = games
        .create(&actor, new_game(body.value)?, key.0.zip(body.digest), None)
        .await
        .map_err(|error| problem(error, Some(&actor)))?;
    let mut response = done_response(StatusCode::CREATED, &done);
    response.insert_header((header::LOCATION, format!("/v1/games/{}", done.table.id)));
    Ok(send(response, &done.table, Some(&actor), None))
}

pub(super) fn new_game(wanted: CreateGame) -> Result<NewGame, Problem> {
    let pace = pace(&wanted)?;
    let CreateGame { kind, options, seats, visibility, sit, client_seed, bots, rated, .. } = wanted;
    let Some(kind) = registry::by_name(&kind) else {
        return Err(Problem::new(
            "kind_not_found",
            "there is no such kind of game; GET /v1/kinds lists them",
        ));
    };
    let taken = bots.len() + usize::from(sit);
    let seats = match seats {
        Some(seats) => usize::from(seats),
        None if bots.is_empty() => usize::from(kind.max_seats),
        None => taken.max(usize::from(kind.min_seats)),
    };
    if !(usize::from(kind.min_seats)..=usize::from(kind.max_seats)).contains(&seats) {
        let detail = format!("seats: {} takes {} to {}", kind.kind, kind.min_seats, kind.max_seats);
        return Err(Problem::new("invalid_options", detail));
    }
    if taken > seats {
        let detail = format!("bots: {taken} would sit down, and there are {seats} seats");
        return Err(Problem::new("invalid_options", detail));
    }
    if client_seed.is_some() && !sit {
        return Err(Problem::new("invalid_body", "client_seed goes with sit: true"));
    }
    let options = options.unwrap_or_else(|| RawValue::from_string("{}".to_owned()).expect("this is JSON"));
    let options = kind.resolve_options(&options)?;
    // It knows how many seats `stacks` may name.
    kind.new_game(&options, seats as u8)?;
    let rated = rated && !has_stacks(&options);
    let sit = sit.then(|| client_seed.unwrap_or_default());
    Ok(NewGame { kind, options, seats: seats as u8, visibility, sit, pace, rated, bots })
}

fn pace(wanted: &CreateGame) -> Result<Pace, Problem> {
    let CreateGame { turn_seconds, bank_seconds, bot_delay_ms, .. } = *wanted;
    let pace = Pace { turn_seconds, bank_seconds, bot_delay_ms };
    pace.check()?;
    Ok(pace)
}
