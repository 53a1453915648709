//! A bundle in the hands of who would change it, and what they can do.

use cardroom::accounts::signing::Key;
use cardroom_core::audit::{Bundle, Receipt, Signed, verify};
use cardroom_core::log::fairness::Seed;
use cardroom_core::log::{Hex32, chain};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::games::{Game, key, keys};
use crate::random::dice::Dice;

/// A name that ends in this is written without it, so that it stands twice.
pub const AGAIN: char = '\u{e000}';

/// A string between two of these is written without quotes.
pub const RAW: char = '\u{e001}';

/// A bundle in the hands of a forger.
pub struct Forged {
    pub bundle: Value,
    /// In place of the bundle, where JSON values cannot say it.
    pub bytes: Option<Vec<u8>>,
    pub receipts: Vec<Receipt>,
    pub dice: Dice,
}

impl Forged {
    pub fn of(game: &Game, dice: Dice) -> Forged {
        let bundle: Value = serde_json::from_str(&game.bundle(&key(1))).unwrap();
        let receipt = |entry: &Value| serde_json::from_value(entry.clone()).ok();
        let acted = bundle["log"].as_array().unwrap().iter().filter(|entry| entry["type"] == "acted");
        let receipts = acted.filter_map(receipt).collect();
        Forged { bundle, bytes: None, receipts, dice }
    }

    pub fn log(&mut self) -> &mut Vec<Value> {
        self.bundle["log"].as_array_mut().unwrap()
    }

    /// Whether the orders are a round's, so that they do not depend on the game's id.
    pub fn is_duplicate(&self) -> bool {
        self.bundle["log"][0]["data"]["tournament"]["shuffle_id"].is_string()
    }

    /// The index of an entry.
    pub fn any(&mut self) -> usize {
        let entries = self.log().len() as u64;
        self.dice.below(entries) as usize
    }

    pub fn any_but_the_last(&mut self) -> usize {
        let entries = self.log().len() as u64 - 1;
        self.dice.below(entries) as usize
    }

    /// The index of an entry of a type.
    pub fn some(&mut self, kind: &str) -> Option<usize> {
        self.some_with(kind, |_| true)
    }

    pub fn some_with(&mut self, kind: &str, fits: impl Fn(&Value) -> bool) -> Option<usize> {
        let log = self.log().iter().enumerate();
        let found: Vec<usize> =
            log.filter(|(_, entry)| entry["type"] == kind && fits(entry)).map(|(at, _)| at).collect();
        (!found.is_empty()).then(|| *self.dice.pick(&found))
    }

    pub fn drop_entry(&mut self, at: usize) -> Option<()> {
        self.log().remove(at);
        Some(())
    }

    pub fn double(&mut self, kind: &str) -> Option<()> {
        let at = self.some(kind)?;
        let entry = self.log()[at].clone();
        self.log().insert(at, entry);
        Some(())
    }

    pub fn tell(&mut self, name: &str, value: Value) -> Option<()> {
        self.bundle["game"][name] = value;
        Some(())
    }

    pub fn swap_cards(&mut self) -> Option<usize> {
        let at = self.some_with("chance", |entry| entry["data"]["shuffle"].is_object())?;
        let order = self.log()[at]["data"]["shuffle"]["result"].as_array_mut()?;
        let other = order.iter().position(|card| *card != order[0])?;
        order.swap(0, other);
        Some(at)
    }

    pub fn other_pick(&mut self) -> Option<usize> {
        let at = self.some_with("chance", |entry| entry["data"]["pick"].is_object())?;
        let pick = &mut self.log()[at]["data"]["pick"];
        pick["result"] = json!((pick["result"].as_u64()? + 1) % pick["of"].as_u64()?);
        Some(at)
    }

    pub fn seed(&self) -> Seed {
        let seed: Hex32 = serde_json::from_value(self.bundle["fairness"]["server_seed"].clone()).unwrap();
        Seed::new(seed.0)
    }

    pub fn renumber(&mut self) {
        for (entry, seq) in self.log().iter_mut().zip(1..) {
            entry["seq"] = json!(seq);
        }
    }

    /// What the house can do: number, hash and sign anew.
    pub fn seal(&mut self) {
        self.renumber();
        let (seed, mut before) = (self.seed(), chain::GENESIS);
        for (entry, seq) in self.log().iter_mut().zip(1..) {
            entry.as_object_mut().unwrap().remove("hash");
            before = chain::hash(before, &seed, seq, &chain::canonical(entry));
            entry["hash"] = json!(before);
        }
        self.sign(&key(1));
    }

    pub fn sign(&mut self, key: &Key) -> Option<()> {
        let game = self.bundle["game"]["id"].as_str()?.parse().ok()?;
        let hash = self.log().last().map_or(chain::GENESIS, hash_of);
        let signed = Signed { game, version: self.log().len() as u32, hash };
        self.bundle["signature"] = json!(key.sign_log(&signed));
        Some(())
    }

    /// The bundle as it is handed on.
    pub fn bytes(&self) -> Vec<u8> {
        let written = || {
            let text = self.bundle.to_string();
            let raw = text.replace(&format!("\"{RAW}"), "").replace(&format!("{RAW}\""), "");
            raw.replace(AGAIN, "").into_bytes()
        };
        self.bytes.clone().unwrap_or_else(written)
    }

    /// The checks that say no; `None` where it is not even a bundle.
    pub fn found(&self) -> Option<Vec<&'static str>> {
        let text = String::from_utf8(self.bytes()).ok()?;
        let bundle = Bundle::parse(&text).ok()?;
        let report = verify(&bundle, &keys(&key(1)), &self.receipts);
        assert_eq!(report.ok, report.checks.iter().all(|check| check.ok));
        Some(report.checks.iter().filter(|check| !check.ok).map(|check| check.name).collect())
    }
}

fn hash_of(entry: &Value) -> Hex32 {
    serde_json::from_value(entry["hash"].clone()).unwrap()
}

/// A seed and its commitment, in hex.
pub fn other_seed() -> (String, String) {
    let seed = [0xcd; 32];
    (Hex32(seed).to_string(), Hex32(Sha256::digest(seed).into()).to_string())
}
