//! How many tables a round has, and how large they are.

use super::setup::Setup;
use crate::rules::registry::Kind;

/// How the players of a round are spread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    pub tables: usize,
    /// How many of them sit at tables; the others sit out.
    pub seated: usize,
    /// The least seats of a table: bots take those that are left.
    pub seats: usize,
}

impl Plan {
    /// How `players` are spread over as few tables as there can be, whose sizes differ by one at most. Nobody sits
    /// out where there is another way. None where they are too few. `compare`: a single table is no use.
    pub fn of(setup: &Setup, kind: &Kind, players: usize, compare: bool) -> Option<Plan> {
        let (least, most) = (usize::from(kind.min_seats), usize::from(setup.table_size));
        let filled = setup.fill.is_some();
        let tables = players.div_ceil(most);
        if players < 2 {
            None
        } else if setup.duplicate && (compare || tables > 1) {
            // Like seats are compared, so there are as many at each table.
            if filled {
                let tables = tables.max(2);
                let seats = players.div_ceil(tables).max(least);
                return Some(Plan { tables, seated: players, seats });
            }
            let alike = (least..=most)
                .map(|seats| Plan { tables: players / seats, seated: players / seats * seats, seats })
                .filter(|plan| plan.tables > 1)
                .max_by_key(|plan| (plan.seated, plan.seats));
            // Before its last table, a knockout may have too many players for one table and too few for two.
            alike.or_else(|| if compare { None } else { Plan::full_tables(players, least, most) })
        } else if tables * least <= players || filled {
            Some(Plan { tables, seated: players, seats: least })
        } else {
            Plan::full_tables(players, least, most)
        }
    }

    /// As many tables as the least seats allow, all of them full.
    fn full_tables(players: usize, least: usize, most: usize) -> Option<Plan> {
        let tables = players / least;
        (tables > 0).then_some(Plan { tables, seated: tables * most, seats: least })
    }

    /// How many of the players sit at a table, from 0: the larger tables come first.
    pub fn players_at(&self, table: usize) -> usize {
        self.seated / self.tables + usize::from(table < self.seated % self.tables)
    }

    /// Neighbours in the list sit together.
    pub fn cut(&self, seated: &[u32]) -> Vec<Vec<u32>> {
        let mut rest = seated;
        (0..self.tables)
            .map(|table| {
                let (here, others) = rest.split_at(self.players_at(table));
                rest = others;
                here.to_vec()
            })
            .collect()
    }
}
