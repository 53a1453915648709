//! What an organiser can choose with each format.

use super::format::Format;
use super::setup::{Admission, Setup};
use crate::rules::{Refusal, within};

impl Setup {
    pub(super) fn is_arena(&self) -> bool {
        matches!(self.format, Format::Arena { .. })
    }

    /// Whether format and choices go together.
    pub(super) fn check_format(&self) -> Result<(), Refusal> {
        let advance = |advance| within("advance", advance, 1..=self.table_size - 1);
        match self.format {
            Format::Rounds { rounds, .. } => within("rounds", rounds, 1..=100)?,
            Format::Knockout { advance: most } => advance(most)?,
            Format::Groups { groups, rounds, qualify, advance: most } => {
                within("groups", groups, 2..=1000)?;
                within("rounds", rounds, 1..=100)?;
                within("qualify", qualify, 1..=100)?;
                advance(most)?;
            }
            Format::Arena { minutes } => {
                within("minutes", minutes, 1..=720)?;
                self.check_arena()?;
            }
            Format::Freezeout {} => self.check_freezeout()?,
        }
        if self.duplicate && !matches!(self.format, Format::Rounds { .. } | Format::Knockout { .. }) {
            return Err(Refusal::options("`duplicate` is for tournaments of rounds and knockouts"));
        }
        if let Some(limit) = self.no_show_limit {
            within("no_show_limit", limit, 1..=100)?;
            if !self.format.takes_back() {
                return Err(Refusal::options("`no_show_limit` is for tournaments of rounds and arenas"));
            }
        }
        let in_rounds = matches!(self.format, Format::Rounds { .. });
        self.teams.map_or(Ok(()), |teams| teams.check(in_rounds))?;
        self.check_late_entry()
    }

    /// Nothing waits for the end of a round in an arena, and everybody may come until the time is up.
    fn check_arena(&self) -> Result<(), Refusal> {
        if self.pause_after_rounds {
            return Err(Refusal::options("`pause_after_rounds` is not for arenas, whose rounds overlap"));
        }
        if matches!(self.admission, Admission::Limited { waiting_list: true, .. }) {
            return Err(Refusal::options("an arena has no waiting list: players come when others have left"));
        }
        Ok(())
    }

    fn check_late_entry(&self) -> Result<(), Refusal> {
        match (self.late_entry, self.format) {
            (None, _) => Ok(()),
            (Some(late), Format::Rounds { rounds, .. }) if rounds > 1 => {
                within("until_round", late.until_round, 2..=rounds)
            }
            (Some(_), Format::Arena { .. }) => {
                Err(Refusal::options("players come to an arena until its time is up, without `late_entry`"))
            }
            (Some(_), _) => Err(Refusal::options("`late_entry` takes a tournament of two rounds or more")),
        }
    }
}
