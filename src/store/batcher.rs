//! Requests that arrive together share a statement, and with it a round trip and a commit. A lone request does not wait
//! for others.

use diesel_async::AsyncPgConnection;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use crate::metrics::Batching;
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::session::Session;

/// The most requests that share a statement.
const BATCH: usize = 512;

/// A request that can share a statement with others of its kind.
pub trait Batched: Sized + Send + Sync + 'static {
    type Answer: Send;
    /// What these requests are called in the log, and in the error for a refused caller.
    const WHAT: &str;

    /// Runs all of these requests, and answers each, in their order.
    fn run(
        connection: &mut AsyncPgConnection,
        batch: &[Self],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, StoreError>> + Send;
}

/// The queue in which requests arrive.
pub struct Queue<G: Batched>(mpsc::Sender<Waiting<G>>, Batching);

type Answered<G> = oneshot::Sender<Result<<G as Batched>::Answer, StoreError>>;
type Waiting<G> = (G, Answered<G>);

impl<G: Batched> Clone for Queue<G> {
    fn clone(&self) -> Queue<G> {
        Queue(self.0.clone(), self.1.clone())
    }
}

impl<G: Batched> Queue<G> {
    /// Starts the task that runs the batches, in the caller's runtime. The task ends when the last clone of this queue
    /// is dropped. `statements`: how many statements may run at once, each on a connection of its own. `most`: how many
    /// requests may wait, at least 1. Further requests are refused, so that neither memory nor waiting grows without
    /// bound.
    pub fn start(database: &Database, statements: usize, most: u32) -> Queue<G> {
        let (queue, arrivals) = mpsc::channel(most as usize);
        let counts = database.metrics.batching(G::WHAT);
        tokio::spawn(run_batches::<G>(database.clone(), arrivals, statements, counts.clone()));
        Queue(queue, counts)
    }

    /// Queues the request and waits for its answer.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where the queue is full. [`StoreError::Unavailable`] where the statement fails: then it is
    /// unknown whether the request was carried out.
    pub async fn ask(&self, request: G) -> Result<G::Answer, StoreError> {
        let (answer, answered) = oneshot::channel();
        // Counted before the request can be taken from the queue.
        self.1.waiting.inc();
        self.0.try_send((request, answer)).map_err(|refused| {
            self.1.waiting.dec();
            match refused {
                TrySendError::Full(_) => StoreError::Busy(G::WHAT),
                TrySendError::Closed(_) => StoreError::Unavailable("the log is closed".to_owned()),
            }
        })?;
        answered.await.unwrap_or_else(|_| Err(StoreError::Unavailable("the log is closed".to_owned())))
    }
}

/// Takes the requests that have arrived while other statements ran, and runs them in one statement.
async fn run_batches<G: Batched>(
    database: Database,
    mut arrivals: mpsc::Receiver<Waiting<G>>,
    statements: usize,
    counts: Batching,
) {
    // The connection that was used last is used next: a player who plays alone always gets the same one, which stays
    // warm.
    let mut idle = Vec::with_capacity(statements);
    let mut running = FuturesUnordered::new();
    let mut waiting = Vec::with_capacity(BATCH);
    loop {
        tokio::select! {
            taken = arrivals.recv_many(&mut waiting, BATCH), if running.len() < statements => match taken {
                0 => break,
                _ => {
                    counts.taken(taken);
                    running.push(answer(&database, idle.pop(), waiting.drain(..).unzip()));
                }
            },
            Some(connection) = running.next(), if !running.is_empty() => idle.extend(connection),
        }
    }
    while running.next().await.is_some() {}
}

/// Runs a batch and answers its callers. Returns the connection if it is still usable.
async fn answer<G: Batched>(
    database: &Database,
    connection: Option<Session>,
    (batch, callers): (Vec<G>, Vec<Answered<G>>),
) -> Option<Session> {
    match run(database, connection, &batch).await {
        Ok((connection, answers)) => {
            for (caller, answer) in callers.into_iter().zip(answers) {
                // If a caller has gone away meanwhile, the log still shows what was done.
                let _ = caller.send(Ok(answer));
            }
            Some(connection)
        }
        Err(error) => {
            tracing::warn!(%error, count = batch.len(), "{} failed", G::WHAT);
            for caller in callers {
                let _ = caller.send(Err(StoreError::Unavailable(error.to_string())));
            }
            None
        }
    }
}

async fn run<G: Batched>(
    database: &Database,
    mut connection: Option<Session>,
    batch: &[G],
) -> Result<(Session, Vec<G::Answer>), StoreError> {
    // The connection may have ended while it was idle.
    connection.take_if(Session::is_broken);
    let mut connection = match connection {
        Some(connection) => connection,
        None => database.own_session().await?,
    };
    let answers = G::run(&mut connection.timed(), batch).await?;
    Ok((connection, answers))
}
