//! The hands of a tournament's games, as the tournament is told of them.

use cardroom_core::log::entry::{AtTournament, Entry, Seated};
use cardroom_core::rules::facts::Mark;
use cardroom_core::rules::registry;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::Step;
use cardroom_core::table::hand_result::HandResult;
use cardroom_core::table::{Actor, Table};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::random::options;
use crate::table::{Dice, act, actor, at, menu_action, new_game, replayed, seed, shown, started};

/// A table of a tournament at which players 0, 1, 2 … sit, and whose organiser is player 9.
fn dealt_in(kind: &str, seats: u8) -> Step {
    dealt(new_game(registry::by_name(kind).unwrap(), seats))
}

/// The same, by what was chosen for the game.
pub fn dealt(new: NewGame) -> Step {
    let place = AtTournament {
        id: Uuid::from_u128(7),
        round: 1,
        table: 1,
        scoring: options::raw(&json!({"type": "places"})),
        spectator_delay_hands: 0,
        shuffle_id: None,
    };
    let seated = (0..new.seats.into()).map(|n| {
        let Actor { account, username: player, .. } = actor(n);
        Seated::Player { player, account, client_seed: String::new(), program: false }
    });
    let seated = seated.collect();
    Table::deal_in(Uuid::from_u128(99), seed(), &actor(9), new, place, seated, at(0)).unwrap()
}

/// The stacks, scores or totals that a game shows, seat 0 first.
fn scores(table: &Table) -> Vec<i64> {
    let game: Value = serde_json::from_str(&shown(table, None)).unwrap();
    let score = |seat: &Value| {
        let of = |name: &str| seat.get(name).and_then(Value::as_i64);
        of("stack").or_else(|| of("score")).or_else(|| of("total")).unwrap()
    };
    game["view"]["seats"].as_array().unwrap().iter().map(score).collect()
}

#[test]
fn a_tournament_is_told_of_each_hand_when_it_ends_and_again_when_the_log_is_read() {
    for kind in registry::newest() {
        let Step { mut table, entries: mut log, mut hands } = dealt_in(kind.kind, 3.max(kind.min_seats));
        assert!(hands.is_empty(), "the first hand has just been dealt");
        let mut dice = Dice(4);
        while let Some(seat) = table.to_act().iter().next() {
            let action = menu_action(&table, seat, &mut dice);
            let step = table.decide(&actor(seat.into()), &act(action), at(50)).unwrap();
            log.extend(step.entries);
            for ended in step.hands {
                let HandResult { seq, hand, scores: told, facts } = &ended;
                let then = replayed(&log[..*seq as usize]);
                assert_eq!(told, &scores(&then), "{} before another hand is dealt", kind.kind);
                assert!(facts.iter().any(|fact| fact.mark() == Mark::HandEnded(*hand)));
                assert_eq!(*hand as usize, hands.len() + 1);
                hands.push(ended);
            }
            table = step.table;
        }
        assert!(!hands.is_empty() && table.is_over());
        let read = log.iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash));
        let (_, again) = Table::replay_hands(table.id, seed(), read).unwrap();
        assert_eq!(format!("{again:?}"), format!("{hands:?}"));
    }
}

#[test]
fn nobody_counts_the_hands_of_a_game_that_is_no_tournament_s() {
    let (mut table, _) = started(registry::by_name("royal_gambit").unwrap(), 2);
    let stays = || act(json!({"type": "stay"}));
    for _ in 0..4 {
        let seat = table.to_act().iter().next().unwrap();
        let step = table.decide(&actor(seat.into()), &stays(), at(50)).unwrap();
        assert!(step.hands.is_empty());
        table = step.table;
    }
}
