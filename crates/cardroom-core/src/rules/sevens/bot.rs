//! Sevens, steadily: keep what adds up to seven, trade the rest, and bet by what the hand may come to.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::rules::bot::Observation;

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
    cards: Vec<Option<String>>,
}

/// Out of a hundred: how often a total wins against one other hand.
fn chance(total: u32) -> u32 {
    match total {
        7 => 90,
        6 => 70,
        5 => 50,
        4 => 35,
        3 => 25,
        _ => 0,
    }
}

pub fn steady(seen: &Observation<'_>) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let (view, menu) = (&view, &menu);
    let seat = seen.seat;

    let own = &view.seats[usize::from(seat)];
    let hand: Vec<&str> = own.cards.iter().flatten().map(String::as_str).collect();
    let may_trade = ["check", "call", "raise"].iter().any(|name| !menu.from(name, "trade").is_empty());
    let (trade, chance) = best_trade(&hand, may_trade);
    let rivals = view.seats.iter().filter(|other| matches!(other.status.as_str(), "in" | "all_in"));
    let rivals = rivals.count().saturating_sub(1).max(1) as u32;
    // Every rival more has to be beaten, too.
    let chance = (1..rivals).fold(chance, |chance, _| chance * (chance + 100) / 200);
    let owed = view.bet.saturating_sub(own.put_in);
    let pot = view.pot + view.carried;
    match menu.range("raise", "by") {
        Some((min, max)) if chance >= 65 && owed <= min => {
            json!({"type": "raise", "by": (pot / 2).clamp(min, max), "trade": trade})
        }
        _ if menu.has("check") => json!({"type": "check", "trade": trade}),
        // What it costs against what is to be won.
        _ if menu.has("call") && chance * (pot + owed) > owed * 100 => {
            json!({"type": "call", "trade": trade})
        }
        _ => json!({"type": "fold"}),
    }
}

/// The cards to give away, and how often what may come of it wins.
fn best_trade(hand: &[&str], may_trade: bool) -> (Vec<String>, u32) {
    let choices = if may_trade { 1 << hand.len() } else { 1 };
    let trade = |choice: u32| (0..hand.len()).filter(move |card| choice >> card & 1 == 1);
    let (chance, choice) = (0..choices)
        .map(|choice| {
            let given: u32 = trade(choice).map(|card| number(hand[card])).sum();
            let kept = hand.iter().map(|card| number(card)).sum::<u32>() - given;
            (average(kept, trade(choice).count()), std::cmp::Reverse(choice))
        })
        .max()
        .unwrap_or_default();
    (trade(choice.0).map(|card| hand[card].to_owned()).collect(), chance)
}

/// The chance of what is kept with so many cards drawn to it.
fn average(kept: u32, drawn: usize) -> u32 {
    match drawn {
        0 => chance(kept),
        _ => (1..=6).map(|number| average(kept + number, drawn - 1)).sum::<u32>() / 6,
    }
}

fn number(card: &str) -> u32 {
    card.chars().next().and_then(|digit| digit.to_digit(10)).unwrap_or_default()
}
