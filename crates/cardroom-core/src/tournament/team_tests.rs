//! Teams, and tables that an organiser prescribes.

use serde_json::json;

use super::desk_tests::name;
use super::simulation::{Sim, organiser, person, setup};
use super::tests::{end, rounds};
use super::*;

fn in_team(team: &str) -> Command {
    Command::Enter(Application { team: Some(team.to_owned()), ..Application::default() })
}

/// How many pairs of one team sit together in the newest round.
fn together(sim: &Sim) -> usize {
    let team = |entrant: &u32| sim.now.entrants()[*entrant as usize].entrant.team.clone();
    let tables = sim.now.rounds().last().unwrap().tables.iter();
    let pairs = |table: &RoundTable| {
        let here: Vec<u32> = table.seats.iter().flatten().copied().collect();
        let mates = |at: usize| here[..at].iter().filter(|other| team(other) == team(&here[at])).count();
        (0..here.len()).map(mates).sum::<usize>()
    };
    tables.map(pairs).sum()
}

#[test]
fn players_name_their_team_and_a_team_has_so_many_members() {
    let mut sim = Sim::new(rounds("sevens", 4, 2, json!({"teams": {"size": 2}})), 1);
    assert_eq!(sim.does(&person(0), &Command::Enter(Application::default())), Err("team_required"));
    assert_eq!(sim.does(&person(0), &in_team("  ")), Err("invalid_body"));
    assert_eq!(sim.does(&person(0), &in_team("a\u{7}")), Err("invalid_body"));
    assert_eq!(sim.does(&person(0), &in_team(&"x".repeat(41))), Err("invalid_body"));
    sim.does(&person(0), &in_team(" Foxes ")).unwrap();
    sim.does(&person(1), &in_team("FOXES")).unwrap();
    assert_eq!(sim.does(&person(2), &in_team("foxes")), Err("team_full"));
    sim.does(&person(2), &in_team("Owls")).unwrap();
    let teams: Vec<_> = sim.now.entrants().iter().map(|found| found.entrant.team.clone().unwrap()).collect();
    assert_eq!(teams, ["Foxes", "Foxes", "Owls"]);
    let change = |player: &str, team: Option<&str>| Command::ChangeTeam {
        player: player.to_owned(),
        team: team.map(str::to_owned),
    };
    assert_eq!(sim.does(&organiser(), &change("p2", Some("Foxes"))), Err("team_full"));
    sim.does(&organiser(), &change("p1", Some("owls"))).unwrap();
    assert_eq!(sim.now.entrants()[1].entrant.team.as_deref(), Some("Owls"));
    // The one member may spell it otherwise.
    sim.does(&organiser(), &change("p0", Some("The Foxes"))).unwrap();
    sim.does(&organiser(), &change("p0", None)).unwrap();
    assert_eq!(sim.now.entrants()[0].entrant.team, None);
    let mut alone = Sim::new(rounds("sevens", 4, 2, json!({})), 1);
    assert_eq!(alone.does(&person(0), &in_team("Foxes")), Err("invalid_body"));
}

#[test]
fn nobody_comes_back_to_a_team_whose_name_others_spell_otherwise_by_now() {
    let mut sim = Sim::new(rounds("sevens", 4, 2, json!({"teams": {"size": 3}})), 1);
    sim.does(&person(0), &in_team("Foxes")).unwrap();
    let reason = "two phones".to_owned();
    sim.does(&organiser(), &Command::Disqualify { player: "p0".to_owned(), reason }).unwrap();
    sim.does(&person(1), &in_team("foxes")).unwrap();
    let back = Command::Reinstate { player: "p0".to_owned() };
    assert_eq!(sim.does(&organiser(), &back), Err("team_name_taken"));
    // The one who is in it may spell it otherwise.
    let team = Some("Foxes".to_owned());
    sim.does(&organiser(), &Command::ChangeTeam { player: "p1".to_owned(), team }).unwrap();
    sim.does(&organiser(), &back).unwrap();
}

#[test]
fn members_of_a_team_sit_apart_where_that_can_be() {
    for seating in ["random", "swiss", "balanced"] {
        for (entrants, size, members) in [(24, 4, 4), (30, 6, 3), (21, 3, 7), (60, 6, 10)] {
            let setup = setup(json!({"name": "Cup", "kind": "knights_heads", "table_size": size,
                "format": {"type": "rounds", "rounds": 3, "seating": seating}, "teams": {"size": members}}));
            let mut sim = Sim::started(setup, entrants, 1);
            while sim.advance() && sim.now.status() == Status::Active {
                assert_eq!(
                    together(&sim),
                    0,
                    "{seating}, {entrants} at tables of {size}, teams of {members}"
                );
                sim.plays_round();
                sim.check_standings();
            }
        }
    }
    // Seven of a team at five tables of six: two pairs at least sit together.
    let setup = setup(json!({"name": "Cup", "kind": "knights_heads", "table_size": 6,
        "format": {"type": "rounds", "rounds": 1, "seating": "random"}, "teams": {"size": 7}}));
    let mut sim = Sim::started(setup, 28, 2);
    sim.advance();
    assert_eq!(together(&sim), 8, "two of each of four teams");
}

#[test]
fn a_team_has_the_sum_of_its_best_members() {
    let wanted = json!({"teams": {"size": 3, "counts": 2}, "result_by": {"type": "placing_points", "points": [9, 4, 1]}});
    let mut sim = Sim::new(rounds("sevens", 3, 1, wanted), 1);
    for number in 0..6 {
        sim.does(&person(number), &in_team(if number < 3 { "Foxes" } else { "Owls" })).unwrap();
    }
    let teams = |sim: &Sim| sim.now.team_standings(&sim.now.standings(&sim.game_results));
    assert!(teams(&sim).iter().all(|team| team.place.is_none()), "it has not begun");
    sim.does(&organiser(), &Command::Start).unwrap();
    sim.advance();
    for table in sim.now.rounds()[0].tables.clone() {
        // The lower the number, the better.
        let scores = table.seats.iter().map(|seat| -i64::from(seat.unwrap())).collect();
        sim.ends(table.game, scores);
    }
    sim.advance();
    let rows = sim.now.standings(&sim.game_results);
    let teams_now = teams(&sim);
    for team in &teams_now {
        let mut results: Vec<f64> = team.members.iter().map(|member| member.result.to_f64()).collect();
        assert!(results.is_sorted_by(|a, b| a >= b));
        results.truncate(2);
        assert_eq!(team.result.to_f64(), results.iter().sum::<f64>());
        let counts: Vec<bool> = team.members.iter().map(|member| member.result_counts).collect();
        assert_eq!(counts, [true, true, false]);
        let scored = team.members.iter().filter(|member| member.score_counts);
        assert_eq!(team.score, Some(scored.map(|member| member.score.unwrap()).sum()));
    }
    assert!(teams_now[0].result >= teams_now[1].result);
    let second = if teams_now[0].result == teams_now[1].result { 1 } else { 2 };
    assert_eq!(teams_now.iter().map(|team| team.place).collect::<Vec<_>>(), [Some(1), Some(second)]);
    assert_eq!(teams_now.iter().map(|team| team.members.len()).sum::<usize>(), rows.len());
    let out = teams_now[0].members[0].player.clone();
    let was = teams_now[0].result;
    sim.does(&organiser(), &Command::Disqualify { player: out, reason: "two phones".to_owned() }).unwrap();
    let team = teams(&sim).into_iter().find(|team| team.team == teams_now[0].team).unwrap();
    assert!(team.members.len() == 2 && team.result < was);
}

#[test]
fn a_member_who_never_played_does_not_count_for_a_team() {
    let wanted = json!({"teams": {"size": 2, "counts": 1}, "check_in_minutes": 10});
    let mut sim = Sim::new(rounds("sevens", 2, 1, wanted), 1);
    for number in 0..4 {
        sim.does(&person(number), &in_team(if number % 2 == 0 { "Foxes" } else { "Owls" })).unwrap();
    }
    for number in 0..2 {
        let player = name(&sim, number);
        sim.does(&person(number), &Command::CheckIn { player, is_present: true }).unwrap();
    }
    let teams = |sim: &Sim| {
        let teams = sim.now.team_standings(&sim.now.standings(&sim.game_results)).into_iter();
        teams.map(|team| (team.team, team.result.to_string(), team.members.len())).collect::<Vec<_>>()
    };
    assert!(teams(&sim).iter().all(|(_, _, members)| *members == 2), "nobody has played yet");
    sim.does(&organiser(), &Command::Start).unwrap();
    sim.advance();
    end(&mut sim, |entrant| if entrant == 0 { 250 } else { 150 });
    // The owl who did not come has a result of 0, which is more than that of the one who lost.
    assert_eq!(
        teams(&sim),
        [("Foxes".to_owned(), "50".to_owned(), 1), ("Owls".to_owned(), "-50".to_owned(), 1)]
    );
}

#[test]
fn a_round_is_played_at_the_tables_that_were_prescribed() {
    for more in [json!({}), json!({"fill": "steady"}), json!({"duplicate": true})] {
        let mut sim = Sim::started(rounds("sevens", 4, 3, more.clone()), 11, 1);
        sim.advance();
        sim.plays_round();
        let names = |sim: &Sim, numbers: &[u32]| numbers.iter().map(|&number| name(sim, number)).collect();
        let tables: Vec<Vec<u32>> = vec![vec![3, 9, 1], vec![0, 2, 4], vec![8, 7, 6]];
        let prescribe = |sim: &mut Sim, round: u16, tables: &[Vec<u32>]| {
            let tables = tables.iter().map(|table| names(sim, table)).collect();
            sim.does(&organiser(), &Command::PrescribeTables { round, tables })
        };
        assert_eq!(prescribe(&mut sim, 1, &tables), Err("invalid_body"), "it has begun");
        assert_eq!(prescribe(&mut sim, 3, &tables), Err("invalid_body"), "another comes first");
        let twice = [tables.clone(), vec![vec![3, 5]]].concat();
        assert_eq!(prescribe(&mut sim, 2, &twice), Err("invalid_body"));
        assert_eq!(
            prescribe(&mut sim, 2, &[vec![0, 1, 2, 3, 4]]),
            Err("invalid_body"),
            "a table is too large"
        );
        prescribe(&mut sim, 2, &tables).unwrap();
        assert_eq!(sim.now.prescribed().unwrap().byes, [5, 10]);
        sim.advance();
        let began = sim.now.rounds()[1].clone();
        let seated: Vec<Vec<u32>> = began
            .tables
            .iter()
            .map(|table| {
                let mut here: Vec<u32> = table.seats.iter().flatten().copied().collect();
                here.sort_unstable();
                here
            })
            .collect();
        assert_eq!(seated, [vec![1, 3, 9], vec![0, 2, 4], vec![6, 7, 8]]);
        let mut byes = began.byes.clone();
        byes.sort_unstable();
        assert_eq!(byes, [5, 10]);
        sim.plays_round();
        sim.check_standings();
        assert!(sim.now.prescribed().is_none());

        // Somebody leaves, so the round is drawn as all others are.
        prescribe(&mut sim, 3, &tables).unwrap();
        sim.withdraws(0);
        sim.advance();
        sim.check_round();
        sim.plays_round();
        sim.check_standings();
    }
}

#[test]
fn prescribed_tables_can_be_taken_back_and_a_log_with_others_is_found_out() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 6, 1);
    sim.advance();
    sim.plays_round();
    let all: Vec<String> = (0..6).map(|number| name(&sim, number)).collect();
    let tables: Vec<Vec<String>> = all.chunks(3).map(<[String]>::to_vec).collect();
    sim.does(&organiser(), &Command::PrescribeTables { round: 2, tables: tables.clone() }).unwrap();
    let version = sim.now.version;
    sim.does(&organiser(), &Command::PrescribeTables { round: 2, tables: tables.clone() }).unwrap();
    assert_eq!(sim.now.version, version, "asking twice does no harm");
    sim.does(&organiser(), &Command::PrescribeTables { round: 2, tables: Vec::new() }).unwrap();
    assert!(sim.now.prescribed().is_none());
    let (cancelled, _) = sim.entries.last().unwrap().clone();
    assert_eq!(cancelled.event.kind(), "prescription_cancelled");
    let again = TournamentEntry { seq: cancelled.seq + 1, ..cancelled };
    assert!(sim.now.clone().evolve(&again).is_err(), "nothing is prescribed any more");
    sim.does(&organiser(), &Command::PrescribeTables { round: 2, tables }).unwrap();
    let before = sim.now.clone();
    sim.advance();
    let (entry, _) = sim.entries.last().unwrap().clone();
    let TournamentEvent::RoundBegan(mut began) = entry.event.clone() else { panic!("a round has begun") };
    let (one, other) = (began.tables[0].seats[0], began.tables[1].seats[0]);
    (began.tables[0].seats[0], began.tables[1].seats[0]) = (other, one);
    let tampered = TournamentEntry { event: TournamentEvent::RoundBegan(began), ..entry };
    assert_eq!(before.clone().evolve(&tampered).unwrap_err().detail, "other tables were prescribed");
}
