//! A tournament as a caller sees it: everything is public except the invite.

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::Time;
use cardroom_core::log::fairness::ALGORITHM;
use cardroom_core::table::Actor;
use cardroom_core::table::view::Fairness;
use cardroom_core::tournament::{
    Departure, Details, Registration, Rematches, RoundBegan, RoundTable, SetResult, Setup, Status, Tournament,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// The names of the organisers, the creator first.
    pub organisers: Vec<&'a str>,
    /// RFC 3339 with microseconds, like the next two.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Time,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub started_at: Option<Time>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub ended_at: Option<Time>,
    /// The number of entrants; `/entries` lists them.
    pub entrants: usize,
    /// The invite of a tournament that requires one; shown to its organisers.
    #[schema(required)]
    pub invite: Option<String>,
    /// The caller, if they have entered.
    #[schema(required)]
    pub you: Option<You<'a>>,
    /// The rounds that have begun.
    pub rounds: Vec<RoundView<'a>>,
    /// The house's commitment: the lots of each round follow from the seed.
    pub fairness: Fairness,
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
    /// The caller's game in the running round; null if the caller sits out.
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
    pub bot: bool,
    pub withdrawn: bool,
    pub disqualified: bool,
    /// Whether the entrant has checked in; bots always have.
    pub checked_in: bool,
    /// Whether the entrant had not checked in when the tournament started, or did not play a round, and has not come since.
    pub absent: bool,
}

/// A round of a tournament.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Round)]
pub struct RoundView<'a> {
    /// From 1.
    pub round: u16,
    pub tables: Vec<TableView<'a>>,
    /// The entrants that sit out.
    pub byes: Vec<&'a str>,
    /// The shuffle from which the card orders of all tables come, in a duplicate tournament.
    #[schema(required)]
    pub shuffle_id: Option<Uuid>,
    /// How many pairs meet again, with `balanced` seating; null with another.
    #[schema(required)]
    pub rematches: Option<Rematches>,
}

/// A table of a round.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RoundTable)]
pub struct TableView<'a> {
    /// From 1.
    pub table: u16,
    /// The game that is played there.
    pub game: Uuid,
    /// The names of the players at the table, seat 0 first; null for a bot that fills the seat.
    pub players: Vec<Option<&'a str>>,
    /// The result that an organiser has set; null where the game's own counts.
    #[schema(required)]
    pub result: Option<ResultView<'a>>,
    /// The games that were played here before and count for nothing, because the table was played once more; the oldest
    /// first.
    pub earlier_games: &'a [Uuid],
    /// Whether an organiser has stopped the table's clocks.
    pub paused: bool,
}

/// A table's result that an organiser has set.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TableResult)]
pub struct ResultView<'a> {
    /// Stack, score or total, seat 0 first.
    scores: &'a [i64],
    /// Seat 0 first.
    #[schema(value_type = Vec<u8>)]
    places: Vec<u32>,
    reason: &'a str,
    /// The organiser's name.
    by: &'a str,
    #[schema(value_type = String, format = DateTime)]
    at: Time,
}

impl<'a> From<&'a SetResult> for ResultView<'a> {
    fn from(set: &'a SetResult) -> ResultView<'a> {
        let SetResult { reason, by, at, .. } = set;
        // A list of bytes would be written as a text by some formats.
        let places = set.places().iter().map(|&place| place.into()).collect();
        ResultView { scores: set.scores(), places, reason, by, at: Time(*at) }
    }
}

impl<'a> TournamentView<'a> {
    pub fn of(tournament: &'a Tournament, viewer: Option<&Actor>) -> TournamentView<'a> {
        let over = tournament.is_over();
        let organises = viewer.is_some_and(|actor| actor.admin || tournament.is_organiser(actor.account));
        let round = |round: &'a RoundBegan| RoundView {
            round: round.round,
            tables: round.tables.iter().map(|table| seen(tournament, round.round, table)).collect(),
            byes: round.byes.iter().map(|&entrant| name(tournament, entrant)).collect(),
            shuffle_id: round.shuffle_id,
            rematches: round.rematches,
        };
        TournamentView {
            id: tournament.id,
            status: tournament.status(),
            paused: tournament.is_paused() && !over,
            clocks_stopped: tournament.clocks_stopped() && !over,
            version: tournament.version,
            setup: tournament.setup(),
            details: tournament.details(),
            created_by: tournament.created_by(),
            organisers: tournament.organisers().iter().map(|organiser| &*organiser.name).collect(),
            created_at: Time(tournament.created_at()),
            started_at: tournament.started_at().map(Time),
            ended_at: tournament.ended_at().map(Time),
            entrants: tournament.entered(),
            invite: tournament.invite().filter(|_| organises),
            you: viewer.and_then(|actor| you(tournament, actor)),
            rounds: tournament.rounds().iter().map(|began| round(began)).collect(),
            fairness: Fairness {
                algorithm: ALGORITHM,
                commitment: tournament.commitment(),
                server_seed: over.then(|| -> Hex32 { tournament.seed().reveal() }),
            },
        }
    }
}

impl<'a> EntrantView<'a> {
    pub fn of(registration: &'a Registration) -> EntrantView<'a> {
        EntrantView {
            entrant: registration.entrant.number,
            player: registration.entrant.name(),
            bot: registration.entrant.is_bot(),
            withdrawn: registration.departure == Some(Departure::Withdrawn),
            disqualified: registration.departure == Some(Departure::Disqualified),
            checked_in: registration.is_present(),
            absent: registration.departure == Some(Departure::Absent),
        }
    }
}

fn you<'a>(tournament: &'a Tournament, actor: &Actor) -> Option<You<'a>> {
    let registration = tournament.entrant_of(actor.account)?;
    let here = |table: &&RoundTable| table.seats.contains(&Some(registration.entrant.number));
    let game = match tournament.status() {
        Status::Active => tournament.rounds().last().and_then(|round| round.tables.iter().find(here)),
        _ => None,
    };
    let seen = EntrantView::of(registration);
    let EntrantView { entrant, player, withdrawn, disqualified, checked_in, absent, bot: _ } = seen;
    Some(You {
        entrant,
        player,
        withdrawn,
        disqualified,
        checked_in,
        absent,
        game: game.map(|table| table.game),
    })
}

fn seen<'a>(tournament: &'a Tournament, round: u16, table: &RoundTable) -> TableView<'a> {
    let players = table.seats.iter().map(|entrant| entrant.map(|entrant| name(tournament, entrant)));
    let intervention = tournament.intervention(round, table.table);
    TableView {
        table: table.table,
        game: table.game,
        players: players.collect(),
        result: intervention.and_then(|found| found.result.as_ref()).map(ResultView::from),
        earlier_games: intervention.map_or(&[], |found| &found.earlier_games),
        paused: tournament.is_table_paused(round, table.table),
    }
}

fn name(tournament: &Tournament, entrant: u32) -> &str {
    tournament.entrants().get(entrant as usize).map_or("", |registration| registration.entrant.name())
}
