//! A session with PostgreSQL, and how long an answer may take.
//!
//! A server that is alive ends a statement that takes too long (`statement_timeout`). A server that is gone, or behind
//! a network that drops everything, cannot do even that, so every session has a watch of its own.

use std::convert::Infallible;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use diesel_async::AsyncPgConnection;
use diesel_async::pooled_connection::PoolableConnection;
use futures_util::FutureExt;
use futures_util::future::poll_fn;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval};
use tokio_postgres::tls::TlsStream;
use tokio_postgres::{AsyncMessage, Client, Connection, Notification, Socket};

use crate::store::error::StoreError;

/// How often a session checks whether an answer is overdue.
const LOOK: Duration = Duration::from_millis(250);
/// For how long no connection is attempted after the database did not answer. Waiting callers get the error at once,
/// and not one after the other, each after a time limit of its own.
const PAUSE: Duration = Duration::from_millis(500);

/// When the database did not answer in time. All sessions of a process share it.
pub(super) struct Silence {
    /// The origin of all times here, which are in milliseconds and never 0.
    began: Instant,
    /// When the program last gave up waiting for a statement. Older sessions are not used again.
    given_up: AtomicU64,
    /// When the program last gave up waiting for a statement or for a connection.
    unanswered: AtomicU64,
}

impl Silence {
    pub fn new() -> Arc<Silence> {
        let [given_up, unanswered] = [const { AtomicU64::new(0) }; 2];
        Arc::new(Silence { began: Instant::now(), given_up, unanswered })
    }

    pub fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX).saturating_add(1)
    }

    /// Whether the database did not answer a moment ago.
    pub fn is_recent(&self) -> bool {
        let unanswered = self.unanswered.load(Ordering::Relaxed);
        unanswered != 0 && self.now() < unanswered + PAUSE.as_millis() as u64
    }

    /// Records that an attempt to connect was given up. Open sessions may still be good.
    pub fn cannot_connect(&self) {
        self.unanswered.fetch_max(self.now(), Ordering::Relaxed);
    }

    fn give_up(&self) {
        self.given_up.fetch_max(self.now(), Ordering::Relaxed);
        self.cannot_connect();
    }
}

/// A session's watch.
struct Watch {
    silence: Arc<Silence>,
    /// When the session was begun.
    began: u64,
    /// Since when the session is in use and nothing was sent or received; 0 while it is not in use.
    asked: AtomicU64,
    /// How many milliseconds an answer may take; `None` for no limit.
    limit: Option<u64>,
}

impl Watch {
    /// Whether the program has given up waiting for the database since this session began.
    fn is_stale(&self) -> bool {
        self.silence.given_up.load(Ordering::Relaxed) >= self.began
    }

    /// Something was sent or received.
    fn moved_on(&self) {
        let asked = self.asked.load(Ordering::Relaxed);
        if asked != 0 {
            // Unless the session was handed back meanwhile.
            let now = self.silence.now();
            let _ = self.asked.compare_exchange(asked, now, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    fn is_overdue(&self) -> bool {
        let asked = self.asked.load(Ordering::Relaxed);
        asked != 0 && self.limit.is_some_and(|limit| self.silence.now() > asked + limit)
    }
}

/// A session with PostgreSQL.
pub struct Session {
    connection: AsyncPgConnection,
    notifications: mpsc::UnboundedReceiver<Notification>,
    watch: Arc<Watch>,
    /// The session ends when this is dropped.
    _end: oneshot::Sender<Infallible>,
}

impl Session {
    /// Starts the task that drives the connection. `began`: when the attempt to connect began; `limit`: how long an
    /// answer may take.
    pub(super) async fn start<S>(
        (client, connection): (Client, Connection<Socket, S>),
        silence: Arc<Silence>,
        began: u64,
        limit: Option<Duration>,
    ) -> Result<Session, StoreError>
    where
        S: TlsStream + Unpin + Send + 'static,
    {
        let limit = limit.map(|limit| u64::try_from(limit.as_millis()).unwrap_or(u64::MAX));
        let watch = Arc::new(Watch { silence, began, asked: AtomicU64::new(0), limit });
        let (end, ended) = oneshot::channel();
        let (heard, notifications) = mpsc::unbounded_channel();
        tokio::spawn(drive(connection, watch.clone(), heard, ended));
        let connection = AsyncPgConnection::try_from(client).await?;
        Ok(Session { connection, notifications, watch, _end: end })
    }

    /// The session for statements that each have to be answered in time.
    pub fn timed(&mut self) -> Timed<&mut Session> {
        Timed(self)
    }

    /// The notifications that arrive by NOTIFY. The channel ends when the connection has ended.
    pub(super) fn notifications(&mut self) -> &mut mpsc::UnboundedReceiver<Notification> {
        &mut self.notifications
    }

    pub fn is_broken(&mut self) -> bool {
        self.watch.is_stale() || self.connection.is_broken()
    }
}

/// Access without a time limit.
impl Deref for Session {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.connection
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut AsyncPgConnection {
        &mut self.connection
    }
}

impl PoolableConnection for Session {
    fn is_broken(&mut self) -> bool {
        Session::is_broken(self)
    }
}

/// A session in use. If an answer is overdue, the connection is closed, and the waiting caller gets an error. The time
/// begins anew with each statement, and must not be spent on anything but statements.
pub struct Timed<S: DerefMut<Target = Session>>(pub(super) S);

impl<S: DerefMut<Target = Session>> Deref for Timed<S> {
    type Target = AsyncPgConnection;

    fn deref(&self) -> &AsyncPgConnection {
        &self.0.connection
    }
}

impl<S: DerefMut<Target = Session>> DerefMut for Timed<S> {
    fn deref_mut(&mut self) -> &mut AsyncPgConnection {
        let watch = &self.0.watch;
        watch.asked.store(watch.silence.now(), Ordering::Relaxed);
        &mut self.0.connection
    }
}

impl<S: DerefMut<Target = Session>> Drop for Timed<S> {
    fn drop(&mut self) {
        self.0.watch.asked.store(0, Ordering::Relaxed);
    }
}

/// Drives a connection until either side ends it, or the program gives up waiting for the database. This task wakes for
/// the connection and for its looks: unless it looks or has just looked, something was sent or received.
async fn drive<S: TlsStream + Unpin>(
    mut connection: Connection<Socket, S>,
    watch: Arc<Watch>,
    heard: mpsc::UnboundedSender<Notification>,
    mut ended: oneshot::Receiver<Infallible>,
) {
    let mut look = interval(LOOK);
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let (mut was_overdue, mut has_looked) = (false, false);
    loop {
        let next = poll_fn(|context| {
            let is_look = look.poll_tick(context).is_ready();
            if !is_look && !mem::take(&mut has_looked) {
                watch.moved_on();
            }
            // After a pause of this whole process, an answer that has arrived is read before it is found to be overdue.
            match connection.poll_message(context) {
                Poll::Ready(message) => Poll::Ready(Some(message)),
                Poll::Pending if ended.poll_unpin(context).is_ready() => Poll::Ready(Some(None)),
                Poll::Pending if is_look => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            }
        });
        match next.await {
            // The receiver may be gone.
            Some(Some(Ok(AsyncMessage::Notification(notification)))) => drop(heard.send(notification)),
            Some(Some(Ok(_))) => {}
            Some(Some(Err(error))) => return tracing::debug!(%error, "a session with the database has ended"),
            // Either side has ended it.
            Some(None) => return,
            None => {
                has_looked = true;
                let is_overdue = watch.is_overdue();
                if is_overdue && was_overdue {
                    tracing::warn!("the database does not answer: all sessions with it are given up");
                    watch.silence.give_up();
                }
                if watch.is_stale() {
                    return;
                }
                was_overdue = is_overdue;
            }
        }
    }
}
