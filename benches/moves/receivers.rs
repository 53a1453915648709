//! Webhooks of those who play, and their receivers: nine of ten answer at once, one never does.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};

use cardroom::store::database::Database;
use diesel::sql_types::{BigInt, Text};
use diesel_async::RunQueryDsl;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

pub struct Receivers {
    thread: JoinHandle<()>,
    received: Arc<AtomicUsize>,
    stop: oneshot::Sender<()>,
    database: Database,
}

impl Receivers {
    /// Gives so many webhooks, in turn, to the accounts that play now. They are sent what happens from now on.
    pub async fn listen(database_url: &str, webhooks: usize) -> Receivers {
        let ((stop, stopped), (told, address)) = (oneshot::channel(), oneshot::channel());
        let received = Arc::<AtomicUsize>::default();
        let counter = received.clone();
        // It counts among those who watch.
        let thread = Builder::new().name("spectators".to_owned()).spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let bind = async || TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                let (quick, silent) = (bind().await, bind().await);
                let of = |listener: &TcpListener| listener.local_addr().expect("it is bound");
                let _ = told.send([of(&quick), of(&silent)]);
                tokio::select! {
                    _ = stopped => {}
                    () = answer(quick, counter) => {}
                    () = keep_silent(silent) => {}
                }
            });
        });
        let database = Database::new(database_url, 1).expect("a URL");
        let [quick, silent] = address.await.expect("they listen");
        add(&database, webhooks, quick, silent).await;
        Receivers { thread: thread.expect("a thread more"), received, stop, database }
    }

    /// How many messages have come to those that answer.
    pub fn received(&self) -> usize {
        AtomicUsize::load(&self.received, Ordering::Relaxed)
    }

    pub async fn leave(self) {
        run(&self.database, "DELETE FROM webhooks").await;
        let _ = self.stop.send(());
        self.thread.join().expect("they only answer");
    }
}

async fn run(database: &Database, statement: &str) {
    let mut connection = database.connection().await.expect("PostgreSQL answers");
    diesel::sql_query(statement).execute(&mut connection).await.expect("the tables are known");
}

async fn add(database: &Database, webhooks: usize, quick: SocketAddr, silent: SocketAddr) {
    let added = diesel::sql_query(
        "WITH playing AS (
             SELECT account_id, accounts.participations AS newest,
                 string_agg(format('.%s-%s', n, (SELECT max(seq) FROM entries WHERE game_id = running.game_id)), ''
                     ORDER BY n) AS logs
             FROM participations AS running JOIN accounts ON id = account_id
             WHERE until IS NULL AND game_id IN (SELECT game_id FROM games ORDER BY game_id DESC LIMIT 126)
             GROUP BY account_id, newest
         ), added AS (
             INSERT INTO webhooks (webhook_id, account_id, url, created_at, checkpoint)
             SELECT gen_random_uuid(), account_id, CASE WHEN row_number() OVER () % 10 = 0 THEN $2 ELSE $1 END,
                 now(), newest || logs
             FROM playing, generate_series(1, 10) AS nth ORDER BY nth, account_id LIMIT $3
             RETURNING webhook_id
         )
         INSERT INTO webhook_secrets (id, webhook_id, secret)
         SELECT webhook_id, webhook_id, decode(repeat('5a', 32), 'hex') FROM added",
    )
    .bind::<Text, _>(format!("http://{quick}/"))
    .bind::<Text, _>(format!("http://{silent}/"))
    .bind::<BigInt, _>(webhooks as i64);
    let mut connection = database.connection().await.expect("PostgreSQL answers");
    assert_eq!(added.execute(&mut connection).await.expect("the tables are known"), webhooks);
}

async fn answer(listener: TcpListener, counter: Arc<AtomicUsize>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(answer_all(stream, counter.clone()));
    }
}

/// Answers the requests of a connection.
async fn answer_all(stream: TcpStream, counter: Arc<AtomicUsize>) -> Option<()> {
    let mut stream = BufReader::new(stream);
    let (mut line, mut body) = (String::new(), Vec::new());
    loop {
        let mut length = 0;
        loop {
            line.clear();
            if stream.read_line(&mut line).await.ok()? == 0 {
                return None;
            }
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim_end().parse().ok()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        body.resize(length, 0);
        stream.read_exact(&mut body).await.ok()?;
        stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.ok()?;
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// Takes connections and says nothing.
async fn keep_silent(listener: TcpListener) {
    let mut open = Vec::new();
    while let Ok((stream, _)) = listener.accept().await {
        open.push(stream);
    }
}
