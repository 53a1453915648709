//! `cardroom replay`: prints a finished or aborted game hand by hand.

use std::io::{BufRead, IsTerminal, Write};

use cardroom_core::audit::Bundle;
use cardroom_core::rules::Placing;
use cardroom_core::table::projection::{LogProjection, Reader};

use super::source::Failure;
use super::source::bundles;
use crate::config::Replay;

/// Prints a game's hands. At a terminal each waits for Enter.
///
/// # Errors
/// [`Failure`] where the bundle cannot be read, or its log does not follow from the rules.
pub fn replay(wanted: &Replay) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(error.to_string());
    let text = wanted.source.read()?;
    let &[text] = bundles(&text).as_slice() else {
        return Err(Failure("an export has many games; give the line of one".to_owned()));
    };
    let bundle = Bundle::parse(text).map_err(|error| failed(&error))?;
    let reader = wanted.seat.map_or(Reader::Whole, Reader::Seat);
    let reading = bundle.reading(reader).map_err(|error| failed(&error))?;
    let table = &reading.table;
    let seats = table.summary().seats.len();
    if wanted.seat.is_some_and(|seat| usize::from(seat) >= seats) {
        return Err(Failure(format!("the game has {seats} seats, from 0")));
    }
    let end = end(&reading);
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let hands = reading.into_hands();
    for hand in hands.iter().filter(|hand| hand.span.hand >= wanted.hand) {
        println!("{}", hand.text());
        if at_terminal && !goes_on() {
            return Ok(());
        }
    }
    println!("{end}");
    Ok(())
}

/// How the game ended, a line for each seat.
fn end(reading: &LogProjection) -> String {
    let table = &reading.table;
    let Some(outcome) = table.outcome() else { return "The game was called off.".to_owned() };
    let names = table.names();
    let line = |placing: &Placing| {
        format!("  {}. {} ({})", placing.place, names[usize::from(placing.seat)], placing.score)
    };
    let lines: Vec<String> = outcome.places.iter().map(line).collect();
    format!("The result:\n{}", lines.join("\n"))
}

/// Waits for Enter. Any other input ends the replay.
fn goes_on() -> bool {
    print!("Enter: the next hand; q: stop ");
    let mut line = String::new();
    let read = std::io::stdout().flush().and_then(|()| std::io::stdin().lock().read_line(&mut line));
    matches!(read, Ok(1..)) && line.trim().is_empty()
}
