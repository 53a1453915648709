//! What a game's log has brought to its tournament.

use super::hand_result::HandResult;
use super::state::Table;
use crate::log::entry::{Entry, Event};
use crate::rules::Outcome;
use crate::tournament::setup::starting_stacks;
use crate::tournament::{AwardedHand, End, Scoring, ScoringError};

/// What these entries of a game have brought, and the hands that ended with them; nothing where the game is no
/// tournament's. The scoring is only read where it counts, so that a game whose scoring cannot be read can still be
/// called off.
///
/// # Errors
/// [`ScoringError`] where the points cannot be counted.
pub fn awarded_hands<'a>(
    table: &Table,
    hands: &[HandResult],
    entries: impl Iterator<Item = &'a Entry>,
) -> Result<Vec<AwardedHand>, ScoringError> {
    let Some(place) = table.tournament() else { return Ok(Vec::new()) };
    let scoring = || Scoring::read(&place.scoring);
    let mut hands = hands.iter().peekable();
    let mut awarded = Vec::new();
    // A game ends with the entry after its last hand's.
    let mut hand = 0;
    for entry in entries {
        let brought = |hand, scores, awards, end| {
            let (game, seq, at) = (table.id, entry.seq, entry.at.0);
            AwardedHand { game, seq, at, hand, scores, awards, end }
        };
        if let Some(ended) = hands.next_if(|ended| ended.seq == entry.seq) {
            let awards = scoring()?.awards(&ended.facts)?;
            hand = ended.hand;
            awarded.push(brought(hand, ended.scores.clone(), awards, None));
        }
        match &entry.event {
            Event::Finished(finished) => {
                let outcome = &finished.outcome;
                let stacks = starting_stacks(table.options(), outcome.places.len());
                let awards = scoring()?.awards_at_end(stacks.as_deref(), outcome)?;
                let (scores, places) = by_seat(outcome);
                let missed = table.missed();
                let missed =
                    if missed.iter().all(|&missed| missed == 0) { Vec::new() } else { missed.to_vec() };
                awarded.push(brought(hand, scores, awards, Some(End::Finished { places, missed })));
            }
            Event::Aborted(_) => awarded.push(brought(hand, Vec::new(), Vec::new(), Some(End::Aborted))),
            _ => {}
        }
    }
    Ok(awarded)
}

/// Scores and places, seat 0 first.
fn by_seat(outcome: &Outcome) -> (Vec<i64>, Vec<u8>) {
    let mut places = outcome.places.clone();
    places.sort_unstable_by_key(|placing| placing.seat);
    places.iter().map(|placing| (placing.score, placing.place)).unzip()
}
