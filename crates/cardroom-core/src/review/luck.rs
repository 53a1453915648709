//! What the deals of a game were worth to its seats, and results without that: `docs/luck.md` says why these are unbiased.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::log::Hex32;
use crate::log::entry::{Chance, Drawn, Entry, Event};
use crate::review::estimates::{Mean, rounded, seed, together};
use crate::rules::Seat;
use crate::rules::registry::AnyGame;
use crate::table::{Fault, Table};

/// In how many worlds a deal is played out, and as many others in which it is dealt anew.
const WORLDS: u32 = 100;
/// How many deals of a game count. The rest is left to luck.
const DEALS: u32 = 200;

/// The luck of a game that is over.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct GameLuck {
    /// How many deals were played out.
    pub deals: u32,
    /// How many were not: all after the 200th.
    pub deals_left_out: u32,
    /// Seat 0 first.
    pub seats: Vec<SeatLuck>,
}

/// The luck of a seat in a game.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct SeatLuck {
    pub seat: u8,
    pub player: String,
    /// The seat's part of the win, from 0 to 1.
    pub won: f64,
    /// What its deals were worth, added up: by how much they changed how likely it won.
    pub luck: f64,
    /// The standard error of the luck.
    pub luck_error: f64,
    /// `won` less as much of the luck as the kind of game takes out. It may be below 0 and above 1.
    pub won_without_luck: f64,
    /// The standard error of `won_without_luck` that comes from the estimate.
    pub won_without_luck_error: f64,
}

/// How likely each seat wins before a deal and with it, in worlds that are played out.
pub(super) struct Deal {
    pub before: Vec<Mean>,
    pub with_cards: Vec<Mean>,
}

impl Deal {
    /// A deal by the tables before and after it, if the entry is one.
    pub fn of(before: &Table, after: &Table, entry: &Entry) -> Option<Deal> {
        if !is_deal(entry) {
            return None;
        }
        let (thoughts, seats) = (&before.rules().thoughts, before.names().len() as Seat);
        type PlayedOut = fn(&dyn AnyGame, Seat, u32, u64) -> Vec<Vec<f64>>;
        let means = |table: &Table, what: &str, played_out: PlayedOut| {
            let worlds = played_out(table.game()?, seats, WORLDS, seed(before, what, entry.seq));
            let mean = |seat| Mean::of(worlds.iter().map(|chances| chances[usize::from(seat)]));
            (!worlds.is_empty()).then(|| (0..seats).map(mean).collect())
        };
        Some(Deal {
            before: means(before, "before", thoughts.deal)?,
            with_cards: means(after, "deal", thoughts.hand)?,
        })
    }

    /// By how much the deal changed how likely a seat wins, and the standard error.
    pub fn luck(&self, seat: usize) -> (f64, f64) {
        let (before, with_cards) = (self.before[seat], self.with_cards[seat]);
        (with_cards.mean - before.mean, together(with_cards.error, before.error))
    }
}

impl GameLuck {
    /// The luck of a game that has come to its end; none where the game was called off, or the kind cannot tell. `log`:
    /// all of it.
    ///
    /// # Errors
    /// [`Fault`] where the log does not follow from the seed.
    pub fn of(over: &Table, log: Vec<(Entry, Hex32)>) -> Result<Option<GameLuck>, Fault> {
        let (Some(outcome), names) = (over.outcome(), over.names()) else { return Ok(None) };
        let mut log = log.into_iter();
        let mut table = Table::replay(over.id, over.seed().clone(), log.next())?;
        let (mut deals, mut deals_left_out) = (0, 0);
        let mut luck = vec![(0.0, 0.0); names.len()];
        for (entry, hash) in log {
            let is_deal = is_deal(&entry);
            if !is_deal || deals == DEALS {
                table.evolve(&entry, hash)?;
                deals_left_out += u32::from(is_deal);
                continue;
            }
            let before = table.clone();
            table.evolve(&entry, hash)?;
            let Some(deal) = Deal::of(&before, &table, &entry) else { continue };
            deals += 1;
            for (seat, (sum, error)) in luck.iter_mut().enumerate() {
                let (lucky, more) = deal.luck(seat);
                (*sum, *error) = (*sum + lucky, together(*error, more));
            }
        }
        let share = over.rules().thoughts.luck_share;
        let seat = |((seat, player), (luck, error)): ((u8, String), (f64, f64))| {
            let won = if outcome.winners.contains(&seat) { 1.0 / outcome.winners.len() as f64 } else { 0.0 };
            SeatLuck {
                seat,
                player,
                won: rounded(won),
                luck: rounded(luck),
                luck_error: rounded(error),
                won_without_luck: rounded(won - share * luck),
                won_without_luck_error: rounded(share * error),
            }
        };
        let seats = (0..).zip(names).zip(luck).map(seat).collect();
        Ok((deals > 0).then_some(GameLuck { deals, deals_left_out, seats }))
    }
}

/// Whether cards are shuffled by this entry.
fn is_deal(entry: &Entry) -> bool {
    matches!(&entry.event, Event::Chance(Chance { drawn: Drawn::Shuffle { .. }, .. }))
}
