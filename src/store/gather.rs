//! Requests that arrive together share a statement, and its round trip and commit with it. A lone one waits for nobody.

use std::sync::Arc;

use diesel_async::AsyncPgConnection;
use diesel_async::pooled_connection::PoolableConnection;
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Mutex, mpsc, oneshot};

use super::database::{Database, StoreError};

/// The most requests that share a statement.
const BATCH: usize = 512;

/// What can share a statement with others of its kind.
pub trait Gathered: Sized + Send + Sync + 'static {
    type Answer: Send;
    /// What they are, for the log and for who is turned away.
    const WHAT: &str;

    /// Does all of these, and answers each, in their order.
    fn run(
        connection: &mut AsyncPgConnection,
        batch: &[Self],
    ) -> impl Future<Output = Result<Vec<Self::Answer>, StoreError>> + Send;
}

/// Where they arrive.
pub struct Queue<G: Gathered>(mpsc::Sender<Waiting<G>>);

type Answered<G> = oneshot::Sender<Result<<G as Gathered>::Answer, StoreError>>;
type Waiting<G> = (G, Answered<G>);

impl<G: Gathered> Clone for Queue<G> {
    fn clone(&self) -> Queue<G> {
        Queue(self.0.clone())
    }
}

impl<G: Gathered> Queue<G> {
    /// Starts the tasks that gather, in the runtime of whoever calls; they end when the last clone of this queue is
    /// dropped. `statements`: how many may be on their way at once, each on a connection of its own. `most`: how many
    /// requests may wait, at least 1; more are turned away, so that neither memory nor waiting grows without bound.
    pub fn start(database: &Database, statements: usize, most: u32) -> Queue<G> {
        let (queue, arrivals) = mpsc::channel(most as usize);
        let arrivals = Arc::new(Mutex::new(arrivals));
        for _ in 0..statements {
            tokio::spawn(gather::<G>(database.clone(), arrivals.clone()));
        }
        Queue(queue)
    }

    /// Waits for its turn and for the answer.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where the queue is full. [`StoreError::Unavailable`] where the statement fails: then it is
    /// unknown whether it was done.
    pub async fn ask(&self, request: G) -> Result<G::Answer, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.0.try_send((request, answer)).map_err(|refused| match refused {
            TrySendError::Full(_) => StoreError::Busy(G::WHAT),
            TrySendError::Closed(_) => StoreError::Unavailable("the log is closed".to_owned()),
        })?;
        answered.await.unwrap_or_else(|_| Err(StoreError::Unavailable("the log is closed".to_owned())))
    }
}

/// Takes what has arrived while the last statement ran, and does it in one.
async fn gather<G: Gathered>(database: Database, arrivals: Arc<Mutex<mpsc::Receiver<Waiting<G>>>>) {
    let mut connection = None;
    let mut waiting = Vec::with_capacity(BATCH);
    while arrivals.lock().await.recv_many(&mut waiting, BATCH).await > 0 {
        let (batch, callers): (Vec<G>, Vec<Answered<G>>) = waiting.drain(..).unzip();
        match run(&database, &mut connection, &batch).await {
            Ok(answers) => {
                for (caller, answer) in callers.into_iter().zip(answers) {
                    // Who has gone away meanwhile finds in the log what was done.
                    let _ = caller.send(Ok(answer));
                }
            }
            Err(error) => {
                connection = None;
                tracing::warn!(%error, count = batch.len(), "{} failed", G::WHAT);
                for caller in callers {
                    let _ = caller.send(Err(StoreError::Unavailable(error.to_string())));
                }
            }
        }
    }
}

async fn run<G: Gathered>(
    database: &Database,
    connection: &mut Option<AsyncPgConnection>,
    batch: &[G],
) -> Result<Vec<G::Answer>, StoreError> {
    // It may have ended while nobody needed it.
    connection.take_if(|connection| connection.is_broken());
    let connection = match connection {
        Some(connection) => connection,
        None => connection.insert(database.own_connection().await?),
    };
    G::run(connection, batch).await
}
