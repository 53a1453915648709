//! What three cards count as dealt.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::card::NaykuhCard;
use super::hand::{self, Cards, Strength};
use crate::rules::odds::{Odds, OddsRow, OddsTable};

const METHOD: &str =
    "All hands of three of the 36 cards were counted, twins apart, as they are dealt: before any trade.";

/// Every hand counts once.
pub fn odds() -> Odds {
    let mut totals: BTreeMap<u8, u64> = BTreeMap::new();
    let mut strengths: BTreeMap<Reverse<Option<Strength>>, u64> = BTreeMap::new();
    let mut hands = 0;
    for_each_hand(|hand| {
        hands += 1;
        *totals.entry(hand::total(hand)).or_default() += 1;
        *strengths.entry(Reverse(hand::strength(hand))).or_default() += 1;
    });
    let totals = totals
        .into_iter()
        .map(|(total, ways)| OddsRow::counted(total, format!("a total of {total}"), ways, hands))
        .collect();
    let strengths = strengths
        .into_iter()
        .map(|(Reverse(strength), ways)| {
            let (of, title) = named(strength);
            OddsRow::counted(of, title, ways, hands)
        })
        .collect();
    let strengths_method = format!("{METHOD} The best hand comes first; hands of one row are equal.");
    Odds {
        tables: vec![
            OddsTable::exact("totals", "Totals as dealt", METHOD, totals),
            OddsTable::exact(
                "strengths",
                "Hands as they are compared, as dealt",
                &strengths_method,
                strengths,
            ),
        ],
    }
}

fn for_each_hand(mut tell: impl FnMut(&Cards)) {
    let deck: Vec<NaykuhCard> = NaykuhCard::deck().collect();
    for third in 0..deck.len() {
        for second in 0..third {
            for first in 0..second {
                tell(&Cards::from([deck[first], deck[second], deck[third]]));
            }
        }
    }
}

/// A strength for programs and for people.
fn named(strength: Option<Strength>) -> (String, String) {
    let Some(Strength { total, one_suit }) = strength else {
        return ("over_seven".into(), "over seven".into());
    };
    let suits = match one_suit {
        1 => "three suits".into(),
        _ => format!("{one_suit} cards of one suit"),
    };
    (format!("total_{total}_suit_{one_suit}"), format!("a total of {total}, {suits}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::odds::tests::{assert_whole, fraction, table};

    #[test]
    fn all_hands_are_counted() {
        let odds = odds();
        odds.tables.iter().for_each(assert_whole);
        assert_eq!(fraction(table(&odds, "totals"), 3), (20, 7140), "three of the six ones");
    }

    #[test]
    fn totals_are_as_many_as_six_cards_of_each_number_make_them() {
        let odds = odds();
        let totals = table(&odds, "totals");
        // 1 1 2; then 1 1 3 and 1 2 2; then 1 1 5, 1 2 4, 1 3 3 and 2 2 3.
        assert_eq!(fraction(totals, 4).0, 15 * 6);
        assert_eq!(fraction(totals, 5).0, 15 * 6 + 6 * 15);
        assert_eq!(fraction(totals, 7).0, 15 * 6 + 6 * 6 * 6 + 6 * 15 + 15 * 6);
        // Seven less each number turns a total of t into one of 21 - t.
        for total in 3..=18 {
            assert_eq!(fraction(totals, total), fraction(totals, 21 - total), "{total}");
        }
    }

    #[test]
    fn strengths_stand_in_the_order_of_the_rules_and_are_counted_suit_by_suit() {
        let odds = odds();
        let strengths = table(&odds, "strengths");
        let first: Vec<&str> = strengths.rows[..3].iter().map(|row| row.title.as_str()).collect();
        let suits = ["3 cards of one suit", "2 cards of one suit", "three suits"];
        assert_eq!(first, suits.map(|suits| format!("a total of 7, {suits}")));
        // Of one suit, which has two cards of each number: 1 1 5, 1 2 4, 1 3 3 and 2 2 3, in three suits.
        assert_eq!(fraction(strengths, "total_7_suit_3").0, 3 * (2 + 8 + 2 + 2));
        // Of three suits: one card of each, so the orders of each sum, with two cards for each number.
        assert_eq!(fraction(strengths, "total_7_suit_1").0, (3 + 6 + 3 + 3) * 8);
        // Three ones of one suit: it has but two.
        assert!(strengths.rows.iter().all(|row| row.title != "a total of 3, 3 cards of one suit"));
        let wins: u64 = (3..=7).map(|total| fraction(table(&odds, "totals"), total).0).sum();
        assert_eq!(fraction(strengths, "over_seven").0, 7140 - wins);
    }
}
