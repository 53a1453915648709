//! Whose time runs, and how much of it is left. All of it follows from the log, because the times stand there.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Active, Stage, Table};
use crate::log::chain;
use crate::log::entry::{Acted, By, Chance, Drawn, Entry, Event, Policy};
use crate::rules::{PerSeat, Seat, SeatSet};

/// How many decisions running the clock makes for a seat before it counts as away.
const AWAY_AFTER: u8 = 3;
/// What the clock gives a seat that is away; no game's turns are shorter.
const AWAY_TURN: SignedDuration = SignedDuration::from_secs(5);

/// How fast a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pace {
    /// Seconds for each decision, 5..=604,800; none where nobody counts them.
    pub turn_seconds: Option<u32>,
    /// Seconds in reserve for each seat and the whole game, 0..=604,800: used up before the clock acts.
    pub bank_seconds: u32,
    /// Milliseconds that a bot waits before it acts, 0..=10,000.
    pub bot_delay_ms: u32,
}

/// A time in which no replica was up, so that nobody could act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outage {
    pub from: Timestamp,
    pub until: Timestamp,
}

/// Now, and the outages that are remembered.
#[derive(Debug, Clone, Copy)]
pub struct Now<'a> {
    pub at: Timestamp,
    pub outages: &'a [Outage],
}

impl From<Timestamp> for Now<'static> {
    fn from(at: Timestamp) -> Now<'static> {
        Now { at, outages: &[] }
    }
}

/// How long the service was down after `since`.
fn down_after(outages: &[Outage], since: Timestamp) -> SignedDuration {
    let lost = |outage: &Outage| outage.until.duration_since(outage.from.max(since));
    outages.iter().map(lost).filter(SignedDuration::is_positive).sum()
}

/// The clocks of a game that is being played.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Timing {
    seats: PerSeat<Timer>,
    /// How many hands running the clock alone has decided, the present one left out.
    idle_hands: u8,
    /// Who has decided in the present hand.
    clock_decided: bool,
    others_decided: bool,
    /// How many entries there have been since a player last acted.
    pub(super) unattended: u32,
}

/// One seat's clock.
#[derive(Clone, Serialize, Deserialize)]
struct Timer {
    /// Since when the game waits for the seat's decision.
    since: Option<Timestamp>,
    /// What is left of its reserve.
    bank: SignedDuration,
    /// How many decisions running the clock has made for it.
    missed: u8,
}

impl Timing {
    pub fn new(seats: usize, pace: Pace) -> Timing {
        let bank = SignedDuration::from_secs(pace.bank_seconds.into());
        let timer = Timer { since: None, bank, missed: 0 };
        let seats = std::iter::repeat_n(timer, seats).collect();
        Timing { seats, idle_hands: 0, clock_decided: false, others_decided: false, unattended: 0 }
    }

    /// Whether the deal has gone round the table, and nobody but the clock has decided anything. Asked between
    /// two hands.
    pub fn is_abandoned(&self) -> bool {
        usize::from(self.idle_hands + u8::from(self.was_idle())) >= self.seats.len()
    }

    fn was_idle(&self) -> bool {
        self.clock_decided && !self.others_decided
    }

    fn hand_begins(&mut self) {
        self.idle_hands += u8::from(self.was_idle());
        (self.clock_decided, self.others_decided) = (false, false);
    }

    fn decided(&mut self, seat: Seat, by_clock: bool, at: Timestamp, granted: SignedDuration, pace: Pace) {
        let timer = &mut self.seats[usize::from(seat)];
        if let (Some(since), Some(turn)) = (timer.since.take(), pace.turn()) {
            let late = at.duration_since(since) - granted - turn;
            timer.bank -= late.clamp(SignedDuration::ZERO, timer.bank);
        }
        if by_clock {
            timer.missed = (timer.missed + 1).min(AWAY_AFTER);
            self.clock_decided = true;
        } else {
            timer.missed = 0;
            self.others_decided = true;
            self.idle_hands = 0;
        }
    }

    fn waits_for(&mut self, seats: SeatSet, at: Timestamp) {
        for (timer, seat) in self.seats.iter_mut().zip(0..) {
            timer.since = seats.contains(seat).then(|| timer.since.unwrap_or(at));
        }
    }
}

impl Timer {
    fn is_away(&self) -> bool {
        self.missed == AWAY_AFTER
    }
}

impl Pace {
    fn turn(self) -> Option<SignedDuration> {
        self.turn_seconds.map(|seconds| SignedDuration::from_secs(seconds.into()))
    }
}

impl Table {
    /// Notes the time of an entry that has just been applied.
    pub(super) fn keep_time(&mut self, entry: &Entry) {
        let pace = self.about.pace;
        if !self.has_dues() {
            return;
        }
        let waited_for = self.to_act();
        let Stage::Active(Active { timing: Some(timing), .. }) = &mut self.stage else { return };
        let is_player_s = matches!((&entry.event, &entry.by), (Event::Acted(_), By::Player { .. }));
        timing.unattended = if is_player_s { 0 } else { timing.unattended.saturating_add(1) };
        match (&entry.event, entry.seat) {
            (Event::Acted(Acted { granted_ms, .. }), Some(seat)) => {
                let granted = SignedDuration::from_millis((*granted_ms).into());
                timing.decided(seat, entry.by == By::Clock {}, entry.at.0, granted, pace);
            }
            (Event::Chance(Chance { drawn: Drawn::Shuffle { .. }, .. }), _) => timing.hand_begins(),
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
        let due = |seat| self.runs_out(seat, outages).or_else(|| self.bot_acts_at(seat));
        self.to_act().iter().filter_map(due).min()
    }

    /// Whether anything about this game can be due.
    pub fn has_dues(&self) -> bool {
        self.about.pace.turn_seconds.is_some() || self.chairs.iter().any(|chair| chair.policy().is_some())
    }

    /// The bot whose turn has come.
    pub fn bot_due(&self, now: Now<'_>) -> Option<(Seat, Policy)> {
        let due = |&seat: &Seat| self.bot_acts_at(seat).is_some_and(|due| due <= now.at.max(self.at));
        let seat = self.to_act().iter().find(due)?;
        Some((seat, self.chair(seat)?.policy()?))
    }

    /// A seat whose time has run out.
    pub(super) fn overdue(&self, now: Now<'_>) -> Option<Seat> {
        self.to_act().iter().find(|&seat| self.runs_out(seat, now.outages).is_some_and(|due| due <= now.at))
    }

    /// Whether an action is by whoever decides for its seat: the player or the bot who sits there, or the clock, in
    /// its own time and way.
    pub(super) fn check_actor(&self, entry: &Entry) -> Result<(), String> {
        if matches!(
            (&entry.event, &entry.by, &self.stage),
            (Event::Aborted(_), By::System {}, Stage::Active(_))
        ) {
            return Err("the house calls no game off that is being played".to_owned());
        }
        let (Event::Acted(Acted { action, granted_ms }), Some(seat)) = (&entry.event, entry.seat) else {
            return Ok(());
        };
        let policy = self.chair(seat).ok_or("nobody sits there")?.policy();
        match (&entry.by, policy) {
            (By::Player { .. }, None) => Ok(()),
            (By::Bot { bot }, Some(policy)) if *bot == policy => Ok(()),
            (By::Clock {}, None) => {
                let granted = SignedDuration::from_millis((*granted_ms).into());
                let due = self.runs_out(seat, &[]).ok_or("the game does not wait for this seat's clock")?;
                if entry.at.0 < due + granted {
                    return Err("the clock acted before its time".to_owned());
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
        since.map_or(SignedDuration::ZERO, |since| down_after(now.outages, since))
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

    fn runs_out(&self, seat: Seat, outages: &[Outage]) -> Option<Timestamp> {
        let (turn, timer) = (self.about.pace.turn()?, self.timer(seat)?);
        let since = timer.since?;
        self.chair(seat)?.account()?;
        let allowed = if timer.is_away() { AWAY_TURN } else { turn + timer.bank };
        Some(since + allowed + down_after(outages, since))
    }

    fn bot_acts_at(&self, seat: Seat) -> Option<Timestamp> {
        self.chair(seat)?.policy()?;
        let delay = SignedDuration::from_millis(self.about.pace.bot_delay_ms.into());
        Some(self.timer(seat)?.since? + delay)
    }

    fn timer(&self, seat: Seat) -> Option<&Timer> {
        match &self.stage {
            Stage::Active(active) => active.timing.as_ref()?.seats.get(usize::from(seat)),
            _ => None,
        }
    }
}

fn is_same(one: &RawValue, other: &RawValue) -> bool {
    chain::canonical(&one) == chain::canonical(&other)
}
