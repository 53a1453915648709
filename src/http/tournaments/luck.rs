//! The results of a tournament without the luck of the deals.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::review::estimates::rounded;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::games::luck::LuckSum;
use crate::http::connections::client_address::ClientAddress;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::page;
use crate::tournaments::luck::{EntrantLuck, TournamentLucks};

/// Which lines to show.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LuckQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page: how many lines to skip.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
}

/// What an entrant won, with luck and without.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EntrantLuck)]
pub struct LuckLine {
    /// As in the standings.
    #[schema(required)]
    place: Option<u32>,
    player: String,
    /// How many games are counted.
    games: u32,
    /// How many of them the entrant won; a win that is shared counts in parts.
    won: f64,
    /// What the deals of these games were worth: by how much they changed how likely the entrant won, added up.
    luck: f64,
    /// The standard error of `luck`.
    luck_error: f64,
    /// `won` less as much of the luck as the kind of game takes out. On average it is the same as `won`, and it depends less
    /// on chance. It may be below 0 and above `games`.
    won_without_luck: f64,
    /// The standard error of the estimate in `won_without_luck`. The chance that remains in the games is not in it.
    won_without_luck_error: f64,
}

/// A page of what the entrants won without luck.
#[derive(Debug, Serialize, ToSchema)]
pub struct TournamentLuck {
    /// How many games are counted; those that were called off are not.
    games: u32,
    /// How many tables were left out: all after the 500th.
    tables_left_out: u32,
    /// In the order of the standings.
    items: Vec<LuckLine>,
    /// The `cursor` of the next page; null on the last.
    #[schema(required)]
    next: Option<u32>,
}

/// Shows what each entrant of a tournament that is over won, and the same without the luck of the deals.
///
/// It is an estimate beside the standings and changes nothing in them. Each deal is played out in 100 worlds, and in 100
/// others in which it is dealt anew; the difference is its luck. Subtracting it changes nothing on average, however the
/// entrants played. Every replica comes to the same. Where it takes longer than 20 s, the answer is 503: ask again, and
/// it goes on.
#[utoipa::path(
    operation_id = "get_tournament_luck", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), LuckQuery),
    responses(
        (status = 200, description = "A page of results without luck.", body = TournamentLuck),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`not_finished`"),
        (status = 503, description = "`unavailable`: some games are still to be played out, or too many reviews are being computed."),
    )
)]
#[get("/v1/tournaments/{id}/luck")]
pub async fn show(
    request: HttpRequest,
    client: ClientAddress,
    lucks: Data<TournamentLucks>,
    id: Path<Uuid>,
    query: Query<LuckQuery>,
) -> Result<HttpResponse, Problem> {
    let (limit, skip) = (page::limit(query.limit)? as usize, query.cursor.unwrap_or(0));
    let luck = lucks.tournament(*id, client.network()).await.map_err(|error| problem(error, None))?;
    let rest = luck.entrants.get(skip as usize..).unwrap_or_default();
    let items: Vec<LuckLine> = rest.iter().take(limit).map(LuckLine::from).collect();
    let next = (rest.len() > limit).then(|| skip + items.len() as u32);
    let (games, tables_left_out) = (luck.games, luck.tables_left_out);
    // It has no tag: it does not change, but a later program may play deals out in another way.
    let mut answer = HttpResponse::Ok().insert_header((CACHE_CONTROL, "max-age=600")).json(TournamentLuck {
        games,
        tables_left_out,
        items,
        next,
    });
    page::link(&request, &mut answer, "cursor", next);
    Ok(answer)
}

impl From<&EntrantLuck> for LuckLine {
    fn from(entrant: &EntrantLuck) -> LuckLine {
        let EntrantLuck { place, player, sum } = entrant;
        let LuckSum { games, won, luck, won_without_luck } = sum;
        LuckLine {
            place: *place,
            player: player.clone(),
            games: *games,
            won: rounded(*won),
            luck: rounded(luck.0),
            luck_error: rounded(luck.1),
            won_without_luck: rounded(won_without_luck.0),
            won_without_luck_error: rounded(won_without_luck.1),
        }
    }
}
