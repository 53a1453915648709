//! How likely a row busts, by what lies in it and by how many cards are still to be flipped onto it.

use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use super::table::{Flip, Row, flip_onto};
use crate::rules::cards::{ACE, French, KING, QUEEN, Rank};
use crate::rules::odds::{Odds, OddsRow, OddsTable, several};

/// How many flips are told from an empty row. With more of them the cases would be too many for a reader of JSON.
const FLIPS: u8 = 9;

/// The tables for so many flips: for rows without a queen and with one.
const NAMES: [[&str; 2]; 4] = [
    ["bust_in_1_flip", "bust_in_1_flip_with_a_queen"],
    ["bust_in_2_flips", "bust_in_2_flips_with_a_queen"],
    ["bust_in_3_flips", "bust_in_3_flips_with_a_queen"],
    ["bust_in_4_flips", "bust_in_4_flips_with_a_queen"],
];

const METHOD: &str = "All the orders in which cards can be flipped were counted. Nothing is known of the other cards: \
                      each card that is not in the row is as likely to come as any other. All \
                      flips go onto this row, those that a jack orders too. The seat is the last one still in, so it \
                      keeps its sevens. Queens pardon, those in the row and those that are flipped on the way. The \
                      options change nothing in this.";

pub fn odds() -> Odds {
    let mut flipping = Flipping::default();
    let from_nothing = (1..=FLIPS)
        .map(|flips| {
            flipping.row(flips, &Row::new(), flips, format!("bust within {}", several(flips, "flip")))
        })
        .collect();
    let mut tables =
        vec![OddsTable::exact("bust_from_an_empty_row", "Bust from an empty row", METHOD, from_nothing)];
    for (names, flips) in NAMES.into_iter().zip(1..) {
        for (name, with_queen) in names.into_iter().zip([false, true]) {
            let rows = rows_of_ranks(with_queen)
                .into_iter()
                .zip(u8::from(with_queen)..)
                .map(|(row, ranks)| flipping.row(ranks, &row, flips, several(ranks, "rank")))
                .collect();
            let queen = if with_queen { "with a queen" } else { "without a queen" };
            let title = format!("Bust within {}, by the ranks in a row {queen}", several(flips, "flip"));
            tables.push(OddsTable::exact(name, &title, METHOD, rows));
        }
    }
    Odds { tables }
}

/// Rows of one rank more each, without a queen from an empty one on, with a queen from her alone on.
fn rows_of_ranks(with_queen: bool) -> Vec<Row> {
    let (queens, others): (Vec<French>, Vec<French>) =
        French::deck().filter(|card| card.suit() == 0).partition(|card| card.rank() == QUEEN);
    let first: Row = queens.into_iter().filter(|_| with_queen).collect();
    (0..=others.len()).map(|number| first.iter().chain(&others[..number]).copied().collect()).collect()
}

/// Counts the orders of flips that a row survives. What was counted is kept, for all that is alike.
#[derive(Default)]
struct Flipping(BTreeMap<(Alike, u8), u64>);

/// What tells rows and the decks beside them apart. All ranks but the queen do the same to a row, so it does not matter
/// which of them are where.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Alike {
    queen: Left,
    /// In ascending order.
    others: ArrayVec<Left, 12>,
}

/// Of a rank: whether the row holds it, and how many cards of it are still to come.
type Left = (bool, u8);

impl Flipping {
    fn row(&mut self, of: u8, row: &Row, flips: u8, title: String) -> OddsRow {
        let deck: Vec<French> = French::deck().filter(|card| !row.contains(card)).collect();
        let cases = orders(deck.len() as u64, flips);
        OddsRow::counted(of, title, cases - self.survived(row, &deck, flips), cases)
    }

    /// In how many orders so many cards of the deck can be flipped onto the row without a bust.
    fn survived(&mut self, row: &Row, deck: &[French], flips: u8) -> u64 {
        if flips == 0 {
            return 1;
        }
        let key = (Alike::of(row, deck), flips);
        if let Some(&orders) = self.0.get(&key) {
            return orders;
        }
        let mut orders = 0;
        for (number, card) in each_rank(deck) {
            let mut row = row.clone();
            if flip_onto(&mut row, card) != Flip::Busts {
                let deck: Vec<French> = deck.iter().copied().filter(|&other| other != card).collect();
                orders += number * self.survived(&row, &deck, flips - 1);
            }
        }
        self.0.insert(key, orders);
        orders
    }
}

impl Alike {
    fn of(row: &Row, deck: &[French]) -> Alike {
        let left = |rank: Rank| {
            let in_row = row.iter().any(|card| card.rank() == rank);
            (in_row, deck.iter().filter(|card| card.rank() == rank).count() as u8)
        };
        let mut others: ArrayVec<Left, 12> = (ACE..=KING).filter(|&rank| rank != QUEEN).map(left).collect();
        others.sort_unstable();
        Alike { queen: left(QUEEN), others }
    }
}

/// One card of each rank in the deck, and how many there are of it.
fn each_rank(deck: &[French]) -> impl Iterator<Item = (u64, French)> {
    let mut ranks: BTreeMap<Rank, (u64, French)> = BTreeMap::new();
    deck.iter().for_each(|&card| ranks.entry(card.rank()).or_insert((0, card)).0 += 1);
    ranks.into_values()
}

/// In how many orders so many of these cards can be flipped.
fn orders(cards: u64, flips: u8) -> u64 {
    (0..u64::from(flips)).map(|flipped| cards - flipped).product()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;

    use super::*;
    use crate::rules::facts::Facts;
    use crate::rules::game::{Chance, Game};
    use crate::rules::odds::tests::{assert_near, fraction, row, table};
    use crate::rules::royal_gambit::{Action, Fact, Options, RoyalGambit};

    #[test]
    fn the_next_flip_busts_a_row_by_the_three_others_of_each_of_its_ranks() {
        let odds = odds();
        for ranks in 0..=12 {
            let expected = (3 * u64::from(ranks), 52 - u64::from(ranks));
            assert_eq!(fraction(table(&odds, "bust_in_1_flip"), ranks), expected);
            let with_queen = table(&odds, "bust_in_1_flip_with_a_queen");
            assert_eq!(fraction(with_queen, ranks + 1), (0, 51 - u64::from(ranks)), "she pardons");
        }
    }

    #[test]
    fn two_flips_bust_as_one_can_work_out_by_hand() {
        let odds = odds();
        let two = table(&odds, "bust_in_2_flips");
        // A pair, but for one of queens: the second goes with the first.
        assert_eq!(fraction(two, 0), (12 * 4 * 3, 52 * 51));
        // The row's rank at once, with any card after it; or another that is no queen, and then one of either.
        assert_eq!(fraction(two, 1), (3 * 50 + 44 * (3 + 3), 51 * 50));
        // Where all but the queen are there: at once, or after nothing, as only queens are left besides.
        assert_eq!(fraction(two, 12), (36 * 39, 40 * 39));
        let with_queen = table(&odds, "bust_in_2_flips_with_a_queen");
        // A second queen takes the first away, and the row is empty; another rank lies beside her.
        assert_eq!(fraction(with_queen, 1), (0, 51 * 50));
        // The row's other rank spends the queen, and then two are left that bust; so does the second queen, and then
        // three are.
        assert_eq!(fraction(with_queen, 2), (3 * 2 + 3 * 3, 50 * 49));
    }

    #[test]
    fn orders_that_are_counted_alike_are_as_many_as_one_by_one() {
        fn one_by_one(row: &Row, deck: &[French], flips: u8) -> u64 {
            let survives = |card: &French| {
                let mut row = row.clone();
                let deck: Vec<French> = deck.iter().copied().filter(|other| other != card).collect();
                let lives = flip_onto(&mut row, *card) != Flip::Busts;
                if lives { one_by_one(&row, &deck, flips - 1) } else { 0 }
            };
            if flips == 0 { 1 } else { deck.iter().map(survives).sum() }
        }
        let mut flipping = Flipping::default();
        for (with_queen, ranks) in [(false, 0), (false, 5), (true, 0), (true, 5)] {
            let row = &rows_of_ranks(with_queen)[ranks];
            let deck: Vec<French> = French::deck().filter(|card| !row.contains(card)).collect();
            assert_eq!(flipping.survived(row, &deck, 3), one_by_one(row, &deck, 3), "{row:?}");
        }
    }

    #[test]
    fn whole_games_bust_as_often_whatever_the_options() {
        const SAMPLE: u32 = 20_000;
        let odds = odds();
        let from_nothing = table(&odds, "bust_from_an_empty_row");
        for ten_blocks_jack in [false, true] {
            let mut rng = SmallRng::seed_from_u64(1);
            let mut busts = [0; FLIPS as usize + 1];
            for _ in 0..SAMPLE {
                let flips = flips_until_bust(&mut rng, ten_blocks_jack);
                (1..=FLIPS).filter(|&all| flips <= all).for_each(|all| busts[usize::from(all)] += 1);
            }
            for all in 1..=FLIPS {
                let expected = row(from_nothing, all).probability;
                assert_near(busts[usize::from(all)], SAMPLE, expected, &format!("{all} flips"));
            }
        }
    }

    /// Plays a hand in which one seat stays at once and the other hits until it busts.
    fn flips_until_bust(rng: &mut SmallRng, ten_blocks_jack: bool) -> u8 {
        let options = Options { ten_blocks_jack, ..Options::default() };
        let mut game = RoyalGambit::new(options, 2).unwrap();
        let mut deck: Vec<French> = French::deck().collect();
        deck.shuffle(rng);
        let mut facts = Facts::kept();
        game.chance(Chance::Pick(1), &mut facts);
        game.chance(Chance::Shuffle(deck), &mut facts);
        game.act(0, &Action::Stay {}, &mut facts);
        while let Some(first) = game.legal(1).first() {
            let action = if first.name == "spy" { Action::Spy { seat: 1 } } else { Action::Hit {} };
            game.act(1, &action, &mut facts);
        }
        let facts = facts.into_vec();
        facts.iter().filter(|(_, fact)| matches!(fact, Fact::Flipped { .. })).count() as u8
    }
}
