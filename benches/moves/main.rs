//! Durable moves a second over HTTP, beside what PostgreSQL alone can do: `cargo bench --bench moves`.
//!
//! The program as it is run, as a process of its own, on a PostgreSQL whose every commit waits for the disk; and
//! clients that send a move, wait for its answer and send the next, on connections that stay open. In turn with that,
//! on the same server, `pgbench` inserts one row of an entry's size in each transaction on as many connections. Both
//! share the machine with what they measure, and what else runs there changes both: the ratio of each pair says more
//! than either number. What the processor did for a move, and for whom, depends less on that: `work` tells it.
//!
//! `cargo bench --bench moves -- 64 watch` runs the parts that are named; all of them take some eleven minutes:
//!
//! * a number, of which `1`, `16` and `64` are run by default: moves on so many connections, each at a table of its own,
//!   in pairs with `pgbench`;
//! * `kinds`: the same on 64 connections with tables of every kind, whose clients look at the game before each move;
//! * `games`: whole games of one hand at tables of four, created, joined, played and rated, on 64 connections;
//! * `look`: games that are asked for on 64 connections, each its own or all the same one, changed or not, in turn with
//!   an answer as long from the bare HTTP library;
//! * `watch`: 64 connections at 125 tables, in turn with and without 500 spectators, four at each, who read each move as
//!   it is made; the tables have ten seats, and an event some 2.8 KB;
//! * `five`: the same at tables of five seats, where an event has 2.0;
//! * `accounts`: the same at 126 tables of four, where each of the 504 who play reads the stream of their account;
//! * `both`: the same, where a hundred webhooks are sent their notices, too;
//! * `webhooks`: the same tables, in turn with and without a thousand webhooks, of which a tenth never answers;
//! * `thinkers`: 64 connections, in turn with and without 16 tables at which four bots think ahead, each of which decides
//!   half a second after it is its turn;
//! * `crowd`: the same at 64 tables, with the same spectators;
//! * `length`: a game's first thousand moves and its ninth, after ten thousand entries;
//! * `memory`: what a table and an idle stream cost;
//! * `hour`, only where it is named: ten minutes in which a thousand games out of a hundred thousand are played as much
//!   as in an hour, and what memory they take;
//! * `growth`, only where it is named: moves, the lobby, a leaderboard, standings, an export and games that are not in memory,
//!   of a service with `--entries` old entries, in turn with those of one with 100,000. 50 million take some 25 GB of disk.
//!
//! `--database-url postgres://…` measures a service on a database that runs already, and `pgbench` there. With
//! `--service 127.0.0.1:8080`, that service runs already, too; its limits have to be wide: see `Service::start`.
//! `deploy/shards/run costs` measures a service on several servers in turn with one on one.
//!
//! With a file's name in `CARDROOM_FIGURES`, all figures are added to it as lines of JSON; `docs/plot.py` draws them.

mod client;
mod growth;
mod memory;
mod parts;
mod pgbench;
mod receivers;
mod service;
mod spectators;
mod thinkers;
mod tournament;

use std::fmt::Display;
use std::io::Write;

use serde_json::{Value, json};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(clap::Parser)]
struct Wanted {
    /// The parts to run; all but `hour`, `growth` and `tournament` if none is named.
    parts: Vec<String>,
    /// How many clients the parts have that name no number.
    #[arg(long, default_value_t = 64)]
    clients: usize,
    /// How many old entries `growth` loads.
    #[arg(long, default_value_t = 50_000_000)]
    entries: u64,
    /// The address of a service that runs already, on the database of `--database-url`.
    #[arg(long, requires = "database_url")]
    service: Option<std::net::SocketAddr>,
    /// A database that runs already.
    #[arg(long)]
    database_url: Option<String>,
    /// The folder of that database's servers, if there are several: `deploy/shards/cluster` makes them.
    #[arg(long, requires = "database_url")]
    servers: Option<std::path::PathBuf>,
    /// What `cargo bench` adds.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Memory comes first: who has been busy has some to spare.
const PARTS: [&str; 15] = [
    "memory", "1", "16", "64", "kinds", "games", "look", "watch", "five", "accounts", "both", "webhooks",
    "thinkers", "crowd", "length",
];

fn main() {
    let Wanted { mut parts, clients: count, entries, service, database_url, servers, .. } =
        clap::Parser::parse();
    if parts.is_empty() {
        parts = PARTS.map(str::to_owned).to_vec();
    }
    if let Some(servers) = servers {
        service::tell_servers(servers);
    }
    let service = match (service, database_url) {
        (Some(address), Some(url)) => service::Service::at(address, url),
        (None, Some(url)) => service::Service::on(url),
        (_, None) => service::Service::start(),
    };
    // The clients have a thread of their own: this one.
    let clients = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    clients.block_on(async {
        let bench = parts::Bench::new(&service, count).await;
        println!("medians of {} pairs, and ranges in brackets", parts::PAIRS);
        for part in parts {
            match &*part {
                "kinds" => bench.kinds().await,
                "games" => bench.games().await,
                "look" => bench.look().await,
                "watch" => bench.watch(500, 125, client::SEATS).await,
                "five" => bench.watch(500, 125, 5).await,
                "accounts" => bench.accounts(126, 0).await,
                "both" => bench.accounts(126, 100).await,
                "webhooks" => bench.webhooks(126, 1000).await,
                "thinkers" => bench.thinkers(16, 500).await,
                "crowd" => bench.watch(500, count, client::SEATS).await,
                "length" => bench.length().await,
                "memory" => bench.memory().await,
                "hour" => bench.hour().await,
                "growth" => growth::growth(&service, count, entries).await,
                "tournament" => tournament::largest(&service).await,
                number => bench.moves(number.parse().expect("a part, or how many connections")).await,
            }
        }
    });
}

/// A median, and between what it lies.
struct Spread {
    least: f64,
    median: f64,
    most: f64,
}

impl Spread {
    fn of(values: impl Iterator<Item = f64>) -> Spread {
        let mut values: Vec<f64> = values.collect();
        values.sort_by(f64::total_cmp);
        Spread { least: values[0], median: values[values.len() / 2], most: values[values.len() - 1] }
    }

    fn whole(&self) -> String {
        format!("{:.0} ({:.0}–{:.0})", self.median, self.least, self.most)
    }

    fn json(&self) -> Value {
        json!([self.least, self.median, self.most])
    }
}

impl Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} ({:.2}–{:.2})", self.median, self.least, self.most)
    }
}

/// Keeps a figure, where somebody wants them.
fn keep(figure: &Value) {
    #[expect(clippy::disallowed_methods, reason = "this is no part of the program")]
    let Ok(path) = std::env::var("CARDROOM_FIGURES") else { return };
    let file = std::fs::File::options().create(true).append(true).open(path);
    writeln!(file.expect("a file that can be written"), "{figure}").expect("there is room");
}
