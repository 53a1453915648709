//! Tournaments in which everything happens at random that organisers and players do, on replicas that die.

use serde_json::json;

use super::acts::RoundEnded;
use super::desk_tests::{name, who};
use super::simulation::{Sim, organiser, person, setup, words};
use super::*;

/// Something that an organiser or a player does now and then. What is refused changes nothing.
fn happens(sim: &mut Sim, newest: &mut u32) {
    let there = sim.now.entrants().len() as u32;
    let entrant = sim.luck.uniform(there);
    let player = name(sim, entrant);
    let command = match sim.luck.uniform(23) {
        0 => return sim.withdraws(entrant),
        1 => Command::Disqualify { player, reason: "two phones".to_owned() },
        2 | 3 => Command::Reinstate { player },
        4 => {
            *newest += 1;
            Command::Replace { player, by: who(*newest) }
        }
        5 => {
            let (result, score) =
                (i64::from(sim.luck.uniform(4001)) - 2000, i64::from(sim.luck.uniform(9)) - 4);
            Command::Penalise { player, reason: "late".to_owned(), result, score }
        }
        6 => Command::CancelPenalty { penalty: 1 + sim.luck.uniform(4) },
        7 => Command::Announce { text: "On we go.".to_owned() },
        8 => {
            *newest += 1;
            let newcomer = person(*newest);
            let team = sim.now.setup().teams.map(|_| "Owls".to_owned());
            let _ = sim.does(&newcomer, &Command::Enter(Application { team, ..Application::default() }));
            return;
        }
        9 => Command::Pause { reason: String::new(), stop_clocks: sim.luck.uniform(2) == 0 },
        10 => {
            let called = Command::CallReferee { text: "My phone is dead.".to_owned() };
            let _ = sim.does(&person(entrant), &called);
            Command::AnswerCall { call: 1 + sim.luck.uniform(9), answer: String::new() }
        }
        18 => Command::NameOrganiser {
            account: person(80).account,
            name: "p80".to_owned(),
            role: Role::Referee,
        },
        19 => Command::DismissOrganiser { player: "p80".to_owned() },
        20 => {
            let team = ["Foxes", "foxes", "Owls", "Hares"][sim.luck.uniform(4) as usize];
            Command::ChangeTeam { player, team: (sim.luck.uniform(4) > 0).then(|| team.to_owned()) }
        }
        21 => return prescribes(sim),
        22 => return sim.dies(),
        number => return table_goes_wrong(sim, number),
    };
    let (before, refused) = (sim.now.version, sim.does(&organiser(), &command));
    assert!(refused.is_ok() || sim.now.version == before);
}

/// A table is played once more, or an organiser says how it ended, or takes that back.
fn table_goes_wrong(sim: &mut Sim, number: u32) {
    let Some(began) = sim.now.rounds().last().cloned() else { return };
    let at = sim.luck.uniform(began.tables.len() as u32) as usize;
    let (round, table, reason) = (began.round, began.tables[at].table, "power cut".to_owned());
    let command = match number {
        11 => {
            let (game, replaced) = (sim.fresh(), began.tables[at].game);
            Command::Redo { round, table, reason, replaced, game }
        }
        12 => {
            // Rounds that are over, too.
            let round = 1 + sim.luck.uniform(round.into()) as u16;
            Command::CancelResult { round, table: 1 }
        }
        13 => Command::PauseTable { round, table },
        14 => Command::ResumeTable { round, table },
        15 => Command::AddTime { round, table, seconds: 60, player: None },
        _ => {
            let scores = sim.scores(&began.tables[at]);
            let (game, result) = (began.tables[at].game, TableScores { scores, places: None });
            Command::SetResult { round, table, reason, game, result }
        }
    };
    let (before, refused) = (sim.now.version, sim.does(&organiser(), &command));
    assert!(refused.is_ok() || sim.now.version == before);
}

/// An organiser says who sits together in the next round: neighbours in the list, at tables that are as small as can be
/// but for the last.
fn prescribes(sim: &mut Sim) {
    let names: Vec<String> = sim.now.remaining().into_iter().map(|entrant| name(sim, entrant)).collect();
    let least = usize::from(sim.now.kind().min_seats);
    let mut tables: Vec<Vec<String>> = names.chunks_exact(least).map(<[String]>::to_vec).collect();
    if sim.luck.uniform(4) == 0 {
        tables.clear();
    }
    let round = sim.now.rounds().len() as u16 + 1;
    let (before, refused) =
        (sim.now.version, sim.does(&organiser(), &Command::PrescribeTables { round, tables }));
    assert!(refused.is_ok() || sim.now.version == before);
}

/// Draws the next round. Some of those who did not play the last one say before that they are there.
fn draws(sim: &mut Sim) -> bool {
    let (before, length) = (sim.now.clone(), sim.entries.len());
    let has_moved = sim.advance();
    let Some((entry @ TournamentEntry { event: TournamentEvent::RoundEnded(ended), .. }, _)) =
        sim.entries.last()
    else {
        return has_moved;
    };
    if !has_moved {
        return false;
    }
    if sim.entries.len() == length + 1 {
        assert!(before.is_unsettled());
        // Nobody is absent twice, and nobody who was not at a table.
        let twice = ended.absent.iter().flat_map(|entrant| [*entrant; 2]).collect();
        let nobody = vec![before.entrants().len() as u32];
        for absent in [twice, nobody].into_iter().filter(|absent: &Vec<u32>| !absent.is_empty()) {
            let event = TournamentEvent::RoundEnded(RoundEnded { absent, ..ended.clone() });
            let fault = before.clone().evolve(&TournamentEntry { event, ..entry.clone() }).unwrap_err();
            assert_eq!(fault.detail, "they cannot be absent");
        }
    }
    for entrant in ended.absent.clone() {
        assert_eq!(sim.now.entrants()[entrant as usize].departure, Some(Departure::Absent));
        if sim.luck.uniform(2) == 0 {
            let player = name(sim, entrant);
            sim.does(&organiser(), &Command::CheckIn { player, is_present: true }).unwrap();
            assert_eq!(sim.now.entrants()[entrant as usize].departure, None);
        }
    }
    sim.advance()
}

/// The tables that are played once more end.
fn plays_again(sim: &mut Sim) {
    for table in sim.now.rounds().last().unwrap().tables.clone() {
        if !sim.game_results.has_ended(table.game) {
            let scores = sim.scores(&table);
            sim.ends(table.game, scores);
        }
    }
}

/// One tournament to its end. Gives the kinds of entries that its log has.
fn restless(number: u32) -> Vec<&'static str> {
    let mut luck = words(500_000 + number);
    let seating = ["random", "swiss", "balanced"][luck.uniform(3) as usize];
    let count = 2 + luck.uniform(4);
    let is_knockout = luck.uniform(4) == 0;
    let mut wanted = json!({"name": "Cup", "kind": "sevens", "table_size": 2 + luck.uniform(5),
        "format": {"type": "rounds", "rounds": count, "seating": seating}, "scoring": {"type": "places"},
        "pause_after_rounds": luck.uniform(3) == 0});
    let is_freezeout = is_knockout && luck.uniform(2) == 0;
    if is_freezeout {
        wanted["format"] = json!({"type": "freezeout"});
    } else if is_knockout {
        wanted["format"] = json!({"type": "knockout", "advance": 1});
    } else if luck.uniform(2) == 0 {
        let missed = ["nothing", "mean"][luck.uniform(2) as usize];
        wanted["late_entry"] = json!({"until_round": 2 + luck.uniform(count - 1), "missed": missed});
    }
    if !is_knockout && luck.uniform(3) == 0 {
        wanted["no_show_limit"] = json!(1 + luck.uniform(3));
    }
    if !is_knockout && luck.uniform(3) == 0 {
        wanted["teams"] = json!({"size": 2 + luck.uniform(4)});
    }
    if luck.uniform(3) == 0 {
        wanted["admission"] = json!({"type": "limited", "max": 8 + luck.uniform(8), "waiting_list": true});
    }
    if !is_freezeout && luck.uniform(2) == 0 {
        wanted["fill"] = json!("steady");
    }
    let mut sim = Sim::started(setup(wanted), 8 + luck.uniform(20), number);
    let mut newest = 100;
    for _ in 0..200 {
        for _ in 0..luck.uniform(4) {
            happens(&mut sim, &mut newest);
        }
        if sim.now.is_paused() {
            assert!(!draws(&mut sim), "nothing is drawn");
            sim.does(&organiser(), &Command::Resume).unwrap();
        }
        let has_moved = draws(&mut sim);
        if sim.now.status() != Status::Active {
            break;
        }
        if !has_moved {
            plays_again(&mut sim);
            continue;
        }
        sim.check_round();
        happens(&mut sim, &mut newest);
        let is_paused = sim.now.is_paused();
        if is_paused {
            sim.does(&organiser(), &Command::Resume).unwrap();
        }
        sim.plays_round();
        sim.check_standings();
    }
    assert_eq!(sim.now.status(), Status::Finished, "{number}: it ends");
    check_earned(&sim);
    sim.entries.iter().map(|(entry, _)| entry.event.kind()).collect()
}

/// Without their penalties, all have what they earned.
fn check_earned(sim: &Sim) {
    let mut without = Sim::new(sim.now.setup().clone(), 0);
    (without.now, without.game_results) = (sim.now.clone(), sim.game_results.clone());
    for penalty in 1..=sim.now.penalties().len() as u32 {
        without.does(&organiser(), &Command::CancelPenalty { penalty }).unwrap();
    }
    let earned = without.now.standings(&without.game_results);
    for row in sim.now.standings(&sim.game_results) {
        let bare = earned.iter().find(|bare| bare.entrant == row.entrant).unwrap();
        let difference = row.result.to_f64() - row.penalties.result.to_f64() - bare.result.to_f64();
        assert!(difference.abs() < 1e-9, "{difference} of {row:?}");
        assert_eq!(row.score.map(|score| score - row.penalties.score), bare.score);
    }
}

#[test]
fn a_thousand_restless_tournaments_end_and_their_logs_lead_to_the_same_standings() {
    let mut kinds = std::collections::BTreeSet::new();
    for number in 0..1000 {
        kinds.extend(restless(number));
    }
    for kind in [
        "announced",
        "penalised",
        "penalty_cancelled",
        "reinstated",
        "replaced",
        "paused",
        "resumed",
        "disqualified",
        "table_redone",
        "result_set",
        "result_cancelled",
        "table_paused",
        "table_resumed",
        "time_added",
        "referee_called",
        "call_answered",
        "round_ended",
        "checked_in",
        "organiser_named",
        "organiser_dismissed",
        "team_changed",
        "tables_prescribed",
        "prescription_cancelled",
    ] {
        assert!(kinds.contains(kind), "{kind} has never happened");
    }
}
