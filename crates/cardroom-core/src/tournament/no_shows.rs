//! Entrants who did not play: where the clock has decided for them until the end of their game, they are out of the next
//! rounds until they check in.

use std::collections::HashSet;

use super::acts::RoundEnded;
use super::game_results::{End, GameResults};
use super::plan::Plan;
use super::state::{Departure, Registration, Status, Tournament};

impl Tournament {
    /// The end of a round, where it is still to be noted who did not play it.
    pub(super) fn round_ended(&self, game_results: &GameResults) -> Option<RoundEnded> {
        let ended = |&round: &u16| {
            let absent = self.absent_from(round, game_results)?;
            Some(RoundEnded { round, absent })
        };
        self.unsettled.iter().find_map(ended)
    }

    /// The entrants, ascending, who did not play a round; none while it runs, and where nobody counts as absent.
    pub(super) fn absent_from(&self, round: u16, game_results: &GameResults) -> Option<Vec<u32>> {
        let limit = self.setup().no_show_limit?;
        let round = self.rounds.get(usize::from(round).checked_sub(1)?)?;
        if !self.is_round_over(round, game_results) {
            return None;
        }
        let mut absent: Vec<u32> = round
            .tables
            .iter()
            .flat_map(|table| {
                let missed = match game_results.game(table.game).and_then(|game| game.end.as_ref()) {
                    Some(End::Finished { missed, .. }) => missed.as_slice(),
                    _ => &[],
                };
                table.seats.iter().zip(missed).filter(|(_, missed)| **missed >= limit)
            })
            .filter_map(|(entrant, _)| *entrant)
            .filter(|&entrant| self.can_be_no_show(entrant, round.round))
            .collect();
        absent.sort_unstable();
        Some(absent)
    }

    /// Whether it is still to be noted who did not play a round.
    pub fn is_unsettled(&self) -> bool {
        self.status() == Status::Active && !self.unsettled.is_empty()
    }

    /// A player who plays on, who came before the round was drawn, and who has not been seated since.
    fn can_be_no_show(&self, entrant: u32, round: u16) -> bool {
        self.entrants.get(entrant as usize).is_some_and(|registration| {
            registration.departure.is_none()
                && !registration.entrant.is_bot()
                && registration.excused_in < round
                && registration.last_table.is_some_and(|(last, _)| last == round)
        })
    }

    /// Whether this can stand here in the log. How often the clock has decided stands in the games' logs.
    pub(super) fn can_end(&self, ended: &RoundEnded) -> Result<(), String> {
        if !self.unsettled.contains(&ended.round) {
            return Err("no such round has ended".to_owned());
        }
        let round = &self.rounds[usize::from(ended.round) - 1];
        let seated: HashSet<u32> =
            round.tables.iter().flat_map(|table| table.seats.iter().flatten()).copied().collect();
        let can_be = |entrant: &u32| seated.contains(entrant) && self.can_be_no_show(*entrant, ended.round);
        let in_order = ended.absent.windows(2).all(|pair| pair[0] < pair[1]);
        if in_order && ended.absent.iter().all(can_be) {
            Ok(())
        } else {
            Err("they cannot be absent".to_owned())
        }
    }

    pub(super) fn leave_out_no_shows(&mut self, ended: &RoundEnded) {
        self.unsettled.retain(|round| *round != ended.round);
        for &entrant in &ended.absent {
            let registration = &mut self.entrants[entrant as usize];
            registration.departure = Some(Departure::Absent);
            (registration.has_checked_in, registration.is_no_show) = (false, true);
        }
        // Rather than end, a tournament that has too few left waits for its organiser, and for those who are absent.
        let (setup, remaining) = (self.setup(), self.remaining().len());
        if setup.is_arena() {
            return;
        }
        if !ended.absent.is_empty() && Plan::of(setup, self.kind(), remaining, true).is_none() {
            self.is_paused = true;
        }
    }

    /// The end of the round is noted anew when a table is played once more: what was noted of its entrants no longer holds.
    pub(super) fn unsettle(&mut self, round: u16, table: u16) {
        let began = self.rounds[usize::from(round) - 1].clone();
        if self.setup().no_show_limit.is_some() && !self.ends_with(&began) && !self.unsettled.contains(&round)
        {
            self.unsettled.push(round);
        }
        for &entrant in began.tables[usize::from(table) - 1].seats.iter().flatten() {
            let registration = &mut self.entrants[entrant as usize];
            // An entrant who has been disqualified since, or has withdrawn, stays out.
            let Registration { departure, earlier_departure, is_no_show, .. } = registration;
            for gone in [departure, earlier_departure] {
                if *is_no_show && *gone == Some(Departure::Absent) {
                    *gone = None;
                }
            }
            registration.is_no_show = false;
            registration.excused_in = registration.excused_in.min(round - 1);
        }
    }
}
