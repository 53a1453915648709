//! A series: what players get over several tournaments. Pure.
//!
//! [`finals`] says what a finished tournament left to each account; [`SeriesPoints`] says what that is worth, and
//! [`Tally`] adds it up.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;
use uuid::Uuid;

use super::details::{check_description, check_name, given};
use super::ratio::Ratio;
use super::standings::Row;
use super::state::{Status, Tournament};
use crate::rules::{Refusal, within};

/// The most tournaments of a series.
pub const MAX_TOURNAMENTS: usize = 100;
/// The most places for which there are points.
const MAX_PLACES: usize = 100;

/// A series to be created.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSeries {
    #[schema(min_length = 1, max_length = 80, example = "City league")]
    pub name: String,
    #[schema(max_length = 2000)]
    pub description: Option<String>,
    pub points: SeriesPoints,
    /// How many of a player's tournaments count, the best ones; if left out, all.
    #[schema(minimum = 1, maximum = 100)]
    pub best: Option<u16>,
}

/// A change of a series: fields that are left out stay as they are, and null clears the description.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeriesPatch {
    #[schema(min_length = 1, max_length = 80, example = "City league")]
    pub name: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>, max_length = 2000)]
    pub description: Option<Option<String>>,
}

/// What a finished tournament gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum SeriesPoints {
    /// Points for each place, the first place's first; places beyond the list get 0. Equals share the mean of the points
    /// of the places that they take up.
    Places {
        #[schema(min_items = 1, max_items = 100)]
        points: Vec<u32>,
    },
    /// The result of the tournament.
    Result {},
    /// The score of the tournament, which is its other prize.
    Score {},
}

/// What a finished tournament left to an account. It is stored: a change of its form needs a migration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Final {
    pub account: Uuid,
    /// The name in the standings.
    pub player: String,
    pub place: u32,
    /// How many entrants share the place, this one among them.
    pub equals: u32,
    pub result: Amount,
    pub score: i64,
}

/// A number of points, in parts of a whole: sums of amounts are exact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Amount(i128);

/// 1000 times the numbers up to 36 divide it: thousandths are exact, and so is what up to 36 equals share.
const UNIT: i128 = 144_403_552_893_600 * 25;

/// The place of a player in a series.
#[derive(Debug, Clone, PartialEq)]
pub struct SeriesLine {
    /// From 1; equals share a place, and the next is skipped (1, 1, 3).
    pub place: u32,
    pub account: Uuid,
    /// The name in the last of the tournaments.
    pub player: String,
    pub points: Amount,
    /// In the order of the tournaments.
    pub results: Vec<SeriesResult>,
}

/// What a tournament gave a player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesResult {
    /// Which of the tournaments, from 0.
    pub nth: u16,
    /// The place there.
    pub place: u32,
    pub points: Amount,
    /// Whether it is one of the best, which count.
    pub counts: bool,
}

/// Adds up what tournaments gave.
pub struct Tally {
    points: SeriesPoints,
    best: usize,
    players: HashMap<Uuid, Player>,
}

struct Player {
    name: String,
    results: Vec<SeriesResult>,
}

impl NewSeries {
    /// The series with its name trimmed.
    ///
    /// # Errors
    /// `invalid_options` where something is out of its range.
    pub fn settle(mut self) -> Result<NewSeries, Refusal> {
        self.name = self.name.trim().to_owned();
        check_name(&self.name)?;
        check_description(self.description.as_deref())?;
        if let Some(best) = self.best {
            within("best", best, 1..=MAX_TOURNAMENTS as u16)?;
        }
        self.points.check()?;
        Ok(self)
    }
}

impl SeriesPatch {
    /// The patch with its name trimmed.
    ///
    /// # Errors
    /// `invalid_options` where something is out of its range.
    pub fn settle(mut self) -> Result<SeriesPatch, Refusal> {
        self.name = self.name.map(|name| name.trim().to_owned());
        self.name.as_deref().map_or(Ok(()), check_name)?;
        check_description(self.description.as_ref().and_then(Option::as_deref))?;
        Ok(self)
    }
}

impl SeriesPoints {
    fn check(&self) -> Result<(), Refusal> {
        let SeriesPoints::Places { points } = self else { return Ok(()) };
        within("number of points", points.len(), 1..=MAX_PLACES)?;
        points.iter().try_for_each(|&points| within("points", points, 0..=1_000_000))
    }

    /// What somebody gets who ended so.
    pub fn of(&self, end: &Final) -> Amount {
        match self {
            SeriesPoints::Places { points } => {
                let taken = points.iter().skip(end.place as usize - 1).take(end.equals as usize);
                let sum: i128 = taken.map(|&points| i128::from(points)).sum();
                Amount::fraction(sum, i128::from(end.equals))
            }
            SeriesPoints::Result {} => end.result,
            SeriesPoints::Score {} => Amount(i128::from(end.score) * UNIT),
        }
    }
}

impl Amount {
    /// The nearest amount, the lower of two that are as near.
    fn fraction(over: i128, under: i128) -> Amount {
        let (whole, rest) = (over.div_euclid(under), over.rem_euclid(under));
        let parts = rest.saturating_mul(UNIT).saturating_add((under - 1) / 2) / under;
        Amount(whole.saturating_mul(UNIT).saturating_add(parts))
    }

    /// The number, for showing.
    pub fn ratio(self) -> Ratio {
        Ratio::new(self.0, UNIT)
    }
}

impl From<Ratio> for Amount {
    fn from(ratio: Ratio) -> Amount {
        let (over, under) = ratio.parts();
        Amount::fraction(over, under)
    }
}

impl std::iter::Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Amount {
        Amount(amounts.fold(0, |sum, Amount(more)| sum.saturating_add(more)))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Amount).map_err(serde::de::Error::custom)
    }
}

/// What a tournament with these standings left to the accounts in it. A tournament that is not finished left nothing, and
/// neither did one to entrants who are disqualified or were in no round.
pub fn finals(tournament: &Tournament, standings: &[Row]) -> Vec<Final> {
    if tournament.status() != Status::Finished {
        return Vec::new();
    }
    let mut finals: Vec<Final> = Vec::new();
    // Equals stand together.
    for equals in standings.chunk_by(|one, other| one.place == other.place) {
        for row in equals.iter().filter(|row| row.round > 0) {
            let account = tournament.entrants()[row.entrant as usize].entrant.account();
            let (Some(account), Some(place)) = (account, row.place) else { continue };
            finals.push(Final {
                account,
                player: row.player.clone(),
                place,
                equals: equals.len() as u32,
                result: row.result.into(),
                score: row.score.unwrap_or(0),
            });
        }
    }
    finals
}

impl Tally {
    pub fn new(points: SeriesPoints, best: Option<u16>) -> Tally {
        Tally { points, best: best.map_or(usize::MAX, usize::from), players: HashMap::new() }
    }

    /// Takes the next tournament, the `nth`.
    pub fn take(&mut self, nth: u16, finals: Vec<Final>) {
        for end in finals {
            let result = SeriesResult { nth, place: end.place, points: self.points.of(&end), counts: false };
            let player = self
                .players
                .entry(end.account)
                .or_insert_with(|| Player { name: String::new(), results: Vec::new() });
            // An account that stands there twice has the better place, which comes first.
            if player.results.last().is_none_or(|last| last.nth != nth) {
                player.results.push(result);
            }
            player.name = end.player;
        }
    }

    /// The standings, the best first. Equals stand by name.
    pub fn standings(self) -> Vec<SeriesLine> {
        let best = self.best;
        let lines = self.players.into_iter().map(|(account, player)| line(account, player, best));
        let mut lines: Vec<(SeriesLine, Vec<u32>)> = lines.collect();
        lines.sort_unstable_by(|one, other| {
            compare(one, other)
                .then_with(|| one.0.player.cmp(&other.0.player))
                .then_with(|| one.0.account.cmp(&other.0.account))
        });
        for at in 0..lines.len() {
            let is_level = at > 0 && compare(&lines[at - 1], &lines[at]).is_eq();
            lines[at].0.place = if is_level { lines[at - 1].0.place } else { at as u32 + 1 };
        }
        lines.into_iter().map(|(line, _)| line).collect()
    }
}

/// A player's line, and the places that count, the best first.
fn line(account: Uuid, Player { name, mut results }: Player, best: usize) -> (SeriesLine, Vec<u32>) {
    results.sort_unstable_by_key(|result| (Reverse(result.points), result.place, result.nth));
    results.iter_mut().take(best).for_each(|result| result.counts = true);
    let counted = || results.iter().filter(|result| result.counts);
    let points = counted().map(|result| result.points).sum();
    let mut places: Vec<u32> = counted().map(|result| result.place).collect();
    places.sort_unstable();
    results.sort_unstable_by_key(|result| result.nth);
    (SeriesLine { place: 0, account, player: name, points, results }, places)
}

/// By points, then by more first places, then by more second places, and so on.
fn compare((one, places): &(SeriesLine, Vec<u32>), (other, others): &(SeriesLine, Vec<u32>)) -> Ordering {
    other.points.cmp(&one.points).then_with(|| {
        let differing = places.iter().zip(others).find(|(place, other)| place != other);
        // Of two lists that begin alike, the longer has more.
        differing.map_or_else(|| others.len().cmp(&places.len()), |(place, other)| place.cmp(other))
    })
}
