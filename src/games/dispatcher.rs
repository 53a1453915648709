//! The tasks that keep watchers up to date: one hears of what is new, and passes on what happens in games; the other
//! reads the lists, so that no query of theirs holds up a game.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use cardroom_core::table::Table;
use cardroom_core::table::entry_update::EntryUpdate;
use futures_util::future::join_all;
use tokio::sync::Notify;
use tokio::time::{Interval, MissedTickBehavior, interval, sleep, timeout};
use uuid::Uuid;

use crate::games::cipher::EntryCipher;
use crate::games::decode::read;
use crate::games::watch::{Entries, Lobby, LobbyChange, Shared, TURN, Watch};
use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::log::Log;
use crate::store::notifications::Listener;
use crate::store::tail::StoredEntry;
use crate::store::tail::Tail;

/// How often every watched log is looked at, with or without a wake-up: a lost wake-up costs no more time than this.
const POLL: Duration = Duration::from_secs(1);
/// After a poll, news waits this long, so that more news can share the next poll.
const GAP: Duration = Duration::from_millis(4);
/// The wait is this much longer for each watcher that was woken. To wake a watcher costs about as much as a move, so
/// many watchers would otherwise take the players' time.
const GAP_EACH: Duration = Duration::from_micros(400);
/// The longest that this wait gets.
const GAP_MOST: Duration = Duration::from_millis(200);
/// How long a change of the lobby waits for transactions that began before it.
const UNSETTLED: Duration = Duration::from_millis(25);
/// How many logs are read at once where each server is asked for its own: fewer than may wait there by default.
const AT_ONCE: usize = 256;
/// A database that takes longer to answer counts as down.
const PATIENCE: Duration = Duration::from_secs(5);

/// Starts the tasks that keep watchers up to date; they end when the last clone of the watch is dropped.
pub fn start(database: Database, log: Arc<Log>) -> Watch {
    let (shared, lists) = (Arc::<Shared>::default(), Arc::<Notify>::default());
    tokio::spawn(read_lists(shared.clone(), lists.clone(), database.clone()));
    tokio::spawn(run(shared.clone(), lists, database, log));
    Watch::new(shared)
}

/// Keeps watchers up to date, whatever becomes of the connection.
async fn run(shared: Arc<Shared>, lists: Arc<Notify>, database: Database, log: Arc<Log>) {
    let mut poll = interval(POLL);
    poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !shared.state().closed {
        let ended = async {
            let mut listener = Listener::open(&database).await?;
            // Notifications that were sent before are unknown.
            shared.state().hear_all();
            let (shared, lists, database, log) = (&*shared, &*lists, &database, &log);
            let mut notifier = Notifier { shared, lists, database, log, listener: &mut listener };
            while !shared.state().closed {
                notifier.poll_once(&mut poll).await?;
            }
            Ok::<(), StoreError>(())
        };
        if let Err(error) = ended.await {
            tracing::warn!(%error, "the line to the other replicas is broken");
            // The other replicas poll meanwhile, and so will this one.
            shared.state().forget();
            poll.tick().await;
        }
    }
    lists.notify_one();
}

/// Keeps those up to date who follow the lobby or an account, as often as the other task says that there is something to
/// read.
async fn read_lists(shared: Arc<Shared>, woken: Arc<Notify>, database: Database) {
    loop {
        let unsettled = shared.state().lobby.as_ref().is_some_and(|lobby| lobby.delivered < lobby.begun);
        tokio::select! {
            () = woken.notified() => {}
            () = sleep(UNSETTLED), if unsettled => {}
        }
        if shared.state().closed {
            return;
        }
        let reading = async {
            let (lobby, accounts) =
                tokio::join!(read_lobby(&shared, &database), read_accounts(&shared, &database));
            lobby.and(accounts)
        };
        let read = timeout(PATIENCE, reading).await;
        let read = read.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())));
        if let Err(error) = read {
            tracing::warn!(%error, "the lobby and accounts are read again");
            // The next poll asks for all of it.
            sleep(POLL).await;
        }
    }
}

/// Tells other replicas that there is news, and gives the news to the watchers on this replica.
struct Notifier<'a> {
    shared: &'a Shared,
    /// Wakes the task that reads the lists.
    lists: &'a Notify,
    database: &'a Database,
    log: &'a Log,
    listener: &'a mut Listener,
}

impl Notifier<'_> {
    /// Waits for something to do, and does all that there is.
    async fn poll_once(&mut self, poll: &mut Interval) -> Result<(), StoreError> {
        tokio::select! {
            heard = self.listener.heard() => {
                let (heard, mut state) = (heard?, self.shared.state());
                heard.into_iter().for_each(|notification| state.hear(notification));
            }
            () = self.shared.woken.notified() => {}
            _ = poll.tick() => self.shared.state().hear_all(),
        }
        if self.shared.state().has_stale_lists() {
            self.lists.notify_one();
        }
        let woken = timeout(PATIENCE, self.catch_up())
            .await
            .map_err(|_| StoreError::Unavailable("no answer in time".to_owned()))??;
        let woken = u32::try_from(woken).unwrap_or(u32::MAX);
        sleep(GAP_EACH.saturating_mul(woken).saturating_add(GAP).min(GAP_MOST)).await;
        Ok(())
    }

    /// Sends and delivers all news, and returns how many watchers of games were woken by it.
    async fn catch_up(&mut self) -> Result<usize, StoreError> {
        let mut woken = self.pass_on();
        let (unsent, stale) = {
            let mut state = self.shared.state();
            (std::mem::take(&mut state.unsent), state.take_stale())
        };
        self.listener.notify(&unsent.into_iter().collect::<Vec<_>>()).await?;
        woken += self.read_games(stale).await?;
        Ok(woken)
    }

    /// Gives the watchers what was appended here, and returns how many were woken.
    fn pass_on(&self) -> usize {
        let games = std::mem::take(&mut self.shared.state().fresh);
        let take = |game| self.shared.state().take_fresh(game);
        let woken =
            games.into_iter().filter_map(take).map(|(table, fresh)| self.deliver(&table, fresh)).sum();
        if !self.shared.state().fresh.is_empty() {
            self.shared.woken.notify_one();
        }
        woken
    }

    /// Gives a game's watchers what its log has after `table`, as much as they are told at a time, and returns how many
    /// were woken.
    fn deliver(&self, table: &Arc<Table>, mut tail: Entries) -> usize {
        if tail.len() > TURN {
            tail.truncate(TURN);
            self.shared.state().stale.insert(table.id);
            self.shared.woken.notify_one();
        }
        let are_shown = self.shared.state().is_shown(table.id);
        match EntryUpdate::all(table, tail, are_shown) {
            Ok(news) => self.shared.state().deliver(table, news),
            Err(error) => {
                tracing::error!(game = %table.id, %error, "a log does not replay");
                self.shared.state().games.remove(&table.id);
                0
            }
        }
    }

    /// Gives the watchers of these games what the logs have after these tables, and returns how many were woken.
    async fn read_games(&mut self, tables: Vec<Arc<Table>>) -> Result<usize, StoreError> {
        if tables.is_empty() {
            return Ok(0);
        }
        let after = tables.iter().map(|table| Tail { game_id: table.id, after: table.version });
        let after: Vec<Tail> = after.collect();
        let mut tails: HashMap<Uuid, Vec<StoredEntry>> = HashMap::new();
        let found = match self.database.shards() {
            None => self.listener.tails(&after).await?,
            Some(_) => self.tails_by_server(&after).await,
        };
        for (id, stored) in found {
            tails.entry(id).or_default().push(stored);
        }
        let mut woken = 0;
        for table in tables {
            let Some(tail) = tails.remove(&table.id) else { continue };
            let cipher = EntryCipher::new(table.seed(), table.id);
            let tail: Result<Entries, _> =
                tail.into_iter().map(|stored| read(table.id, &cipher, stored)).collect();
            match tail {
                Ok(tail) => woken += self.deliver(&table, tail),
                Err(error) => tracing::error!(%error, "a log cannot be read"),
            }
        }
        Ok(woken)
    }

    /// The tails of games that lie on several servers, but for those of servers that do not answer soon. The next poll tries
    /// these again.
    async fn tails_by_server(&self, after: &[Tail]) -> Vec<(Uuid, StoredEntry)> {
        let read = async |tail: &Tail| {
            let entries = timeout(POLL, self.log.tail(tail.game_id, tail.after)).await;
            let entries =
                entries.unwrap_or_else(|_| Err(StoreError::Unavailable("no answer in time".to_owned())));
            entries.map(|entries| (tail.game_id, entries))
        };
        let (mut tails, mut failed) = (Vec::new(), Vec::new());
        for some in after.chunks(AT_ONCE) {
            for read in join_all(some.iter().map(read)).await {
                match read {
                    Ok((id, entries)) => tails.extend(entries.into_iter().map(|entry| (id, entry))),
                    Err(error) => failed.push(error),
                }
            }
        }
        if let Some(error) = failed.first() {
            tracing::warn!(%error, logs = failed.len(), "some logs are read again");
        }
        tails
    }
}

/// Tells those who follow accounts which participations are the newest.
async fn read_accounts(shared: &Shared, database: &Database) -> Result<(), StoreError> {
    let woken: Vec<Uuid> = std::mem::take(&mut shared.state().woken_accounts).into_iter().collect();
    if woken.is_empty() {
        return Ok(());
    }
    let newest = database.newest_participations(&woken).await?;
    let state = shared.state();
    for (account, newest) in newest {
        if let Some(numbers) = state.accounts.get(&account) {
            let newest = newest.unsigned_abs();
            numbers.send_if_modified(|known| newest > std::mem::replace(known, newest.max(*known)));
        }
    }
    Ok(())
}

/// Tells the lobby's watchers what has changed and is settled.
async fn read_lobby(shared: &Shared, database: &Database) -> Result<(), StoreError> {
    let Some((delivered, woken)) = shared.state().lobby.as_mut().and_then(Lobby::take_turn) else {
        return Ok(());
    };
    let horizon = database.lobby_horizon().await?;
    let changes = database.lobby_changes(delivered, horizon.settled).await?;
    let mut state = shared.state();
    let Some(lobby) = state.lobby.as_mut().filter(|lobby| lobby.delivered == delivered) else {
        return Ok(());
    };
    if woken {
        lobby.begun = horizon.begun;
    }
    lobby.delivered = changes.last().map_or(horizon.settled.max(delivered), |changed| changed.at);
    if !changes.is_empty() {
        // Sending fails only where nobody listens any more.
        let _ = lobby.watchers.send(changes.into_iter().map(LobbyChange::new).collect());
    }
    Ok(())
}
