//! Clocks that an organiser stops, and time that is added: what the logs of tournaments' games make of them.

use cardroom_core::log::entry::Entry;
use cardroom_core::rules::registry::by_name;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, HashedEntry};
use cardroom_core::table::turns::{Now, Outage, Pace};
use cardroom_core::table::{Actor, Table};
use jiff::Timestamp;
use serde_json::json;

use crate::hands::dealt;
use crate::table::{Dice, act, actor, at, menu_action, new_game, replayed, seed};

/// A table of two in a tournament, with 20 s for each decision, and its log.
struct Directed {
    table: Table,
    log: Vec<HashedEntry>,
}

fn organiser() -> Actor {
    Actor { admin: true, ..actor(9) }
}

impl Directed {
    fn new() -> Directed {
        let pace = Pace { turn_seconds: Some(20), bank_seconds: 0, bot_delay_ms: 0 };
        let step = dealt(NewGame { pace, ..new_game(by_name("royal_gambit").unwrap(), 2) });
        Directed { table: step.table, log: step.entries }
    }

    fn does(&mut self, by: &Actor, command: &Command, second: i64) -> Result<usize, &'static str> {
        let step = self.table.decide(by, command, at(second)).map_err(|refusal| refusal.code)?;
        let entries = step.entries.len();
        self.table = step.table;
        self.log.extend(step.entries);
        Ok(entries)
    }

    /// The clock does what it has to.
    fn ticks(&mut self, second: i64) -> usize {
        let step = self.table.time_out(at(second).into());
        let entries = step.entries.len();
        self.table = step.table;
        self.log.extend(step.entries);
        entries
    }

    /// Seat 0 acts at once, and for seat 1 the clock does. Gives the second when that was.
    fn goes_on(&mut self, dice: &mut Dice, second: i64) -> i64 {
        if self.table.to_act().contains(0) {
            let action = menu_action(&self.table, 0, dice);
            self.does(&actor(0), &act(action), second).unwrap();
            return second;
        }
        let due = second + self.left(second).unwrap();
        assert!(self.ticks(due) > 0);
        due
    }

    /// How many seconds the seat has whose turn it is.
    fn left(&self, second: i64) -> Option<i64> {
        Some(self.table.deadline()?.as_second() - at(second).as_second())
    }

    fn player(&self) -> Actor {
        actor(self.table.to_act().iter().next().unwrap().into())
    }
}

fn deadline(table: &Table) -> Option<Timestamp> {
    table.deadline()
}

#[test]
fn a_decision_goes_on_with_the_time_that_was_left() {
    let mut game = Directed::new();
    let player = game.player();
    assert_eq!(deadline(&game.table), Some(at(20)));
    assert_eq!(game.does(&player, &Command::Pause, 8), Err("not_organiser"));
    assert_eq!(game.does(&organiser(), &Command::Resume, 8), Ok(0), "they run");
    assert_eq!(game.does(&organiser(), &Command::Pause, 8), Ok(1));
    assert_eq!(game.does(&organiser(), &Command::Pause, 9), Ok(0), "they stand");
    assert_eq!((deadline(&game.table), game.table.due(at(9).into())), (None, None));
    assert_eq!(game.ticks(1000), 0);
    assert_eq!(game.does(&player, &act(json!({"type": "stay"})), 10), Err("game_paused"));
    assert_eq!(game.table.legal_actions(Some(0)).get(), "[]");
    assert_eq!(game.does(&organiser(), &Command::Resume, 1000), Ok(1));
    assert_eq!(deadline(&game.table), Some(at(1012)));
    assert!(game.ticks(1011) == 0 && game.ticks(1012) > 0);
    // The log leads to the same, and so does a snapshot that was taken while the clocks stood.
    assert_eq!(deadline(&replayed(&game.log)), deadline(&game.table));
    game.does(&organiser(), &Command::Pause, 1020).unwrap();
    let snapshot = game.table.snapshot().unwrap();
    let restored = Table::restore(game.table.id, seed(), &snapshot).unwrap();
    assert!(restored.is_paused() && game.table.is_paused());
}

#[test]
fn a_time_in_which_the_service_was_down_is_not_lost_when_the_clocks_stop() {
    let mut game = Directed::new();
    let outages = [Outage { from: at(5), until: at(105) }];
    let now = |second| Now { at: at(second), outages: &outages };
    // 20 s for the turn, of which 10 were used.
    let step = game.table.decide(&organiser(), &Command::Pause, now(110)).unwrap();
    let table = step.table.decide(&organiser(), &Command::Resume, now(500)).unwrap().table;
    assert_eq!(table.due(now(501)), Some(at(510)));
    assert!(table.time_out(now(509)).entries.is_empty() && !table.time_out(now(510)).entries.is_empty());
    game.log.extend(step.entries);
    assert!(replayed(&game.log).is_paused());
}

#[test]
fn a_time_in_which_the_service_was_down_while_the_clocks_stood_is_given_back_once() {
    // An outage while they stood, and one before that. A part of each lies in the decision as it has been moved.
    for (outage, stopped, resumed, due) in [((10, 58), 8, 60, 72), ((5, 105), 110, 112, 122)] {
        let game = Directed::new();
        let outages = [Outage { from: at(outage.0), until: at(outage.1) }];
        // Nobody knows of it before it is over.
        let known = |second| if second < outage.1 { &[][..] } else { &outages[..] };
        let now = |second| Now { at: at(second), outages: known(second) };
        let paused = game.table.decide(&organiser(), &Command::Pause, now(stopped)).unwrap();
        let step = paused.table.decide(&organiser(), &Command::Resume, now(resumed)).unwrap();
        assert_eq!(step.table.due(now(resumed)), Some(at(due)));
        let restored = Table::restore(game.table.id, seed(), &step.table.snapshot().unwrap()).unwrap();
        assert!(restored.time_out(now(due - 1)).entries.is_empty());
        let acted = restored.time_out(now(due)).entries;
        let mut log = game.log;
        log.extend(paused.entries.into_iter().chain(step.entries).chain(acted));
        assert_eq!(replayed(&log).version, log.len() as u32, "the log tells what was granted");
        assert!(log.len() as u32 > step.table.version);
    }
}

#[test]
fn an_outage_after_the_clocks_run_again_counts() {
    let game = Directed::new();
    let outages = [Outage { from: at(65), until: at(95) }];
    let table = game.table.decide(&organiser(), &Command::Pause, at(8)).unwrap().table;
    let table = table.decide(&organiser(), &Command::Resume, at(60)).unwrap().table;
    let now = Now { at: at(96), outages: &outages };
    assert_eq!(table.due(now), Some(at(102)), "12 seconds from 60 on, and 30");
}

#[test]
fn nobody_acts_in_a_log_while_the_clocks_stand() {
    let mut game = Directed::new();
    let player = game.player();
    let mut moved = Directed::new();
    moved.does(&player, &act(json!({"type": "stay"})), 10).unwrap();
    let entry = moved.log[game.log.len()].clone();
    game.does(&organiser(), &Command::Pause, 8).unwrap();
    let acted = Entry { seq: entry.entry.seq + 1, ..entry.entry };
    let mut table = game.table.clone();
    let fault = table.evolve(&acted, entry.hash).unwrap_err();
    assert_eq!(fault.detail, "an organiser has stopped the clocks; wait until they run");
    game.does(&organiser(), &Command::Resume, 9).unwrap();
    let acted = Entry { seq: acted.seq + 1, ..acted };
    game.table.clone().evolve(&acted, entry.hash).unwrap();
}

#[test]
fn time_that_is_added_is_there_for_everybody_and_for_seats_that_were_away() {
    let mut game = Directed::new();
    assert_eq!(game.does(&organiser(), &Command::AddTime { totals: vec![30, 30] }, 1), Ok(1));
    assert_eq!(game.does(&organiser(), &Command::AddTime { totals: vec![30, 30] }, 1), Ok(0), "it was added");
    assert_eq!(deadline(&game.table), Some(at(50)));
    let mut dice = Dice(3);
    let mut second = 1;
    // Seat 1 misses all its decisions: after three it is away, and has 5 s.
    while game.left(second) != Some(5) {
        second = game.goes_on(&mut dice, second);
    }
    game.does(&organiser(), &Command::AddTime { totals: vec![70, 70] }, second).unwrap();
    assert_eq!(game.left(second), Some(60), "a whole turn, and what was added");
    assert_eq!(
        game.does(&actor(1), &Command::AddTime { totals: vec![90, 90] }, second),
        Err("not_organiser")
    );
}

#[test]
fn a_game_tells_for_whom_the_clock_decided_until_its_end() {
    let mut game = Directed::new();
    assert!(game.table.missed().is_empty());
    let (mut dice, mut second) = (Dice(3), 0);
    while !game.table.is_over() {
        second = game.goes_on(&mut dice, second);
    }
    assert_eq!(game.table.missed()[0], 0);
    assert!(game.table.missed()[1] >= 3, "{:?}", game.table.missed());
    assert_eq!(replayed(&game.log).missed(), game.table.missed());
}
