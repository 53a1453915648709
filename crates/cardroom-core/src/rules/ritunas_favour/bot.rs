//! Rituna's Favour, steadily: take while it is safe enough, and always rather than lose for sure.

use serde::Deserialize;
use serde_json::Value;

use crate::rules::bot::Observation;

/// The lowest total to stick on: half the deck's ranks would still be safe at 18.
const STICK_ON: u8 = 17;

#[derive(Deserialize)]
struct View {
    seats: Vec<Seat>,
    house: Option<House>,
    turn: Option<Turn>,
}

#[derive(Deserialize)]
struct Seat {
    hands: Vec<Hand>,
}

#[derive(Deserialize)]
struct House {
    hand: Option<Hand>,
}

#[derive(Deserialize)]
struct Hand {
    total: u8,
    stuck: bool,
    bust: bool,
}

#[derive(Deserialize)]
struct Turn {
    seat: usize,
    hand: usize,
}

/// What a seat takes or sticks about.
pub struct Position {
    pub total: u8,
    /// The highest total that another has stuck on.
    pub best: Option<u8>,
    /// Whether everybody else is bust.
    pub alone: bool,
}

pub fn steady(seen: &Observation) -> Value {
    let (view, menu): (View, _) = (seen.view(), seen.menu());
    let (view, menu) = (&view, &menu);

    let Some(turn) = view.turn.as_ref().filter(|_| menu.has("take")) else {
        // Two sevens as two hands are two chances.
        return menu.first(&["split", "keep", "stick"]);
    };
    let others = view.seats.iter().enumerate().filter(|(seat, _)| *seat != turn.seat);
    let house = view.house.iter().filter_map(|house| house.hand.as_ref());
    let others: Vec<&Hand> = others.flat_map(|(_, seat)| &seat.hands).chain(house).collect();
    let takes = takes(&Position {
        total: view.seats[turn.seat].hands[turn.hand].total,
        best: others.iter().filter(|hand| hand.stuck && !hand.bust).map(|hand| hand.total).max(),
        alone: others.iter().all(|hand| hand.bust),
    });
    if takes { menu.first(&["take"]) } else { menu.first(&["stick"]) }
}

/// Whether one more card is better than none.
pub fn takes(position: &Position) -> bool {
    let Position { total, best, alone } = *position;
    let beaten = best.is_some_and(|best| best > total);
    !alone && (beaten || total < STICK_ON)
}
