//! The entrants of a tournament.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, delete, get, post};
use cardroom_core::log::entry::Policy;
use cardroom_core::tournament::{Command, Gone, NewEntrant};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::accounts::Accounts;
use crate::http::accounts::auth::Player;
use crate::http::games::game::{Nothing, problem};
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::conditions::IdempotencyKey;
use crate::http::requests::page::{self, Page};
use crate::http::tournaments::tournament::run;
use crate::http::tournaments::view::{EntrantView, TournamentView};
use crate::tournaments::service::Tournaments;

/// An entry.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Enter {
    /// Your contribution to the randomness of your games, 0 to 64 characters.
    #[serde(default)]
    #[schema(max_length = 64)]
    client_seed: String,
    /// The invite, for tournaments that require one.
    invite: Option<String>,
}

/// Enters a tournament.
#[utoipa::path(
    operation_id = "enter_tournament", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a repeat of this request harmless."),
    ),
    request_body = Enter,
    responses(
        (status = 201, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`wrong_invite`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`already_entered`, `tournament_full`, `tournament_not_open`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/entries")]
pub async fn enter(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<Enter>,
) -> Result<HttpResponse, Problem> {
    let Enter { client_seed, invite } = body.value;
    let command = Command::Enter { client_seed, invite };
    run(StatusCode::CREATED, player, &tournaments, *id, command, (key, body.digest)).await
}

/// Leaves a tournament.
///
/// After the start, the clock acts for you at the running table, and no further seat is drawn for you.
#[utoipa::path(
    operation_id = "withdraw_from_tournament", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a repeat of this request harmless."),
    ),
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`not_entered`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[delete("/v1/tournaments/{id}/entries/me")]
pub async fn withdraw(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<Nothing>,
) -> Result<HttpResponse, Problem> {
    run(StatusCode::OK, player, &tournaments, *id, Command::Withdraw, (key, body.digest)).await
}

/// Which entrants to list.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EntriesQuery {
    /// 1 to 200; 50 if left out.
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<u32>,
}

/// Lists the entrants, in the order of entry.
#[utoipa::path(
    operation_id = "list_entrants", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), EntriesQuery),
    responses(
        (status = 200, description = "A page of entrants.", body = Page<EntrantView>),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/entries")]
pub async fn list(
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<EntriesQuery>,
) -> Result<HttpResponse, Problem> {
    let (limit, cursor) = (page::limit(query.limit)?, query.cursor);
    let tournament = tournaments.look(*id).await.map_err(|error| problem(error, None))?;
    let listed = tournament.entrants().iter().filter(|listed| listed.gone != Some(Gone::TakenOff));
    let after = listed.map(EntrantView::of).filter(|seen| cursor.is_none_or(|after| seen.entrant > after));
    let page = Page::of(after.take(limit as usize + 1), limit, |seen| seen.entrant.to_string());
    Ok(HttpResponse::Ok().json(page))
}

/// Players and bots that an organiser enters.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnterMany {
    #[schema(min_items = 1, max_items = 1000)]
    entries: Vec<NewEntry>,
}

/// An entrant to be added: a player by name, or a bot.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum NewEntry {
    Player {
        /// The name of the player's account.
        player: String,
    },
    Bot {
        bot: Policy,
    },
}

/// The most entries in one request.
const MAX_ROWS: usize = 1000;

/// Enters many entrants at once, all or none. For organisers.
///
/// If some cannot be entered, the answer names each of them and why.
#[utoipa::path(
    operation_id = "enter_many", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a repeat of this request harmless."),
    ),
    request_body = EnterMany,
    responses(
        (status = 201, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`; bots by a guest: `account_required`"),
        (status = 404, description = "`tournament_not_found`, `player_not_found`"),
        (status = 409, description = "`already_entered`, `tournament_full`, `tournament_not_open`, `tournament_over`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/entries/bulk")]
pub async fn enter_many(
    player: Player,
    (tournaments, accounts): (Data<Tournaments>, Data<Accounts>),
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<EnterMany>,
) -> Result<HttpResponse, Problem> {
    let rows = body.value.entries;
    if !(1..=MAX_ROWS).contains(&rows.len()) {
        return Err(Problem::new("invalid_body", format!("entries: 1 to {MAX_ROWS}")));
    }
    let command = Command::EnterMany(entrants(&accounts, rows).await?);
    run(StatusCode::CREATED, player, &tournaments, *id, command, (key, body.digest)).await
}

/// Finds the accounts of all players, or names the players without one.
async fn entrants(accounts: &Accounts, rows: Vec<NewEntry>) -> Result<Vec<NewEntrant>, Problem> {
    let names: Vec<String> = rows
        .iter()
        .filter_map(|row| match row {
            NewEntry::Player { player } => Some(player.clone()),
            NewEntry::Bot { .. } => None,
        })
        .collect();
    let mut found = accounts.named(&names).await?.into_iter();
    let mut unknown = Vec::new();
    let mut entrants = Vec::with_capacity(rows.len());
    for (row, number) in rows.into_iter().zip(1..) {
        match row {
            NewEntry::Bot { bot: policy } => entrants.push(NewEntrant::Bot { policy }),
            NewEntry::Player { player } => match found.next().flatten() {
                Some(account) => {
                    entrants.push(NewEntrant::Player { account: account.id, name: account.username });
                }
                None => unknown.push(format!("row {number}: there is no {player}")),
            },
        }
    }
    match unknown.is_empty() {
        true => Ok(entrants),
        false => Err(Problem::new("player_not_found", unknown.join("; "))),
    }
}

/// A bot to be entered.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnterBot {
    policy: Policy,
}

/// Enters a bot, which appears in the standings like any entrant. For organisers.
#[utoipa::path(
    operation_id = "enter_bot", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a repeat of this request harmless."),
    ),
    request_body = EnterBot,
    responses(
        (status = 201, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`; bots by a guest: `account_required`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_full`, `tournament_not_open`, `tournament_over`"),
        (status = 422, description = "`idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/bots")]
pub async fn enter_bot(
    player: Player,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    key: IdempotencyKey,
    body: Body<EnterBot>,
) -> Result<HttpResponse, Problem> {
    let command = Command::EnterBot { policy: body.value.policy };
    run(StatusCode::CREATED, player, &tournaments, *id, command, (key, body.digest)).await
}

/// Why an entrant is disqualified.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Disqualify {
    /// The reason, which everybody can read in the log, 1 to 200 characters.
    #[schema(min_length = 1, max_length = 200)]
    reason: String,
}

/// Disqualifies an entrant. For organisers.
///
/// The standings are as if the entrant's seats had been nobody's. This is also possible after the tournament has
/// finished, but not after it was called off.
#[utoipa::path(
    operation_id = "disqualify", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("player" = String, Path, description = "Their name in the standings."),
        ("Idempotency-Key" = Option<String>, Header, description = "Makes a repeat of this request harmless."),
    ),
    request_body = Disqualify,
    responses(
        (status = 200, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`"),
        (status = 404, description = "`tournament_not_found`, `entrant_not_found`"),
        (status = 409, description = "`tournament_over`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
    )
)]
#[post("/v1/tournaments/{id}/entries/{player}/disqualify")]
pub async fn disqualify(
    player: Player,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, String)>,
    key: IdempotencyKey,
    body: Body<Disqualify>,
) -> Result<HttpResponse, Problem> {
    let (id, name) = path.into_inner();
    let command = Command::Disqualify { player: name, reason: body.value.reason };
    run(StatusCode::OK, player, &tournaments, id, command, (key, body.digest)).await
}
