//! Who watches what on this replica, and what wakes them.
//!
//! A game that is watched here has one table that moves on with its log, for all who watch it. A wake-up only
//! says that there may be more. What there is comes from the log: nobody sees an entry before its commit, out of
//! order, or twice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{Notify, broadcast};
use tokio::time::{Interval, MissedTickBehavior, interval, sleep, timeout};
use uuid::Uuid;

use super::tables::read;
use crate::ledger::Hex32;
use crate::ledger::entry::Entry;
use crate::store::database::{Database, StoreError};
use crate::store::lobby::Changed;
use crate::store::tail::Tail;
use crate::store::wake::{Line, Wake};
use crate::table::Table;
use crate::table::moment::Moment;

/// How many batches of news a watcher may leave unread. Who is further behind is cut off, and comes back with
/// their cursor.
const BACKLOG: usize = 64;
/// How often everything that is watched is looked at, woken or not: a lost wake-up costs no more.
const POLL: Duration = Duration::from_secs(1);
/// How long what comes after a turn waits for more to share the next one with.
const GAP: Duration = Duration::from_millis(4);
/// And how much longer for each watcher who was woken: to wake one costs about as much as a move, so that many would
/// otherwise take the time of those who play.
const GAP_EACH: Duration = Duration::from_micros(200);
/// But no longer than this in all.
const GAP_MOST: Duration = Duration::from_millis(100);
/// How long a change of the lobby waits for transactions that began before it.
const UNSETTLED: Duration = Duration::from_millis(25);
/// A database that takes longer to answer is as good as away.
const PATIENCE: Duration = Duration::from_secs(5);

/// News, shared by all whom it concerns.
pub type News<T> = Arc<[Arc<T>]>;

/// What happened in a game since its watchers were told last, in order.
pub struct Batch {
    pub moments: Vec<Arc<Moment>>,
    written: OnceLock<Bytes>,
}

impl Batch {
    fn new(moments: Vec<Arc<Moment>>) -> Arc<Batch> {
        Arc::new(Batch { moments, written: OnceLock::new() })
    }

    /// All of it as those get it who sit nowhere: `write` is asked once, for all of them.
    pub fn written(&self, write: impl FnOnce(&[Arc<Moment>]) -> Bytes) -> Bytes {
        self.written.get_or_init(|| write(&self.moments)).clone()
    }
}

/// All who watch something here.
#[derive(Clone)]
pub struct Watch(Arc<Owner>);

struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    woken: Notify,
}

#[derive(Default)]
struct State {
    closed: bool,
    games: HashMap<Uuid, Channel>,
    lobby: Option<Lobby>,
    /// What has changed here and other replicas are to be told.
    untold: HashSet<Wake>,
    /// The watched games that may have moved on.
    stale: HashSet<Uuid>,
}

/// A game that is watched here.
struct Channel {
    table: Arc<Table>,
    watchers: broadcast::Sender<Arc<Batch>>,
}

/// The lobby, where it is watched here.
struct Lobby {
    /// Its watchers were told of all changes up to this one.
    told: i64,
    /// Something may have changed.
    woken: bool,
    /// The newest change that had begun when it was last looked at.
    begun: i64,
    watchers: broadcast::Sender<News<Changed>>,
}

impl Watch {
    /// Starts the task that keeps watchers up to date; it ends when the last clone is dropped.
    pub fn start(database: Database) -> Watch {
        let shared = Arc::<Shared>::default();
        tokio::spawn(keep(shared.clone(), database));
        Watch(Arc::new(Owner(shared)))
    }

    /// Says that something was committed. It does not wait.
    pub fn wake(&self, wakes: impl IntoIterator<Item = Wake>) {
        let mut state = self.0.0.state();
        if state.closed {
            return;
        }
        for wake in wakes {
            state.hear(wake);
            state.untold.insert(wake);
        }
        self.0.0.woken.notify_one();
    }

    /// Watches a game from `table` on, or from a newer one that is known here: what comes begins right after the
    /// table that is given back, or before. No news can be had where the game is over or the streams are closed.
    pub fn game(&self, table: Arc<Table>) -> (Arc<Table>, Option<broadcast::Receiver<Arc<Batch>>>) {
        let mut state = self.0.0.state();
        if table.is_over() || state.closed {
            return (table, None);
        }
        // A wake-up that came before there was a watcher here has been ignored.
        state.stale.insert(table.id);
        self.0.0.woken.notify_one();
        let channel = state
            .games
            .entry(table.id)
            .or_insert_with(|| Channel { table: table.clone(), watchers: broadcast::Sender::new(BACKLOG) });
        let newest = if channel.table.version > table.version { channel.table.clone() } else { table };
        (newest, Some(channel.watchers.subscribe()))
    }

    /// Watches the lobby: what comes begins right after the change `settled`, or before.
    pub fn lobby(&self, settled: i64) -> Option<broadcast::Receiver<News<Changed>>> {
        let mut state = self.0.0.state();
        if state.closed {
            return None;
        }
        let lobby = state.lobby.get_or_insert_with(|| Lobby {
            told: settled,
            woken: true,
            begun: settled,
            watchers: broadcast::Sender::new(BACKLOG),
        });
        self.0.0.woken.notify_one();
        Some(lobby.watchers.subscribe())
    }

    /// Whether all streams have to end.
    pub fn is_closed(&self) -> bool {
        self.0.0.state().closed
    }

    /// Ends all streams, now and for good.
    pub fn close(&self) {
        self.0.0.close();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        *self.state() = State { closed: true, ..State::default() };
        self.woken.notify_one();
    }
}

impl State {
    /// Notes where to look.
    fn hear(&mut self, wake: Wake) {
        match wake {
            Wake::Game(id, version) => {
                if self.games.get(&id).is_some_and(|channel| channel.table.version < version) {
                    self.stale.insert(id);
                }
            }
            Wake::Lobby => {
                if let Some(lobby) = &mut self.lobby {
                    lobby.woken = true;
                }
            }
        }
    }

    /// Looks at everything that somebody watches, and forgets the rest.
    fn hear_all(&mut self) {
        self.games.retain(|_, channel| channel.watchers.receiver_count() > 0);
        self.lobby.take_if(|lobby| lobby.watchers.receiver_count() == 0);
        self.stale = self.games.keys().copied().collect();
        self.hear(Wake::Lobby);
    }

    /// Gives a game's watchers what its log has after `before`, and tells how many they are.
    fn deliver(&mut self, before: &Table, news: Vec<Arc<Moment>>) -> usize {
        // It may have been forgotten and watched again meanwhile.
        let channel =
            self.games.get_mut(&before.id).filter(|channel| channel.table.version == before.version);
        let (Some(channel), Some(newest)) = (channel, news.last()) else { return 0 };
        channel.table = newest.table.clone();
        // Where nobody listens any more, nobody misses it.
        let woken = channel.watchers.send(Batch::new(news)).unwrap_or(0);
        if channel.table.is_over() {
            self.games.remove(&before.id);
        }
        woken
    }

    /// The tables of the games that may have moved on.
    fn take_stale(&mut self) -> Vec<Arc<Table>> {
        let stale = std::mem::take(&mut self.stale);
        stale.iter().filter_map(|id| Some(self.games.get(id)?.table.clone())).collect()
    }
}

/// Keeps watchers up to date, whatever becomes of the connection.
async fn keep(shared: Arc<Shared>, database: Database) {
    let mut poll = interval(POLL);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !shared.state().closed {
        let ended = async {
            let mut line = Line::open(&database).await?;
            // Nobody knows what was said before.
            shared.state().hear_all();
            let mut keeper = Keeper { shared: &shared, database: &database, line: &mut line };
            while !shared.state().closed {
                keeper.turn(&mut poll).await?;
            }
            Ok::<(), StoreError>(())
        };
        if let Err(error) = ended.await {
            tracing::warn!(%error, "the line to the other replicas is broken");
            // They look by themselves meanwhile.
            shared.state().untold.clear();
            poll.tick().await;
        }
    }
}

struct Keeper<'a> {
    shared: &'a Shared,
    database: &'a Database,
    line: &'a mut Line,
}

impl Keeper<'_> {
    /// Waits for something to do, and does all that there is.
    async fn turn(&mut self, poll: &mut Interval) -> Result<(), StoreError> {
        let unsettled = self.shared.state().lobby.as_ref().is_some_and(|lobby| lobby.told < lobby.begun);
        tokio::select! {
            heard = self.line.heard() => {
                let (heard, mut state) = (heard?, self.shared.state());
                heard.into_iter().for_each(|wake| state.hear(wake));
            }
            () = self.shared.woken.notified() => {}
            () = sleep(UNSETTLED), if unsettled => {}
            _ = poll.tick() => self.shared.state().hear_all(),
        }
        let woken = timeout(PATIENCE, self.catch_up())
            .await
            .map_err(|_| StoreError::Unavailable("no answer in time".to_owned()))??;
        let woken = u32::try_from(woken).unwrap_or(u32::MAX);
        sleep(GAP_EACH.saturating_mul(woken).saturating_add(GAP).min(GAP_MOST)).await;
        Ok(())
    }

    /// Tells and delivers all that there is, and says how many watchers of games were woken by it.
    async fn catch_up(&mut self) -> Result<usize, StoreError> {
        let (untold, stale) = {
            let mut state = self.shared.state();
            (std::mem::take(&mut state.untold), state.take_stale())
        };
        self.line.tell(&untold.into_iter().collect::<Vec<_>>()).await?;
        let woken = self.read_games(stale).await?;
        self.read_lobby().await?;
        Ok(woken)
    }

    /// Gives the watchers of these games what the logs have after these tables, and tells how many were woken.
    async fn read_games(&mut self, tables: Vec<Arc<Table>>) -> Result<usize, StoreError> {
        if tables.is_empty() {
            return Ok(0);
        }
        let after = tables.iter().map(|table| Tail { game_id: table.id, after: table.version });
        let after: Vec<Tail> = after.collect();
        let mut tails: HashMap<Uuid, Vec<(Entry, Hex32)>> = HashMap::new();
        for (id, stored) in self.line.tails(&after).await? {
            match read(id, stored) {
                Ok(entry) => tails.entry(id).or_default().push(entry),
                Err(error) => tracing::error!(%error, "a log cannot be read"),
            }
        }
        let mut woken = 0;
        for table in tables {
            let Some(tail) = tails.remove(&table.id) else { continue };
            match Moment::all(&table, tail) {
                Ok(news) => woken += self.shared.state().deliver(&table, news),
                Err(error) => {
                    tracing::error!(game = %table.id, %error, "a log does not replay");
                    self.shared.state().games.remove(&table.id);
                }
            }
        }
        Ok(woken)
    }

    /// Tells the lobby's watchers what has changed and is settled.
    async fn read_lobby(&mut self) -> Result<(), StoreError> {
        let Some((told, woken)) = self.shared.state().lobby.as_mut().and_then(Lobby::take_turn) else {
            return Ok(());
        };
        let horizon = self.database.lobby_horizon().await?;
        let changes = self.database.lobby_changes(told, horizon.settled).await?;
        let mut state = self.shared.state();
        let Some(lobby) = state.lobby.as_mut().filter(|lobby| lobby.told == told) else { return Ok(()) };
        if woken {
            lobby.begun = horizon.begun;
        }
        lobby.told = changes.last().map_or(horizon.settled.max(told), |changed| changed.at);
        if !changes.is_empty() {
            // Where nobody listens any more, nobody misses it.
            let _ = lobby.watchers.send(changes.into_iter().map(Arc::new).collect());
        }
        Ok(())
    }
}

impl Lobby {
    /// What was told of last and whether something is new, if it is time to look.
    fn take_turn(&mut self) -> Option<(i64, bool)> {
        let woken = std::mem::take(&mut self.woken);
        (woken || self.told < self.begun).then_some((self.told, woken))
    }
}
