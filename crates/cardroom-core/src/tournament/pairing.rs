//! The drawing of a round: how many tables there are, and which entrants sit out, go on, or sit together.

use std::collections::HashSet;

use jiff::Timestamp;
use uuid::Uuid;

use super::acts::TablesPrescribed;
use super::balanced::Balanced;
use super::format::{Format, Seating};
use super::game_results::GameResults;
use super::log::{Rematches, RoundBegan, RoundTable, TournamentEvent};
use super::lots::Lots;
use super::meetings::spread;
use super::plan::Plan;
use super::results::Results;
use super::setup::Setup;
use super::state::Tournament;
use super::swiss;
use crate::rules::registry::Kind;

/// How many entrants a start takes.
pub(super) fn fewest(setup: &Setup, kind: &Kind) -> usize {
    let compare = !matches!(setup.format, Format::Groups { .. } | Format::Arena { .. });
    let is_enough = |players: &usize| Plan::of(setup, kind, *players, compare).is_some();
    let enough = (2..).find(is_enough).expect("two tables full are enough");
    match setup.format {
        Format::Groups { groups, .. } => usize::from(groups) * enough,
        _ => enough,
    }
}

/// The next round or the end, if the running round is over; for all formats but the arena.
pub(super) fn next(
    tournament: &Tournament,
    game_results: &GameResults,
    ids: &mut dyn FnMut() -> Uuid,
) -> Option<TournamentEvent> {
    if !tournament.rounds.last().is_none_or(|last| tournament.is_round_over(last, game_results)) {
        return None;
    }
    let draw = Pairing::new(tournament);
    let round = draw.players(game_results).map(|players| draw.round(&players, game_results, ids));
    Some(round.map_or_else(|| tournament.end_event(), TournamentEvent::RoundBegan))
}

/// Whether a round can have been drawn so. Results stand in the games' logs, so this check does not see which entrant
/// had which result: of a Swiss round it sees that the tables are as large as they should be, of a knockout that as
/// many entrants went on. Of a balanced round it sees no more either, because a search takes time; an audit draws all
/// rounds again.
pub(super) fn check(tournament: &Tournament, began: &RoundBegan, at: Timestamp) -> Result<(), String> {
    if !tournament.are_new_games(began) {
        return Err("each table has a game of its own".to_owned());
    }
    if tournament.setup().is_arena() {
        return tournament.check_arena_round(began, at);
    }
    let draw = Pairing::new(tournament);
    if began.round != draw.round {
        return Err(format!("round {} was to come", draw.round));
    }
    if began.lots != draw.lots.drawn {
        return Err("the seed gives other lots".to_owned());
    }
    if began.shuffle_id != tournament.shuffle_id(began.round) {
        return Err("only duplicate tables share their shuffles, and these follow from the seed".to_owned());
    }
    let mut players: Vec<u32> = began.entrants().collect();
    players.sort_unstable();
    if players.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err("somebody is twice in the round".to_owned());
    }
    if players.iter().any(|&player| draw.lots.position(player).is_none()) {
        return Err("somebody is in the round who is not there any more".to_owned());
    }
    if !draw.may_be(&players) {
        return Err("others are in this round".to_owned());
    }
    if began.rematches.is_some() != draw.tells_rematches() {
        return Err("balanced rounds alone say how many pairs meet again".to_owned());
    }
    let mut games = began.tables.iter().map(|table| table.game);
    let mut ids = || games.next().unwrap_or_default();
    tournament.check_stacks(began)?;
    if let Some(prescribed) = tournament.prescribed_for(&players) {
        let (tables, byes) = draw.prescribed(prescribed, &mut ids);
        let is_same = tables == began.tables && byes == began.byes;
        return if is_same { Ok(()) } else { Err("other tables were prescribed".to_owned()) };
    }
    let (tables, byes, seats) = draw.checked(began, &players)?;
    if began.byes != byes {
        return Err("others sit out".to_owned());
    }
    let mut drawn = draw.lots.seated(tournament, seats, tables, &mut ids);
    for (drawn, told) in drawn.iter_mut().zip(&began.tables) {
        drawn.stacks.clone_from(&told.stacks);
    }
    if drawn != began.tables {
        return Err("the seats were drawn otherwise".to_owned());
    }
    Ok(())
}

/// A round that is being drawn.
pub(super) struct Pairing<'a> {
    pub tournament: &'a Tournament,
    pub round: u16,
    pub lots: Lots,
    /// By entrant; see [`Tournament::groups`].
    groups: Vec<Option<u16>>,
}

/// Entrants who can sit together, in the order of the lots, and how they are spread; none where they are too few.
type Section = (Vec<u32>, Option<Plan>);

/// The players of each table, the players that sit out, and how many seats the largest table has.
type Checked = (Vec<Vec<u32>>, Vec<u32>, usize);

impl<'a> Pairing<'a> {
    fn new(tournament: &'a Tournament) -> Pairing<'a> {
        let round = tournament.rounds.len() as u16 + 1;
        let lots = tournament.lots(round);
        let groups = if round == 1 { tournament.groups_by(&lots) } else { tournament.groups() };
        Pairing { tournament, round, lots: Lots::new(tournament, lots), groups }
    }

    /// Whether this round is played in groups.
    pub fn is_group_round(&self) -> bool {
        let format = self.tournament.setup().format;
        matches!(format, Format::Groups { .. }) && !format.is_knockout_round(self.round)
    }

    pub fn group(&self, entrant: u32) -> Option<u16> {
        self.groups.get(entrant as usize).copied().flatten()
    }

    /// All who are in a round of groups, in the order of the lots. There was no place for players who came later.
    pub fn grouped(&self) -> Vec<u32> {
        self.lots.drawn.iter().copied().filter(|&entrant| self.group(entrant).is_some()).collect()
    }

    fn sections(&self, players: &[u32]) -> Vec<Section> {
        let (setup, kind) = (self.tournament.setup(), self.tournament.kind());
        let sections = match setup.format {
            Format::Groups { groups, .. } if self.is_group_round() => (1..=groups)
                .map(|group| players.iter().copied().filter(|&one| self.group(one) == Some(group)).collect())
                .collect(),
            _ => vec![players.to_vec()],
        };
        // The last table of a knockout stands for itself.
        let compare = self.round == 1 || matches!(setup.format, Format::Rounds { .. });
        let compare = compare && !self.is_group_round();
        let section = |players: Vec<u32>| {
            let plan = Plan::of(setup, kind, players.len(), compare);
            (self.lots.sorted(players), plan)
        };
        sections.into_iter().map(section).collect()
    }

    /// The entrants in the round, in the order of the lots; none where there is no further round.
    fn players(&self, game_results: &GameResults) -> Option<Vec<u32>> {
        let players = match (self.tournament.rounds.last(), self.tournament.setup().format) {
            (Some(_), Format::Rounds { rounds, .. }) if self.round > rounds => return None,
            (None, _) | (Some(_), Format::Rounds { .. }) => self.lots.drawn.clone(),
            (Some(last), Format::Freezeout {}) => self.survivors(last, game_results),
            (Some(_), _) if self.is_group_round() => self.grouped(),
            (Some(last), _) if self.tournament.ends_with(last) => return None,
            (Some(last), _) => self.going_on(last, game_results),
        };
        self.can_play(&players).then_some(players)
    }

    /// Whether a round with these players leads anywhere. If all groups have become too small for a table, everybody
    /// sits out until the knockout brings together those who are left.
    fn can_play(&self, players: &[u32]) -> bool {
        let (setup, kind) = (self.tournament.setup(), self.tournament.kind());
        self.sections(players).iter().any(|(_, plan)| plan.is_some())
            || (self.is_group_round() && Plan::of(setup, kind, players.len(), false).is_some())
    }

    /// Splits the players into those that are seated and those that sit out, both in the order of the lots. The players
    /// that have sat out least often sit out; of them the one whom a schedule leaves without an opponent, and then the
    /// last in the lots.
    fn sit_out(&self, players: &[u32], plan: Plan) -> (Vec<u32>, Vec<u32>) {
        let mut byes = vec![0u32; self.tournament.entrants.len()];
        for entrant in self.tournament.rounds.iter().flat_map(|round| &round.byes) {
            byes[*entrant as usize] += 1;
        }
        let mut order = self.lots.sorted(players.to_vec());
        let alone = match self.seating() {
            Some(Seating::Balanced) => {
                let fewest = order.iter().map(|&entrant| byes[entrant as usize]).min();
                let may = |entrant: &u32| Some(byes[*entrant as usize]) == fewest;
                self.balanced(plan, &order).without_opponent(&order, may)
            }
            _ => None,
        };
        order.reverse();
        order.sort_by_key(|&entrant| (byes[entrant as usize], alone != Some(entrant)));
        let seated = order.split_off(order.len() - plan.seated);
        (self.lots.sorted(seated), self.lots.sorted(order))
    }

    /// Whether the tables follow from the lots alone.
    fn is_by_lots(&self) -> bool {
        match self.seating() {
            _ if self.has_teams() || self.follows_groups() => false,
            Some(Seating::Swiss) => self.round == 1,
            Some(Seating::Balanced) => false,
            Some(Seating::Random) | None => true,
        }
    }

    /// Whether entrants of one team are to be kept apart.
    fn has_teams(&self) -> bool {
        self.tournament.setup().teams.is_some()
    }

    /// Whether this is the first round of the knockout after the groups.
    pub fn follows_groups(&self) -> bool {
        match self.tournament.setup().format {
            Format::Groups { rounds, .. } => self.round == rounds + 1,
            _ => false,
        }
    }

    /// None in a knockout.
    fn seating(&self) -> Option<Seating> {
        match self.tournament.setup().format {
            Format::Rounds { seating, .. } => Some(seating),
            _ if self.is_group_round() => Some(Seating::Balanced),
            _ => None,
        }
    }

    /// `players` are all of one section.
    fn balanced(&self, plan: Plan, players: &[u32]) -> Balanced {
        let group = players.first().and_then(|&first| self.group(first));
        let is_here = |entrant: u32| self.group(entrant) == group;
        Balanced::new(self.tournament, &self.lots.drawn, is_here, plan, players.len())
    }

    /// How many pairs meet again at these tables; none where the draw does not keep them apart.
    fn rematches(&self, tables: &[Vec<u32>]) -> Option<Rematches> {
        self.tells_rematches().then(|| self.tournament.met().at(tables))
    }

    fn tells_rematches(&self) -> bool {
        let format = self.tournament.setup().format;
        matches!(format, Format::Rounds { seating: Seating::Balanced, .. })
    }

    /// The tables as they were told, each in the order of the lots.
    fn same(&self, began: &RoundBegan) -> Vec<Vec<u32>> {
        let players = |table: &RoundTable| table.seats.iter().flatten().copied().collect();
        began.tables.iter().map(players).collect()
    }

    /// The tables and byes of a round as it was told, if they can be so by the sections.
    fn checked(&self, began: &RoundBegan, players: &[u32]) -> Result<Checked, String> {
        let mut told = self.same(began).into_iter();
        let (mut tables, mut byes, mut seats) = (Vec::new(), Vec::new(), 0);
        for (players, plan) in self.sections(players) {
            let Some(plan) = plan else {
                byes.extend(players);
                continue;
            };
            let (mut seated, out) = self.sit_out(&players, plan);
            let here: Vec<Vec<u32>> = told.by_ref().take(plan.tables).collect();
            let here = if self.is_by_lots() { plan.cut(&seated) } else { here };
            if (0..plan.tables).any(|at| here.get(at).map(Vec::len) != Some(plan.players_at(at))) {
                return Err("the tables have other sizes".to_owned());
            }
            let mut at_tables = here.concat();
            at_tables.sort_unstable();
            seated.sort_unstable();
            if at_tables != seated {
                return Err("others sit out, or sit in another group".to_owned());
            }
            tables.extend(here);
            byes.extend(out);
            seats = seats.max(plan.seats);
        }
        match self.can_play(players) {
            true => Ok((tables, self.lots.sorted(byes), seats)),
            false => Err("they are too few for a table".to_owned()),
        }
    }

    fn round(
        &self,
        players: &[u32],
        game_results: &GameResults,
        ids: &mut dyn FnMut() -> Uuid,
    ) -> RoundBegan {
        if let Some(prescribed) = self.tournament.prescribed_for(players) {
            let (tables, byes) = self.prescribed(prescribed, ids);
            return self.began(tables, byes, game_results);
        }
        let (mut tables, mut byes, mut seats) = (Vec::new(), Vec::new(), 0);
        for (players, plan) in self.sections(players) {
            let Some(plan) = plan else {
                byes.extend(players);
                continue;
            };
            let (seated, out) = self.sit_out(&players, plan);
            tables.extend(self.tables_of(plan, &players, seated, game_results));
            byes.extend(out);
            seats = seats.max(plan.seats);
        }
        let tables = self.lots.seated(self.tournament, seats, tables, ids);
        self.began(tables, self.lots.sorted(byes), game_results)
    }

    /// Which of the seated players of a section sit together.
    fn tables_of(
        &self,
        plan: Plan,
        players: &[u32],
        seated: Vec<u32>,
        game_results: &GameResults,
    ) -> Vec<Vec<u32>> {
        match self.seating() {
            Some(Seating::Balanced) => self.balanced(plan, players).tables(&seated, &self.tournament.met()),
            Some(Seating::Swiss) if self.round > 1 => {
                let results = Results::before_round_of(self.tournament, game_results, &seated);
                let mut ranked = seated;
                // The sort is stable: with the same result the lots decide.
                ranked.sort_by_key(|&entrant| std::cmp::Reverse(results.line(entrant).total));
                swiss::apart(plan.cut(&ranked), &self.tournament.met())
            }
            _ if self.follows_groups() => spread(plan.cut(&seated), &self.tournament.groups_apart()),
            _ if self.has_teams() => spread(plan.cut(&seated), &self.tournament.teams_apart()),
            _ => plan.cut(&seated),
        }
    }

    fn began(&self, mut tables: Vec<RoundTable>, byes: Vec<u32>, game_results: &GameResults) -> RoundBegan {
        if self.tournament.setup().format.carries_chips() {
            self.tournament.bring_stacks(&mut tables, game_results);
        }
        let players = |table: &RoundTable| table.seats.iter().flatten().copied().collect();
        let rematches = self.rematches(&tables.iter().map(players).collect::<Vec<_>>());
        let shuffle_id = self.tournament.shuffle_id(self.round);
        RoundBegan { round: self.round, lots: self.lots.drawn.clone(), rematches, tables, byes, shuffle_id }
    }

    /// The tables that an organiser has prescribed, and who sits out.
    fn prescribed(
        &self,
        prescribed: &TablesPrescribed,
        ids: &mut dyn FnMut() -> Uuid,
    ) -> (Vec<RoundTable>, Vec<u32>) {
        let seats = self.tournament.seats_of_prescribed(prescribed);
        let tables = self.lots.seated(self.tournament, seats, prescribed.tables.clone(), ids);
        (tables, self.lots.sorted(prescribed.byes.clone()))
    }
}

impl Tournament {
    /// Whether the tournament ends with this round.
    pub(super) fn ends_with(&self, round: &RoundBegan) -> bool {
        match self.setup().format {
            Format::Rounds { rounds, .. } => round.round >= rounds,
            // What the games bring decides it.
            Format::Freezeout {} => false,
            // All entrants in the round sat at one table.
            format => {
                format.is_knockout_round(round.round) && round.tables.len() == 1 && round.byes.is_empty()
            }
        }
    }

    /// Whether no table was given a game that another table has or had.
    fn are_new_games(&self, began: &RoundBegan) -> bool {
        let games: HashSet<Uuid> = began.tables.iter().map(|table| table.game).collect();
        let earlier = self.interventions.values().flat_map(|found| &found.earlier_games);
        let known = self.rounds.iter().flat_map(|round| &round.tables).map(|table| &table.game);
        games.len() == began.tables.len() && !known.chain(earlier).any(|game| games.contains(game))
    }
}
