//! The entrants of a tournament.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use cardroom_core::log::entry::Policy;
use cardroom_core::tournament::{Application, Command, Departure, NewEntrant};
use serde::Deserialize;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use uuid::Uuid;

use crate::accounts::Accounts;
use crate::http::accounts::auth::Player;
use crate::http::games::game::{Nothing, problem};
use crate::http::problem::Problem;
use crate::http::requests::accept::{Form, chosen};
use crate::http::requests::body::Body;
use crate::http::requests::conditions::{IdempotencyKey, KeyHeader};
use crate::http::requests::page::{self, Page};
use crate::http::tournaments::export;
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
    /// Your team, for tournaments that are played in teams. If there is none of this name, it is a new one.
    #[schema(min_length = 1, max_length = 40, example = "Foxes")]
    team: Option<String>,
}

/// Enters a tournament.
///
/// The caller plays in every round until they withdraw or are out. Entering is open until the tournament starts. If all
/// places are taken and the tournament has a waiting list, the caller waits for a place.
#[utoipa::path(
    operation_id = "enter_tournament", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KeyHeader,
    ),
    request_body = Enter,
    responses(
        (status = 201, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`wrong_invite`, `not_eligible`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`already_entered`, `tournament_full`, `team_full`, `registration_not_open`, `registration_closed`, `tournament_not_open`, `tournament_over`, `too_many_games`, `too_many_changes`"),
        (status = 422, description = "`team_required`, `invalid_body`, `idempotency_key_reused`"),
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
    let Enter { client_seed, invite, team } = body.value;
    let rating = tournaments.rating_for(*id, &player.actor()).await.map_err(|error| problem(error, None))?;
    let command = Command::Enter(Application { client_seed, invite, team, rating });
    run(StatusCode::CREATED, player, &tournaments, *id, command, (key, body.digest)).await
}

/// Leaves a tournament.
///
/// After the start, the clock acts for you at the running table, and no further seat is drawn for you.
#[utoipa::path(
    operation_id = "withdraw_from_tournament", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KeyHeader,
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
    /// 1 to 200; if left out, 50 in JSON, and up to 10,000 in CSV.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
    /// The form of the answer: `json` or `csv`; goes before `Accept`.
    #[param(inline)]
    format: Option<Form>,
}

/// Which entrants to list as CSV.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EntriesSheetQuery {
    /// 1 to 10,000; 10,000 if left out.
    #[param(minimum = 1, maximum = 10_000)]
    limit: Option<u16>,
    /// Where to go on: as the header `Link` says.
    #[param(maximum = 4_294_967_295_i64)]
    cursor: Option<u32>,
}

/// The columns of the entrants in a sheet, and which of them hold names that players chose.
const COLUMNS: [&str; 9] =
    ["entrant", "player", "bot", "withdrawn", "disqualified", "checked_in", "absent", "waiting", "team"];
const NAMES: [usize; 2] = [1, 8];

/// Lists the entrants, in the order of entry.
///
/// With `Accept: text/csv`, `?format=csv` or the path `entries.csv`, the answer is a table for other programs; where it
/// is not all, the header `Link` names the next page.
#[utoipa::path(
    operation_id = "list_entrants", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), EntriesQuery),
    responses(
        (status = 200, description = "A page of entrants.",
         content((Page<EntrantView> = "application/json"), (String = "text/csv"))),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/entries")]
pub async fn list(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<EntriesQuery>,
) -> Result<HttpResponse, Problem> {
    let form = chosen(&request, query.format, &[Form::Json, Form::Csv])?;
    let limit = page::limit_of(form, query.limit)?;
    entrants_page(&request, &tournaments, *id, (limit, query.cursor), form).await
}

/// Lists the entrants as CSV, in the order of entry.
///
/// It is the list of `/entries` for spreadsheets; the header `Link` names the next page where it is not all.
#[utoipa::path(
    operation_id = "list_entrants_csv", tag = "tournaments",
    params(("id" = Uuid, Path, description = "The tournament."), EntriesSheetQuery),
    responses(
        (status = 200, description = "Entrants.", body = String, content_type = "text/csv"),
        (status = 404, description = "`tournament_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/entries.csv")]
pub async fn list_csv(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    id: Path<Uuid>,
    query: Query<EntriesSheetQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = page::limit_of_sheet(query.limit)?;
    entrants_page(&request, &tournaments, *id, (limit, query.cursor), Form::Csv).await
}

async fn entrants_page(
    request: &HttpRequest,
    tournaments: &Tournaments,
    id: Uuid,
    (limit, cursor): (i64, Option<u32>),
    form: Form,
) -> Result<HttpResponse, Problem> {
    let tournament = tournaments.look(id).await.map_err(|error| problem(error, None))?;
    let registrations = tournament
        .entrants()
        .iter()
        .filter(|registration| registration.departure != Some(Departure::TakenOff));
    let waits = tournament.waits();
    let seen = registrations.map(|registration| EntrantView::of(registration, &waits));
    let after = seen.filter(|seen| cursor.is_none_or(|after| seen.entrant > after));
    let page = Page::of(after.take(limit as usize + 1), limit, |seen| seen.entrant.to_string());
    let mut answer = match form {
        Form::Csv => {
            let rows = page.items.iter().map(|seen| {
                let EntrantView { bot, withdrawn, disqualified, checked_in, absent, waiting, .. } = seen;
                let flags = [withdrawn, disqualified, checked_in, absent, waiting];
                let [withdrawn, disqualified, checked_in, absent, waiting] =
                    flags.map(|flag| flag.to_string());
                let bot = bot.map_or_else(String::new, |policy| policy.as_str().to_owned());
                let (entrant, player) = (seen.entrant.to_string(), seen.player.to_owned());
                let team = seen.team.unwrap_or_default().to_owned();
                [entrant, player, bot, withdrawn, disqualified, checked_in, absent, waiting, team]
            });
            export::csv(HttpResponse::Ok(), &format!("entries-{id}"), COLUMNS, &NAMES, rows)?
        }
        _ => HttpResponse::Ok().json(&page),
    };
    page::link(request, &mut answer, "cursor", page.next.as_ref());
    Ok(answer)
}

/// Players and bots that an organiser enters.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnterMany {
    #[schema(min_items = 1, max_items = 1000)]
    entries: Vec<NewEntry>,
}

/// An entrant to be added.
#[derive(Debug, Deserialize)]
#[serde(try_from = "EntryFields")]
pub enum NewEntry {
    Player {
        /// The name of the player's account.
        player: String,
        /// The team, in tournaments that are played in teams.
        team: Option<String>,
    },
    Bot {
        bot: Policy,
        team: Option<String>,
    },
}

/// An entrant as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryFields {
    player: Option<String>,
    bot: Option<Policy>,
    team: Option<String>,
}

impl TryFrom<EntryFields> for NewEntry {
    type Error = &'static str;

    fn try_from(EntryFields { player, bot, team }: EntryFields) -> Result<NewEntry, &'static str> {
        match (player, bot) {
            (Some(player), None) => Ok(NewEntry::Player { player, team }),
            (None, Some(bot)) => Ok(NewEntry::Bot { bot, team }),
            _ => Err("an entrant is a `player` or a `bot`, and not both"),
        }
    }
}

/// One object for both: no word tells them apart, and generators need one for a union.
impl PartialSchema for NewEntry {
    fn schema() -> RefOr<Schema> {
        let name = ObjectBuilder::new()
            .schema_type(Type::String)
            .min_length(Some(3))
            .max_length(Some(32))
            .pattern(Some("^[A-Za-z0-9_-]+$"));
        let team = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(40));
        ObjectBuilder::new()
            .description(Some("An entrant to be added: a player or a bot, and not both."))
            .property("player", name.description(Some("The name of the player's account.")))
            .property("bot", Ref::from_schema_name(Policy::name()))
            .property("team", team.description(Some("The team, where it is played in teams.")))
            .min_properties(Some(1))
            .max_properties(Some(2))
            .into()
    }
}

impl ToSchema for NewEntry {}

/// The most entries in one request.
const MAX_ROWS: usize = 1000;

/// Enters many entrants at once, all or none. For organisers.
///
/// If some cannot be entered, the answer names each of them and why.
#[utoipa::path(
    operation_id = "enter_many", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KeyHeader,
    ),
    request_body = EnterMany,
    responses(
        (status = 201, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`; bots by a guest: `account_required`"),
        (status = 404, description = "`tournament_not_found`, `player_not_found`"),
        (status = 409, description = "`already_entered`, `tournament_full`, `team_full`, `registration_closed`, `tournament_not_open`, `tournament_over`, `too_many_games`"),
        (status = 422, description = "`team_required`, `invalid_body`, `idempotency_key_reused`"),
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
            NewEntry::Player { player, .. } => Some(player.clone()),
            NewEntry::Bot { .. } => None,
        })
        .collect();
    let mut found = accounts.named(&names).await?.into_iter();
    let mut unknown = Vec::new();
    let mut entrants = Vec::with_capacity(rows.len());
    for (row, number) in rows.into_iter().zip(1..) {
        match row {
            NewEntry::Bot { bot: policy, team } => entrants.push(NewEntrant::Bot { policy, team }),
            NewEntry::Player { player, team } => match found.next().flatten() {
                Some(account) => {
                    entrants.push(NewEntrant::Player {
                        account: account.id,
                        name: account.username,
                        is_program: account.is_program,
                        team,
                    });
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
    /// Its team, in tournaments that are played in teams; none if left out.
    #[schema(min_length = 1, max_length = 40)]
    team: Option<String>,
}

/// Enters a bot.
///
/// It appears in the standings like any entrant. Only organisers who have an account can do this.
#[utoipa::path(
    operation_id = "enter_bot", tag = "tournaments", security(("bearer" = [])),
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        KeyHeader,
    ),
    request_body = EnterBot,
    responses(
        (status = 201, description = "The tournament.", body = TournamentView, headers(("ETag" = String, description = "Its version."))),
        (status = 403, description = "`not_organiser`, `not_director`; bots by a guest: `account_required`"),
        (status = 404, description = "`tournament_not_found`"),
        (status = 409, description = "`tournament_full`, `team_full`, `registration_closed`, `tournament_not_open`, `tournament_over`"),
        (status = 422, description = "`invalid_body`, `idempotency_key_reused`"),
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
    let EnterBot { policy, team } = body.value;
    let command = Command::EnterBot { policy, team };
    run(StatusCode::CREATED, player, &tournaments, *id, command, (key, body.digest)).await
}
