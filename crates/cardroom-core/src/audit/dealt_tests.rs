//! Games as a tournament deals them, and as a house would like to.

use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

use super::tournament_checks::{Dealt, check_place};
use crate::log::entry::{AtTournament, Policy, Seated, Visibility};
use crate::log::fairness::Seed;
use crate::table::create::NewGame;
use crate::table::turns::Pace;
use crate::table::{Actor, Table};
use crate::tournament::simulation::{Sim, setup};
use crate::tournament::{RoundBegan, RoundTable, Tournament};

/// The game of a table with bots alone.
fn dealt(tournament: &Tournament, began: &RoundBegan, table: &RoundTable, seed: Seed) -> Table {
    let scoring = serde_json::value::to_raw_value(&tournament.setup().scoring).unwrap();
    let place = AtTournament {
        id: tournament.id,
        round: began.round,
        table: table.table,
        scoring,
        spectator_delay_hands: 0,
        shuffle_id: began.shuffle_id,
    };
    let new = NewGame {
        kind: tournament.kind(),
        options: tournament.setup().options_of(began.round, table),
        seats: table.seats.len() as u8,
        visibility: Visibility::Public,
        sit: None,
        pace: Pace { turn_seconds: Some(60), bank_seconds: 0, bot_delay_ms: 0 },
        bots: Vec::new(),
        rated: true,
    };
    let (account, username) = (Uuid::from_u128(1), "olga".to_owned());
    let olga = Actor { account, username, admin: true, is_program: false, invite: None };
    let bot = || Seated::Bot { bot: Policy::Steady, client_seed: String::new() };
    let seated = table.seats.iter().map(|_| bot()).collect();
    let at = Timestamp::UNIX_EPOCH;
    Table::deal_in(table.game, seed, &olga, new, place, seated, at).unwrap().table
}

#[test]
fn a_game_whose_seed_was_not_settled_with_the_tournament_is_found() {
    for duplicate in [false, true] {
        let wanted = json!({
            "name": "Cup", "kind": "royal_gambit", "table_size": 2, "duplicate": duplicate,
            "format": {"type": "rounds", "rounds": 2, "seating": "random"}, "scoring": {"type": "places"},
        });
        let mut sim = Sim::started(setup(wanted), 4, 1);
        sim.advance();
        let (now, began) = (&sim.now, sim.now.rounds().last().unwrap());
        let [one, other] = &began.tables[..] else { panic!("two tables of two") };
        let here = Dealt { began, table: one, seats: Vec::new() };
        let check = |seed: Seed| check_place(&dealt(now, began, one, seed), now, &here);
        assert_eq!(check(now.game_seed(began, one)), Ok(()));
        assert!(check(Seed::new([9; 32])).unwrap_err().contains("seed"));
        // The tables of a duplicate round alone share one.
        assert_eq!(check(now.game_seed(began, other)).is_ok(), duplicate);
    }
}
