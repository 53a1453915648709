//! An arena: players come and go, and those who are free are seated at new tables while others still play.
//!
//! Which games have ended stands in the games' logs. So by the tournament's log alone it can be checked that tables and
//! seats follow from the lots, but not who was free; an audit, which has the games, checks that everybody in the lots was.

use std::slice;
use std::sync::Arc;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::acts::{CheckInCancelled, CheckedIn, Reinstated};
use super::format::Format;
use super::game_results::GameResults;
use super::log::{Disqualified, RoundBegan, RoundTable, TournamentEntry, TournamentEvent, Withdrawn};
use super::lots::Lots;
use super::meetings::Met;
use super::plan::Plan;
use super::state::{Status, Tournament};
use super::swiss;

/// After a draw, the next one waits so long, so that players whose games end at about the same time are drawn together.
const GATHERING: SignedDuration = SignedDuration::from_secs(5);
/// If no table was drawn for so long, players who wait get tables that are not full.
const PATIENCE: SignedDuration = SignedDuration::from_mins(1);
/// So many games an entrant plays at most, as in a tournament of rounds.
const MOST_GAMES: u16 = 100;

impl Tournament {
    /// From when on an arena seats nobody; none before its start, and for other formats.
    pub fn arena_ends_at(&self) -> Option<Timestamp> {
        match self.setup().format {
            Format::Arena { minutes } => Some(self.started_at? + SignedDuration::from_mins(minutes.into())),
            _ => None,
        }
    }

    /// Whether an arena still seats players.
    pub(super) fn arena_runs(&self, at: Timestamp) -> bool {
        self.status == Status::Active && self.arena_ends_at().is_some_and(|ends| at < ends)
    }

    /// The round that is due, or the end. `at`: the time of the entry that follows; `clock`: the house's.
    pub(super) fn arena_next(
        &self,
        game_results: &GameResults,
        (at, clock): (Timestamp, Timestamp),
        ids: &mut dyn FnMut() -> Uuid,
    ) -> Option<TournamentEvent> {
        if self.arena_runs(at) {
            return self.arena_round(game_results, clock, ids).map(TournamentEvent::RoundBegan);
        }
        let is_over = |round: &Arc<RoundBegan>| self.is_round_over(round, game_results);
        self.rounds.iter().all(is_over).then(|| self.end_event())
    }

    fn arena_round(
        &self,
        game_results: &GameResults,
        clock: Timestamp,
        ids: &mut dyn FnMut() -> Uuid,
    ) -> Option<RoundBegan> {
        let waited = self.drawn_at.map(|drawn| clock.duration_since(drawn));
        // If the clock stands well before the last draw, it was put back. Nobody waits until it has caught up.
        if waited.is_some_and(|waited| waited.abs() < GATHERING) {
            return None;
        }
        let busy = self.busy(game_results);
        let mut free = self.arena_players();
        free.retain(|&entrant| !busy[entrant as usize]);
        let everybody = !busy.contains(&true) || waited.is_some_and(|waited| waited >= PATIENCE);
        let plan = self.arena_plan(free.len(), everybody)?;
        let lots = self.shuffled(self.round_to_come(), free);
        Some(self.arena_draw(lots, plan, ids))
    }

    /// The numbers of the entrants who may be seated once they are free, ascending.
    pub(super) fn arena_players(&self) -> Vec<u32> {
        let mut players = self.remaining();
        players.retain(|&entrant| self.may_play_on(entrant));
        players
    }

    fn may_play_on(&self, entrant: u32) -> bool {
        let registration = &self.entrants[entrant as usize];
        registration.departure.is_none() && registration.tables < MOST_GAMES
    }

    /// How many of those who sit at a table may be seated at another one afterwards.
    pub fn players_on(&self, table: &RoundTable) -> usize {
        table.seats.iter().flatten().filter(|&&entrant| self.may_play_on(entrant)).count()
    }

    /// The newest tables, in an arena, of those who have left or come back by this entry.
    pub fn tables_left(&self, entry: &TournamentEntry) -> Vec<&RoundTable> {
        if !self.setup().is_arena() {
            return Vec::new();
        }
        let entrants = match &entry.event {
            TournamentEvent::Withdrawn(Withdrawn { entrant })
            | TournamentEvent::Disqualified(Disqualified { entrant, .. })
            | TournamentEvent::Reinstated(Reinstated { entrant, .. })
            | TournamentEvent::CheckedIn(CheckedIn { entrant })
            | TournamentEvent::CheckInCancelled(CheckInCancelled { entrant }) => slice::from_ref(entrant),
            TournamentEvent::RoundEnded(ended) => &ended.absent,
            _ => return Vec::new(),
        };
        let tables = entrants.iter().filter_map(|&entrant| self.last_table(entrant));
        tables
            .map(|(round, table)| &self.rounds[usize::from(round) - 1].tables[usize::from(table) - 1])
            .collect()
    }

    /// By entrant, whether they sit at a table whose game runs.
    fn busy(&self, game_results: &GameResults) -> Vec<bool> {
        let mut busy = vec![false; self.entrants.len()];
        for round in &self.rounds {
            for table in &round.tables {
                let game = self.counted_game(game_results, round, table);
                if game.is_none_or(|game| game.end.is_none()) {
                    table.seats.iter().flatten().for_each(|&entrant| busy[entrant as usize] = true);
                }
            }
        }
        busy
    }

    fn round_to_come(&self) -> u16 {
        self.rounds.len() as u16 + 1
    }

    /// How so many free players are seated: `everybody` whom tables of any size take, or else as many as fill tables.
    fn arena_plan(&self, free: usize, everybody: bool) -> Option<Plan> {
        let size = usize::from(self.setup().table_size);
        let players = if everybody { free } else { free / size * size };
        Plan::of(self.setup(), self.kind(), players, false)
    }

    /// Seats those who have waited longest, and exchanges players who come from one table where that parts them.
    fn arena_draw(&self, lots: Vec<u32>, plan: Plan, ids: &mut dyn FnMut() -> Uuid) -> RoundBegan {
        let lots = Lots::new(self, lots);
        let mut seated = lots.drawn.clone();
        // The sort is stable: of those whose last tables were drawn together, the first in the lots come first.
        seated.sort_by_key(|&entrant| self.last_table(entrant).map(|(round, _)| round));
        seated.truncate(plan.seated);
        let seated = lots.sorted(seated);
        let tables = swiss::apart(plan.cut(&seated), &self.met_last(&seated));
        let tables = lots.seated(self, plan.seats, tables, ids);
        let (round, byes) = (self.round_to_come(), Vec::new());
        RoundBegan { round, lots: lots.drawn, tables, byes, shuffle_id: None, rematches: None }
    }

    fn last_table(&self, entrant: u32) -> Option<(u16, u16)> {
        self.entrants[entrant as usize].last_table
    }

    /// Which of these have sat together last.
    fn met_last(&self, seated: &[u32]) -> Met {
        let mut met = vec![Vec::new(); self.entrants.len()];
        let mut by_table = seated.to_vec();
        by_table.retain(|&entrant| self.last_table(entrant).is_some());
        by_table.sort_unstable_by_key(|&entrant| self.last_table(entrant));
        for table in by_table.chunk_by(|&one, &other| self.last_table(one) == self.last_table(other)) {
            for &one in table {
                met[one as usize].extend(table.iter().copied().filter(|&other| other != one));
            }
        }
        Met::new(met)
    }

    /// Whether a round can have been drawn so at this time, as far as the tournament's log goes.
    pub(super) fn check_arena_round(&self, began: &RoundBegan, at: Timestamp) -> Result<(), String> {
        if began.round != self.round_to_come() {
            return Err(format!("round {} was to come", self.round_to_come()));
        }
        if !self.arena_runs(at) {
            return Err("the arena's time is up".to_owned());
        }
        let mut free = began.lots.clone();
        free.sort_unstable();
        let players = self.arena_players();
        let is_there = |entrant: &u32| players.binary_search(entrant).is_ok();
        if free.windows(2).any(|pair| pair[0] == pair[1]) || !free.iter().all(is_there) {
            return Err("the lots name somebody twice, or somebody who is not there".to_owned());
        }
        if self.shuffled(began.round, free) != began.lots {
            return Err("the seed gives other lots".to_owned());
        }
        let is_due = |everybody| {
            let mut games = began.tables.iter().map(|table| table.game);
            let plan = self.arena_plan(began.lots.len(), everybody);
            plan.is_some_and(|plan| {
                self.arena_draw(began.lots.clone(), plan, &mut || games.next().unwrap_or_default()) == *began
            })
        };
        if is_due(false) || is_due(true) { Ok(()) } else { Err("the tables were drawn otherwise".to_owned()) }
    }

    /// What is wrong with what the house did in an arena, by what the games had brought at that time. A game that ended in
    /// the same moment may not have been known then, so it is no fault that a free player was not seated.
    pub fn arena_fault(
        &self,
        event: &TournamentEvent,
        game_results: &GameResults,
        at: Timestamp,
    ) -> Option<&'static str> {
        let busy = self.busy(game_results);
        match event {
            TournamentEvent::RoundBegan(began) => {
                let is_busy = |&entrant: &u32| busy.get(entrant as usize) == Some(&true);
                began.lots.iter().any(is_busy).then_some("somebody was seated whose game was not over")
            }
            TournamentEvent::RoundEnded(ended) => {
                let due = self.absent_from(ended.round, game_results);
                let is_due = due.is_some_and(|absent| absent == ended.absent);
                (!is_due).then_some("by the games the round had not ended, or others were absent")
            }
            TournamentEvent::Finished(_) => {
                let is_over = !self.arena_runs(at) && !busy.contains(&true);
                (!is_over).then_some("the arena had not come to its end")
            }
            _ => None,
        }
    }
}
