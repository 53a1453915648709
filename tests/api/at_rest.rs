//! What the database holds, for whoever reads it or a copy of it: with a master key nothing from which a running deck
//! follows, and nothing that signs.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use cardroom::entropy::Entropy;
use cardroom::games::cipher::EntryCipher;
use cardroom::games::snapshots::encrypted;
use cardroom::store::database::Database;
use cardroom::store::error::StoreError;
use cardroom::store::keys;
use cardroom::store::tail::StoredEntry;
use cardroom::store::wrapping::MasterKeys;
use cardroom_core::log::Hex32;
use cardroom_core::log::chain::canonical;
use cardroom_core::log::entry::{Acted, Chance, Drawn, Entry, Event};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::newest;
use cardroom_core::table::Table;
use cardroom_core::table::snapshot::RULES;
use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::app::{PASSWORD, TestApp, TestDatabase};
use super::check::faults_of;
use super::client::Client;
use super::tournaments::made;
use crate::audits::Folder;
use crate::random::dice::Dice;
use crate::random::orders::{list, order};

/// The Ed25519 key of RFC 8037, appendix A, as `openssl genpkey` would write it, and its thumbprint there.
const PEM: &str = "-----BEGIN PRIVATE KEY-----\n\
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n\
    -----END PRIVATE KEY-----\n";
const THUMBPRINT: &str = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";

/// A master key of this byte.
pub fn master_key(byte: u8) -> String {
    Hex32([byte; 32]).to_string()
}

/// All that stands in the database, without quotes and backslashes: they differ by the type of a column.
pub async fn dump(database: &TestDatabase) -> String {
    #[derive(QueryableByName)]
    struct Line {
        #[diesel(sql_type = Text)]
        line: String,
    }
    let mut connection = database.connection().await;
    let tables =
        "SELECT table_name::text AS line FROM information_schema.tables WHERE table_schema = 'public'";
    let tables: Vec<Line> = diesel::sql_query(tables).load(&mut connection).await.unwrap();
    assert!(tables.len() > 10);
    let mut dump = String::new();
    for Line { line: table } in tables {
        let rows = format!("SELECT row::text AS line FROM {table} AS row");
        let rows: Vec<Line> = diesel::sql_query(rows).load(&mut connection).await.unwrap();
        dump.extend(rows.into_iter().map(|row| row.line + "\n"));
    }
    plain(&dump)
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '"' | '\\')).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Every form in which bytes could stand in a dump.
pub fn forms(bytes: &[u8]) -> [String; 3] {
    [hex(bytes), STANDARD.encode(bytes), URL_SAFE_NO_PAD.encode(bytes)]
}

/// A game's seed, its log in clear, and the table that it leads to.
async fn opened(app: &TestApp, id: Uuid) -> (Seed, Vec<(String, Entry)>, Table) {
    let opening = app.app.database.opening(id, None, u32::MAX).await.unwrap();
    let seed = Seed::new(opening.server_seed.unwrap());
    let cipher = EntryCipher::new(&seed, id);
    let mut log = Vec::new();
    let mut hashes = Vec::new();
    for StoredEntry { seq, entry, hash } in opening.entries {
        let text = cipher.decrypt(seq as u32, &entry).unwrap().into_owned();
        let read = Entry::parse(&text).unwrap();
        hashes.push((read.clone(), Hex32(hash.try_into().unwrap())));
        log.push((text, read));
    }
    let table = Table::replay(id, seed.clone(), hashes).unwrap();
    (seed, log, table)
}

/// The cards that an entry hides, as they would stand in clear: the top of the deck, or the whole action.
fn hidden(entry: &Entry) -> Option<String> {
    match &entry.event {
        Event::Chance(Chance { drawn: Drawn::Shuffle { result: Some(order) }, .. }) => {
            let order = serde_json::to_string(&order[..5]).unwrap();
            Some(order.trim_end_matches(']').to_owned())
        }
        Event::Acted(Acted { action, .. }) => {
            let text = action.get();
            let is_secret =
                ["\"type\":\"pass\"", "\"type\":\"rabble\""].iter().any(|word| text.contains(word))
                    && text.contains("\"cards\":[\"")
                    || text.contains("\"trade\":[\"");
            is_secret.then(|| text.to_owned())
        }
        _ => None,
    }
}

/// Begins a game of this kind and plays a while.
async fn played(app: &TestApp, kind: &str, seats: usize, dice: &mut Dice) -> Uuid {
    let mut players = vec![app.guest().await];
    let wanted = json!({"kind": kind, "seats": seats, "sit": true});
    let made = players[0].post("/v1/games", &wanted).await.ok();
    let path = format!("/v1/games/{}", made["id"].as_str().unwrap());
    while players.len() < seats {
        let guest = app.guest().await;
        guest.post(&format!("{path}/seats"), &json!({})).await.ok();
        players.push(guest);
    }
    for _ in 0..4 {
        for player in &players {
            act(player, &path, dice).await;
        }
    }
    made["id"].as_str().unwrap().parse().unwrap()
}

async fn act(player: &Client, path: &str, dice: &mut Dice) {
    let menu = player.get(path).await.ok()["legal_actions"].clone();
    if menu.as_array().is_some_and(|menu| !menu.is_empty()) {
        let action = order(dice.pick(list(&menu)), dice);
        player.post(&format!("{path}/actions"), &action).await.ok();
    }
}

#[tokio::test]
async fn with_a_master_key_the_database_tells_of_no_running_deck_and_holds_nothing_that_signs() {
    // The same games in every run.
    let entropy = Entropy::fixed(11);
    let app = TestApp::start_from(entropy, |settings| settings.master_key = Some(master_key(1))).await;
    let dice = &mut Dice::new(11);
    let mut secrets: Vec<String> = Vec::new();
    for kind in newest() {
        let (mut shuffles, mut actions) = (0, 0);
        let mut games = 0;
        // Some games come to an end before anybody has hidden a card.
        while shuffles == 0 || actions == 0 && kind.has_secrets {
            games += 1;
            assert!(games < 30, "{}: nothing is hidden", kind.kind);
            let seats = kind.max_seats.min(4);
            let id = played(&app, kind.kind, seats.into(), dice).await;
            let (seed, log, table) = opened(&app, id).await;
            if let Some(stored) = encrypted(&table) {
                app.app.database.keep_snapshot(id, RULES, &stored).await.unwrap();
            }
            if table.is_over() {
                continue;
            }
            secrets.extend(forms(seed.bytes()));
            for (text, entry) in &log {
                let Some(cards) = hidden(entry) else { continue };
                let is_chance = matches!(entry.event, Event::Chance(_));
                *(if is_chance { &mut shuffles } else { &mut actions }) += 1;
                assert!(plain(text).contains(&plain(&cards)), "{cards} in {text}");
                secrets.extend([plain(&cards), hex(cards.as_bytes())]);
            }
        }
    }
    for key in keys::all(&app.app.database).await.unwrap() {
        secrets.extend(forms(&key.secret));
    }
    let olga = app.user("olga").await;
    secrets.push(PASSWORD.to_owned());
    for token in [olga.token(), olga.session["refresh_token"].as_str().unwrap()] {
        secrets.extend([token.to_owned(), hex(token.as_bytes())]);
    }
    let dump = dump(&app.database).await;
    assert!(dump.contains("olga"), "it is a dump");
    for secret in secrets {
        assert!(!dump.contains(&secret), "{secret}");
    }
}

#[tokio::test]
async fn a_hidden_action_is_not_found_by_trying_the_digests_of_requests() {
    let app = TestApp::start().await;
    let ann = app.guest().await;
    let made = ann.post("/v1/games", &json!({"kind": "sevens", "seats": 2, "sit": true})).await.ok();
    let id: Uuid = made["id"].as_str().unwrap().parse().unwrap();
    let ben = app.guest().await;
    ben.post(&format!("/v1/games/{id}/seats"), &json!({})).await.ok();
    let path = format!("/v1/games/{id}/actions");
    let menu =
        async |player: &Client| player.get(&format!("/v1/games/{id}")).await.ok()["legal_actions"].clone();
    let (player, menu) = match menu(&ann).await {
        Value::Null => (&ben, menu(&ben).await),
        menu if list(&menu).is_empty() => (&ben, menu_of(&ben, id).await),
        menu => (&ann, menu),
    };
    let body = order(&list(&menu)[0], &mut Dice::new(1)).to_string();
    let keyed = player.clone().with("idempotency-key", "k").with("content-type", "application/json");
    let send = || keyed.send(Method::POST, &path, body.clone().into_bytes());
    let first = send().await.ok();
    let asked = canonical(&serde_json::from_str::<Value>(&body).unwrap());
    let digest: [u8; 32] = Sha256::digest(format!("POST\n{path}\n{asked}")).into();
    let dump = dump(&app.database).await;
    let seed = Seed::new(app.app.database.server_seed(id).await.unwrap().unwrap());
    assert!(dump.contains(&hex(&seed.request(&digest))), "it is known again");
    assert!(!dump.contains(&hex(&digest)), "but not by its digest");
    assert_eq!(send().await.ok(), first);
    let other = keyed.send(Method::POST, &path, br#"{"type":"raise","by":1}"#.to_vec()).await;
    assert_eq!(other.code(), "idempotency_key_reused");
}

async fn menu_of(player: &Client, id: Uuid) -> Value {
    player.get(&format!("/v1/games/{id}")).await.ok()["legal_actions"].clone()
}

#[tokio::test]
async fn a_wrapped_seed_that_is_copied_to_another_row_is_refused() {
    let app = TestApp::start_with(|settings| settings.master_key = Some(master_key(1))).await;
    let ann = app.user("ann").await;
    let game = json!({"kind": "sevens", "seats": 2});
    let ids = [ann.post("/v1/games", &game).await.ok(), ann.post("/v1/games", &game).await.ok()]
        .map(|made| made["id"].as_str().unwrap().to_owned());
    let copy = format!(
        "UPDATE games SET server_seed = (SELECT server_seed FROM games WHERE game_id = '{}')
         WHERE game_id = '{}'",
        ids[0], ids[1]
    );
    app.database.connection().await.batch_execute(&copy).await.unwrap();
    let replica = app.replica().await;
    replica.anon().get(&format!("/v1/games/{}", ids[0])).await.ok();
    assert_eq!(replica.anon().get(&format!("/v1/games/{}", ids[1])).await.code(), "internal");
    let olga = app.user("olga").await;
    let cups = [made(&olga, json!({})).await, made(&olga, json!({})).await]
        .map(|path| path.replace("/v1/tournaments/", ""));
    let copy = format!(
        "UPDATE tournaments SET server_seed = (SELECT server_seed FROM tournaments WHERE tournament_id = '{}')
         WHERE tournament_id = '{}'",
        cups[0], cups[1]
    );
    app.database.connection().await.batch_execute(&copy).await.unwrap();
    let mut faults = faults_of(&app.app.database).await;
    faults.retain(|fault| fault.contains("holds no secret that was wrapped for it"));
    assert_eq!(faults.len(), 2, "{faults:?}");
    // It keeps nobody from following the rest, nor from going.
    let there = replica.at(&ann);
    let mut stream = there.stream("/v1/me/stream").await;
    let bob = app.user("bob").await;
    bob.post(&format!("/v1/games/{}/seats", ids[0]), &json!({})).await.ok();
    while stream.next().await.unwrap().json()["type"] != "seat_taken" {}
    let proof = serde_json::to_vec(&json!({"password": PASSWORD})).unwrap();
    let deleting = there.with("content-type", "application/json");
    assert_eq!(deleting.send(Method::DELETE, "/v1/me", proof).await.status, 204);
    let copy = "UPDATE signing_keys SET secret = (SELECT server_seed FROM games LIMIT 1)";
    app.database.connection().await.batch_execute(copy).await.unwrap();
    assert!(matches!(keys::all(&app.app.database).await, Err(StoreError::Secret(_))));
}

#[tokio::test]
async fn the_master_key_changes_while_games_are_played() {
    let (one, two) = (master_key(1), master_key(2));
    // From no key to one: first all replicas learn to open, then they begin to wrap.
    let clear = TestApp::start().await;
    let ann = clear.user("ann").await;
    let many = "INSERT INTO games (game_id, server_seed, kind, rules_version, options, seats, created_at, status,
                    visibility, created_by)
                SELECT gen_random_uuid(), sha256(n::text::bytea), 'sevens', 1, '{}', 2, now(), 'active', 'private',
                    gen_random_uuid()
                FROM generate_series(1, 1200) AS n";
    clear.database.connection().await.batch_execute(many).await.unwrap();
    let dice = &mut Dice::new(3);
    let before = played(&clear, "royal_gambit", 2, dice).await;
    let opens = clear.replica_with(|settings| settings.master_key = Some(format!("none,{one}"))).await;
    let wraps = clear.replica_with(|settings| settings.master_key = Some(one.clone())).await;
    let shown = async |app: &TestApp, id: Uuid| app.at(&ann).get(&format!("/v1/games/{id}")).await.ok();
    let wrapped = played(&wraps, "sevens", 2, dice).await;
    assert_eq!(shown(&opens, wrapped).await, shown(&wraps, wrapped).await);
    assert_eq!(shown(&opens, before).await, shown(&wraps, before).await);

    assert!(wraps.app.database.has_secrets_to_rewrap().await.unwrap());
    let (rewrapped, during) =
        tokio::join!(wraps.app.database.rewrap(), played(&wraps, "ricketts_hearts", 4, dice));
    // A signing key, the key for push services, a game that was played, and those that were inserted.
    assert_eq!(rewrapped.unwrap(), 1203);
    assert!(!wraps.app.database.has_secrets_to_rewrap().await.unwrap());
    assert_eq!(wraps.app.database.rewrap().await.unwrap(), 0);

    // From one key to another.
    let both = clear.replica_with(|settings| settings.master_key = Some(format!("{two} {one}"))).await;
    let later = played(&both, "knights_heads", 3, dice).await;
    let database = Database::new(&clear.database.url, 1).unwrap();
    let database = database.with_master_keys(MasterKeys::parse(&format!("{two},{one}")).unwrap());
    let (rewrapped, last) = tokio::join!(database.rewrap(), played(&both, "ritunas_favour", 2, dice));
    assert_eq!(rewrapped.unwrap(), 1205);
    let new = clear.replica_with(|settings| settings.master_key = Some(two.clone())).await;
    for id in [before, wrapped, during, later, last] {
        assert_eq!(shown(&new, id).await, shown(&both, id).await);
    }
    let old = Database::new(&clear.database.url, 1).unwrap();
    let old = old.with_master_keys(MasterKeys::parse(&one).unwrap());
    assert!(matches!(old.has_secrets_to_rewrap().await, Err(StoreError::Key(_))));
    assert!(matches!(old.rewrap().await, Err(StoreError::Key(_))));

    // And back.
    let none = Database::new(&clear.database.url, 1).unwrap();
    let none = none.with_master_keys(MasterKeys::parse(&format!("none,{two}")).unwrap());
    none.rewrap().await.unwrap();
    let clear = clear.replica().await;
    assert_eq!(shown(&clear, last).await, shown(&both, last).await);
}

#[tokio::test]
async fn keys_from_files_sign_alone_and_stand_in_the_list_with_the_old_ones() {
    let path = Folder::new("signing").write("ed25519.pem", PEM);
    let app = TestApp::start().await;
    let ann = app.user("ann").await;
    let jwks = async |app: &TestApp| app.anon().get("/.well-known/jwks.json").await.ok()["keys"].clone();
    let made = jwks(&app).await;
    let with_file = app.replica_with(|settings| settings.signing_keys = vec![path.clone().into()]).await;
    let listed = jwks(&with_file).await;
    assert_eq!((listed[0]["kid"].as_str(), &listed[1]), (Some(THUMBPRINT), &made[0]));
    assert_eq!(listed[0]["x"], "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");

    // A key that stands in the database signs nobody in any more; the session goes on.
    assert_eq!(with_file.at(&ann).get("/v1/me").await.code(), "unauthorized");
    let token = json!({"refresh_token": ann.session["refresh_token"]});
    let refreshed = with_file.anon().post("/v1/auth/refresh", &token).await.ok();
    let ann = with_file.anon().with_session(refreshed);
    ann.get("/v1/me").await.ok();
    let head = URL_SAFE_NO_PAD.decode(ann.token().split('.').next().unwrap()).unwrap();
    assert_eq!(serde_json::from_slice::<Value>(&head).unwrap()["kid"], THUMBPRINT);

    // It does not grow old, and no other is made.
    app.clock.advance(90 * 24 * 60 * 60);
    let ben = with_file.user("ben").await;
    ben.get("/v1/me").await.ok();
    assert_eq!(jwks(&with_file).await, listed);
}
