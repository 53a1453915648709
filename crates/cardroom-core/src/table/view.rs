//! A game as one caller may see it, built up from nothing. It follows from the log alone, so the same
//! version shows the same caller the same bytes at any time.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;
use uuid::Uuid;

use super::legal_action::LegalAction;
use super::seat_assignments::SeatAssignment;
use super::state::{About, Active, Actor, Stage, Table};
use super::timing::Pace;
use crate::log::Hex32;
use crate::log::entry::{Policy, Time, Visibility};
use crate::log::fairness::ALGORITHM;
use crate::rules::bot::Observation;
use crate::rules::registry::KindName;
use crate::rules::{Outcome, Seat};

/// A game, as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Game)]
pub struct GameView<'a> {
    pub id: Uuid,
    #[schema(value_type = KindName)]
    pub kind: &'static str,
    pub rules_version: u16,
    pub status: Status,
    /// How many entries the log has: the cursor of the game.
    pub version: u32,
    /// Of an accepted action: its own entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seq: Option<u32>,
    /// The hash of that entry: a receipt. A client that keeps it can show later that the entry was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub hash: Option<Hex32>,
    /// The name of the game's creator.
    pub created_by: &'a str,
    /// RFC 3339 with microseconds.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    pub visibility: Visibility,
    /// Lets others see a private game and sit down; shown to the creator and the players at the table until it is over.
    #[schema(required)]
    pub invite: Option<String>,
    /// Seconds for each decision; null where decisions are not timed.
    #[schema(required)]
    pub turn_seconds: Option<u32>,
    /// Seconds that each seat has in reserve for the whole game, used up before the clock acts.
    pub bank_seconds: u32,
    /// Milliseconds that a bot waits before it acts.
    pub bot_delay_ms: u32,
    /// Whether the result counts for ratings. It does in public games in which two players or more have accounts.
    pub rated: bool,
    /// All options, defaults filled in.
    #[schema(value_type = Object)]
    pub options: &'a RawValue,
    #[schema(value_type = Vec<SeatView>)]
    pub seats: Seats<'a>,
    /// The caller's seat.
    #[schema(required)]
    pub you: Option<u8>,
    /// The seats that the game waits for.
    pub to_act: Vec<u8>,
    /// When the clock acts for the first of them, its reserve included; null without a clock. If the service is down
    /// meanwhile, the clock acts later by as long, never earlier.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub deadline: Option<Time>,
    /// An organiser of the tournament has stopped the clocks, and nobody acts until they run again.
    pub paused: bool,
    /// The game's own state; null before the start.
    #[schema(value_type = Option<Object>, required)]
    pub view: Option<Box<RawValue>>,
    /// What the caller may do.
    #[schema(value_type = Vec<LegalAction>)]
    pub legal_actions: Box<RawValue>,
    pub fairness: Fairness,
    /// The result; null until the game is finished.
    #[schema(required)]
    pub outcome: Option<&'a Outcome>,
    /// The game that is played again after this one, once a player has asked for it.
    #[schema(required)]
    pub rematch: Option<Uuid>,
}

/// Where a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Seats can be taken.
    Open,
    Active,
    Finished,
    /// Called off.
    Aborted,
}

/// The seats of a table, in order.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Seats<'a> {
    /// As they are at this version.
    Now(Vec<SeatView<'a>>),
    /// As they were written before: nothing about them changes while the game is played.
    Settled(&'a RawValue),
}

/// The player or the bot at a seat; nobody where both names are null.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Seat)]
pub struct SeatView<'a> {
    pub seat: u8,
    #[schema(required)]
    pub player: Option<&'a str>,
    /// The policy of a bot.
    #[schema(required)]
    pub bot: Option<Policy>,
    /// The player is a program, and says so. Left out otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub program: bool,
    /// The clock made the seat's last three decisions, and allows 5 s for each until the player acts; left out without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub away: Option<bool>,
    /// Milliseconds left of the seat's reserve after its last decision. Left out without a clock, and while nobody plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub bank_ms: Option<u64>,
    /// The player has resigned, and the house plays for the seat. Left out where this is false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub resigned: bool,
    /// The player wants to call the game off. Left out where this is false.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub agrees_to_abort: bool,
}

/// How a game ended for an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccountResult {
    pub account: Uuid,
    pub seat: Seat,
    /// Place and score, if the game is finished.
    pub placed: Option<(u8, i64)>,
}

/// Which game it was, and who played it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditGame)]
pub struct Summary<'a> {
    pub id: Uuid,
    #[schema(value_type = KindName)]
    pub kind: &'static str,
    pub rules_version: u16,
    /// All options, defaults filled in.
    #[schema(value_type = Object)]
    pub options: &'a RawValue,
    pub seats: Vec<SummarySeat<'a>>,
}

/// The player or the bot that sat at a seat.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditSeat)]
pub struct SummarySeat<'a> {
    pub seat: u8,
    #[schema(required)]
    pub player: Option<&'a str>,
    /// The policy of a bot.
    #[schema(required)]
    pub bot: Option<Policy>,
    /// Their part in the chances.
    pub client_seed: &'a str,
}

/// What the house has bound itself to.
#[derive(Debug, Serialize, ToSchema)]
pub struct Fairness {
    #[schema(example = "cardroom/1")]
    pub algorithm: &'static str,
    /// SHA-256 of the server seed.
    #[schema(value_type = String)]
    pub commitment: Hex32,
    /// Null until the game is over.
    #[schema(value_type = Option<String>, required)]
    pub server_seed: Option<Hex32>,
}

impl Status {
    /// The word for it, as it stands in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Active => "active",
            Status::Finished => "finished",
            Status::Aborted => "aborted",
        }
    }
}

impl Table {
    pub fn status(&self) -> Status {
        match self.stage {
            Stage::Open(_) => Status::Open,
            Stage::Active(_) => Status::Active,
            Stage::Finished { .. } => Status::Finished,
            Stage::Aborted { .. } => Status::Aborted,
        }
    }

    /// The game as `viewer` may see it. The caller has to ask [`Table::is_visible_to`] whether they may see it at all.
    pub fn view(&self, viewer: Option<&Actor>) -> GameView<'_> {
        let you = viewer.and_then(|actor| self.seat_of(actor.account));
        let game = match &self.stage {
            Stage::Open(_) => None,
            Stage::Active(active) => Some(&active.game),
            Stage::Finished { game, .. } => Some(game),
            Stage::Aborted { game } => game.as_ref(),
        };
        let about = &*self.about;
        GameView {
            id: self.id,
            kind: about.kind.kind,
            rules_version: about.kind.rules_version,
            status: self.status(),
            version: self.version,
            seq: None,
            hash: None,
            created_by: &about.created_by,
            created_at: Time(about.created_at),
            visibility: about.visibility,
            invite: self.invite_for(viewer),
            turn_seconds: about.pace.turn_seconds,
            bank_seconds: about.pace.bank_seconds,
            bot_delay_ms: about.pace.bot_delay_ms,
            rated: about.rated,
            options: &about.options,
            seats: self.seats(),
            you,
            to_act: self.to_act().iter().collect(),
            deadline: self.deadline().map(Time),
            paused: self.is_paused(),
            view: game.map(|game| game.0.view(you)),
            legal_actions: self.legal_actions(you),
            fairness: Fairness {
                algorithm: ALGORITHM,
                commitment: about.commitment,
                server_seed: self.is_over().then(|| self.seed.reveal()),
            },
            outcome: self.outcome(),
            rematch: None,
        }
    }

    /// Whether the viewer is shown no more than a viewer at no seat.
    pub fn is_shown_as_to_anyone(&self, viewer: Option<&Actor>) -> bool {
        viewer.is_none_or(|actor| self.seat_of(actor.account).is_none()) && self.invite_for(viewer).is_none()
    }

    /// The viewers that may see the game.
    pub fn visibility(&self) -> Visibility {
        self.about.visibility
    }

    /// Whether it counts for ratings.
    pub fn is_rated(&self) -> bool {
        self.about.rated
    }

    /// How fast the game is played.
    pub fn pace(&self) -> Pace {
        self.about.pace
    }

    /// The kind of game.
    pub fn kind(&self) -> &'static str {
        self.about.kind.kind
    }

    /// What a seat may do now, as JSON; nothing for a viewer without a seat.
    pub fn legal_actions(&self, seat: Option<Seat>) -> Box<RawValue> {
        match (&self.stage, seat) {
            (Stage::Active(active), Some(seat)) if !self.has_resigned(seat) && !self.is_paused() => {
                active.game.0.legal(seat)
            }
            _ => RawValue::from_string("[]".to_owned()).expect("an empty list is JSON"),
        }
    }

    /// The result; none until the game is finished.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.stage {
            Stage::Finished { outcome, .. } => Some(outcome),
            _ => None,
        }
    }

    /// Which game it was, for an audit.
    pub fn summary(&self) -> Summary<'_> {
        let seats = self.assignments.iter().map(|assignment| SummarySeat {
            seat: assignment.seat,
            player: assignment.player(),
            bot: assignment.policy(),
            client_seed: &assignment.client_seed,
        });
        let About { kind, options, .. } = &*self.about;
        let seats = seats.collect();
        Summary { id: self.id, kind: kind.kind, rules_version: kind.rules_version, options, seats }
    }

    /// When the newest entry was made.
    pub fn changed_at(&self) -> Timestamp {
        self.at
    }

    /// What a seat sees of the game, and what it may do, as anybody at it gets them.
    pub fn at_seat(&self, seat: Seat) -> Option<Observation> {
        let Stage::Active(active) = &self.stage else { return None };
        Some(active.game.0.at_seat(seat, &self.about.options))
    }

    /// How the game ended for each account at the table.
    pub fn results(&self) -> Vec<AccountResult> {
        let places = self.outcome().map(|outcome| &outcome.places[..]).unwrap_or_default();
        let placed = |seat| places.iter().find(|place| place.seat == seat).map(|p| (p.place, p.score));
        let result = |(seat, account)| AccountResult { account, seat, placed: placed(seat) };
        self.accounts().map(result).collect()
    }

    /// Lets others into a private game. Not for everybody: see [`GameView::invite`].
    pub fn invite(&self) -> String {
        self.seed.invite(self.renewals)
    }

    fn invite_for(&self, viewer: Option<&Actor>) -> Option<String> {
        let wanted = self.about.visibility == Visibility::Private && !self.is_over();
        (wanted && viewer.is_some_and(|actor| self.is_own(actor))).then(|| self.invite())
    }

    /// Before the start: every seat that can be taken; after it: the players' seats.
    fn seats(&self) -> Seats<'_> {
        let taken = || -> Vec<SeatView<'_>> {
            self.assignments.iter().map(|assignment| self.seat(assignment.seat, Some(assignment))).collect()
        };
        match &self.stage {
            Stage::Open(_) => {
                let mut seats = taken();
                let free = (0..self.about.seats).filter(|seat| seats.iter().all(|taken| taken.seat != *seat));
                let free: Vec<_> = free.map(|seat| self.seat(seat, None)).collect();
                seats.extend(free);
                seats.sort_unstable_by_key(|seat| seat.seat);
                Seats::Now(seats)
            }
            Stage::Active(Active { timing: Some(_), .. }) => Seats::Now(taken()),
            _ if !(self.agreed.is_empty() && self.resigned.is_empty()) => Seats::Now(taken()),
            _ => {
                Seats::Settled(self.assignments.shown(|| {
                    to_raw_value(&taken()).expect("what is shown has string keys and plain values")
                }))
            }
        }
    }

    /// `assignment`: none where the seat is free.
    fn seat<'a>(&self, seat: Seat, assignment: Option<&'a SeatAssignment>) -> SeatView<'a> {
        let bot = assignment.and_then(SeatAssignment::policy);
        let bank = self.bank(seat).filter(|_| bot.is_none());
        SeatView {
            seat,
            player: assignment.and_then(SeatAssignment::player),
            bot,
            program: assignment.is_some_and(SeatAssignment::is_program),
            away: self.about.pace.turn_seconds.map(|_| self.is_away(seat)),
            bank_ms: bank.map(|left| left.as_millis() as u64),
            resigned: self.resigned.contains(seat),
            agrees_to_abort: self.agreed.contains(seat),
        }
    }
}
