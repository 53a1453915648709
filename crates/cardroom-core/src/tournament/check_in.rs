//! Before the start: when players can enter by themselves; and check-in, by which entrants say shortly before
//! the start that they are there. The others are not seated.

use jiff::{SignedDuration, Timestamp};

use super::acts::{CheckInCancelled, CheckedIn};
use super::decide::Step;
use super::entrants::{Person, Role};
use super::log::TournamentEvent;
use super::state::{Departure, Registration, Status, Tournament};
use crate::rules::Refusal;

/// How often an entrant can change whether they are there. After that they can still check in, so that nobody is locked out.
const MAX_CHECK_INS: u8 = 20;

impl Registration {
    /// Whether the entrant has checked in, or is a bot: bots are always there.
    pub fn is_present(&self) -> bool {
        self.has_checked_in || self.entrant.is_bot()
    }
}

impl Tournament {
    /// How many would play if the tournament started now.
    pub(super) fn present(&self) -> usize {
        let all = self.setup().check_in_minutes.is_none();
        let here = self
            .entrants
            .iter()
            .filter(|registration| registration.departure.is_none() && (all || registration.is_present()));
        here.count().min(self.capacity().unwrap_or(usize::MAX))
    }

    /// Whether players can enter by themselves at this time, as far as the details go.
    pub(super) fn check_registration(&self, at: Timestamp) -> Result<(), Refusal> {
        let details = self.details();
        if self.status != Status::Open {
            // A late entry is allowed by the setup alone.
            return Ok(());
        }
        match (&details.registration_opens_at, &details.registration_closes_at) {
            (Some(opens), _) if at < opens.0 => {
                let detail = format!("players can enter from {} on", opens.0);
                Err(Refusal::new("registration_not_open", detail))
            }
            (_, Some(closes)) if at >= closes.0 => Err(registration_closed(closes.0)),
            _ => Ok(()),
        }
    }

    /// An entrant is there, or is not.
    pub(super) fn check_in(
        &self,
        step: &mut Step,
        actor: &Person,
        player: &str,
        is_present: bool,
        at: Timestamp,
    ) -> Result<(), Refusal> {
        self.check_not_over()?;
        if self.setup().is_arena() && self.status == Status::Active {
            return self.come_or_go(step, actor, player, is_present, at);
        }
        if self.setup().check_in_minutes.is_none() && self.setup().no_show_limit.is_none() {
            return Err(Refusal::new("check_in_not_needed", "nobody has to check in for this tournament"));
        }
        let (entrant, registration) = self.theirs(actor, player)?;
        match (self.status, registration.departure) {
            (Status::Open, _) => {
                let Some(minutes) = self.setup().check_in_minutes else {
                    return Err(Refusal::new(
                        "check_in_not_needed",
                        "nobody has to check in before the start",
                    ));
                };
                let opens =
                    self.details().starts_at.map(|start| start.0 - SignedDuration::from_mins(minutes.into()));
                if let Some(opens) = opens.filter(|opens| at < *opens) {
                    return Err(Refusal::new("check_in_not_open", format!("check-in opens at {opens}")));
                }
            }
            // An absent entrant may come late, where entrants may.
            (_, Some(Departure::Absent)) if is_present && self.can_come_back(registration) => {
                self.check_place_is_free(registration.departure)?;
            }
            (_, None) if is_present => return Ok(()),
            _ => return Err(Refusal::new("check_in_closed", "the tournament has started")),
        }
        // Asking twice does no harm.
        if registration.is_present() != is_present {
            check_may_change(registration, is_present)?;
            step.add(self.author(actor), presence(entrant, is_present), at);
        }
        Ok(())
    }

    /// An entrant of an arena takes a break, or comes back.
    fn come_or_go(
        &self,
        step: &mut Step,
        actor: &Person,
        player: &str,
        is_present: bool,
        at: Timestamp,
    ) -> Result<(), Refusal> {
        let (entrant, registration) = self.theirs(actor, player)?;
        let comes_or_goes = match registration.departure {
            None => !is_present,
            Some(Departure::Absent) => is_present,
            _ => return Err(Refusal::new("check_in_closed", "they have left the arena")),
        };
        if !comes_or_goes {
            return Ok(());
        }
        if is_present {
            self.check_arena_time(at)?;
            self.check_place_is_free(registration.departure)?;
        }
        check_may_change(registration, is_present)?;
        step.add(self.author(actor), presence(entrant, is_present), at);
        Ok(())
    }

    /// The entrant of this name, if the actor may speak for them: it is their own account, or an organiser's.
    fn theirs(&self, actor: &Person, player: &str) -> Result<(u32, &Registration), Refusal> {
        let entrant = self.find(player)?;
        let registration = &self.entrants[entrant as usize];
        if registration.entrant.account() != Some(actor.account) {
            self.check_role(actor, Role::Referee)?;
        }
        Ok((entrant, registration))
    }

    /// Whether an absent entrant can say that they are there. An entrant who did not play a round can until the end.
    fn can_come_back(&self, registration: &Registration) -> bool {
        registration.is_no_show || self.can_be_entered()
    }

    /// Whether this can stand here in the log.
    pub(super) fn can_check_in(&self, entrant: u32, is_present: bool) -> bool {
        let registration = self.entrants.get(entrant as usize);
        let in_arena = self.setup().is_arena() && self.status == Status::Active;
        let may_change = |registration: &Registration| match self.status {
            Status::Open => registration.departure.is_none() && self.setup().check_in_minutes.is_some(),
            _ => {
                let is_absent = registration.departure == Some(Departure::Absent);
                is_absent && is_present && self.can_come_back(registration)
            }
        };
        let comes_or_goes = |registration: &Registration| match registration.departure {
            None => !is_present && !registration.entrant.is_bot(),
            departure => departure == Some(Departure::Absent) && is_present,
        };
        !self.is_over()
            && registration.is_some_and(|registration| match in_arena {
                true => comes_or_goes(registration),
                false => may_change(registration) && registration.is_present() != is_present,
            })
    }

    pub(super) fn apply_check_in(&mut self, entrant: u32, is_present: bool) {
        let (rounds, started) = (self.rounds.len() as u16, self.status != Status::Open);
        let registration = &mut self.entrants[entrant as usize];
        registration.has_checked_in = is_present;
        // Before the start, and only then, an entrant who is not there stays on the list.
        let is_away = started && !is_present;
        registration.departure = is_away.then_some(Departure::Absent);
        registration.is_no_show = false;
        registration.excused_in = rounds;
        registration.check_ins = registration.check_ins.saturating_add(1);
    }

    /// Entrants who are not there when the tournament starts are out until they come. Those of them who had no place, but
    /// waited for one, are not in it.
    pub(super) fn leave_out_absent(&mut self) {
        if self.setup().check_in_minutes.is_none() {
            return;
        }
        let first_waiting = self.first_waiting().unwrap_or(u32::MAX);
        for registration in self.entrants.iter_mut().filter(|registration| registration.departure.is_none()) {
            if !registration.is_present() {
                let has_waited = registration.entrant.number >= first_waiting;
                registration.departure =
                    Some(if has_waited { Departure::Waiting } else { Departure::Absent });
            }
        }
    }
}

/// Players could enter by themselves until this time.
pub(super) fn registration_closed(until: Timestamp) -> Refusal {
    Refusal::new("registration_closed", format!("players could enter until {until}"))
}

fn presence(entrant: u32, is_present: bool) -> TournamentEvent {
    if is_present {
        TournamentEvent::CheckedIn(CheckedIn { entrant })
    } else {
        TournamentEvent::CheckInCancelled(CheckInCancelled { entrant })
    }
}

fn check_may_change(registration: &Registration, is_present: bool) -> Result<(), Refusal> {
    match registration.check_ins {
        _ if registration.entrant.is_bot() => {
            Err(Refusal::new("check_in_not_needed", "bots are always there"))
        }
        MAX_CHECK_INS.. if !is_present => {
            let detail = format!("an entrant can change this {MAX_CHECK_INS} times");
            Err(Refusal::new("too_many_changes", detail))
        }
        _ => Ok(()),
    }
}
