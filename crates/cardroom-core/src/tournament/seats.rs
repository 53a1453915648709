//! Which seat of a table an entrant takes: each as often as the others, as far as that can be.

use super::state::Tournament;

/// By entrant: how often they have sat at each seat.
pub(super) struct SeatCounts(Vec<Vec<u16>>);

impl Tournament {
    pub(super) fn seat_counts(&self) -> SeatCounts {
        let mut counts = SeatCounts(vec![Vec::new(); self.entrants.len()]);
        for table in self.rounds.iter().flat_map(|round| &round.tables) {
            for (seat, entrant) in table.seats.iter().enumerate() {
                if let Some(entrant) = entrant {
                    counts.count(*entrant, seat);
                }
            }
        }
        counts
    }
}

impl SeatCounts {
    fn count(&mut self, entrant: u32, seat: usize) {
        let seats = &mut self.0[entrant as usize];
        seats.resize(seats.len().max(seat + 1), 0);
        seats[seat] += 1;
    }

    /// What it costs to seat an entrant there: more, the more often they have sat there.
    fn cost(&self, entrant: u32, seat: usize) -> u64 {
        let times = u64::from(self.0[entrant as usize].get(seat).copied().unwrap_or(0));
        2 * times + 1
    }

    /// The entrants at a table, seat 0 first: the sum of the squares of all their counts is the least that can be. Where
    /// several orders are as good, it is the one nearest to the order in which they are given.
    pub fn seated(&self, entrants: &[u32]) -> Vec<u32> {
        let all = (1usize << entrants.len()) - 1;
        // By those that are still without a seat: the least that the seats which are left cost.
        let mut least = vec![u64::MAX; all + 1];
        least[0] = 0;
        for left in 1..=all {
            let seat = entrants.len() - left.count_ones() as usize;
            let costs =
                members(left).map(|member| least[left & !(1 << member)] + self.cost(entrants[member], seat));
            least[left] = costs.min().unwrap_or(u64::MAX);
        }
        let mut left = all;
        let take = |seat| {
            let fits = |member: &usize| {
                least[left] == least[left & !(1 << member)] + self.cost(entrants[*member], seat)
            };
            let member = members(left).find(fits).expect("one of them costs the least");
            left &= !(1 << member);
            entrants[member]
        };
        (0..entrants.len()).map(take).collect()
    }
}

/// The numbers of the bits that are set, in ascending order.
fn members(set: usize) -> impl Iterator<Item = usize> {
    let end = (usize::BITS - set.leading_zeros()) as usize;
    (0..end).filter(move |member| set & (1 << member) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_who_have_not_sat_anywhere_keep_their_order() {
        let counts = SeatCounts(vec![Vec::new(); 9]);
        assert_eq!(counts.seated(&[5, 2, 8, 0]), [5, 2, 8, 0]);
        assert_eq!(counts.seated(&[]), [0; 0]);
    }

    #[test]
    fn after_as_many_rounds_as_seats_everybody_has_sat_everywhere_once() {
        let entrants: Vec<u32> = (0..6).collect();
        let mut counts = SeatCounts(vec![Vec::new(); entrants.len()]);
        for _ in 0..entrants.len() {
            for (seat, entrant) in counts.seated(&entrants).into_iter().enumerate() {
                counts.count(entrant, seat);
            }
        }
        assert!(counts.0.iter().all(|seats| seats == &[1; 6]), "{:?}", counts.0);
    }
}
