//! The caller's subscriptions to Web Push.

use actix_web::http::header;
use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, delete, get, post};
use base64::Engine;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use cardroom_core::log::entry::Time;
use cardroom_core::notice::NoticeType;
use serde::{Deserialize, Serialize};
use serde_json::from_value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::accounts::is_guest;
use crate::http::accounts::auth::Player;
use crate::http::problem::Problem;
use crate::http::requests::body::Body;
use crate::http::requests::page::{self, Page};
use crate::http::webhooks::chosen::{Chosen, types_of};
use crate::store::error::StoreError;
use crate::store::webhooks::Webhook;
use crate::webhooks::Webhooks;
use crate::webhooks::push::PushKeys;

/// Browsers leave the padding out; some libraries do not.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// A browser's subscription, as its `PushSubscription.toJSON()` gives it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPushSubscription {
    /// Where the browser's push service takes messages.
    #[schema(example = "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn", max_length = 2000)]
    endpoint: String,
    keys: PushSubscriptionKeys,
    /// Ignored: a push service says when a subscription is gone.
    #[serde(rename = "expirationTime")]
    #[expect(dead_code, reason = "browsers send it")]
    expiration_time: Option<f64>,
    /// Which notices are sent; all if left out.
    #[schema(value_type = Option<Vec<NoticeType>>, min_items = 1, max_items = 100)]
    events: Option<Chosen>,
}

/// The keys for which messages are encrypted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PushSubscriptionKeys {
    /// The browser's P-256 key, uncompressed, in base64url.
    #[schema(
        example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        max_length = 100
    )]
    p256dh: String,
    /// A secret of 16 bytes, in base64url.
    #[schema(example = "BTBZMqHH6r4Tts7J_aSIgg", max_length = 30)]
    auth: String,
}

/// A subscription.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushSubscription {
    id: Uuid,
    /// Where the browser's push service takes messages.
    endpoint: String,
    /// Which notices are sent; null for all.
    #[schema(required)]
    events: Option<Vec<NoticeType>>,
    /// False where the push service does not know the browser any more, or has taken nothing for three days.
    enabled: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

/// A page of the subscriptions.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SubscriptionsQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    cursor: Option<Uuid>,
}

/// The key of this service for Web Push.
#[derive(Debug, Serialize, ToSchema)]
pub struct PushKey {
    /// A P-256 key, uncompressed, in base64url: what browsers take as `applicationServerKey`.
    #[schema(
        example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    )]
    public_key: String,
}

impl TryFrom<Webhook> for PushSubscription {
    type Error = StoreError;

    fn try_from(webhook: Webhook) -> Result<PushSubscription, StoreError> {
        let unknown = |error: serde_json::Error| StoreError::Broken(format!("a subscription: {error}"));
        let types =
            webhook.events.map(|words| words.into_iter().map(|word| from_value(word.into())).collect());
        Ok(PushSubscription {
            id: webhook.id,
            endpoint: webhook.url,
            events: types.transpose().map_err(unknown)?,
            enabled: webhook.disabled_at.is_none(),
            created_at: Time(webhook.created_at),
        })
    }
}

/// Tells the key to which browsers subscribe.
///
/// It stays the same.
#[utoipa::path(
    operation_id = "get_push_key", tag = "webhooks",
    responses((status = 200, description = "The key.", body = PushKey))
)]
#[get("/v1/push-key")]
pub async fn show_key(webhooks: Data<Webhooks>) -> HttpResponse {
    let public_key = webhooks.push_key().to_owned();
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .json(PushKey { public_key })
}

/// Subscribes a browser to your notices.
///
/// Subscribe in the browser to the key of `GET /v1/push-key`, and send what it gives. From now on, a `WebhookMessage` for
/// each notice comes to the browser, encrypted, even when no page is open. A browser belongs to the account that has
/// subscribed it last. If the session that subscribed it is signed out or ended, the subscription ends with it.
#[utoipa::path(
    operation_id = "create_push_subscription", tag = "webhooks", security(("bearer" = [])),
    request_body = NewPushSubscription,
    responses(
        (status = 201, description = "The subscription.", body = PushSubscription),
        (status = 403, description = "`account_required`"),
        (status = 409, description = "`too_many_push_subscriptions`"),
        (status = 422, description = "`invalid_url`: the endpoint is of no push service that is known.")
    )
)]
#[post("/v1/me/push-subscriptions")]
pub async fn create(
    webhooks: Data<Webhooks>,
    player: Player,
    body: Body<NewPushSubscription>,
) -> Result<HttpResponse, Problem> {
    let actor = player.actor();
    if is_guest(&actor) {
        return Err(Problem::new("account_required", "a guest subscribes to nothing"));
    }
    let NewPushSubscription { endpoint, keys, events, .. } = body.value;
    let keys = BASE64.decode(keys.p256dh).ok().zip(BASE64.decode(keys.auth).ok());
    let keys = keys.and_then(|(point, auth)| PushKeys::new(&point, &auth));
    let keys = keys.ok_or_else(|| {
        Problem::new(
            "invalid_body",
            "keys: p256dh is a P-256 key of 65 bytes, and auth has 16 bytes, in base64url",
        )
    })?;
    let subscribed = webhooks.subscribe((actor, player.session), &endpoint, &keys, types_of(&events)).await?;
    Ok(HttpResponse::Created().json(PushSubscription::try_from(subscribed)?))
}

/// Lists your subscriptions to Web Push.
///
/// The newest comes first.
#[utoipa::path(
    operation_id = "list_push_subscriptions", tag = "webhooks", security(("bearer" = [])), params(SubscriptionsQuery),
    responses((status = 200, description = "A page of subscriptions.", body = Page<PushSubscription>))
)]
#[get("/v1/me/push-subscriptions")]
pub async fn list(
    request: HttpRequest,
    webhooks: Data<Webhooks>,
    player: Player,
    query: Query<SubscriptionsQuery>,
) -> Result<HttpResponse, Problem> {
    let limit = page::limit(query.limit)?;
    let found = webhooks.subscriptions(player.account, query.cursor, limit + 1).await?;
    let views = found.into_iter().map(PushSubscription::try_from).collect::<Result<Vec<_>, _>>()?;
    Ok(Page::of(views.into_iter(), limit, |subscription| subscription.id.to_string()).answer(&request))
}

/// Ends one of your subscriptions to Web Push.
///
/// Nothing more is sent to that browser.
#[utoipa::path(
    operation_id = "delete_push_subscription", tag = "webhooks", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The subscription.")),
    responses(
        (status = 204, description = "It has ended."),
        (status = 404, description = "`subscription_not_found`")
    )
)]
#[delete("/v1/me/push-subscriptions/{id}")]
pub async fn remove(
    webhooks: Data<Webhooks>,
    player: Player,
    id: Path<Uuid>,
) -> Result<HttpResponse, Problem> {
    webhooks.unsubscribe(player.account, *id).await?;
    Ok(HttpResponse::NoContent().finish())
}
