//! Games of lists, and how far each of them is, as the viewer may see it.

use cardroom_core::rules::Seat;
use cardroom_core::table::view::Status;
use cardroom_core::table::{Actor, Table};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use jiff::Timestamp;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::games::visibility::is_delayed;
use crate::runtime::error::ServiceError;
use crate::store;
use crate::store::lists::{Filter, FoundGames, ListedGame};

/// How many games of a list are looked at at once.
const AT_ONCE: usize = 16;
/// How many of an account's games are looked at at a time for those in which it is its turn.
const PAGE: i64 = 200;

/// A game of a list.
#[derive(Debug, Clone)]
pub struct GameRow {
    pub listed: ListedGame,
    /// None where the viewer sees the game later than it happens.
    pub position: Option<Position>,
}

/// How far a game is, as a viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub status: Status,
    pub version: u32,
    /// The seats that the game waits for.
    pub to_act: Vec<Seat>,
    /// The viewer's seat.
    pub you: Option<Seat>,
    /// When the clock acts for the first of them; none without a clock.
    pub deadline: Option<Timestamp>,
}

impl Position {
    /// The position of a table that the viewer may see as it is.
    pub fn of(table: &Table, viewer: Option<Uuid>) -> Position {
        Position {
            status: table.status(),
            version: table.version,
            to_act: table.to_act().iter().collect(),
            you: viewer.and_then(|account| table.seat_of(account)),
            deadline: table.deadline(),
        }
    }

    /// The position of a game that is over, by its row alone. None where it is not over, or the row is not enough: it
    /// does not tell the seat of a viewer who sits there.
    pub fn of_ended(listed: &ListedGame, viewer: Option<Uuid>) -> Option<Position> {
        let status = match listed.game.status {
            store::status::Status::Open | store::status::Status::Active => return None,
            store::status::Status::Finished => Status::Finished,
            store::status::Status::Aborted => Status::Aborted,
        };
        let own = listed.players.iter().find(|player| Some(player.account) == viewer);
        let you = match own {
            None => None,
            Some(player) => Some(player.seat? as Seat),
        };
        let version = listed.game.version.unsigned_abs();
        Some(Position { status, version, to_act: Vec::new(), you, deadline: None })
    }

    /// Whether the game waits for the viewer.
    pub fn is_your_turn(&self) -> bool {
        self.you.is_some_and(|you| self.to_act.contains(&you))
    }
}

impl GameService {
    /// A page of the lobby, the newest game first: those before `before`; and down to which id was looked, if the page is
    /// not full and there are older games. The filter's viewer is set by `viewer`.
    ///
    /// # Errors
    /// [`ServiceError`] where the database does not answer.
    pub async fn lobby(
        &self,
        filter: &Filter,
        viewer: Option<&Actor>,
        before: Option<Uuid>,
        limit: i64,
    ) -> Result<(Vec<GameRow>, Option<Uuid>), ServiceError> {
        let filter = Filter { viewer: viewer.map(|actor| actor.account), ..filter.clone() };
        let FoundGames { games, looked_to } = self.database.list_games(&filter, before, limit).await?;
        Ok((self.rows(games, viewer).await?, looked_to))
    }

    /// The games in which an account takes part, or took part to their end, the newest participation first: those whose
    /// numbers are lower than `before`, each with its number. `your_turn`: only those in which it is the account's
    /// turn, or only the others.
    ///
    /// # Errors
    /// [`ServiceError`] where the database does not answer.
    pub async fn games_of(
        &self,
        actor: &Actor,
        filter: &Filter,
        your_turn: Option<bool>,
        mut before: Option<i32>,
        limit: i64,
    ) -> Result<Vec<(i32, GameRow)>, ServiceError> {
        let page = if your_turn.is_some() { PAGE } else { limit };
        let mut filter = filter.clone();
        if your_turn == Some(true) {
            filter.status = filter.status.or(Some(store::status::Status::Active));
        }
        let mut found = Vec::new();
        loop {
            let games = self.database.games_of(actor.account, &filter, before, page).await?;
            before = games.last().map(|(n, _)| *n);
            // Only running games wait for anybody.
            let is_over = filter.status.is_some_and(|status| status.is_over()) && your_turn == Some(true);
            let is_last = (games.len() as i64) < page || is_over;
            let (numbers, listed): (Vec<_>, Vec<_>) = games.into_iter().unzip();
            let rows = numbers.into_iter().zip(self.rows(listed, Some(actor)).await?);
            let is_turn = |row: &GameRow| row.position.as_ref().is_some_and(Position::is_your_turn);
            found.extend(rows.filter(|(_, row)| your_turn.is_none_or(|wanted| wanted == is_turn(row))));
            if is_last || found.len() as i64 >= limit {
                found.truncate(limit.unsigned_abs() as usize);
                return Ok(found);
            }
        }
    }

    /// The listed games, each with its position.
    async fn rows(
        &self,
        listed: Vec<ListedGame>,
        viewer: Option<&Actor>,
    ) -> Result<Vec<GameRow>, ServiceError> {
        let row = async |listed: ListedGame| {
            let position = match self.position(&listed, viewer).await {
                Err(error) if error.is_of_one_log() => {
                    tracing::error!(%error, game = %listed.game.id, "a listed game cannot be read");
                    None
                }
                position => position?,
            };
            Ok(GameRow { listed, position })
        };
        stream::iter(listed.into_iter().map(row)).buffered(AT_ONCE).try_collect().await
    }

    async fn position(
        &self,
        listed: &ListedGame,
        viewer: Option<&Actor>,
    ) -> Result<Option<Position>, ServiceError> {
        let account = viewer.map(|actor| actor.account);
        if let Some(position) = Position::of_ended(listed, account) {
            return Ok(Some(position));
        }
        let table = self.runtime.look(listed.game.id).await?;
        if !is_delayed(&table, viewer) {
            return Ok(Some(Position::of(&table, account)));
        }
        if !listed.players.iter().any(|player| Some(player.account) == account) {
            return Ok(None);
        }
        Ok(Some(Position::of(&*self.visible_to(table, viewer).await?, account)))
    }
}
