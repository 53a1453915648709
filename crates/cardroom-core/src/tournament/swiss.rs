//! Keeps entrants apart that have met before.

use super::meetings::Met;

/// By how many tables two entrants that change places may be apart, nearer ones first: so the pairing follows the
/// results as closely as can be.
const REACH: [usize; 5] = [1, 2, 4, 8, 16];

/// The tables, the best first, with as few rematches as exchanges of two entrants bring about. An exchange is made
/// where it saves a rematch; of several, the one that saves most, then the nearest.
pub(super) fn apart(mut tables: Vec<Vec<u32>>, met: &Met) -> Vec<Vec<u32>> {
    for reach in REACH {
        // Each exchange leaves fewer rematches, so this ends.
        while (0..tables.len()).filter(|&at| improve(&mut tables, at, reach, met)).count() > 0 {}
    }
    tables
}

/// Makes the best exchange for each entrant at a table that meets another one again. Returns whether there was one.
fn improve(tables: &mut [Vec<u32>], at: usize, reach: usize, met: &Met) -> bool {
    let mut moved = false;
    for seat in 0..tables[at].len() {
        if met.rematches(tables[at][seat], &tables[at], seat) == 0 {
            continue;
        }
        let near = at.saturating_sub(reach)..(at + reach + 1).min(tables.len());
        let exchanges = near.filter(|&other| other != at).flat_map(|other| {
            let tables = &*tables;
            (0..tables[other].len()).map(move |place| {
                (met.saved(tables, (at, seat), (other, place)), other.abs_diff(at), other, place)
            })
        });
        let best = exchanges
            .filter(|(saved, ..)| *saved > 0)
            .min_by_key(|&(saved, far, other, place)| (-saved, far, other, place));
        if let Some((_, _, other, place)) = best {
            let (one, two) = (tables[at][seat], tables[other][place]);
            (tables[at][seat], tables[other][place]) = (two, one);
            moved = true;
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws these tables where these pairs have met; a pair that stands twice has met twice.
    fn drawn<const SIZE: usize>(tables: &[[u32; SIZE]], pairs: &[[u32; 2]]) -> Vec<Vec<u32>> {
        let mut met = vec![Vec::new(); tables.len() * SIZE];
        for [one, other] in pairs {
            met[*one as usize].push(*other);
            met[*other as usize].push(*one);
        }
        apart(tables.iter().map(|table| table.to_vec()).collect(), &Met::new(met))
    }

    #[test]
    fn tables_without_rematches_stay_as_they_are() {
        assert_eq!(drawn(&[[0, 1], [2, 3]], &[[0, 2], [1, 3], [0, 3]]), [[0, 1], [2, 3]]);
        assert_eq!(drawn(&[[0, 1]], &[[0, 1]]), [[0, 1]], "nobody is there to change places with");
    }

    #[test]
    fn entrants_that_meet_again_change_places_with_the_next_table_up_or_down() {
        assert_eq!(drawn(&[[0, 1], [2, 3]], &[[0, 1]]), [[2, 1], [0, 3]]);
        assert_eq!(drawn(&[[0, 1], [2, 3]], &[[2, 3]]), [[2, 1], [0, 3]]);
        assert_eq!(drawn(&[[0, 1], [2, 3], [4, 5]], &[[4, 5]]), [[0, 1], [4, 3], [2, 5]]);
    }

    #[test]
    fn the_exchange_is_made_that_saves_most_rematches() {
        // With the table below, both pairs that meet again are parted at once.
        assert_eq!(drawn(&[[0, 1], [2, 3], [4, 5]], &[[2, 3], [4, 5]]), [[0, 1], [4, 3], [2, 5]]);
        // A pair that has met three times is parted, though two other pairs meet again by that.
        let pairs = [[0, 1], [0, 1], [0, 1], [1, 2], [0, 3], [1, 3], [0, 2]];
        let tables = drawn(&[[0, 1], [2, 3]], &pairs);
        assert_eq!(tables, [[2, 1], [0, 3]]);
        assert_eq!(drawn(&[[0, 1], [2, 3]], &pairs[1..]), [[0, 1], [2, 3]], "two for two save nothing");
    }

    #[test]
    fn nearer_tables_come_first_and_sixteen_tables_away_is_far_enough() {
        // Entrant 0 has met 1, and both have met all that sit nearer than the last table.
        for far in [2, 3, 4, 8, 16, 17] {
            let tables: Vec<[u32; 2]> = (0..=far).map(|table| [2 * table, 2 * table + 1]).collect();
            let near = (2..2 * far).flat_map(|other| [[0, other], [1, other]]);
            let pairs: Vec<[u32; 2]> = near.chain([[0, 1]]).collect();
            let mut expected = tables.clone();
            if far <= 16 {
                (expected[0][0], expected[far as usize][0]) = (2 * far, 0);
            }
            assert_eq!(drawn(&tables, &pairs), expected, "{far} tables away");
        }
    }
}
