//! The caller's webhooks.

mod chosen;
pub mod deliveries;
pub mod push;

use actix_web::http::header;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, post, put};
use cardroom_core::log::entry::Time;
use cardroom_core::notice::NoticeType;
use serde::{Deserialize, Serialize};
use serde_json::{Value, from_value};
use utoipa::{IntoParams, ToSchema};
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

use crate::accounts::is_guest;
use crate::http::accounts::auth::Player;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::page::{self, Page};
use crate::http::webhooks::chosen::{Chosen, types_of};
use crate::store::error::StoreError;
use crate::store::webhooks::Webhook;
use crate::webhooks::message::secret_text;
use crate::webhooks::{WebhookError, Webhooks};

/// After so many seconds no test message is under way any more, unless many wait.
const LONGEST_TEST: u16 = 10;

/// Webhooks and what was sent to them.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(create)
        .service(list)
        .service(show)
        .service(change)
        .service(remove)
        .service(rotate)
        .service(deliveries::list)
        .service(deliveries::test)
        .service(deliveries::replay)
        .service(push::show_key)
        .service(push::create)
        .service(push::list)
        .service(push::remove);
}

/// A new webhook.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// Where messages are sent: `https`, to a public address.
    #[schema(example = "https://example.com/cardroom", max_length = 2000)]
    url: String,
    /// Which notices are sent; all if left out.
    #[schema(value_type = Option<Vec<NoticeType>>, min_items = 1, max_items = 100)]
    events: Option<Chosen>,
}

/// What a webhook is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookSettings {
    /// Where messages are sent: `https`, to a public address.
    #[schema(example = "https://example.com/cardroom", max_length = 2000)]
    url: String,
    /// Which notices are sent; all if left out.
    #[schema(value_type = Option<Vec<NoticeType>>, min_items = 1, max_items = 100)]
    events: Option<Chosen>,
    /// False: nothing is sent until it is true again. True if left out.
    enabled: Option<bool>,
}

/// Why nothing is sent.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisabledReason {
    /// The receiver has answered 410 Gone.
    Gone,
    /// The receiver has taken nothing for three days.
    Failing,
    /// The owner has disabled it.
    Owner,
}

/// A webhook.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Webhook)]
pub struct WebhookView {
    id: Uuid,
    /// Where messages are sent.
    url: String,
    /// Which notices are sent; null for all.
    #[schema(required)]
    events: Option<Vec<NoticeType>>,
    enabled: bool,
    /// Since when nothing is sent; null while it is enabled.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    disabled_at: Option<Time>,
    /// Why nothing is sent; null while it is enabled.
    #[schema(required)]
    disabled_reason: Option<DisabledReason>,
    /// The first attempt that failed since the last one that did not; null if the last one did not.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    failing_since: Option<Time>,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// A webhook that was created, with the secret that signs its messages.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedWebhook {
    /// The webhook.
    webhook: WebhookView,
    /// The key of the signatures: `whsec_` and base64. It is told only once.
    #[schema(example = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")]
    secret: String,
}

/// A new secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookSecret {
    /// The key of the signatures: `whsec_` and base64. It is told only once.
    #[schema(example = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=")]
    secret: String,
}

/// A page of the webhooks.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct WebhooksQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

impl TryFrom<Webhook> for WebhookView {
    type Error = StoreError;

    fn try_from(webhook: Webhook) -> Result<WebhookView, StoreError> {
        let unknown = |error: serde_json::Error| StoreError::Broken(format!("a webhook: {error}"));
        let types =
            webhook.events.map(|words| words.into_iter().map(|word| from_value(word.into())).collect());
        let reason = webhook.disabled_reason.map(|word| from_value(Value::String(word)));
        Ok(WebhookView {
            id: webhook.id,
            url: webhook.url,
            events: types.transpose().map_err(unknown)?,
            enabled: webhook.disabled_at.is_none(),
            disabled_at: webhook.disabled_at.map(Time),
            disabled_reason: reason.transpose().map_err(unknown)?,
            failing_since: webhook.failing_since.map(Time),
            created_at: Time(webhook.created_at),
        })
    }
}

impl From<WebhookError> for Problem {
    fn from(error: WebhookError) -> Problem {
        let code = match error {
            WebhookError::NotFound => "webhook_not_found",
            WebhookError::NotSubscribed => "subscription_not_found",
            WebhookError::TooMany => "too_many_webhooks",
            WebhookError::TooManySubscriptions => "too_many_push_subscriptions",
            WebhookError::Url(_) => "invalid_url",
            WebhookError::TestUnderWay => {
                let problem = Problem::new("too_many_requests", error.to_string());
                return problem.with_header(header::RETRY_AFTER, LONGEST_TEST.into());
            }
            WebhookError::Store(error) => return error.into(),
            WebhookError::Service(error) => return problem(error, None),
        };
        Problem::new(code, error.to_string())
    }
}

/// Creates a webhook.
///
/// From now on, what concerns you is sent to its URL as it happens: a `POST` with a `WebhookMessage` for each of the
/// notices that `GET /v1/me/stream` tells, as the Standard Webhooks specification says. `webhook-id` is the notice's id
/// and the same at each attempt, `webhook-timestamp` is the time of the attempt, and `webhook-signature` holds `v1`
/// signatures (HMAC-SHA256 with your secret).
///
/// Answer with a 2xx within 10 s. Otherwise the message is sent again, after 5 s, 5 and 30 min, 2, 5, 10 and 14 h.
/// Messages arrive in order: those that follow wait. A message may arrive twice, so look at its id. Redirects are not
/// followed. Guests have no webhooks. A 410 disables the webhook, and so does a receiver that takes nothing for three days.
#[utoipa::path(
    operation_id = "create_webhook", tag = "webhooks", security(("bearer" = [])),
    request_body = NewWebhook,
    responses(
        (status = 201, description = "The webhook, and its secret.", body = CreatedWebhook),
        (status = 403, description = "`account_required`"),
        (status = 409, description = "`too_many_webhooks`"),
        (status = 422, description = "`invalid_url`"),
    )
)]
#[post("/v1/webhooks")]
pub async fn create(
    webhooks: Data<Webhooks>,
    player: Player,
    body: Body<NewWebhook>,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    if is_guest(&actor) {
        return Err(Problem::new("account_required", "a guest has no webhooks"));
    }
    let NewWebhook { url, events } = body.value;
    let (webhook, secret) = webhooks.create((actor, player.session), &url, types_of(&events)).await?;
    let created = CreatedWebhook { webhook: webhook.try_into()?, secret: secret_text(&secret) };
    Ok(HttpResponse::Created().json(created))
}

/// Lists your webhooks.
///
/// The newest comes first.
#[utoipa::path(
    operation_id = "list_webhooks", tag = "webhooks", security(("bearer" = [])), params(WebhooksQuery),
    responses((status = 200, description = "A page of webhooks.", body = Page<WebhookView>))
)]
#[get("/v1/webhooks")]
pub async fn list(
    request: HttpRequest,
    webhooks: Data<Webhooks>,
    player: Player,
    query: Query<WebhooksQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = page::limit(query.limit)?;
    let found = webhooks.list(player.account, query.cursor, limit + 1).await?;
    let views = found.into_iter().map(WebhookView::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::of(views.into_iter(), limit, |webhook| webhook.id.to_string()).answer(&request))
}

/// Shows one of your webhooks.
///
/// It tells whether messages arrive, and why it was disabled.
#[utoipa::path(
    operation_id = "get_webhook", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The webhook.")),
    responses(
        (status = 200, description = "The webhook.", body = WebhookView),
        (status = 404, description = "`webhook_not_found`"),
    )
)]
#[get("/v1/webhooks/{id}")]
pub async fn show(webhooks: Data<Webhooks>, player: Player, id: Path<Uuid>) -> Result<HttpResponse, Problem> {
    let webhook = webhooks.find(player.account, *id).await?;
    Ok(HttpResponse::Ok().json(WebhookView::try_from(webhook)?))
}

/// Changes one of your webhooks.
///
/// A webhook that is enabled again is sent what has happened since it was disabled. If that is too much, it is sent a
/// message of the type `gap`, and then what happens from then on.
#[utoipa::path(
    operation_id = "change_webhook", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The webhook.")),
    request_body = WebhookSettings,
    responses(
        (status = 200, description = "The webhook.", body = WebhookView),
        (status = 404, description = "`webhook_not_found`"),
        (status = 422, description = "`invalid_url`"),
    )
)]
#[put("/v1/webhooks/{id}")]
pub async fn change(
    webhooks: Data<Webhooks>,
    player: Player,
    id: Path<Uuid>,
    body: Body<WebhookSettings>,
) -> Result<HttpResponse, Problem> {
    let WebhookSettings { url, events, enabled } = body.value;
    let changed = webhooks
        .change((player.account, player.session), *id, &url, types_of(&events), enabled.unwrap_or(true))
        .await?;
    Ok(HttpResponse::Ok().json(WebhookView::try_from(changed)?))
}

/// Deletes one of your webhooks.
///
/// Nothing more is sent to it, and what was sent is forgotten.
#[utoipa::path(
    operation_id = "delete_webhook", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The webhook.")),
    responses(
        (status = 204, description = "It is deleted."),
        (status = 404, description = "`webhook_not_found`"),
    )
)]
#[delete("/v1/webhooks/{id}")]
pub async fn remove(
    webhooks: Data<Webhooks>,
    player: Player,
    id: Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    webhooks.delete(player.account, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Replaces the secret of one of your webhooks.
///
/// For a day, messages are signed with both, the new one first, so that receivers can change over.
#[utoipa::path(
    operation_id = "rotate_webhook_secret", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The webhook.")),
    responses(
        (status = 200, description = "The new secret.", body = WebhookSecret),
        (status = 404, description = "`webhook_not_found`"),
    )
)]
#[post("/v1/webhooks/{id}/secret")]
pub async fn rotate(
    webhooks: Data<Webhooks>,
    player: Player,
    id: Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    let secret = webhooks.rotate((player.account, player.session), *id).await?;
    Ok(HttpResponse::Ok().json(WebhookSecret { secret: secret_text(&secret) }))
}
