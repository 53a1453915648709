//! What organisers do while a tournament runs.

use serde_json::{Value, json};

use super::simulation::{Sim, organiser, person};
use super::tests::{disqualify, rounds};
use super::*;
use crate::log::entry::Policy;

pub fn enter() -> Command {
    Command::Enter(Application::default())
}

pub fn who(number: u32) -> Who {
    let Person { account, username: player, .. } = person(number);
    Who::Player { player, account, client_seed: String::new(), program: false }
}

pub fn name(sim: &Sim, entrant: u32) -> String {
    sim.now.entrants()[entrant as usize].entrant.name().to_owned()
}

fn penalise(sim: &mut Sim, entrant: u32, result: i64, score: i64) -> Result<(), &'static str> {
    let (player, reason) = (name(sim, entrant), "late".to_owned());
    sim.does(&organiser(), &Command::Penalise { player, reason, result, score })
}

fn row(sim: &Sim, entrant: u32) -> Row {
    let rows = sim.now.standings(&sim.game_results);
    rows.into_iter().find(|row| row.entrant == entrant).unwrap()
}

fn late(until_round: u16, missed: &str) -> Value {
    json!({"late_entry": {"until_round": until_round, "missed": missed}, "result_by": {"type": "places"}})
}

/// Ends the running round: the entrants with lower numbers are ahead.
fn end_round(sim: &mut Sim) {
    for table in sim.now.rounds().last().unwrap().tables.clone() {
        let scores = table.seats.iter().map(|seat| -i64::from(seat.unwrap_or(99)));
        sim.ends(table.game, scores.collect());
    }
}

#[test]
fn a_penalty_stands_beside_what_was_earned_until_it_is_cancelled() {
    let mut sim = Sim::new(rounds("royal_gambit", 3, 1, json!({})), 1);
    (0..3).for_each(|number| sim.does(&person(number), &enter()).unwrap());
    assert_eq!(penalise(&mut sim, 0, -1, 0), Err("tournament_not_active"));
    sim.does(&organiser(), &Command::Start).unwrap();
    sim.advance();
    let table = sim.now.rounds()[0].tables[0].clone();
    let of = |number: i64| if sim.now.kind().best == crate::rules::Best::Highest { -number } else { number };
    let scores = table.seats.iter().map(|seat| of(seat.unwrap().into())).collect();
    sim.ends(table.game, scores);
    assert_eq!(row(&sim, 0).result.to_string(), "1");

    assert_eq!(sim.does(&person(1), &Command::CancelPenalty { penalty: 1 }), Err("not_organiser"));
    assert_eq!(penalise(&mut sim, 0, 0, 0), Err("invalid_body"));
    penalise(&mut sim, 0, -750, -2).unwrap();
    penalise(&mut sim, 2, 100, 5).unwrap();
    let (first, last) = (row(&sim, 0), row(&sim, 2));
    assert_eq!(
        (first.result.to_string(), first.penalties.result.to_string()),
        ("0.25".into(), "-0.75".into())
    );
    assert_eq!((first.place, first.score, first.penalties.score), (Some(2), Some(0), -2));
    assert_eq!((last.result.to_string(), last.score, last.place), ("0.1".into(), Some(5), Some(3)));
    assert_eq!(first.tie_breaks.best_game.unwrap().to_string(), "1", "it is what was earned");

    sim.advance();
    assert_eq!(sim.now.status(), Status::Finished);
    sim.does(&organiser(), &Command::CancelPenalty { penalty: 1 }).unwrap();
    let version = sim.now.version;
    sim.does(&organiser(), &Command::CancelPenalty { penalty: 1 }).unwrap();
    assert_eq!(sim.now.version, version, "asking twice does no harm");
    assert_eq!(sim.does(&organiser(), &Command::CancelPenalty { penalty: 3 }), Err("penalty_not_found"));
    assert_eq!(sim.does(&organiser(), &Command::CancelPenalty { penalty: 0 }), Err("penalty_not_found"));
    assert_eq!((row(&sim, 0).place, row(&sim, 0).result.to_string()), (Some(1), "1".into()));
    let by: Vec<_> = sim.now.penalties().iter().map(|penalty| penalty.cancelled.is_some()).collect();
    assert_eq!(by, [true, false]);
}

#[test]
fn a_penalty_takes_off_or_adds_a_million_points_at_most() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 6, 1);
    let million = 1_000_000;
    // The result is told in thousandths.
    for (result, score) in [(1000 * million, 0), (-1000 * million, 0), (0, million), (0, -million)] {
        assert_eq!(penalise(&mut sim, 0, result, score), Ok(()));
        let beyond = penalise(&mut sim, 0, result + result.signum(), score + score.signum());
        assert_eq!(beyond, Err("invalid_options"));
    }
}

#[test]
fn a_late_entrant_plays_from_the_next_round_on_and_the_setup_says_what_was_missed() {
    for (missed, expected) in [("nothing", "1"), ("mean", "2")] {
        let mut sim = Sim::new(rounds("ricketts_hearts", 4, 2, late(2, missed)), 1);
        (1..5).for_each(|number| sim.does(&person(number), &enter()).unwrap());
        sim.does(&organiser(), &Command::Start).unwrap();
        sim.advance();
        sim.does(&person(0), &enter()).unwrap();
        let bots = vec![NewEntrant::Bot { policy: Policy::Steady, team: None }; 3];
        sim.does(&organiser(), &Command::EnterMany(bots)).unwrap();
        end_round(&mut sim);
        sim.advance();
        assert_eq!(sim.now.rounds()[1].entrants().count(), 8);
        assert_eq!(sim.does(&person(9), &enter()), Err("tournament_not_open"), "the last round runs");
        let late = sim.now.rounds()[1].tables.iter().find(|table| table.seats.contains(&Some(4))).unwrap();
        let (game, seats) = (late.game, late.seats.clone());
        let best = seats.iter().map(|seat| if *seat == Some(4) { 0 } else { 9 });
        sim.ends(game, best.collect());
        for table in sim.now.rounds()[1].tables.clone().iter().filter(|table| table.game != game) {
            sim.ends(table.game, (0..4).collect());
        }
        assert_eq!(row(&sim, 4).result.to_string(), expected, "{missed}");
        sim.advance();
        assert_eq!(sim.now.status(), Status::Finished);
    }
    let refused = |format: Value, until: u16| {
        let wanted = json!({"name": "Cup", "kind": "sevens", "format": format,
            "late_entry": {"until_round": until, "missed": "mean"}});
        serde_json::from_str::<NewTournament>(&wanted.to_string()).unwrap().settle().unwrap_err().code
    };
    let of = |rounds: u16| json!({"type": "rounds", "rounds": rounds, "seating": "swiss"});
    for (format, until) in
        [(json!({"type": "knockout", "advance": 1}), 2), (of(1), 2), (of(3), 1), (of(3), 4)]
    {
        assert_eq!(refused(format, until), "invalid_options");
    }
}

#[test]
fn an_entrant_who_went_or_was_put_out_can_come_back() {
    let mut sim = Sim::started(rounds("sevens", 3, 3, json!({})), 6, 1);
    sim.advance();
    sim.withdraws(0);
    disqualify(&mut sim, 1);
    let back = |entrant: u32, sim: &Sim| Command::Reinstate { player: name(sim, entrant) };
    let (one, other) = (back(0, &sim), back(1, &sim));
    assert_eq!(sim.does(&person(0), &one), Err("not_organiser"));
    end_round(&mut sim);
    assert_eq!(row(&sim, 1).status, EntrantStatus::Disqualified);
    sim.does(&organiser(), &one).unwrap();
    assert_eq!(sim.does(&organiser(), &one), Err("entrant_not_out"));
    sim.does(&organiser(), &other).unwrap();
    assert_eq!(row(&sim, 1).status, EntrantStatus::Playing);
    assert!(row(&sim, 1).place.is_some());
    let nobody = Command::Reinstate { player: "nobody".to_owned() };
    assert_eq!(sim.does(&organiser(), &nobody), Err("entrant_not_found"));
    sim.advance();
    assert_eq!(sim.now.rounds()[1].entrants().count(), 6);
    sim.check_round();
}

#[test]
fn another_player_takes_an_entrant_s_place_with_what_was_earned() {
    let mut sim = Sim::started(rounds("royal_gambit", 3, 2, json!({})), 6, 1);
    sim.advance();
    end_round(&mut sim);
    let before = row(&sim, 0);
    let replace = |by: Who| Command::Replace { player: "p0".to_owned(), by };
    assert_eq!(sim.does(&organiser(), &replace(who(1))), Err("already_entered"));
    let table = sim.now.seat_of(0).unwrap().clone();
    sim.does(&organiser(), &replace(who(7))).unwrap();
    let gone = sim.now.taken_off(&sim.entries.last().unwrap().0);
    assert_eq!(gone, Some(person(0).account));
    assert_eq!(sim.now.seat_of(0), None, "the other player plays this table to its end");
    let after = row(&sim, 0);
    assert_eq!((after.player.as_str(), after.result), ("p7", before.result));
    assert!(sim.now.entrant_of(person(0).account).is_none());
    assert_eq!(sim.now.entrant_of(person(7).account).unwrap().entrant.number, 0);
    assert_eq!(sim.does(&organiser(), &replace(who(8))), Err("entrant_not_found"));
    // Who was replaced can take another place.
    sim.does(&organiser(), &Command::Replace { player: "p1".to_owned(), by: who(0) }).unwrap();
    // If the table is played once more, the replacement plays there.
    let (replaced, game) = (table.game, sim.fresh());
    let reason = "a wrong deck".to_owned();
    let redo = Command::Redo { round: 1, table: table.table, reason, replaced, game };
    sim.does(&organiser(), &redo).unwrap();
    assert_eq!(sim.now.seat_of(0).map(|seated| seated.game), Some(game));
    sim.ends(game, vec![0; 3]);
    sim.advance();
    sim.check_round();
    assert!((0..6).all(|entrant| sim.now.seat_of(entrant).is_some()));
}

#[test]
fn a_paused_tournament_draws_no_round_and_one_may_wait_for_its_organiser_after_each() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 6, 1);
    let pause = Command::Pause { reason: "lunch".to_owned(), stop_clocks: false };
    sim.does(&organiser(), &pause).unwrap();
    let version = sim.now.version;
    sim.does(&organiser(), &pause).unwrap();
    assert!(!sim.advance() && sim.now.version == version && sim.now.is_paused());
    sim.does(&organiser(), &Command::Resume).unwrap();
    assert!(sim.advance());

    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({"pause_after_rounds": true})), 6, 1);
    assert!(sim.advance() && sim.now.is_paused());
    end_round(&mut sim);
    assert!(!sim.advance());
    sim.does(&organiser(), &Command::Resume).unwrap();
    assert!(sim.advance() && !sim.now.is_paused(), "nothing is drawn after the last round");
    end_round(&mut sim);
    assert!(sim.advance());
    assert_eq!(sim.now.status(), Status::Finished);
}

#[test]
fn an_act_is_told_to_those_it_concerns() {
    let mut sim = Sim::started(rounds("sevens", 3, 2, json!({})), 6, 1);
    sim.advance();
    let heard = |sim: &Sim, number: u32| {
        let entry = TournamentEntry::parse(&sim.entries.last().unwrap().1).unwrap();
        let notice = sim.now.notice(&entry, person(number).account)?;
        Some(serde_json::to_value(notice).unwrap())
    };
    sim.does(&organiser(), &Command::Announce { text: "The bar is open.".to_owned() }).unwrap();
    assert_eq!(heard(&sim, 0).unwrap()["text"], "The bar is open.");
    assert!(heard(&sim, 9).is_none());
    assert_eq!(sim.now.announcements()[0].by, "olga");
    for text in ["", "  ", &"x".repeat(501)] {
        let refused = sim.does(&organiser(), &Command::Announce { text: text.to_owned() });
        assert_eq!(refused, Err("invalid_body"));
    }
    penalise(&mut sim, 1, -500, 3).unwrap();
    let told = heard(&sim, 1).unwrap();
    assert_eq!(
        (&told["type"], &told["result"], &told["score"]),
        (&json!("penalised"), &json!(-0.5), &json!(3))
    );
    assert!(heard(&sim, 0).is_none());
    disqualify(&mut sim, 1);
    sim.does(&organiser(), &Command::Reinstate { player: "p1".to_owned() }).unwrap();
    assert_eq!(heard(&sim, 1).unwrap()["type"], "reinstated");
    sim.does(&organiser(), &Command::Replace { player: "p1".to_owned(), by: who(8) }).unwrap();
    assert_eq!(heard(&sim, 8).unwrap()["type"], "tournament_entered");
    assert!(heard(&sim, 1).is_none());
}

#[test]
fn no_two_bots_have_the_same_name() {
    let mut sim = Sim::new(rounds("royal_gambit", 3, 2, json!({})), 1);
    let bots =
        |count| Command::EnterMany(vec![NewEntrant::Bot { policy: Policy::Steady, team: None }; count]);
    sim.does(&organiser(), &bots(2)).unwrap();
    sim.does(&organiser(), &Command::Replace { player: "steady 1".to_owned(), by: who(1) }).unwrap();
    sim.does(&organiser(), &bots(1)).unwrap();
    assert_eq!([0, 1, 2].map(|entrant| name(&sim, entrant)), ["p1", "steady 2", "steady 3"]);
}

#[test]
fn an_absent_entrant_can_withdraw_and_keeps_what_was_earned() {
    let mut sim = Sim::started(rounds("royal_gambit", 3, 2, json!({"check_in_minutes": 30})), 9, 1);
    let absent = &sim.now.entrants()[0];
    assert_eq!(absent.departure, Some(Departure::Absent));
    sim.does(&person(0), &Command::Withdraw).unwrap();
    assert_eq!(row(&sim, 0).status, EntrantStatus::Withdrawn);
    assert_eq!(sim.does(&person(0), &Command::Withdraw), Err("not_entered"));
}
