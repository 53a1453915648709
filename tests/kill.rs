//! `kill -9` loses nothing that was acknowledged.
//!
//! Players sit at several tables of the real program while it and its PostgreSQL are killed again and again.
//! Whoever gets no answer asks again under the same key, so that in the end every move was acknowledged, and
//! the logs must hold exactly the acknowledged moves.

pub mod audit;
pub mod room;
mod tournaments;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use tokio::sync::watch;

use self::audit::audit_all;
use self::room::{Room, play_on};
use self::tournaments::organise;
use super::eventually::within;
use super::folder::Folder;
use super::kill_9;
use super::random::dice::Dice;
use super::seed::seed_of_this_run;

/// How much is killed, and who plays meanwhile.
struct Run {
    rounds: usize,
    /// The kills of a round, in an order that the dice choose.
    services: usize,
    postgres: usize,
    /// Accounts; each plays at several tables.
    clients: usize,
    /// The tables that are played at the same time. Each begins a new game until all kills are done.
    tables: u64,
    /// The tournaments of bots that are played at the same time, one after the other until all kills are done.
    tournaments: u64,
    /// Beyond this an answer is given up, and the test with it. After a quarter of it nothing more is killed until the
    /// answer is there, so that only the house can be to blame.
    limit: Duration,
}

/// The most acknowledged moves between one kill and the next.
const MOVES_BETWEEN: u64 = 30;

#[derive(Clone, Copy)]
enum Victim {
    Service,
    Postgres,
}

#[tokio::test]
async fn kill_9_loses_nothing_that_was_acknowledged() {
    let limit = Duration::from_secs(30);
    Run { rounds: 6, services: 1, postgres: 1, clients: 4, tables: 6, tournaments: 2, limit }.play().await;
}

/// See CONTRIBUTING.md.
#[tokio::test]
#[ignore = "takes half an hour"]
async fn a_thousand_kills_lose_nothing_that_was_acknowledged() {
    let limit = Duration::from_secs(120);
    Run { rounds: 100, services: 10, postgres: 1, clients: 16, tables: 16, tournaments: 4, limit }
        .play()
        .await;
}

impl Run {
    async fn play(&self) {
        let (seed, began) = (seed_of_this_run(), Instant::now());
        let folder = Folder::new();
        let mut house = House::open(&folder).await;
        let room = Room::new(house.addresses.subscribe(), self.limit).enter(self.clients).await;

        let tables = (0..self.tables)
            .map(|table| play_on(&room, table, None, Dice::new(seed.wrapping_add(1 + table))));
        let tournaments =
            (0..self.tournaments).map(|nth| organise(&room, nth, Dice::new(seed.wrapping_sub(1 + nth))));
        let (games, tournaments, ()) = tokio::join!(
            join_all(tables),
            join_all(tournaments),
            self.kill_again_and_again(&mut house, &room, Dice::new(seed))
        );

        let audited = audit_all(&room, &games).await;
        assert_eq!(audited.by_clock, 0, "no clock acted");
        let acts: Vec<usize> = tournaments::audit(&room, &tournaments.concat()).await;
        house.close();
        println!(
            "{} kills of the service and {} of PostgreSQL under {} clients: {audited}; {} acts of organisers in {} \
             tournaments, none lost, none twice; SEED={seed}, {} s",
            self.rounds * self.services,
            self.rounds * self.postgres,
            self.clients,
            acts.iter().sum::<usize>(),
            acts.len(),
            began.elapsed().as_secs(),
        );
    }

    async fn kill_again_and_again(&self, house: &mut House<'_>, room: &Room, mut dice: Dice) {
        for round in 1..=self.rounds {
            let mut victims =
                [vec![Victim::Service; self.services], vec![Victim::Postgres; self.postgres]].concat();
            dice.shuffle(&mut victims);
            for victim in victims {
                room.let_pass(1 + dice.below(MOVES_BETWEEN)).await;
                house.kill(victim, room).await;
            }
            println!("round {round} of {}: {} moves are acknowledged", self.rounds, *room.moves.borrow());
        }
        room.let_pass(1).await;
        room.kills_are_over.set(true);
    }
}

/// The program under test, on a folder that outlives it.
struct House<'f> {
    folder: &'f Folder,
    program: Child,
    /// Where it listens: elsewhere after every start.
    addresses: watch::Sender<Vec<String>>,
}

impl House<'_> {
    async fn open(folder: &Folder) -> House<'_> {
        let (program, address) = start(folder).await;
        House { folder, program, addresses: watch::Sender::new(vec![address]) }
    }

    /// The service is started again; PostgreSQL has to come back by itself.
    async fn kill(&mut self, victim: Victim, room: &Room) {
        match victim {
            Victim::Service => {
                self.program.kill().unwrap();
                self.program.wait().unwrap();
                let (program, address) = start(self.folder).await;
                self.program = program;
                self.addresses.send_replace(vec![address]);
            }
            Victim::Postgres => {
                let file = self.folder.cluster().join("postmaster.pid");
                // An earlier kill may still be felt.
                let ready = within(room.limit, async || {
                    let text = std::fs::read_to_string(&file).ok()?;
                    let pid = text.lines().next()?;
                    let is_alive = std::path::Path::new("/proc").join(pid).exists();
                    (is_alive && text.trim_end().ends_with("ready")).then(|| pid.to_owned())
                });
                kill_9(&ready.await.expect("PostgreSQL comes back"));
            }
        }
    }

    /// Asks the program to end, and waits until it has, its PostgreSQL too.
    fn close(mut self) {
        let asked = Command::new("kill").arg(self.program.id().to_string()).status().unwrap();
        assert!(asked.success() && self.program.wait().unwrap().success());
    }
}

impl Drop for House<'_> {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// Starts the program on its folder.
pub async fn start(folder: &Folder) -> (Child, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(["--listen=127.0.0.1:0", "--rate-limit=1000000", "--log=error", "--data-dir"]);
    command.arg(folder.data_dir()).env_remove("DATABASE_URL");
    launch(command).await
}

/// Starts the program, and gives its address once it serves. The clients go on asking meanwhile.
pub async fn launch(mut command: Command) -> (Child, String) {
    command.stdout(Stdio::piped());
    let started = tokio::task::spawn_blocking(move || {
        let mut program = command.spawn().unwrap();
        // The pipe stays open behind the first line, or the program could not print the others.
        let stdout = program.stdout.as_mut().unwrap();
        let greeting = BufReader::new(stdout).lines().next().expect("it starts").unwrap();
        (program, greeting)
    });
    let (program, greeting) = started.await.unwrap();
    let address = greeting.split_once("serves ").and_then(|(_, url)| url.strip_suffix("/v1"));
    (program, address.expect("the first line tells where").to_owned())
}
