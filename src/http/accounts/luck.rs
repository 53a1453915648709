//! What a player won without the luck of the deals.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use cardroom_core::review::estimates::rounded;
use cardroom_core::rules::registry::{self, KindName};
use serde::Serialize;
use utoipa::ToSchema;

use crate::accounts::Accounts;
use crate::games::luck::{LuckReader, LuckSum};
use crate::games::reviews::Reviews;
use crate::games::service::GameService;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::problem::Problem;

/// How many games are looked at.
const GAMES: i64 = 50;

/// What a player won in their newest games that counted for the rating, with luck and without.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlayerLuck {
    /// How many games are counted, at most 50.
    games: u32,
    /// How many of them the player won; a win that is shared counts in parts.
    won: f64,
    /// What the deals of these games were worth: by how much they changed how likely the player won, added up.
    luck: f64,
    /// The standard error of `luck`.
    luck_error: f64,
    /// `won` less as much of the luck as the kind of game takes out. On average it is the same as `won`, and it depends less
    /// on chance. It may be below 0 and above `games`.
    won_without_luck: f64,
    /// The standard error of the estimate in `won_without_luck`. The chance that remains in the games is not in it.
    won_without_luck_error: f64,
}

/// Shows what a player won in their newest games of a kind, and the same without the luck of the deals.
///
/// It is an estimate beside the rating and changes nothing in it. The newest 50 games that counted for the rating are looked
/// at. Each deal is played out in 100 worlds, and in 100 others in which it is dealt anew; the
/// difference is its luck. Every replica comes to the same. Where it takes longer than 20 s, the answer is 503: ask again,
/// and it goes on.
#[utoipa::path(
    operation_id = "get_player_luck", tag = "accounts",
    params(
        (
            "username" = String, Path, min_length = 3, max_length = 32, pattern = "^[A-Za-z0-9_-]+$",
            description = "The name, in any case."
        ),
        ("kind" = KindName, Path, description = "The kind of game."),
    ),
    responses(
        (status = 200, description = "What the player won.", body = PlayerLuck),
        (status = 404, description = "`player_not_found`, `kind_not_found`"),
        (status = 503, description = "`unavailable`: some games are still to be played out, or too many reviews are being computed."),
    )
)]
#[get("/v1/players/{username}/luck/{kind}")]
pub async fn luck(
    client: ClientAddress,
    (accounts, games, reviews): (Data<Accounts>, Data<GameService>, Data<Reviews>),
    path: Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (username, kind) = path.into_inner();
    if registry::by_name(&kind).is_none() {
        return Err(Problem::new(
            "kind_not_found",
            "there is no such kind of game; GET /v1/kinds lists them",
        ));
    }
    let (account, rated) = accounts.rated_games(&username, &kind, None, GAMES).await?;
    let reader = LuckReader::new(&games, &reviews, client.network());
    let sum = reader.of_player(account, rated.iter().map(|game| game.game_id)).await;
    let LuckSum { games, won, luck, won_without_luck } = sum.map_err(|error| problem(error, None))?;
    let told = PlayerLuck {
        games,
        won: rounded(won),
        luck: rounded(luck.0),
        luck_error: rounded(luck.1),
        won_without_luck: rounded(won_without_luck.0),
        won_without_luck_error: rounded(won_without_luck.1),
    };
    Ok(HttpResponse::Ok().insert_header((CACHE_CONTROL, "max-age=60")).json(told))
}
