//! Which entrants have met, and tables at which as few of them meet again as can be.

use std::cmp::Reverse;

use super::log::Rematches;
use super::state::Tournament;
use crate::rules::bot::Luck;

/// With how many entrants the tables are searched through at most; with more, one exchange after the other is tried.
const SEARCHED: usize = 512;
/// How many exchanges a search tries for each entrant.
const TRIES: usize = 3_000;
/// With how many others an entrant who meets somebody again is compared, where nothing is searched.
const COMPARED: usize = 64;
/// How often all such entrants are looked at.
const PASSES: usize = 8;

/// How many meetings it weighs that two entrants are in one team.
const TEAM: i64 = 64;

/// The entrants who should not sit together.
pub(super) struct Met {
    /// By entrant: the entrants that they have sat with, each as often as they have met, ascending.
    met: Vec<Vec<u32>>,
    /// By entrant: the team. Shorter where there are no teams.
    teams: Vec<Option<u32>>,
}

impl Tournament {
    /// For rounds in which only teams are kept apart.
    pub(super) fn teams_apart(&self) -> Met {
        Met::apart(self.team_numbers())
    }

    fn teams_to_part(&self) -> Vec<Option<u32>> {
        if self.setup().teams.is_some() { self.team_numbers() } else { Vec::new() }
    }

    pub(super) fn met(&self) -> Met {
        let mut met = vec![Vec::new(); self.entrants.len()];
        for table in self.rounds.iter().flat_map(|round| &round.tables) {
            for one in table.seats.iter().flatten() {
                let others = table.seats.iter().flatten().filter(|other| *other != one);
                met[*one as usize].extend(others.copied());
            }
        }
        Met { teams: self.teams_to_part(), ..Met::new(met) }
    }
}

impl Met {
    pub fn new(mut met: Vec<Vec<u32>>) -> Met {
        met.iter_mut().for_each(|others| others.sort_unstable());
        Met { met, teams: Vec::new() }
    }

    /// Nobody has met; by entrant, the team whose members should not sit together.
    pub fn apart(teams: Vec<Option<u32>>) -> Met {
        Met { met: vec![Vec::new(); teams.len()], teams }
    }

    /// How often two entrants have sat together.
    fn met(&self, one: u32, other: u32) -> i64 {
        let met = &self.met[one as usize];
        let from = met.partition_point(|&known| known < other);
        met[from..].iter().take_while(|&&known| known == other).count() as i64
    }

    fn are_team_mates(&self, one: u32, other: u32) -> bool {
        let team = |entrant: u32| self.teams.get(entrant as usize).copied().flatten();
        team(one).is_some() && team(one) == team(other)
    }

    /// How many rematches it weighs if two entrants sit together.
    fn times(&self, one: u32, other: u32) -> i64 {
        self.met(one, other) + if self.are_team_mates(one, other) { TEAM } else { 0 }
    }

    /// How many rematches it weighs if an entrant sits with those at a table, the one at `seat` left out.
    pub fn rematches(&self, entrant: u32, table: &[u32], seat: usize) -> i64 {
        let others = table.iter().enumerate().filter(|(at, _)| *at != seat);
        others.map(|(_, &other)| self.times(entrant, other)).sum()
    }

    /// How many rematches fewer there are if two change places, each given by table and seat.
    pub fn saved(&self, tables: &[Vec<u32>], one: (usize, usize), two: (usize, usize)) -> i64 {
        let (here, there) = (&tables[one.0], &tables[two.0]);
        let (a, b) = (here[one.1], there[two.1]);
        let before = self.rematches(a, here, one.1) + self.rematches(b, there, two.1);
        let after = self.rematches(b, here, one.1) + self.rematches(a, there, two.1);
        before - after
    }

    /// What it weighs that the entrants at a table sit together.
    fn all_rematches(&self, table: &[u32]) -> i64 {
        let seats = 0..table.len();
        seats.map(|seat| self.rematches(table[seat], &table[..seat], seat)).sum()
    }

    /// What it weighs that entrants sit together at these tables.
    pub fn sum(&self, tables: &[Vec<u32>]) -> i64 {
        tables.iter().map(|table| self.all_rematches(table)).sum()
    }

    /// All pairs at these tables that have met before.
    pub fn at(&self, tables: &[Vec<u32>]) -> Rematches {
        let again = |table: &Vec<u32>| {
            let pairs = table
                .iter()
                .enumerate()
                .flat_map(|(at, &one)| table[..at].iter().filter(move |&&other| self.met(one, other) > 0));
            pairs.count() as u32
        };
        Rematches { pairs: tables.iter().map(again).sum(), fewest: self.fewest(tables) }
    }

    /// An entrant who sits with more others than there are whom they have not met meets some again.
    fn fewest(&self, tables: &[Vec<u32>]) -> u32 {
        let mut there: Vec<u32> = tables.iter().flatten().copied().collect();
        there.sort_unstable();
        let others = tables.iter().map(Vec::len).min().unwrap_or(1).saturating_sub(1);
        let again = |entrant: &u32| {
            let mut known = self.met[*entrant as usize].clone();
            known.dedup();
            known.retain(|known| there.binary_search(known).is_ok());
            (others + known.len() + 1).saturating_sub(there.len())
        };
        there.iter().map(again).sum::<usize>().div_ceil(2) as u32
    }
}

/// Tables of the same sizes with as few rematches as a search of bounded length finds. It finds the same everywhere.
pub(super) fn spread(tables: Vec<Vec<u32>>, met: &Met) -> Vec<Vec<u32>> {
    if met.sum(&tables) == 0 {
        return tables;
    }
    let entrants: usize = tables.iter().map(Vec::len).sum();
    if entrants > SEARCHED {
        return exchanged(tables, met);
    }
    Search::new(tables, met).run()
}

/// Lets each entrant who meets somebody again change places with the best of some others.
fn exchanged(mut tables: Vec<Vec<u32>>, met: &Met) -> Vec<Vec<u32>> {
    let mut luck = Luck::new(tables.len() as u64);
    for _ in 0..PASSES {
        let mut again = 0;
        for at in 0..tables.len() {
            for seat in 0..tables[at].len() {
                if met.rematches(tables[at][seat], &tables[at], seat) == 0 {
                    continue;
                }
                again += 1;
                let others = (0..COMPARED).map(|_| {
                    let table = luck.below(tables.len());
                    (table, luck.below(tables[table].len()))
                });
                let best = others
                    .filter(|(table, _)| *table != at)
                    .map(|other| (met.saved(&tables, (at, seat), other), other))
                    .filter(|(saved, _)| *saved > 0)
                    .max_by_key(|&(saved, other)| (saved, Reverse(other)));
                if let Some((_, (table, place))) = best {
                    let (one, two) = (tables[at][seat], tables[table][place]);
                    (tables[at][seat], tables[table][place]) = (two, one);
                }
            }
        }
        if again == 0 {
            break;
        }
    }
    tables
}

/// A search by threshold accepting: exchanges are made at random, and one that makes things a little worse is made, too,
/// as long as there is time to mend it. All is counted in whole numbers, so that every machine finds the same.
struct Search {
    entrants: Vec<u32>,
    /// By place: where a table ends, another one begins.
    places: Vec<usize>,
    /// The range of places of each table.
    tables: Vec<std::ops::Range<usize>>,
    table_of: Vec<usize>,
    /// For each two of the entrants, what it weighs if they sit together.
    times: Vec<u8>,
    cost: i64,
    fewest: i64,
}

impl Search {
    fn new(tables: Vec<Vec<u32>>, met: &Met) -> Search {
        let entrants: Vec<u32> = tables.iter().flatten().copied().collect();
        let pairs = entrants.iter().flat_map(|&one| entrants.iter().map(move |&other| (one, other)));
        let times = pairs.map(|(one, other)| met.times(one, other).min(u8::MAX.into()) as u8).collect();
        let (mut ranges, mut table_of, mut from) = (Vec::new(), Vec::new(), 0);
        for (at, table) in tables.iter().enumerate() {
            ranges.push(from..from + table.len());
            table_of.extend(std::iter::repeat_n(at, table.len()));
            from += table.len();
        }
        let cost = met.sum(&tables);
        let places = (0..entrants.len()).collect();
        let fewest = i64::from(met.fewest(&tables));
        Search { entrants, places, tables: ranges, table_of, times, cost, fewest }
    }

    fn run(mut self) -> Vec<Vec<u32>> {
        let (mut best, mut least) = (self.places.clone(), self.cost);
        let tries = TRIES * self.places.len();
        let mut luck = Luck::new(self.entrants.len() as u64);
        for tried in 0..tries {
            if least <= self.fewest {
                break;
            }
            // Four times from loose to strict.
            let threshold = if tried % (tries / 4).max(1) < tries / 8 { 1 } else { 0 };
            let (one, other) = (luck.below(self.places.len()), luck.below(self.places.len()));
            // Mostly, entrants who meet somebody again change places.
            let is_idle = tried % 8 > 0 && self.again(self.places[one], one) == 0;
            if is_idle || self.table_of[one] == self.table_of[other] {
                continue;
            }
            let worse = self.worse(one, other);
            if worse <= threshold {
                self.places.swap(one, other);
                self.cost += worse;
                if self.cost < least {
                    (best, least) = (self.places.clone(), self.cost);
                }
            }
        }
        let table = |places: &std::ops::Range<usize>| {
            best[places.clone()].iter().map(|&number| self.entrants[number]).collect()
        };
        self.tables.iter().map(table).collect()
    }

    /// How often an entrant has met those who sit at the table of a place, the one at the place left out.
    fn again(&self, entrant: usize, place: usize) -> i64 {
        let times = &self.times[entrant * self.entrants.len()..][..self.entrants.len()];
        let table = self.tables[self.table_of[place]].clone();
        table.filter(|&at| at != place).map(|at| i64::from(times[self.places[at]])).sum()
    }

    /// How many rematches more there are if those at two places change.
    fn worse(&self, one: usize, other: usize) -> i64 {
        let (a, b) = (self.places[one], self.places[other]);
        self.again(a, other) + self.again(b, one) - self.again(a, one) - self.again(b, other)
    }
}
