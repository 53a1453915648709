//! What the page costs: bytes and requests, by the browser's own count.

use cardroom_core::rules::registry::newest;
use serde_json::{Value, json};
use tokio::time::{Duration, sleep};

use super::chromium::Chromium;
use super::page::{PHONE, Page, Person};
use crate::api::app::TestApp;

/// The most that a visitor loads from the first page to the first table, in bytes, compressed and with headers.
const FIRST_TABLE: u64 = 150 * 1024;
/// And the most requests.
const REQUESTS: u64 = 80;

/// What has been loaded once nothing more comes. A browser counts 300 bytes of headers for each answer.
async fn cost(page: &Page) -> Value {
    let mut before = Value::Null;
    loop {
        let now = loaded(page).await;
        if now["requests"] == before["requests"] {
            return now;
        }
        before = now;
        sleep(Duration::from_millis(500)).await;
    }
}

async fn loaded(page: &Page) -> Value {
    page.eval(
        "(() => {
            const loaded = ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type));
            const paint = performance.getEntriesByName('first-contentful-paint')[0];
            return {
                bytes: loaded.reduce((sum, one) => sum + one.transferSize, 0),
                requests: loaded.length,
                painted_after_ms: Math.round(paint?.startTime ?? 0),
            };
        })()",
    )
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_table_costs_no_more_than_150_kib() {
    let Some(chromium) = Chromium::here() else { return };
    let app = TestApp::start().await;
    app.set_to_now().await;
    // A table of another kind is on the first page.
    let ann = app.user("ann").await;
    let running =
        json!({"kind": "ritunas_favour", "seats": 4, "sit": true, "bots": ["steady", "steady", "steady"]});
    ann.post("/v1/games", &running).await.ok();
    for kind in newest().map(|kind| kind.kind) {
        let person = Person::new(chromium).await;
        let page = person.open(app.base(), "/", PHONE).await;
        page.shows("Being played now").await;
        let home = cost(&page).await;
        page.click(&format!("[data-key={kind}] button"), "Play now").await;
        page.until("location.pathname.startsWith('/games/') && offer().state !== 'away'").await;
        let table = cost(&page).await;
        println!("{kind}: the first page {home}, with the first table {table}");
        let of = |name: &str| table[name].as_u64().unwrap();
        assert!(of("bytes") <= FIRST_TABLE && of("requests") <= REQUESTS, "{kind}: {table}");
        assert!(of("bytes") > 20_000, "{kind}: the browser has counted nothing");
    }
}
