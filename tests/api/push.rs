//! Web Push: notices for a browser, which are encrypted so that it alone reads them.

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey as Verifier};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

use super::app::{PASSWORD, TestApp};
use super::client::Client;
use super::receiver::{Received, Receiver};
use super::webhooks::{Delivering, becomes, happen, to_this_machine};
use crate::random::orders::list;

const AUTH: [u8; 16] = *b"sixteen letters!";

/// A browser, which has a key.
struct Browser {
    key: PrivateKey,
}

impl Browser {
    fn new() -> Browser {
        Browser { key: PrivateKey::from_private_key(&ECDH_P256, &[7; 32]).unwrap() }
    }

    fn public(&self) -> Vec<u8> {
        self.key.compute_public_key().unwrap().as_ref().to_vec()
    }

    /// What the browser's `PushSubscription.toJSON()` gives, with the events.
    fn subscription(&self, endpoint: &str, events: &Value) -> Value {
        let keys = json!({
            "p256dh": URL_SAFE_NO_PAD.encode(self.public()), "auth": URL_SAFE_NO_PAD.encode(AUTH),
        });
        json!({"endpoint": endpoint, "keys": keys, "expirationTime": null, "events": events})
    }

    /// Reads a message as RFC 8188 and RFC 8291 say.
    fn open(&self, sent: &[u8]) -> Value {
        let (salt, rest) = sent.split_at(16);
        let (size, rest) = rest.split_at(4);
        assert_eq!((u32::from_be_bytes(size.try_into().unwrap()), rest[0]), (4096, 65));
        let (sender, sealed) = rest[1..].split_at(65);
        let shared = agree(&self.key, UnparsedPublicKey::new(&ECDH_P256, sender), (), |key| Ok(key.to_vec()));
        let own = self.public();
        let input = hkdf(&AUTH, &shared.unwrap(), &[b"WebPush: info\0", &own[..], sender].concat(), 32);
        let key = hkdf(salt, &input, b"Content-Encoding: aes128gcm\0", 16);
        let nonce = hkdf(salt, &input, b"Content-Encoding: nonce\0", 12);
        let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).unwrap());
        let nonce = Nonce::try_assume_unique_for_key(&nonce).unwrap();
        let mut sealed = sealed.to_vec();
        let (end, text) =
            cipher.open_in_place(nonce, Aad::empty(), &mut sealed).unwrap().split_last().unwrap();
        assert_eq!(*end, 2, "it is the last record");
        serde_json::from_slice(text).unwrap()
    }
}

fn hmac(key: &[u8], message: &[u8]) -> Vec<u8> {
    Hmac::<Sha256>::new_from_slice(key).unwrap().chain_update(message).finalize().into_bytes().to_vec()
}

fn hkdf(salt: &[u8], secret: &[u8], info: &[u8], length: usize) -> Vec<u8> {
    hmac(&hmac(salt, secret), &[info, &[1]].concat())[..length].to_vec()
}

/// The claims of the house's signature, which is checked with its key.
async fn claims(app: &TestApp, message: &Received) -> Value {
    let authorization = message.header("authorization");
    let (token, key) = authorization.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
    assert_eq!(key, app.anon().get("/v1/push-key").await.ok()["public_key"]);
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let [key, signature] = [key, signature].map(|text| URL_SAFE_NO_PAD.decode(text).unwrap());
    Verifier::new(&ECDSA_P256_SHA256_FIXED, key).verify(signed.as_bytes(), &signature).unwrap();
    let (_, claims) = signed.split_once('.').unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(claims).unwrap()).unwrap()
}

async fn subscribe(client: &Client, browser: &Browser, endpoint: &str, events: &Value) -> String {
    let subscribed =
        client.post("/v1/me/push-subscriptions", &browser.subscription(endpoint, events)).await.ok();
    format!("/v1/me/push-subscriptions/{}", subscribed["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_browser_is_told_encrypted_and_signed_what_its_account_is_told() {
    let app = TestApp::start_with(|settings| {
        to_this_machine(settings);
        settings.contact = Some("mailto:room@example.com".to_owned());
    });
    let app = app.await;
    let _delivering = Delivering::by(&app);
    let (service, hook) = (Receiver::answering(|_| (201, "", "")).await, Receiver::start().await);
    let (ann, browser) = (app.user("ann").await, Browser::new());
    ann.post("/v1/webhooks", &json!({"url": hook.url, "events": ["game_over"]})).await.ok();
    let path = subscribe(&ann, &browser, &service.url, &json!(["game_over"])).await;
    let game = happen(&ann).await;
    let message = &service.first(1).await[0];
    assert_eq!(browser.open(&message.bytes), hook.first(1).await[0].json());
    assert_eq!(message.header("content-encoding"), "aes128gcm");
    assert_eq!(message.header("ttl"), "86400");
    assert_eq!(message.header("topic"), game.replace('-', ""));
    let claims = claims(&app, message).await;
    let origin = service.url.strip_suffix("/cardroom").unwrap();
    assert_eq!((&claims["aud"], &claims["sub"]), (&json!(origin), &json!("mailto:room@example.com")));
    let now = app.clock.now().as_second();
    assert!((now..now + 24 * 3600).contains(&claims["exp"].as_i64().unwrap()));

    let other = happen(&ann).await;
    let messages = service.first(2).await;
    assert_eq!(browser.open(&messages[1].bytes)["data"]["game"]["id"], other);
    assert_ne!(messages[0].bytes[..16], messages[1].bytes[..16], "each has a salt of its own");
    assert_eq!(ann.delete(&path).await.status, 204);
    assert_eq!(ann.delete(&path).await.code(), "subscription_not_found");
    assert_eq!(list(&ann.get("/v1/webhooks").await.ok()["items"]).len(), 1, "the webhook is another thing");
}

#[tokio::test]
async fn a_browser_belongs_to_the_account_that_subscribed_it_last() {
    let app = TestApp::start_with(to_this_machine).await;
    let _delivering = Delivering::by(&app);
    let service = Receiver::answering(|_| (201, "", "")).await;
    let ([ann, bob], browser) = ([app.user("ann").await, app.user("bob").await], Browser::new());
    subscribe(&ann, &browser, &service.url, &json!(["game_over"])).await;
    let export = ann.get("/v1/me/export").await.ok();
    assert_eq!(export["push_subscriptions"][0]["endpoint"], service.url);
    assert!(!export.to_string().contains(&URL_SAFE_NO_PAD.encode(AUTH)));
    // From here on a replica sends to the browser what Ann is told.
    happen(&ann).await;
    service.first(1).await;
    let path = subscribe(&bob, &browser, &service.url, &json!(["game_over"])).await;
    assert_eq!(list(&ann.get("/v1/me/push-subscriptions").await.ok()["items"]).len(), 0);
    assert_eq!(ann.delete(&path).await.code(), "subscription_not_found");
    happen(&ann).await;
    let game = happen(&bob).await;
    let messages = service.first(2).await;
    assert_eq!(browser.open(&messages[1].bytes)["data"]["game"]["id"], game);
}

#[tokio::test]
async fn a_browser_is_told_nothing_more_once_its_session_has_been_ended() {
    let app = TestApp::start_with(to_this_machine).await;
    let service = Receiver::answering(|_| (201, "", "")).await;
    let phone = app.user("ann").await;
    let codes = phone.session["recovery_codes"].clone();
    let login = async || {
        app.clock.advance(1);
        let session = json!({"username": "ann", "password": PASSWORD});
        app.anon().with_session(app.anon().post("/v1/auth/login", &session).await.ok())
    };
    let subscribed = async |client: &Client, name: &str| {
        app.clock.advance(1);
        let endpoint = format!("{}/{name}", service.url);
        subscribe(client, &Browser::new(), &endpoint, &json!(null)).await
    };
    let left = async |client: &Client| {
        let page = client.get("/v1/me/push-subscriptions").await.ok();
        let ends = |item: &Value| item["endpoint"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        list(&page["items"]).iter().map(ends).collect::<Vec<_>>()
    };
    let (desk, tablet) = (login().await, login().await);
    for (client, name) in [(&phone, "phone"), (&desk, "desk"), (&tablet, "tablet")] {
        subscribed(client, name).await;
    }
    let sessions = desk.get("/v1/me/sessions").await.ok();
    let oldest = list(&sessions["items"]).last().unwrap()["id"].as_str().unwrap().to_owned();
    assert_eq!(desk.delete(&format!("/v1/me/sessions/{oldest}")).await.status, 204);
    assert_eq!(left(&desk).await, ["tablet", "desk"]);
    // The access token of the phone still holds for some minutes.
    let again = Browser::new().subscription(&format!("{}/phone", service.url), &json!(null));
    assert_eq!(phone.post("/v1/me/push-subscriptions", &again).await.code(), "unauthorized");
    let token = json!({"name": "bot", "scopes": ["read"], "days": 366});
    assert_eq!(phone.post("/v1/me/tokens", &token).await.code(), "unauthorized");
    let webhook = json!({"url": service.url});
    assert_eq!(phone.post("/v1/webhooks", &webhook).await.code(), "unauthorized");
    let own = desk.post("/v1/webhooks", &webhook).await.ok();
    let own = format!("/v1/webhooks/{}", own["webhook"]["id"].as_str().unwrap());
    assert_eq!(phone.put(&own, &webhook).await.code(), "unauthorized");
    assert_eq!(phone.post(&format!("{own}/secret"), &Value::Null).await.code(), "unauthorized");
    assert_eq!(desk.put(&own, &webhook).await.status, 200);
    assert_eq!(desk.post("/v1/me/tokens", &token).await.status, 201);
    assert_eq!(desk.delete("/v1/me/sessions").await.status, 204);
    assert_eq!(left(&desk).await, ["desk"]);
    let phone = login().await;
    subscribed(&phone, "phone").await;
    assert_eq!(phone.post("/v1/auth/logout", &Value::Null).await.status, 204);
    assert_eq!(left(&desk).await, ["desk"]);
    subscribed(&login().await, "tablet").await;
    let changed = json!({"current_password": PASSWORD, "new_password": "an altogether different staple"});
    assert_eq!(desk.put("/v1/me/password", &changed).await.status, 204);
    assert_eq!(left(&desk).await, ["desk"]);
    let recovery = json!({"username": "ann", "code": codes[0], "password": PASSWORD});
    app.anon().post("/v1/auth/recover", &recovery).await.ok();
    assert_eq!(left(&login().await).await, [""; 0]);
    // A session that nobody has renewed for a month is over, too.
    subscribed(&login().await, "phone").await;
    app.clock.advance(31 * 24 * 3600);
    assert_eq!(left(&login().await).await, [""; 0]);
}

#[tokio::test]
async fn a_browser_that_its_push_service_does_not_know_any_more_is_left_alone() {
    let app = TestApp::start_with(to_this_machine).await;
    let _delivering = Delivering::by(&app);
    let service = Receiver::answering(|_| (404, "", "")).await;
    let (ann, browser) = (app.user("ann").await, Browser::new());
    subscribe(&ann, &browser, &service.url, &json!(["game_over"])).await;
    happen(&ann).await;
    becomes(&ann, "/v1/me/push-subscriptions", |page| page["items"][0]["enabled"] == false).await;
    subscribe(&ann, &browser, &format!("{}/again", service.url), &json!(null)).await;
    let listed = ann.get("/v1/me/push-subscriptions").await.ok();
    assert_eq!(list(&listed["items"]).len(), 1, "the one that is gone makes room");
}

#[tokio::test]
async fn only_browsers_of_known_push_services_are_subscribed_ten_for_an_account() {
    let app = TestApp::start().await;
    let (ann, browser) = (app.user("ann").await, Browser::new());
    let path = "/v1/me/push-subscriptions";
    for endpoint in ["https://example.com/push", "http://fcm.googleapis.com/x", "https://127.0.0.1/x", "x"] {
        let refused = ann.post(path, &browser.subscription(endpoint, &json!(null))).await;
        assert_eq!(refused.code(), "invalid_url", "{endpoint}");
    }
    let endpoint = |n: u32| format!("https://updates.push.services.mozilla.com/wpush/v2/{n}");
    for (name, wrong) in [("p256dh", "AAAA"), ("p256dh", "*"), ("auth", "AAAA")] {
        let mut subscription = browser.subscription(&endpoint(0), &json!(null));
        subscription["keys"][name] = json!(wrong);
        assert_eq!(ann.post(path, &subscription).await.code(), "invalid_body", "{name} {wrong}");
    }
    let guest = app.guest().await;
    let refused = guest.post(path, &browser.subscription(&endpoint(0), &json!(null))).await;
    assert_eq!(refused.code(), "account_required");
    for n in 0..10 {
        subscribe(&ann, &browser, &endpoint(n), &json!(["your_turn"])).await;
    }
    let refused = ann.post(path, &browser.subscription(&endpoint(10), &json!(null))).await;
    assert_eq!((refused.code(), refused.status.as_u16()), ("too_many_push_subscriptions", 409));
    subscribe(&ann, &browser, &endpoint(9), &json!(null)).await;
    let page = ann.get(&format!("{path}?limit=7")).await.ok();
    let rest = ann.get(&format!("{path}?cursor={}", page["next"].as_str().unwrap())).await.ok();
    assert_eq!((list(&page["items"]).len(), list(&rest["items"]).len()), (7, 3));
}
