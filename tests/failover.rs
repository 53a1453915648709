//! A failover loses nothing that was acknowledged.
//!
//! The service runs on three PostgreSQL with Patroni, whose nodes are killed, cut off and switched under 64 clients.
//! `deploy/failover/run` makes the nodes and runs this test; `docs/operations.md` has its results.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::eventually::within;
use super::kill::audit::audit_all;
use super::kill::launch;
use super::kill::room::{Room, play_on};
use super::random::dice::Dice;
use super::seed::seed_of_this_run;

const CLIENTS: usize = 64;
const TABLES: u64 = 64;
/// Less than an outage lasts. No player takes nearly as long.
const TURN_SECONDS: u32 = 15;
/// The moves before a fault, and after it.
const MOVES_BETWEEN: u64 = 300;
/// Beyond this an answer is given up, and so is a cluster that does not heal.
const LIMIT: Duration = Duration::from_secs(240);

#[derive(Debug, Clone, Copy)]
enum Fault {
    PrimaryPostgresKilled,
    PrimaryNodeKilled,
    PrimaryCutOff,
    StandbyKilled,
    Switchover,
}

#[tokio::test]
#[ignore = "needs the cluster that deploy/failover/run makes"]
async fn failover_loses_nothing_that_was_acknowledged() {
    let (seed, began) = (seed_of_this_run(), Instant::now());
    let cluster = Cluster::new();
    cluster.healthy().await;
    let (mut service, address) = launch(service()).await;
    let mut room = Room::new(watch::Sender::new(vec![address]).subscribe(), LIMIT);
    room.pause = Duration::from_millis(250);
    let room = room.enter(CLIENTS).await;

    let tables = (0..TABLES)
        .map(|table| play_on(&room, table, Some(TURN_SECONDS), Dice::new(seed.wrapping_add(1 + table))));
    let (games, ()) = tokio::join!(join_all(tables), fail_again_and_again(&cluster, &room));

    let audited = audit_all(&room, &games).await;
    service.kill().unwrap();
    service.wait().unwrap();
    println!("{CLIENTS} clients: {audited}; SEED={seed}, {} s", began.elapsed().as_secs());
    assert_eq!(audited.by_clock, 0, "the clock punished somebody for an outage");
}

/// The program under test, by the hosts that the environment names.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
fn service() -> Command {
    let hosts = std::env::var("DATABASE_HOSTS").expect("deploy/failover/run sets DATABASE_HOSTS");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(["--listen=127.0.0.1:0", "--log=error", "--database-url"]);
    command.arg(format!("postgres://cardroom:plays@{hosts}/cardroom?target_session_attrs=read-write"));
    // All clients share an address.
    command.args(["--rate-limit=1000000", "--auth-rate-limit=1000000", "--connection-limit=10000"]);
    command.args(["--stream-limit=10000", "--stream-limit-per-address=10000"]);
    command
}

async fn fail_again_and_again(cluster: &Cluster, room: &Room) {
    for fault in [
        Fault::PrimaryPostgresKilled,
        Fault::PrimaryNodeKilled,
        Fault::PrimaryCutOff,
        Fault::StandbyKilled,
        Fault::Switchover,
    ] {
        let before = cluster.healthy().await;
        room.let_pass(MOVES_BETWEEN).await;
        room.count_anew();
        let struck = cluster.strike(fault, &before).await;
        room.let_pass(MOVES_BETWEEN).await;
        cluster.mend(fault, struck);
        let after = cluster.healthy().await;
        let longest = room.longest.get();
        println!(
            "{fault:?}: node{} → node{}, {:.1} s without a move, {:.1} s the longest wait for an answer; {} moves are \
             acknowledged",
            before.leader,
            after.leader,
            longest.stillness.as_secs_f64(),
            longest.wait.as_secs_f64(),
            *room.moves.borrow()
        );
        assert_eq!(before.leader == after.leader, matches!(fault, Fault::StandbyKilled), "who leads");
    }
    room.let_pass(1).await;
    room.kills_are_over.set(true);
}

/// What Patroni tells of the nodes.
struct Cluster {
    http: reqwest::Client,
}

/// The numbers of nodes.
struct Roles {
    leader: u8,
    /// The synchronous one.
    standby: u8,
}

impl Cluster {
    fn new() -> Cluster {
        Cluster { http: reqwest::Client::builder().timeout(Duration::from_secs(60)).build().unwrap() }
    }

    /// Waits until there is a primary, and both others follow it, one of them synchronously.
    async fn healthy(&self) -> Roles {
        let roles = within(LIMIT, async || {
            let roles = self.roles().await;
            if roles.is_none() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            roles
        });
        roles.await.expect("the cluster heals")
    }

    async fn roles(&self) -> Option<Roles> {
        for node in 1..=3 {
            let asked = self.http.get(format!("http://node{node}:8008/cluster"));
            let Ok(answer) = asked.timeout(Duration::from_secs(2)).send().await else { continue };
            let Ok(told) = answer.json::<Value>().await else { continue };
            let members = told["members"].as_array()?;
            let of = |role: &str| {
                let member = members.iter().find(|member| member["role"] == role)?;
                member["name"].as_str()?.strip_prefix("node")?.parse().ok()
            };
            let timeline = members.iter().find(|member| member["role"] == "leader")?["timeline"].as_u64()?;
            let follows = |member: &&Value| {
                matches!(member["state"].as_str(), Some("running" | "streaming"))
                    && member["timeline"] == timeline
                    && member["lag"].as_u64().unwrap_or_default() < 1 << 20
            };
            let is_whole = members.iter().filter(follows).count() == 3;
            return is_whole.then_some(Roles { leader: of("leader")?, standby: of("sync_standby")? });
        }
        None
    }

    /// Returns the node that was struck.
    async fn strike(&self, fault: Fault, roles: &Roles) -> u8 {
        let (command, node) = match fault {
            Fault::PrimaryPostgresKilled => ("kill-postgres", roles.leader),
            Fault::PrimaryNodeKilled => ("kill", roles.leader),
            Fault::PrimaryCutOff => ("cut", roles.leader),
            Fault::StandbyKilled => ("kill", roles.standby),
            Fault::Switchover => {
                let (leader, candidate) = (format!("node{}", roles.leader), format!("node{}", roles.standby));
                let wanted = json!({"leader": leader, "candidate": candidate});
                let asked = self.http.post(format!("http://{leader}:8008/switchover")).json(&wanted);
                let answer = asked.send().await.unwrap();
                assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
                return roles.leader;
            }
        };
        order(command, node);
        node
    }

    fn mend(&self, fault: Fault, node: u8) {
        match fault {
            Fault::PrimaryNodeKilled | Fault::StandbyKilled => order("start", node),
            Fault::PrimaryCutOff => order("join", node),
            // Patroni starts a PostgreSQL that was killed.
            Fault::PrimaryPostgresKilled | Fault::Switchover => {}
        }
    }
}

fn order(command: &str, node: u8) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/failover/cluster");
    let done = Command::new(script).args([command, &node.to_string()]).status().unwrap();
    assert!(done.success(), "cluster {command} {node}");
}
