//! Tournaments of all kinds and formats, with results at random. What holds of all of them is held here.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;

use super::setup::starting_stacks;
use super::*;
use crate::log::entry::Policy;
use crate::log::fairness::{Seed, Source, Words};
use crate::rules::{Outcome, registry};

/// A tournament that is being played, and what stands beside it.
pub struct Sim {
    pub now: Tournament,
    pub entries: Vec<(TournamentEntry, String)>,
    pub game_results: GameResults,
    pub rows: Vec<AwardedHand>,
    pub seed: Seed,
    pub luck: Words,
    /// It is this time, or a second after the newest entry if that is later.
    pub clock: Timestamp,
    ids: u128,
}

pub fn words(seed: u32) -> Words {
    let mut bytes = [7; 32];
    bytes[..4].copy_from_slice(&seed.to_be_bytes());
    Source::new(Seed::new(bytes), Uuid::nil(), []).chance(0)
}

pub fn person(number: u32) -> Person {
    Person {
        account: Uuid::from_u128(1000 + u128::from(number)),
        username: format!("p{number}"),
        admin: false,
        is_guest: false,
        is_program: false,
    }
}

pub fn organiser() -> Person {
    Person {
        account: Uuid::from_u128(1),
        username: "olga".to_owned(),
        admin: false,
        is_guest: false,
        is_program: false,
    }
}

pub fn setup(wanted: serde_json::Value) -> Setup {
    serde_json::from_str::<NewTournament>(&wanted.to_string()).unwrap().settle().unwrap().0
}

impl Sim {
    pub fn new(setup: Setup, luck: u32) -> Sim {
        let seed = Seed::new([luck as u8; 32]);
        let at = Timestamp::UNIX_EPOCH;
        let step = Tournament::create(
            Uuid::from_u128(77),
            seed.clone(),
            &organiser(),
            (setup, Details::default()),
            at,
        );
        Sim {
            now: step.tournament,
            entries: step.entries,
            game_results: GameResults::new(),
            rows: Vec::new(),
            seed,
            luck: words(luck),
            clock: at,
            ids: 1 << 64,
        }
    }

    /// With so many entrants, every third of them a bot; in teams of neighbours, where there are teams.
    pub fn started(setup: Setup, entrants: u32, luck: u32) -> Sim {
        let size = setup.teams.map(|teams| u32::from(teams.size));
        let mut sim = Sim::new(setup, luck);
        let rows = (0..entrants).map(|number| {
            let team = size.map(|size| format!("team {}", number / size));
            let Person { account, username: name, is_program, .. } = person(number);
            match number % 3 {
                2 => NewEntrant::Bot { policy: Policy::Steady, team },
                _ => NewEntrant::Player { account, name, is_program, team },
            }
        });
        sim.does(&organiser(), &Command::EnterMany(rows.collect())).unwrap();
        sim.does(&organiser(), &Command::Start).unwrap();
        sim
    }

    pub fn fresh(&mut self) -> Uuid {
        self.ids += 1;
        Uuid::from_u128(self.ids)
    }

    pub fn at(&self) -> Timestamp {
        self.clock.max(self.now.at + SignedDuration::from_secs(1))
    }

    pub fn does(&mut self, who: &Person, command: &Command) -> Result<(), &'static str> {
        let step = self.now.decide(who, command, self.at()).map_err(|refusal| refusal.code)?;
        self.take(step);
        Ok(())
    }

    pub fn advance(&mut self) -> bool {
        let mut ids = self.ids;
        let mut fresh = || {
            ids += 1;
            Uuid::from_u128(ids)
        };
        let step = self.now.advance(&self.game_results, self.at(), &mut fresh);
        self.ids = ids;
        let moved = !step.entries.is_empty();
        self.take(step);
        moved
    }

    /// What is decided can be, after a trip through JSON, too.
    fn take(&mut self, step: Step) {
        for (entry, text) in &step.entries {
            let read = TournamentEntry::parse(text).unwrap();
            assert_eq!(read.text(), *text);
            assert_eq!(self.now.objection(&read), None, "{text}");
            self.now.evolve(&read).unwrap();
            assert_eq!(entry.seq, self.now.version);
        }
        assert_eq!(format!("{:?}", self.now), format!("{:?}", step.tournament));
        self.entries.extend(step.entries);
        self.now = step.tournament;
    }

    pub fn row(&mut self, row: AwardedHand) {
        assert!(self.game_results.take(row.clone()));
        assert!(!self.game_results.take(row.clone()), "a row counts once");
        self.rows.push(row);
    }

    /// A game ends with these scores, seat by seat.
    pub fn ends(&mut self, game: Uuid, scores: Vec<i64>) {
        let outcome = Outcome::by_score(&scores, self.now.kind().best);
        let mut places = vec![0; scores.len()];
        outcome.places.iter().for_each(|placing| places[usize::from(placing.seat)] = placing.place);
        let stacks = self.now.table_of(game).map(|(began, table)| {
            let options = self.now.setup().options_of(began.round, table);
            starting_stacks(&options, scores.len())
        });
        let stacks = stacks.flatten();
        let awards = self.now.setup().scoring.awards_at_end(stacks.as_deref(), &outcome).unwrap();
        let seq = self.game_results.seq_of(game) + 10;
        let limit = self.now.setup().no_show_limit.unwrap_or(0);
        let missed = (0..scores.len()).map(|_| if self.luck.uniform(12) == 0 { limit } else { 0 }).collect();
        let (at, end) = (self.at(), Some(End::Finished { places, missed }));
        self.row(AwardedHand { game, seq, at, hand: 2, scores, awards, end });
    }

    /// How a table could end. In a freezeout, chips go from seat to seat.
    pub fn scores(&mut self, table: &RoundTable) -> Vec<i64> {
        let seats = table.seats.len();
        if !table.stacks.is_empty() {
            let mut scores: Vec<i64> = table.stacks.iter().map(|&stack| stack.into()).collect();
            for _ in 0..seats {
                let (from, to) = (self.luck.uniform(seats as u32), self.luck.uniform(seats as u32));
                let lost = scores[from as usize] / i64::from(1 + self.luck.uniform(3));
                scores[from as usize] -= lost;
                scores[to as usize] += lost;
            }
            return scores;
        }
        let mut scores: Vec<i64> = (0..seats).map(|_| i64::from(self.luck.uniform(9)) * 5).collect();
        if let Some(buy_in) = self.now.setup().buy_in() {
            // Nobody makes chips.
            let over = scores[1..].iter().sum::<i64>();
            scores[0] = -over;
            scores.iter_mut().for_each(|score| *score += i64::from(buy_in));
        }
        scores
    }

    /// Plays the running round: a hand at each table, then its end; one game in twenty is called off.
    pub fn plays_round(&mut self) {
        let tables = self.now.rounds().last().unwrap().tables.clone();
        for table in &tables {
            let scores = self.scores(table);
            let (game, at, awards) = (table.game, self.at(), Vec::new());
            self.row(AwardedHand { game, seq: 3, at, hand: 1, scores, awards, end: None });
            // An organiser may have said how all tables ended.
            let is_over = self.now.is_round_over(self.now.rounds().last().unwrap(), &self.game_results);
            assert!(is_over || !self.advance(), "a round runs until all tables have ended");
        }
        for table in tables {
            let scores = self.scores(&table);
            if self.luck.uniform(20) == 0 {
                let (game, at, end) = (table.game, self.at(), Some(End::Aborted));
                self.row(AwardedHand { game, seq: 9, at, hand: 1, scores, awards: Vec::new(), end });
            } else {
                self.ends(table.game, scores);
            }
        }
    }

    pub fn withdraws(&mut self, entrant: u32) {
        let registration = &self.now.entrants()[entrant as usize];
        if let (Some(account), None) = (registration.entrant.account(), registration.departure) {
            let username = registration.entrant.name().to_owned();
            self.does(
                &Person { account, username, admin: false, is_guest: false, is_program: false },
                &Command::Withdraw,
            )
            .unwrap();
        }
    }

    /// Plays it to its end; now and then an entrant withdraws, or is put out.
    pub fn plays(&mut self, restless: bool) {
        while self.advance() && self.now.status() == Status::Active {
            self.check_round();
            let there = self.now.entrants().len() as u32;
            if restless && self.luck.uniform(3) == 0 {
                let one = self.luck.uniform(there);
                self.withdraws(one);
            }
            if restless && self.luck.uniform(9) == 0 {
                let one = self.luck.uniform(there) as usize;
                let player = self.now.entrants()[one].entrant.name().to_owned();
                let command = Command::Disqualify { player, reason: "two phones".to_owned() };
                let was = self.now.entrants()[one].departure;
                assert_eq!(self.does(&organiser(), &command).is_ok(), was != Some(Departure::Disqualified));
            }
            self.plays_round();
            self.check_standings();
            assert!(self.now.rounds().len() <= 200, "it ends");
        }
        assert_eq!(self.now.status(), Status::Finished);
    }

    pub fn check_round(&self) {
        let setup = self.now.setup();
        let round = self.now.rounds().last().unwrap();
        let mut once = BTreeSet::new();
        assert!(round.entrants().all(|entrant| once.insert(entrant)), "nobody is twice in a round");
        let sizes = |of: fn(&RoundTable) -> usize| {
            let sizes: Vec<usize> = round.tables.iter().map(of).collect();
            (*sizes.iter().min().unwrap(), *sizes.iter().max().unwrap())
        };
        let (fewest, most) = sizes(|table| table.seats.len());
        assert!(most - fewest <= usize::from(!setup.duplicate), "{fewest} and {most} at tables");
        assert!(fewest >= usize::from(self.now.kind().min_seats) && most <= usize::from(setup.table_size));
        let (fewest, most) = sizes(|table| table.seats.iter().flatten().count());
        assert!(most - fewest <= 1 && fewest > 0);
        let bots = round.tables.iter().any(|table| table.seats.contains(&None));
        assert!(!bots || (setup.fill.is_some() && round.byes.is_empty()));
        if matches!(setup.format, Format::Rounds { .. }) {
            assert_eq!(
                once.into_iter().collect::<Vec<_>>(),
                self.now.remaining(),
                "everybody is in the round"
            );
        }
    }

    pub fn check_standings(&self) {
        let rows = self.now.standings(&self.game_results);
        let placed: Vec<&Row> = rows.iter().filter(|row| row.place.is_some()).collect();
        for (at, row) in placed.iter().enumerate() {
            let place = row.place.unwrap() as usize;
            assert!(place == at + 1 || placed[at - 1].place == row.place, "1, 1, 3");
        }
        assert!(rows[placed.len()..].iter().all(|row| row.status == EntrantStatus::Disqualified));
        if let Format::Rounds { .. } = self.now.setup().format {
            let results: Vec<(bool, f64)> =
                placed.iter().map(|row| (row.round > 0, row.result.to_f64())).collect();
            assert!(results.windows(2).all(|pair| pair[0] >= pair[1]), "{results:?}");
        }
        let everybody_counts = rows.len() == placed.len() && self.now.setup().fill.is_none();
        let setup = self.now.setup();
        let adds_up = matches!(setup.format, Format::Rounds { .. } | Format::Freezeout {});
        if adds_up && setup.result_by == (ResultBy::Chips {}) && everybody_counts {
            let earned = |row: &&Row| row.result.to_f64() - row.penalties.result.to_f64();
            let sum: f64 = placed.iter().map(earned).sum();
            assert!(sum.abs() < 1e-6, "chips are won from somebody: {sum}");
        }
        self.check_points(&rows);
        let again: Vec<Row> = self.replayed().standings(&self.reshuffled());
        assert_eq!(again, rows);
    }

    /// The points that are told one by one add up to the scores.
    pub fn check_points(&self, rows: &[Row]) {
        let mut sums = vec![0; self.now.entrants().len()];
        let counted = self.now.counted_awards(&self.game_results);
        for AwardedHand { game, hand, awards, .. } in &self.rows {
            for counted in awards.iter().filter_map(|award| counted.of(*game, *hand, award.clone())) {
                sums[counted.entrant as usize] += counted.award.points;
            }
        }
        for row in rows {
            let earned = row.score.map_or(0, |score| score - row.penalties.score);
            assert_eq!(sums[row.entrant as usize], earned, "{row:?}");
        }
    }

    pub fn replayed(&self) -> Tournament {
        let entries = self.entries.iter().map(|(_, text)| TournamentEntry::parse(text).unwrap());
        Tournament::replay(self.now.id, self.seed.clone(), entries).unwrap()
    }

    /// The replica that keeps the tournament is killed. Another one goes on with what it reads: the log, and the rows of
    /// the games.
    pub fn dies(&mut self) {
        (self.now, self.game_results) = (self.replayed(), self.reshuffled());
    }

    /// The same rows, as if other games had been played first.
    fn reshuffled(&self) -> GameResults {
        let mut rows = self.rows.clone();
        rows.sort_by_key(|row| {
            (std::cmp::Reverse(row.seq.min(3)), row.game.as_u128() % 7, row.game, row.seq)
        });
        let mut game_results = GameResults::new();
        rows.sort_by_key(|row| (row.game.as_u128() % 7, row.game, row.seq));
        rows.into_iter().for_each(|row| assert!(game_results.take(row)));
        game_results
    }
}

/// Each kind, each format, each way to count, 2 to 40 entrants.
#[test]
fn tournaments_of_all_kinds_and_formats_go_by_the_book() {
    let mut luck = words(1);
    let mut played = 0;
    let kinds = registry::newest().count();
    for number in 0..105 * kinds {
        let kind = registry::newest().nth(number % kinds).unwrap();
        let size = kind.min_seats + luck.uniform(u32::from(kind.max_seats - kind.min_seats) + 1) as u8;
        let takes_chips = setup(json!({"name": "Cup", "kind": kind.kind,
            "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "scoring": {"type": "places"}}));
        let takes_chips = kind.ante(&takes_chips.options).is_some();
        let format = match number / kinds % 5 {
            0 => json!({"type": "rounds", "rounds": 1 + luck.uniform(6), "seating": "random"}),
            1 => json!({"type": "rounds", "rounds": 1 + luck.uniform(6), "seating": "swiss"}),
            2 => json!({"type": "rounds", "rounds": 1 + luck.uniform(6), "seating": "balanced"}),
            3 if takes_chips => json!({"type": "freezeout"}),
            _ => json!({"type": "knockout", "advance": 1 + luck.uniform(u32::from(size) - 1)}),
        };
        let is_freezeout = format["type"] == "freezeout";
        let duplicate = !is_freezeout && luck.uniform(4) == 0;
        let mut wanted = json!({"name": "Cup", "kind": kind.kind, "table_size": size, "format": format,
            "duplicate": duplicate, "scoring": {"type": "places"}});
        if !is_freezeout && luck.uniform(3) == 0 {
            wanted["fill"] = json!("steady");
        }
        match luck.uniform(3) {
            _ if is_freezeout => {}
            0 => wanted["result_by"] = json!({"type": "places"}),
            1 if !duplicate => {
                wanted["result_by"] = json!({"type": "placing_points", "points": [10, 6, 3, 1]})
            }
            _ => {}
        }
        let setup = setup(wanted);
        let least = pairing::fewest(&setup, kind) as u32;
        let entrants = least + luck.uniform(41 - least);
        let mut sim = Sim::started(setup.clone(), entrants, number as u32);
        let restless = luck.uniform(3) == 0;
        sim.plays(restless);
        played += 1;
        let Format::Rounds { rounds, .. } = setup.format else { continue };
        if !restless {
            let rows = sim.now.standings(&sim.game_results);
            assert!(rows.iter().all(|row| row.round == rounds));
            let byes: Vec<u32> = rows.iter().map(|row| row.byes).collect();
            assert!(byes.iter().max().unwrap() - byes.iter().min().unwrap() <= 1, "{byes:?}");
        }
    }
    assert!(played > 300);
}
