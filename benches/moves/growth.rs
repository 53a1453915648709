//! A service whose database has grown, in turn with one whose database is nearly empty.

use std::time::{Duration, Instant};

use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use futures_util::future::join_all;
use serde_json::json;

use super::client::{Connection, Players, SEATS, Table, request};
use super::parts::{PAIRS, play};
use super::pgbench::ROUND;
use super::service::Service;
use super::{Spread, keep};

/// How many entries the small database has.
const LITTLE: u64 = 100_000;
/// How many entries each old game has.
const ENTRIES_EACH: u64 = 300;
/// How many games one statement adds.
const AT_ONCE: u64 = 4_000;
/// How many entries there are for each account with a rating.
const ENTRIES_BY_ACCOUNT: u64 = 200;
/// Games that wait for players, in both.
const OPEN: usize = 200;
/// Bots in a tournament.
const ENTRANTS: usize = 40;

/// Sets the session up to write games that ended long ago. Nobody asks for their logs, so the entries only have the size of
/// real ones.
const SESSION: &str = "
CREATE FUNCTION pg_temp.old_id(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT (lpad(to_hex(1735689600000 + n * 100), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid
$$;
SET synchronous_commit TO off";

fn accounts(count: u64) -> String {
    format!(
        "INSERT INTO accounts (id, username, created_at, has_played)
            SELECT pg_temp.old_id(n), 'old' || n, '2025-01-01', true FROM generate_series(1, {count}) n;
        INSERT INTO ratings (account_id, kind, period, rating, mu, sigma, games, wins, hands, streak, best_streak, counters)
            SELECT pg_temp.old_id(n), 'ritunas_favour', 'all', 1000 * random(), 25, 8, 9, 3, 30, 1, 2, '{{}}'
            FROM generate_series(1, {count}) n"
    )
}

fn games(first: u64, last: u64, accounts: u64) -> String {
    format!(
        "INSERT INTO games (game_id, server_seed, kind, rules_version, options, seats, created_at, status, visibility,
                created_by, ended_at)
            SELECT pg_temp.old_id(n), sha256(n::text::bytea), 'ritunas_favour', 1, '{{}}', 2, '2025-01-01', 'finished', 'public',
                pg_temp.old_id(1 + n % {accounts}), '2025-01-02' FROM generate_series({first}, {last}) n;
        INSERT INTO game_players (game_id, account_id, place, score, seat)
            SELECT pg_temp.old_id(n), pg_temp.old_id(1 + (n + seat) % {accounts}), 1, 0, seat
            FROM generate_series({first}, {last}) n, generate_series(0, 1) seat;
        INSERT INTO entries (game_id, seq, entry, hash)
            SELECT pg_temp.old_id(n), seq, repeat('x', 250), sha256('')
            FROM generate_series({first}, {last}) n, generate_series(1, {ENTRIES_EACH}) seq"
    )
}

async fn load(service: &Service, entries: u64) {
    let mut connection = AsyncPgConnection::establish(&service.url).await.expect("it takes connections");
    let mut run = async |sql: &str| connection.batch_execute(sql).await.expect("rows of the right form");
    let count = (entries / ENTRIES_BY_ACCOUNT).max(2);
    run(SESSION).await;
    run(&accounts(count)).await;
    let (games_in_all, mut first) = (entries / ENTRIES_EACH, 1);
    while first <= games_in_all {
        let last = (first + AT_ONCE - 1).min(games_in_all);
        run(&games(first, last, count)).await;
        first = last + 1;
    }
    run("VACUUM ANALYZE").await;
    run("CHECKPOINT").await;
}

/// What is measured, in this order.
const PARTS: [&str; 6] =
    ["moves", "the lobby", "a leaderboard", "standings", "an export", "games not in memory"];

/// Moves, lists, an export, and games that are not in memory: those of a service with so many entries, in turn with those
/// of the other one, which has 100,000.
pub async fn growth(small: &Service, clients: usize, entries: u64) {
    let grown = Service::start();
    load(small, LITTLE).await;
    let begun = Instant::now();
    load(&grown, entries).await;
    println!("{:>30}  {entries} entries loaded in {:.0} s", "growth", begun.elapsed().as_secs_f64());
    let mut rooms = [Room::open(small).await, Room::open(&grown).await];
    let mut ratios = vec![Vec::new(); PARTS.len()];
    // The first pair only warms up.
    for pair in 0..=PAIRS {
        let mut rates = Vec::new();
        for room in &mut rooms {
            rates.push(room.measure(clients).await);
        }
        if pair > 0 {
            let of_pair = rates[1].iter().zip(&rates[0]).map(|(grown, small)| grown / small);
            ratios.iter_mut().zip(of_pair).for_each(|(ratios, ratio)| ratios.push(ratio));
            println!("{:>30}  {rates:.0?}", "");
        }
    }
    for (what, ratios) in PARTS.into_iter().zip(ratios) {
        let ratio = Spread::of(ratios.into_iter());
        println!("{what:>30}  {ratio} of those with {LITTLE} entries");
        keep(&json!({"part": "growth", "entries": entries, "what": what, "ratio": ratio.json()}));
    }
}

/// One of the two services, and what happens there.
struct Room<'a> {
    service: &'a Service,
    players: Players,
    /// The path of a tournament that is over.
    tournament: String,
    /// All games that were played here.
    played: Vec<Table>,
}

impl Room<'_> {
    async fn open(service: &Service) -> Room<'_> {
        let players = Players::new(service.address, 150);
        players.open_and_leave(OPEN, 2).await;
        Room { service, players, tournament: tournament(service).await, played: Vec::new() }
    }

    /// How often each of the parts is done in a second.
    async fn measure(&mut self, clients: usize) -> Vec<f64> {
        let mut tables = join_all((0..clients).map(|_| self.players.open_table(SEATS))).await;
        let mut rates = vec![play(&mut tables, clients, ROUND).await.per_second];
        self.played.extend(tables);
        let standings = format!("/v1/tournaments/{}/standings", self.tournament);
        for path in ["/v1/games?status=open", "/v1/leaderboards/ritunas_favour", &standings] {
            rates.push(ask(self.service, path, clients).await);
        }
        rates.push(self.export().await);
        rates.push(self.open_cold().await);
        rates
    }

    async fn export(&self) -> f64 {
        let (begun, path) = (Instant::now(), format!("/v1/audit/games?tournament={}", self.tournament));
        let mut exports = 0;
        while begun.elapsed() < ROUND {
            let lines = Connection::open(self.service.address).await.download(&path).await;
            // The end of a body in chunks.
            assert!(lines.ends_with(b"\r\n0\r\n\r\n"), "{}", String::from_utf8_lossy(&lines));
            exports += 1;
        }
        f64::from(exports) / begun.elapsed().as_secs_f64()
    }

    async fn open_cold(&self) -> f64 {
        let replica = self.service.replica();
        let begun = Instant::now();
        for some in self.played.chunks(8) {
            join_all(some.iter().map(|table| table.look_at(replica.address))).await;
        }
        self.played.len() as f64 / begun.elapsed().as_secs_f64()
    }
}

/// A tournament of bots that is over: its id.
async fn tournament(service: &Service) -> String {
    let mut connection = Connection::open(service.address).await;
    let account = json!({"username": "olga", "password": "correct horse battery"});
    let session = connection.post("/v1/auth/register", "", &account).await;
    let token = session["access_token"].as_str().expect("a session has a token");
    let wanted = json!({"name": "Cup", "kind": "sevens", "table_size": 4, "options": {"hands": 2}, "bot_delay_ms": 0,
        "format": {"type": "rounds", "rounds": 2, "seating": "swiss"}});
    let made = connection.post("/v1/tournaments", token, &wanted).await;
    let id = made["id"].as_str().expect("a tournament has an id").to_owned();
    let rows = json!({"entries": vec![json!({"bot": "random"}); ENTRANTS]});
    connection.post(&format!("/v1/tournaments/{id}/entries/bulk"), token, &rows).await;
    let start = request("POST", &format!("/v1/tournaments/{id}/start"), token, Some(&json!({})));
    connection.send(&start, "200").await;
    let look = request("GET", &format!("/v1/tournaments/{id}"), "", None);
    while !String::from_utf8_lossy(connection.send(&look, "200").await).contains("\"status\":\"finished\"") {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    // Games that have just ended are not exported yet.
    tokio::time::sleep(Duration::from_secs(11)).await;
    id
}

/// How often a page is answered in a second.
async fn ask(service: &Service, path: &str, clients: usize) -> f64 {
    let (begun, request) = (Instant::now(), request("GET", path, "", None));
    let asking = (0..clients).map(async |_| {
        Connection::open(service.address).await.ask_until(begun + ROUND, &request, "200").await.len()
    });
    join_all(asking).await.into_iter().sum::<usize>() as f64 / begun.elapsed().as_secs_f64()
}
