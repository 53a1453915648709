//! Audits: what a game that is over claims, written as it is read from the log.

use std::sync::Arc;

use cardroom_core::audit::{self, Keys, Signed};
use cardroom_core::rules::Refusal;
use cardroom_core::table::{Actor, Table};
use futures_util::future::Either;
use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};
use jiff::SignedDuration;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use uuid::Uuid;

use crate::accounts::tokens::Tokens;
use crate::games::cipher::EntryCipher;
use crate::games::decode::decrypt;
use crate::games::service::GameService;
use crate::runtime::error::ServiceError;
use crate::store::ended::{EndCursor, Ended};

/// How many entries are in memory at a time.
const PAGE: i64 = 500;

/// How many games an export looks up at a time.
const GAMES: i64 = 100;

/// Games that ended a moment ago are left for the next export: one that ended before them may still be on its
/// way into the database, and would be passed over.
const SETTLED: SignedDuration = SignedDuration::from_secs(10);

/// How many bundles are read and checked at once. Each takes a thread, and up to some 40 MiB.
pub const CHECKS: usize = 4;

/// Writes and checks audits.
#[derive(Clone)]
pub struct Audits {
    games: GameService,
    tokens: Arc<Tokens>,
    checks: Arc<Semaphore>,
}

impl Audits {
    pub fn new(games: GameService, tokens: Arc<Tokens>) -> Audits {
        Audits { games, tokens, checks: Arc::new(Semaphore::new(CHECKS)) }
    }

    /// A permit to check a bundle, valid for as long as it is kept; none while [`CHECKS`] checks are running.
    pub fn check(&self) -> Option<OwnedSemaphorePermit> {
        self.checks.clone().try_acquire_owned().ok()
    }

    /// The game, if it is over.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], and `not_finished` while the game runs.
    pub async fn game(&self, id: Uuid, viewer: Option<&Actor>) -> Result<Arc<Table>, ServiceError> {
        let table = self.games.look(id, viewer).await?;
        if table.is_over() {
            return Ok(table);
        }
        let refusal = Refusal::new("not_finished", "the game is not over; what it hides would be told");
        Err(ServiceError::Refused { refusal, table: Some(table) })
    }

    /// The bundle of a game that is over, piece by piece.
    ///
    /// # Errors
    /// [`ServiceError::Store`], before the first piece or between two.
    pub async fn bundle(
        &self,
        table: Arc<Table>,
    ) -> Result<impl Stream<Item = Result<String, ServiceError>> + use<>, ServiceError> {
        let signed = Signed { game: table.id, version: table.version, hash: table.hash() };
        let signature = self.tokens.sign_log(&signed).await?;
        let head = audit::head(&table);
        let tail = audit::tail(&table, &signature);
        let games = self.games.clone();
        let log = stream::try_unfold(0, move |after| {
            let (games, table) = (games.clone(), table.clone());
            async move {
                if after == table.version {
                    return Ok(None);
                }
                let (lines, last) = games.lines(&table, after).await?;
                Ok(Some((lines, last)))
            }
        });
        let whole = stream::iter([Ok(head)]).chain(log).chain(stream::iter([Ok(tail)]));
        Ok(whole)
    }

    /// Where an export goes on after a game.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`] where there is no such game that is over for `viewer` to see.
    pub async fn cursor(&self, after: Uuid, viewer: Option<&Actor>) -> Result<EndCursor, ServiceError> {
        match self.games.look(after, viewer).await {
            Ok(table) if !table.is_over() => return Err(ServiceError::NotFound),
            // An export told of it.
            Err(error) if error.is_of_one_log_for_good() => {}
            looked => drop(looked?),
        }
        self.games.database.end_cursor(after).await?.ok_or(ServiceError::NotFound)
    }

    /// The bundles of all games that were asked for and are over, a line each, in the order in which their ends were shown.
    /// A game that cannot be read has a line that says so.
    pub fn export(
        self,
        wanted: Ended,
        after: Option<EndCursor>,
    ) -> impl Stream<Item = Result<String, ServiceError>> {
        let settled = self.games.uptime.now().at - SETTLED;
        let games = self.games.clone();
        let pages = stream::try_unfold(after, move |after| {
            let (database, wanted) = (games.database.clone(), wanted.clone());
            async move {
                let page = database.ended_games(&wanted, settled, after, GAMES).await?;
                let last = page.last().copied();
                Ok::<_, ServiceError>(last.map(|last| (stream::iter(page.into_iter().map(Ok)), Some(last))))
            }
        });
        pages.try_flatten().and_then(move |shown| self.clone().line(shown.game_id)).try_flatten()
    }

    async fn line(
        self,
        id: Uuid,
    ) -> Result<impl Stream<Item = Result<String, ServiceError>> + use<>, ServiceError> {
        let bundle = match self.games.replayed(id).await {
            Err(error) if error.is_of_one_log_for_good() => {
                tracing::error!(%error, %id, "an export lacks a game that cannot be read");
                let line = json!({"game": {"id": id}, "error": "this game cannot be read"});
                Either::Left(stream::iter([Ok(line.to_string())]))
            }
            table => Either::Right(self.bundle(table?).await?),
        };
        Ok(bundle.chain(stream::iter([Ok("\n".to_owned())])))
    }

    /// The bundle of a game that is over, in one piece.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`], [`ServiceError::Store`].
    pub(crate) async fn text(&self, id: Uuid) -> Result<String, ServiceError> {
        let pieces: Vec<String> = self.bundle(self.games.replayed(id).await?).await?.try_collect().await?;
        Ok(pieces.concat())
    }

    /// The keys that the house signs with.
    pub async fn keys(&self) -> Keys {
        Keys::Known(self.tokens.public_keys().await)
    }
}

impl GameService {
    /// Some entries after `after` as a bundle's lines, each but the log's first with a comma before it; and the
    /// `seq` of the last.
    async fn lines(&self, table: &Table, after: u32) -> Result<(String, u32), ServiceError> {
        let page = self.runtime.store.stored(table.id, after, PAGE).await?;
        let cipher = EntryCipher::new(table.seed(), table.id);
        let last = page.last().ok_or(ServiceError::NotFound)?.seq.unsigned_abs();
        let mut lines = String::new();
        for stored in page {
            if stored.seq > 1 {
                lines.push(',');
            }
            let (text, hash) = decrypt(table.id, &cipher, &stored)?;
            lines.push_str(&audit::line(&text, hash));
        }
        Ok((lines, last))
    }
}
