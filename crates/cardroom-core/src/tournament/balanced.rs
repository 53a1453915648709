//! Rounds in which everybody meets as many others as can be: by a schedule where one exists, and else by a search.

use super::meetings::{Met, spread};
use super::plan::Plan;
use super::schedule::Schedule;
use super::state::Tournament;

/// A round that is being drawn so.
pub(super) struct Balanced {
    plan: Plan,
    /// By entrant: their position in the schedule, which is the same in all rounds.
    positions: Vec<Option<usize>>,
    /// By position: the table.
    scheduled: Vec<usize>,
}

impl Balanced {
    /// `lots`: of this round. `is_here`: which entrants can sit together. `players`: how many of them are in it.
    pub fn new(
        tournament: &Tournament,
        lots: &[u32],
        is_here: impl Fn(u32) -> bool,
        plan: Plan,
        players: usize,
    ) -> Balanced {
        let mut positions = vec![None; tournament.entrants.len()];
        let mut known = 0;
        let earlier = tournament.rounds.iter().flat_map(|round| &round.lots);
        for &entrant in earlier.chain(lots).filter(|&&entrant| is_here(entrant)) {
            positions[entrant as usize].get_or_insert_with(|| {
                known += 1;
                known - 1
            });
        }
        let seats = plan.players_at(0);
        // The schedule for an odd number at tables of two has a position that is nobody's.
        let tables = if seats == 2 { known.max(players).div_ceil(2) } else { plan.tables };
        let scheduled = Schedule::new(tables, seats).round(tournament.rounds.len());
        Balanced { plan, positions, scheduled }
    }

    /// The table of the schedule at which an entrant sits; none for those who came when it was full.
    fn scheduled(&self, entrant: u32) -> Option<usize> {
        self.positions[entrant as usize].and_then(|position| self.scheduled.get(position).copied())
    }

    /// At tables of two: the first of the players, in their order, who `may` sit out and whose opponent in the schedule is
    /// not there.
    pub fn without_opponent(&self, players: &[u32], may: impl Fn(&u32) -> bool) -> Option<u32> {
        if self.plan.players_at(0) != 2 {
            return None;
        }
        let mut there = vec![0; self.scheduled.len()];
        for table in players.iter().filter_map(|&player| self.scheduled(player)) {
            there[table] += 1;
        }
        let is_alone = |player: &u32| self.scheduled(*player).is_none_or(|table| there[table] == 1);
        players.iter().copied().find(|player| may(player) && is_alone(player))
    }

    /// The tables; `seated` are in the order of the lots.
    pub fn tables(&self, seated: &[u32], met: &Met) -> Vec<Vec<u32>> {
        let (by_schedule, by_lots) = (self.fitted(seated, met), self.plan.cut(seated));
        let is_better = met.sum(&by_schedule) <= met.sum(&by_lots);
        spread(if is_better { by_schedule } else { by_lots }, met)
    }

    /// The tables of the schedule, made as large as they should be: entrants for whom it has no table, or no room, sit where
    /// they have met the fewest.
    fn fitted(&self, seated: &[u32], met: &Met) -> Vec<Vec<u32>> {
        let mut tables = vec![Vec::new(); self.scheduled.len()];
        let mut others = Vec::new();
        for &entrant in seated {
            match self.scheduled(entrant) {
                Some(table) => tables[table].push(entrant),
                None => others.push(entrant),
            }
        }
        tables.sort_by_key(|table| std::cmp::Reverse(table.len()));
        others.extend(tables.split_off(self.plan.tables.min(tables.len())).into_iter().flatten());
        tables.resize(self.plan.tables, Vec::new());
        for (at, table) in tables.iter_mut().enumerate() {
            others.extend(table.split_off(self.plan.players_at(at).min(table.len())));
        }
        for entrant in others {
            let has_room = |at: &usize| tables[*at].len() < self.plan.players_at(*at);
            let free = (0..tables.len()).filter(has_room);
            let best = free.min_by_key(|&at| met.rematches(entrant, &tables[at], usize::MAX));
            tables[best.expect("there is a seat for each")].push(entrant);
        }
        tables
    }
}
