//! Which seats' time runs, and how much of it is left. All of it follows from the log, because the times stand there.

use jiff::{SignedDuration, Timestamp};
use serde_json::value::RawValue;

use super::seat_assignments::SeatAssignment;
use super::state::{Active, Stage, Table};
use super::timing::{AWAY_TURN, Timer, Timing};
pub use super::timing::{Now, Outage, Pace};
use crate::log::chain;
use crate::log::entry::{Acted, By, Entry, Event, Paused, Policy};
use crate::rules::Seat;

/// How far the clocks of replicas may differ: by one, an outage can end that much after an entry that was made after it.
const SKEW: SignedDuration = SignedDuration::from_secs(5);

impl Table {
    /// Notes the time of an entry that has just been applied.
    pub(super) fn keep_time(&mut self, entry: &Entry) {
        let pace = self.about.pace;
        let Stage::Active(Active { timing: Some(_), .. }) = &self.stage else { return };
        let waited_for = self.to_act();
        let Stage::Active(Active { timing: Some(timing), .. }) = &mut self.stage else { return };
        let is_player_s = matches!((&entry.event, &entry.by), (Event::Acted(_), By::Player { .. }));
        timing.unattended = if is_player_s { 0 } else { timing.unattended.saturating_add(1) };
        match (&entry.event, entry.seat) {
            (Event::Acted(Acted { granted_ms, .. }), Some(seat)) => {
                let granted = SignedDuration::from_millis((*granted_ms).into());
                timing.decided(seat, entry.by == By::Clock {}, entry.at.0, granted, pace);
            }
            (Event::Paused(paused), _) => timing.pause(entry.at.0, &paused.granted_ms),
            (Event::Resumed, _) => timing.resume(entry.at.0),
            (Event::TimeAdded(added), seat) => timing.add(added.seconds, seat),
            _ => {}
        }
        timing.waits_for(waited_for, entry.at.0);
    }

    /// When the clock acts for the first of the seats that the game waits for. Where the service is down
    /// meanwhile it acts later by as long.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.to_act().iter().filter_map(|seat| self.runs_out(seat, &[])).min()
    }

    /// When the house has something to do if no player acts: a bot's turn, or a time that runs out. Where the clock has
    /// been put back, the log is ahead of it: what is left of the time is then counted from now.
    pub fn due(&self, now: Now<'_>) -> Option<Timestamp> {
        let ahead = self.at.duration_since(now.at).max(SignedDuration::ZERO);
        Some(self.due_by_log(now.outages)? - ahead)
    }

    /// The same by the log's own times.
    pub fn due_by_log(&self, outages: &[Outage]) -> Option<Timestamp> {
        let due = |seat| {
            let by_house = || self.bot_acts_at(seat).or_else(|| self.resigned_since(seat));
            self.runs_out(seat, outages).or_else(by_house)
        };
        self.to_act().iter().filter_map(due).min()
    }

    /// Whether anything about this game can be due.
    pub fn has_dues(&self) -> bool {
        self.about.pace.turn_seconds.is_some()
            || !self.resigned.is_empty()
            || self.assignments.iter().any(|assignment| assignment.policy().is_some())
    }

    /// The bot whose turn has come.
    pub fn bot_due(&self, now: Now<'_>) -> Option<(Seat, Policy)> {
        let due = |&seat: &Seat| self.bot_acts_at(seat).is_some_and(|due| due <= now.at.max(self.at));
        let seat = self.to_act().iter().find(due)?;
        Some((seat, self.assignment(seat)?.policy()?))
    }

    /// A seat that the game waits for and whose player has resigned.
    pub fn resigned_due(&self) -> Option<Seat> {
        if self.is_paused() {
            return None;
        }
        self.to_act().iter().find(|&seat| self.resigned.contains(seat))
    }

    /// A seat whose time has run out.
    pub(super) fn overdue(&self, now: Now<'_>) -> Option<Seat> {
        self.to_act().iter().find(|&seat| self.runs_out(seat, now.outages).is_some_and(|due| due <= now.at))
    }

    /// Whether an action is by the actor that decides for its seat: the player or the bot at that seat, or the clock,
    /// in its own time and way.
    pub(super) fn check_actor(&self, entry: &Entry) -> Result<(), String> {
        let by_house = entry.by == By::System {};
        if by_house && matches!((&entry.event, &self.stage), (Event::Aborted(_), Stage::Active(_))) {
            return Err("the house calls no game off that is being played".to_owned());
        }
        if matches!(entry.event, Event::Started(_)) && by_house != self.is_full() {
            return Err("the house starts a game when all seats are taken, and its creator before".to_owned());
        }
        if let (Event::Resigned | Event::AbortAgreed, Some(seat)) = (&entry.event, entry.seat) {
            self.assignment(seat).and_then(SeatAssignment::account).ok_or("no player sits there")?;
            return Ok(self.check_plays(seat)?);
        }
        if let Event::Paused(Paused { granted_ms }) = &entry.event {
            let mut granted = granted_ms.iter().zip(0..=Seat::MAX);
            return granted
                .try_for_each(|(granted_ms, seat)| self.check_granted(seat, *granted_ms, entry.at.0));
        }
        let (Event::Acted(Acted { action, granted_ms }), Some(seat)) = (&entry.event, entry.seat) else {
            return Ok(());
        };
        self.check_running()?;
        self.check_granted(seat, *granted_ms, entry.at.0)?;
        let policy = self.assignment(seat).ok_or("nobody sits there")?.policy();
        let by_resigned = self.resigned.contains(seat);
        match (&entry.by, policy) {
            (By::Player { .. }, None) => Ok(self.check_plays(seat)?),
            (By::Bot { bot }, Some(policy)) if *bot == policy => Ok(()),
            (By::Clock {}, None) => {
                let granted = SignedDuration::from_millis((*granted_ms).into());
                if !by_resigned {
                    let due =
                        self.runs_out(seat, &[]).ok_or("the game does not wait for this seat's clock")?;
                    if entry.at.0 < due + granted {
                        return Err("the clock acted before its time".to_owned());
                    }
                }
                match &self.stage {
                    Stage::Active(active) if is_same(&active.game.0.default_action(seat), action) => Ok(()),
                    _ => Err("the clock has one action for each decision, and this is another".to_owned()),
                }
            }
            _ => Err("somebody else sits there".to_owned()),
        }
    }

    /// How much of the seat's present decision the service was down for.
    pub(super) fn granted(&self, seat: Seat, now: Now<'_>) -> SignedDuration {
        let since = self.timer(seat).and_then(|timer| timer.since);
        since.map_or(SignedDuration::ZERO, |since| {
            self.down_after(now.outages, since).min(self.time_of(now).duration_since(since))
        })
    }

    /// Whether the service can have been down for so long during the seat's present decision.
    fn check_granted(&self, seat: Seat, granted_ms: u32, at: Timestamp) -> Result<(), String> {
        let since = self.timer(seat).and_then(|timer| timer.since);
        let most = since.map_or(SignedDuration::ZERO, |since| at.duration_since(since) + SKEW);
        match SignedDuration::from_millis(granted_ms.into()) <= most {
            true => Ok(()),
            false => Err("more time was granted than the decision has taken".to_owned()),
        }
    }

    /// Whether the clock has played for the seat so often that nobody seems to be there.
    pub(super) fn is_away(&self, seat: Seat) -> bool {
        self.timer(seat).is_some_and(Timer::is_away)
    }

    /// What is left of the seat's reserve.
    pub(super) fn bank(&self, seat: Seat) -> Option<SignedDuration> {
        self.about.pace.turn_seconds?;
        Some(self.timer(seat)?.bank)
    }

    /// When the clock acts for the player at a seat. For a seat whose player has resigned, it does not run.
    fn runs_out(&self, seat: Seat, outages: &[Outage]) -> Option<Timestamp> {
        if self.resigned.contains(seat) || self.is_paused() {
            return None;
        }
        let (turn, timer) = (self.about.pace.turn()?, self.timer(seat)?);
        let since = timer.since?;
        self.assignment(seat)?.account()?;
        let allowed = if timer.is_away() { AWAY_TURN } else { turn + timer.bank };
        Some(since + allowed + self.down_after(outages, since))
    }

    fn bot_acts_at(&self, seat: Seat) -> Option<Timestamp> {
        self.assignment(seat)?.policy().filter(|_| !self.is_paused())?;
        let delay = SignedDuration::from_millis(self.about.pace.bot_delay_ms.into());
        Some(self.timer(seat)?.since? + delay)
    }

    /// Since when the game waits for a seat whose player has resigned.
    fn resigned_since(&self, seat: Seat) -> Option<Timestamp> {
        self.timer(seat).filter(|_| self.resigned.contains(seat) && !self.is_paused())?.since
    }

    fn down_after(&self, outages: &[Outage], since: Timestamp) -> SignedDuration {
        self.timing().map_or(SignedDuration::ZERO, |timing| timing.down_after(outages, since))
    }

    fn timer(&self, seat: Seat) -> Option<&Timer> {
        self.timing()?.seats.get(usize::from(seat))
    }

    fn timing(&self) -> Option<&Timing> {
        match &self.stage {
            Stage::Active(active) => active.timing.as_deref(),
            _ => None,
        }
    }
}

fn is_same(one: &RawValue, other: &RawValue) -> bool {
    chain::canonical(&one) == chain::canonical(&other)
}
