//! A tournament as a caller sees it: everything is public except the invite.

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::{Policy, Time};
use cardroom_core::log::fairness::ALGORITHM;
use cardroom_core::table::Actor;
use cardroom_core::table::view::Fairness;
use cardroom_core::tournament::{
    Departure, Details, Organiser, Registration, Role, Setup, Status, TablesPrescribed, Tournament,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::tournaments::rounds::{self, RoundView};

/// A tournament, as the caller sees it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Tournament)]
pub struct TournamentView<'a> {
    pub id: Uuid,
    pub status: Status,
    /// No round is drawn until an organiser resumes the tournament.
    pub paused: bool,
    /// The clocks of all tables stand still until then, too.
    pub clocks_stopped: bool,
    /// How many entries the tournament's log has.
    pub version: u32,
    /// The settings that its creator chose.
    pub setup: &'a Setup,
    /// What is told about it; decides nothing about the games.
    pub details: &'a Details,
    /// The creator's name.
    pub created_by: &'a str,
    /// The organisers and what each of them may do, the owner first.
    pub organisers: Vec<OrganiserView<'a>>,
    /// RFC 3339 with microseconds, like the next two.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub started_at: Option<Time>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub ended_at: Option<Time>,
    /// From when on an arena that has started seats nobody; null for other formats.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub arena_ends_at: Option<Time>,
    /// The number of entrants, those who wait left out; `/entries` lists them.
    #[schema(value_type = u32)]
    pub entrants: usize,
    /// How many more wait for a place.
    #[schema(value_type = u32)]
    pub waiting: usize,
    /// The invite of a tournament that requires one; shown to its organisers.
    #[schema(required)]
    pub invite: Option<String>,
    /// The caller, if they have entered.
    #[schema(required)]
    pub you: Option<You<'a>>,
    /// The number of the newest round, from 1; 0 before the first.
    #[schema(value_type = u16)]
    pub round: usize,
    /// The newest rounds, the oldest first. Together they show 200 tables and 200 byes at most; an older round shows what the
    /// newer ones leave. `/rounds/{round}/tables` lists the tables of any round, and the log has all rounds.
    pub rounds: Vec<RoundView<'a>>,
    /// The tables of the next round, if an organiser has said who sits together.
    #[schema(required)]
    pub prescribed: Option<PrescribedView<'a>>,
    /// The house's commitment: the lots of each round follow from the seed.
    pub fairness: Fairness,
}

/// An organiser.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Organiser)]
pub struct OrganiserView<'a> {
    /// The name of the account.
    pub player: &'a str,
    pub role: Role,
}

/// A round for which an organiser has said who sits together.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PrescribedRound)]
pub struct PrescribedView<'a> {
    /// From 1.
    pub round: u16,
    /// The names of those who sit together at the first tables: `table_count` says how many tables there are, and the log has
    /// all of them.
    #[schema(max_items = 200)]
    pub tables: Vec<Vec<&'a str>>,
    /// How many tables there are.
    #[schema(value_type = u16)]
    pub table_count: usize,
    /// The entrants that sit out, or the first of them: `bye_count` says how many there are.
    #[schema(max_items = 200)]
    pub byes: Vec<&'a str>,
    /// How many entrants sit out.
    #[schema(value_type = u16)]
    pub bye_count: usize,
}

/// The caller's part in the tournament.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentYou)]
pub struct You<'a> {
    /// The caller's number, from 0 in the order of entry.
    pub entrant: u32,
    /// The caller's name in the standings.
    pub player: &'a str,
    pub withdrawn: bool,
    pub disqualified: bool,
    /// Whether the caller has checked in.
    pub checked_in: bool,
    /// Whether the caller had not checked in when the tournament started, or did not play a round, and has not come since.
    pub absent: bool,
    /// Whether the caller waits for a place, or got none by the start.
    pub waiting: bool,
    /// The caller's team.
    #[schema(required)]
    pub team: Option<&'a str>,
    /// The caller's game in the running round; null if the caller sits out. In an arena, the caller's newest game, which may
    /// be over.
    #[schema(required)]
    pub game: Option<Uuid>,
}

/// An entrant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Entrant)]
pub struct EntrantView<'a> {
    /// From 0, in the order of entry.
    pub entrant: u32,
    /// The name in the standings; bots have names that no account can have.
    pub player: &'a str,
    /// A bot's policy; null for a player.
    #[schema(required)]
    pub bot: Option<Policy>,
    pub withdrawn: bool,
    pub disqualified: bool,
    /// Whether the entrant has checked in; bots always have.
    pub checked_in: bool,
    /// Whether the entrant had not checked in when the tournament started, or did not play a round, and has not come since.
    pub absent: bool,
    /// Whether the entrant waits for a place, or got none by the start.
    pub waiting: bool,
    #[schema(required)]
    pub team: Option<&'a str>,
}

impl<'a> TournamentView<'a> {
    /// `shows_seed`: see [`Tournaments::shows_seed`].
    ///
    /// [`Tournaments::shows_seed`]: crate::tournaments::service::Tournaments::shows_seed
    pub fn of(tournament: &'a Tournament, viewer: Option<&Actor>, shows_seed: bool) -> TournamentView<'a> {
        let over = tournament.is_over();
        let organises = viewer.is_some_and(|actor| actor.admin || tournament.is_organiser(actor.account));
        TournamentView {
            id: tournament.id,
            status: tournament.status(),
            paused: tournament.is_paused() && !over,
            clocks_stopped: tournament.clocks_stopped() && !over,
            version: tournament.version,
            setup: tournament.setup(),
            details: tournament.details(),
            created_by: tournament.created_by(),
            organisers: tournament.organisers().iter().map(OrganiserView::from).collect(),
            created_at: Time(tournament.created_at()),
            started_at: tournament.started_at().map(Time),
            ended_at: tournament.ended_at().map(Time),
            arena_ends_at: tournament.arena_ends_at().map(Time),
            entrants: tournament.entered(),
            waiting: tournament.waiting(),
            invite: tournament.invite().filter(|_| organises),
            you: viewer.and_then(|actor| you(tournament, actor)),
            round: tournament.rounds().len(),
            rounds: rounds::newest(tournament),
            prescribed: tournament.prescribed().map(|prescribed| prescribed_view(tournament, prescribed)),
            fairness: Fairness {
                algorithm: ALGORITHM,
                commitment: tournament.commitment(),
                server_seed: shows_seed.then(|| -> Hex32 { tournament.seed().reveal() }),
            },
        }
    }
}

impl<'a> EntrantView<'a> {
    /// `waits`: see [`Tournament::waits`].
    pub fn of(registration: &'a Registration, waits: impl Fn(&Registration) -> bool) -> EntrantView<'a> {
        EntrantView {
            entrant: registration.entrant.number,
            player: registration.entrant.name(),
            bot: registration.entrant.policy(),
            withdrawn: registration.departure == Some(Departure::Withdrawn),
            disqualified: registration.departure == Some(Departure::Disqualified),
            checked_in: registration.is_present(),
            absent: registration.departure == Some(Departure::Absent),
            waiting: waits(registration),
            team: registration.entrant.team.as_deref(),
        }
    }
}

fn you<'a>(tournament: &'a Tournament, actor: &Actor) -> Option<You<'a>> {
    let registration = tournament.entrant_of(actor.account)?;
    let is_active = tournament.status() == Status::Active;
    let table = tournament.seat_of(registration.entrant.number).filter(|_| is_active);
    let seen = EntrantView::of(registration, tournament.waits());
    let EntrantView { entrant, player, withdrawn, disqualified, checked_in, absent, waiting, team, bot: _ } =
        seen;
    Some(You {
        entrant,
        player,
        withdrawn,
        disqualified,
        checked_in,
        absent,
        waiting,
        team,
        game: table.map(|table| table.game),
    })
}

impl<'a> From<&'a Organiser> for OrganiserView<'a> {
    fn from(organiser: &'a Organiser) -> OrganiserView<'a> {
        OrganiserView { player: &organiser.name, role: organiser.role }
    }
}

fn prescribed_view<'a>(tournament: &'a Tournament, prescribed: &TablesPrescribed) -> PrescribedView<'a> {
    let TablesPrescribed { round, tables, byes, .. } = prescribed;
    let names = |numbers: &[u32]| {
        numbers.iter().take(rounds::SHOWN).map(|&entrant| tournament.name_of(entrant)).collect()
    };
    PrescribedView {
        round: *round,
        tables: tables.iter().take(rounds::SHOWN).map(|seated| names(seated)).collect(),
        table_count: tables.len(),
        byes: names(byes),
        bye_count: byes.len(),
    }
}
