//! PostgreSQL's own load generator, with its script.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use diesel::dsl::sql;
use diesel::sql_types::Text;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};

/// How long a round lasts.
pub const ROUND: Duration = Duration::from_secs(3);

/// The length of a move's entry.
const ENTRY_BYTES: usize = 250;
/// More rows than one connection inserts in a round.
const ROWS: usize = 10_000_000;

const ROW_TABLE: &str = "DROP TABLE IF EXISTS bench_rows; CREATE TABLE bench_rows (game_id uuid NOT NULL, seq integer NOT NULL, \
    entry text NOT NULL, hash bytea NOT NULL, PRIMARY KEY (game_id, seq))";
/// Each connection appends to a game of its own.
const INSERT: &str = r"\set n :n + 1
INSERT INTO bench_rows (game_id, seq, entry, hash)
VALUES (lpad(:client_id::text, 32, '0')::uuid, :n, :entry, decode(:hash, 'hex'));
";

pub struct Pgbench {
    program: PathBuf,
    script: PathBuf,
    url: String,
    rounds: Cell<usize>,
}

impl Pgbench {
    pub async fn prepare(url: String, folder: &Path) -> Pgbench {
        let mut connection = AsyncPgConnection::establish(&url).await.expect("it takes connections");
        connection.batch_execute(ROW_TABLE).await.expect("a new table");
        let bin: String =
            diesel::select(sql::<Text>("(SELECT setting FROM pg_config WHERE name = 'BINDIR')"))
                .get_result(&mut connection)
                .await
                .expect("the server knows its folder");
        let script = folder.join("insert.sql");
        fs::write(&script, INSERT).expect("the folder is ours");
        Pgbench { program: Path::new(&bin).join("pgbench"), script, url, rounds: Cell::new(0) }
    }

    /// Transactions a second.
    pub fn run(&self, connections: usize) -> f64 {
        // No round inserts what another has.
        let first = self.rounds.replace(self.rounds.get() + 1) * ROWS;
        let output = Command::new(&self.program)
            .args(["-n", "-M", "prepared", "-j", "2", "-f"])
            .arg(&self.script)
            .args(["-c", &connections.to_string(), "-T", &ROUND.as_secs().to_string()])
            .args(["-D", &format!("n={first}"), "-D", &format!("entry={}", "x".repeat(ENTRY_BYTES))])
            .args(["-D", &format!("hash={}", "ab".repeat(32)), &self.url])
            .output()
            .expect("pgbench lies beside postgres");
        let said = String::from_utf8_lossy(&output.stdout);
        let tps = said.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        tps.unwrap_or_else(|| panic!("pgbench: {said}{}", String::from_utf8_lossy(&output.stderr)))
    }
}
