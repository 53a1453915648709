//! What a bundle proves: true ones pass, and whatever is changed in one is found and named.

mod forger;
pub mod games;
mod tampering;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use cardroom_core::audit::{Bundle, Keys, Report, verify};
use cardroom_core::rules::registry::{by_name, newest};
use serde_json::{Value, json};

use crate::random::dice::Dice;
use crate::random::options;
use games::{Game, key, keys};

/// Games of each kind: five hundred in all that are finished, and some that were called off.
const GAMES: u64 = 112;

/// Some games of every kind, one in ten of them called off.
fn some_games(each: u64) -> impl Iterator<Item = Game> {
    newest().flat_map(move |kind| {
        (0..each).map(move |seed| {
            let dice = &mut Dice::new(seed);
            let entries = if seed % 10 == 9 { dice.below(40) as usize } else { usize::MAX };
            Game::played_for(kind, dice, entries)
        })
    })
}

/// Some games of every kind at duplicate tables.
fn duplicates(each: u64) -> impl Iterator<Item = Game> {
    newest().flat_map(move |kind| (0..each).map(move |seed| Game::duplicate(kind, &mut Dice::new(seed))))
}

fn verified(text: &str, keys: &Keys) -> Report {
    verify(&Bundle::parse(text).unwrap(), keys, &[])
}

#[test]
fn true_bundles_pass_in_rust_in_python_in_javascript_and_on_the_page() {
    let bundles: Vec<String> =
        some_games(GAMES).chain(duplicates(8)).map(|game| game.bundle(&key(1))).collect();
    let before = ["created", "seated", "left", "removed", "moved", "invite_renewed", "started"];
    let after = ["chance", "acted", "resigned", "abort_agreed", "finished", "aborted"];
    let directed = ["paused", "resumed", "time_added"];
    let types = before.into_iter().chain(after).chain(directed).map(|kind| format!("\"type\":\"{kind}\""));
    let optional = ["admin", "bot_delay_ms", "granted_ms", "program", "rated", "shuffle_id"];
    for word in types.chain(optional.map(|name| format!("\"{name}\":"))) {
        assert!(bundles.iter().any(|text| text.contains(&word)), "{word}");
    }
    // The service was down before clocks were stopped, and time was given to all seats and to one.
    assert!(bundles.iter().any(|text| text.contains(r#""data":{"granted_ms":["#)));
    let logs = bundles.iter().map(|text| serde_json::from_str::<Value>(text).unwrap()["log"].take());
    let entries: Vec<Value> = logs.flat_map(|log| log.as_array().unwrap().clone()).collect();
    let added = || entries.iter().filter(|entry| entry["type"] == "time_added");
    assert!(added().any(|entry| entry["seat"].is_null()) && added().any(|entry| entry["seat"].is_u64()));
    for text in &bundles {
        let report = verified(text, &keys(&key(1)));
        assert!(report.ok, "{report:#?}\n{text}");
    }
    let folder = Folder::new("true");
    let export = folder.write("export.jsonl", &(bundles.join("\n") + "\n"));
    let jwks = folder.write("jwks.json", &json!({"keys": [key(1).jwk()]}).to_string());
    for verifier in verifiers() {
        let told = verifier.run(&["--keys", &jwks, &export]);
        assert!(told.status.success(), "{told:?}");
        let line = String::from_utf8(told.stdout).unwrap();
        assert_eq!(line, format!("{0} of {0} bundles are as they claim\n", bundles.len()));
    }
}

#[test]
fn the_verifiers_of_a_page_find_what_they_claim_to_find() {
    let game = Game::played_for(by_name("sevens").unwrap(), &mut Dice::new(3), usize::MAX);
    let text = game.bundle(&key(1));
    let folder = Folder::new("false");
    let jwks = folder.write("jwks.json", &json!({"keys": [key(2).jwk()]}).to_string());
    let no_keys = folder.write("none.json", &json!({"keys": []}).to_string());
    let bundle: Value = serde_json::from_str(&text).unwrap();
    let last = bundle["log"].as_array().unwrap().len() - 1;
    let shuffle = bundle["log"].as_array().unwrap().iter().position(|e| e["data"]["k"] == 1).unwrap();
    type Change = Box<dyn Fn(&mut Value)>;
    let changes: Vec<(&str, Change)> = vec![
        ("chain", Box::new(move |b| b["log"][shuffle]["data"]["shuffle"]["result"][0] = json!("6S"))),
        ("commitment", Box::new(|b| b["fairness"]["commitment"] = json!("00".repeat(32)))),
        ("commitment", Box::new(move |b| b["log"][last]["data"]["server_seed"] = json!("00".repeat(32)))),
        (
            "chances",
            Box::new(|b| b["fairness"]["shuffle_id"] = json!("018f0000-0000-7000-8000-000000000000")),
        ),
        ("game", Box::new(|b| b["game"]["options"]["ante"] = json!(77))),
        ("game", Box::new(|b| b["game"]["seats"][0]["client_seed"] = json!("other"))),
        ("outcome", Box::new(|b| b["outcome"]["winners"] = json!([]))),
        ("signature", Box::new(|b| b["signature"] = json!(key(1).sign_log(&signed_elsewhere())))),
    ];
    for verifier in verifiers() {
        for (check, change) in &changes {
            let mut changed = bundle.clone();
            change(&mut changed);
            let file = folder.write("changed.json", &serde_json::to_string_pretty(&changed).unwrap());
            let told = verifier.run(&[&file]);
            let line = String::from_utf8(told.stdout.clone()).unwrap();
            assert!(!told.status.success() && line.contains(&format!("WRONG, {check}")), "{check}: {told:?}");
        }
        let file = folder.write("bundle.json", &text);
        assert!(verifier.run(&[&file]).status.success());
        let told = verifier.run(&["--keys", &jwks, &file]);
        assert!(!told.status.success(), "the keys are another house's");
        let told = verifier.run(&["--keys", &no_keys, &file]);
        assert!(!told.status.success(), "the house has no keys: {told:?}");
    }
}

fn signed_elsewhere() -> cardroom_core::audit::Signed {
    let hash = cardroom_core::log::chain::GENESIS;
    cardroom_core::audit::Signed { game: uuid::Uuid::nil(), version: 1, hash }
}

#[test]
fn a_bundle_may_be_laid_out_in_any_way_and_brings_the_key_it_was_signed_with() {
    let game = Game::played_for(by_name("ritunas_favour").unwrap(), &mut Dice::new(5), usize::MAX);
    let text = game.bundle(&key(1));
    let value: Value = serde_json::from_str(&text).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    for text in [&text, &pretty, &value.to_string()] {
        assert!(verified(text, &keys(&key(1))).ok);
        assert!(verified(text, &Keys::Bundled).ok);
        let report = verified(text, &keys(&key(2)));
        let wrong: Vec<_> = report.checks.iter().filter(|check| !check.ok).map(|check| check.name).collect();
        assert_eq!(wrong, ["signature"]);
    }
}

#[test]
fn every_entry_is_written_in_canonical_json() {
    for sealed in some_games(10).flat_map(|game| game.log) {
        let value: Value = serde_json::from_str(&sealed.text).unwrap();
        assert_eq!(sealed.text, cardroom_core::log::chain::canonical(&value));
    }
}

#[test]
fn the_first_wrong_entry_is_named() {
    let kind = by_name("ricketts_hearts").unwrap();
    let game = Game::played_for(kind, &mut Dice::new(6), usize::MAX);
    let mut bundle: Value = serde_json::from_str(&game.bundle(&key(1))).unwrap();
    for at in [20, 30] {
        bundle["log"][at]["at"] = json!("2027-01-01T00:00:00.000000Z");
    }
    let report = verified(&bundle.to_string(), &keys(&key(1)));
    let chain = report.checks.iter().find(|check| check.name == "chain").unwrap();
    assert_eq!((chain.ok, chain.seq), (false, Some(21)), "{chain:?}");
}

#[test]
fn what_is_no_bundle_is_not_judged() {
    let game = Game::played_for(by_name("sevens").unwrap(), &mut Dice::new(1), usize::MAX);
    let bundle: Value = serde_json::from_str(&game.bundle(&key(1))).unwrap();
    for text in ["", "{}", "[]", "null", "{\"format\":\"cardroom.audit/1\"}"] {
        assert!(Bundle::parse(text).is_err(), "{text}");
    }
    for name in ["format", "game", "fairness", "log", "outcome", "signature"] {
        let mut changed = bundle.clone();
        changed.as_object_mut().unwrap().remove(name);
        let is_bundle = Bundle::parse(&changed.to_string()).is_ok();
        assert!(!is_bundle, "{name} is missing");
    }
    let mut changed = bundle.clone();
    changed["more"] = json!(1);
    assert!(Bundle::parse(&changed.to_string()).is_err());
    let mut changed = bundle;
    changed["format"] = json!("cardroom.audit/2");
    assert!(Bundle::parse(&changed.to_string()).is_err());
}

#[test]
fn a_bundle_is_read_no_further_than_to_the_first_thing_that_none_has() {
    for (head, junk) in [
        ("[", "0,"),
        ("", "["),
        ("{\"log\":[", "0,"),
        ("{\"log\":[", "{},"),
        ("{\"log\":[{\"a\":", "["),
        ("{\"game\":{\"a\":[", "0,"),
        ("{\"format\":\"", "x"),
    ] {
        // As much as a service takes; a part of it is in memory at most.
        let mut body = head.as_bytes().chain(Repeated { text: junk, at: 0 }.take(32 * 1024 * 1024));
        let refused = Bundle::read(std::io::BufReader::new(&mut body), 1000).map(drop);
        assert!(refused.is_err(), "{head}{junk}");
        let rest = std::io::copy(&mut body, &mut std::io::sink()).unwrap();
        let is_long = ["[", "x"].contains(&junk) || head.contains("game");
        assert!(is_long || rest > 31 * 1024 * 1024, "{head}{junk}: {rest} bytes were left");
    }
    let game = Game::played_for(by_name("sevens").unwrap(), &mut Dice::new(1), usize::MAX);
    let text = game.bundle(&key(1));
    assert!(Bundle::read(text.as_bytes(), game.log.len()).is_ok());
    assert!(Bundle::read(text.as_bytes(), game.log.len() - 1).is_err());
}

/// The same text for ever.
struct Repeated {
    text: &'static str,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        for byte in &mut *into {
            *byte = self.text.as_bytes()[self.at % self.text.len()];
            self.at += 1;
        }
        Ok(into.len())
    }
}

/// A script in `docs/` that shares no line with the program, or the steps of the page `/check`.
#[derive(Debug)]
pub struct Verifier {
    interpreter: &'static str,
    script: PathBuf,
}

impl Verifier {
    pub fn run(&self, arguments: &[&str]) -> Output {
        Command::new(self.interpreter).arg(&self.script).args(arguments).output().unwrap()
    }
}

/// Those whose interpreters are here. All are required where `CI` says that the project's checks run.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
pub fn verifiers() -> Vec<Verifier> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all =
        [("python3", "docs/verify.py"), ("node", "docs/verify.mjs"), ("node", "tests/browser/check.mjs")];
    let required = std::env::var_os("CI").is_some();
    let here = |interpreter: &str| Command::new(interpreter).arg("--version").output().is_ok();
    all.into_iter()
        .filter(|(interpreter, _)| {
            let found = here(interpreter);
            assert!(found || !required, "{interpreter} is missing");
            if !found {
                eprintln!("{interpreter} is missing: its verifier is not tried");
            }
            found
        })
        .map(|(interpreter, script)| Verifier { interpreter, script: root.join(script) })
        .collect()
}

/// A folder of a test's own.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("audits").join(name);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Writes a file and tells where it is.
    pub fn write(&self, name: &str, text: &str) -> String {
        self.write_bytes(name, text.as_bytes())
    }

    pub fn write_bytes(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

/// The options of a kind that make a game as long as it can be.
pub fn long(kind: &str, changed: &Value) -> Box<serde_json::value::RawValue> {
    by_name(kind).unwrap().resolve_options(&options::raw(changed)).unwrap()
}
