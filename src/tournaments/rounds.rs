//! How tournaments move on: a round begins when the one before has ended, and the last one ends the tournament.
//! Any replica does it; the tournament's log decides which replica was first.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::slice;

use cardroom_core::log::entry::{AtTournament, Policy, Seated, Visibility};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::Kind;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide;
use cardroom_core::table::{Actor, Table};
use cardroom_core::tournament::{RoundBegan, RoundTable, Setup, Step, Tournament, TournamentEvent, Who};
use futures_util::FutureExt;
use futures_util::future::join_all;
use jiff::Timestamp;
use uuid::Uuid;

use crate::games::changes::change;
use crate::games::hand_results;
use crate::runtime::error::ServiceError;
use crate::store::append::{Append, AppendOutcome};
use crate::store::clocks::ClocksBehind;
use crate::store::error::StoreError;
use crate::store::game_rows::NewGame as NewRow;
use crate::store::games::{Change, DealtGame};
use crate::tournaments::log::tournament_append;
use crate::tournaments::service::Tournaments;

/// How many tournaments are moved on at a time, and games called off.
const AT_ONCE: i64 = 32;
/// How many arenas are looked at each time. In most of them, somebody waits for a table to be full.
const ARENAS: i64 = 256;

impl Tournaments {
    /// Moves on the tournaments that can move on, and calls off games that count no more. Returns
    /// how many tournaments and games those were.
    ///
    /// # Errors
    /// [`StoreError`] where the database does not answer.
    pub async fn poll(&self) -> Result<usize, StoreError> {
        let now = self.now();
        let (database, turns) = (&self.games.database, &self.turns);
        // First of all: the seed of a tournament that was called off is shown when none of its games runs any more.
        let stranded = |after| database.stranded_games(after, AT_ONCE);
        let stranded = turns.stranded.next(AT_ONCE, |(game, _)| *game, stranded).await?;
        let called_off = join_all(stranded.iter().map(|&(game, of)| self.call_off(game, of))).await;
        let mut moved = 0;
        for ((game, _), called_off) in stranded.iter().zip(called_off) {
            match called_off {
                Ok(()) => moved += 1,
                Err(error) => tracing::error!(%error, %game, "a table was not called off"),
            }
        }
        let resting = |after| database.resting_tournaments(now, after, AT_ONCE);
        let mut due = turns.resting.next(AT_ONCE, |id| *id, resting).await?;
        let arenas = |after| database.arenas_with_free_players(now, after, ARENAS);
        due.extend(turns.arenas.next(ARENAS, |id| *id, arenas).await?);
        for id in due {
            // A tournament at which the program panics holds up no other.
            let error = match AssertUnwindSafe(self.advance(id)).catch_unwind().await {
                Ok(Ok(has_moved)) => {
                    moved += usize::from(has_moved);
                    continue;
                }
                Ok(Err(error)) => error.to_string(),
                Err(_) => "a panic".to_owned(),
            };
            tracing::error!(error, %id, "a tournament does not move on");
        }
        let behind = |after| database.clocks_behind(after, AT_ONCE);
        let behind = turns.clocks.next(AT_ONCE, |clocks: &ClocksBehind| clocks.game, behind).await?;
        let set = join_all(behind.iter().map(|clocks| self.set_clocks(clocks))).await;
        for (clocks, set) in behind.iter().zip(set) {
            match set {
                Ok(was_set) => moved += usize::from(was_set),
                Err(error) => {
                    tracing::error!(%error, game = %clocks.game, "the clocks of a table were not set")
                }
            }
        }
        Ok(moved)
    }

    /// Brings a game's clocks to where an organiser wants them. Whether this replica did it.
    async fn set_clocks(&self, clocks: &ClocksBehind) -> Result<bool, ServiceError> {
        let Some(tournament) = clocks.tournament else { return Ok(false) };
        let organiser = organiser(&*self.look(tournament).await?);
        let totals = clocks.seconds_wanted.iter().map(|seconds| seconds.max(&0).unsigned_abs()).collect();
        let add = decide::Command::AddTime { totals };
        let stop = if clocks.pause_wanted { decide::Command::Pause } else { decide::Command::Resume };
        let mut was_set = false;
        for command in [add, stop] {
            match self.games.command_by_house(clocks.game, &organiser, &command).await {
                Err(ServiceError::Refused { refusal, .. }) if refusal.code == "game_over" => {}
                set => was_set |= set?,
            }
        }
        Ok(was_set)
    }

    /// Begins the next round of a tournament, or ends it, if it is time. Returns whether it has moved on.
    async fn advance(&self, id: Uuid) -> Result<bool, ServiceError> {
        let cached = self.runtime.cached(id).await?;
        let tournament = self.runtime.catch_up(&cached).await?;
        let now = self.now();
        let game_results = self.game_results(&cached, &tournament).await?.game_results.clone();
        let step = tournament.advance(&game_results, now, &mut || self.games.entropy.id(now));
        if step.entries.is_empty() {
            return Ok(false);
        }
        let games = self.dealt_with(&step, now)?;
        let done = self
            .runtime
            .store
            .append_entries(tournament_append(&step, None, games, self.games.quotas.participations()))
            .await?;
        if done == AppendOutcome::Done {
            cached.advance(step.tournament);
        }
        Ok(done == AppendOutcome::Done)
    }

    /// The games that begin with a step, dealt: those of a round that was drawn, or of a table that is played once more.
    ///
    /// # Errors
    /// [`ServiceError`] where a game cannot be dealt.
    pub(crate) fn dealt_with(
        &self,
        step: &Step,
        now: Timestamp,
    ) -> Result<Vec<(DealtGame, Append)>, ServiceError> {
        let mut games = Vec::new();
        for (entry, _) in &step.entries {
            match &entry.event {
                TournamentEvent::RoundBegan(began) => {
                    games.extend(self.deal(&step.tournament, began, &began.tables, now)?);
                }
                TournamentEvent::TableRedone(redone) => {
                    let drawn = step.tournament.table_of(redone.game);
                    let (began, table) = drawn.expect("a table that is played once more has its game");
                    games.extend(self.deal(&step.tournament, began, slice::from_ref(table), now)?);
                }
                _ => {}
            }
        }
        Ok(games)
    }

    /// The games of tables of a round, dealt.
    fn deal(
        &self,
        tournament: &Tournament,
        began: &RoundBegan,
        tables: &[RoundTable],
        now: Timestamp,
    ) -> Result<Vec<(DealtGame, Append)>, ServiceError> {
        let entrants: HashMap<u32, &Who> =
            tournament.entrants().iter().map(|listed| (listed.entrant.number, &listed.entrant.who)).collect();
        let deal = |table: &RoundTable| {
            let seed = tournament.game_seed(began, table);
            let seated = table.seats.iter().map(|entrant| match entrant.and_then(|n| entrants.get(&n)) {
                Some(who) => seated(who, began.shuffle_id.is_some()),
                None => Seated::Bot {
                    bot: tournament.setup().fill.unwrap_or(Policy::Steady),
                    client_seed: String::new(),
                },
            });
            self.deal_table(tournament, began, table, seed, seated.collect(), now)
        };
        tables.iter().map(deal).collect()
    }

    fn deal_table(
        &self,
        tournament: &Tournament,
        began: &RoundBegan,
        table: &RoundTable,
        seed: Seed,
        seated: Vec<Seated>,
        now: Timestamp,
    ) -> Result<(DealtGame, Append), ServiceError> {
        let (setup, organiser) = (tournament.setup(), organiser(tournament));
        let kind = tournament.kind();
        let new = new_game(setup, kind, began.round, table);
        let made = row(&new, &organiser, &seed, now);
        let place = AtTournament {
            id: tournament.id,
            round: began.round,
            table: table.table,
            scoring: serde_json::value::to_raw_value(&setup.scoring).expect("scorings are plain JSON"),
            spectator_delay_hands: setup.spectator_delay_hands,
            shuffle_id: began.shuffle_id,
        };
        let players: Vec<Uuid> = seated.iter().filter_map(account).collect();
        let bots = (seated.len() - players.len()) as i16;
        let entrants = tournament.players_on(table) as i16;
        let step = Table::deal_in(table.game, seed, &organiser, new, place, seated, now)
            .map_err(ServiceError::refused)?;
        let changes = come_of(&step)?;
        let dealt = DealtGame {
            game_id: table.game,
            tournament_id: tournament.id,
            shuffle_id: began.shuffle_id,
            made,
            players,
            bots,
            entrants,
            version: step.table.version,
            changes,
        };
        Ok((dealt, self.games.runtime.store.append_of(None, &step, None)))
    }

    /// Calls off a game that counts no more.
    async fn call_off(&self, game: Uuid, tournament: Uuid) -> Result<(), ServiceError> {
        let organiser = organiser(&*self.look(tournament).await?);
        match self.games.command_by_house(game, &organiser, &decide::Command::CallOff).await {
            // Another replica was quicker, or the last hand was.
            Err(ServiceError::Refused { refusal, .. }) if refusal.code == "game_over" => Ok(()),
            done => done.map(drop),
        }
    }
}

/// The game of a table in a round, from 1, by what the organiser chose.
fn new_game(setup: &Setup, kind: &'static Kind, round: u16, table: &RoundTable) -> NewGame {
    NewGame {
        kind,
        options: setup.options_of(round, table),
        seats: table.seats.len() as u8,
        visibility: Visibility::Public,
        sit: None,
        pace: setup.pace(),
        rated: setup.is_rated(),
        bots: Vec::new(),
    }
}

/// The row of such a game, created on behalf of `organiser`.
fn row(new: &NewGame, organiser: &Actor, seed: &Seed, now: Timestamp) -> NewRow {
    NewRow {
        server_seed: *seed.bytes(),
        kind: new.kind.kind.to_owned(),
        rules_version: new.kind.rules_version.cast_signed(),
        options: new.options.get().to_owned(),
        seats: i16::from(new.seats),
        visibility: new.visibility.as_str(),
        created_by: organiser.account,
        created_at: now,
        idempotency_key: None,
        turn_seconds: new.pace.turn_seconds.map(u32::cast_signed),
        bank_seconds: new.pace.bank_seconds.cast_signed(),
        is_rated: new.rated,
        rematch_of: None,
        guest_network: None,
    }
}

/// The results of the deal alone: a hand can be over with it, and the last hand ends the game.
fn come_of(step: &decide::Step) -> Result<Vec<Change>, StoreError> {
    let ended = step.entries.iter().filter_map(|sealed| change(sealed, None, &step.table));
    let mut changes: Vec<Change> = ended.filter(|change| matches!(change, Change::Ended(_))).collect();
    changes.extend(hand_results::change(step)?);
    Ok(changes)
}

fn seated(who: &Who, shares_orders: bool) -> Seated {
    match who {
        Who::Player { player, account, client_seed, program } => Seated::Player {
            player: player.clone(),
            account: *account,
            client_seed: if shares_orders { String::new() } else { client_seed.clone() },
            program: *program,
        },
        Who::Bot { bot, .. } => Seated::Bot { bot: *bot, client_seed: String::new() },
    }
}

fn account(seated: &Seated) -> Option<Uuid> {
    match seated {
        Seated::Player { account, .. } => Some(*account),
        Seated::Bot { .. } => None,
    }
}

/// The account in whose name the house seats entrants and calls tables off.
fn organiser(tournament: &Tournament) -> Actor {
    let organiser = tournament.owner();
    Actor {
        account: organiser.account,
        username: organiser.name.clone(),
        admin: true,
        is_program: false,
        invite: None,
    }
}
