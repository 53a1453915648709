//! Clocks: how long a turn may take, and what is left of it.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::rules::{PerSeat, Refusal, Seat, SeatSet, within};

/// How many decisions running the clock makes for a seat before it counts as away.
pub(super) const AWAY_AFTER: u8 = 3;

/// What the clock gives a seat that is away; no game's turns are shorter.
pub(super) const AWAY_TURN: SignedDuration = SignedDuration::from_secs(5);

/// How fast a game is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pace {
    /// Seconds for each decision, 5..=604,800; none where decisions are not timed.
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
    pub(super) seats: PerSeat<Timer>,
    /// How many hands running the clock alone has decided, the present one left out.
    pub(super) idle_hands: u8,
    /// Whether the clock has decided in the present hand, and whether a player or a bot has.
    pub(super) clock_decided: bool,
    pub(super) others_decided: bool,
    /// How many entries there have been since a player last acted.
    pub(super) unattended: u32,
    /// Since when the clocks stand still, if they do.
    pub(super) paused_at: Option<Timestamp>,
    /// Since when they run again, if they have stood still.
    pub(super) resumed_at: Option<Timestamp>,
    /// How often organisers have stopped the clocks, or added time.
    pub(super) interventions: u16,
}

/// One seat's clock.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Timer {
    /// Since when the game waits for the seat's decision.
    pub(super) since: Option<Timestamp>,
    /// What is left of its reserve.
    pub(super) bank: SignedDuration,
    /// How many decisions running the clock has made for it.
    pub(super) missed: u8,
    /// How many seconds organisers have added in all.
    pub(super) seconds_added: u32,
}

impl Timing {
    pub fn new(seats: usize, pace: Pace) -> Timing {
        let bank = SignedDuration::from_secs(pace.bank_seconds.into());
        let timer = Timer { since: None, bank, missed: 0, seconds_added: 0 };
        let seats = std::iter::repeat_n(timer, seats).collect();
        Timing {
            seats,
            idle_hands: 0,
            clock_decided: false,
            others_decided: false,
            unattended: 0,
            paused_at: None,
            resumed_at: None,
            interventions: 0,
        }
    }

    /// How many decisions running the clock has made for each seat.
    pub fn missed(&self) -> PerSeat<u8> {
        self.seats.iter().map(|timer| timer.missed).collect()
    }

    /// The clocks stop. What has been used of a turn stays used, less what was granted for times in which the service was
    /// down, by seat.
    pub(super) fn pause(&mut self, at: Timestamp, granted_ms: &[u32]) {
        self.paused_at = Some(at);
        for (timer, granted) in self.seats.iter_mut().zip(granted_ms) {
            let granted = SignedDuration::from_millis((*granted).into());
            timer.since = timer.since.map(|since| since + granted);
        }
        self.interventions += 1;
    }

    /// The clocks go on where they stopped.
    pub(super) fn resume(&mut self, at: Timestamp) {
        let Some(paused_at) = self.paused_at.take() else { return };
        self.resumed_at = Some(at);
        let stood = at.duration_since(paused_at);
        self.seats.iter_mut().filter_map(|timer| timer.since.as_mut()).for_each(|since| *since += stood);
    }

    /// How long the service was down during a decision that began at `since`. When the clocks ran again, all that was
    /// before that had been made good.
    pub(super) fn down_after(&self, outages: &[Outage], since: Timestamp) -> SignedDuration {
        down_after(outages, self.resumed_at.map_or(since, |resumed| resumed.max(since)))
    }

    /// A seat, or each, has more in reserve. A seat that was away has its whole turn again.
    pub(super) fn add(&mut self, seconds: u32, seat: Option<u8>) {
        let time = SignedDuration::from_secs(seconds.into());
        let is_meant = |at: u8| seat.is_none_or(|seat| seat == at);
        for (timer, _) in self.seats.iter_mut().zip(0..).filter(|(_, at)| is_meant(*at)) {
            timer.bank += time;
            timer.missed = 0;
            timer.seconds_added += seconds;
        }
        self.interventions += 1;
    }

    /// Whether the deal has gone round the table, and nobody but the clock has decided anything. Asked between
    /// two hands.
    pub fn is_abandoned(&self) -> bool {
        usize::from(self.idle_hands + u8::from(self.was_idle())) >= self.seats.len()
    }

    pub(super) fn was_idle(&self) -> bool {
        self.clock_decided && !self.others_decided
    }

    pub(super) fn hand_begins(&mut self) {
        self.idle_hands += u8::from(self.was_idle());
        (self.clock_decided, self.others_decided) = (false, false);
    }

    pub(super) fn decided(
        &mut self,
        seat: Seat,
        by_clock: bool,
        at: Timestamp,
        granted: SignedDuration,
        pace: Pace,
    ) {
        let timer = &mut self.seats[usize::from(seat)];
        if let (Some(since), Some(turn)) = (timer.since.take(), pace.turn()) {
            let late = at.duration_since(since) - granted - turn;
            timer.bank -= late.clamp(SignedDuration::ZERO, timer.bank);
        }
        if by_clock {
            timer.missed = timer.missed.saturating_add(1);
            self.clock_decided = true;
        } else {
            timer.missed = 0;
            self.others_decided = true;
            self.idle_hands = 0;
        }
    }

    pub(super) fn waits_for(&mut self, seats: SeatSet, at: Timestamp) {
        for (timer, seat) in self.seats.iter_mut().zip(0..) {
            timer.since = seats.contains(seat).then(|| timer.since.unwrap_or(at));
        }
    }
}

impl Timer {
    pub(super) fn is_away(&self) -> bool {
        self.missed >= AWAY_AFTER
    }
}

impl Pace {
    /// Whether a game can be played so fast.
    ///
    /// # Errors
    /// `invalid_options` where it cannot.
    pub fn check(self) -> Result<(), Refusal> {
        let Pace { turn_seconds, bank_seconds, bot_delay_ms } = self;
        if let Some(seconds) = turn_seconds {
            within("turn_seconds", seconds, 5..=604_800)?;
        } else if bank_seconds > 0 {
            return Err(Refusal::options("bank_seconds goes with turn_seconds"));
        }
        within("bank_seconds", bank_seconds, 0..=604_800)?;
        within("bot_delay_ms", bot_delay_ms, 0..=10_000)
    }

    pub(super) fn turn(self) -> Option<SignedDuration> {
        self.turn_seconds.map(|seconds| SignedDuration::from_secs(seconds.into()))
    }
}
