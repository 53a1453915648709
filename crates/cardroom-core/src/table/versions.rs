//! A game is played to its end by the rules it began with, whatever has changed since.

use jiff::Timestamp;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::create::NewGame;
use super::decide::{Command, HashedEntry, Step};
use super::state::{Actor, Table};
use super::turns::Pace;
use crate::log::Hex32;
use crate::log::entry::{Entry, Event, Visibility};
use crate::log::fairness::Seed;
use crate::rules::registry::{Kind, all, by_name, by_version, newest};

fn actor(n: u128) -> Actor {
    Actor {
        account: Uuid::from_u128(n),
        username: format!("player{n}"),
        admin: false,
        is_program: false,
        invite: None,
    }
}

fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap()
}

fn act(action: &str) -> Command {
    Command::Act { action: raw(&format!("{{\"type\":\"{action}\"}}")) }
}

/// A game of two that has just started.
fn started(kind: &'static Kind) -> (Table, Vec<HashedEntry>) {
    let options = kind.resolve_options(&raw("{}")).unwrap();
    let sit = Some(String::new());
    let new = NewGame {
        kind,
        options,
        seats: 2,
        visibility: Visibility::Public,
        sit,
        pace: Pace::default(),
        rated: true,
        bots: Vec::new(),
    };
    let made = Table::create(Uuid::nil(), Seed::new([7; 32]), &actor(0), new, Timestamp::UNIX_EPOCH).unwrap();
    let sit = Command::Sit { client_seed: String::new(), invite: None, seat: None };
    let begun = made.table.decide(&actor(1), &sit, Timestamp::UNIX_EPOCH).unwrap();
    (begun.table, [made.entries, begun.entries].concat())
}

fn first() -> &'static Kind {
    by_version("royal_gambit", 1).unwrap()
}

fn replay(log: &[HashedEntry]) -> Result<Table, super::Fault> {
    let entries: Vec<(Entry, Hex32)> =
        log.iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash)).collect();
    Table::replay(Uuid::nil(), Seed::new([7; 32]), entries)
}

#[test]
fn new_games_are_made_by_the_newest_rules_and_each_kind_is_listed_once() {
    assert_eq!(by_name("royal_gambit").unwrap().rules_version, 2);
    assert_eq!(newest().filter(|kind| kind.kind == "royal_gambit").count(), 1);
    assert_eq!(all().iter().filter(|kind| kind.kind == "royal_gambit").count(), 2);
    assert!(by_version("royal_gambit", 3).is_none());
}

#[test]
fn a_game_goes_on_by_the_rules_it_began_with() {
    let (table, mut log) = started(first());
    let seat = table.to_act().iter().next().unwrap();
    // What the second version forbids.
    let Step { table, entries, .. } =
        table.decide(&actor(seat.into()), &act("stay"), Timestamp::UNIX_EPOCH).unwrap();
    log.extend(entries);
    let again = replay(&log).unwrap();
    let from_snapshot = Table::restore(again.id, Seed::new([7; 32]), &again.snapshot().unwrap()).unwrap();
    for again in [again, from_snapshot] {
        assert_eq!((again.version, again.about.kind.rules_version), (table.version, 1));
        assert_eq!(again.legal_actions(Some(1 - seat)).get(), table.legal_actions(Some(1 - seat)).get());
    }

    let (table, _) = started(by_name("royal_gambit").unwrap());
    let seat = table.to_act().iter().next().unwrap();
    let refused = table.decide(&actor(seat.into()), &act("stay"), Timestamp::UNIX_EPOCH);
    assert_eq!(refused.err().unwrap().code, "illegal_action");
    assert!(table.decide(&actor(seat.into()), &act("hit"), Timestamp::UNIX_EPOCH).is_ok());
}

#[test]
fn a_log_that_claims_another_version_does_not_replay() {
    let (table, mut log) = started(first());
    let seat = table.to_act().iter().next().unwrap();
    log.extend(table.decide(&actor(seat.into()), &act("stay"), Timestamp::UNIX_EPOCH).unwrap().entries);
    let mut made = Entry::parse(&log[0].text).unwrap();
    let Event::Created(created) = &mut made.event else { panic!("a log begins with its making") };
    created.rules_version = 2;
    log[0].text = made.text();
    let fault = replay(&log).unwrap_err();
    assert_eq!(fault.seq as usize, log.iter().position(|s| s.text.contains("stay")).unwrap() + 1);
}
