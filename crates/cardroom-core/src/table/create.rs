//! How a game is created: by an account, as a rematch, or for a tournament.

use jiff::Timestamp;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::checks::TABLE_VERSION;
use super::decide::{HashedEntry, Step, not_seated};
use super::seat_assignments::SeatAssignment;
use super::state::{Actor, Stage, Table};
use super::turns::Pace;
use crate::log::chain;
use crate::log::entry::{AtTournament, Created, Entry, Event, Policy, Seated, Time, Visibility};
use crate::log::fairness::Seed;
use crate::rules::Refusal;
use crate::rules::registry::{self, Kind};

/// A game that an account wants to create.
#[derive(Debug, Clone)]
pub struct NewGame {
    pub kind: &'static Kind,
    /// As [`Kind::resolve_options`] gave them.
    pub options: Box<RawValue>,
    /// Within the kind's bounds.
    pub seats: u8,
    pub visibility: Visibility,
    /// The creator sits down at once, with this client seed.
    pub sit: Option<String>,
    pub pace: Pace,
    /// Whether the result counts for ratings.
    pub rated: bool,
    /// They sit down after that.
    pub bots: Vec<Policy>,
}

impl Table {
    /// Creates a game. `id` and `seed` are fresh.
    ///
    /// # Errors
    /// [`Refusal`] where there cannot be such a game, or the creator or a bot cannot sit down.
    pub fn create(id: Uuid, seed: Seed, actor: &Actor, new: NewGame, at: Timestamp) -> Result<Step, Refusal> {
        let (sit, bots) = (new.sit.clone(), new.bots.clone());
        let mut step = Table::make(id, seed, actor, new, None, at)?;
        if let Some(client_seed) = sit {
            step.sit(actor, client_seed, None, at)?;
        }
        for policy in bots {
            step.seat_bot(actor, policy, at)?;
        }
        Ok(step)
    }

    /// Creates a tournament's game: its organiser seats the entrants, and it starts.
    ///
    /// # Errors
    /// [`Refusal`] where there cannot be such a game, or they cannot all sit down.
    pub fn deal_in(
        id: Uuid,
        seed: Seed,
        organiser: &Actor,
        new: NewGame,
        place: AtTournament,
        seated: Vec<Seated>,
        at: Timestamp,
    ) -> Result<Step, Refusal> {
        let mut step = Table::make(id, seed, organiser, new, Some(place), at)?;
        for seated in seated {
            step.seat(organiser, seated, None, at)?;
        }
        Ok(step)
    }

    fn make(
        id: Uuid,
        seed: Seed,
        actor: &Actor,
        new: NewGame,
        tournament: Option<AtTournament>,
        at: Timestamp,
    ) -> Result<Step, Refusal> {
        let NewGame { kind, options, seats, visibility, pace, rated, sit: _, bots: _ } = new;
        // In the order in which the log gives them back, so that they look the same ever after.
        let options = RawValue::from_string(chain::canonical(&options)).expect("canonical JSON is JSON");
        let entry = Entry {
            seq: 1,
            at: Time(at),
            by: actor.by(),
            seat: None,
            event: Event::Created(Created {
                kind: kind.kind.to_owned(),
                rules_version: kind.rules_version,
                table_version: TABLE_VERSION,
                options,
                seats,
                visibility,
                turn_seconds: pace.turn_seconds,
                bank_seconds: pace.bank_seconds,
                bot_delay_ms: pace.bot_delay_ms,
                rated,
                tournament,
                account: actor.account,
                commitment: seed.commitment(),
            }),
        };
        let text = entry.text();
        let hash = chain::hash(chain::GENESIS, &seed, 1, &text);
        let table = Table::begin(id, seed, &entry, hash)?;
        let entries = vec![HashedEntry { entry, text, hash, is_secret: false }];
        Ok(Step { table, entries, hands: Vec::new() })
    }

    /// The same game once more, for a player who sat at this one: that player creates it and sits down, and so do the
    /// bots.
    ///
    /// # Errors
    /// `not_finished`, `not_seated`, `invalid_options` where newer rules do not know the options any more.
    pub fn again(&self, actor: &Actor, client_seed: String) -> Result<NewGame, Refusal> {
        if !self.is_over() {
            return Err(Refusal::new("not_finished", "the game is not over"));
        }
        self.seat_of(actor.account).ok_or_else(not_seated)?;
        let about = &*self.about;
        let kind = registry::by_name(about.kind.kind).unwrap_or(about.kind);
        let was_played = !matches!(self.stage, Stage::Aborted { game: None });
        Ok(NewGame {
            kind,
            options: kind.resolve_options(&about.options)?,
            seats: if was_played { self.assignments.len() as u8 } else { about.seats },
            visibility: about.visibility,
            sit: Some(client_seed),
            pace: about.pace,
            rated: about.rated,
            bots: self.assignments.iter().filter_map(SeatAssignment::policy).collect(),
        })
    }
}
