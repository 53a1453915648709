//! Teams: entrants who count together, and who are seated apart.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::acts::TeamChanged;
use super::bounds::check_number;
use super::entrants::Entrant;
use super::ratio::Ratio;
use super::standings::Row;
use super::state::{Departure, Registration, Tournament};
use crate::rules::Refusal;

/// The most characters of a team's name.
const NAME_MAX: usize = 40;

/// A line of the teams' standings.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = TeamStanding)]
pub struct TeamRow {
    /// From 1, by the result; equals share a place, and the next is skipped (1, 1, 3). Null before the start.
    #[schema(required)]
    pub place: Option<u32>,
    pub team: String,
    /// The sum of the members' results, or of the best of them.
    #[schema(value_type = f64)]
    pub result: Ratio,
    /// The sum of the members' scores, or of the best of them; null where nothing counts yet.
    #[schema(required)]
    pub score: Option<i64>,
    /// The best result first. Disqualified entrants are left out, and so are, once a round is drawn, entrants who were in
    /// none.
    pub members: Vec<TeamMember>,
}

/// A member of a team.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TeamMember {
    /// The entrant's number.
    pub entrant: u32,
    pub player: String,
    #[schema(value_type = f64)]
    pub result: Ratio,
    #[schema(required)]
    pub score: Option<i64>,
    /// Whether the result is one of those that count for the team.
    pub result_counts: bool,
    /// Whether the score is.
    pub score_counts: bool,
}

impl Tournament {
    /// The team that is meant, spelt as its first member wrote it: the names of two teams differ in more than their case.
    ///
    /// # Errors
    /// `team_required` where an entrant needs one, `team_full`; `invalid_body` where it is no name, or there are no teams.
    pub(super) fn team_for(
        &self,
        wanted: Option<&str>,
        is_needed: bool,
        but: Option<u32>,
    ) -> Result<Option<String>, Refusal> {
        let (teams, wanted) = match (self.setup().teams, wanted.map(str::trim)) {
            (None, None) => return Ok(None),
            (None, Some(_)) => {
                return Err(Refusal::new("invalid_body", "there are no teams in this tournament"));
            }
            (Some(_), None) if is_needed => {
                return Err(Refusal::new("team_required", "this tournament is played in teams: name yours"));
            }
            (Some(_), None) => return Ok(None),
            (Some(teams), Some(wanted)) => (teams, wanted),
        };
        let length = wanted.chars().count();
        if !(1..=NAME_MAX).contains(&length) || wanted.chars().any(char::is_control) {
            let detail = format!("team: 1 to {NAME_MAX} characters, none of them a control character");
            return Err(Refusal::new("invalid_body", detail));
        }
        let folded: Vec<char> = wanted.chars().flat_map(char::to_lowercase).collect();
        let is_meant = |team: &str| team.chars().flat_map(char::to_lowercase).eq(folded.iter().copied());
        let there = self.entrants.iter().filter(|registration| is_member(registration));
        let mut members = there.filter_map(|registration| {
            let team = registration.entrant.team.as_deref()?;
            (Some(registration.entrant.number) != but && is_meant(team)).then_some(team)
        });
        let Some(known) = members.next() else { return Ok(Some(wanted.to_owned())) };
        if members.count() + 1 >= usize::from(teams.size) {
            let detail = format!("{known} has {} members; a team has no more", teams.size);
            return Err(Refusal::new("team_full", detail));
        }
        Ok(Some(known.to_owned()))
    }

    /// What follows from a change of an entrant's team; none where the entrant is in it already.
    pub(super) fn change_team(
        &self,
        player: &str,
        team: Option<&str>,
    ) -> Result<Option<TeamChanged>, Refusal> {
        self.check_not_over()?;
        let entrant = self.find(player)?;
        let team = self.team_for(team, false, Some(entrant))?;
        check_number("changes of teams", self.team_changes as usize, 10_000)?;
        let is_same = self.entrants[entrant as usize].entrant.team == team;
        Ok((!is_same).then_some(TeamChanged { entrant, team }))
    }

    /// Others may have taken an entrant's place in the team meanwhile, or the team's name. After the end that does not matter.
    pub(super) fn check_team_has_room(&self, entrant: &Entrant) -> Result<(), Refusal> {
        let team = entrant.team.as_deref();
        if self.is_over() || self.team_for(team, false, Some(entrant.number))?.as_deref() == team {
            return Ok(());
        }
        Err(Refusal::new("team_name_taken", "another team has this name by now"))
    }

    /// Whether an entrant can be in this team.
    pub(super) fn can_be_in_team(&self, team: Option<&str>, but: Option<u32>) -> Result<(), String> {
        match self.team_for(team, false, but) {
            Ok(known) if known.as_deref() == team => Ok(()),
            Ok(_) => Err("this team is spelt otherwise".to_owned()),
            Err(refusal) => Err(refusal.detail.to_string()),
        }
    }

    pub(super) fn apply_team(&mut self, changed: &TeamChanged) {
        self.team_changes += 1;
        let registration = &mut self.entrants[changed.entrant as usize];
        let entrant = Entrant { team: changed.team.clone(), ..(*registration.entrant).clone() };
        registration.entrant = entrant.into();
    }

    /// By entrant: the team, as a number.
    pub(super) fn team_numbers(&self) -> Vec<Option<u32>> {
        let mut known = BTreeMap::new();
        let number = |registration: &Registration| {
            let team = registration.entrant.team.clone()?;
            let next = known.len() as u32;
            Some(*known.entry(team).or_insert(next))
        };
        self.entrants.iter().map(number).collect()
    }

    /// The teams' standings, from those of the entrants: the best result first. Empty where there are no teams.
    pub fn team_standings(&self, rows: &[Row]) -> Vec<TeamRow> {
        let Some(teams) = self.setup().teams else { return Vec::new() };
        let counts = usize::from(teams.counts.unwrap_or(teams.size));
        let mut members: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
        // A result of 0 is nothing that an entrant who never played has earned for the team.
        let begun = !self.rounds.is_empty();
        for row in rows.iter().filter(|row| row.round > 0 || !begun) {
            let registration = &self.entrants[row.entrant as usize];
            if let Some(team) = registration.entrant.team.as_deref()
                && is_member(registration)
            {
                members.entry(team).or_default().push(row);
            }
        }
        let mut ranked: Vec<TeamRow> =
            members.into_iter().map(|(team, members)| team_row(team, members, counts)).collect();
        // The sort is stable: equals stand in the order of their names.
        ranked.sort_by_key(|row| Reverse(row.result));
        if !rows.iter().any(|row| row.place.is_some()) {
            return ranked;
        }
        for at in 0..ranked.len() {
            let level = at > 0 && ranked[at - 1].result == ranked[at].result;
            ranked[at].place = if level { ranked[at - 1].place } else { Some(at as u32 + 1) };
        }
        ranked
    }
}

/// Entrants who were disqualified count as if they had never been in it.
fn is_member(registration: &Registration) -> bool {
    !matches!(registration.departure, Some(Departure::TakenOff | Departure::Disqualified))
}

fn team_row(team: &str, mut members: Vec<&Row>, counts: usize) -> TeamRow {
    members.sort_by_key(|row| (Reverse(row.result), row.entrant));
    let mut by_score: Vec<&Row> = members.iter().copied().filter(|row| row.score.is_some()).collect();
    by_score.sort_by_key(|row| (Reverse(row.score), row.entrant));
    by_score.truncate(counts);
    let member = |(at, row): (usize, &&Row)| TeamMember {
        entrant: row.entrant,
        player: row.player.clone(),
        result: row.result,
        score: row.score,
        result_counts: at < counts,
        score_counts: by_score.iter().any(|best| best.entrant == row.entrant),
    };
    TeamRow {
        place: None,
        team: team.to_owned(),
        result: members.iter().take(counts).map(|row| row.result).sum(),
        score: by_score.iter().filter_map(|row| row.score).reduce(|sum, score| sum + score),
        members: members.iter().enumerate().map(member).collect(),
    }
}
