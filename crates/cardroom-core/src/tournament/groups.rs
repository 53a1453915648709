//! The groups of a tournament that begins with groups.

use super::format::Format;
use super::meetings::Met;
use super::state::Tournament;

impl Tournament {
    /// By entrant, the group, from 1; empty before the first round, and where there are no groups.
    pub(super) fn groups(&self) -> Vec<Option<u16>> {
        self.rounds.first().map_or_else(Vec::new, |first| self.groups_by(&first.lots))
    }

    /// The groups that follow from the lots of the first round: the first of the lots comes into the first group, the second
    /// into the second, and after the last group it goes on with the first.
    pub(super) fn groups_by(&self, lots: &[u32]) -> Vec<Option<u16>> {
        let Format::Groups { groups, .. } = self.setup().format else { return Vec::new() };
        let mut group_of = vec![None; self.entrants.len()];
        for (&entrant, group) in lots.iter().zip((1..=groups).cycle()) {
            group_of[entrant as usize] = Some(group);
        }
        group_of
    }

    /// For the first round after the groups: those of one group sit apart.
    pub(super) fn groups_apart(&self) -> Met {
        Met::apart(self.groups().into_iter().map(|group| group.map(u32::from)).collect())
    }
}
