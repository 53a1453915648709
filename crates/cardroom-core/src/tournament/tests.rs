//! Examples: what an organiser is promised, one at a time.

use jiff::Timestamp;
use serde_json::json;

use super::simulation::{Sim, organiser, person, setup};
use super::*;
use crate::log::entry::Policy;
use crate::log::fairness::Seed;

pub fn rounds(kind: &str, size: u8, rounds: u16, more: serde_json::Value) -> Setup {
    let mut wanted = json!({"name": "Cup", "kind": kind, "table_size": size, "scoring": {"type": "places"},
        "format": {"type": "rounds", "rounds": rounds, "seating": "random"}});
    more.as_object().unwrap().iter().for_each(|(name, value)| wanted[name] = value.clone());
    setup(wanted)
}

/// Ends the running round's games: each entrant ends with what `score` says.
pub fn end(sim: &mut Sim, score: impl Fn(u32) -> i64) {
    for table in sim.now.rounds().last().unwrap().tables.clone() {
        sim.ends(table.game, table.seats.iter().map(|seat| seat.map_or(0, &score)).collect());
    }
}

fn result(sim: &Sim, entrant: u32) -> String {
    let rows = sim.now.standings(&sim.game_results);
    rows.iter().find(|row| row.entrant == entrant).unwrap().result.to_string()
}

fn order(sim: &Sim) -> Vec<(u32, Option<u32>)> {
    sim.now.standings(&sim.game_results).iter().map(|row| (row.entrant, row.place)).collect()
}

pub fn disqualify(sim: &mut Sim, entrant: u32) {
    let player = sim.now.entrants()[entrant as usize].entrant.name().to_owned();
    sim.does(&organiser(), &Command::Disqualify { player, reason: "two phones".to_owned() }).unwrap();
}

#[test]
fn what_is_left_out_has_its_default() {
    let of = |kind: &str, options: serde_json::Value| {
        setup(json!({"name": " Cup ", "kind": kind, "options": options,
            "format": {"type": "rounds", "rounds": 3, "seating": "swiss"}}))
    };
    let written = |setup: &Setup| serde_json::to_value(&setup.scoring).unwrap();
    let knights = of("knights_heads", json!({}));
    assert_eq!(
        (&knights.result_by, written(&knights)),
        (&ResultBy::Chips {}, json!({"type": "courts_of_knights"}))
    );
    assert_eq!((knights.name.as_str(), knights.table_size, knights.turn_seconds), ("Cup", 6, 60));
    let hearts = of("ricketts_hearts", json!({}));
    assert_eq!((&hearts.result_by, written(&hearts)), (&ResultBy::Places {}, json!({"type": "places"})));
    assert_eq!(of("ritunas_favour", json!({})).result_by, ResultBy::Chips {});
    assert_eq!(of("ritunas_favour", json!({"charge": 0})).result_by, ResultBy::Places {});
}

#[test]
fn what_does_not_go_together_is_refused() {
    let refused = |kind: &str, field: &str, value: serde_json::Value| {
        let mut wanted = json!({"name": "Cup", "kind": kind,
            "format": {"type": "rounds", "rounds": 3, "seating": "swiss"}});
        wanted[field] = value;
        let read = serde_json::from_str::<NewTournament>(&wanted.to_string());
        read.map_or("malformed", |wanted| wanted.settle().unwrap_err().code)
    };
    let invalid = "invalid_options";
    assert_eq!(refused("whist", "name", json!("Cup")), "kind_not_found");
    assert_eq!(refused("sevens", "name", json!(" ")), invalid);
    assert_eq!(refused("sevens", "table_size", json!(7)), invalid);
    assert_eq!(refused("sevens", "turn_seconds", json!(4)), invalid);
    assert_eq!(refused("sevens", "options", json!({"bets": 3})), invalid);
    assert_eq!(
        refused("sevens", "format", json!({"type": "rounds", "rounds": 0, "seating": "swiss"})),
        invalid
    );
    assert_eq!(refused("sevens", "format", json!({"type": "knockout", "advance": 6})), invalid);
    assert_eq!(refused("sevens", "scoring", json!({"type": "winning_hands"})), invalid);
    assert_eq!(refused("royal_gambit", "result_by", json!({"type": "chips"})), invalid);
    assert_eq!(refused("royal_gambit", "scoring", json!({"type": "chips"})), invalid);
    assert_eq!(refused("sevens", "result_by", json!({"type": "placing_points", "points": []})), invalid);
    assert_eq!(refused("sevens", "result_by", json!({"type": "chips", "points": [1]})), "malformed");
    assert_eq!(refused("sevens", "sponsor", json!("none")), "malformed");
    let hands = json!({"type": "hand_table", "points": {"nothing": 1}});
    assert_eq!(refused("knights_heads", "scoring", hands), invalid);
}

#[test]
fn one_enters_once_and_leaves_before_the_start() {
    let mut sim = Sim::new(rounds("sevens", 6, 1, json!({"admission": {"type": "limited", "max": 2}})), 1);
    let enter = Command::Enter(Application { client_seed: "luck".to_owned(), ..Application::default() });
    sim.does(&person(1), &enter).unwrap();
    assert_eq!(sim.does(&person(1), &enter), Err("already_entered"));
    assert_eq!(sim.does(&person(1), &Command::Start), Err("not_organiser"));
    assert_eq!(sim.does(&organiser(), &Command::Start), Err("too_few_entrants"));
    sim.does(&person(2), &enter).unwrap();
    assert_eq!(sim.does(&person(3), &enter), Err("tournament_full"));
    sim.does(&person(2), &Command::Withdraw).unwrap();
    assert_eq!(sim.does(&person(2), &Command::Withdraw), Err("not_entered"));
    assert_eq!(order(&sim), [(0, None)], "who was taken off the list stands nowhere");
    sim.does(&person(2), &enter).unwrap();
    sim.does(&organiser(), &Command::Start).unwrap();
    assert_eq!(sim.does(&person(3), &enter), Err("tournament_not_open"));
    sim.does(&organiser(), &Command::Abort).unwrap();
    assert_eq!(sim.does(&organiser(), &Command::Abort), Err("tournament_over"));
    assert!(!sim.advance());
}

#[test]
fn an_invite_opens_and_lists_are_taken_whole() {
    let mut sim = Sim::new(rounds("sevens", 6, 1, json!({"admission": {"type": "invite"}})), 1);
    let enter = |invite: Option<String>| Command::Enter(Application { invite, ..Application::default() });
    assert_eq!(sim.does(&person(1), &enter(Some("0000000000".to_owned()))), Err("wrong_invite"));
    let invite = sim.now.invite();
    sim.does(&person(1), &enter(invite)).unwrap();
    let row = |number| NewEntrant::Player {
        account: person(number).account,
        name: person(number).username,
        is_program: false,
        team: None,
    };
    let rows = Command::EnterMany(vec![row(2), row(1), row(3), row(2)]);
    let refusal = sim.now.decide(&organiser(), &rows, Timestamp::UNIX_EPOCH).unwrap_err();
    assert_eq!(refusal.detail, "row 2: p1 is on the list already; row 4: p2 stands here twice");
    let steady = || NewEntrant::Bot { policy: Policy::Steady, team: None };
    sim.does(&organiser(), &Command::EnterMany(vec![row(2), steady(), steady()])).unwrap();
    sim.does(&organiser(), &Command::EnterBot { policy: Policy::Random, team: None }).unwrap();
    let names: Vec<String> =
        sim.now.entrants().iter().map(|registration| registration.entrant.name().to_owned()).collect();
    assert_eq!(names, ["p1", "p2", "steady 1", "steady 2", "random 1"]);
}

#[test]
fn whom_the_organiser_names_runs_it_too() {
    let mut sim = Sim::started(rounds("sevens", 6, 1, json!({})), 4, 1);
    let Person { account, username, .. } = person(9);
    assert_eq!(sim.does(&person(9), &Command::Abort), Err("not_organiser"));
    sim.does(&organiser(), &Command::NameOrganiser { account, name: username, role: Role::Director })
        .unwrap();
    let other =
        Command::NameOrganiser { account: person(8).account, name: "p8".to_owned(), role: Role::Director };
    assert_eq!(sim.does(&person(9), &other), Err("not_creator"));
    sim.does(&person(9), &Command::Abort).unwrap();
}

#[test]
fn a_log_that_was_tampered_with_is_found_out() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 9, 5);
    sim.advance();
    let (entry, _) = sim.entries.last().unwrap().clone();
    let TournamentEvent::RoundBegan(began) = entry.event.clone() else { panic!("a round has begun") };
    let before: Vec<TournamentEntry> =
        sim.entries[..sim.entries.len() - 1].iter().map(|(entry, _)| entry.clone()).collect();
    let tampered = |change: fn(&mut RoundBegan)| {
        let mut began = began.clone();
        change(&mut began);
        let entry = TournamentEntry { event: TournamentEvent::RoundBegan(began), ..entry.clone() };
        let mut now = Tournament::replay(sim.now.id, sim.seed.clone(), before.clone()).unwrap();
        now.evolve(&entry).unwrap_err().detail
    };
    assert_eq!(tampered(|began| began.lots.swap(0, 1)), "the seed gives other lots");
    assert_eq!(tampered(|began| began.tables[0].seats.swap(0, 1)), "the seats were drawn otherwise");
    assert_eq!(
        tampered(|began| began.tables[1].game = began.tables[0].game),
        "each table has a game of its own"
    );
    assert_eq!(tampered(|began| began.round = 2), "round 1 was to come");
    assert_eq!(
        tampered(|began| began.tables[0].seats[0] = began.tables[1].seats[0]),
        "somebody is twice in the round"
    );
    assert_eq!(
        tampered(|began| {
            let out = began.tables[0].seats.pop().unwrap().unwrap();
            began.byes.push(out);
        }),
        "others sit out"
    );
    let mut other = before.clone();
    other[2].at = crate::log::entry::Time(Timestamp::UNIX_EPOCH);
    assert!(Tournament::replay(sim.now.id, sim.seed.clone(), other).is_err());
    assert!(Tournament::replay(sim.now.id, Seed::new([6; 32]), before).is_err());
}

#[test]
fn hearts_takes_four_so_one_of_five_sits_out_each_in_turn() {
    let mut sim = Sim::started(rounds("ricketts_hearts", 4, 5, json!({})), 5, 2);
    sim.plays(false);
    let rows = sim.now.standings(&sim.game_results);
    assert!(rows.iter().all(|row| row.byes == 1), "{rows:?}");
    let mut sim = Sim::started(rounds("ricketts_hearts", 4, 5, json!({"fill": "steady"})), 5, 2);
    sim.advance();
    let seats: Vec<usize> =
        sim.now.rounds()[0].tables.iter().map(|table| table.seats.iter().flatten().count()).collect();
    assert_eq!(seats, [3, 2], "with bots to fill two tables, nobody sits out");
}

#[test]
fn a_round_without_a_game_neither_helps_nor_harms() {
    let mut sim = Sim::started(rounds("ricketts_hearts", 4, 2, json!({})), 5, 2);
    sim.advance();
    let out = sim.now.rounds()[0].byes[0];
    end(&mut sim, i64::from);
    assert_eq!(result(&sim, out), "0.5", "without any game yet: what the average seat gets");
    sim.advance();
    // The lowest score wins, and the entrant that sat out is the only one with points.
    end(&mut sim, |entrant| i64::from(entrant == out));
    assert_eq!(result(&sim, out), "0");
    let other = sim.now.rounds()[1].byes[0];
    let first = sim.now.standings(&sim.game_results).into_iter().find(|row| row.entrant == other).unwrap();
    assert_eq!((first.games, first.byes), (1, 1));
    assert_eq!(first.result.to_f64(), first.tie_breaks.best_game.unwrap().to_f64() * 2.0);
}

#[test]
fn chips_count_hand_by_hand_and_places_at_the_end() {
    for (by, running, over) in [("chips", "50", "-30"), ("places", "0", "0")] {
        let mut sim = Sim::started(rounds("sevens", 2, 1, json!({"result_by": {"type": by}})), 2, 1);
        sim.advance();
        let table = sim.now.rounds()[0].tables[0].clone();
        let (scores, at) = (vec![250, 150], Timestamp::UNIX_EPOCH);
        sim.row(AwardedHand { game: table.game, seq: 5, at, hand: 1, scores, awards: Vec::new(), end: None });
        assert_eq!(result(&sim, table.seats[0].unwrap()), running);
        sim.ends(table.game, vec![170, 230]);
        assert_eq!(result(&sim, table.seats[0].unwrap()), over);
        assert!(sim.advance());
        assert_eq!(order(&sim)[0], (table.seats[1].unwrap(), Some(1)));
        assert_eq!(sim.now.status(), Status::Finished);
    }
}

#[test]
fn who_shares_a_place_shares_its_points() {
    let points = json!({"result_by": {"type": "placing_points", "points": [10, 6, 3]}});
    let mut sim = Sim::started(rounds("royal_gambit", 5, 1, points), 5, 1);
    sim.advance();
    end(&mut sim, |entrant| [30, 30, 20, 20, 20][entrant as usize]);
    assert_eq!((0..3).map(|entrant| result(&sim, entrant)).collect::<Vec<_>>(), ["8", "8", "1"]);
    assert_eq!(order(&sim).iter().map(|(_, place)| place.unwrap()).collect::<Vec<_>>(), [1, 1, 3, 3, 3]);
}

#[test]
fn who_is_disqualified_has_never_been_there() {
    let mut sim = Sim::started(rounds("royal_gambit", 4, 1, json!({})), 4, 1);
    sim.advance();
    end(&mut sim, |entrant| 40 - i64::from(entrant));
    assert_eq!(result(&sim, 1), "0.6666666666666666");
    disqualify(&mut sim, 0);
    assert_eq!(order(&sim), [(1, Some(1)), (2, Some(2)), (3, Some(3)), (0, None)]);
    assert_eq!([result(&sim, 1), result(&sim, 2), result(&sim, 3)], ["1", "0.5", "0"]);
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!(rows.iter().map(|row| row.score).collect::<Vec<_>>(), [Some(2), Some(1), Some(0), None]);
    disqualify(&mut sim, 3);
    assert_eq!([result(&sim, 1), result(&sim, 2)], ["1", "0"]);
    let again = Command::Enter(Application::default());
    assert!(sim.does(&person(0), &again).is_err());
}

#[test]
fn who_withdraws_keeps_what_they_have_and_is_seated_no_more() {
    let mut sim = Sim::started(rounds("sevens", 2, 2, json!({})), 4, 1);
    sim.advance();
    sim.withdraws(0);
    assert_eq!(sim.does(&person(0), &Command::Withdraw), Err("not_entered"));
    end(&mut sim, |entrant| if entrant == 0 { 300 } else { 150 });
    assert!(sim.advance());
    let second = sim.now.rounds()[1].clone();
    assert_eq!((second.entrants().any(|entrant| entrant == 0), second.byes.len()), (false, 1));
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!((rows[0].entrant, rows[0].status), (0, EntrantStatus::Withdrawn));
}

#[test]
fn tables_that_were_called_off_count_for_nothing() {
    let mut sim = Sim::started(rounds("sevens", 2, 1, json!({})), 4, 1);
    sim.advance();
    let tables = sim.now.rounds()[0].tables.clone();
    let (scores, at, end) = (vec![400, 0], Timestamp::UNIX_EPOCH, Some(End::Aborted));
    sim.row(AwardedHand { game: tables[0].game, seq: 9, at, hand: 1, scores, awards: Vec::new(), end });
    sim.ends(tables[1].game, vec![201, 199]);
    sim.advance();
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!((rows[0].entrant, sim.now.status()), (tables[1].seats[0].unwrap(), Status::Finished));
    assert_eq!(rows.iter().map(|row| row.games).collect::<Vec<_>>(), [1, 0, 0, 1]);
}

#[test]
fn ties_are_broken_by_what_the_tied_did_against_each_other() {
    let mut sim = Sim::started(rounds("sevens", 2, 2, json!({})), 2, 1);
    sim.advance();
    end(&mut sim, |entrant| if entrant == 0 { 210 } else { 190 });
    sim.advance();
    end(&mut sim, |entrant| if entrant == 0 { 190 } else { 210 });
    assert_eq!(order(&sim), [(0, Some(1)), (1, Some(1))], "nothing tells them apart");
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!(rows[0].tie_breaks.head_to_head, Some(0));
    let mut sim = Sim::started(rounds("sevens", 3, 3, json!({})), 3, 1);
    for scores in [[230, 210, 160], [190, 180, 230], [190, 220, 190]] {
        sim.advance();
        end(&mut sim, |entrant| scores[entrant as usize]);
    }
    // 10, 10 and -20: the first was ahead of the second twice in three games.
    assert_eq!(order(&sim), [(0, Some(1)), (1, Some(2)), (2, Some(3))]);
    assert_eq!(sim.now.standings(&sim.game_results)[0].tie_breaks.head_to_head, Some(1));
}

#[test]
fn duplicate_tables_compare_like_seats_when_all_have_ended() {
    let mut sim = Sim::started(rounds("sevens", 2, 1, json!({"duplicate": true})), 4, 1);
    sim.advance();
    let round = sim.now.rounds()[0].clone();
    assert!(round.shuffle_id.is_some());
    let seat = |table: usize, seat: usize| round.tables[table].seats[seat].unwrap();
    sim.ends(round.tables[0].game, vec![260, 140]);
    assert_eq!(result(&sim, seat(0, 0)), "0", "one table does not tell of the cards of another");
    assert!(!sim.now.is_told(&round, &sim.game_results));
    sim.ends(round.tables[1].game, vec![300, 100]);
    assert!(sim.now.is_told(&round, &sim.game_results));
    let results = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(table, at)| result(&sim, seat(table, at)));
    assert_eq!(results, ["-20", "20", "20", "-20"], "60 chips won are few, where others won 100");
}

fn knockout(kind: &str, size: u8, advance: u8, entrants: u32) -> Sim {
    let setup = setup(json!({"name": "Cup", "kind": kind, "table_size": size, "scoring": {"type": "places"},
        "format": {"type": "knockout", "advance": advance}}));
    Sim::started(setup, entrants, 3)
}

#[test]
fn the_best_of_each_table_go_on_until_all_sit_at_one() {
    let mut sim = knockout("sevens", 4, 2, 8);
    sim.advance();
    end(&mut sim, |entrant| 100 + i64::from(entrant));
    assert!(sim.advance());
    let tables = &sim.now.rounds()[0].tables;
    let mut expected: Vec<u32> = Vec::new();
    for table in tables {
        let mut seats: Vec<u32> = table.seats.iter().flatten().copied().collect();
        seats.sort_unstable();
        expected.extend(&seats[2..]);
    }
    expected.sort_unstable();
    let mut last: Vec<u32> = sim.now.rounds()[1].entrants().collect();
    last.sort_unstable();
    assert_eq!(last, expected);
    end(&mut sim, |entrant| 300 - i64::from(entrant));
    sim.advance();
    let rows = sim.now.standings(&sim.game_results);
    assert_eq!((rows[0].entrant, rows[0].place, rows[0].round), (expected[0], Some(1), 2));
    assert_eq!(rows[3].place, Some(4), "whoever was in the last round is before all others");
    assert!(rows[4..].iter().all(|row| row.status == EntrantStatus::Eliminated && row.round == 1));
    assert_eq!(rows[0].status, EntrantStatus::Finished);
}

#[test]
fn the_best_of_those_who_are_out_come_back_where_a_table_lacks_them() {
    // Three tables of four, and the best of each: Hearts takes one more.
    let mut sim = knockout("ricketts_hearts", 4, 1, 12);
    sim.advance();
    end(&mut sim, i64::from);
    assert!(sim.advance());
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for table in &sim.now.rounds()[0].tables {
        let mut seats: Vec<u32> = table.seats.iter().flatten().copied().collect();
        seats.sort_unstable();
        first.push(seats[0]);
        second.push(seats[1]);
    }
    let last = &sim.now.rounds()[1];
    let seats: Vec<u32> = last.entrants().collect();
    assert!(seats.len() == 4 && first.iter().all(|entrant| seats.contains(entrant)));
    // Nothing tells the seconds apart, so the lots do.
    let drawn = last.lots.iter().find(|entrant| second.contains(entrant)).unwrap();
    assert!(seats.contains(drawn));
    end(&mut sim, i64::from);
    sim.advance();
    let rows = sim.now.standings(&sim.game_results);
    assert!(rows[..4].iter().all(|row| seats.contains(&row.entrant)));
    assert!(
        rows[4..6].iter().all(|row| second.contains(&row.entrant)),
        "then by what they did in the first round"
    );
    assert_eq!(rows[3].place, Some(4));
}

#[test]
fn a_knockout_of_duplicate_tables_is_played_until_all_sit_at_one() {
    for (kind, size, least) in [("sevens", 2, 2), ("sevens", 3, 2), ("ricketts_hearts", 4, 4)] {
        for entrants in 2 * least..=16 {
            let setup = setup(json!({"name": "Cup", "kind": kind, "table_size": size, "duplicate": true,
                "scoring": {"type": "places"}, "format": {"type": "knockout", "advance": 1}}));
            let mut sim = Sim::started(setup, entrants, 3);
            while sim.advance() && sim.now.status() == Status::Active {
                end(&mut sim, |entrant| 100 + i64::from(entrant));
            }
            let last = sim.now.rounds().last().unwrap();
            assert_eq!((last.tables.len(), last.byes.len()), (1, 0), "{entrants} at {kind} tables of {size}");
        }
    }
}
