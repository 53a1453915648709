//! A tournament's bundles, checked by the program without the service.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

use crate::api::app::TestApp;

/// A folder with the keys of the service; it is gone with the value.
pub struct Offline {
    folder: PathBuf,
    keys: String,
}

/// What the service answers: a text as it is, JSON as a line.
async fn text(app: &TestApp, path: &str) -> String {
    match app.anon().get(path).await.ok() {
        Value::String(text) => text,
        json => format!("{json}\n"),
    }
}

/// The bundle of a tournament that is over, and the bundles of its games, one a line. The clock advances.
pub async fn bundles(app: &TestApp, path: &str) -> (String, String) {
    // Games are in the export ten seconds after their end.
    app.clock.advance(11);
    let id = path.rsplit('/').next().unwrap();
    let games = text(app, &format!("/v1/audit/games?tournament={id}")).await;
    (text(app, &format!("{path}/audit")).await, games)
}

impl Offline {
    pub async fn new(app: &TestApp) -> Offline {
        Offline::of(&text(app, "/.well-known/jwks.json").await)
    }

    /// With these keys, as the service shows them.
    pub fn of(keys: &str) -> Offline {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("cardroom-offline-{}-{number}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut offline = Offline { folder, keys: String::new() };
        offline.keys = offline.write("keys.json", keys);
        offline
    }

    /// Writes a file; its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// What the program says to these bundles.
    pub fn audit(&self, bundles: &str) -> Output {
        let file = self.write("all.jsonl", bundles);
        let mut program = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        program.args(["audit", &file, "--keys", &self.keys]).output().unwrap()
    }

    /// Checks that the program names this check as failed.
    pub fn finds(&self, check: &str, bundles: &str) {
        let told = self.audit(bundles);
        assert!(!told.status.success(), "{check}");
        let words = String::from_utf8(told.stdout).unwrap();
        let line = format!("WRONG  {check}");
        assert!(words.lines().any(|told| told.trim_start().starts_with(&line)), "{check}: {words}");
        assert!(!words.contains("certificate"), "what is wrong proves nothing");
    }
}

impl Drop for Offline {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
