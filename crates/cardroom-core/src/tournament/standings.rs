//! The standings of a tournament.

use std::cmp::Ordering;

use serde::Serialize;
use utoipa::ToSchema;

use super::acts::THOUSANDTHS;
use super::game_results::GameResults;
use super::ratio::Ratio;
use super::results::{Line, Results};
use super::state::{Departure, Status, Tournament};
use super::versions::TieBreakVersion;
use crate::log::entry::Policy;

/// A line of the standings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Standing)]
pub struct Row {
    /// The entrant's number.
    pub entrant: u32,
    pub player: String,
    /// Left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<String>,
    /// The group, from 1. Left out where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<u16>,
    /// A bot's policy; null for a player.
    #[schema(required)]
    pub bot: Option<Policy>,
    /// From 1; equals share a place, and the next is skipped (1, 1, 3). Null before the start, and for a disqualified
    /// entrant.
    #[schema(required)]
    pub place: Option<u32>,
    /// The result, by which the tournament is won. In a knockout, that of the last round that the entrant got to. After groups,
    /// entrants who did not come into the knockout have the result of their rounds in the group.
    #[schema(value_type = f64)]
    pub result: Ratio,
    /// The other prize; null where nothing counts yet.
    #[schema(required)]
    pub score: Option<i64>,
    /// What result and score have by penalties: without them, they are what was earned.
    #[schema(inline)]
    pub penalties: PenaltySum,
    #[schema(inline)]
    pub tie_breaks: TieBreaks,
    /// How many games have been played to their end; those of a duplicate round count when it is over.
    pub games: u32,
    pub byes: u32,
    /// The last round they were in; 0 before the first.
    pub round: u16,
    #[schema(inline)]
    pub status: EntrantStatus,
}

/// What penalties add to an entrant's result and score; negative where they take off.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct PenaltySum {
    #[schema(value_type = f64)]
    pub result: Ratio,
    pub score: i64,
}

/// What tells apart entrants with the same result, in this order.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TieBreaks {
    /// Among entrants with the same result: how often ahead of one of them at the same table, minus how often behind.
    /// Null where no other entrant has the same result.
    #[schema(required)]
    pub head_to_head: Option<i64>,
    /// The mean of the opponents' results over all their games, each as often as met.
    #[schema(value_type = Option<f64>, required)]
    pub opponents: Option<Ratio>,
    /// The best result in a single game.
    #[schema(value_type = Option<f64>, required)]
    pub best_game: Option<Ratio>,
}

/// How an entrant stands to the tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntrantStatus {
    /// The tournament has not begun.
    Entered,
    /// All places are taken.
    Waiting,
    Playing,
    /// Out of a knockout or a freezeout.
    Eliminated,
    /// Played to the end.
    Finished,
    Withdrawn,
    /// Not checked in when the tournament started, and not come since.
    Absent,
    Disqualified,
}

impl EntrantStatus {
    /// The word for it, as it stands in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            EntrantStatus::Entered => "entered",
            EntrantStatus::Waiting => "waiting",
            EntrantStatus::Playing => "playing",
            EntrantStatus::Eliminated => "eliminated",
            EntrantStatus::Finished => "finished",
            EntrantStatus::Withdrawn => "withdrawn",
            EntrantStatus::Absent => "absent",
            EntrantStatus::Disqualified => "disqualified",
        }
    }
}

/// Everything that decides the order of the entrants.
pub(super) struct Order<'a> {
    tournament: &'a Tournament,
    pub results: &'a Results,
    /// By entrant; see [`TieBreaks::head_to_head`].
    head_to_head: Vec<Option<i64>>,
    /// By entrant; see [`Row::group`].
    groups: Vec<Option<u16>>,
}

impl Tournament {
    /// The standings: the best first, disqualified entrants last.
    pub fn standings(&self, game_results: &GameResults) -> Vec<Row> {
        let results = Results::new(self, game_results);
        let ranked: Vec<u32> = self.numbers(|gone| {
            !matches!(gone, Some(Departure::TakenOff | Departure::Waiting | Departure::Disqualified))
        });
        let order = Order::new(self, &results, std::slice::from_ref(&ranked));
        let (scores, penalties) = (self.scores(game_results), self.penalty_sums());
        let row = |entrant, place| {
            let number = entrant as usize;
            order.row(entrant, place, scores[number], penalties[number])
        };
        if self.status == Status::Open {
            let waits = self.waits();
            let mut rows: Vec<Row> = ranked.into_iter().map(|entrant| row(entrant, None)).collect();
            rows.iter_mut()
                .filter(|row| waits(&self.entrants[row.entrant as usize]))
                .for_each(|row| row.status = EntrantStatus::Waiting);
            return rows;
        }
        let ranked = order.ranked(ranked);
        let mut rows: Vec<Row> = Vec::with_capacity(self.entrants.len());
        for (at, &entrant) in ranked.iter().enumerate() {
            let level = at > 0 && order.compare(ranked[at - 1], entrant).is_eq();
            let place = if level { rows[at - 1].place } else { Some(at as u32 + 1) };
            rows.push(row(entrant, place));
        }
        rows.extend(
            self.numbers(|gone| gone == Some(Departure::Disqualified)).into_iter().map(|out| row(out, None)),
        );
        rows
    }

    /// By entrant, what the penalties that count come to: thousandths of the result, and points of the score.
    fn penalty_sums(&self) -> Vec<(i64, i64)> {
        let mut sums = vec![(0, 0); self.entrants.len()];
        for penalty in self.standing_penalties() {
            let (result, score) = &mut sums[penalty.entrant as usize];
            *result += penalty.result;
            *score += penalty.score;
        }
        sums
    }

    pub(super) fn numbers(&self, which: impl Fn(Option<Departure>) -> bool) -> Vec<u32> {
        let those = self.entrants.iter().filter(|registration| which(registration.departure));
        those.map(|registration| registration.entrant.number).collect()
    }

    fn status_of(&self, entrant: u32) -> EntrantStatus {
        match (self.entrants[entrant as usize].departure, self.status) {
            (Some(Departure::Disqualified), _) => EntrantStatus::Disqualified,
            (Some(Departure::Absent), _) => EntrantStatus::Absent,
            (Some(Departure::Waiting), _) => EntrantStatus::Waiting,
            (Some(_), _) => EntrantStatus::Withdrawn,
            (None, Status::Open) => EntrantStatus::Entered,
            (None, Status::Finished) => EntrantStatus::Finished,
            (None, _) => EntrantStatus::Playing,
        }
    }
}

impl<'a> Order<'a> {
    /// The order within each of `lists`, in which no entrant stands twice: ties are broken by the results of the tied
    /// entrants against each other.
    pub fn new(tournament: &'a Tournament, results: &'a Results, lists: &[Vec<u32>]) -> Order<'a> {
        let everybody = tournament.entrants.len();
        let groups = tournament.groups();
        let mut order = Order { tournament, results, head_to_head: vec![None; everybody], groups };
        let mut head_to_head = vec![None; everybody];
        // By entrant, the first of the entrants with the same result.
        let mut tied = vec![None; everybody];
        for list in lists {
            let mut sorted = list.clone();
            sorted.sort_unstable_by(|&a, &b| order.by_result(a, b));
            let groups = sorted.chunk_by(|&a, &b| order.by_result(a, b).is_eq());
            for group in groups.filter(|group| group.len() > 1) {
                for &entrant in group {
                    tied[entrant as usize] = Some(group[0]);
                    head_to_head[entrant as usize] = Some(0);
                }
            }
        }
        for game in &results.games {
            for &(one, own) in &game.results {
                let Some(balance) = &mut head_to_head[one as usize] else { continue };
                let others =
                    game.results.iter().filter(|(other, _)| tied[*other as usize] == tied[one as usize]);
                *balance += others.map(|(_, other)| own.cmp(other) as i64).sum::<i64>();
            }
        }
        order.head_to_head = head_to_head;
        order
    }

    /// The best first; entrants that nothing tells apart stand by number.
    pub fn ranked(&self, mut entrants: Vec<u32>) -> Vec<u32> {
        entrants.sort_unstable_by(|&a, &b| self.compare(a, b).then(a.cmp(&b)));
        entrants
    }

    /// By result and tie-breaks: `Less` where `a` is ahead. A change of the tie-breaks is a new version, with an arm of
    /// its own here.
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        match self.tournament.about.tie_breaks {
            TieBreakVersion::V1 => self.compare_v1(a, b),
        }
    }

    fn compare_v1(&self, a: u32, b: u32) -> Ordering {
        let (one, other) = (self.results.line(a), self.results.line(b));
        let mean = |one: &Line, other: &Line| one.opponents.0 * i128::from(other.opponents.1.max(1));
        self.by_result(a, b)
            .then_with(|| self.head_to_head[b as usize].cmp(&self.head_to_head[a as usize]))
            .then_with(|| mean(other, one).cmp(&mean(one, other)))
            .then_with(|| other.best.cmp(&one.best))
    }

    /// By the sum of the results; where entrants go out, by how far they got before that, and in a knockout by the result
    /// there. Entrants who were in no round are last: a result of 0 is no more than those have who lost.
    fn by_result(&self, a: u32, b: u32) -> Ordering {
        let key = |entrant| {
            let line = self.results.line(entrant);
            let reached = if self.is_in_knockout(line) { line.round } else { 0 };
            (line.round > 0, reached, self.result(line))
        };
        key(b).cmp(&key(a))
    }

    /// Whether the last round that they got to decides where they stand.
    fn is_in_knockout(&self, line: &Line) -> bool {
        self.tournament.setup().format.is_knockout_round(line.round)
    }

    /// The result that decides, in units.
    fn result(&self, line: &Line) -> i128 {
        let is_of_round = self.is_in_knockout(line) && !self.tournament.setup().format.carries_chips();
        if is_of_round { line.here } else { line.total }
    }

    fn row(
        &self,
        entrant: u32,
        place: Option<u32>,
        score: Option<i64>,
        (penalty_thousandths, penalty_score): (i64, i64),
    ) -> Row {
        let who = &self.tournament.entrants[entrant as usize].entrant;
        let line = self.results.line(entrant);
        let newest = self.tournament.rounds.len() as u16;
        let is_out = self.tournament.setup().format.is_knockout_round(newest) && line.round < newest;
        let status = match self.tournament.status_of(entrant) {
            EntrantStatus::Playing | EntrantStatus::Finished if is_out => EntrantStatus::Eliminated,
            status => status,
        };
        let (sum, count) = line.opponents;
        Row {
            entrant,
            player: who.name().to_owned(),
            team: who.team.clone(),
            group: self.groups.get(entrant as usize).copied().flatten(),
            bot: who.policy(),
            place,
            result: self.results.number(self.result(line)),
            score: score.filter(|_| status != EntrantStatus::Disqualified),
            penalties: PenaltySum {
                result: Ratio::new(penalty_thousandths.into(), THOUSANDTHS.into()),
                score: penalty_score,
            },
            tie_breaks: TieBreaks {
                head_to_head: self.head_to_head[entrant as usize],
                opponents: (count > 0).then(|| Ratio::new(sum, self.results.unit * i128::from(count))),
                best_game: line.best.map(|best| self.results.number(best)),
            },
            games: line.games,
            byes: line.byes,
            round: line.round,
            status,
        }
    }
}
