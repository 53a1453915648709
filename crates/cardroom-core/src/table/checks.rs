//! Whether something can happen at a table. A command is refused where it cannot, and so is a log that claims it.

use super::decide::{game_over, not_active};
use super::seating::{no_such_seat, seat_taken};
use super::state::{Stage, Table};
use super::timing::Pace;
use crate::log::entry::{Created, Event, Seated, Visibility};
use crate::rules::registry::{self, AnyGame, Kind};
use crate::rules::{Need, Refusal, Seat, within};

/// The most characters of a client seed.
pub(super) const CLIENT_SEED_MAX: usize = 64;

/// Once an open game's log has so many entries, nobody can sit down, move or be removed any more.
const MOST_BEFORE_START: u32 = 1000;

/// The laws of the table: of clocks, bots, resignations and the end of games that nobody plays on. They belong to no kind
/// of game, so no `rules_version` tells of them.
pub(super) const TABLE_VERSION: u16 = 1;

/// The kind of a game that can be created like this.
pub(super) fn check_created(created: &Created) -> Result<&'static Kind, Refusal> {
    let kind = registry::by_version(&created.kind, created.rules_version);
    let kind = kind.ok_or_else(|| Refusal::options("unknown kind or rules version"))?;
    if created.table_version != TABLE_VERSION {
        return Err(Refusal::options("unknown version of the table's laws"));
    }
    within("seats", created.seats, kind.min_seats..=kind.max_seats)?;
    pace(created).check()?;
    Ok(kind)
}

pub(super) fn pace(created: &Created) -> Pace {
    let Created { turn_seconds, bank_seconds, bot_delay_ms, .. } = *created;
    Pace { turn_seconds, bank_seconds, bot_delay_ms }
}

impl Table {
    /// Before anything else, the house does what it has to, and so do those who have all agreed to call the game off. The
    /// rules have no action for anybody then, so actions are not looked at.
    pub(super) fn check_turn(&self, event: &Event) -> Result<(), String> {
        let is_next = match (&self.stage, event) {
            (Stage::Open(_), Event::Started(_)) => true,
            (Stage::Open(_), _) => !self.is_full(),
            (Stage::Active(_), Event::Acted(_) | Event::Finished(_)) => true,
            (Stage::Active(active), Event::Chance(_)) => active.broken_off().is_none(),
            (Stage::Active(active), _) => matches!(active.game.0.need(), Need::Players(_)),
            _ => true,
        };
        if !is_next {
            return Err("the house had to do something else first".to_owned());
        }
        if self.is_unanimous() && !matches!(event, Event::Aborted(_)) {
            return Err("the players have called the game off".to_owned());
        }
        Ok(())
    }

    /// Whether nothing has to happen before a command. That is so at the end of each log, but a command can also be judged
    /// by an earlier entry.
    pub(super) fn check_settled(&self) -> Result<(), Refusal> {
        if self.is_unanimous() || self.next_by_house().is_some() {
            return Err(Refusal::not_your_turn());
        }
        Ok(())
    }

    /// Whether all seats of an open game are taken, so that it starts.
    pub(super) fn is_full(&self) -> bool {
        self.assignments.len() == usize::from(self.about.seats)
    }

    pub(super) fn check_open(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::Open(_) => Ok(()),
            Stage::Active(_) => Err(Refusal::new("game_not_open", "the game has started")),
            Stage::Finished { .. } | Stage::Aborted { .. } => Err(game_over()),
        }
    }

    pub(super) fn check_active(&self) -> Result<(), Refusal> {
        match self.stage {
            Stage::Active(_) => Ok(()),
            Stage::Open(_) => Err(not_active()),
            Stage::Finished { .. } | Stage::Aborted { .. } => Err(game_over()),
        }
    }

    /// Whether seats can be taken and changed: the log of an open game does not grow for ever.
    pub(super) fn check_changeable(&self) -> Result<(), Refusal> {
        self.check_open()?;
        if self.version < MOST_BEFORE_START {
            return Ok(());
        }
        let detail = "too much has been changed at this table; start the game, or create another one";
        Err(Refusal::new("too_many_changes", detail))
    }

    /// A seat that can be taken.
    pub(super) fn check_free(&self, seat: Seat) -> Result<(), Refusal> {
        self.check_exists(seat)?;
        if self.assignment(seat).is_some() {
            return Err(seat_taken());
        }
        Ok(())
    }

    /// A seat that players can move to.
    pub(super) fn check_exists(&self, seat: Seat) -> Result<(), Refusal> {
        if seat < self.about.seats { Ok(()) } else { Err(no_such_seat(seat)) }
    }

    /// A player or a bot who can sit down, at whatever seat.
    pub(super) fn check_seated(&self, seated: &Seated) -> Result<(), Refusal> {
        let (account, client_seed) = match seated {
            Seated::Bot { client_seed, .. } if client_seed.is_empty() => return Ok(()),
            Seated::Bot { .. } => {
                return Err(Refusal::new("invalid_body", "a bot has no part in the chances"));
            }
            Seated::Player { account, client_seed, .. } => (*account, client_seed),
        };
        if matches!(&self.stage, Stage::Open(open) if open.removed.contains(&account)) {
            let detail = "the game's creator has removed this player from the table";
            return Err(Refusal::new("removed", detail));
        }
        if self.seat_of(account).is_some() {
            return Err(Refusal::new("already_seated", "this player sits at the table already"));
        }
        if client_seed.chars().count() > CLIENT_SEED_MAX {
            let detail = format!("client_seed: at most {CLIENT_SEED_MAX} characters");
            return Err(Refusal::new("invalid_body", detail));
        }
        Ok(())
    }

    /// The game that can begin with those who sit here.
    pub(super) fn new_game(&self) -> Result<Box<dyn AnyGame>, Refusal> {
        let (kind, here) = (self.about.kind, self.assignments.len());
        let too_few = |detail: String| Refusal::new("too_few_players", detail);
        if here < usize::from(kind.min_seats) {
            return Err(too_few(format!("{here} sit here; the game takes at least {}", kind.min_seats)));
        }
        // The options may name what more seats begin with.
        kind.new_game(&self.about.options, here as u8).map_err(|refusal| too_few(refusal.detail))
    }

    /// A seat whose player still plays.
    pub(super) fn check_plays(&self, seat: Seat) -> Result<(), Refusal> {
        if self.has_resigned(seat) {
            let detail = "the player has resigned, and the house plays for the seat";
            return Err(Refusal::new("resigned", detail));
        }
        Ok(())
    }

    /// A seat whose player can agree to call the game off.
    pub(super) fn check_agreement(&self, seat: Seat) -> Result<(), Refusal> {
        if self.tournament().is_some() {
            let detail = "a tournament's game is called off by its organisers";
            return Err(Refusal::new("tournament_game", detail));
        }
        if self.agreed.contains(seat) {
            let detail = "the player has agreed already; the other players have not all";
            return Err(Refusal::new("already_agreed", detail));
        }
        Ok(())
    }

    /// Whether people are left at the table, and all of them want to call the game off.
    pub(super) fn is_unanimous(&self) -> bool {
        !self.agreed.is_empty() && self.people().all(|seat| self.agreed.contains(seat))
    }

    /// Only a private game has an invite.
    pub(super) fn check_private(&self) -> Result<(), Refusal> {
        if self.about.visibility == Visibility::Public {
            return Err(Refusal::new("game_not_private", "a public game has no invite"));
        }
        Ok(())
    }

    /// Organisers direct the clocks of a tournament's games, and nobody those of another game.
    pub(super) fn check_directed(&self) -> Result<(), Refusal> {
        if self.tournament().is_none() {
            return Err(not_organiser());
        }
        Ok(())
    }
}

pub(super) fn not_organiser() -> Refusal {
    Refusal::new("not_organiser", "only an organiser of the tournament stops its clocks")
}
