//! Knights' Heads, steadily: bet by what the cards make at present, which the view tells, and pass on as rabble
//! what helps least.

use serde::Deserialize;
use serde_json::{Value, json};

use super::hands::Hand;
use crate::rules::bot::{Observation, pays};

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
    cards: Vec<Option<String>>,
}

#[derive(Deserialize)]
struct Own {
    makes: Option<Makes>,
}

#[derive(Deserialize)]
struct Makes {
    hand: Hand,
}

pub fn steady(seen: &Observation) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let (view, menu) = (&view, &menu);
    let seat = seen.seat;

    let own = &view.seats[usize::from(seat)];
    if menu.has("rabble") {
        let mut cards: Vec<&str> = own.cards.iter().flatten().map(String::as_str).collect();
        let hand = cards.clone();
        cards.sort_by_key(|card| use_of(card, &hand));
        return json!({"type": "rabble", "cards": cards[..3]});
    }
    let chance = view.chance();
    let (owed, pot) = (view.bet.saturating_sub(own.put_in), view.pot + view.carried);
    let bet = if menu.has("bet") { "bet" } else { "raise" };
    let answer = menu.has("match") || menu.has("call");
    match menu.range(bet, "by") {
        Some((min, max)) if chance >= 60 && owed <= pot / 3 => {
            json!({"type": bet, "by": (pot / 2).clamp(min, max)})
        }
        // The first round cannot be passed, and the ante is worth a small bet.
        Some((min, _)) if bet == "bet" && chance >= 35 && !menu.has("pass") => {
            json!({"type": bet, "by": min})
        }
        _ if answer && pays(chance, pot, owed) => menu.first(&["match", "call"]),
        _ => menu.first(&["pass", "fold"]),
    }
}

impl View {
    /// Out of a hundred: how often the hand wins.
    fn chance(&self) -> u32 {
        let number =
            self.own.as_ref().and_then(|own| own.makes.as_ref()).and_then(|makes| makes.hand.number());
        let against_one = match number {
            Some(1..=16) => 95,
            Some(17..=20) => 80,
            Some(21..=22) => 65,
            Some(23..=24) => 45,
            Some(_) => 25,
            None => 5,
        };
        // Before the rabble a hand has four cards to come.
        let against_one = if self.phase == "first_betting" { (against_one + 50) / 2 } else { against_one };
        let rivals = self.seats.iter().filter(|seat| matches!(seat.status.as_str(), "in" | "all_in")).count();
        (2..rivals).fold(against_one, |chance, _| chance * (chance + 100) / 200)
    }
}

/// How much a card helps: with others of its face, as half of twins, by the height of its face.
fn use_of(card: &str, hand: &[&str]) -> (usize, bool, usize) {
    const FACES: &str = "BJDEMANQK";
    let (face, number) = card.split_at(1);
    let of_face = hand.iter().filter(|other| other.starts_with(face)).count();
    (of_face, matches!(number, "1" | "2"), FACES.find(face).unwrap_or_default())
}
