//! The watchers on this replica: what they watch, and the news that they are to be told.
//!
//! A game that is watched here has one table, which moves on with its log and is shared by all its watchers. What this
//! replica appends is passed on as soon as it is committed; of what another replica appends there is only a wake-up,
//! and the rest is read from the log. So no watcher sees an entry before its commit, out of order, or twice.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use bytes::Bytes;
use cardroom_core::log::Hex32;
use cardroom_core::log::entry::Entry;
use cardroom_core::table::Table;
use cardroom_core::table::decide::HashedEntry;
use cardroom_core::table::entry_update::EntryUpdate;
use tokio::sync::{Notify, OnceCell, broadcast, watch};
use uuid::Uuid;

use crate::store::lobby::Changed;
use crate::store::notifications::Notification;

/// How many batches of news a watcher may leave unread. A watcher that is further behind is cut off, and comes back
/// with its cursor.
const BACKLOG: usize = 128;
/// How many entries a batch has at most. A watcher that reads nothing keeps one batch as it was written.
const BATCH: usize = 8;
/// How many entries a game's watchers are told at a time: half of what they may leave unread.
pub(crate) const TURN: usize = BACKLOG * BATCH / 2;
/// How many entries are kept at hand for a game's watchers. If there are more, the log is read.
const AT_HAND: usize = 4096;

/// What a log has after a version, in order.
pub(crate) type Entries = Vec<(Entry, Hex32)>;

/// News, shared by all its receivers.
pub type News<T> = Arc<[Arc<T>]>;

/// What happened in a game since its watchers were told last, in order.
pub struct UpdateBatch {
    pub updates: Vec<Arc<EntryUpdate>>,
    written: OnceLock<Bytes>,
}

impl UpdateBatch {
    fn new(updates: Vec<Arc<EntryUpdate>>) -> Arc<UpdateBatch> {
        Arc::new(UpdateBatch { updates, written: OnceLock::new() })
    }

    /// The batch as spectators get it. `write` is called once, for all of them.
    pub fn written(&self, write: impl FnOnce(&[Arc<EntryUpdate>]) -> Bytes) -> Bytes {
        self.written.get_or_init(|| write(&self.updates)).clone()
    }
}

/// A game of the lobby after its last change. All who follow the lobby share it.
pub struct LobbyChange {
    pub changed: Changed,
    /// The game after the change, or after a later one. It is read once for all who follow the lobby.
    pub(crate) table: OnceCell<Arc<Table>>,
}

impl LobbyChange {
    pub(crate) fn new(changed: Changed) -> Arc<LobbyChange> {
        Arc::new(LobbyChange { changed, table: OnceCell::new() })
    }
}

/// All watchers on this replica.
#[derive(Clone)]
pub struct Watch(Arc<Owner>);

struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) state: Mutex<State>,
    pub(crate) woken: Notify,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) closed: bool,
    pub(crate) games: HashMap<Uuid, Channel>,
    pub(crate) lobby: Option<Lobby>,
    /// The accounts that are followed here: the number of the newest participation that is known.
    pub(crate) accounts: HashMap<Uuid, watch::Sender<u32>>,
    /// The followed accounts that may have newer ones.
    pub(crate) woken_accounts: HashSet<Uuid>,
    /// Changes made here that other replicas are still to be told of.
    pub(crate) unsent: HashSet<Notification>,
    /// The watched games that have moved on, with the new entries at hand.
    pub(crate) fresh: HashSet<Uuid>,
    /// The watched games whose logs may have more.
    pub(crate) stale: HashSet<Uuid>,
}

/// A game that is watched here.
pub(crate) struct Channel {
    /// As its watchers were told last.
    table: Arc<Table>,
    /// The entries appended here that the watchers are to be told, without a gap. They are at hand, so the log need not
    /// be read.
    fresh: Entries,
    /// The version that `fresh` leads to, or that is on its way to the watchers.
    known: u32,
    watchers: broadcast::Sender<Arc<UpdateBatch>>,
    /// The accounts that are only told what concerns them.
    accounts: HashMap<Uuid, broadcast::Sender<Arc<UpdateBatch>>>,
}

/// The lobby, where it is watched here.
pub(crate) struct Lobby {
    /// Its watchers were told of all changes up to this one.
    pub(crate) delivered: i64,
    /// Something may have changed.
    pub(crate) woken: bool,
    /// The newest change that had begun when it was last looked at.
    pub(crate) begun: i64,
    pub(crate) watchers: broadcast::Sender<News<LobbyChange>>,
}

impl Watch {
    /// Nobody watches anything yet.
    pub(crate) fn new(shared: Arc<Shared>) -> Watch {
        Watch(Arc::new(Owner(shared)))
    }

    /// Passes on what was committed to a game's log, and whether it changes the lobby. It does not wait.
    pub fn committed(&self, game: Uuid, entries: &[HashedEntry], lobby: bool) {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else { return };
        let mut state = self.0.0.state();
        if state.closed {
            return;
        }
        if let Some(channel) = state.games.get_mut(&game)
            && channel.known + 1 == first.entry.seq
            && channel.fresh.len() < AT_HAND
        {
            channel.known = last.entry.seq;
            channel.fresh.extend(entries.iter().map(|sealed| (sealed.entry.clone(), sealed.hash)));
            state.fresh.insert(game);
        }
        let notifications =
            [Some(Notification::Game(game, last.entry.seq)), lobby.then_some(Notification::Lobby)];
        for notification in notifications.into_iter().flatten() {
            state.hear(notification);
            state.unsent.insert(notification);
        }
        self.0.0.woken.notify_one();
    }

    /// Watches a game from `table` on, or from a newer one that is known here: the news begins right after the table
    /// that is returned, or before. There is no news where the game is over or the streams are closed.
    pub fn game(&self, table: Arc<Table>) -> (Arc<Table>, Option<broadcast::Receiver<Arc<UpdateBatch>>>) {
        self.subscribe(table, |channel| channel.watchers.subscribe())
    }

    /// The same, but of the news only what concerns an account: what it gets a notice of, what it leaves by, and the end.
    pub fn game_of(
        &self,
        table: Arc<Table>,
        account: Uuid,
    ) -> (Arc<Table>, Option<broadcast::Receiver<Arc<UpdateBatch>>>) {
        let sender = || broadcast::Sender::new(BACKLOG);
        self.subscribe(table, |channel| channel.accounts.entry(account).or_insert_with(sender).subscribe())
    }

    fn subscribe(
        &self,
        table: Arc<Table>,
        to: impl FnOnce(&mut Channel) -> broadcast::Receiver<Arc<UpdateBatch>>,
    ) -> (Arc<Table>, Option<broadcast::Receiver<Arc<UpdateBatch>>>) {
        let mut state = self.0.0.state();
        if table.is_over() || state.closed {
            return (table, None);
        }
        // A wake-up that came before there was a watcher here has been ignored.
        state.stale.insert(table.id);
        self.0.0.woken.notify_one();
        let channel = state.games.entry(table.id).or_insert_with(|| Channel::new(table.clone()));
        let newest = if channel.table.version > table.version { channel.table.clone() } else { table };
        (newest, Some(to(channel)))
    }

    /// Passes on that these accounts take part in something new. It does not wait.
    pub fn participating(&self, accounts: impl IntoIterator<Item = Uuid>) {
        let mut state = self.0.0.state();
        if state.closed {
            return;
        }
        for notification in accounts.into_iter().map(Notification::Account) {
            state.hear(notification);
            state.unsent.insert(notification);
        }
        self.0.0.woken.notify_one();
    }

    /// Follows an account: the number of its newest participation, as soon as it is known to be higher than `newest`.
    /// None where the streams are closed.
    pub fn account(&self, account: Uuid, newest: u32) -> Option<watch::Receiver<u32>> {
        let mut state = self.0.0.state();
        if state.closed {
            return None;
        }
        state.woken_accounts.insert(account);
        self.0.0.woken.notify_one();
        let sender = state.accounts.entry(account).or_insert_with(|| watch::Sender::new(newest));
        let mut numbers = sender.subscribe();
        numbers.mark_changed();
        Some(numbers)
    }

    /// Watches the lobby: the news begins right after the change `settled`, or before.
    pub fn lobby(&self, settled: i64) -> Option<broadcast::Receiver<News<LobbyChange>>> {
        let mut state = self.0.0.state();
        if state.closed {
            return None;
        }
        let lobby = state.lobby.get_or_insert_with(|| Lobby {
            delivered: settled,
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

impl Channel {
    fn new(table: Arc<Table>) -> Channel {
        let known = table.version;
        let (watchers, accounts) = (broadcast::Sender::new(BACKLOG), HashMap::new());
        Channel { table, fresh: Vec::new(), known, watchers, accounts }
    }

    fn is_watched(&self) -> bool {
        self.watchers.receiver_count() > 0
            || self.accounts.values().any(|account| account.receiver_count() > 0)
    }

    /// Passes news on, and returns how many are woken by it.
    fn send(&mut self, news: &[Arc<EntryUpdate>]) -> usize {
        let mut woken = self.watchers.receiver_count();
        if woken > 0 {
            for updates in news.chunks(BATCH) {
                // Sending fails only where nobody listens any more.
                woken = self.watchers.send(UpdateBatch::new(updates.to_vec())).unwrap_or(0);
            }
        }
        self.accounts.retain(|&account, followers| {
            let concerning: Vec<_> = news.iter().filter(|update| update.concerns(account)).cloned().collect();
            for updates in concerning.chunks(BATCH) {
                woken += followers.send(UpdateBatch::new(updates.to_vec())).unwrap_or(0);
            }
            followers.receiver_count() > 0
        });
        woken
    }
}

impl Shared {
    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        *self.state() = State { closed: true, ..State::default() };
        self.woken.notify_one();
    }
}

impl State {
    /// Notes which log has to be read.
    pub(crate) fn hear(&mut self, notification: Notification) {
        match notification {
            Notification::Game(id, version) => {
                if self.games.get(&id).is_some_and(|channel| channel.known < version) {
                    self.stale.insert(id);
                }
            }
            Notification::Lobby => {
                if let Some(lobby) = &mut self.lobby {
                    lobby.woken = true;
                }
            }
            Notification::Account(id) => {
                if self.accounts.contains_key(&id) {
                    self.woken_accounts.insert(id);
                }
            }
        }
    }

    /// Notes that every watched log has to be read, and forgets what nobody watches.
    pub(crate) fn hear_all(&mut self) {
        self.games.retain(|_, channel| channel.is_watched());
        self.lobby.take_if(|lobby| lobby.watchers.receiver_count() == 0);
        self.accounts.retain(|_, numbers| numbers.receiver_count() > 0);
        self.stale = self.games.keys().copied().collect();
        self.woken_accounts = self.accounts.keys().copied().collect();
        self.hear(Notification::Lobby);
    }

    /// Whether the lobby or an account that is followed here may have more.
    pub(crate) fn has_stale_lists(&self) -> bool {
        !self.woken_accounts.is_empty() || self.lobby.as_ref().is_some_and(|lobby| lobby.woken)
    }

    /// Drops what is at hand: watchers are told of it from the logs.
    pub(crate) fn forget(&mut self) {
        self.unsent.clear();
        for channel in self.games.values_mut() {
            channel.fresh = Vec::new();
            channel.known = channel.table.version;
        }
    }

    /// Gives a game's watchers what its log has after `before`, in batches, and returns how many they are.
    pub(crate) fn deliver(&mut self, before: &Table, news: Vec<Arc<EntryUpdate>>) -> usize {
        // The game may have been forgotten and watched again meanwhile.
        let channel =
            self.games.get_mut(&before.id).filter(|channel| channel.table.version == before.version);
        let (Some(channel), Some(newest)) = (channel, news.last()) else { return 0 };
        channel.table = newest.table.clone();
        channel.known = channel.known.max(channel.table.version);
        let woken = channel.send(&news);
        if channel.table.is_over() {
            self.games.remove(&before.id);
        }
        woken
    }

    /// Whether somebody is shown the entries of a game, and does not only follow what concerns an account.
    pub(crate) fn is_shown(&self, game: Uuid) -> bool {
        self.games.get(&game).is_some_and(|channel| channel.watchers.receiver_count() > 0)
    }

    /// The table that a game's watchers know, and the entries at hand that follow it: none where the log was read
    /// first. What the watchers are not told at once stays for the next turn.
    pub(crate) fn take_fresh(&mut self, game: Uuid) -> Option<(Arc<Table>, Entries)> {
        let channel = self.games.get_mut(&game)?;
        let mut fresh = std::mem::take(&mut channel.fresh);
        fresh.retain(|(entry, _)| entry.seq > channel.table.version);
        if fresh.len() > TURN {
            channel.fresh = fresh.split_off(TURN);
            self.fresh.insert(game);
        }
        Some((channel.table.clone(), fresh))
    }

    /// The tables of the games whose logs may have more.
    pub(crate) fn take_stale(&mut self) -> Vec<Arc<Table>> {
        let stale = std::mem::take(&mut self.stale);
        stale.iter().filter_map(|id| Some(self.games.get(id)?.table.clone())).collect()
    }
}

impl Lobby {
    /// The change that was told last, and whether a wake-up came, if it is time to look.
    pub(crate) fn take_turn(&mut self) -> Option<(i64, bool)> {
        let woken = std::mem::take(&mut self.woken);
        (woken || self.delivered < self.begun).then_some((self.delivered, woken))
    }
}
