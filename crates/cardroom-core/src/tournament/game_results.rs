//! What the games of a tournament have brought so far.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::rules::scoring::Award;

/// What one hand of a game brought, or its end.
#[derive(Debug, Clone)]
pub struct AwardedHand {
    pub game: Uuid,
    /// The entry of the game's log that ended the hand or the game.
    pub seq: u32,
    pub at: Timestamp,
    /// The hand's number, from 1; at a game's end the last hand's.
    pub hand: u32,
    /// By seat, after the hand: stacks, scores or totals.
    pub scores: Vec<i64>,
    pub awards: Vec<Award>,
    /// How the game ended, if it has.
    pub end: Option<End>,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum End {
    /// By its rules; `places` by seat, from 1.
    Finished {
        places: Vec<u8>,
        /// By seat: how many decisions running the clock had made when the game ended. Left out where it had made none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missed: Vec<u8>,
    },
    /// It was called off: it counts for nothing.
    Aborted,
}

/// All that has been played, game by game.
#[derive(Debug, Clone, Default)]
pub struct GameResults {
    games: HashMap<Uuid, Game>,
    newest: Timestamp,
}

/// What a game has brought so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Game {
    seq: u32,
    pub scores: Vec<i64>,
    pub points: Vec<Points>,
    pub end: Option<End>,
}

/// The part of an award that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Points {
    pub hand: u32,
    pub points: i64,
    pub seat: u8,
    pub qualifiers: u8,
}

impl Game {
    /// A game that ended so, without points.
    pub fn ended(scores: Vec<i64>, places: Vec<u8>) -> Game {
        Game { seq: 0, scores, points: Vec::new(), end: Some(End::Finished { places, missed: Vec::new() }) }
    }
}

impl GameResults {
    pub fn new() -> GameResults {
        GameResults::default()
    }

    /// Takes a row. The rows of a game come in the order of its log; one that was taken before changes nothing.
    /// Whether it was new.
    pub fn take(&mut self, row: AwardedHand) -> bool {
        let game = self.games.entry(row.game).or_default();
        if row.seq <= game.seq {
            return false;
        }
        game.seq = row.seq;
        game.scores = row.scores;
        game.points.extend(row.awards.iter().map(|award| Points {
            hand: row.hand,
            points: award.points,
            seat: award.seat,
            qualifiers: award.qualifiers,
        }));
        game.end = row.end;
        self.newest = self.newest.max(row.at);
        true
    }

    /// Whether a game has ended, by its rules or because it was called off.
    pub fn has_ended(&self, game: Uuid) -> bool {
        self.game(game).is_some_and(|game| game.end.is_some())
    }

    /// The newest row of a game that was taken: the `seq` of its entry; 0 if there is none.
    pub fn seq_of(&self, game: Uuid) -> u32 {
        self.game(game).map_or(0, |game| game.seq)
    }

    /// When the newest row was made; long ago if there is none.
    pub(super) fn newest(&self) -> Timestamp {
        self.newest
    }

    /// What a game has brought, by what was played.
    pub(super) fn game(&self, game: Uuid) -> Option<&Game> {
        self.games.get(&game)
    }
}
