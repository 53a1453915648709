//! Who goes on in a knockout: the best of each table, or of each group before it.

use super::format::Format;
use super::game_results::GameResults;
use super::log::RoundBegan;
use super::pairing::Pairing;
use super::results::Results;
use super::standings::Order;

/// Entrants of whom the best go on, and how many go on at most.
type Contest = (Vec<u32>, usize);

impl Pairing<'_> {
    /// What was played in the last round, or in the groups, for a place in this one. Those who are not there any more
    /// are not in it.
    fn contests(&self, last: &RoundBegan) -> Vec<Contest> {
        let (qualify, advance) = match self.tournament.setup().format {
            Format::Knockout { advance } => (0, advance),
            Format::Groups { qualify, advance, .. } => (qualify, advance),
            Format::Rounds { .. } | Format::Arena { .. } | Format::Freezeout {} => return Vec::new(),
        };
        // One at least goes out, unless one is all there are.
        let quota = |most: u8, entrants: usize| usize::from(most).min(entrants.saturating_sub(1)).max(1);
        if self.follows_groups() {
            let mut groups: Vec<Vec<u32>> = Vec::new();
            let first = self.tournament.rounds.first().map_or(&[][..], |first| &first.lots);
            for &entrant in first {
                let group = usize::from(self.group(entrant).unwrap_or(1));
                groups.resize(groups.len().max(group), Vec::new());
                groups[group - 1].push(entrant);
            }
            return groups
                .into_iter()
                .map(|group| (self.there(&group), quota(qualify, group.len())))
                .collect();
        }
        let tables = last.tables.iter().map(|table| table.seats.iter().flatten().copied().collect());
        tables.map(|table: Vec<u32>| (self.there(&table), quota(advance, table.len()))).collect()
    }

    /// Those who sat out the last round; they go on.
    fn unplayed(&self, last: &RoundBegan) -> Vec<u32> {
        if self.follows_groups() { Vec::new() } else { self.there(&last.byes) }
    }

    pub(super) fn there(&self, entrants: &[u32]) -> Vec<u32> {
        entrants.iter().copied().filter(|&entrant| self.lots.position(entrant).is_some()).collect()
    }

    /// The entrants that go on, in the order of the lots. If they are too few for a table, the best of
    /// the entrants that are out come back.
    pub fn going_on(&self, last: &RoundBegan, game_results: &GameResults) -> Vec<u32> {
        let results = Results::new(self.tournament, game_results);
        let mut going_on = self.unplayed(last);
        let (lists, quotas): (Vec<Vec<u32>>, Vec<usize>) = self.contests(last).into_iter().unzip();
        let order = Order::new(self.tournament, &results, &lists);
        for (list, quota) in lists.into_iter().zip(quotas) {
            going_on.extend(self.by_order(&order, list).into_iter().take(quota));
        }
        if (1..self.least()).contains(&going_on.len()) {
            let is_out = |entrant: &u32| !going_on.contains(entrant);
            let out: Vec<u32> = self.lots.drawn.iter().copied().filter(is_out).collect();
            let order = Order::new(self.tournament, &results, std::slice::from_ref(&out));
            let missing = self.least() - going_on.len();
            going_on.extend(self.by_order(&order, out).into_iter().take(missing));
        }
        self.lots.sorted(going_on)
    }

    /// The best first; where nothing else decides, the lots do.
    fn by_order(&self, order: &Order<'_>, mut entrants: Vec<u32>) -> Vec<u32> {
        let position = |entrant| self.lots.position(entrant);
        entrants.sort_unstable_by(|&a, &b| order.compare(a, b).then(position(a).cmp(&position(b))));
        entrants
    }

    /// How few can sit at the last table.
    pub(super) fn least(&self) -> usize {
        let filled = self.tournament.setup().fill.is_some();
        if filled { 2 } else { self.tournament.kind().min_seats.into() }
    }

    /// Whether these, in ascending order, can be the entrants in the round.
    pub fn may_be(&self, players: &[u32]) -> bool {
        let all = self.lots.drawn.len();
        let last = match (self.tournament.rounds.last(), self.tournament.setup().format) {
            (None, _) => return players.len() == all,
            (Some(_), Format::Rounds { rounds, .. }) => return self.round <= rounds && players.len() == all,
            (Some(last), Format::Freezeout {}) => return self.may_survive(last, players),
            (Some(_), _) if self.is_group_round() => return players.len() == self.grouped().len(),
            (Some(last), _) => last,
        };
        let in_it = |list: &[u32]| list.iter().filter(|one| players.binary_search(one).is_ok()).count();
        let unplayed = self.unplayed(last);
        let mut going_on = unplayed.len();
        let mut as_many = in_it(&unplayed) == going_on;
        for (list, quota) in self.contests(last) {
            let quota = quota.min(list.len());
            going_on += quota;
            as_many &= in_it(&list) >= quota;
        }
        let expected = if going_on == 0 { 0 } else { going_on.max(self.least().min(all)) };
        !self.tournament.ends_with(last) && as_many && players.len() == expected
    }
}
