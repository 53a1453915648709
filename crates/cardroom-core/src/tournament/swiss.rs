//! Keeps entrants apart that have met before.

/// By how many tables two entrants that change places may be apart, nearer ones first: so the pairing follows the
/// results as closely as can be.
const REACH: [usize; 5] = [1, 2, 4, 8, 16];

/// The tables, the best first, with as few rematches as exchanges of two entrants bring about. An exchange is made
/// where it saves a rematch; of several, the one that saves most, then the nearest.
pub(super) fn apart(mut tables: Vec<Vec<u32>>, met: &[Vec<u32>]) -> Vec<Vec<u32>> {
    for reach in REACH {
        // Each exchange leaves fewer rematches, so this ends.
        while (0..tables.len()).filter(|&at| improve(&mut tables, at, reach, met)).count() > 0 {}
    }
    tables
}

/// Makes the best exchange for each entrant at a table that meets another one again. Returns whether there was one.
fn improve(tables: &mut [Vec<u32>], at: usize, reach: usize, met: &[Vec<u32>]) -> bool {
    let mut moved = false;
    for seat in 0..tables[at].len() {
        if rematches(tables[at][seat], &tables[at], seat, met) == 0 {
            continue;
        }
        let near = at.saturating_sub(reach)..(at + reach + 1).min(tables.len());
        let exchanges = near.filter(|&other| other != at).flat_map(|other| {
            let tables = &*tables;
            (0..tables[other].len()).map(move |place| {
                (saved(tables, (at, seat), (other, place), met), other.abs_diff(at), other, place)
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

/// How many rematches fewer there are if two change places.
fn saved(tables: &[Vec<u32>], one: (usize, usize), two: (usize, usize), met: &[Vec<u32>]) -> i64 {
    let (here, there) = (&tables[one.0], &tables[two.0]);
    let (a, b) = (here[one.1], there[two.1]);
    let before = rematches(a, here, one.1, met) + rematches(b, there, two.1, met);
    let after = rematches(b, here, one.1, met) + rematches(a, there, two.1, met);
    before - after
}

/// How often an entrant has met the entrants at a table, the one at `seat` left out.
fn rematches(entrant: u32, table: &[u32], seat: usize, met: &[Vec<u32>]) -> i64 {
    let met = &met[entrant as usize];
    let times = |other: u32| {
        let from = met.partition_point(|&known| known < other);
        met[from..].iter().take_while(|&&known| known == other).count() as i64
    };
    table.iter().enumerate().filter(|(at, _)| *at != seat).map(|(_, &other)| times(other)).sum()
}
