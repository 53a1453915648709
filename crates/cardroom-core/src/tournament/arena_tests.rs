//! Arenas: players who come and go, and rounds that run beside each other.

use std::collections::BTreeSet;

use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use super::desk_tests::{name, who};
use super::simulation::{Sim, organiser, person, setup, words};
use super::tests::disqualify;
use super::*;
use crate::rules::registry;

fn arena(kind: &str, size: u8, minutes: u16, more: serde_json::Value) -> Setup {
    let mut wanted = json!({"name": "Arena", "kind": kind, "table_size": size, "scoring": {"type": "places"},
        "format": {"type": "arena", "minutes": minutes}});
    more.as_object().unwrap().iter().for_each(|(name, value)| wanted[name] = value.clone());
    setup(wanted)
}

/// Lets seconds pass, and does what the house does then. Returns how many rounds were drawn.
fn passes(sim: &mut Sim, seconds: i64) -> usize {
    let before = sim.now.rounds().len();
    sim.clock = sim.at() + SignedDuration::from_secs(seconds);
    while sim.now.status() == Status::Active && sim.advance() {}
    sim.now.rounds().len() - before
}

/// The games that run.
fn running(sim: &Sim) -> Vec<RoundTable> {
    let tables = sim.now.rounds().iter().flat_map(|round| &round.tables);
    tables.filter(|table| !sim.game_results.has_ended(table.game)).cloned().collect()
}

fn ends(sim: &mut Sim, table: &RoundTable) {
    let scores = sim.scores(table);
    sim.ends(table.game, scores);
}

fn checks_in(sim: &mut Sim, entrant: u32, is_present: bool) -> Result<(), &'static str> {
    let player = name(sim, entrant);
    sim.does(&person(entrant), &Command::CheckIn { player, is_present })
}

#[test]
fn players_get_the_next_table_while_others_still_play() {
    let mut sim = Sim::started(arena("sevens", 2, 10, json!({})), 8, 1);
    assert_eq!(passes(&mut sim, 0), 1, "everybody is seated at once");
    let tables = running(&sim);
    assert_eq!(tables.len(), 4);
    ends(&mut sim, &tables[0]);
    assert_eq!(passes(&mut sim, 1), 0, "those whose games end at about the same time are drawn together");
    ends(&mut sim, &tables[1]);
    assert_eq!(passes(&mut sim, 5), 1);
    let newest = sim.now.rounds()[1].clone();
    let free: BTreeSet<u32> =
        tables[..2].iter().flat_map(|table| table.seats.iter().flatten()).copied().collect();
    assert_eq!(newest.lots.iter().copied().collect::<BTreeSet<u32>>(), free);
    for table in &newest.tables {
        let was_there = |entrant: &&Option<u32>| tables[0].seats.contains(entrant);
        assert_eq!(table.seats.iter().filter(was_there).count(), 1, "nobody meets the last opponent again");
    }
    // One who comes, and one who is back from a break, play each other.
    let seven = tables[2].seats[0].unwrap();
    ends(&mut sim, &tables[2]);
    let gone = tables[2].seats[1].unwrap();
    disqualify(&mut sim, gone);
    sim.does(&person(50), &Command::Enter(Application::default())).unwrap();
    assert_eq!(passes(&mut sim, 5), 1);
    let mut seats: Vec<u32> = sim.now.rounds()[2].tables[0].seats.iter().flatten().copied().collect();
    seats.sort_unstable();
    assert_eq!(seats, [seven, 8]);
}

#[test]
fn who_came_from_a_full_table_waits_a_minute_for_others_at_most() {
    let mut sim = Sim::started(arena("sevens", 4, 30, json!({})), 8, 1);
    passes(&mut sim, 0);
    let tables = running(&sim);
    let three = tables[0].seats.iter().flatten().copied().find(|entrant| entrant % 3 != 2).unwrap();
    ends(&mut sim, &tables[0]);
    checks_in(&mut sim, three, false).unwrap();
    assert_eq!(passes(&mut sim, 30), 0, "three do not fill a table of four");
    assert_eq!(passes(&mut sim, 30), 1);
    assert_eq!(sim.now.rounds()[1].tables[0].seats.len(), 3);
    checks_in(&mut sim, three, true).unwrap();
    assert_eq!(checks_in(&mut sim, three, true), Ok(()), "asking twice does no harm");
    ends(&mut sim, &tables[1]);
    assert_eq!(passes(&mut sim, 5), 1);
    assert_eq!(sim.now.rounds()[2].lots.len(), 5);
    assert_eq!(sim.now.rounds()[2].tables.len(), 1);
    assert!(
        sim.now.rounds()[2].tables[0].seats.contains(&Some(three)),
        "those who have waited longest are seated"
    );
}

#[test]
fn an_arena_goes_on_when_the_clock_is_put_back() {
    let mut sim = Sim::started(arena("sevens", 2, 60, json!({})), 4, 1);
    passes(&mut sim, 0);
    let drawn = sim.now.changed_at();
    running(&sim).iter().for_each(|table| ends(&mut sim, table));
    let (now, results) = (sim.now.clone(), sim.game_results.clone());
    let draws = |seconds: i64| {
        let clock = drawn + SignedDuration::from_secs(seconds);
        let step = now.advance(&results, clock, &mut || sim.fresh());
        assert!(step.entries.iter().all(|(entry, _)| entry.at.0 >= drawn), "time does not run backwards");
        step.tournament.rounds().len() - now.rounds().len()
    };
    let at = [-3600, -5, -4, 0, 4, 5].map(draws);
    assert_eq!(at, [1, 1, 0, 0, 0, 1], "clocks of replicas differ a little");
}

#[test]
fn a_player_who_has_taken_too_many_breaks_can_still_come_back_from_the_last() {
    let mut sim = Sim::new(arena("sevens", 2, 60, json!({"check_in_minutes": 10})), 1);
    for number in 0..2 {
        sim.does(&person(number), &Command::Enter(Application::default())).unwrap();
        checks_in(&mut sim, number, true).unwrap();
    }
    sim.does(&organiser(), &Command::Start).unwrap();
    for _ in 0..10 {
        checks_in(&mut sim, 0, false).unwrap();
        checks_in(&mut sim, 0, true).unwrap();
    }
    assert_eq!(checks_in(&mut sim, 0, false), Err("too_many_changes"));
    assert_eq!(sim.now.playing_on(), 2);
}

#[test]
fn nobody_is_seated_when_the_time_is_up_and_the_last_game_ends_it() {
    let mut sim = Sim::started(arena("royal_gambit", 2, 1, json!({})), 4, 1);
    passes(&mut sim, 0);
    let tables = running(&sim);
    ends(&mut sim, &tables[0]);
    assert_eq!(passes(&mut sim, 60), 0);
    let late = sim.does(&person(9), &Command::Enter(Application::default()));
    assert_eq!((late, sim.now.status()), (Err("registration_closed"), Status::Active));
    ends(&mut sim, &tables[1]);
    passes(&mut sim, 1);
    assert_eq!(sim.now.status(), Status::Finished);
    let rows = sim.now.standings(&sim.game_results);
    assert!(rows.iter().all(|row| (row.games, row.byes) == (1, 0) && row.place.is_some()));
}

#[test]
fn a_table_is_played_once_more_until_one_of_its_players_is_seated_anew() {
    let mut sim = Sim::started(arena("sevens", 2, 10, json!({})), 4, 1);
    passes(&mut sim, 0);
    let tables = running(&sim);
    let redo = |table: &RoundTable, game: u128| Command::Redo {
        round: 1,
        table: table.table,
        reason: "the wrong deck".to_owned(),
        replaced: table.game,
        game: Uuid::from_u128(game),
    };
    ends(&mut sim, &tables[0]);
    sim.does(&organiser(), &redo(&tables[0], 1)).unwrap();
    let again = running(&sim)[0].clone();
    ends(&mut sim, &again);
    ends(&mut sim, &tables[1]);
    assert_eq!(passes(&mut sim, 5), 1);
    assert_eq!(sim.does(&organiser(), &redo(&tables[1], 2)), Err("round_over"));
    let pause = Command::PauseTable { round: 1, table: 2 };
    assert_eq!(sim.does(&organiser(), &pause), Err("round_over"));
    sim.does(&organiser(), &Command::PauseTable { round: 2, table: 2 }).unwrap();
}

#[test]
fn what_does_not_go_with_an_arena_is_refused() {
    for (field, value) in [
        ("pause_after_rounds", json!(true)),
        ("duplicate", json!(true)),
        ("teams", json!({"size": 2})),
        ("late_entry", json!({"until_round": 2, "missed": "nothing"})),
        ("admission", json!({"type": "limited", "max": 8, "waiting_list": true})),
        ("format", json!({"type": "arena", "minutes": 0})),
        ("format", json!({"type": "arena", "minutes": 721})),
    ] {
        let mut wanted =
            json!({"name": "Arena", "kind": "sevens", "format": {"type": "arena", "minutes": 60}});
        wanted[field] = value;
        let new: NewTournament = serde_json::from_str(&wanted.to_string()).unwrap();
        assert_eq!(new.settle().unwrap_err().code, "invalid_options", "{wanted}");
    }
}

/// Something that happens in an arena now and then.
fn happens(sim: &mut Sim, newest: &mut u32) {
    let entrant = sim.luck.uniform(sim.now.entrants().len() as u32);
    match sim.luck.uniform(12) {
        0 => sim.withdraws(entrant),
        change @ 1..=6 => {
            let _ = checks_in(sim, entrant, change > 3);
        }
        7 | 8 => {
            *newest += 1;
            let _ = sim.does(&person(*newest), &Command::Enter(Application::default()));
        }
        9 => {
            let player = name(sim, entrant);
            let _ = sim.does(&organiser(), &Command::Disqualify { player, reason: "two phones".to_owned() });
        }
        10 => {
            let player = name(sim, entrant);
            let _ = sim.does(&organiser(), &Command::Reinstate { player });
        }
        _ => sim.dies(),
    }
}

/// Nobody plays two games at a time, nobody is twice in a round, and tables have the sizes that they can have.
fn check_tables(sim: &Sim) {
    let setup = sim.now.setup();
    let mut once = BTreeSet::new();
    for table in running(sim) {
        let least = usize::from(sim.now.kind().min_seats);
        assert!((least..=usize::from(setup.table_size)).contains(&table.seats.len()));
        assert!(setup.fill.is_some() || !table.seats.contains(&None));
        assert!(table.seats.iter().flatten().all(|entrant| once.insert(*entrant)), "{table:?}");
    }
}

/// Goes through the log as an audit does: by each entry, with the rows of the games up to then.
fn audit(sim: &Sim) {
    let mut entries = sim.entries.iter().map(|(_, text)| TournamentEntry::parse(text).unwrap());
    let mut now = Tournament::replay(sim.now.id, sim.seed.clone(), entries.next()).unwrap();
    for entry in entries {
        let mut known = GameResults::new();
        for row in sim.rows.iter().filter(|row| row.at <= entry.at.0) {
            known.take(row.clone());
        }
        assert_eq!(now.arena_fault(&entry.event, &known, entry.at.0), None, "{entry:?}");
        now.evolve(&entry).unwrap();
    }
}

#[test]
fn a_hundred_restless_arenas_come_to_their_ends() {
    let mut luck = words(3);
    let (mut rounds, mut absent) = (0, 0);
    for number in 0..100 {
        let kind = registry::newest().nth(number % registry::newest().count()).unwrap();
        let size = kind.min_seats + luck.uniform(u32::from(kind.max_seats - kind.min_seats) + 1) as u8;
        let mut more = json!({"no_show_limit": 3});
        if luck.uniform(3) == 0 {
            more["fill"] = json!("steady");
        }
        let setup = arena(kind.kind, size, 20, more);
        let least = pairing::fewest(&setup, kind) as u32;
        let mut sim = Sim::started(setup, least + luck.uniform(25), number as u32);
        let mut newest = 100;
        for _ in 0..2000 {
            let seconds = i64::from(sim.luck.uniform(20));
            passes(&mut sim, seconds);
            check_tables(&sim);
            if sim.now.status() != Status::Active {
                break;
            }
            let games = running(&sim);
            if !games.is_empty() && sim.luck.uniform(2) == 0 {
                let table = games[sim.luck.uniform(games.len() as u32) as usize].clone();
                ends(&mut sim, &table);
            }
            if sim.luck.uniform(3) == 0 {
                happens(&mut sim, &mut newest);
            }
        }
        assert_eq!(sim.now.status(), Status::Finished);
        sim.check_standings();
        audit(&sim);
        rounds += sim.now.rounds().len();
        let marked = |(entry, _): &&(TournamentEntry, String)| match &entry.event {
            TournamentEvent::RoundEnded(ended) => !ended.absent.is_empty(),
            _ => false,
        };
        absent += sim.entries.iter().filter(marked).count();
    }
    assert!(rounds > 1000 && absent > 100, "{rounds} rounds, {absent} with absent players");
}

#[test]
fn an_audit_finds_who_was_seated_too_early_and_an_end_that_came_too_soon() {
    let mut sim = Sim::started(arena("sevens", 2, 10, json!({})), 4, 1);
    passes(&mut sim, 0);
    let tables = running(&sim);
    ends(&mut sim, &tables[0]);
    ends(&mut sim, &tables[1]);
    passes(&mut sim, 5);
    let drawn = TournamentEvent::RoundBegan((*sim.now.rounds()[1]).clone());
    let before: Vec<AwardedHand> = sim.rows.clone();
    let known = |rows: &[AwardedHand]| {
        let mut known = GameResults::new();
        for row in rows {
            known.take(row.clone());
        }
        known
    };
    assert_eq!(
        sim.now.arena_fault(&drawn, &known(&before), sim.at()),
        Some("somebody was seated whose game was not over")
    );
    let ended = TournamentEvent::Finished(log::Ended { server_seed: sim.seed.reveal() });
    let fault = sim.now.arena_fault(&ended, &known(&before), sim.at());
    assert_eq!(fault, Some("the arena had not come to its end"));
    // Another draw of the same players is refused by the log alone.
    let mut other = (*sim.now.rounds()[1]).clone();
    let entries: Vec<TournamentEntry> =
        sim.entries.iter().map(|(_, text)| TournamentEntry::parse(text).unwrap()).collect();
    let at = entries
        .iter()
        .position(|entry| matches!(&entry.event, TournamentEvent::RoundBegan(began) if began.round == 2));
    let upto = Tournament::replay(sim.now.id, sim.seed.clone(), entries[..at.unwrap()].to_vec()).unwrap();
    assert_eq!(upto.check(&drawn, sim.at()), Ok(()));
    let seats = other.tables[0].seats.clone();
    other.tables[0].seats = seats.into_iter().rev().collect();
    assert!(upto.check(&TournamentEvent::RoundBegan(other.clone()), sim.at()).is_err());
    other.lots.reverse();
    let refused = upto.check(&TournamentEvent::RoundBegan(other), sim.at());
    assert_eq!(refused, Err("the seed gives other lots".to_owned()));
}

#[test]
fn an_entrant_plays_a_hundred_games_at_most() {
    let mut sim = Sim::started(arena("sevens", 2, 720, json!({})), 2, 1);
    for _ in 0..120 {
        passes(&mut sim, 60);
        running(&sim).iter().for_each(|table| ends(&mut sim, table));
    }
    let rows = sim.now.standings(&sim.game_results);
    assert!(rows.iter().all(|row| row.games == 100), "{rows:?}");
    assert_eq!((sim.now.status(), sim.now.rounds().len(), sim.now.playing_on()), (Status::Active, 100, 0));
    passes(&mut sim, 720 * 60);
    assert_eq!(sim.now.status(), Status::Finished);
}

#[test]
fn nobody_is_absent_from_an_arena_that_seats_nobody_any_more() {
    let mut sim = Sim::started(arena("sevens", 2, 10, json!({"no_show_limit": 3})), 8, 1);
    passes(&mut sim, 0);
    let tables = running(&sim);
    sim.clock = sim.now.arena_ends_at().unwrap();
    tables.iter().for_each(|table| ends(&mut sim, table));
    while sim.advance() {}
    assert_eq!(sim.now.status(), Status::Finished);
    let is_end =
        |(entry, _): &&(TournamentEntry, String)| matches!(entry.event, TournamentEvent::RoundEnded(_));
    assert_eq!(sim.entries.iter().filter(is_end).count(), 0);
}

#[test]
fn a_place_in_a_full_arena_is_free_once_somebody_has_left() {
    let full = arena("sevens", 2, 10, json!({"admission": {"type": "limited", "max": 8}}));
    let mut sim = Sim::started(full, 8, 1);
    let enters = |sim: &mut Sim, number| sim.does(&person(number), &Command::Enter(Application::default()));
    assert_eq!(enters(&mut sim, 100), Err("tournament_full"));
    sim.withdraws(0);
    enters(&mut sim, 100).unwrap();
    assert_eq!(enters(&mut sim, 101), Err("tournament_full"));
    let back = Command::Reinstate { player: name(&sim, 0) };
    assert_eq!(sim.does(&organiser(), &back), Err("tournament_full"));
    let replaced = |player: u32, sim: &Sim| Command::Replace { player: name(sim, player), by: who(101) };
    let (gone, there) = (replaced(0, &sim), replaced(1, &sim));
    assert_eq!(sim.does(&organiser(), &gone), Err("tournament_full"), "the place is another's by now");
    sim.does(&organiser(), &there).unwrap();
}
