//! Who sits where before the start, and what becomes of players who leave a running game.

use std::collections::BTreeSet;
use std::sync::Arc;

use cardroom_core::log::entry::{Entry, Event, Policy, Visibility};
use cardroom_core::rules::Refusal;
use cardroom_core::rules::registry;
use cardroom_core::table::decide::{Command, HashedEntry, Step};
use cardroom_core::table::entry_update::EntryUpdate;
use cardroom_core::table::view::Status;
use cardroom_core::table::{Actor, Table};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::table::{
    Dice, act, actor, at, menu_action, new_game, number, replayed, seed, shown, sit, started,
};

/// An open game at which player 0, who created it, and player 1 sit.
fn open(visibility: Visibility) -> (Table, Vec<HashedEntry>) {
    let new = new_game(registry::by_name("sevens").unwrap(), 4);
    let Step { table, entries: mut log, .. } = Table::create(
        Uuid::from_u128(99),
        seed(),
        &actor(0),
        cardroom_core::table::create::NewGame { visibility, ..new },
        at(0),
    )
    .unwrap();
    let invite = Some(table.invite());
    let step = table
        .decide(&actor(1), &Command::Sit { client_seed: "one".into(), invite, seat: None }, at(1))
        .unwrap();
    log.extend(step.entries);
    (step.table, log)
}

fn done(
    table: &mut Table,
    log: &mut Vec<HashedEntry>,
    by: u128,
    command: Command,
) -> Result<(), &'static str> {
    let step = table.decide(&actor(by), &command, at(50)).map_err(|Refusal { code, .. }| code)?;
    log.extend(step.entries);
    *table = step.table;
    assert_eq!(shown(&replayed(log), Some(&actor(by))), shown(table, Some(&actor(by))));
    Ok(())
}

/// Why the last entry cannot stand in the log a second time.
fn once_more(table: &Table, log: &[HashedEntry]) -> String {
    let last = log.last().unwrap();
    let again = Entry { seq: table.version + 1, ..last.entry.clone() };
    table.clone().evolve(&again, last.hash).unwrap_err().detail
}

fn who(table: &Table) -> Vec<(u8, u128)> {
    table.accounts().map(|(seat, account)| (seat, number(account))).collect()
}

fn sit_at(seat: u8) -> Command {
    Command::Sit { client_seed: String::new(), invite: None, seat: Some(seat) }
}

#[test]
fn players_choose_their_seats_and_the_creator_moves_anybody() {
    let (mut table, mut log) = open(Visibility::Public);
    let log = &mut log;
    assert_eq!(done(&mut table, log, 2, sit_at(1)), Err("seat_taken"));
    assert_eq!(done(&mut table, log, 2, sit_at(4)), Err("no_such_seat"));
    done(&mut table, log, 2, sit_at(3)).unwrap();
    assert_eq!(who(&table), [(0, 0), (1, 1), (3, 2)]);
    let seats: Value = serde_json::from_str::<Value>(&shown(&table, None)).unwrap()["seats"].clone();
    let names: Vec<Option<&str>> =
        seats.as_array().unwrap().iter().map(|seat| seat["player"].as_str()).collect();
    assert_eq!(names, [Some("player0"), Some("player1"), None, Some("player2")]);
    assert_eq!(done(&mut table, log, 1, Command::Move { from: 3, to: 2 }), Err("not_creator"));
    assert_eq!(done(&mut table, log, 1, Command::Move { from: 1, to: 3 }), Err("seat_taken"));
    assert_eq!(done(&mut table, log, 1, Command::Move { from: 1, to: 1 }), Err("seat_taken"));
    assert_eq!(done(&mut table, log, 1, Command::Move { from: 1, to: 4 }), Err("no_such_seat"));
    assert_eq!(done(&mut table, log, 0, Command::Move { from: 2, to: 1 }), Err("no_such_seat"));
    done(&mut table, log, 1, Command::Move { from: 1, to: 2 }).unwrap();
    done(&mut table, log, 0, Command::Move { from: 0, to: 3 }).unwrap();
    assert_eq!(who(&table), [(0, 2), (2, 1), (3, 0)]);
    done(&mut table, log, 0, Command::Start).unwrap();
    assert_eq!(who(&table), [(0, 2), (1, 1), (2, 0)]);
    assert_eq!(done(&mut table, log, 0, Command::Move { from: 0, to: 3 }), Err("game_not_open"));
    let end = play_out_as(table, log);
    assert_eq!(shown(&replayed(log), None), shown(&end, None));
}

/// Plays to the end, where the accounts are not the seats' numbers.
fn play_out_as(mut table: Table, log: &mut Vec<HashedEntry>) -> Table {
    let mut dice = Dice(8);
    while let Some(seat) = table.to_act().iter().next() {
        let account = table.accounts().find(|(sits, _)| *sits == seat).unwrap().1;
        let action = menu_action(&table, seat, &mut dice);
        let step = table.decide(&actor(number(account)), &act(action), at(60)).unwrap();
        log.extend(step.entries);
        table = step.table;
    }
    table
}

#[test]
fn a_player_whom_the_creator_removed_cannot_come_back() {
    let (mut table, mut log) = open(Visibility::Public);
    let log = &mut log;
    done(&mut table, log, 0, Command::SeatBot { policy: Policy::Random }).unwrap();
    assert_eq!(done(&mut table, log, 1, Command::ClearSeat { seat: 0 }), Err("not_creator"));
    assert_eq!(done(&mut table, log, 0, Command::ClearSeat { seat: 3 }), Err("no_such_seat"));
    let before = Arc::new(table.clone());
    done(&mut table, log, 0, Command::ClearSeat { seat: 1 }).unwrap();
    done(&mut table, log, 0, Command::ClearSeat { seat: 2 }).unwrap();
    assert_eq!(who(&table), [(0, 0)]);
    assert_eq!(done(&mut table, log, 1, sit("")), Err("removed"));
    done(&mut table, log, 2, sit("")).unwrap();
    // Whoever leaves may come back.
    done(&mut table, log, 2, Command::ClearSeat { seat: 1 }).unwrap();
    done(&mut table, log, 2, sit("")).unwrap();
    let removal = log.iter().find(|entry| matches!(entry.entry.event, Event::Removed(_))).unwrap();
    let update = EntryUpdate::next(&before, removal.entry.clone(), removal.hash).unwrap();
    let told = |n: u128| update.notice(actor(n).account).map(|notice| json!(notice)["type"].clone());
    assert_eq!((told(0), told(1), told(2)), (None, Some(json!("removed")), None));
}

#[test]
fn players_are_shown_more_than_anyone() {
    let (table, _) = open(Visibility::Private);
    assert!(table.is_shown_as_to_anyone(None) && table.is_shown_as_to_anyone(Some(&actor(9))));
    assert!([0, 1].iter().all(|player| !table.is_shown_as_to_anyone(Some(&actor(*player)))));
}

#[test]
fn a_new_invite_replaces_the_old_one() {
    let (mut table, mut log) = open(Visibility::Private);
    let log = &mut log;
    let old = table.invite();
    let invited = |invite: &str| Actor { invite: Some(invite.to_owned()), ..actor(5) };
    assert!(table.is_visible_to(Some(&invited(&old))) && !table.is_visible_to(Some(&actor(5))));
    let admin = Actor { admin: true, ..actor(5) };
    assert!([actor(0), actor(1), admin].iter().all(|viewer| table.is_visible_to(Some(viewer))));
    assert!(!table.is_visible_to(None));
    for (viewer, told) in [(0, Some(&old)), (1, Some(&old)), (5, None)] {
        assert_eq!(table.view(Some(&actor(viewer))).invite.as_ref(), told);
    }
    assert_eq!(done(&mut table, log, 1, Command::RenewInvite), Err("not_creator"));
    done(&mut table, log, 0, Command::RenewInvite).unwrap();
    done(&mut table, log, 0, Command::RenewInvite).unwrap();
    let new = table.invite();
    assert_ne!(old, new);
    assert!(!table.is_visible_to(Some(&invited(&old))) && table.is_visible_to(Some(&invited(&new))));
    let join =
        |invite: &str| Command::Sit { client_seed: String::new(), invite: Some(invite.into()), seat: None };
    assert_eq!(done(&mut table, log, 5, join(&old)), Err("wrong_invite"));
    done(&mut table, log, 5, join(&new)).unwrap();
    done(&mut table, log, 0, Command::Start).unwrap();
    assert_eq!(done(&mut table, log, 0, Command::RenewInvite), Err("game_not_open"));
    assert!(table.is_visible_to(Some(&Actor { invite: Some(new), ..actor(9) })), "to watch");
    let snapshot = table.snapshot().unwrap();
    let restored = Table::restore(table.id, seed(), &snapshot).unwrap();
    assert_eq!(restored.invite(), table.invite());
    let (mut public, mut log) = open(Visibility::Public);
    assert_eq!(done(&mut public, &mut log, 0, Command::RenewInvite), Err("game_not_private"));
}

#[test]
fn the_log_of_an_open_game_does_not_grow_for_ever() {
    let (mut table, _) = open(Visibility::Public);
    let mut to = 2;
    let refused = loop {
        let from = who(&table).iter().find(|(_, account)| *account == 1).unwrap().0;
        match table.decide(&actor(1), &Command::Move { from, to }, at(3)) {
            Ok(step) => table = step.table,
            Err(refusal) => break refusal.code,
        }
        to = 5 - to;
    };
    assert_eq!((refused, table.version), ("too_many_changes", 1000));
    for command in [Command::StandUp, Command::Start, Command::Abort] {
        assert!(table.decide(&actor(0), &command, at(4)).is_ok(), "{command:?}");
    }
}

/// Lets the house play for those who have resigned, as the service does.
fn follow(step: &mut Step) {
    while step.plays_for_resigned(at(100).into()) {}
}

#[test]
fn the_house_plays_for_who_has_resigned_in_every_kind() {
    for kind in registry::newest() {
        for resigns in 0..3 {
            let (mut table, mut log) = started(kind, 3.max(kind.min_seats));
            let mut dice = Dice(11 + resigns);
            for _ in 0..4 {
                let seat = table.to_act().iter().next().unwrap();
                let action = menu_action(&table, seat, &mut dice);
                let step = table.decide(&actor(seat.into()), &act(action), at(40)).unwrap();
                log.extend(step.entries);
                table = step.table;
            }
            let mut step = table.decide(&actor(resigns.into()), &Command::Resign, at(50)).unwrap();
            follow(&mut step);
            log.extend(step.entries);
            table = step.table;
            assert!(!table.to_act().contains(resigns as u8), "{}", kind.kind);
            assert_eq!(table.legal_actions(Some(resigns as u8)).get(), "[]");
            for command in [Command::Resign, Command::Abort, act(json!({"type": "fold"}))] {
                let refused = table.decide(&actor(resigns.into()), &command, at(51)).err().unwrap();
                assert_eq!(refused.code, "resigned");
            }
            let restored = Table::restore(table.id, seed(), &table.snapshot().unwrap()).unwrap();
            assert_eq!(shown(&restored, Some(&actor(1))), shown(&table, Some(&actor(1))));
            while !table.is_over() {
                let seat = table.to_act().iter().next().unwrap();
                assert_ne!(u64::from(seat), resigns);
                let action = menu_action(&table, seat, &mut dice);
                let mut step = table.decide(&actor(seat.into()), &act(action), at(60)).unwrap();
                follow(&mut step);
                log.extend(step.entries);
                table = step.table;
            }
            assert_eq!(table.status(), Status::Finished);
            assert_eq!(shown(&replayed(&log), None), shown(&table, None));
            let seats: Value = serde_json::from_str::<Value>(&shown(&table, None)).unwrap()["seats"].clone();
            let gone: Vec<bool> =
                seats.as_array().unwrap().iter().map(|seat| seat["resigned"] == json!(true)).collect();
            assert_eq!(gone.iter().position(|gone| *gone), Some(resigns as usize));
        }
    }
}

#[test]
fn nobody_attends_to_a_game_that_all_its_players_have_resigned() {
    let (mut table, log) = started(registry::by_name("royal_gambit").unwrap(), 2);
    let start = &log[table.began() as usize - 1].entry.event;
    assert!(matches!(start, Event::Started(_)), "{start:?}");
    for resigned in 0..3 {
        assert_eq!((table.has_people(), table.is_unattended()), (resigned < 2, resigned == 2));
        if resigned < 2 {
            table = table.decide(&actor(resigned), &Command::Resign, at(50)).unwrap().table;
        }
    }
}

#[test]
fn a_game_that_everybody_has_resigned_comes_to_its_end() {
    for kind in registry::newest() {
        let (mut table, mut log) = started(kind, kind.min_seats);
        for seat in 0..kind.min_seats {
            let mut step = table.decide(&actor(seat.into()), &Command::Resign, at(50)).unwrap();
            follow(&mut step);
            log.extend(step.entries);
            table = step.table;
        }
        assert_eq!(table.status(), Status::Finished, "{}", kind.kind);
        assert!(log.len() < 1000, "{} took {} entries", kind.kind, log.len());
        assert_eq!(shown(&replayed(&log), None), shown(&table, None));
    }
}

#[test]
fn a_game_is_called_off_when_all_its_players_agree() {
    let kind = registry::by_name("sevens").unwrap();
    let (mut table, mut log) = started(kind, 3);
    let log = &mut log;
    assert_eq!(done(&mut table, log, 7, Command::Abort), Err("not_seated"));
    done(&mut table, log, 1, Command::Abort).unwrap();
    assert_eq!(done(&mut table, log, 1, Command::Abort), Err("already_agreed"));
    assert_eq!(once_more(&table, log), "the player has agreed already; the other players have not all");
    done(&mut table, log, 2, Command::Abort).unwrap();
    let agreed = |table: &Table| -> BTreeSet<u64> {
        let game: Value = serde_json::from_str(&shown(table, None)).unwrap();
        let seats = game["seats"].as_array().unwrap().iter();
        seats
            .filter(|seat| seat["agrees_to_abort"] == true)
            .map(|seat| seat["seat"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(agreed(&table), [1, 2].into());
    // Whoever acts has changed their mind.
    let seat = table.to_act().iter().next().unwrap();
    let action = menu_action(&table, seat, &mut Dice(1));
    done(&mut table, log, seat.into(), act(action)).unwrap();
    let left: BTreeSet<u64> = [1, 2].into_iter().filter(|agreed| *agreed != u64::from(seat)).collect();
    assert_eq!(agreed(&table), left);
    for player in 0..3 {
        if table.is_over() || agreed(&table).contains(&player) {
            continue;
        }
        done(&mut table, log, player.into(), Command::Abort).unwrap();
    }
    assert_eq!(table.status(), Status::Aborted);
    assert_eq!(done(&mut table, log, 0, Command::Abort), Err("game_over"));
}

#[test]
fn who_has_resigned_is_not_asked_whether_the_game_is_called_off() {
    let kind = registry::by_name("royal_gambit").unwrap();
    let (mut table, mut log) = started(kind, 3);
    let log = &mut log;
    done(&mut table, log, 2, Command::Resign).unwrap();
    assert_eq!(once_more(&table, log), "the player has resigned, and the house plays for the seat");
    done(&mut table, log, 0, Command::Abort).unwrap();
    assert_eq!(table.status(), Status::Active);
    done(&mut table, log, 1, Command::Abort).unwrap();
    assert_eq!(table.status(), Status::Aborted);
}

#[test]
fn a_game_is_called_off_when_all_want_it_but_one_who_resigns() {
    let kind = registry::by_name("royal_gambit").unwrap();
    let (mut table, mut log) = started(kind, 3);
    let log = &mut log;
    done(&mut table, log, 0, Command::Abort).unwrap();
    done(&mut table, log, 1, Command::Abort).unwrap();
    assert_eq!(table.status(), Status::Active);
    done(&mut table, log, 2, Command::Resign).unwrap();
    assert_eq!(table.status(), Status::Aborted);
    let last: Vec<_> = log[log.len() - 2..].iter().map(|sealed| &sealed.entry.event).collect();
    assert!(matches!(last[..], [Event::Resigned, Event::Aborted(_)]), "{last:?}");
    assert_eq!(shown(&replayed(log), None), shown(&table, None));
}

#[test]
fn no_game_is_called_off_because_nobody_is_left_to_want_it() {
    let kind = registry::by_name("royal_gambit").unwrap();
    let (mut table, mut log) = started(kind, 3);
    let log = &mut log;
    done(&mut table, log, 2, Command::Abort).unwrap();
    for player in [2, 0, 1] {
        done(&mut table, log, player, Command::Resign).unwrap();
        assert_eq!(table.status(), Status::Active, "{player}");
    }
    assert!(!table.has_people());
}
