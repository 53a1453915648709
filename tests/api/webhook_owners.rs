//! Whose a webhook is, how many an account has, and how it tries them.

use serde_json::json;
use tokio::net::TcpListener;

use super::app::TestApp;
use super::client::Client;
use super::receiver::Receiver;
use super::webhooks::{to_this_machine, webhook};
use crate::random::orders::list;

#[tokio::test]
async fn an_account_tests_one_webhook_at_a_time() {
    let app = TestApp::start_with(to_this_machine).await;
    // It takes connections and never answers.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/cardroom", silent.local_addr().unwrap());
    let receiver = Receiver::start().await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let (slow, _) = webhook(&ann, &url, &json!(["game_over"])).await;
    let (quick, _) = webhook(&bob, &receiver.url, &json!(["game_over"])).await;
    let test = async |client: &Client, path: &str| client.post(&format!("{path}/test"), &json!(null)).await;
    let (first, ()) = tokio::join!(test(&ann, &slow), async {
        let _open = silent.accept().await.unwrap();
        let refused = test(&ann, &slow).await;
        assert_eq!((refused.code(), refused.header("retry-after")), ("too_many_requests", Some("10")));
        assert_eq!(test(&bob, &quick).await.ok()["status"], "delivered");
    });
    assert_eq!(first.ok()["status"], "failed", "its connection was closed");
    assert_eq!(test(&bob, &quick).await.ok()["status"], "delivered");
}

#[tokio::test]
async fn a_webhook_is_its_owner_s_alone_and_an_account_has_ten() {
    let app = TestApp::start_with(to_this_machine).await;
    let [ann, eve] = [app.user("ann").await, app.user("eve").await];
    let guest = app.guest().await;
    let wanted = json!({"url": "https://example.com/"});
    assert_eq!(guest.post("/v1/webhooks", &wanted).await.code(), "account_required");
    assert_eq!(app.anon().post("/v1/webhooks", &wanted).await.code(), "unauthorized");
    let mut paths = Vec::new();
    for _ in 0..10 {
        paths.push(webhook(&ann, "https://example.com/", &json!(null)).await.0);
    }
    assert_eq!(ann.post("/v1/webhooks", &wanted).await.code(), "too_many_webhooks");
    let page = ann.get("/v1/webhooks?limit=7").await.ok();
    assert_eq!(list(&page["items"]).len(), 7);
    let rest = ann.get(&format!("/v1/webhooks?cursor={}", page["next"].as_str().unwrap())).await.ok();
    assert_eq!(list(&rest["items"]).len(), 3);
    assert!(!page.to_string().contains("whsec_"), "a secret is told once");

    let path = &paths[0];
    let refused = [
        eve.get(path).await,
        eve.put(path, &wanted).await,
        eve.delete(path).await,
        eve.get(&format!("{path}/deliveries")).await,
        eve.post(&format!("{path}/test"), &json!(null)).await,
        eve.post(&format!("{path}/replay"), &json!({"from": 1})).await,
        eve.post(&format!("{path}/secret"), &json!(null)).await,
    ];
    for answer in refused {
        assert_eq!(answer.code(), "webhook_not_found");
    }
    assert_eq!(list(&eve.get("/v1/webhooks").await.ok()["items"]).len(), 0);
    let wrong = json!({"url": "https://example.com/", "events": ["everything"]});
    assert_eq!(ann.put(path, &wrong).await.code(), "invalid_body");
}
