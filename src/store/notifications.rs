//! How replicas tell each other about changes: PostgreSQL's LISTEN and NOTIFY.
//!
//! A wake-up is sent after the commit that it announces, not in it, and says only where to look. A lost wake-up costs
//! only time, because every reader also looks without one.

use diesel::sql_types::Text;
use diesel_async::{RunQueryDsl, SimpleAsyncConnection};
use uuid::Uuid;

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::session::Session;
use crate::store::tail::StoredEntry;
use crate::store::tail::{self, Tail};

const CHANNEL: &str = "cardroom";
/// The word for the lobby in a payload. Other words are a game and its version, or an account.
const LOBBY: &str = "lobby";
/// What stands before an account in a payload.
const ACCOUNT: &str = "account";
/// The most wake-ups in one payload: each has at most 48 bytes, and a payload fewer than 8000.
const SHARED: usize = 160;

diesel::define_sql_function!(fn pg_notify(channel: Text, payload: Text) -> Text);

/// What has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Notification {
    /// The game has reached this version.
    Game(Uuid, u32),
    /// A game was created, or its status or seats changed.
    Lobby,
    /// The account takes part in something new.
    Account(Uuid),
}

/// A session that receives the wake-ups of all replicas, including its own.
pub struct Listener {
    session: Session,
}

impl Listener {
    /// Listens from now on.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn open(database: &Database) -> Result<Listener, StoreError> {
        let mut session = database.own_session().await?;
        // A NOTIFY is a commit. It does not wait for the disk, and so no move's commit waits behind it.
        let listen = format!(
            "SET application_name TO 'cardroom listens'; SET synchronous_commit TO off; LISTEN {CHANNEL}"
        );
        session.timed().batch_execute(&listen).await?;
        Ok(Listener { session })
    }

    /// The wake-ups that have arrived, as soon as there are any. If this future is dropped before it is ready, no
    /// wake-up is lost.
    ///
    /// # Errors
    /// [`StoreError`] where the connection has ended.
    pub async fn heard(&mut self) -> Result<Vec<Notification>, StoreError> {
        let mut heard = Vec::new();
        if self.session.notifications().recv_many(&mut heard, SHARED).await == 0 {
            return Err(StoreError::Unavailable("the connection has ended".to_owned()));
        }
        let mut notifications = Vec::new();
        for received in heard {
            notifications.extend(received.payload().split_ascii_whitespace().filter_map(parse));
        }
        Ok(notifications)
    }

    /// Sends wake-ups to all replicas.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn notify(&mut self, notifications: &[Notification]) -> Result<(), StoreError> {
        for shared in notifications.chunks(SHARED) {
            let words: Vec<String> = shared.iter().copied().map(word).collect();
            diesel::select(pg_notify(CHANNEL, words.join(" "))).execute(&mut self.session.timed()).await?;
        }
        Ok(())
    }

    /// The entries of all these games after these versions, in one statement: game by game, in order.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn tails(&mut self, after: &[Tail]) -> Result<Vec<(Uuid, StoredEntry)>, StoreError> {
        tail::read(&mut self.session.timed(), after).await
    }
}

fn word(notification: Notification) -> String {
    match notification {
        Notification::Game(id, version) => format!("{}:{version}", id.simple()),
        Notification::Lobby => LOBBY.to_owned(),
        Notification::Account(id) => format!("{ACCOUNT}:{}", id.simple()),
    }
}

/// `None` for a word from a newer release that this one does not know.
fn parse(word: &str) -> Option<Notification> {
    if word == LOBBY {
        return Some(Notification::Lobby);
    }
    let (id, version) = word.split_once(':')?;
    if id == ACCOUNT {
        return Some(Notification::Account(version.parse().ok()?));
    }
    Some(Notification::Game(id.parse().ok()?, version.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wake_ups_come_through_as_they_were_sent_and_fit_into_a_payload() {
        let id = Uuid::from_u128(7);
        for notification in [
            Notification::Lobby,
            Notification::Game(id, 1),
            Notification::Game(id, u32::MAX),
            Notification::Account(id),
        ] {
            assert_eq!(parse(&word(notification)), Some(notification));
            assert!((word(notification).len() + 1) * SHARED < 8000);
        }
        assert_eq!(parse("tournament:7"), None);
    }
}
