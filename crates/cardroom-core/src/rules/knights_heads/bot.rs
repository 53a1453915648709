//! Knights' Heads, steadily: bet by what the cards make at present, which the view tells, and pass on as rabble
//! what helps least.

use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::{Value, json};

use super::deck::KnightsCard;
use super::hands::Hand;
use super::rabble::{RABBLE, Three};
use super::table::Cards;
use crate::rules::bot::{Observation, is_worth_raising, pays};

#[derive(Deserialize)]
struct View {
    bet: u32,
    pot: u32,
    carried: u32,
    phase: String,
    seats: Vec<Seat>,
    own: Option<Own>,
}

#[derive(Deserialize)]
struct Seat {
    status: String,
    put_in: u32,
    cards: Vec<Option<KnightsCard>>,
}

#[derive(Deserialize)]
struct Own {
    makes: Option<Makes>,
}

#[derive(Deserialize)]
struct Makes {
    hand: Hand,
}

/// What a seat bets about.
pub struct Position {
    /// What its cards make at present.
    pub makes: Hand,
    /// Whether the rabble and the luck card are still to come.
    pub is_first_round: bool,
    pub may_pass: bool,
    /// Whether there is a bet in this round that it can match.
    pub may_match: bool,
    /// What it may bet or raise by.
    pub raise: Option<RangeInclusive<u32>>,
    /// How many seats are in, this one too.
    pub in_hand: usize,
    pub owed: u32,
    pub pot: u32,
}

/// What a seat puts in.
pub enum Bet {
    Pass,
    /// Or call, where that ends the betting.
    Match,
    /// Or bet, where nobody has.
    Raise(u32),
    Fold,
}

pub fn steady(seen: &Observation) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let own = &view.seats[usize::from(seen.seat)];
    if menu.has("rabble") {
        let hand: Cards = own.cards.iter().copied().flatten().collect();
        return json!({"type": "rabble", "cards": rabble(&hand)});
    }
    let raise = if menu.has("bet") { "bet" } else { "raise" };
    let bet = bet(&Position {
        makes: view.own.and_then(|own| own.makes).map_or(Hand::Nothing, |makes| makes.hand),
        is_first_round: view.phase == "first_betting",
        may_pass: menu.has("pass"),
        may_match: menu.has("match") || menu.has("call"),
        raise: menu.range(raise, "by").map(|(min, max)| min..=max),
        in_hand: view.seats.iter().filter(|seat| matches!(seat.status.as_str(), "in" | "all_in")).count(),
        owed: view.bet.saturating_sub(own.put_in),
        pot: view.pot + view.carried,
    });
    match bet {
        Bet::Pass => json!({"type": "pass"}),
        Bet::Match => menu.first(&["match", "call"]),
        Bet::Raise(by) => json!({"type": raise, "by": by}),
        Bet::Fold => json!({"type": "fold"}),
    }
}

pub fn bet(position: &Position) -> Bet {
    let Position { owed, pot, .. } = *position;
    let chance = position.chance();
    match &position.raise {
        Some(by) if chance >= 60 && owed <= pot / 3 && is_worth_raising(*by.end(), pot) => {
            Bet::Raise((pot / 2).clamp(*by.start(), *by.end()))
        }
        // The first round cannot be passed, and the ante is worth a small bet.
        Some(by) if !position.may_match && chance >= 35 && !position.may_pass => Bet::Raise(*by.start()),
        _ if position.may_match && pays(chance, pot, owed) => Bet::Match,
        _ if position.may_pass => Bet::Pass,
        _ => Bet::Fold,
    }
}

impl Position {
    /// Out of a hundred: how often the hand wins.
    fn chance(&self) -> u32 {
        let against_one = against_one(self.makes, self.is_first_round);
        (2..self.in_hand).fold(against_one, |chance, _| chance * (chance + 100) / 200)
    }
}

/// Out of a hundred: how often a hand wins against one other.
pub fn against_one(makes: Hand, is_first_round: bool) -> u32 {
    let chance = match makes.number() {
        Some(1..=16) => 95,
        Some(17..=20) => 80,
        Some(21..=22) => 65,
        Some(23..=24) => 45,
        Some(_) => 25,
        None => 5,
    };
    // Before the rabble a hand has four cards to come.
    if is_first_round { (chance + 50) / 2 } else { chance }
}

/// The three cards of a hand that help least; the hand is in the order of the deck.
pub fn rabble(hand: &[KnightsCard]) -> Three {
    let mut cards: Cards = hand.iter().copied().collect();
    cards.sort_by_key(|&card| use_of(card, hand));
    cards.into_iter().take(RABBLE).collect()
}

/// How much a card helps: with others of its face, as half of twins, by the height of its face.
fn use_of(card: KnightsCard, hand: &[KnightsCard]) -> (usize, bool, u8) {
    let of_face = hand.iter().filter(|other| other.face() == card.face()).count();
    // The lowest face is the last.
    (of_face, card.is_notable(), u8::MAX - card.face() as u8)
}
