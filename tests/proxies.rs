//! The service behind the reverse proxy that docs/deploy.md describes.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use super::api::app::TestApp;
use super::api::client::{Client, Events};
use super::audits::Folder;
use crate::eventually::eventually;

/// nginx with the configuration of the document, on ports of the test's own and without TLS.
struct Nginx {
    process: Child,
    base: String,
    _folder: Folder,
}

impl Nginx {
    async fn start(upstream: &str) -> Nginx {
        let folder = Folder::new("nginx");
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let configuration = folder.write("nginx.conf", &configuration(port, upstream));
        let prefix = Path::new(&configuration).parent().unwrap().to_owned();
        let mut command = Command::new(nginx().unwrap());
        command.arg("-p").arg(&prefix).arg("-c").arg(&configuration).stderr(Stdio::null());
        let process = command.spawn().unwrap();
        let base = format!("http://127.0.0.1:{port}");
        let up = eventually(async || reqwest::get(format!("{base}/health/live")).await.ok()).await;
        assert!(up.is_some(), "nginx takes connections");
        Nginx { process, base, _folder: folder }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // A killed master would leave its workers.
        let _ = Command::new("kill").arg(self.process.id().to_string()).status();
        let _ = self.process.wait();
    }
}

/// The document's configuration, with what a test cannot have replaced: the port and the certificate.
fn configuration(port: u16, upstream: &str) -> String {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/deploy.md")).unwrap();
    let mut told = page.split("```nginx").nth(1).unwrap().split("```").next().unwrap().to_owned();
    let listen = format!("listen 127.0.0.1:{port};");
    for (from, to) in [
        ("listen 443 ssl http2;", &*listen),
        ("ssl_certificate /etc/cardroom/fullchain.pem;", ""),
        ("ssl_certificate_key /etc/cardroom/key.pem;", ""),
        ("server 127.0.0.1:8080;", &format!("server {};", upstream.strip_prefix("http://").unwrap())),
    ] {
        assert!(told.contains(from), "{from}");
        told = told.replace(from, to);
    }
    // The master is root where the tests are, and its workers could not enter the folder.
    let user = if Path::new("/root").read_dir().is_ok() { "user root;" } else { "" };
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    let temporary: String = temporary.map(|name| format!("{name}_temp_path {name};\n")).concat();
    format!(
        "{user}\ndaemon off;\npid nginx.pid;\nerror_log error.log;\nworker_processes 1;\n\
         events {{}}\nhttp {{\naccess_log off;\n{temporary}{told}\n}}\n"
    )
}

/// Where nginx is. It is required where `CI` says that the project's checks run.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
fn nginx() -> Option<PathBuf> {
    let places = ["nginx", "/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"];
    let runs = |place: &&str| Command::new(place).arg("-v").stderr(Stdio::null()).status().is_ok();
    let found = places.iter().find(|place| runs(place)).map(PathBuf::from);
    assert!(found.is_some() || std::env::var_os("CI").is_none(), "nginx is missing");
    found
}

#[tokio::test]
async fn behind_nginx_clients_are_told_apart_and_streams_come_through() {
    if nginx().is_none() {
        eprintln!("nginx is missing: the service is not tried behind it");
        return;
    }
    let app = TestApp::start_with(|settings| {
        settings.trusted_proxies = vec!["127.0.0.1/32".parse().unwrap(), "192.0.2.0/24".parse().unwrap()];
        settings.rate_limit = 20;
    })
    .await;
    let proxy = Nginx::start(app.base()).await;

    // The nearest hop is this test; it stands for another proxy of the operator's, which names its client.
    let client = |address: &str| Client::anon(&proxy.base).with("x-forwarded-for", address);
    let spent = async |client: &Client| {
        for _ in 0..20 {
            client.get("/v1/kinds").await.ok();
        }
        client.get("/v1/kinds").await.status
    };
    assert_eq!(spent(&client("198.51.100.1")).await, 429);
    assert_eq!(spent(&client("198.51.100.2")).await, 429, "another client has an allowance of its own");
    let forged = client("198.51.100.2").with("forwarded", "for=198.51.100.3");
    assert_eq!(forged.get("/v1/kinds").await.status, 429, "the proxy removes what a client wrote");
    let secure = client("198.51.100.4").with("x-forwarded-proto", "https").get("/v1/kinds").await;
    assert_eq!(secure.header("strict-transport-security"), None, "the proxy says how it was asked");

    let ann = app.user("ann").await;
    let wanted = json!({"kind": "royal_gambit", "seats": 2, "sit": true});
    let path = format!("/v1/games/{}", ann.post("/v1/games", &wanted).await.ok()["id"].as_str().unwrap());
    let mut events: Events = client("198.51.100.5").stream(&format!("{path}/stream")).await;
    assert_eq!(events.next().await.unwrap().name, "game");
    app.user("ben").await.post(&format!("{path}/seats"), &json!({})).await.ok();
    assert_eq!(events.next().await.unwrap().name, "entry", "each event comes as it happens");
}
