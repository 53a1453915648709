//! What two cards count as dealt, and how likely one more, or one after another, goes over 24.

use std::collections::BTreeMap;

use super::hand::{Hand, Holder};
use super::options::{HOUSE_STICKS_ON, Kings};
use crate::rules::cards::{French, QUEEN};
use crate::rules::odds::{Odds, OddsRow, OddsTable, choose};

/// A variant's option, its name for people, and its tables.
struct Variant {
    kings: Kings,
    title: &'static str,
    dealt: &'static str,
    next_card: &'static str,
    stick_on: &'static str,
}

const VARIANTS: [Variant; 3] = [
    Variant {
        kings: Kings::Removed,
        title: "without kings",
        dealt: "dealt_kings_removed",
        next_card: "next_card_kings_removed",
        stick_on: "stick_on_kings_removed",
    },
    Variant {
        kings: Kings::Worthless,
        title: "with worthless kings",
        dealt: "dealt_kings_worthless",
        next_card: "next_card_kings_worthless",
        stick_on: "stick_on_kings_worthless",
    },
    Variant {
        kings: Kings::Greedy,
        title: "with greedy kings",
        dealt: "dealt_kings_greedy",
        next_card: "next_card_kings_greedy",
        stick_on: "stick_on_kings_greedy",
    },
];

const DEALT: &str =
    "All pairs of cards were counted as they are dealt. Two queens are Rituna's Favour and not a total.";
const NEXT_CARD: &str = "All hands that come up when one takes card after card from the first two on were weighed by \
                         how likely they come up, and of each the cards that bust it among those left. Two queens as \
                         dealt are not among them. The cards of the other hands are taken as unknown, and lucky \
                         sevens as kept.";
const STICK_ON: &str = "All hands that come up when one takes cards while the total is below the number were weighed by \
                        how likely they come up. Bust on the deal counts as bust, and Rituna's Favour does not. The \
                        house plays so, with `house_sticks_on`. The cards of the other hands are taken as unknown, \
                        and lucky sevens as kept.";

pub fn odds() -> Odds {
    let tables = VARIANTS.into_iter().flat_map(|variant| {
        let drawn = Drawn::of(variant.kings);
        let titled = |what: &str| format!("{what}, {}", variant.title);
        [
            OddsTable::exact(variant.dealt, &titled("The first two cards"), DEALT, dealt(variant.kings)),
            OddsTable::exact(
                variant.next_card,
                &titled("Bust by the next card"),
                NEXT_CARD,
                drawn.next_card(),
            ),
            OddsTable::exact(variant.stick_on, &titled("Bust in the end"), STICK_ON, drawn.stick_on()),
        ]
    });
    Odds { tables: tables.collect() }
}

/// How many pairs of cards make what.
#[derive(Default)]
struct Opening {
    totals: BTreeMap<u8, u64>,
    favour: u64,
    bust: u64,
}

/// What the first two cards make.
fn dealt(kings: Kings) -> Vec<OddsRow> {
    let deck: Vec<French> = kings.deck().collect();
    let mut ways = Opening::default();
    for pair in pairs(&deck) {
        match pair {
            pair if pair.is_pair_of(QUEEN) => ways.favour += 1,
            pair if pair.is_bust(kings) => ways.bust += 1,
            pair => *ways.totals.entry(pair.total(kings)).or_default() += 1,
        }
    }
    let cases = choose(deck.len() as u64, 2);
    let totals = ways
        .totals
        .into_iter()
        .map(|(total, ways)| OddsRow::counted(total, format!("a total of {total}"), ways, cases));
    totals
        .chain([
            OddsRow::counted("favour", "Rituna's Favour", ways.favour, cases),
            OddsRow::counted("bust", "bust on the deal", ways.bust, cases),
        ])
        .collect()
}

/// Every two of these cards as a hand.
fn pairs(cards: &[French]) -> impl Iterator<Item = Hand> {
    let seconds = (0..cards.len()).flat_map(|second| (0..second).map(move |first| [first, second]));
    seconds.map(|pair| hand(pair.map(|at| cards[at])))
}

fn hand(cards: impl IntoIterator<Item = French>) -> Hand {
    Hand { cards: cards.into_iter().collect(), ..Hand::of(Holder::House) }
}

/// The hands that one comes to by taking card after card, by their totals.
struct Drawn {
    deck: Vec<French>,
    kings: Kings,
    totals: BTreeMap<u8, Weight>,
}

#[derive(Default)]
struct Weight {
    /// How often one comes to have such a hand. That can be more than once: a worthless king adds nothing.
    comes: f64,
    /// How often one comes to have it and the next card busts it.
    busts: f64,
}

impl Drawn {
    fn of(kings: Kings) -> Drawn {
        let deck: Vec<French> = kings.deck().collect();
        let mut ranks: BTreeMap<u8, Vec<French>> = BTreeMap::new();
        deck.iter().for_each(|&card| ranks.entry(card.rank()).or_default().push(card));
        let ranks: Vec<Vec<French>> = ranks.into_values().collect();
        let mut drawn = Drawn { deck, kings, totals: BTreeMap::new() };
        drawn.weigh_with(&hand([]), &ranks, 1);
        drawn
    }

    /// Weighs every hand of these cards and some of these ranks. As cards count nothing less than 0, a hand that is not
    /// bust was not bust before. `ways`: in how many ways its cards can be had from the ranks before.
    fn weigh_with(&mut self, held: &Hand, ranks: &[Vec<French>], ways: u64) {
        let Some((rank, others)) = ranks.split_first() else {
            return self.weigh(held, ways);
        };
        let mut held = held.clone();
        for number in 0..=rank.len() {
            if let Some(last) = number.checked_sub(1) {
                held.cards.push(rank[last]);
            }
            if held.is_bust(self.kings) {
                return;
            }
            self.weigh_with(&held, others, ways * choose(rank.len() as u64, number as u64));
        }
    }

    fn weigh(&mut self, held: &Hand, ways: u64) {
        let (all, cards) = (self.deck.len() as u64, held.cards.len() as u64);
        if cards < 2 {
            return;
        }
        let favours = pairs(&held.cards).filter(|pair| pair.is_pair_of(QUEEN)).count();
        let draws_on = 1.0 - favours as f64 / choose(cards, 2) as f64;
        let comes = ways as f64 / choose(all, cards) as f64 * draws_on;
        let left = self.deck.iter().filter(|card| !held.cards.contains(card));
        let busting = left.filter(|&&card| self.is_bust_with(held, card)).count();
        let weight = self.totals.entry(held.total(self.kings)).or_default();
        weight.comes += comes;
        weight.busts += comes * (busting as f64 / (all - cards) as f64);
    }

    fn is_bust_with(&self, held: &Hand, card: French) -> bool {
        let mut held = held.clone();
        held.cards.push(card);
        held.is_bust(self.kings)
    }

    /// For each total, how often the next card busts.
    fn next_card(&self) -> Vec<OddsRow> {
        let row = |(&total, Weight { comes, busts }): (&u8, &Weight)| {
            OddsRow::weighed(total, format!("a total of {total}"), busts / comes)
        };
        self.totals.iter().map(row).collect()
    }

    /// For each number that the house can stick on, how often one is bust who takes cards below it.
    fn stick_on(&self) -> Vec<OddsRow> {
        let on_the_deal = pairs(&self.deck).filter(|pair| pair.is_bust(self.kings)).count() as f64
            / choose(self.deck.len() as u64, 2) as f64;
        let busts = |least: u8| self.totals.range(..least).map(|(_, weight)| weight.busts).sum::<f64>();
        HOUSE_STICKS_ON
            .map(|least| OddsRow::weighed(least, format!("stick on {least}"), on_the_deal + busts(least)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use rand::seq::SliceRandom;

    use super::*;
    use crate::rules::odds::RowKey;
    use crate::rules::odds::tests::{assert_near, assert_whole, fraction, row, table};

    /// What the ranks count, with four cards of each: told here a second time.
    fn values(kings: Kings) -> Vec<u32> {
        let king = match kings {
            Kings::Removed => None,
            Kings::Worthless => Some(0),
            Kings::Greedy => Some(13),
        };
        (1..=12).chain(king).collect()
    }

    #[test]
    fn the_first_two_cards_are_as_many_as_one_can_count() {
        let odds = odds();
        for variant in VARIANTS {
            assert_whole(table(&odds, variant.dealt));
        }
        let removed = table(&odds, "dealt_kings_removed");
        assert_eq!(fraction(removed, "favour"), (6, 48 * 47 / 2));
        assert_eq!(fraction(removed, "bust").0, 0);
        assert_eq!(fraction(removed, 2).0, 6, "two aces");
        assert_eq!(fraction(removed, 23).0, 16, "a queen and a jack");
        assert!(removed.rows.iter().all(|row| row.title != "a total of 24"), "two queens are the Favour");
        let worthless = table(&odds, "dealt_kings_worthless");
        assert_eq!(fraction(worthless, 0), (6, 52 * 51 / 2), "two kings");
        assert_eq!(fraction(worthless, 2).0, 6 + 16, "two aces, or a two and a king");
        let greedy = table(&odds, "dealt_kings_greedy");
        assert_eq!(fraction(greedy, "bust").0, 6 + 16, "two kings, or a king and a queen");
        assert_eq!(fraction(greedy, 24).0, 16, "a king and a jack");
    }

    #[test]
    fn what_no_card_or_any_card_can_bust_is_told_so() {
        let odds = odds();
        let bust = |name: &str, total: u8| row(table(&odds, name), total).probability;
        assert_eq!(bust("next_card_kings_removed", 12), 0.0);
        assert_eq!(bust("next_card_kings_greedy", 11), 0.0);
        assert!(bust("next_card_kings_removed", 13) > 0.0 && bust("next_card_kings_greedy", 12) > 0.0);
        assert!((bust("next_card_kings_removed", 24) - 1.0).abs() < 1e-12);
        let with_kings_left = bust("next_card_kings_worthless", 24);
        assert!((0.9..0.95).contains(&with_kings_left), "{with_kings_left}");
        assert_eq!(bust("stick_on_kings_removed", 13), 0.0);
        assert!((bust("stick_on_kings_greedy", 1) - 22.0 / 1326.0).abs() < 1e-12, "on the deal alone");
    }

    /// Weighs hands in the order in which their cards come: the ranks' numbers left, the total, cards held.
    fn in_order(
        left: &mut [u32],
        worth: &[u32],
        total: u32,
        held: u32,
        comes: f64,
        weights: &mut [(f64, f64)],
    ) {
        let all: u32 = left.iter().sum();
        let part = |left: u32| comes * f64::from(left) / f64::from(all);
        if held >= 2 {
            let busting = (0..worth.len()).filter(|&rank| total + worth[rank] > 24);
            weights[total as usize].0 += comes;
            weights[total as usize].1 += busting.map(|rank| part(left[rank])).sum::<f64>();
        }
        for rank in 0..worth.len() {
            // Two queens cannot come here: their total is beyond what is looked at.
            let total = total + worth[rank];
            if left[rank] > 0 && (total as usize) < weights.len() {
                let comes = part(left[rank]);
                left[rank] -= 1;
                in_order(left, worth, total, held + 1, comes, weights);
                left[rank] += 1;
            }
        }
    }

    #[test]
    fn hands_weigh_as_much_as_all_the_orders_in_which_their_cards_can_come() {
        for kings in VARIANTS.map(|variant| variant.kings) {
            let worth = values(kings);
            let mut weights = [(0.0, 0.0); 15];
            in_order(&mut vec![4; worth.len()], &worth, 0, 0, 1.0, &mut weights);
            let drawn = Drawn::of(kings);
            for (total, (comes, busts)) in (0..).zip(weights).filter(|(_, (comes, _))| *comes > 0.0) {
                let weight = &drawn.totals[&total];
                assert!((weight.comes - comes).abs() < 1e-12, "{kings:?} {total}: {} {comes}", weight.comes);
                assert!((weight.busts - busts).abs() < 1e-12, "{kings:?} {total}: {} {busts}", weight.busts);
            }
        }
    }

    #[test]
    fn a_sample_busts_as_often() {
        const SAMPLE: u32 = 50_000;
        let odds = odds();
        for variant in VARIANTS {
            let worth = values(variant.kings);
            let mut deck: Vec<usize> = (0..worth.len()).flat_map(|rank| [rank; 4]).collect();
            let mut rng = SmallRng::seed_from_u64(1);
            // For each total: how often it came, was bust by the next card, and was passed when one sticks on the next.
            let (mut came, mut bust, mut bust_below) = ([0; 25], [0; 25], [0; 25]);
            for _ in 0..SAMPLE {
                let order = &*deck.partial_shuffle(&mut rng, 18).0;
                let mut total = worth[order[0]] + worth[order[1]];
                if total > 24 {
                    bust_below.iter_mut().for_each(|bust| *bust += 1);
                    continue;
                }
                if order[..2] == [11, 11] {
                    continue;
                }
                for &rank in &order[2..] {
                    let before = total as usize;
                    came[before] += 1;
                    total += worth[rank];
                    if total > 24 {
                        bust[before] += 1;
                        bust_below[before + 1..].iter_mut().for_each(|bust| *bust += 1);
                        break;
                    }
                }
            }
            for of in &table(&odds, variant.next_card).rows {
                let RowKey::Number(total) = of.of else { panic!("{of:?} is no total") };
                let total = total as usize;
                assert_near(
                    bust[total],
                    came[total],
                    of.probability,
                    &format!("{} {total}", variant.next_card),
                );
            }
            for least in 1..=24 {
                let expected = row(table(&odds, variant.stick_on), least).probability;
                let seen = bust_below[usize::from(least)];
                assert_near(seen, SAMPLE, expected, &format!("{} {least}", variant.stick_on));
            }
        }
    }
}
