//! The results of the hands of tournaments' games: rows that are written with the entries that end a hand. They follow
//! from the game's log alone.

use std::fmt::Display;

use cardroom_core::log::entry::{Entry, Event};
use cardroom_core::rules::Outcome;
use cardroom_core::table::Table;
use cardroom_core::table::decide::Step;
use cardroom_core::table::hand_result::HandResult;
use cardroom_core::tournament::setup::buy_in;
use cardroom_core::tournament::{Award, AwardedHand, End, Scoring};
use jiff::Timestamp;
use uuid::Uuid;

use crate::store::error::StoreError;
use crate::store::games::Change;
use crate::store::hand_results::{HandRow, NewHandRow};

/// What these entries of a game have brought, and the hands that ended with them; nothing where the game is no
/// tournament's. The scoring is only read where it counts, so that a game whose scoring cannot be read can still be
/// called off.
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
    let scoring = || Scoring::read(&place.scoring);
    let broken = |error| broken(table.id, &error);
    let mut hands = hands.iter().peekable();
    let mut rows = Vec::new();
    // A game ends with the entry after its last hand's.
    let mut hand = 0;
    for entry in entries {
        if let Some(ended) = hands.next_if(|ended| ended.seq == entry.seq) {
            let awards = scoring().and_then(|scoring| scoring.awards(&ended.facts)).map_err(broken)?;
            hand = ended.hand;
            rows.push(row(place.id, entry, hand, ended.scores.clone(), &awards, None));
        }
        match &entry.event {
            Event::Finished(finished) => {
                let (buy_in, outcome) = (buy_in(table.options()), &finished.outcome);
                let awards = scoring().and_then(|scoring| scoring.awards_at_end(buy_in, outcome));
                let awards = awards.map_err(broken)?;
                let (scores, places) = by_seat(outcome);
                rows.push(row(place.id, entry, hand, scores, &awards, Some(places)));
            }
            Event::Aborted(_) => rows.push(row(place.id, entry, hand, Vec::new(), &[], Some(Vec::new()))),
            _ => {}
        }
    }
    Ok(rows)
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

fn row(
    tournament_id: Uuid,
    entry: &Entry,
    hand: u32,
    scores: Vec<i64>,
    awards: &[Award],
    places: Option<Vec<i16>>,
) -> NewHandRow {
    let awards = (!awards.is_empty())
        .then(|| serde_json::to_string(awards).expect("awards have string keys and plain values"));
    NewHandRow { tournament_id, seq: entry.seq, at: entry.at.0, hand, scores, awards, places }
}

/// Scores and places, seat 0 first.
fn by_seat(outcome: &Outcome) -> (Vec<i64>, Vec<i16>) {
    let mut places = outcome.places.clone();
    places.sort_unstable_by_key(|placing| placing.seat);
    places.iter().map(|placing| (placing.score, i16::from(placing.place))).unzip()
}

/// A row, with its awards read.
///
/// # Errors
/// [`StoreError::Broken`] where it cannot be read.
pub(crate) fn awarded(row: HandRow) -> Result<AwardedHand, StoreError> {
    let HandRow { game_id, seq, at, hand, scores, awards, places } = row;
    let awards: Vec<Award> = match awards {
        Some(awards) => serde_json::from_str(&awards).map_err(|error| broken(game_id, &error))?,
        None => Vec::new(),
    };
    let place = |place| u8::try_from(place).map_err(|error| broken(game_id, &error));
    let end = match places {
        None => None,
        Some(places) if places.is_empty() => Some(End::Aborted),
        Some(places) => {
            Some(End::Finished { places: places.into_iter().map(place).collect::<Result<_, _>>()? })
        }
    };
    let at = Timestamp::from(at);
    let (seq, hand) = (seq.unsigned_abs(), hand.unsigned_abs());
    Ok(AwardedHand { game: game_id, seq, at, hand, scores, awards, end })
}
