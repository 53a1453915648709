//! What the audit says of a true bundle, and of one in which one thing is wrong: which checks fail, where, and why.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cardroom_core::audit::{self, Bundle, Keys, Receipt, Signed, verify};
use cardroom_core::log::fairness::Seed;
use cardroom_core::log::{Hex32, chain};
use cardroom_core::rules::registry::{self, Kind};
use cardroom_core::table::Table;
use cardroom_core::table::decide::HashedEntry;
use cardroom_core::table::projection::Reader;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::table::{Dice, play_out, seed, started};

/// The first key pair of RFC 8032, section 7.1.
const SECRET: &str = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
const PUBLIC: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

fn bytes(hex: &str) -> Vec<u8> {
    hex.parse::<Hex32>().unwrap().0.to_vec()
}

fn jwk() -> Value {
    json!({"kty": "OKP", "crv": "Ed25519", "kid": "house", "x": URL_SAFE_NO_PAD.encode(bytes(PUBLIC))})
}

fn keys() -> Keys {
    Keys::Known(serde_json::from_value(json!({"keys": [jwk()]})).unwrap())
}

fn header() -> Header {
    let mut header = Header::new(Algorithm::EdDSA);
    (header.typ, header.kid) = (Some(audit::TYP.to_owned()), Some("house".to_owned()));
    header.jwk = Some(serde_json::from_value(jwk()).unwrap());
    header
}

fn signed_by(header: &Header, log: &Signed) -> String {
    // What stands before the secret in PKCS #8, by RFC 8410.
    let mut der = vec![0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    der.extend(bytes(SECRET));
    jsonwebtoken::encode(header, log, &EncodingKey::from_ed_der(&der)).unwrap()
}

fn kind(name: &str) -> &'static Kind {
    registry::by_name(name).unwrap()
}

fn played(kind: &'static Kind) -> (Table, Vec<HashedEntry>) {
    let (table, mut log) = started(kind, 3.max(kind.min_seats));
    let table = play_out(table, &mut log, &mut Dice(3));
    (table, log)
}

fn signed(table: &Table) -> Signed {
    Signed { game: table.id, version: table.version, hash: table.hash() }
}

fn text(table: &Table, log: &[HashedEntry]) -> String {
    let lines: Vec<String> = log.iter().map(|entry| audit::line(&entry.text, entry.hash)).collect();
    let signature = signed_by(&header(), &signed(table));
    format!("{}{}{}", audit::head(table), lines.join(","), audit::tail(table, &signature))
}

/// A bundle that can be changed before it is judged.
struct Draft(Value);

impl Draft {
    fn of(kind: &'static Kind) -> Draft {
        let (table, log) = played(kind);
        Draft(serde_json::from_str(&text(&table, &log)).unwrap())
    }

    fn log(&mut self) -> &mut Vec<Value> {
        self.0["log"].as_array_mut().unwrap()
    }

    /// The index of the first entry of this type whose data have this field.
    fn first(&mut self, entry_type: &str, field: &str) -> usize {
        let fits = |entry: &Value| entry["type"] == entry_type && entry["data"].get(field).is_some();
        self.log().iter().position(fits).unwrap()
    }

    /// Numbers, hashes and signs anew, as only the house can.
    fn seal(&mut self) {
        let seed: Hex32 = serde_json::from_value(self.0["fairness"]["server_seed"].clone()).unwrap();
        let (seed, mut hash, mut version) = (Seed::new(seed.0), chain::GENESIS, 0);
        for entry in self.log() {
            version += 1;
            entry.as_object_mut().unwrap().remove("hash");
            entry["seq"] = json!(version);
            hash = chain::hash(hash, &seed, version, &chain::canonical(entry));
            entry["hash"] = json!(hash);
        }
        let game = Uuid::from_u128(99);
        self.0["signature"] = json!(signed_by(&header(), &Signed { game, version, hash }));
    }

    /// The checks that fail: at which entry, and why.
    fn faults(&self, receipts: &[Receipt]) -> BTreeMap<&'static str, (Option<u32>, String)> {
        faults(&self.0.to_string(), &keys(), receipts)
    }
}

fn faults(text: &str, keys: &Keys, receipts: &[Receipt]) -> BTreeMap<&'static str, (Option<u32>, String)> {
    let report = verify(&Bundle::parse(text).unwrap(), keys, receipts);
    let failed: BTreeMap<_, _> = report
        .checks
        .into_iter()
        .filter(|check| !check.ok)
        .map(|check| (check.name, (check.seq, check.detail)))
        .collect();
    assert_eq!(report.ok, failed.is_empty());
    failed
}

fn receipts(log: &[HashedEntry]) -> Vec<Receipt> {
    let told = log.iter().zip(1..).map(|(entry, seq)| json!({"seq": seq, "hash": entry.hash}));
    told.map(|receipt| serde_json::from_value(receipt).unwrap()).collect()
}

#[test]
fn a_true_bundle_passes_every_check_and_says_what_was_checked() {
    for kind in registry::newest() {
        let (table, log) = played(kind);
        let text = text(&table, &log);
        let bundle = Bundle::parse(&text).unwrap();
        assert_eq!(bundle.id().unwrap(), table.id);
        for keys in [keys(), Keys::Bundled] {
            let report = verify(&bundle, &keys, &receipts(&log));
            assert!(report.ok, "{report:?}");
            let names: Vec<&str> = report.checks.iter().map(|check| check.name).collect();
            let all =
                ["signature", "game", "commitment", "chances", "chain", "legality", "outcome", "receipts"];
            assert_eq!(names, all);
            let chances = log.iter().filter(|entry| entry.text.contains(r#""type":"chance""#)).count();
            assert!(report.checks[3].detail.starts_with(&format!("{chances} picks")), "{report:?}");
            assert!(report.checks[7].detail.starts_with(&format!("{} acknowledged", log.len())));
        }
        // The order of names does not count.
        assert!(Draft(serde_json::from_str(&text).unwrap()).faults(&[]).is_empty());
        assert_eq!(bundle.reading(Reader::Whole).unwrap().into_log().len(), log.len());
    }
}

#[test]
fn a_bundle_that_was_changed_fails_where_it_was_changed() {
    let sevens = || Draft::of(kind("sevens"));
    let mut draft = sevens();
    draft.0["fairness"]["algorithm"] = json!("cardroom/0");
    let told = (None, "the scheme is `cardroom/0`, not `cardroom/1`".to_owned());
    assert_eq!(draft.faults(&[]), [("commitment", told)].into());

    let mut draft = sevens();
    draft.0["fairness"]["server_seed"] = json!("11".repeat(32));
    let faults = draft.faults(&[]);
    assert_eq!(faults["commitment"].1, "the commitment is not the SHA-256 of the server seed");
    assert_eq!((faults["chain"].0, faults.contains_key("chances")), (Some(1), true));

    let mut draft = sevens();
    draft.log()[4]["hash"] = json!("0".repeat(64));
    let told = "the hash does not follow from this entry and those before it";
    assert_eq!(draft.faults(&[]), [("chain", (Some(5), told.to_owned()))].into());

    let mut draft = sevens();
    let short = draft.log()[2]["at"].as_str().unwrap().replace(".000000Z", "Z");
    draft.log()[2]["at"] = json!(short);
    let told = "the entry is written in another form than the log's";
    assert_eq!(draft.faults(&[]), [("chain", (Some(3), told.to_owned()))].into());

    let mut draft = sevens();
    draft.log().pop();
    let faults = draft.faults(&[]);
    assert_eq!(faults["signature"].1, "it was made for another log");
    assert_eq!(faults["legality"], (None, "the log ends before the game does".to_owned()));

    let mut draft = sevens();
    draft.0["outcome"] = json!(null);
    let told = "the bundle tells another result than its log";
    assert_eq!(draft.faults(&[]), [("outcome", (None, told.to_owned()))].into());

    for (part, wrong) in [("kind", json!("hearts")), ("rules_version", json!(9)), ("options", json!({}))] {
        let mut draft = sevens();
        draft.0["game"][part] = wrong;
        let told = format!("the bundle tells another `{part}` than its log");
        assert_eq!(draft.faults(&[]), [("game", (None, told))].into());
    }
}

#[test]
fn a_house_that_seals_a_lie_is_found_out_by_the_rules_and_the_seeds() {
    let mut draft = Draft::of(kind("sevens"));
    let at = draft.first("chance", "shuffle");
    let order = draft.log()[at]["data"]["shuffle"]["result"].as_array_mut().unwrap();
    let other = order.iter().position(|card| *card != order[0]).unwrap();
    order.swap(0, other);
    let (told, due) = (order[0].clone(), order[other].clone());
    draft.seal();
    let faults = draft.faults(&[]);
    let words = |card: &Value| card.as_str().unwrap().to_owned();
    let detail = format!("the seeds put {} at place 1 of the order, the log {}", words(&due), words(&told));
    assert_eq!(faults["chances"], (Some(at as u32 + 1), detail));
    assert!(!faults.contains_key("chain") && !faults.contains_key("signature"));

    let mut draft = Draft::of(kind("sevens"));
    let at = draft.first("chance", "pick");
    let pick = &mut draft.log()[at]["data"]["pick"];
    let (due, told) = (pick["result"].as_u64().unwrap(), (pick["result"].as_u64().unwrap() + 1) % 3);
    pick["result"] = json!(told);
    draft.seal();
    let detail = format!("the seeds pick {due}, the log {told}");
    assert_eq!(draft.faults(&[])["chances"], (Some(at as u32 + 1), detail));

    let mut draft = Draft::of(kind("sevens"));
    let last = draft.log().len() - 1;
    draft.log()[last]["data"]["outcome"]["places"] = json!([[0, 1, 2]]);
    draft.0["outcome"]["places"] = json!([[0, 1, 2]]);
    draft.seal();
    let told = "by the rules the game ended with another result".to_owned();
    assert_eq!(draft.faults(&[])["outcome"], (Some(last as u32 + 1), told));

    for (entry, told) in [
        (0, "the game was begun with another commitment"),
        (last, "the game was ended with another server seed"),
    ] {
        let mut draft = Draft::of(kind("sevens"));
        let field = if entry == 0 { "commitment" } else { "server_seed" };
        draft.log()[entry]["data"][field] = json!("22".repeat(32));
        draft.seal();
        assert_eq!(draft.faults(&[])["commitment"], (Some(entry as u32 + 1), told.to_owned()));
    }

    let mut draft = Draft::of(kind("sevens"));
    let at = draft.first("acted", "action");
    draft.log().remove(at);
    draft.seal();
    let faults = draft.faults(&[]);
    assert!(faults["legality"].0 > Some(at as u32), "{faults:?}");
    let blind = "from here on it cannot be checked, because the game cannot be followed";
    assert_eq!((&*faults["chances"].1, &*faults["outcome"].1), (blind, blind));
    assert!(!faults.contains_key("chain"));
}

#[test]
fn a_signature_is_the_houses_for_this_log_or_it_fails() {
    let (table, log) = played(kind("royal_gambit"));
    let (text, right) = (text(&table, &log), signed(&table));
    let with = |signature: &str, keys: &Keys| {
        let mut draft = Draft(serde_json::from_str(&text).unwrap());
        draft.0["signature"] = json!(signature);
        faults(&draft.0.to_string(), keys, &[]).remove("signature").map(|(_, detail)| detail)
    };
    assert_eq!(with(&signed_by(&header(), &right), &keys()), None);
    let other_log = [
        Signed { game: Uuid::nil(), ..right.clone() },
        Signed { version: right.version - 1, ..right.clone() },
        Signed { hash: chain::GENESIS, ..right.clone() },
    ];
    for other in other_log {
        let told = with(&signed_by(&header(), &other), &keys());
        assert_eq!(told.as_deref(), Some("it was made for another log"));
    }
    let mut other = header();
    other.typ = Some("JWT".to_owned());
    assert!(with(&signed_by(&other, &right), &keys()).unwrap().starts_with("a signature is of the type"));
    let mut other = header();
    other.kid = Some("nobody".to_owned());
    assert_eq!(with(&signed_by(&other, &right), &keys()).unwrap(), "the keys have no `nobody`");
    assert!(with(&signed_by(&other, &right), &Keys::Bundled).unwrap().contains("brings no key"));
    let whole = signed_by(&header(), &right);
    assert!(with(&whole[..whole.len() - 4], &keys()).unwrap().starts_with("the signature does not hold"));
    assert!(with("no", &keys()).unwrap().starts_with("no JWS"));
}

#[test]
fn an_entry_that_was_acknowledged_and_is_another_now_is_told() {
    let (table, log) = played(kind("ricketts_hearts"));
    let mut kept = receipts(&log);
    kept[6].hash = chain::GENESIS;
    let beyond = Receipt { seq: log.len() as u32 + 1, hash: kept[0].hash };
    let zero = Receipt { seq: 0, hash: kept[0].hash };
    let told = "the log has another entry here than the one that was acknowledged".to_owned();
    for (receipts, seq) in [(&kept[..], 7), (&[beyond][..], beyond.seq), (&[zero][..], 0)] {
        assert_eq!(
            faults(&text(&table, &log), &keys(), receipts),
            [("receipts", (Some(seq), told.clone()))].into()
        );
    }
}

#[test]
fn what_is_no_bundle_is_refused_with_what_is_wrong() {
    let (table, log) = played(kind("sevens"));
    let text = text(&table, &log);
    let read = |text: &str, entries: usize| Bundle::read(text.as_bytes(), entries).unwrap_err().to_string();
    assert!(Bundle::read(text.as_bytes(), log.len()).is_ok());
    let most = log.len() - 1;
    assert!(read(&text, most).contains(&format!("it has more than {most} entries")));
    let whole: Value = serde_json::from_str(&text).unwrap();
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut bundle = whole.clone();
        change(&mut bundle);
        read(&bundle.to_string(), log.len())
    };
    for part in ["format", "game", "fairness", "log", "outcome", "signature"] {
        let without = changed(&|bundle| drop(bundle.as_object_mut().unwrap().remove(part)));
        assert!(without.contains(&format!("missing field `{part}`")), "{without}");
    }
    assert!(changed(&|bundle| bundle["more"] = json!(1)).contains("unknown field `more`"));
    assert!(changed(&|bundle| bundle["format"] = json!("zip")).contains("its format is `zip`"));
    assert!(changed(&|bundle| bundle["log"][3] = json!(7)).contains("entry 4 is no object"));
    assert!(changed(&|bundle| bundle["log"] = json!({})).contains("the entries of a log"));
    let shouted = |bundle: &mut Value| {
        let id = bundle["fairness"]["shuffle_id"].as_str().unwrap().replace('-', "");
        bundle["fairness"]["shuffle_id"] = json!(id);
    };
    assert!(changed(&shouted).contains("`fairness` is written in another form"));
    assert!(
        changed(&|bundle| bundle["game"]["id"] = json!("x".repeat(1 << 20))).contains("a part has more than")
    );
    let twice = text.replacen('{', r#"{"signature":"","#, 1);
    assert!(read(&twice, log.len()).contains("duplicate field `signature`"));
    assert!(read("[]", 1).contains("an audit bundle"));
    assert_eq!(seed().commitment(), table.seed().commitment());
}
