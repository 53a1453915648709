//! What HTTP lets a client expect of any service: methods, forms of an answer, caches, pages that are linked.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::app::TestApp;
use super::client::{Client, Reply};
use super::contract::DOCUMENT;
use super::tournaments::{bots, made};

async fn head(client: &Client, path: &str) -> Reply {
    client.send(Method::HEAD, path, Vec::new()).await
}

#[tokio::test]
async fn where_one_can_get_one_can_ask_for_the_head_alone() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let game = ann.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    for path in ["/v1/kinds", "/v1/me", &path, "/openapi.json", "/docs", "/metrics", "/v1/games/none"] {
        let (whole, head) = (ann.get(path).await, head(&ann, path).await);
        assert_eq!((head.status, &head.body), (whole.status, &Value::Null), "{path}");
        for header in ["etag", "content-type", "cache-control", "vary"] {
            assert_eq!(head.header(header), whole.header(header), "{path} {header}");
        }
    }
    let stream = format!("{path}/stream");
    let stream = tokio::time::timeout(Duration::from_secs(20), head(&ann, &stream)).await.unwrap();
    assert_eq!(stream.header("content-type"), Some("text/event-stream"));
}

#[tokio::test]
async fn a_path_names_just_the_methods_that_it_takes_whoever_asks() {
    let app = TestApp::start().await;
    let id = "0198c1c5-21b0-7d1a-8f63-6d1f2b9c0a11";
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        let mut methods: Vec<String> = item.as_object().unwrap().keys().map(|m| m.to_uppercase()).collect();
        if methods.contains(&"GET".to_owned()) {
            methods.push("HEAD".to_owned());
        }
        methods.push("OPTIONS".to_owned());
        methods.sort();
        let at = path.replace("{id}", id).replace("{n}", "1").replace(['{', '}'], "");
        let named = |reply: &Reply, header: &str| {
            let mut named: Vec<String> =
                reply.header(header).unwrap().split(", ").map(str::to_owned).collect();
            named.sort();
            named
        };
        let options = app.anon().send(Method::OPTIONS, &at, Vec::new()).await;
        assert_eq!((options.status.as_u16(), named(&options, "allow")), (204, methods.clone()), "{path}");
        let mut others = [Method::PATCH, Method::PUT, Method::DELETE].into_iter();
        let other = others.find(|method| !methods.contains(&method.to_string())).unwrap();
        let wrong = app.anon().send(other, &at, Vec::new()).await;
        assert_eq!((wrong.code(), named(&wrong, "allow")), ("method_not_allowed", methods.clone()), "{path}");
        let page = app.anon().with("origin", "https://cards.example");
        let preflight = page.with("access-control-request-method", "GET");
        let preflight = preflight.send(Method::OPTIONS, &at, Vec::new()).await;
        assert!(preflight.status.is_success(), "{path}");
        assert_eq!(named(&preflight, "access-control-allow-methods"), methods, "{path}");
        assert_eq!(named(&preflight, "allow"), methods, "{path}");
    }
}

#[tokio::test]
async fn what_cannot_be_given_in_an_accepted_form_is_refused_before_anything_is_done() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let picky = ann.clone().with("accept", "image/png");
    for path in ["/v1/kinds", "/v1/me", "/v1/games", "/openapi.json", "/docs/problems"] {
        let reply = picky.get(path).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (406, "not_acceptable"), "{path}");
    }
    let refused = picky.post("/v1/games", &json!({"kind": "sevens"})).await;
    assert_eq!(refused.code(), "not_acceptable");
    assert_eq!(ann.get("/v1/games").await.ok()["items"], json!([]));
    for accept in ["*/*", "application/*", "text/html, application/json;q=0.5", "application/json;q=0.1"] {
        ann.clone().with("accept", accept).get("/v1/kinds").await.ok();
    }
    let no_json = ann.clone().with("accept", "application/json;q=0, text/html");
    assert_eq!(no_json.get("/v1/kinds").await.code(), "not_acceptable");
}

#[tokio::test]
async fn refusals_speak_in_sentences_of_the_service() {
    let app = TestApp::start().await;
    for (path, part) in [
        ("/v1/games/none", "id `none`"),
        ("/v1/games/0198c1c5-21b0-7d1a-8f63-6d1f2b9c0a11/hands/many", "n `many`"),
        ("/v1/games?limit=many", "the query: a number"),
        ("/v1/games?limit=99999", "the query: a number is too large"),
        ("/v1/games?colour=red", "colour"),
    ] {
        let reply = app.anon().get(path).await;
        assert_eq!(reply.code(), "invalid_parameter", "{path}");
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(detail.contains(part), "{detail}");
        for foreign in ["deserialize", "parsing failed", "in string", "Query", "Path"] {
            assert!(!detail.contains(foreign), "{detail}");
        }
    }
}

#[tokio::test]
async fn a_caller_that_has_an_answer_is_told_so_and_caches_know_on_what_it_depends() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    let standings = format!("{path}/standings");
    let leaders = "/v1/leaderboards/sevens";
    for path in ["/v1/kinds", "/v1/kinds/sevens", "/v1/problems", "/openapi.json", leaders, &standings] {
        let first = app.anon().get(path).await;
        let tag = first.header("etag").unwrap_or_else(|| panic!("{path}"));
        assert!(first.header("cache-control").is_some(), "{path}");
        let again = app.anon().with("if-none-match", tag).get(path).await;
        assert_eq!((again.status.as_u16(), &again.body), (304, &Value::Null), "{path}");
        assert_eq!(again.header("etag"), Some(tag), "{path}");
        let other = app.anon().with("if-none-match", "\"other\"").get(path).await;
        assert_eq!(other.status.as_u16(), 200, "{path}");
    }
    let varies = |reply: &Reply, on: &str| {
        let named: Vec<&str> = reply.headers.get_all("vary").iter().map(|v| v.to_str().unwrap()).collect();
        named.join(", ").to_lowercase().split(", ").any(|name| name == on)
    };
    for path in ["/v1/games", "/v1/me", &path, &format!("{path}/stream")] {
        assert!(varies(&head(&olga, path).await, "authorization"), "{path}");
    }
    let kinds = app.anon().get("/v1/kinds").await;
    assert!(varies(&kinds, "accept-language") && !varies(&kinds, "authorization"));
    assert!(varies(&app.anon().get(&standings).await, "accept"));
}

#[tokio::test]
async fn a_frontend_can_tell_problems_in_the_language_of_its_player() {
    let app = TestApp::start().await;
    let refused = app.anon().get("/v1/games/00000000-0000-0000-0000-000000000000").await;
    for (language, title) in [("en", "game not found"), ("de-AT, en;q=0.5", "Spiel nicht gefunden")] {
        let answer = app.anon().with("accept-language", language).get("/v1/problems").await;
        assert_eq!(answer.header("content-language").unwrap(), &language[..2]);
        let problems = answer.ok()["items"].as_array().unwrap().clone();
        let told = problems.iter().find(|problem| problem["code"] == refused.code()).unwrap();
        assert_eq!((&told["status"], &told["title"]), (&json!(404), &json!(title)));
    }
}

#[tokio::test]
async fn every_list_links_its_next_page_and_keeps_what_was_asked() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    for _ in 0..3 {
        ann.post("/v1/games", &json!({"kind": "sevens"})).await.ok();
    }
    let path = made(&ann, json!({})).await;
    made(&ann, json!({})).await;
    bots(&ann, &path, "random", 3).await;
    let game = ann.get("/v1/games").await.ok()["items"][0]["id"].as_str().unwrap().to_owned();
    ann.post(&format!("/v1/games/{game}/seats"), &json!({})).await.ok();
    for list in [
        "/v1/games?limit=1&kind=sevens".to_owned(),
        "/v1/tournaments?limit=1&status=open".to_owned(),
        format!("{path}/entries?limit=1"),
        format!("{path}/standings?limit=1"),
        format!("{path}/log?limit=1"),
        format!("/v1/games/{game}/log?limit=1"),
    ] {
        let (mut at, mut pages) = (list.clone(), Vec::new());
        loop {
            let reply = ann.get(&at).await;
            let link = reply.header("link").map(str::to_owned);
            assert_eq!(link.is_none(), reply.body["next"].is_null(), "{at}");
            pages.extend(reply.ok()["items"].as_array().unwrap().clone());
            let Some(link) = link else { break };
            at = link.strip_prefix('<').unwrap().strip_suffix(">; rel=\"next\"").unwrap().to_owned();
            assert!(at.contains("limit=1"), "{at}");
        }
        let whole = list.replace("limit=1", "limit=200");
        assert_eq!(json!(pages), ann.get(&whole).await.ok()["items"], "{list}");
        assert!(pages.len() > 1, "{list}");
    }
}

#[tokio::test]
async fn standings_points_and_entrants_are_sheets_by_header_by_query_and_by_path() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    bots(&olga, &path, "random", 4).await;
    for (list, columns) in
        [("standings", "place,player"), ("points", "player,"), ("entries", "entrant,player")]
    {
        let by_header = app.anon().with("accept", "text/csv").get(&format!("{path}/{list}")).await.ok();
        let by_query = app.anon().get(&format!("{path}/{list}?format=csv")).await.ok();
        let by_path = app.anon().with("accept", "*/*").get(&format!("{path}/{list}.csv")).await.ok();
        assert!(by_header.as_str().unwrap().starts_with(columns), "{by_header}");
        assert_eq!((&by_header, &by_header), (&by_query, &by_path), "{list}");
        for wrong in ["?format=text", "?limit=201", ".csv?limit=10001", ".csv?format=csv"] {
            let refused = app.anon().get(&format!("{path}/{list}{wrong}")).await;
            assert_eq!(refused.code(), "invalid_parameter", "{list}{wrong}");
        }
    }
    let entries = app.anon().get(&format!("{path}/entries.csv")).await.ok();
    assert_eq!(entries.as_str().unwrap().lines().count(), 5);
    let part = app.anon().get(&format!("{path}/entries.csv?limit=3")).await;
    assert!(part.header("link").is_some());
    assert_eq!(part.ok().as_str().unwrap().lines().count(), 4);
}

#[tokio::test]
async fn a_page_of_standings_has_fifty_rows_and_a_sheet_all() {
    let app = TestApp::start().await;
    let olga = app.user("olga").await;
    let path = made(&olga, json!({})).await;
    bots(&olga, &path, "random", 60).await;
    let lists = ["standings", "entries"];
    for list in lists {
        let first = app.anon().get(&format!("{path}/{list}")).await.ok();
        let cursor = first["next"].to_string().replace('"', "");
        let rest = app.anon().get(&format!("{path}/{list}?limit=200&cursor={cursor}")).await.ok();
        let rows = |page: &Value| page["items"].as_array().unwrap().len();
        assert_eq!((rows(&first), rows(&rest), &rest["next"]), (50, 10, &Value::Null), "{list}");
        for sheet in [format!("{path}/{list}.csv"), format!("{path}/{list}?format=csv")] {
            let sheet = app.anon().get(&sheet).await.ok();
            assert_eq!(sheet.as_str().unwrap().lines().count(), 61, "{list}");
        }
    }
    let page = app.anon().get(&format!("{path}/standings?format=html")).await.ok();
    assert_eq!(page.as_str().unwrap().matches("<tr>").count(), 61);
}

#[tokio::test]
async fn no_list_is_narrowed_by_a_kind_that_there_is_not() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    for list in ["games", "games/stream", "me/games", "tournaments", "me/tournaments", "audit/games"] {
        for kind in ["whist", "a%00"] {
            let refused = ann.get(&format!("/v1/{list}?kind={kind}")).await;
            assert_eq!(refused.code(), "invalid_parameter", "{list} {kind}");
        }
    }
}

#[tokio::test]
async fn an_idempotency_key_stands_for_what_was_asked_and_not_for_its_spaces() {
    let app = TestApp::start().await;
    let ann = app.user("ann").await.with("idempotency-key", "once").with("content-type", "application/json");
    let first = ann.send(Method::POST, "/v1/games", br#"{"kind":"sevens","seats":2}"#.to_vec()).await.ok();
    let spaced = b"{ \"seats\" : 2,\n  \"kind\": \"sevens\" }".to_vec();
    let again = ann.send(Method::POST, "/v1/games", spaced).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert_eq!(again.ok()["id"], first["id"]);
    let other = ann.send(Method::POST, "/v1/games", br#"{"kind":"sevens","seats":3}"#.to_vec()).await;
    assert_eq!(other.code(), "idempotency_key_reused");
}
