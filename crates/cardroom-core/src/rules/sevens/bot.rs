//! Sevens, steadily: keep what adds up to seven, trade the rest, and bet by what the hand may come to.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::{Value, json};

use super::card::NaykuhCard;
use super::hand::{Cards, HAND};
use crate::rules::bot::{Observation, is_worth_raising, pays};

#[derive(Deserialize)]
struct View {
    bet: u32,
    pot: u32,
    carried: u32,
    seats: Vec<Seat>,
}

#[derive(Deserialize)]
struct Seat {
    status: String,
    put_in: u32,
    cards: Vec<Option<NaykuhCard>>,
}

/// What a seat bets about.
pub struct Position<'a> {
    /// In the order of the deck.
    pub hand: &'a [NaykuhCard],
    pub may_trade: bool,
    pub may_check: bool,
    pub may_call: bool,
    /// What it may raise by.
    pub raise: Option<RangeInclusive<u32>>,
    /// How many other seats are in.
    pub rivals: usize,
    pub owed: u32,
    pub pot: u32,
}

/// What a seat puts in.
pub enum Bet {
    Check,
    Call,
    Raise(u32),
    Fold,
}

pub fn steady(seen: &Observation) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let own = &view.seats[usize::from(seen.seat)];
    let hand: Cards = own.cards.iter().copied().flatten().collect();
    let in_hand = view.seats.iter().filter(|other| matches!(other.status.as_str(), "in" | "all_in"));
    let (bet, trade) = bet(&Position {
        hand: &hand,
        may_trade: ["check", "call", "raise"].iter().any(|name| !menu.from(name, "trade").is_empty()),
        may_check: menu.has("check"),
        may_call: menu.has("call"),
        raise: menu.range("raise", "by").map(|(min, max)| min..=max),
        rivals: in_hand.count().saturating_sub(1),
        owed: view.bet.saturating_sub(own.put_in),
        pot: view.pot + view.carried,
    });
    match bet {
        Bet::Check => json!({"type": "check", "trade": trade}),
        Bet::Call => json!({"type": "call", "trade": trade}),
        Bet::Raise(by) => json!({"type": "raise", "by": by, "trade": trade}),
        Bet::Fold => json!({"type": "fold"}),
    }
}

/// What to put in, and what to trade with it.
pub fn bet(position: &Position<'_>) -> (Bet, Cards) {
    let Position { hand, owed, pot, .. } = *position;
    let (chance, trade) = best_trade(hand, if position.may_trade { 0..=HAND } else { 0..=0 });
    // Every rival more has to be beaten, too.
    let chance = (1..position.rivals).fold(chance, |chance, _| chance * (chance + 100) / 200);
    let bet = match &position.raise {
        Some(by) if chance >= 65 && owed <= *by.start() && is_worth_raising(*by.end(), pot) => {
            Bet::Raise((pot / 2).clamp(*by.start(), *by.end()))
        }
        _ if position.may_check => Bet::Check,
        _ if position.may_call && pays(chance, pot, owed) => Bet::Call,
        _ => Bet::Fold,
    };
    (bet, trade)
}

/// How often what may come of the best trade of so many cards wins, out of a hundred, and these cards.
pub fn best_trade(hand: &[NaykuhCard], cards: RangeInclusive<usize>) -> (u32, Cards) {
    let (chance, _, given) = trades(hand)
        .filter(|(_, _, given)| cards.contains(&given.len()))
        .max_by_key(|&(chance, choice, _)| (chance, choice))
        .unwrap_or_default();
    (chance, given)
}

/// Each trade that a hand can make: how often what may come of it wins, its rank among trades that win as often, and
/// the cards given.
fn trades(hand: &[NaykuhCard]) -> impl Iterator<Item = (u32, Reverse<u32>, Cards)> {
    (0..1_u32 << hand.len()).map(|choice| {
        let given: Cards =
            hand.iter().zip(0..).filter(|(_, at)| choice >> at & 1 == 1).map(|(&card, _)| card).collect();
        let total = |cards: &[NaykuhCard]| cards.iter().map(|card| usize::from(card.number())).sum::<usize>();
        (AVERAGE[given.len()][total(hand) - total(&given)], Reverse(choice), given)
    })
}

/// The chance of what is kept, by how many cards are drawn to it and what is kept.
const AVERAGE: [[u32; TOTALS]; HAND + 1] = {
    let mut average = [[0; TOTALS]; HAND + 1];
    let mut drawn = 0;
    while drawn <= HAND {
        let mut kept = 0;
        while kept < TOTALS {
            let mut sum = 0;
            let mut number = 1;
            while drawn > 0 && number <= 6 && kept + number < TOTALS {
                sum += average[drawn - 1][kept + number];
                number += 1;
            }
            average[drawn][kept] = if drawn == 0 { chance(kept) } else { sum / 6 };
            kept += 1;
        }
        drawn += 1;
    }
    average
};

/// Three sixes count as much as a hand can, and one less than this.
const TOTALS: usize = 19;

/// Out of a hundred: how often a total wins against one other hand.
const fn chance(total: usize) -> u32 {
    match total {
        7 => 90,
        6 => 70,
        5 => 50,
        4 => 35,
        3 => 25,
        _ => 0,
    }
}
