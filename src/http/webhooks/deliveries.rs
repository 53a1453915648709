//! What was sent to a webhook, and what came back.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get, post};
use cardroom_core::log::entry::Time;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, from_value};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::accounts::auth::Player;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::page::{self, Page};
use crate::store::deliveries::Delivery;
use crate::store::error::StoreError;
use crate::webhooks::Webhooks;

/// What has become of a message.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// It is sent, or sent again.
    Pending,
    /// The receiver has taken it.
    Delivered,
    /// It was given up.
    Failed,
}

impl DeliveryStatus {
    fn word(self) -> &'static str {
        match self {
            DeliveryStatus::Pending => "pending",
            DeliveryStatus::Delivered => "delivered",
            DeliveryStatus::Failed => "failed",
        }
    }
}

/// A page of deliveries.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DeliveriesQuery {
    /// Only deliveries with this status.
    #[param(inline)]
    status: Option<DeliveryStatus>,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<u32>,
}

/// A message to a webhook, as it is sent.
#[derive(ToSchema)]
#[expect(dead_code, reason = "a message is written when it is sent; this describes it")]
pub struct WebhookMessage {
    /// The notice's type. `test` for a test; `gap` where notices are left out, because too many were not sent.
    #[schema(example = "your_turn")]
    r#type: String,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    timestamp: Time,
    /// The `Notice`; empty for a `test` and a `gap`.
    #[schema(value_type = Object)]
    data: Value,
}

/// A message that was sent to a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Delivery)]
pub struct DeliveryView {
    /// From 1, for each webhook.
    n: i32,
    /// The message's `webhook-id`.
    message_id: String,
    /// The message.
    #[schema(value_type = WebhookMessage)]
    message: Box<RawValue>,
    status: DeliveryStatus,
    /// How often it was tried since it was last asked for.
    attempts: u16,
    /// When it was first tried.
    #[schema(value_type = String, format = DateTime)]
    first_attempted_at: Time,
    /// When it was last tried.
    #[schema(value_type = String, format = DateTime)]
    attempted_at: Time,
    /// How long the last attempt took, in milliseconds.
    took_ms: i32,
    /// The HTTP status of the last answer; null if there was none.
    #[schema(required, minimum = 100, maximum = 999)]
    response_status: Option<i16>,
    /// The beginning of the last answer's body, at most 256 characters; null if there was no answer.
    #[schema(required)]
    response: Option<String>,
    /// Why there was no answer; null if there was one.
    #[schema(required)]
    error: Option<String>,
    /// When it is tried again; null if it is not, or at once.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    next_attempt_at: Option<Time>,
}

/// Which deliveries to send again.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// The number of the first.
    #[schema(minimum = 1, maximum = 2_147_483_647_i64)]
    from: i32,
    /// The number of the last; the newest if left out.
    #[schema(minimum = 1, maximum = 2_147_483_647_i64)]
    to: Option<i32>,
    /// Only those that were given up. False if left out.
    failed: Option<bool>,
}

/// What is sent again.
#[derive(Debug, Serialize, ToSchema)]
pub struct Replayed {
    /// How many messages.
    messages: usize,
}

impl TryFrom<Delivery> for DeliveryView {
    type Error = StoreError;

    fn try_from(delivery: Delivery) -> Result<DeliveryView, StoreError> {
        let broken = |error: serde_json::Error| StoreError::Broken(format!("a delivery: {error}"));
        Ok(DeliveryView {
            n: delivery.n,
            message_id: delivery.message_id,
            message: RawValue::from_string(delivery.body).map_err(broken)?,
            status: from_value(Value::String(delivery.status)).map_err(broken)?,
            attempts: delivery.attempts.unsigned_abs(),
            first_attempted_at: Time(delivery.created_at),
            attempted_at: Time(delivery.attempted_at),
            took_ms: delivery.took_ms,
            response_status: delivery.response_status,
            response: delivery.response,
            error: delivery.error,
            next_attempt_at: delivery.next_attempt_at.map(Time),
        })
    }
}

/// Lists what was sent to one of your webhooks.
///
/// The newest message comes first, with what came back at its last attempt. The last 1000 messages are kept.
#[utoipa::path(
    operation_id = "list_deliveries", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The webhook."), DeliveriesQuery),
    responses(
        (status = 200, description = "A page of deliveries.", body = Page<DeliveryView>),
        (status = 404, description = "`webhook_not_found`"),
    )
)]
#[get("/v1/webhooks/{id}/deliveries")]
pub async fn list(
    request: HttpRequest,
    webhooks: Data<Webhooks>,
    player: Player,
    id: Path<Uuid>,
    query: Query<DeliveriesQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = page::limit(query.limit)?;
    let (status, before) = (query.status.map(DeliveryStatus::word), page::before(query.cursor));
    let found = webhooks.deliveries(player.account, *id, status, before, limit + 1).await?;
    let views = found.into_iter().map(DeliveryView::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::of(views.into_iter(), limit, |delivery| delivery.n.to_string()).answer(&request))
}

/// Sends a test message to one of your webhooks.
///
/// The answer tells what came back. It is sent once, also to a webhook that is disabled. While one test message of yours is
/// under way, another one is refused.
#[utoipa::path(
    operation_id = "test_webhook", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The webhook.")),
    responses(
        (status = 200, description = "The delivery.", body = DeliveryView),
        (status = 404, description = "`webhook_not_found`"),
        (status = 429, description = "`too_many_requests`"),
    )
)]
#[post("/v1/webhooks/{id}/test")]
pub async fn test(webhooks: Data<Webhooks>, player: Player, id: Path<Uuid>) -> Result<HttpResponse, Problem> {
    let delivery = webhooks.test(player.account, *id).await?;
    Ok(HttpResponse::Ok().json(DeliveryView::try_from(delivery)?))
}

/// Sends messages of one of your webhooks again.
///
/// They go out in order, under the same ids, before what has not been sent yet.
#[utoipa::path(
    operation_id = "replay_deliveries", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The webhook.")),
    request_body = Replay,
    responses(
        (status = 202, description = "They are sent as soon as the webhook is enabled.", body = Replayed),
        (status = 404, description = "`webhook_not_found`"),
    )
)]
#[post("/v1/webhooks/{id}/replay")]
pub async fn replay(
    webhooks: Data<Webhooks>,
    player: Player,
    id: Path<Uuid>,
    body: Body<Replay>,
) -> Result<HttpResponse, Problem> {
    let Replay { from, to, failed } = body.value;
    if from < 1 || to.is_some_and(|to| to < 1) {
        return Err(Problem::new("invalid_body", "from, to: deliveries are numbered from 1"));
    }
    let messages = webhooks.replay(player.account, *id, (from, to), failed.unwrap_or(false)).await?;
    Ok(HttpResponse::Accepted().json(Replayed { messages }))
}
