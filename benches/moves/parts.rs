//! What is measured.

use std::time::{Duration, Instant};

use actix_web::{App, HttpResponse, HttpServer, web};
use futures_util::future::join_all;
use serde_json::json;

use super::client::{Connection, Players, SEATS, Table, play_until};
use super::pgbench::{Pgbench, ROUND};
use super::receivers::Receivers;
use super::service::{Service, Work};
use super::spectators::Spectators;
use super::thinkers::Thinkers;
use super::{Spread, keep};

pub const PAIRS: usize = 5;
/// Less than an account may have (`participations-per-account`).
const TABLES_EACH: usize = 150;
/// What comes before a round with spectators or without and is not counted: buffers grow to what they need.
const WARM_UP: Duration = Duration::from_secs(1);
/// Such a round is longer, because what else runs on the machine should meet both alike.
const LONG_ROUND: Duration = Duration::from_secs(6);
/// Seats at the tables of accounts that follow their own games.
const FOUR: usize = 4;
const KINDS: [(&str, usize); 5] =
    [("ritunas_favour", 5), ("sevens", 5), ("ricketts_hearts", 4), ("knights_heads", 4), ("royal_gambit", 5)];

pub struct Bench<'a> {
    pub service: &'a Service,
    /// How many clients play, where a part does not say.
    pub clients: usize,
    pub players: Players,
    pgbench: Pgbench,
}

/// What became of one round.
pub struct Round {
    pub per_second: f64,
    /// Milliseconds from sending a request to its answer.
    p50: f64,
    p99: f64,
    p999: f64,
    /// Microseconds that the processor worked for one, and for whom.
    work: Vec<(String, f64)>,
    /// Bytes that PostgreSQL wrote ahead for one.
    wal: f64,
}

impl Round {
    /// `begun`: when, and what work had been done.
    fn of((begun, work): (Instant, Work), waits: Vec<Vec<Duration>>) -> Round {
        let elapsed = begun.elapsed().as_secs_f64();
        let mut waits: Vec<Duration> = waits.into_iter().flatten().collect();
        waits.sort_unstable();
        let quantile = |share: f64| waits[(waits.len() as f64 * share) as usize].as_secs_f64() * 1000.0;
        Round {
            per_second: waits.len() as f64 / elapsed,
            p50: quantile(0.5),
            p99: quantile(0.99),
            p999: quantile(0.999),
            work: Work::now().since(&work, waits.len()),
            wal: f64::NAN,
        }
    }

    /// Microseconds that the service and its PostgreSQL worked for one, and the bytes that were written ahead.
    fn cost(&self) -> (f64, f64) {
        let ours = self.work.iter().filter(|(whom, _)| !["clients", "spectators"].contains(&&**whom));
        (ours.map(|(_, spent)| spent).sum(), self.wal)
    }
}

fn begin() -> (Instant, Work) {
    (Instant::now(), Work::now())
}

impl Bench<'_> {
    pub async fn new(service: &Service, clients: usize) -> Bench<'_> {
        Bench {
            service,
            clients,
            players: Players::new(service.address, TABLES_EACH),
            pgbench: Pgbench::prepare(service.url.clone(), &service.folder).await,
        }
    }

    pub async fn moves(&self, connections: usize) {
        let (mut rounds, mut inserts) = (Vec::new(), Vec::new());
        // The first of each only warms up.
        for _ in 0..=PAIRS {
            let mut tables = self.tables(connections).await;
            rounds.push(self.play(&mut tables, connections, ROUND).await);
            inserts.push(self.pgbench.run(connections));
        }
        report(&format!("{connections} connections"), &rounds[1..], Some((&inserts[1..], connections)));
    }

    /// Games of one hand at tables of four, each from its creation to its end, and each rated.
    pub async fn games(&self) {
        let groups: Vec<Players> = (0..self.clients).map(|_| Players::rated(self.service.address)).collect();
        let mut rounds = Vec::new();
        for _ in 0..=PAIRS {
            let wal = self.service.wal().await;
            let begun = begin();
            let end = begun.0 + LONG_ROUND;
            let playing = groups.iter().map(async |players| {
                let mut waits = Vec::new();
                while Instant::now() < end {
                    let created = Instant::now();
                    players.play_out(FOUR, 1).await;
                    waits.push(created.elapsed());
                }
                waits
            });
            let waits = join_all(playing).await;
            let games: usize = waits.iter().map(Vec::len).sum();
            let round = Round::of(begun, waits);
            rounds.push(Round { wal: (self.service.wal().await - wal) / games as f64, ..round });
        }
        report("games of one hand", &rounds[1..], None);
    }

    pub async fn kinds(&self) {
        let (mut rounds, mut inserts) = (Vec::new(), Vec::new());
        for round in 0..=PAIRS {
            let tables = (0..self.clients).map(|n| {
                let (kind, seats) = KINDS[n % KINDS.len()];
                self.players.open_any(kind, seats, (round * self.clients + n) as u64)
            });
            let mut tables: Vec<Table> = join_all(tables).await;
            let begun = begin();
            let end = begun.0 + ROUND;
            let waits = join_all(tables.iter_mut().map(|table| table.play_by_looking_until(end))).await;
            rounds.push(Round::of(begun, waits));
            inserts.push(self.pgbench.run(self.clients));
        }
        report("all kinds, looking first", &rounds[1..], Some((&inserts[1..], self.clients)));
    }

    /// Games that are looked at, beside an answer as long that nobody has to think about.
    pub async fn look(&self) {
        let tables = self.tables(self.clients).await;
        let (length, tag) = tables[0].measure().await;
        let plain = PlainServer::start(length);
        let request = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n";
        let (mut own, mut shared, mut same, mut bare) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for _ in 0..=PAIRS {
            for (rounds, games, tag) in
                [(&mut own, self.clients, None), (&mut shared, 1, None), (&mut same, 1, Some(&*tag))]
            {
                let begun = begin();
                let end = begun.0 + ROUND;
                let looking = (0..self.clients).map(|n| tables[n % games].look_until(end, tag));
                rounds.push(Round::of(begun, join_all(looking).await));
            }
            let begun = begin();
            let end = begun.0 + ROUND;
            let asking = (0..self.clients)
                .map(async |_| Connection::open(plain.address).await.ask_until(end, request, "200").await);
            bare.push(Round::of(begun, join_all(asking).await));
        }
        report("the HTTP library alone", &bare[1..], None);
        let looks = [
            ("a look at a game of one's own", &own),
            ("a look at a game of all", &shared),
            ("a look at one that is the same", &same),
        ];
        for (what, rounds) in looks {
            report(what, &rounds[1..], None);
            let ratios =
                rounds[1..].iter().zip(&bare[1..]).map(|(ours, bare)| ours.per_second / bare.per_second);
            let ratio = Spread::of(ratios);
            println!("{:>30}  {ratio} of the HTTP library alone", "");
            keep(&json!({"part": what, "of_plain": ratio.json()}));
        }
    }

    /// So many spectators, spread over so many tables of so many seats, at which the clients play.
    pub async fn watch(&self, spectators: usize, tables: usize, seats: usize) {
        let streams = |tables: &[Table]| tables.iter().cycle().take(spectators).map(Table::stream).collect();
        self.beside(&format!("{spectators} spectators"), tables, seats, &self.players, streams, 0).await;
    }

    /// Everybody who plays, four at a table, reads the stream of their account, and some have webhooks.
    pub async fn accounts(&self, tables: usize, webhooks: usize) {
        let players = Players::new(self.service.address, 1);
        let streams = |tables: &[Table]| tables.iter().flat_map(Table::account_streams).collect();
        let what = match webhooks {
            0 => format!("{} account streams", tables * FOUR),
            _ => format!("{} account streams, {webhooks} webhooks", tables * FOUR),
        };
        self.beside(&what, tables, FOUR, &players, streams, webhooks).await;
    }

    /// Those who play, four at a table, have so many webhooks, of which a tenth never answers.
    pub async fn webhooks(&self, tables: usize, webhooks: usize) {
        let players = Players::new(self.service.address, 1);
        let what = format!("{webhooks} webhooks");
        self.beside(&what, tables, FOUR, &players, |_| Vec::new(), webhooks).await;
    }

    /// The clients play at so many tables of so many seats, in turn with nobody else there and with these streams and so
    /// many webhooks.
    async fn beside(
        &self,
        what: &str,
        tables: usize,
        seats: usize,
        players: &Players,
        streams: impl Fn(&[Table]) -> Vec<Vec<u8>>,
        webhooks: usize,
    ) {
        let (mut alone, mut watched, mut told) = (Vec::new(), Vec::new(), Vec::new());
        let mut sent = Vec::new();
        for _ in 0..=PAIRS {
            let mut games: Vec<Table> = join_all((0..tables).map(|_| players.open_table(seats))).await;
            play(&mut games, self.clients, WARM_UP).await;
            alone.push(self.play(&mut games, self.clients, LONG_ROUND).await);
            let receivers = match webhooks {
                0 => None,
                _ => Some(Receivers::listen(&self.service.url, webhooks).await),
            };
            let audience = Spectators::seat(self.service.address, streams(&games)).await;
            // A replica takes webhooks over once a second.
            play(&mut games, self.clients, if webhooks > 0 { LONG_ROUND } else { WARM_UP }).await;
            let messages = || receivers.as_ref().map_or(0, Receivers::received);
            let before = (audience.told(), messages());
            watched.push(self.play(&mut games, self.clients, LONG_ROUND).await);
            told.push((audience.told() - before.0) as f64 / LONG_ROUND.as_secs_f64());
            sent.push((messages() - before.1) as f64 / LONG_ROUND.as_secs_f64());
            audience.leave();
            if let Some(receivers) = receivers {
                receivers.leave().await;
            }
        }
        report(&format!("{tables} tables of {seats}, nobody else"), &alone[1..], None);
        report(&format!("and {what}"), &watched[1..], None);
        let ratios = watched[1..].iter().zip(&alone[1..]);
        let ratio = Spread::of(ratios.map(|(watched, alone)| watched.per_second / alone.per_second));
        // What the moves alone do not cost, shared out among the events, or among the messages where there are no others.
        let told_each = told.iter().zip(&sent).map(|(told, sent)| if *told > 0.0 { *told } else { *sent });
        let more =
            watched[1..].iter().zip(&alone[1..]).zip(told_each.skip(1)).map(|((watched, alone), told)| {
                let ((work, wal), (work_alone, wal_alone)) = (watched.cost(), alone.cost());
                [work - work_alone, wal - wal_alone].map(|more| more * watched.per_second / told)
            });
        let more: Vec<[f64; 2]> = more.collect();
        let [work, wal] = [0, 1].map(|n| Spread::of(more.iter().map(|more| more[n])));
        let told = Spread::of(told[1..].iter().copied());
        let sent = Spread::of(sent[1..].iter().copied());
        let (events, messages) = (told.whole(), sent.whole());
        println!("{:>30}  {ratio} of the moves without; events {events}/s, messages {messages}/s", "");
        println!("{:>30}  each costs {work} µs, and {} bytes written ahead", "", wal.whole());
        keep(&json!({
            "part": what, "tables": tables, "seats": seats, "ratio": ratio.json(), "events": told.json(),
            "messages": sent.json(), "work_each": work.json(), "wal_each": wal.json(),
        }));
    }

    /// The clients play, in turn with nobody else there and with so many tables of bots that think ahead, at this pace in
    /// milliseconds.
    pub async fn thinkers(&self, tables: usize, pace: u32) {
        let (mut alone, mut beside) = (Vec::new(), Vec::new());
        for _ in 0..=PAIRS {
            let mut games = self.tables(self.clients).await;
            play(&mut games, self.clients, WARM_UP).await;
            alone.push(self.play(&mut games, self.clients, LONG_ROUND).await);
            let thinkers = Thinkers::seat(self.service, tables, pace).await;
            play(&mut games, self.clients, WARM_UP).await;
            beside.push(play(&mut games, self.clients, LONG_ROUND).await);
            thinkers.leave().await;
        }
        let what = format!("{tables} tables of thinking bots");
        report(&format!("{} connections, nobody else", self.clients), &alone[1..], None);
        report(&format!("and {what}"), &beside[1..], None);
        let pairs = beside[1..].iter().zip(&alone[1..]);
        let ratio = Spread::of(pairs.map(|(beside, alone)| beside.per_second / alone.per_second));
        println!("{:>30}  {ratio} of the moves without", "");
        keep(&json!({"part": what, "pace_ms": pace, "ratio": ratio.json()}));
    }

    /// One game on one connection: its moves cost the same however many there were. A hand has at most a move for each
    /// seat, so that the game ends before the ten thousandth.
    pub async fn length(&self) {
        let mut table = [self.players.open_table(SEATS).await];
        let mut waits = Vec::new();
        while waits.len() < 9000 {
            waits.extend(play_until(&mut table, Instant::now() + Duration::from_millis(10)).await);
        }
        let median = |from: usize| {
            let mut thousand = waits[from..from + 1000].to_vec();
            thousand.sort_unstable();
            thousand[500].as_secs_f64() * 1000.0
        };
        let (first, last) = (median(0), median(8000));
        println!("{:>30}  {first:.3} ms a move of the first thousand, {last:.3} ms of the ninth", "length");
        keep(&json!({"part": "length", "first_ms": first, "last_ms": last}));
    }

    /// Plays, and finds out what PostgreSQL wrote ahead meanwhile.
    async fn play(&self, tables: &mut [Table], connections: usize, time: Duration) -> Round {
        let before = self.service.wal().await;
        let round = play(tables, connections, time).await;
        let moves = round.per_second * time.as_secs_f64();
        Round { wal: (self.service.wal().await - before) / moves, ..round }
    }

    pub async fn tables(&self, count: usize) -> Vec<Table> {
        join_all((0..count).map(|_| self.players.open_table(SEATS))).await
    }
}

/// Plays at these tables for so long, on so many connections.
pub async fn play(tables: &mut [Table], connections: usize, time: Duration) -> Round {
    let begun = begin();
    let end = begun.0 + time;
    let each = tables.len().div_ceil(connections);
    let waits = join_all(tables.chunks_mut(each).map(|tables| play_until(tables, end))).await;
    Round::of(begun, waits)
}

/// `inserts`: pgbench's, and on how many connections.
fn report(what: &str, rounds: &[Round], inserts: Option<(&[f64], usize)>) {
    let figure = |of: fn(&Round) -> f64| Spread::of(rounds.iter().map(of));
    let rate = figure(|round| round.per_second);
    let (p50, p99, p999) = (figure(|round| round.p50), figure(|round| round.p99), figure(|round| round.p999));
    println!(
        "{what:>30}  {}/s; ms: p50 {:.2}, p99 {:.2}, p99.9 {:.2}",
        rate.whole(),
        p50.median,
        p99.median,
        p999.median
    );
    let work: Vec<(&str, f64)> = rounds[0]
        .work
        .iter()
        .map(|(whom, _)| {
            let spent =
                rounds.iter().filter_map(|round| Some(round.work.iter().find(|(name, _)| name == whom)?.1));
            (&**whom, Spread::of(spent).median)
        })
        .collect();
    let shown: Vec<String> = work.iter().map(|(whom, spent)| format!("{whom} {spent:.0}")).collect();
    println!("{:>30}  work, µs each: {}", "", shown.join(", "));
    let wal = figure(|round| round.wal);
    if wal.median.is_finite() {
        println!("{:>30}  written ahead, bytes each: {}", "", wal.whole());
    }
    let beside = inserts.map(|(inserts, connections)| {
        let pairs = rounds.iter().zip(inserts);
        let ratio = Spread::of(pairs.clone().map(|(round, inserts)| round.per_second / inserts));
        println!("{:>30}  {ratio} of pgbench's {}/s", "", Spread::of(inserts.iter().copied()).whole());
        // Each connection of pgbench, too, waits for an answer before it asks again.
        let latency = |inserts: f64| 1000.0 * connections as f64 / inserts;
        let waits = Spread::of(pairs.map(|(round, inserts)| round.p50 / latency(*inserts)));
        println!("{:>30}  p50: {waits} times its latency", "");
        (ratio.json(), waits.json(), Spread::of(inserts.iter().copied()).json())
    });
    keep(&json!({
        "part": what, "per_second": rate.json(), "p50": p50.json(), "p99": p99.json(), "p999": p999.json(),
        "wal": wal.json(), "work": work.into_iter().collect::<std::collections::BTreeMap<_, _>>(),
        "pgbench": beside.as_ref().map(|(_, _, inserts)| inserts), "ratio": beside.as_ref().map(|(ratio, _, _)| ratio),
        "p50_ratio": beside.as_ref().map(|(_, waits, _)| waits),
    }));
}

/// The HTTP library with nothing behind it, on as many threads as the service has.
struct PlainServer {
    address: std::net::SocketAddr,
}

impl PlainServer {
    fn start(length: usize) -> PlainServer {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let text = "x".repeat(length);
                let app = move || {
                    let text = text.clone();
                    let answer = web::to(move || {
                        let answer = HttpResponse::Ok().json(&text);
                        async { answer }
                    });
                    App::new().default_service(answer)
                };
                HttpServer::new(app).workers(2).disable_signals().listen(listener)?.run().await
            })
        });
        PlainServer { address }
    }
}
