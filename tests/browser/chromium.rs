//! A Chromium without a window, driven by the Chrome DevTools Protocol over a pipe: messages in JSON, a zero byte after
//! each. That takes no crate beside those which the tests have.

use std::collections::HashMap;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::api::client::PATIENCE;

/// The first is Chromium without all that surrounds a page, which takes less of the processor.
const NAMES: [&str; 5] =
    ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// It sees nothing but the tests' own page, and in a container it cannot make a sandbox of its own.
const FLAGS: [&str; 16] = [
    "--headless=new",
    "--lang=en-US",
    "--remote-debugging-pipe",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--mute-audio",
    // A name that stands for a machine in the same house: what comes from there over HTTP is not trusted.
    "--host-resolver-rules=MAP neighbour.test 127.0.0.1",
];

/// Descriptor 3 is where it reads, 4 where it writes. It ends when the pipe does, and its profile goes with it.
const SCRIPT: &str = r#"profile=$1; shift; "$@" "--user-data-dir=$profile" 3<&0 4>&1 </dev/null >/dev/null 2>&1; rm -rf "$profile""#;

/// What a page hears of the browser without having asked.
pub trait Listener: Send + Sync {
    fn hear(&self, chromium: &Chromium, method: &str, event: &Value);
}

/// The browser that all tests share.
pub struct Chromium {
    to: Mutex<ChildStdin>,
    calls: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    listeners: Mutex<HashMap<String, Arc<dyn Listener>>>,
}

impl Chromium {
    /// The browser, or none where no Chromium is installed; then the test is left out. With `CI` set there must be one.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test is told by whoever runs it, not by a configuration"
    )]
    pub fn here() -> Option<&'static Chromium> {
        static CHROMIUM: LazyLock<Option<&'static Chromium>> = LazyLock::new(|| {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let found = NAMES
                .iter()
                .flat_map(|name| std::env::split_paths(&path).map(move |folder| folder.join(name)))
                .find(|file| file.is_file());
            let required = std::env::var_os("CI").is_some();
            assert!(found.is_some() || !required, "Chromium is missing");
            found.map(|program| Chromium::start(&program))
        });
        if CHROMIUM.is_none() {
            eprintln!("Chromium is missing: the page is not tried in a browser");
        }
        *CHROMIUM
    }

    fn start(program: &Path) -> &'static Chromium {
        let profile =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("chromium-{}", std::process::id()));
        let mut child = Command::new("sh")
            .args(["-c", SCRIPT, "sh"])
            .arg(profile)
            .arg(program)
            .args(FLAGS)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let chromium: &Chromium = Box::leak(Box::new(Chromium {
            to: Mutex::new(child.stdin.take().unwrap()),
            calls: AtomicU64::new(0),
            waiting: Mutex::default(),
            listeners: Mutex::default(),
        }));
        let from = child.stdout.take().unwrap();
        std::thread::spawn(move || {
            chromium.listen(from);
            child.wait()
        });
        chromium
    }

    /// Asks, and waits for the answer.
    ///
    /// # Errors
    /// Its refusal, in its words.
    pub async fn call(&self, session: &str, method: &str, params: Value) -> Result<Value, String> {
        let (sender, answer) = oneshot::channel();
        let id = self.calls.fetch_add(1, Ordering::Relaxed);
        self.waiting.lock().unwrap().insert(id, sender);
        self.send(id, session, method, &params);
        let mut answer =
            timeout(PATIENCE, answer).await.map_err(|_| format!("no answer to {method}"))?.unwrap();
        match answer["error"]["message"].as_str() {
            Some(message) => Err(format!("{method}: {message}")),
            None => Ok(answer["result"].take()),
        }
    }

    /// Asks, and waits for nothing.
    pub fn tell(&self, session: &str, method: &str, params: &Value) {
        self.send(self.calls.fetch_add(1, Ordering::Relaxed), session, method, params);
    }

    /// Hears what happens in a session.
    pub fn follow(&self, session: impl Display, listener: Arc<dyn Listener>) {
        self.listeners.lock().unwrap().insert(session.to_string(), listener);
    }

    fn send(&self, id: u64, session: &str, method: &str, params: &Value) {
        let mut message = json!({"id": id, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = json!(session);
        }
        let mut to = self.to.lock().unwrap();
        to.write_all(format!("{message}\0").as_bytes()).expect("Chromium reads");
    }

    fn listen(&self, from: ChildStdout) {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while matches!(from.read_until(0, &mut bytes), Ok(1..)) {
            let message: Value = serde_json::from_slice(bytes.strip_suffix(&[0]).unwrap_or(&bytes)).unwrap();
            bytes.clear();
            if let Some(id) = message["id"].as_u64() {
                if let Some(waiting) = self.waiting.lock().unwrap().remove(&id) {
                    // Whoever asked may have given up.
                    let _ = waiting.send(message);
                }
                continue;
            }
            let session = message["sessionId"].as_str().unwrap_or_default();
            let listener = self.listeners.lock().unwrap().get(session).cloned();
            if let (Some(listener), Some(method)) = (listener, message["method"].as_str()) {
                listener.hear(self, method, &message["params"]);
            }
        }
    }
}
