//! What nobody has asked for is found, whichever act it is.

use serde_json::json;
use uuid::Uuid;

use super::asked::{Asked, Done};
use crate::tournament::Command;
use crate::tournament::simulation::{Sim, organiser, setup};

#[test]
fn what_no_organiser_has_asked_for_is_found() {
    let wanted = json!({
        "name": "Cup", "kind": "royal_gambit", "table_size": 2, "scoring": {"type": "places"},
        "format": {"type": "rounds", "rounds": 2, "seating": "random"},
    });
    let mut sim = Sim::started(setup(wanted), 2, 1);
    sim.advance();
    let game = sim.now.rounds()[0].tables[0].game;
    let nothing = Done::default;
    let called_off = || Done { called_off: true, ..nothing() };
    let stopped = || Done { has_stopped: true, ..nothing() };
    let given = |seat, seconds| Done { seconds_added: [(seat, seconds)].into(), ..nothing() };
    let asked = |sim: &Sim| {
        let mut asked = Asked::default();
        sim.entries.iter().for_each(|(entry, _)| asked.take(entry, &sim.now));
        asked
    };
    let is_right = |sim: &Sim, done: Done| asked(sim).objection(game, &done, &sim.now).is_none();
    assert!(is_right(&sim, nothing()));
    for done in [called_off(), stopped(), given(None, 1), given(Some(1), 1)] {
        assert!(!is_right(&sim, done));
    }

    let (round, table) = (1, 1);
    sim.does(&organiser(), &Command::AddTime { round, table, seconds: 60, player: None }).unwrap();
    assert!(is_right(&sim, given(None, 60)) && is_right(&sim, given(Some(1), 60)));
    for done in [given(None, 61), given(Some(0), 61), given(Some(2), 1)] {
        assert!(!is_right(&sim, done), "two sit here");
    }
    let both = Done { seconds_added: [(None, 30), (Some(0), 31)].into(), ..nothing() };
    assert!(!is_right(&sim, both), "what all were given was given to each");
    sim.does(&organiser(), &Command::PauseTable { round, table }).unwrap();
    assert!(is_right(&sim, stopped()));
    assert!(!is_right(&sim, called_off()));
    let (reason, replaced, game) = ("a wrong deck".to_owned(), game, Uuid::from_u128(77));
    sim.does(&organiser(), &Command::Redo { round, table, reason, replaced, game }).unwrap();
    assert!(is_right(&sim, called_off()), "a table is played once more");
    let anew = |sim: &Sim| asked(sim).objection(game, &called_off(), &sim.now).is_none();
    assert!(!anew(&sim), "the new game counts");
    sim.does(&organiser(), &Command::Abort).unwrap();
    assert!(anew(&sim), "all tables of an aborted tournament are called off");
}
