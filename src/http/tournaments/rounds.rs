//! The rounds of a tournament and their tables.

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::log::entry::Time;
use cardroom_core::tournament::{Rematches, RoundBegan, RoundTable, SetResult, Tournament};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::page::{self, MAX_LIMIT, NumberedQuery, Page};
use crate::tournaments::service::Tournaments;

/// How many tables a tournament shows at most, of all its rounds together, and how many byes. As many of the round for which
/// an organiser has said who sits together.
pub(super) const SHOWN: usize = MAX_LIMIT as usize;

/// A round of a tournament.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Round)]
pub struct RoundView<'a> {
    /// From 1.
    pub round: u16,
    /// The first ones, by their numbers: `table_count` says how many there are.
    #[schema(max_items = 200)]
    pub tables: Vec<TableView<'a>>,
    /// How many tables the round has.
    #[schema(value_type = u16)]
    pub table_count: usize,
    /// The entrants that sit out, or the first of them: `bye_count` says how many there are.
    #[schema(max_items = 200)]
    pub byes: Vec<&'a str>,
    /// How many entrants sit out.
    #[schema(value_type = u16)]
    pub bye_count: usize,
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
    /// The chips that the players bring to the table in a freezeout, seat 0 first; empty in other formats.
    pub stacks: &'a [u32],
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

/// The newest rounds, the oldest first. Together they show [`SHOWN`] tables and byes at most; an older round shows what the newer
/// ones leave. So the answer stays short, however long the tournament is.
pub(super) fn newest(tournament: &Tournament) -> Vec<RoundView<'_>> {
    let (mut tables, mut byes) = (SHOWN, SHOWN);
    let mut rounds = Vec::new();
    for began in tournament.rounds().iter().rev() {
        if tables == 0 {
            break;
        }
        let round = seen(tournament, began, tables, byes);
        tables -= round.tables.len();
        byes -= round.byes.len();
        rounds.push(round);
    }
    rounds.reverse();
    rounds
}

/// A round with so many of its tables and byes at most.
fn seen<'a>(
    tournament: &'a Tournament,
    began: &'a RoundBegan,
    most_tables: usize,
    most_byes: usize,
) -> RoundView<'a> {
    let RoundBegan { round, tables, byes, shuffle_id, rematches, .. } = began;
    let shown = tables.iter().take(most_tables);
    RoundView {
        round: *round,
        tables: shown.map(|table| seen_table(tournament, *round, table)).collect(),
        table_count: tables.len(),
        byes: byes.iter().take(most_byes).map(|&entrant| tournament.name_of(entrant)).collect(),
        bye_count: byes.len(),
        shuffle_id: *shuffle_id,
        rematches: *rematches,
    }
}

fn seen_table<'a>(tournament: &'a Tournament, round: u16, table: &'a RoundTable) -> TableView<'a> {
    let players = table.seats.iter().map(|entrant| entrant.map(|entrant| tournament.name_of(entrant)));
    let intervention = tournament.intervention(round, table.table);
    TableView {
        table: table.table,
        game: table.game,
        players: players.collect(),
        stacks: &table.stacks,
        result: intervention.and_then(|found| found.result.as_ref()).map(ResultView::from),
        earlier_games: intervention.map_or(&[], |found| &found.earlier_games),
        paused: tournament.is_table_paused(round, table.table),
    }
}

/// Lists the tables of a round, by their numbers.
///
/// A tournament shows 200 tables at most; this lists all tables of any round that has begun.
#[utoipa::path(
    operation_id = "list_tables", tag = "tournaments",
    params(
        ("id" = Uuid, Path, description = "The tournament."),
        ("round" = u16, Path, description = "The round, from 1."),
        NumberedQuery,
    ),
    responses(
        (status = 200, description = "A page of the tables.", body = Page<TableView>),
        (status = 404, description = "`tournament_not_found`, `table_not_found`"),
    )
)]
#[get("/v1/tournaments/{id}/rounds/{round}/tables")]
pub async fn list(
    request: HttpRequest,
    tournaments: Data<Tournaments>,
    path: Path<(Uuid, u16)>,
    query: Query<NumberedQuery>,
) -> Result<HttpResponse, Problem> {
    let ((id, round), NumberedQuery { limit, cursor }) = (path.into_inner(), query.into_inner());
    let (limit, told) = (page::limit(limit)?, cursor.unwrap_or(0));
    let tournament = tournaments.look(id).await.map_err(|error| problem(error, None))?;
    let began = tournament.rounds().iter().find(|began| began.round == round);
    let began = began.ok_or_else(|| Problem::new("table_not_found", "this round has not begun"))?;
    let rest = began.tables.iter().filter(|table| u32::from(table.table) > told);
    let found = rest.take(limit as usize + 1).map(|table| seen_table(&tournament, round, table));
    Ok(Page::of(found, limit, |table| table.table.to_string()).answer(&request))
}
