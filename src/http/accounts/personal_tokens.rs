//! The caller's personal access tokens.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use cardroom_core::log::entry::Time;
use serde::{Deserialize, Serialize};
use serde_json::{Value, from_value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::accounts::personal_tokens::{LONGEST_NAME, MOST_DAYS, PersonalTokens, Wanted};
use crate::accounts::scopes::Scope;
use crate::http::accounts::auth::Player;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::page::{self, Page};
use crate::store::error::StoreError;
use crate::store::personal_tokens::PersonalToken;

/// For how many days a token holds if nothing else is asked for.
const DAYS: u16 = 90;

/// A token that is asked for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPersonalToken {
    /// What it is for, for its owner.
    #[schema(example = "my bot", min_length = 1, max_length = 100)]
    name: String,
    /// What it may be used for.
    #[schema(min_items = 1, max_items = 3)]
    scopes: Vec<Scope>,
    /// For how many days it holds; 90 if left out.
    #[schema(minimum = 1, maximum = 366)]
    days: Option<u16>,
}

/// A personal access token.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PersonalToken)]
pub struct PersonalTokenView {
    id: Uuid,
    #[schema(example = "my bot")]
    name: String,
    scopes: Vec<Scope>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
    #[schema(value_type = String, format = DateTime)]
    expires_at: Time,
    /// When it was last used, to the hour; null if it was not.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    used_at: Option<Time>,
}

/// A token that was made.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedPersonalToken {
    personal_token: PersonalTokenView,
    /// For `Authorization: Bearer`. It is told only once.
    #[schema(example = "cardroom_pat_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY")]
    token: String,
}

/// A page of the tokens.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PersonalTokensQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

impl TryFrom<PersonalToken> for PersonalTokenView {
    type Error = StoreError;

    fn try_from(token: PersonalToken) -> Result<PersonalTokenView, StoreError> {
        let PersonalToken { id, name, scopes, created_at, expires_at, used_at } = token;
        let unknown = |error: serde_json::Error| StoreError::Broken(format!("a personal token: {error}"));
        let scopes = scopes.into_iter().map(|word| from_value(Value::String(word)));
        Ok(PersonalTokenView {
            id,
            name,
            scopes: scopes.collect::<Result<_, _>>().map_err(unknown)?,
            created_at: Time(created_at),
            expires_at: Time(expires_at),
            used_at: used_at.map(Time),
        })
    }
}

/// Makes a personal access token, for a bot or a script.
///
/// It is sent like an access token, and holds until its end or until you end it. It does only what its scopes allow, and
/// nothing that concerns the account itself: passwords, sessions, tokens, webhooks. An account has at most 50.
#[utoipa::path(
    operation_id = "create_personal_token", tag = "accounts", security(("bearer" = [])),
    request_body = NewPersonalToken,
    responses(
        (status = 201, description = "The token.", body = CreatedPersonalToken),
        (status = 403, description = "`account_required`: a guest has no such tokens."),
        (status = 409, description = "`too_many_tokens`")
    )
)]
#[post("/v1/me/tokens")]
pub async fn create(
    tokens: Data<PersonalTokens>,
    player: Player,
    body: Body<NewPersonalToken>,
) -> Result<HttpResponse, Problem> {
    let NewPersonalToken { name, scopes, days } = body.value;
    let days = days.unwrap_or(DAYS);
    let refused = |why: String| Err(Problem::new("invalid_body", why));
    if name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.contains(char::is_control) {
        return refused(format!("name: 1 to {LONGEST_NAME} characters in one line"));
    }
    if !(1..=MOST_DAYS).contains(&days) {
        return refused(format!("days: 1 to {MOST_DAYS}"));
    }
    if !(1..=3).contains(&scopes.len()) {
        return refused(String::from("scopes: 1 to 3"));
    }
    if player.guest {
        return Err(Problem::new("account_required", "a guest has no personal access tokens"));
    }
    let (token, text) =
        tokens.create((player.account, player.session), Wanted { name, scopes, days }).await?;
    let created = CreatedPersonalToken { personal_token: token.try_into()?, token: text };
    Ok(HttpResponse::Created().json(created))
}

/// Lists your personal access tokens, the newest first.
///
/// The tokens themselves are not told again.
#[utoipa::path(
    operation_id = "list_personal_tokens", tag = "accounts", params(PersonalTokensQuery), security(("bearer" = [])),
    responses((status = 200, description = "A page of tokens.", body = Page<PersonalTokenView>))
)]
#[get("/v1/me/tokens")]
pub async fn list(
    request: HttpRequest,
    tokens: Data<PersonalTokens>,
    player: Player,
    query: Query<PersonalTokensQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = page::limit(query.limit)?;
    let found = tokens.list(player.account, query.cursor, limit + 1).await?;
    let views = found.into_iter().map(PersonalTokenView::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::of(views.into_iter(), limit, |token| token.id.to_string()).answer(&request))
}

/// Ends one of your personal access tokens.
///
/// Other replicas may take it for five seconds more.
#[utoipa::path(
    operation_id = "end_personal_token", tag = "accounts", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The token.")),
    responses(
        (status = 204, description = "It has ended."),
        (status = 404, description = "`token_not_found`")
    )
)]
#[delete("/v1/me/tokens/{id}")]
pub async fn end(
    tokens: Data<PersonalTokens>,
    player: Player,
    id: Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    tokens.end(player.account, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
