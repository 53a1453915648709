//! The results of the hands of tournaments' games: rows that are written with the entries that end a hand. They follow
//! from the game's log alone.

use std::fmt::Display;

use cardroom_core::log::entry::Entry;
use cardroom_core::table::Table;
use cardroom_core::table::awarded_hands::awarded_hands;
use cardroom_core::table::decide::Step;
use cardroom_core::table::hand_result::HandResult;
use cardroom_core::tournament::{Award, AwardedHand, End};
use jiff::Timestamp;
use uuid::Uuid;

use crate::store::error::StoreError;
use crate::store::games::Change;
use crate::store::hand_results::{HandRow, NewHandRow};

/// The rows of what these entries of a game have brought; none where the game is no tournament's.
///
/// # Errors
/// [`StoreError::Broken`] where the log or what follows from it cannot be read, so that no entry is accepted whose
/// points would be wrong.
pub(crate) fn rows<'a>(
    table: &Table,
    hands: &[HandResult],
    entries: impl Iterator<Item = &'a Entry>,
) -> Result<Vec<NewHandRow>, StoreError> {
    let Some(place) = table.tournament() else { return Ok(Vec::new()) };
    let awarded = awarded_hands(table, hands, entries).map_err(|error| broken(table.id, &error))?;
    Ok(awarded.into_iter().map(|hand| row(place.id, hand)).collect())
}

/// The rows of a step, if there are any.
///
/// # Errors
/// As [`rows`].
pub(crate) fn change(step: &Step) -> Result<Option<Change>, StoreError> {
    let entries = step.entries.iter().map(|sealed| &sealed.entry);
    let played = rows(&step.table, &step.hands, entries)?;
    Ok((!played.is_empty()).then_some(Change::HandsEnded(played)))
}

fn broken(game: Uuid, error: &dyn Display) -> StoreError {
    StoreError::Broken(format!("points of game {game}: {error}"))
}

fn row(tournament_id: Uuid, awarded: AwardedHand) -> NewHandRow {
    let AwardedHand { seq, at, hand, scores, awards, end, .. } = awarded;
    let awards = (!awards.is_empty())
        .then(|| serde_json::to_string(&awards).expect("awards have string keys and plain values"));
    // A game that was called off has no places.
    let (places, missed) = match end {
        Some(End::Finished { places, missed }) => {
            let numbers = |numbers: Vec<u8>| numbers.into_iter().map(i16::from).collect::<Vec<_>>();
            (Some(numbers(places)), (!missed.is_empty()).then(|| numbers(missed)))
        }
        Some(End::Aborted) => (Some(Vec::new()), None),
        None => (None, None),
    };
    NewHandRow { tournament_id, seq, at, hand, scores, awards, places, missed }
}

/// A row, with its awards read.
///
/// # Errors
/// [`StoreError::Broken`] where it cannot be read.
pub(crate) fn awarded(row: HandRow) -> Result<AwardedHand, StoreError> {
    let HandRow { game_id, seq, at, hand, scores, awards, places, missed } = row;
    let awards: Vec<Award> = match awards {
        Some(awards) => serde_json::from_str(&awards).map_err(|error| broken(game_id, &error))?,
        None => Vec::new(),
    };
    let numbers = |numbers: Vec<i16>| {
        let number = |number| u8::try_from(number).map_err(|error| broken(game_id, &error));
        numbers.into_iter().map(number).collect::<Result<Vec<u8>, _>>()
    };
    let end = match places {
        None => None,
        Some(places) if places.is_empty() => Some(End::Aborted),
        Some(places) => {
            let missed = numbers(missed.unwrap_or_default())?;
            Some(End::Finished { places: numbers(places)?, missed })
        }
    };
    let at = Timestamp::from(at);
    let (seq, hand) = (seq.unsigned_abs(), hand.unsigned_abs());
    Ok(AwardedHand { game: game_id, seq, at, hand, scores, awards, end })
}
