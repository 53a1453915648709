//! What takes memory, and how much.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::json;

use super::client::{SEATS, play_slowly};
use super::keep;
use super::parts::Bench;
use super::pgbench::ROUND;
use super::spectators::Spectators;

const STREAMS: usize = 5000;
const TABLES: usize = 2000;

impl Bench<'_> {
    pub async fn memory(&self) {
        let memory = async || {
            // What was only needed on the way is given back meanwhile.
            tokio::time::sleep(ROUND).await;
            self.service.memory()
        };
        let make = async |tables: usize| {
            for _ in 0..tables / 50 {
                self.tables(50).await;
            }
        };
        // The first of each make what all share.
        make(500).await;
        let before = memory().await;
        make(TABLES).await;
        let table = (memory().await - before) / TABLES as f64 / 1024.0;

        let game = self.players.open_table(SEATS).await;
        Spectators::seat(self.service.address, vec![game.stream(); 100]).await.leave();
        let before = memory().await;
        let spectators = Spectators::seat(self.service.address, vec![game.stream(); STREAMS]).await;
        let stream = (memory().await - before) / STREAMS as f64 / 1024.0;
        spectators.leave();
        println!(
            "{:>30}  {table:.1} KiB a table of ten, {stream:.1} KiB a stream of {STREAMS} idle ones",
            "memory"
        );
        keep(&json!({"part": "memory", "table_kib": table, "stream_kib": stream}));
    }

    /// A thousand games are played and a hundred thousand wait for somebody to sit down. In ten minutes come as many
    /// moves as in an hour in which each of the thousand has one every five seconds.
    pub async fn hour(&self) {
        const OPEN: usize = 100_000;
        const ACTIVE: usize = 1000;
        const MINUTE: Duration = Duration::from_secs(60);
        const MOVES_A_MINUTE: usize = ACTIVE * 12 * 6;
        let mebibytes = || self.service.memory() / 1024.0 / 1024.0;
        println!("{:>30}  {:.0} MiB before", "an hour in ten minutes", mebibytes());
        self.players.open_and_leave(OPEN, self.clients).await;
        println!("{:>30}  {:.0} MiB with {OPEN} open games", "", mebibytes());
        let mut tables = self.tables(ACTIVE).await;
        let each = MOVES_A_MINUTE / self.clients;
        let mut resident = vec![mebibytes()];
        for _ in 0..10 {
            let begun = Instant::now();
            let chunks = tables.chunks_mut(ACTIVE.div_ceil(self.clients));
            let waits = join_all(chunks.map(|tables| play_slowly(tables, each, MINUTE))).await;
            let (moves, seconds) = (waits.iter().map(Vec::len).sum::<usize>(), begun.elapsed().as_secs());
            resident.push(mebibytes());
            let now = resident[resident.len() - 1];
            println!("{:>30}  {now:.0} MiB after {moves} moves more in {seconds} s", "");
        }
        keep(&json!({"part": "hour", "open": OPEN, "active": ACTIVE, "mebibytes": resident}));
    }
}
