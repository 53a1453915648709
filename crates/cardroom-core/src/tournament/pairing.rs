//! The drawing of a round: how many tables there are, and which entrants sit out, go on, or sit together.

use std::collections::HashSet;

use uuid::Uuid;

use super::balanced::Balanced;
use super::game_results::GameResults;
use super::log::{Rematches, RoundBegan, RoundTable};
use super::plan::Plan;
use super::results::Results;
use super::setup::{Format, Seating, Setup};
use super::standings::Order;
use super::state::{Status, Tournament};
use super::swiss;
use super::versions::PairingVersion;
use crate::rules::registry::Kind;

/// What comes next in a tournament.
pub(super) enum Next {
    /// A round is being played, or none will be.
    Nothing,
    Round(RoundBegan),
    End,
}

/// How many entrants a start takes.
pub(super) fn fewest(setup: &Setup, kind: &Kind) -> usize {
    (2..).find(|&players| Plan::of(setup, kind, players, true).is_some()).expect("two tables full are enough")
}

/// The next round or the end, if the running round is over.
pub(super) fn next(
    tournament: &Tournament,
    game_results: &GameResults,
    ids: &mut dyn FnMut() -> Uuid,
) -> Next {
    if tournament.status != Status::Active
        || tournament.is_paused
        || !tournament.rounds.last().is_none_or(|last| tournament.is_round_over(last, game_results))
    {
        return Next::Nothing;
    }
    let draw = Pairing::new(tournament);
    match draw.players(game_results).and_then(|players| draw.round(&players, game_results, ids)) {
        Some(began) => Next::Round(began),
        None => Next::End,
    }
}

/// Whether a round can have been drawn so. Results stand in the games' logs, so this check does not see which entrant
/// had which result: of a Swiss round it sees that the tables are as large as they should be, of a knockout that as
/// many entrants went on. Of a balanced round it sees no more either, because a search takes time; an audit draws all
/// rounds again.
pub(super) fn check(tournament: &Tournament, began: &RoundBegan) -> Result<(), String> {
    let draw = Pairing::new(tournament);
    if began.round != draw.round {
        return Err(format!("round {} was to come", draw.round));
    }
    if began.lots != draw.lots {
        return Err("the seed gives other lots".to_owned());
    }
    if began.shuffle_id.is_some() != tournament.setup().duplicate {
        return Err("only duplicate tables share their shuffles".to_owned());
    }
    let mut players: Vec<u32> = began.entrants().collect();
    players.sort_unstable();
    if players.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("somebody is twice in the round".to_owned());
    }
    if players.iter().any(|&player| draw.lot(player).is_none()) {
        return Err("somebody is in the round who is not there any more".to_owned());
    }
    if !draw.may_be(&players) {
        return Err("others are in this round".to_owned());
    }
    let Some(plan) = draw.plan(players.len()) else { return Err("they are too few for a table".to_owned()) };
    let (seated, byes) = draw.sit_out(&players, plan);
    if began.byes != byes {
        return Err("others sit out".to_owned());
    }
    let games: HashSet<Uuid> = began.tables.iter().map(|table| table.game).collect();
    let earlier = tournament.interventions.values().flat_map(|found| &found.earlier_games);
    let known = tournament.rounds.iter().flat_map(|round| &round.tables).map(|table| &table.game);
    if games.len() != began.tables.len() || known.chain(earlier).any(|game| games.contains(game)) {
        return Err("each table has a game of its own".to_owned());
    }
    let mut games = began.tables.iter().map(|table| table.game);
    let tables = if draw.is_by_lots() { plan.cut(&seated) } else { draw.same(began) };
    if began.rematches.is_some() != (draw.seating() == Some(Seating::Balanced)) {
        return Err("balanced rounds alone say how many pairs meet again".to_owned());
    }
    if (0..plan.tables).any(|at| tables.get(at).map(Vec::len) != Some(plan.players_at(at))) {
        return Err("the tables have other sizes".to_owned());
    }
    if draw.tables(plan, tables, &mut || games.next().unwrap_or_default()) != began.tables {
        return Err("the seats were drawn otherwise".to_owned());
    }
    Ok(())
}

/// A round that is being drawn.
struct Pairing<'a> {
    tournament: &'a Tournament,
    round: u16,
    lots: Vec<u32>,
    /// By entrant, where they stand in the lots.
    at: Vec<Option<u32>>,
}

impl<'a> Pairing<'a> {
    fn new(tournament: &'a Tournament) -> Pairing<'a> {
        let round = tournament.rounds.len() as u16 + 1;
        let lots = tournament.lots(round);
        let mut at = vec![None; tournament.entrants.len()];
        for (&entrant, position) in lots.iter().zip(0..) {
            at[entrant as usize] = Some(position);
        }
        Pairing { tournament, round, lots, at }
    }

    /// An entrant's position in the lots; none for an entrant who is not in them.
    fn lot(&self, entrant: u32) -> Option<u32> {
        self.at.get(entrant as usize).copied().flatten()
    }

    fn plan(&self, players: usize) -> Option<Plan> {
        // The last table of a knockout stands for itself.
        let is_first = self.round == 1;
        let compare = is_first || matches!(self.tournament.setup().format, Format::Rounds { .. });
        Plan::of(self.tournament.setup(), self.tournament.kind(), players, compare)
    }

    /// The entrants in the round, in the order of the lots; none where there is no further round.
    fn players(&self, game_results: &GameResults) -> Option<Vec<u32>> {
        let Some(last) = self.tournament.rounds.last() else { return Some(self.lots.clone()) };
        let players = match self.tournament.setup().format {
            Format::Rounds { rounds, .. } => (self.round <= rounds).then(|| self.lots.clone()),
            Format::Knockout { .. } if is_final(last) => None,
            Format::Knockout { .. } => Some(self.survivors(last, game_results)),
        }?;
        self.plan(players.len()).map(|_| players)
    }

    /// The entrants that go on in a knockout, in the order of the lots. If they are too few for a table, the best of
    /// the entrants that are out come back.
    fn survivors(&self, last: &RoundBegan, game_results: &GameResults) -> Vec<u32> {
        let results = Results::new(self.tournament, game_results);
        let mut going_on: Vec<u32> = last.byes.iter().copied().filter(|&e| self.lot(e).is_some()).collect();
        let there = |table: &RoundTable| {
            table.seats.iter().flatten().copied().filter(|&e| self.lot(e).is_some()).collect::<Vec<_>>()
        };
        let tables: Vec<Vec<u32>> = last.tables.iter().map(there).collect();
        let order = Order::new(self.tournament, &results, &tables);
        for (table, there) in last.tables.iter().zip(tables) {
            going_on.extend(self.by_order(&order, there).into_iter().take(self.quota(table)));
        }
        if (1..self.least()).contains(&going_on.len()) {
            let out: Vec<u32> = self.lots.iter().copied().filter(|e| !going_on.contains(e)).collect();
            let order = Order::new(self.tournament, &results, std::slice::from_ref(&out));
            let missing = self.least() - going_on.len();
            going_on.extend(self.by_order(&order, out).into_iter().take(missing));
        }
        self.in_lots_order(going_on)
    }

    /// The best first; where nothing else decides, the lots do.
    fn by_order(&self, order: &Order<'_>, mut entrants: Vec<u32>) -> Vec<u32> {
        entrants.sort_unstable_by(|&a, &b| order.compare(a, b).then(self.lot(a).cmp(&self.lot(b))));
        entrants
    }

    /// How many of a table go on at most: one at least goes out, unless one is all there are.
    fn quota(&self, table: &RoundTable) -> usize {
        let Format::Knockout { advance } = self.tournament.setup().format else { return 0 };
        let entrants = table.seats.iter().flatten().count();
        usize::from(advance).min(entrants.saturating_sub(1)).max(1)
    }

    /// How few can sit at the last table.
    fn least(&self) -> usize {
        let filled = self.tournament.setup().fill.is_some();
        if filled { 2 } else { self.tournament.kind().min_seats.into() }
    }

    /// Whether these, in ascending order, can be the entrants in the round.
    fn may_be(&self, players: &[u32]) -> bool {
        let all = self.lots.len();
        let last = match (self.tournament.rounds.last(), self.tournament.setup().format) {
            (None, _) => return players.len() == all,
            (Some(_), Format::Rounds { rounds, .. }) => return self.round <= rounds && players.len() == all,
            (Some(last), Format::Knockout { .. }) => last,
        };
        let there = |seats: &[u32]| seats.iter().filter(|&&entrant| self.lot(entrant).is_some()).count();
        let in_it =
            |seats: &[u32]| seats.iter().filter(|entrant| players.binary_search(entrant).is_ok()).count();
        let mut going_on = there(&last.byes);
        let mut as_many = in_it(&last.byes) == going_on;
        for table in &last.tables {
            let seats: Vec<u32> = table.seats.iter().flatten().copied().collect();
            let quota = self.quota(table).min(there(&seats));
            going_on += quota;
            as_many &= in_it(&seats) >= quota;
        }
        let expected = if going_on == 0 { 0 } else { going_on.max(self.least().min(all)) };
        !is_final(last) && as_many && players.len() == expected
    }

    /// Splits the players into those that are seated and those that sit out, both in the order of the lots. The players
    /// that have sat out least often sit out; of them the one whom a schedule leaves without an opponent, and then the
    /// last in the lots.
    fn sit_out(&self, players: &[u32], plan: Plan) -> (Vec<u32>, Vec<u32>) {
        let mut byes = vec![0u32; self.at.len()];
        for entrant in self.tournament.rounds.iter().flat_map(|round| &round.byes) {
            byes[*entrant as usize] += 1;
        }
        let mut order = self.in_lots_order(players.to_vec());
        let alone = match self.seating() {
            Some(Seating::Balanced) => {
                let fewest = order.iter().map(|&entrant| byes[entrant as usize]).min();
                let may = |entrant: &u32| Some(byes[*entrant as usize]) == fewest;
                self.balanced(plan, order.len()).without_opponent(&order, may)
            }
            _ => None,
        };
        order.reverse();
        order.sort_by_key(|&entrant| (byes[entrant as usize], alone != Some(entrant)));
        let seated = order.split_off(order.len() - plan.seated);
        (self.in_lots_order(seated), self.in_lots_order(order))
    }

    fn in_lots_order(&self, mut entrants: Vec<u32>) -> Vec<u32> {
        entrants.sort_unstable_by_key(|&entrant| self.lot(entrant));
        entrants
    }

    /// Whether the tables follow from the lots alone.
    fn is_by_lots(&self) -> bool {
        match self.seating() {
            Some(Seating::Swiss) => self.round == 1,
            Some(Seating::Balanced) => false,
            Some(Seating::Random) | None => true,
        }
    }

    /// None in a knockout.
    fn seating(&self) -> Option<Seating> {
        match self.tournament.setup().format {
            Format::Rounds { seating, .. } => Some(seating),
            Format::Knockout { .. } => None,
        }
    }

    fn balanced(&self, plan: Plan, players: usize) -> Balanced {
        Balanced::new(self.tournament, &self.lots, plan, players)
    }

    /// How many pairs meet again at these tables; none where the draw does not keep them apart.
    fn rematches(&self, tables: &[Vec<u32>]) -> Option<Rematches> {
        (self.seating() == Some(Seating::Balanced)).then(|| self.tournament.met().at(tables))
    }

    /// The tables as they were told, each in the order of the lots.
    fn same(&self, began: &RoundBegan) -> Vec<Vec<u32>> {
        let players = |table: &RoundTable| table.seats.iter().flatten().copied().collect();
        began.tables.iter().map(players).collect()
    }

    fn round(
        &self,
        players: &[u32],
        game_results: &GameResults,
        ids: &mut dyn FnMut() -> Uuid,
    ) -> Option<RoundBegan> {
        let plan = self.plan(players.len())?;
        let (seated, byes) = self.sit_out(players, plan);
        let tables = match self.seating() {
            Some(Seating::Balanced) => {
                self.balanced(plan, players.len()).tables(&seated, &self.tournament.met())
            }
            Some(Seating::Swiss) if self.round > 1 => {
                let results = Results::new(self.tournament, game_results);
                let mut ranked = seated;
                // The sort is stable: with the same result the lots decide.
                ranked.sort_by_key(|&entrant| std::cmp::Reverse(results.line(entrant).total));
                swiss::apart(plan.cut(&ranked), &self.tournament.met())
            }
            _ => plan.cut(&seated),
        };
        Some(RoundBegan {
            round: self.round,
            lots: self.lots.clone(),
            rematches: self.rematches(&tables),
            tables: self.tables(plan, tables, ids),
            byes,
            shuffle_id: self.tournament.setup().duplicate.then(ids),
        })
    }

    /// Gives each their seat; bots fill the last ones.
    fn tables(&self, plan: Plan, tables: Vec<Vec<u32>>, ids: &mut dyn FnMut() -> Uuid) -> Vec<RoundTable> {
        let counts = match self.tournament.about.pairing {
            PairingVersion::V1 => None,
            PairingVersion::V2 => Some(self.tournament.seat_counts()),
        };
        let tables = tables.into_iter().enumerate().map(|(at, players)| {
            let players = self.in_lots_order(players);
            let seated = counts.as_ref().map_or_else(|| players.clone(), |counts| counts.seated(&players));
            let mut seats: Vec<Option<u32>> = seated.into_iter().map(Some).collect();
            seats.resize(plan.seats_at(at), None);
            RoundTable { table: at as u16 + 1, game: ids(), seats }
        });
        tables.collect()
    }
}

impl Tournament {
    /// Whether the tournament ends with this round.
    pub(super) fn ends_with(&self, round: &RoundBegan) -> bool {
        match self.setup().format {
            Format::Rounds { rounds, .. } => round.round >= rounds,
            Format::Knockout { .. } => is_final(round),
        }
    }
}

/// Whether all entrants in the round sat at one table.
fn is_final(round: &RoundBegan) -> bool {
    round.tables.len() == 1 && round.byes.is_empty()
}
