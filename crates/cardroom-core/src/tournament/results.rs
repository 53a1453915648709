//! What each game is worth to its players.
//!
//! Fractions are kept as whole numbers of a unit that all of them are multiples of, so that nothing is rounded
//! where equals have to be told from unequals.

use std::collections::BTreeSet;

use super::acts::THOUSANDTHS;
use super::format::{LateEntry, Missed};
use super::game_results::{End, Game, GameResults};
use super::log::{RoundBegan, RoundTable};
use super::ratio::{Ratio, gcd};
use super::setup::ResultBy;
use super::state::{Departure, Tournament};
use crate::rules::{Best, PerSeat};

/// A unit that grew larger than this would not leave room for sums. It takes a duplicate tournament whose number of
/// tables changes a dozen times; then the smallest differences are rounded away.
const LARGEST_UNIT: i128 = 1_000_000_000_000_000;

/// What all games that count were worth.
pub(super) struct Results {
    /// How much of a unit 1 is.
    pub unit: i128,
    /// By entrant.
    pub lines: Vec<Line>,
    /// In the order of the rounds and tables.
    pub games: Vec<TableResults>,
}

/// What an entrant has got together.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    /// The last round they were in; 0 before the first.
    pub round: u16,
    /// Games that were played to their end.
    pub games: u32,
    pub byes: u32,
    /// How many games have a result, and how many rounds that are over had none for this entrant.
    counted: u32,
    missed: u32,
    /// How many rounds are over since the last one they were in. They are missed once the entrant is in another.
    since: u32,
    /// In units.
    pub total: i128,
    /// What the last round they were in has brought, in units.
    pub here: i128,
    /// In units.
    pub best: Option<i128>,
    /// The sum of their opponents' totals, in units, and how many there were.
    pub opponents: (i128, u32),
}

/// A game that may be told of.
pub(super) struct TableResults {
    pub round: u16,
    pub table: u16,
    /// Each entrant with a result, and the result in units.
    pub results: Vec<(u32, i128)>,
}

/// A result before the unit is known.
#[derive(Clone, Copy)]
struct Fraction {
    over: i64,
    under: i64,
}

/// A table, and the result at each of its seats.
type Seats<'a> = (&'a RoundTable, Vec<Option<Fraction>>);

/// A game that counts, and the table that it was played at.
struct Counted<'a> {
    table: &'a RoundTable,
    game: &'a Game,
    places: Option<&'a [u8]>,
}

impl Results {
    pub fn new(tournament: &Tournament, game_results: &GameResults) -> Results {
        Results::before_round_of(tournament, game_results, &[])
    }

    /// As they are when a round with these entrants is drawn.
    pub fn before_round_of(tournament: &Tournament, game_results: &GameResults, entrants: &[u32]) -> Results {
        let mut lines = vec![Line::default(); tournament.entrants.len()];
        let mut rounds = Vec::new();
        let mut unders = BTreeSet::new();
        for round in &tournament.rounds {
            let fractions = tournament.fractions(round, game_results);
            unders.extend(fractions.iter().flat_map(|(_, seats)| seats.iter().flatten()).map(|f| f.under));
            tournament.note(&mut lines, round, &fractions, game_results);
            rounds.push((round, fractions));
        }
        entrants.iter().for_each(|&entrant| lines[entrant as usize].plays_on());
        if tournament.standing_penalties().next().is_some() {
            unders.insert(THOUSANDTHS);
        }
        let counts: BTreeSet<i64> =
            lines.iter().filter(|line| line.missed > 0).map(|line| line.counted.max(1).into()).collect();
        let unit = multiple(5040, &unders);
        // With the finer unit, a mean is a whole number of units, too.
        let finer = unit * multiple(1, &counts);
        let unit = if finer > LARGEST_UNIT { unit } else { finer };
        let mut results = Results { unit, lines, games: Vec::new() };
        for (round, fractions) in rounds {
            results.take(round.round, &fractions);
        }
        results.make_up(tournament);
        results.meet();
        results.penalise(tournament);
        results
    }

    /// Takes the results of a round.
    fn take(&mut self, round: u16, fractions: &[Seats<'_>]) {
        for (table, seats) in fractions {
            let mut told = TableResults { round, table: table.table, results: Vec::new() };
            for (entrant, fraction) in table.seats.iter().zip(seats) {
                let (Some(entrant), Some(Fraction { over, under })) = (*entrant, *fraction) else { continue };
                let result = (i128::from(over) * self.unit).div_euclid(under.into());
                told.results.push((entrant, result));
                let line = &mut self.lines[entrant as usize];
                line.total += result;
                line.best = line.best.max(Some(result));
                if line.round == round {
                    line.here = result;
                }
            }
            self.games.push(told);
        }
    }

    /// A round without a game counts as the mean of the entrant's games, so that it neither helps nor harms; for an
    /// entrant without any game, as what the average seat gets. Chips that nobody played for are neither won nor lost.
    fn make_up(&mut self, tournament: &Tournament) {
        let setup = tournament.setup();
        let average = match &setup.result_by {
            ResultBy::Chips {} => return,
            ResultBy::Places {} => self.unit / 2,
            ResultBy::PlacingPoints { points } => {
                let size = usize::from(setup.table_size);
                let all: u64 = points.iter().take(size).map(|&points| u64::from(points)).sum();
                i128::from(all) * self.unit / size as i128
            }
        };
        for line in self.lines.iter_mut().filter(|line| line.missed > 0) {
            line.total += match line.counted {
                0 => average * i128::from(line.missed),
                games => line.total * i128::from(line.missed) / i128::from(games),
            };
        }
    }

    /// Everybody's opponents.
    fn meet(&mut self) {
        for game in &self.games {
            let all: i128 = game.results.iter().map(|(entrant, _)| self.lines[*entrant as usize].total).sum();
            for (entrant, _) in &game.results {
                let line = &mut self.lines[*entrant as usize];
                line.opponents.0 += all - line.total;
                line.opponents.1 += game.results.len() as u32 - 1;
            }
        }
    }

    /// Adds what penalties change. Neither the opponents' results nor the best game tell of them.
    fn penalise(&mut self, tournament: &Tournament) {
        for penalty in tournament.standing_penalties() {
            let units = i128::from(penalty.result) * self.unit / i128::from(THOUSANDTHS);
            let line = &mut self.lines[penalty.entrant as usize];
            line.total += units;
            line.here += units;
        }
    }

    pub fn line(&self, entrant: u32) -> &Line {
        &self.lines[entrant as usize]
    }

    /// So many units, as a number.
    pub fn number(&self, units: i128) -> Ratio {
        Ratio::new(units, self.unit)
    }
}

impl Line {
    /// The rounds that were over since the last one count as missed.
    fn plays_on(&mut self) {
        self.missed += std::mem::take(&mut self.since);
    }
}

impl Tournament {
    /// Notes for each entrant the last round, and the byes, games and rounds without a result.
    fn note(
        &self,
        lines: &mut [Line],
        round: &RoundBegan,
        fractions: &[Seats<'_>],
        game_results: &GameResults,
    ) {
        for entrant in round.entrants() {
            let line = &mut lines[entrant as usize];
            line.round = round.round;
            line.plays_on();
        }
        round.byes.iter().for_each(|&entrant| lines[entrant as usize].byes += 1);
        if self.is_told(round, game_results) {
            for table in &round.tables {
                let game = self.counted_game(game_results, round, table);
                if matches!(game, Some(Game { end: Some(End::Finished { .. }), .. })) {
                    table.seats.iter().flatten().for_each(|&entrant| lines[entrant as usize].games += 1);
                }
            }
        }
        // Nobody misses a round of an arena.
        let is_over = !self.setup().is_arena() && self.is_round_over(round, game_results);
        if is_over {
            round.entrants().for_each(|entrant| lines[entrant as usize].missed += 1);
        }
        let counts_mean = matches!(self.setup().late_entry, Some(LateEntry { missed: Missed::Mean, .. }));
        if is_over && counts_mean {
            lines.iter_mut().filter(|line| line.round < round.round).for_each(|line| line.since += 1);
        }
        for (table, seats) in fractions {
            for (entrant, _) in table.seats.iter().zip(seats).filter(|(_, fraction)| fraction.is_some()) {
                let Some(entrant) = *entrant else { continue };
                let line = &mut lines[entrant as usize];
                line.counted += 1;
                line.missed -= u32::from(is_over);
            }
        }
    }

    /// Whether a round's games may be told of: like tables of a duplicate round are not over before all are.
    pub(super) fn is_told(&self, round: &RoundBegan, game_results: &GameResults) -> bool {
        !self.setup().duplicate || self.is_round_over(round, game_results)
    }

    pub(super) fn is_disqualified(&self, entrant: Option<u32>) -> bool {
        entrant
            .is_some_and(|entrant| self.entrants[entrant as usize].departure == Some(Departure::Disqualified))
    }

    /// The results of a round by table and seat; none where there is none, or none yet.
    fn fractions<'a>(&'a self, round: &'a RoundBegan, game_results: &'a GameResults) -> Vec<Seats<'a>> {
        if !self.is_told(round, game_results) {
            return Vec::new();
        }
        let counted: Vec<Counted<'a>> = round
            .tables
            .iter()
            .filter_map(|table| Counted::of(table, self.counted_game(game_results, round, table)?))
            .collect();
        let seat_scores = if self.setup().duplicate { self.seat_scores(&counted) } else { Vec::new() };
        let fraction = |counted: &Counted<'a>, seat: usize| match seat_scores.get(seat) {
            _ if self.is_disqualified(counted.table.seats[seat]) => None,
            // A seat with no other to compare with counts as at a table of its own.
            Some(seat_scores) if seat_scores.len() > 1 => self.compared(counted, seat, seat_scores),
            _ => self.alone(counted, seat),
        };
        let seats = |counted: &Counted<'a>| {
            (0..counted.table.seats.len()).map(|seat| fraction(counted, seat)).collect()
        };
        counted.iter().map(|counted| (counted.table, seats(counted))).collect()
    }

    /// What a seat of a table that stands for itself has.
    fn alone(&self, counted: &Counted<'_>, seat: usize) -> Option<Fraction> {
        match &self.setup().result_by {
            ResultBy::Chips {} => {
                let brought = counted.table.stacks.get(seat).copied().or(self.about.buy_in)?;
                Some(Fraction { over: counted.game.scores.get(seat)? - i64::from(brought), under: 1 })
            }
            ResultBy::Places {} => {
                let (own, others) = self.places(counted, seat)?;
                let beaten = others.iter().map(|&other| i64::from(other > own) * 2 + i64::from(other == own));
                (!others.is_empty()).then(|| Fraction { over: beaten.sum(), under: 2 * others.len() as i64 })
            }
            ResultBy::PlacingPoints { points } => {
                let (own, others) = self.places(counted, seat)?;
                let ahead = others.iter().filter(|&&other| other < own).count();
                let level = others.iter().filter(|&&other| other == own).count() + 1;
                // Entrants that share a place share what the places that they take are worth.
                let worth = points.iter().skip(ahead).take(level).map(|&points| i64::from(points)).sum();
                (!others.is_empty()).then_some(Fraction { over: worth, under: level as i64 })
            }
        }
    }

    /// A seat's place, and those of all others but the disqualified, once the game is over.
    fn places(&self, counted: &Counted<'_>, seat: usize) -> Option<(u8, PerSeat<u8>)> {
        let places = counted.places?;
        let others = (0..places.len())
            .filter(|&other| other != seat && !self.is_disqualified(counted.table.seats[other]));
        Some((*places.get(seat)?, others.map(|other| places[other]).collect()))
    }

    /// For each seat, the scores that were made at that seat of any table, ascending.
    fn seat_scores(&self, counted: &[Counted<'_>]) -> Vec<Vec<i64>> {
        let seats = counted.iter().map(|counted| counted.table.seats.len()).max().unwrap_or_default();
        let mut seat_scores = vec![Vec::new(); seats];
        for Counted { table, game, .. } in counted {
            for ((entrant, score), seat_scores) in table.seats.iter().zip(&game.scores).zip(&mut seat_scores)
            {
                if !self.is_disqualified(*entrant) {
                    seat_scores.push(*score);
                }
            }
        }
        seat_scores.iter_mut().for_each(|scores| scores.sort_unstable());
        seat_scores
    }

    /// The result of a seat that is compared with its seat_scores.
    fn compared(&self, counted: &Counted<'_>, seat: usize, seat_scores: &[i64]) -> Option<Fraction> {
        let own = *counted.game.scores.get(seat)?;
        let tables = seat_scores.len() as i64;
        if matches!(self.setup().result_by, ResultBy::Chips {}) {
            return Some(Fraction { over: tables * own - seat_scores.iter().sum::<i64>(), under: tables });
        }
        let below = seat_scores.partition_point(|&score| score < own) as i64;
        let level = seat_scores.partition_point(|&score| score <= own) as i64 - below;
        let beaten = match self.kind().best {
            Best::Highest => below,
            Best::Lowest => tables - below - level,
        };
        Some(Fraction { over: 2 * beaten + level - 1, under: 2 * (tables - 1) })
    }
}

impl<'a> Counted<'a> {
    /// None where the game was called off.
    fn of(table: &'a RoundTable, game: &'a Game) -> Option<Counted<'a>> {
        let places = match &game.end {
            Some(End::Aborted) => return None,
            Some(End::Finished { places, .. }) => Some(places.as_slice()),
            None => None,
        };
        Some(Counted { table, game, places })
    }
}

/// The least multiple of `unit` that each of `by` divides, as far as there is room.
fn multiple(unit: i128, by: &BTreeSet<i64>) -> i128 {
    by.iter().fold(unit, |unit, &by| {
        let larger = unit / gcd(unit.unsigned_abs(), by.unsigned_abs().into()) as i128 * i128::from(by);
        if larger > LARGEST_UNIT { unit } else { larger }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::simulation::Sim;
    use super::super::tests::rounds;
    use super::*;

    #[test]
    fn by_places_a_duplicate_seat_counts_the_share_of_its_likes_that_did_worse() {
        let wanted = || json!({"duplicate": true, "result_by": {"type": "places"}});
        // Of each table the first seat's score, and the results of its first two seats.
        let sevens = [(230, ["0.75", "0.25"]), (230, ["0.75", "0.25"]), (150, ["0", "1"])];
        // In Hearts the lowest score is the best.
        let hearts = [(12, ["0.5", "0.5"]), (12, ["0.5", "0.5"]), (26, ["0", "1"]), (0, ["1", "0"])];
        for (kind, size, tables) in [("sevens", 2, &sevens[..]), ("ricketts_hearts", 4, &hearts[..])] {
            let mut sim =
                Sim::started(rounds(kind, size, 1, wanted()), tables.len() as u32 * u32::from(size), 1);
            sim.advance();
            let round = sim.now.rounds()[0].clone();
            for (table, (first, _)) in round.tables.iter().zip(tables) {
                let scores = [*first, 400 - first, 0, 0];
                sim.ends(table.game, scores[..size.into()].to_vec());
            }
            let rows = sim.now.standings(&sim.game_results);
            for (table, (_, expected)) in round.tables.iter().zip(tables) {
                for (seat, expected) in table.seats.iter().zip(expected) {
                    let row = rows.iter().find(|row| Some(row.entrant) == *seat).unwrap();
                    assert_eq!(row.result.to_string(), *expected, "{kind}");
                }
            }
        }
    }

    #[test]
    fn a_unit_is_the_least_that_all_fractions_divide_as_far_as_there_is_room() {
        assert_eq!(multiple(5040, &[7, 10].into()), 5040);
        assert_eq!(multiple(4, &[6, 10].into()), 60);
        assert_eq!(multiple(5040, &[1000].into()), 126_000);
        let large = 1_000_000_007;
        assert_eq!(multiple(1, &[large].into()), i128::from(large));
        assert_eq!(multiple(5040, &[large, large + 2].into()), 5040 * i128::from(large), "one has room");
    }
}
