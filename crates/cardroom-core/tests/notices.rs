//! Whom each entry of a game's log is told to: whom it concerns, and nobody of what they did themselves; and that watchers
//! are told the same whichever way an entry comes.

use std::sync::Arc;

use cardroom_core::log::entry::Entry;
use cardroom_core::rules::registry;
use cardroom_core::table::Table;
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::Command;
use cardroom_core::table::entry_update::EntryUpdate;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::table::{Dice, act, actor, at, new_game, play_out, replayed, seed, sit, started};

/// A game of Royal Gambit that player 0 has created, without sitting down.
fn watched() -> Table {
    let kind = registry::by_name("royal_gambit").unwrap();
    let new = NewGame { sit: None, ..new_game(kind, 4) };
    Table::create(Uuid::from_u128(99), seed(), &actor(0), new, at(0)).unwrap().table
}

/// Lets a player do something. Gives the notices that follow, those of one entry after those of another, each with the
/// player who gets it. Player 9 has nothing to do with the game.
fn told(table: &mut Table, by: u128, command: &Command) -> Vec<(u128, Value)> {
    let step = table.decide(&actor(by), command, at(5)).unwrap();
    let mut before = Arc::new(table.clone());
    let mut told = Vec::new();
    for sealed in step.entries {
        let update = EntryUpdate::next(&before, sealed.entry, sealed.hash).unwrap();
        for player in [0, 1, 2, 3, 4, 9] {
            let notice = update.notice(actor(player).account);
            assert!(notice.is_none() || update.concerns(actor(player).account));
            told.extend(notice.map(|notice| (player, json!(notice))));
        }
        before = update.table.clone();
    }
    *table = step.table;
    told
}

fn types(told: &[(u128, Value)]) -> Vec<(u128, &str)> {
    told.iter().map(|(player, notice)| (*player, notice["type"].as_str().unwrap())).collect()
}

#[test]
fn the_creator_and_those_who_sit_hear_of_seats_that_others_take_and_leave() {
    let mut table = watched();
    let notices = told(&mut table, 1, &sit(""));
    let id = format!("{}:2", table.id);
    let game = json!({"id": table.id, "kind": "royal_gambit", "version": 2});
    let expected = json!({"type": "seat_taken", "id": id, "at": "2027-01-15T08:00:05.000000Z", "game": game,
        "seat": 0, "player": "player1", "bot": null});
    assert_eq!(notices, [(0, expected)]);
    let notices = told(&mut table, 2, &sit(""));
    assert_eq!(types(&notices), [(0, "seat_taken"), (1, "seat_taken")]);
    let notices = told(&mut table, 2, &Command::StandUp);
    assert_eq!(types(&notices), [(0, "seat_left"), (1, "seat_left")]);
    assert_eq!((&notices[0].1["player"], &notices[0].1["seat"]), (&json!("player2"), &json!(1)));
    let notices = told(&mut table, 0, &sit(""));
    assert_eq!(types(&notices), [(1, "seat_taken")]);
    let notices = told(&mut table, 0, &Command::ClearSeat { seat: 0 });
    assert_eq!(types(&notices), [(1, "removed")]);
    assert_eq!(told(&mut table, 0, &Command::StandUp), []);
}

#[test]
fn players_hear_of_the_start_of_their_turns_and_of_the_end() {
    let mut table = watched();
    (1..4).for_each(|player| drop(told(&mut table, player, &sit(""))));
    let notices = told(&mut table, 0, &Command::Start);
    let (turn, started) = notices.split_last().unwrap();
    assert_eq!(types(started), [0, 1, 2, 3].map(|player| (player, "game_started")));
    assert_eq!(
        started.iter().map(|(_, notice)| notice["seat"].clone()).collect::<Vec<_>>(),
        [json!(null), json!(0), json!(1), json!(2)]
    );
    let in_turn = |table: &Table| u128::from(table.to_act().iter().next().unwrap()) + 1;
    let first = in_turn(&table);
    assert_eq!(types(std::slice::from_ref(turn)), [(first, "your_turn")]);
    // The turn goes on, so the same player has to decide again.
    let notices = told(&mut table, first, &act(json!({"type": "hit"})));
    assert_eq!((types(&notices), in_turn(&table)), (vec![(first, "your_turn")], first));
    let notices = told(&mut table, first, &act(json!({"type": "stay"})));
    let second = in_turn(&table);
    assert_eq!((types(&notices), second), (vec![(second, "your_turn")], first % 3 + 1));

    let third = second % 3 + 1;
    let but = |one: u128, what: &'static str| {
        [0, 1, 2, 3]
            .into_iter()
            .filter(|&player| player != one)
            .map(|player| (player, what))
            .collect::<Vec<_>>()
    };
    let notices = told(&mut table, third, &Command::Resign);
    assert_eq!(types(&notices), but(third, "resigned"));
    let notices = told(&mut table, first, &Command::Abort);
    assert_eq!(types(&notices), but(first, "abort_agreed"));
    // The last to agree calls it off, and all hear that it is over.
    let notices = told(&mut table, second, &Command::Abort);
    let (agreed, over) = notices.split_at(3);
    assert_eq!(types(agreed), but(second, "abort_agreed"));
    assert_eq!(types(over), [0, 1, 2, 3].map(|player| (player, "game_over")));
    for (player, notice) in over {
        let seat = player.checked_sub(1).map_or(Value::Null, |seat| json!(seat));
        assert_eq!((&notice["status"], &notice["seat"]), (&json!("aborted"), &seat));
        assert!(notice["place"].is_null() && notice["score"].is_null());
    }
}

#[test]
fn watchers_are_told_the_same_by_an_append_and_by_the_log() {
    for kind in registry::newest() {
        let (table, mut log) = started(kind, 3.max(kind.min_seats));
        play_out(table, &mut log, &mut Dice(6));
        let before = Arc::new(replayed(&log[..1]));
        let appended = log[1..].iter().map(|sealed| (sealed.entry.clone(), sealed.hash));
        let read = log[1..].iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash));
        // The first have their facts at once, the others work them out when they are shown.
        let appended = EntryUpdate::all(&before, appended, true).unwrap();
        let read = EntryUpdate::all(&before, read, false).unwrap();
        assert_eq!(appended.len(), log.len() - 1);
        for (appended, read) in appended.iter().zip(&read) {
            for viewer in [Some(actor(0)), Some(actor(1)), None] {
                let told =
                    |update: &EntryUpdate| serde_json::to_string(&update.seen_by(viewer.as_ref())).unwrap();
                assert_eq!(told(appended), told(read));
            }
        }
    }
}
