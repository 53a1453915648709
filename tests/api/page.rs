//! The card room in the browser: what is served at its addresses, and how browsers may keep it.

use std::path::{Path, PathBuf};

use cardroom::http::page::files::{DIGEST, FILES, File};
use reqwest::Method;
use serde_json::Value;

use super::app::TestApp;

const ID: &str = "0198c1c5-21b0-7d1a-8f63-6d1f2b9c0a11";

fn addresses() -> Vec<String> {
    let known = ["/", "/games", "/kinds/sevens", "/tournaments", "/leaderboards/sevens", "/me", "/check"];
    let mut addresses: Vec<String> = known.map(str::to_owned).to_vec();
    addresses.push(format!("/games/{ID}"));
    addresses.push(format!("/games/{ID}/hands/3"));
    addresses.push(format!("/tournaments/{ID}"));
    addresses.push(format!("/tournaments/{ID}/certificates/result"));
    addresses.push("/players/Jos%C3%A9".to_owned());
    addresses
}

#[tokio::test]
async fn every_address_of_the_page_gives_the_page_with_a_title_of_its_own() {
    let app = TestApp::start().await;
    let mut titles = Vec::new();
    for address in addresses() {
        let reply = app.anon().get(&address).await;
        assert_eq!(reply.header("content-type"), Some("text/html; charset=utf-8"), "{address}");
        assert_eq!(reply.header("cache-control"), Some("no-cache"), "{address}");
        let policy = reply.header("content-security-policy").unwrap().to_owned();
        for part in ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{address}: {policy}");
        }
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        let page = reply.ok().as_str().unwrap().to_owned();
        assert!(page.contains(&format!("/web/{}/app.js", *DIGEST)), "{address}");
        assert!(!page.contains(['{', '}']), "{address}");
        let title = page.split("<title>").nth(1).unwrap().split('<').next().unwrap().to_owned();
        assert!(page.contains(&format!("property=\"og:title\" content=\"{title}\"")), "{address}");
        titles.push(title);
    }
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), addresses().len());
}

#[tokio::test]
async fn one_page_alone_may_stand_in_a_frame_and_its_scripts_can_do_nothing() {
    let app = TestApp::start().await;
    let reply = app.anon().get(&format!("/tournaments/{ID}/embed?language=de")).await;
    let policy = reply.header("content-security-policy").unwrap().to_owned();
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors *"), "{policy}");
    assert!(policy.contains("form-action 'none'") && !policy.contains("unsafe-inline"), "{policy}");
    assert_eq!(reply.header("x-frame-options"), None);
    let page = reply.ok().as_str().unwrap().to_owned();
    assert!(page.contains(&format!("/web/{}/embed.js", *DIGEST)) && !page.contains("app.js"), "{page}");
    for address in addresses() {
        let reply = app.anon().get(&address).await;
        assert_eq!(reply.header("x-frame-options"), Some("DENY"), "{address}");
    }
    // What leads to other pages within the frame, or signs somebody in, is not among its modules.
    let mut known = vec!["embed.js".to_owned()];
    for at in 0.. {
        let Some(name) = known.get(at) else { break };
        let folder = Path::new(name).parent().unwrap().to_owned();
        let text = String::from_utf8(File::of(name).unwrap().content.to_vec()).unwrap();
        for from in text.split("from \"").skip(1).filter(|from| from.starts_with('.')) {
            let path =
                from.split('"').next().unwrap().split('/').fold(folder.clone(), |path, part| match part {
                    "." => path,
                    ".." => path.parent().unwrap().to_owned(),
                    part => path.join(part),
                });
            let path = path.to_str().unwrap().to_owned();
            if !known.contains(&path) {
                known.push(path);
            }
        }
    }
    assert!(known.iter().any(|name| name == "tournament/words.js"), "{known:?}");
    assert!(!known.iter().any(|name| name == "router.js" || name == "frame.js"), "{known:?}");
}

#[tokio::test]
async fn a_browser_that_has_the_page_or_a_file_is_told_so() {
    let app = TestApp::start().await;
    let file = format!("/web/{}/app.js", *DIGEST);
    for path in ["/games", &file] {
        let first = app.anon().get(path).await;
        let tag = first.header("etag").unwrap();
        let again = app.anon().with("if-none-match", tag).get(path).await;
        assert_eq!((again.status.as_u16(), &again.body), (304, &Value::Null), "{path}");
        assert_eq!(again.header("cache-control"), first.header("cache-control"), "{path}");
        let head = app.anon().send(Method::HEAD, path, Vec::new()).await;
        assert_eq!((head.header("etag"), &head.body), (Some(tag), &Value::Null), "{path}");
    }
}

#[tokio::test]
async fn every_file_of_the_page_is_served_for_ever_and_compressed_to_those_who_take_it() {
    let app = TestApp::start().await;
    for file in FILES.iter().filter(|file| !file.name.ends_with(".html")) {
        let path = format!("/web/{}/{}", *DIGEST, file.name);
        let plain = app.anon().get(&path).await;
        assert_eq!(plain.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
        assert_eq!(plain.header("content-encoding"), None, "{path}");
        assert!(plain.header("vary").unwrap().contains("accept-encoding"), "{path}");
        assert_eq!(plain.header("content-length").unwrap(), file.content.len().to_string(), "{path}");
        // What can be opened or run by itself has a policy of its own.
        let needs_policy = file.name.ends_with(".svg") || file.name.ends_with("worker.js");
        let has_policy = plain.header("content-security-policy").is_some();
        assert!(has_policy || !needs_policy, "{path}");
        let head = app.anon().with("accept-encoding", "gzip, br").send(Method::HEAD, &path, Vec::new()).await;
        assert_eq!(head.header("content-encoding"), Some("gzip"), "{path}");
        assert_eq!(head.header("content-length").unwrap(), file.compressed.len().to_string(), "{path}");
        assert_eq!(head.header("etag"), plain.header("etag"), "{path}");
    }
}

#[test]
fn every_file_of_the_folder_is_in_the_program() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let mut files: Vec<String> = Vec::new();
    let mut folders: Vec<PathBuf> = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            if path.is_dir() {
                folders.push(path);
            } else if !name.ends_with(".d.ts") && !name.ends_with(".json") {
                files.push(name);
            }
        }
    }
    files.sort();
    let embedded: Vec<&str> = FILES.iter().map(|file| file.name).collect();
    assert_eq!(files, embedded);
}

#[tokio::test]
async fn a_page_of_another_program_gets_the_file_that_is_there_but_may_not_keep_it() {
    let app = TestApp::start().await;
    let reply = app.anon().get("/web/another/app.js").await;
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
    reply.ok();
}

#[tokio::test]
async fn the_service_worker_has_an_address_above_all_pages() {
    let app = TestApp::start().await;
    let reply = app.anon().get("/service-worker.js").await;
    assert_eq!(reply.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(reply.header("cache-control"), Some("no-cache"));
    reply.ok();
}

#[tokio::test]
async fn what_the_page_does_not_have_is_told_as_the_api_tells_it() {
    let app = TestApp::start().await;
    for path in ["none.js", "index.html", "embed.html", "../Cargo.toml", "%2e%2e/Cargo.toml", ""] {
        let reply = app.anon().get(&format!("/web/{}/{path}", *DIGEST)).await;
        assert_eq!((reply.status.as_u16(), reply.code()), (404, "not_found"), "{path}");
    }
    assert_eq!(app.anon().get("/nothing").await.code(), "not_found");
    for path in ["/", "/games", &format!("/web/{}/app.js", *DIGEST)] {
        let wrong = app.anon().send(Method::POST, path, Vec::new()).await;
        let told = (wrong.status.as_u16(), wrong.code(), wrong.header("allow"));
        assert_eq!(told, (405, "method_not_allowed", Some("GET, HEAD, OPTIONS")), "{path}");
        let options = app.anon().send(Method::OPTIONS, path, Vec::new()).await;
        assert_eq!((options.status.as_u16(), options.header("allow")), (204, Some("GET, HEAD, OPTIONS")));
    }
    for accept in ["image/png", "application/json", "text/html;q=0, */*"] {
        let refused = app.anon().with("accept", accept).get("/games").await;
        assert_eq!((refused.status.as_u16(), refused.code()), (406, "not_acceptable"), "{accept}");
    }
    app.anon().with("accept", "text/html,application/xhtml+xml,*/*;q=0.8").get("/games").await.ok();
}

#[tokio::test]
async fn the_metrics_name_the_page_by_its_patterns() {
    let app = TestApp::start().await;
    app.anon().get(&format!("/games/{ID}")).await.ok();
    app.anon().get(&format!("/web/{}/app.js", *DIGEST)).await.ok();
    let metrics = app.anon().get("/metrics").await.ok();
    let metrics = metrics.as_str().unwrap();
    assert!(metrics.contains("endpoint=\"/games/{id}\""), "{metrics}");
    assert!(!metrics.contains(&*DIGEST) && !metrics.contains(ID));
}
