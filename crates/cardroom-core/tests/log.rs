//! The shuffle derivation and the hash chain, against golden values that were worked out elsewhere.

use cardroom_core::log::Hex32;
use cardroom_core::log::chain::{self, canonical};
use cardroom_core::log::entry::Entry;
use cardroom_core::log::fairness::{Seed, Source};
use serde_json::Value;

fn vectors(name: &str) -> Value {
    let path = format!("{}/tests/vectors/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn hex32(value: &Value) -> Hex32 {
    text(value).parse().unwrap()
}

fn strings(values: &Value) -> Vec<String> {
    values.as_array().unwrap().iter().map(|v| text(v).to_owned()).collect()
}

/// The decks in their order before a shuffle, written down here a second time on purpose.
fn deck(name: &str) -> Vec<String> {
    let product = |suits: &[&str], ranks: &[&str]| -> Vec<String> {
        suits.iter().flat_map(|s| ranks.iter().map(move |r| format!("{r}{s}"))).collect()
    };
    let ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"];
    match name {
        "french" => product(&["C", "D", "H", "S"], &ranks),
        "french_without_kings" => product(&["C", "D", "H", "S"], &ranks[..12]),
        "sevens" => product(&["C", "G", "S"], &["1", "1", "2", "2", "3", "3", "4", "4", "5", "5", "6", "6"]),
        "knights_heads" => {
            [("K", 8), ("Q", 12), ("N", 12), ("A", 12), ("M", 12), ("E", 12), ("D", 12), ("J", 12), ("B", 12)]
                .iter()
                .flat_map(|(face, n)| (1..=*n).map(move |i| format!("{face}{i}")))
                .collect()
        }
        other => panic!("no deck is called {other}"),
    }
}

#[test]
fn orders_and_picks_follow_from_the_seeds_as_published() {
    for vector in vectors("chance").as_array().unwrap() {
        let seed = Seed::new(hex32(&vector["server_seed"]).0);
        assert_eq!(seed.commitment(), hex32(&vector["commitment"]));
        let client_seeds = strings(&vector["client_seeds"]);
        let id = text(&vector["shuffle_id"]).parse().unwrap();
        let source = Source::new(seed, id, client_seeds.iter().map(String::as_str));
        let k = vector["k"].as_u64().unwrap() as u32;
        assert_eq!(source.prefix(k), text(&vector["prefix"]));

        let mut words = source.chance(k);
        for expected in vector["words"].as_array().unwrap() {
            assert_eq!(u64::from(words.word()), expected.as_u64().unwrap());
        }
        for uniform in vector["uniform"].as_array().unwrap() {
            let drawn = source.chance(k).uniform(uniform["of"].as_u64().unwrap() as u32);
            assert_eq!(u64::from(drawn), uniform["result"].as_u64().unwrap(), "{uniform}");
        }
        for (name, order) in vector["shuffles"].as_object().unwrap() {
            let mut cards = deck(name);
            source.chance(k).shuffle(&mut cards);
            assert_eq!(cards, strings(order), "{name}");
        }
    }
}

#[test]
fn one_value_has_one_canonical_text() {
    for vector in vectors("chain")["canonical"].as_array().unwrap() {
        assert_eq!(canonical(&vector["value"]), text(&vector["canonical"]));
    }
}

#[test]
fn every_hash_binds_the_entry_and_all_before_it() {
    let vectors = vectors("chain");
    let seed = Seed::new(hex32(&vectors["server_seed"]).0);
    for (seq, salt) in [1, 2, 10].into_iter().zip(vectors["salts"].as_array().unwrap()) {
        assert_eq!(Hex32(chain::salt(&seed, seq)), hex32(salt));
    }
    let mut before = chain::GENESIS;
    for entry in vectors["chain"].as_array().unwrap() {
        let mut bare = entry.clone();
        bare.as_object_mut().unwrap().remove("hash");
        let seq = entry["seq"].as_u64().unwrap() as u32;
        before = chain::hash(before, &seed, seq, &canonical(&bare));
        assert_eq!(before, hex32(&entry["hash"]));
    }
}

#[test]
fn an_entry_read_and_written_again_is_the_same_to_the_byte() {
    for entry in [
        r#"{"at":"2026-01-02T03:04:05.000000Z","by":{"player":"ann","type":"player"},"data":{"account":"0190a000-0000-7000-8000-000000000001","client_seed":"\u0000\"żółć","player":"ann"},"seat":0,"seq":2,"type":"seated"}"#,
        r#"{"at":"2026-01-02T03:04:05.120000Z","by":{"type":"system"},"data":{"k":1,"shuffle":{"result":["QS","2D"]}},"seat":null,"seq":4,"type":"chance"}"#,
        r#"{"at":"2026-01-02T03:04:05.123456Z","by":{"player":"ann","type":"player"},"data":{"action":{"seat":2,"type":"give"}},"seat":0,"seq":9,"type":"acted"}"#,
        r#"{"at":"2026-01-02T03:04:05.123456Z","by":{"player":"ann","type":"player"},"data":{},"seat":1,"seq":3,"type":"left"}"#,
    ] {
        assert_eq!(Entry::parse(entry).unwrap().text(), entry);
    }
}

#[test]
fn an_action_is_written_canonically_however_it_was_read() {
    let [before, after] = [
        r#"{"at":"2026-01-02T03:04:05.123456Z","by":{"player":"ann","type":"player"},"data":{"action":"#,
        r#"},"seat":0,"seq":9,"type":"acted"}"#,
    ];
    let read = Entry::parse(&format!(r#"{before}{{ "type":"give", "seat":2 }}{after}"#)).unwrap();
    assert_eq!(read.text(), format!(r#"{before}{{"seat":2,"type":"give"}}{after}"#));
}

#[test]
fn each_event_has_its_authors_and_is_at_a_seat_or_at_none() {
    let authors = [
        ("player", r#"{"player":"ann","type":"player"}"#),
        ("bot", r#"{"bot":"steady","type":"bot"}"#),
        ("clock", r#"{"type":"clock"}"#),
        ("system", r#"{"type":"system"}"#),
    ];
    let digest = "0".repeat(64);
    let acted = r#"{"action":{"type":"stick"}}"#.to_owned();
    let seated =
        r#"{"account":"0190a000-0000-7000-8000-000000000001","client_seed":"","player":"ann"}"#.to_owned();
    for (event, data, at_a_seat, by) in [
        ("chance", r#"{"k":0,"pick":{"of":4,"result":2}}"#.to_owned(), false, &["system"][..]),
        ("aborted", format!(r#"{{"server_seed":"{digest}"}}"#), false, &["player", "system"]),
        ("seated", seated, true, &["player"]),
        ("left", "{}".to_owned(), true, &["player"]),
        ("removed", "{}".to_owned(), true, &["player"]),
        ("moved", r#"{"to":1}"#.to_owned(), true, &["player"]),
        ("invite_renewed", "{}".to_owned(), false, &["player"]),
        ("resigned", "{}".to_owned(), true, &["player"]),
        ("abort_agreed", "{}".to_owned(), true, &["player"]),
        ("acted", acted, true, &["player", "bot", "clock"]),
    ] {
        for (name, author) in authors {
            for (seat, is_a_seat) in [("0", true), ("null", false)] {
                let text = format!(
                    r#"{{"at":"2026-01-02T03:04:05.000000Z","by":{author},"data":{data},"seat":{seat},"seq":3,"type":"{event}"}}"#
                );
                let fits = by.contains(&name) && is_a_seat == at_a_seat;
                assert_eq!(Entry::parse(&text).unwrap().is_attributed(), fits, "{text}");
            }
        }
    }
}

#[test]
fn a_hash_is_written_in_64_lower_case_hex_digits_and_is_read_in_no_other_form() {
    let text = "0123456789abcdef".repeat(4);
    let hash: Hex32 = text.parse().unwrap();
    assert_eq!((hash.0[1], hash.0[31]), (0x23, 0xef));
    assert_eq!([hash.to_string(), format!("{hash:?}")], [text.clone(), text.clone()]);
    assert_eq!(serde_json::to_value(hash).unwrap(), text);
    for other in ["", &text[1..], &format!("{text}0"), &text.to_uppercase(), &text.replace('f', "g")] {
        assert!(other.parse::<Hex32>().is_err(), "{other}");
    }
}

#[test]
fn an_invite_follows_from_the_seed() {
    // The first ten bytes of HMAC-SHA256(seed, "invite"), each modulo 32.
    assert_eq!(Seed::new([7; 32]).invite(0), "ypscy9vrkg");
}

#[test]
fn what_is_no_entry_is_not_read() {
    for text in [
        "",
        "{}",
        "[]",
        r#"{"at":"2026-01-02T03:04:05Z","by":{"type":"system"},"data":{},"seat":null,"seq":1,"type":"dealt"}"#,
    ] {
        assert!(Entry::parse(text).is_err(), "{text}");
    }
}
