//! The PostgreSQL of all tests: one of this run's own, in the folder that `TEST_DATA_DIR` names. Where `SHARDS_URL` names the coordinator that `deploy/shards/cluster`
//! has made, the tests run on that cluster instead, and what a move writes is distributed.

use std::path::Path;
use std::sync::OnceLock;

use cardroom::store::database::Database;
use diesel_async::{AsyncConnection, AsyncPgConnection, SimpleAsyncConnection};
use local_postgres::{Durability, Server};

use super::app::{path, runtime};

const TEMPLATE: &str = "template_cardroom";
/// Few, so that a test's database is made quickly.
const SHARDS: u16 = 4;

enum Servers {
    /// It ends with the process.
    Own(Server),
    /// The first port of a cluster: the coordinator's. Two workers follow it.
    Cluster(u16),
}

/// The URL of a database.
pub fn url(database: &str) -> String {
    match servers() {
        Servers::Own(server) => server.url(database),
        Servers::Cluster(port) => url_at(*port, database),
    }
}

/// Whether the tests run on a cluster.
pub fn are_distributed() -> bool {
    matches!(servers(), Servers::Cluster(_))
}

/// Makes a database of a test: a copy of the migrated template.
pub async fn copy_template(name: &str) {
    if are_distributed() {
        administer(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }
    administer(&format!("CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY file_copy")).await;
}

/// Runs one statement on each server, beside all tests' databases.
pub async fn administer(statement: &str) {
    let (urls, statement) = (servers().each("postgres"), statement.to_owned());
    // Started by the test's thread: the runtime's are needed to migrate the template.
    let done = runtime().spawn(async move {
        for url in urls {
            run(&url, &[&statement]).await;
        }
    });
    done.await.unwrap();
}

impl Servers {
    /// The URLs of a database of this name, on each server.
    fn each(&self, database: &str) -> Vec<String> {
        match self {
            Servers::Own(server) => vec![server.url(database)],
            Servers::Cluster(port) => (*port..=port + 2).map(|port| url_at(port, database)).collect(),
        }
    }
}

fn url_at(port: u16, database: &str) -> String {
    format!("postgres://cardroom@127.0.0.1:{port}/{database}?sslmode=disable")
}

fn servers() -> &'static Servers {
    static SERVERS: OnceLock<Servers> = OnceLock::new();
    SERVERS.get_or_init(|| std::thread::spawn(start).join().unwrap())
}

#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
fn start() -> Servers {
    match std::env::var("SHARDS_URL") {
        Err(_) => start_own(),
        Ok(url) => {
            let port = url.split(['/', ':', '?']).find_map(|part| part.parse().ok());
            let cluster = Servers::Cluster(port.expect("SHARDS_URL has a port"));
            runtime().block_on(distribute(&cluster));
            cluster
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
fn start_own() -> Servers {
    let folder = std::env::var_os("TEST_DATA_DIR").unwrap_or_else(|| env!("CARGO_TARGET_TMPDIR").into());
    let folders = Path::new(&folder).join("cardroom-tests");
    sweep(&folders);
    let settings = local_postgres::Settings {
        data_dir: folders.join(std::process::id().to_string()),
        durability: Durability::None,
        path: path(),
    };
    let server = Server::start(&settings).unwrap();
    let (administrator, template) = (server.url("postgres"), server.url(TEMPLATE));
    runtime().block_on(async move {
        run(&administrator, &[&format!("CREATE DATABASE {TEMPLATE}")]).await;
        Database::new(&template, 1).unwrap().migrate().await.unwrap();
    });
    Servers::Own(server)
}

/// Makes the template on each server of a cluster.
async fn distribute(cluster: &Servers) {
    let (administrators, templates) = (cluster.each("postgres"), cluster.each(TEMPLATE));
    for (administrator, template) in administrators.iter().zip(&templates) {
        let open = format!("UPDATE pg_database SET datallowconn = true WHERE datname = '{TEMPLATE}'");
        let drop = format!("DROP DATABASE IF EXISTS {TEMPLATE} WITH (FORCE)");
        run(administrator, &[&open, &drop, &format!("CREATE DATABASE {TEMPLATE}")]).await;
        run(template, &["CREATE EXTENSION citus"]).await;
    }
    let Servers::Cluster(port) = *cluster else { return };
    let add = |port: u16| format!("SELECT citus_add_node('127.0.0.1', {port})");
    let coordinator = format!("SELECT citus_set_coordinator_host('127.0.0.1', {port})");
    run(&templates[0], &[&coordinator, &add(port + 1), &add(port + 2)]).await;
    let database = Database::new(&templates[0], 1).unwrap();
    database.migrate().await.unwrap();
    database.distribute(SHARDS).await.unwrap();
    drop(database);
    // A database can be copied while nobody is connected to it, and that includes Citus' own daemon.
    let close = format!("ALTER DATABASE {TEMPLATE} ALLOW_CONNECTIONS false");
    let end =
        format!("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{TEMPLATE}'");
    for administrator in &administrators {
        run(administrator, &[&close, &end]).await;
    }
}

async fn run(url: &str, statements: &[&str]) {
    let mut connection = AsyncPgConnection::establish(url).await.unwrap();
    for statement in statements {
        connection.batch_execute(statement).await.unwrap();
    }
}

/// Removes what runs before this one have left.
fn sweep(folders: &Path) {
    let Ok(found) = std::fs::read_dir(folders) else { return };
    for folder in found.flatten() {
        let pid = folder.file_name();
        if !Path::new("/proc").join(pid).exists() {
            let _ = std::fs::remove_dir_all(folder.path());
        }
    }
}
