//! Tables by hand: an organiser says who sits together in the next round.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::acts::{PrescriptionCancelled, TablesPrescribed};
use super::bounds::check_number;
use super::format::Format;
use super::log::TournamentEvent;
use super::state::{Registration, Tournament};
use crate::rules::Refusal;

/// How often tables may be prescribed.
const MAX_PRESCRIPTIONS: usize = 100;

impl Tournament {
    /// What an organiser has prescribed for the next round.
    pub fn prescribed(&self) -> Option<&TablesPrescribed> {
        self.prescribed.as_deref()
    }

    /// What is prescribed for the next round, if it is for those who are in it: once somebody has come or gone, the round
    /// is drawn as all others are.
    pub(super) fn prescribed_for(&self, players: &[u32]) -> Option<&TablesPrescribed> {
        let there: HashSet<u32> = players.iter().copied().collect();
        self.prescribed().filter(|prescribed| {
            let named = prescribed.tables.iter().flatten().chain(&prescribed.byes);
            named.clone().count() == there.len() && named.clone().all(|entrant| there.contains(entrant))
        })
    }

    /// What follows where these tables are prescribed, by names; without tables, a prescription is taken back. None where it
    /// changes nothing.
    pub(super) fn prescribe(
        &self,
        round: u16,
        tables: &[Vec<String>],
    ) -> Result<Option<TournamentEvent>, Refusal> {
        let invalid = |detail: String| Refusal::new("invalid_body", detail);
        self.check_not_over()?;
        if usize::from(round) != self.rounds.len() + 1 {
            let detail = format!("tables are prescribed for the next round, {}", self.rounds.len() + 1);
            return Err(invalid(detail));
        }
        self.check_prescribable(round).map_err(invalid)?;
        check_number("prescribed rounds", self.prescriptions as usize, MAX_PRESCRIPTIONS)?;
        if tables.is_empty() {
            let cancelled = TournamentEvent::PrescriptionCancelled(PrescriptionCancelled { round });
            return Ok(self.prescribed().map(|_| cancelled));
        }
        let named = |registration: &'_ Registration| {
            (registration.entrant.name().to_ascii_lowercase(), registration.entrant.number)
        };
        let there = self.entrants.iter().filter(|registration| registration.departure.is_none());
        let numbers: HashMap<String, u32> = there.map(named).collect();
        let find = |name: &String| {
            let not_found = || Refusal::new("entrant_not_found", format!("no {name} plays on in it"));
            numbers.get(&name.to_ascii_lowercase()).copied().ok_or_else(not_found)
        };
        let find = |table: &Vec<String>| table.iter().map(find).collect::<Result<Vec<_>, _>>();
        let tables = tables.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        let seated: HashSet<u32> = tables.iter().flatten().copied().collect();
        let byes = self.remaining().into_iter().filter(|entrant| !seated.contains(entrant)).collect();
        let prescribed = TablesPrescribed { round, tables, byes };
        self.can_be_prescribed(&prescribed).map_err(invalid)?;
        let is_same = self.prescribed() == Some(&prescribed);
        Ok((!is_same).then_some(TournamentEvent::TablesPrescribed(prescribed)))
    }

    /// Whether the tables of this round can be prescribed.
    fn check_prescribable(&self, round: u16) -> Result<(), String> {
        let Format::Rounds { rounds, .. } = self.setup().format else {
            return Err("tables are prescribed in tournaments of rounds alone".to_owned());
        };
        if self.is_over() || usize::from(round) != self.rounds.len() + 1 || round > rounds {
            return Err("there is no such round to come".to_owned());
        }
        Ok(())
    }

    /// Whether this can stand here in the log.
    pub(super) fn can_be_prescribed(&self, prescribed: &TablesPrescribed) -> Result<(), String> {
        let TablesPrescribed { round, tables, byes } = prescribed;
        let setup = self.setup();
        self.check_prescribable(*round)?;
        if tables.is_empty() {
            return Err("no tables are prescribed".to_owned());
        }
        let mut named: Vec<u32> = tables.iter().flatten().chain(byes).copied().collect();
        named.sort_unstable();
        if named != self.remaining() {
            return Err("each entrant who plays on is named once".to_owned());
        }
        let (least, most) = (usize::from(self.kind().min_seats), usize::from(setup.table_size));
        let least = if setup.fill.is_some() { 1 } else { least };
        if tables.iter().any(|table| !(least..=most).contains(&table.len())) {
            return Err(format!("a table has {least} to {most} players"));
        }
        let same = tables.iter().all(|table| table.len() == tables[0].len());
        if setup.duplicate && (tables.len() < 2 || !(same || setup.fill.is_some())) {
            return Err(
                "duplicate tables are compared: there are two at least, all of the same size".to_owned()
            );
        }
        Ok(())
    }

    /// Whether this can stand here in the log.
    pub(super) fn can_be_unprescribed(&self, cancelled: &PrescriptionCancelled) -> Result<(), String> {
        match self.prescribed() {
            Some(prescribed) if prescribed.round == cancelled.round && !self.is_over() => Ok(()),
            _ => Err("no tables of this round are prescribed".to_owned()),
        }
    }

    /// The least seats of a prescribed table: bots take those that are left.
    pub(super) fn seats_of_prescribed(&self, prescribed: &TablesPrescribed) -> usize {
        let least = usize::from(self.kind().min_seats);
        let largest = prescribed.tables.iter().map(Vec::len).max().unwrap_or(0);
        if self.setup().duplicate { least.max(largest) } else { least }
    }

    pub(super) fn apply_prescribed(&mut self, prescribed: Option<&TablesPrescribed>) {
        self.prescriptions += 1;
        self.prescribed = prescribed.map(|prescribed| Arc::new(prescribed.clone()));
    }
}
