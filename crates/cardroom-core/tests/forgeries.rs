//! Entries that follow from no command, and that no log can have: a replay refuses each of them.

use cardroom_core::log::chain;
use cardroom_core::log::entry::{
    Aborted, By, Chance, Created, Drawn, Entry, Event, Moved, Paused, Policy, Removed, Seated, Started,
    StartedSeat, Time, TimeAdded, Visibility,
};
use cardroom_core::rules::registry::{by_name, newest};
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, HashedEntry};
use cardroom_core::table::turns::Pace;
use cardroom_core::table::{Actor, Table};
use uuid::Uuid;

use crate::hands::dealt;
use crate::table::{Dice, act, actor, at, menu_action, new_game, play_out, replayed, seed, sit, started};

fn player(n: u128) -> By {
    By::Player { player: format!("player{n}") }
}

fn aborted(admin: bool) -> Event {
    Event::Aborted(Aborted { server_seed: seed().reveal(), admin })
}

/// Whether a replay takes this for the next entry, or why not.
fn next(table: &Table, by: By, seat: Option<u8>, event: Event) -> Result<(), String> {
    let entry = Entry { seq: table.version + 1, at: Time(table.changed_at()), by, seat, event };
    table.clone().evolve(&entry, chain::GENESIS).map_err(|fault| fault.detail)
}

/// An open game of four that player 0 created, and where nobody sits.
fn open() -> Table {
    let new = NewGame { sit: None, ..new_game(by_name("royal_gambit").unwrap(), 4) };
    Table::create(Uuid::from_u128(99), seed(), &actor(0), new, at(0)).unwrap().table
}

fn does(table: &Table, by: u128, command: &Command) -> Table {
    table.decide(&actor(by), command, at(20)).unwrap().table
}

/// Sits down as a forger writes it.
fn sits(table: &Table, n: u128, seat: u8, client_seed: &str) -> Result<(), String> {
    let Actor { account, username, .. } = actor(n);
    let seated =
        Seated::Player { player: username, account, client_seed: client_seed.to_owned(), program: false };
    next(table, player(n), Some(seat), Event::Seated(seated))
}

fn ok(result: Result<(), String>) -> bool {
    result.is_ok()
}

#[test]
fn while_the_house_has_something_to_do_nothing_else_happens() {
    for kind in newest() {
        let (table, mut log) = started(kind, 3.max(kind.min_seats));
        play_out(table, &mut log, &mut Dice(4));
        let chances: Vec<&Event> = log
            .iter()
            .map(|sealed| &sealed.entry.event)
            .filter(|event| matches!(event, Event::Chance(_)))
            .collect();
        let actions = log.iter().filter(|sealed| matches!(sealed.entry.event, Event::Acted(_)));
        let actions: Vec<&Entry> = actions.map(|sealed| &sealed.entry).take(40).collect();
        let mut table = replayed(&log[..1]);
        let mut dues = 0;
        for HashedEntry { entry, hash, .. } in &log[1..] {
            if table.next_by_house().is_some() {
                dues += 1;
                for admin in [true, false] {
                    assert!(next(&table, player(0), None, aborted(admin)).is_err(), "{}", kind.kind);
                }
                for event in [Event::Resigned, Event::AbortAgreed] {
                    assert!(next(&table, player(0), Some(0), event).is_err(), "{}", kind.kind);
                }
                for Entry { by, seat, event, .. } in &actions {
                    assert!(next(&table, by.clone(), *seat, event.clone()).is_err(), "{}", kind.kind);
                }
                let k = chances.len() as u32;
                for chance in chances.iter().filter(|_| matches!(entry.event, Event::Finished(_))) {
                    let Event::Chance(Chance { drawn, .. }) = chance else { unreachable!() };
                    let more = Event::Chance(Chance { k, drawn: drawn.clone() });
                    assert!(next(&table, By::System {}, None, more).is_err(), "{}", kind.kind);
                }
            }
            table.evolve(entry, *hash).unwrap();
        }
        assert_eq!(dues, chances.len() + 1, "each chance, and the end");
    }
}

#[test]
fn a_game_that_nobody_plays_on_deals_no_further_hand() {
    let pace = Pace { turn_seconds: Some(5), ..Pace::default() };
    let step = Table::create(
        Uuid::from_u128(99),
        seed(),
        &actor(0),
        NewGame { pace, ..new_game(by_name("royal_gambit").unwrap(), 2) },
        at(0),
    )
    .unwrap();
    let mut log = step.entries;
    let mut table = step.table;
    log.extend(table.decide(&actor(1), &sit(""), at(1)).unwrap().entries);
    table = replayed(&log);
    for second in 2.. {
        let step = table.time_out(at(second).into());
        log.extend(step.entries);
        table = step.table;
        if table.is_over() {
            break;
        }
    }
    assert!(matches!(log.last().unwrap().entry.event, Event::Finished(_)));
    let before = replayed(&log[..log.len() - 1]);
    let chances: Vec<&Drawn> = log
        .iter()
        .filter_map(|sealed| match &sealed.entry.event {
            Event::Chance(chance) => Some(&chance.drawn),
            _ => None,
        })
        .collect();
    let (k, drawn) = (chances.len() as u32, (*chances.last().unwrap()).clone());
    assert!(matches!(drawn, Drawn::Shuffle { .. }));
    let refused = next(&before, By::System {}, None, Event::Chance(Chance { k, drawn })).unwrap_err();
    assert_eq!(refused, "the house had to do something else first");
}

#[test]
fn a_game_that_is_played_is_called_off_by_all_its_players_or_an_administrator() {
    let (mut table, _) = started(by_name("sevens").unwrap(), 3);
    let forged = "neither an administrator nor all players call the game off";
    assert_eq!(next(&table, player(0), None, aborted(false)).unwrap_err(), forged);
    assert!(ok(next(&table, player(7), None, aborted(true))));
    assert!(next(&table, By::System {}, None, aborted(true)).is_err());
    for n in [0, 1] {
        table = does(&table, n, &Command::Abort);
        assert_eq!(next(&table, player(n), None, aborted(false)).unwrap_err(), forged);
    }
    let log = table.decide(&actor(2), &Command::Abort, at(30)).unwrap().entries;
    let seat = table.to_act().iter().next().unwrap();
    let Command::Act { action } = act(menu_action(&table, seat, &mut Dice(1))) else { unreachable!() };
    table.evolve(&log[0].entry, log[0].hash).unwrap();
    let acted = Event::Acted(cardroom_core::log::entry::Acted { action, granted_ms: 0 });
    let refused = next(&table, player(seat.into()), Some(seat), acted).unwrap_err();
    assert_eq!(refused, "the players have called the game off");
    assert!(next(&table, player(2), None, aborted(true)).is_err(), "no administrator was needed");
    assert!(ok(next(&table, player(2), None, aborted(false))));
}

#[test]
fn an_entry_tells_when_an_administrator_called_the_game_off() {
    let admin = |n| Actor { admin: true, ..actor(n) };
    let last = |table: &Table, by: &Actor| {
        let log = table.decide(by, &Command::Abort, at(40)).unwrap().entries;
        let told = log.last().unwrap();
        let again = Entry::parse(&told.text).unwrap();
        table.clone().evolve(&again, told.hash).unwrap();
        told.text.contains(r#""admin":true"#)
    };
    let (played, _) = started(by_name("sevens").unwrap(), 3);
    assert!(last(&played, &admin(7)) && last(&played, &admin(0)));
    assert!(last(&open(), &admin(7)));
    assert!(!last(&open(), &admin(0)) && !last(&open(), &actor(0)), "it is the creator's right");
    let directed = dealt(new_game(by_name("sevens").unwrap(), 3)).table;
    assert!(last(&directed, &admin(9)), "no organiser has asked for it");
    let called_off = directed.decide(&admin(9), &Command::CallOff, at(40)).unwrap().entries;
    assert!(!called_off[0].text.contains("admin\""), "the house calls it off for an organiser");
    assert_eq!(directed.decide(&actor(0), &Command::CallOff, at(40)).err().unwrap().code, "not_organiser");
    assert_eq!(played.decide(&admin(9), &Command::CallOff, at(40)).err().unwrap().code, "not_organiser");
    // Which of both it was, only the tournament's log can tell.
    for marked in [true, false] {
        assert!(ok(next(&directed, player(9), None, aborted(marked))));
    }
    let refused = next(&directed, player(0), Some(0), Event::AbortAgreed).unwrap_err();
    assert!(refused.starts_with("a tournament's game is called off"), "{refused}");
}

#[test]
fn a_game_has_no_more_and_no_fewer_seats_than_its_kind_takes() {
    let (_, log) = started(by_name("royal_gambit").unwrap(), 2);
    let created = |change: fn(&mut Created)| {
        let HashedEntry { mut entry, hash, .. } = log[0].clone();
        let Event::Created(created) = &mut entry.event else { unreachable!() };
        change(created);
        let entry = Entry::parse(&entry.text()).unwrap();
        Table::replay(Uuid::from_u128(99), seed(), [(entry, hash)]).map(drop).map_err(|fault| fault.detail)
    };
    assert!(ok(created(|_| {})));
    let kinds = by_name("royal_gambit").unwrap();
    assert_eq!((kinds.min_seats, kinds.max_seats), (2, 5));
    assert!(created(|created| created.seats = 6).is_err() && created(|created| created.seats = 1).is_err());
    for seconds in [4, 604_801] {
        let refused = match seconds {
            4 => created(|created| created.turn_seconds = Some(4)),
            _ => created(|created| created.turn_seconds = Some(604_801)),
        };
        assert_eq!(refused.unwrap_err(), format!("`turn_seconds` is {seconds}, not within 5..604800"));
    }
    assert!(ok(created(|created| (created.turn_seconds, created.bank_seconds) = (Some(5), 604_800))));
    assert!(created(|created| (created.turn_seconds, created.bank_seconds) = (Some(5), 604_801)).is_err());
    assert!(created(|created| created.bank_seconds = 1).is_err());
    assert!(created(|created| created.bot_delay_ms = 10_001).is_err());
    let refused = created(|created| created.table_version = 2).unwrap_err();
    assert_eq!(refused, "unknown version of the table's laws");

    let one = does(&open(), 0, &sit(""));
    let seats = vec![StartedSeat { seat: 0, was: 0, player: Some("player0".to_owned()), bot: None }];
    let refused = next(&one, player(0), None, Event::Started(Started { seats })).unwrap_err();
    assert_eq!(refused, "1 sit here; the game takes at least 2");
}

#[test]
fn nobody_directs_the_clocks_of_a_game_that_is_no_tournament_s() {
    let pace = Pace { turn_seconds: Some(20), ..Pace::default() };
    let new = NewGame { pace, ..new_game(by_name("royal_gambit").unwrap(), 2) };
    let casual = Table::create(Uuid::from_u128(99), seed(), &actor(0), new.clone(), at(0)).unwrap().table;
    let casual = does(&casual, 1, &sit(""));
    let directed = dealt(new).table;
    for event in [Event::Paused(Paused::default()), Event::TimeAdded(TimeAdded { seconds: 60 })] {
        assert!(ok(next(&directed, player(9), None, event.clone())));
        let refused = next(&casual, player(9), None, event).unwrap_err();
        assert_eq!(refused, "only an organiser of the tournament stops its clocks");
    }
}

/// Thousands of such pauses would move the clocks past the end of time.
#[test]
fn no_seat_is_granted_more_time_than_its_decision_has_taken() {
    let pace = Pace { turn_seconds: Some(20), ..Pace::default() };
    let directed = dealt(NewGame { pace, ..new_game(by_name("royal_gambit").unwrap(), 2) }).table;
    let pause = |granted_ms: Vec<u32>| next(&directed, player(9), None, Event::Paused(Paused { granted_ms }));
    assert!(ok(pause(vec![0, 0])));
    for granted_ms in [vec![u32::MAX; 2], vec![0, u32::MAX], vec![0, 0, 1]] {
        let refused = pause(granted_ms).unwrap_err();
        assert_eq!(refused, "more time was granted than the decision has taken");
    }
}

#[test]
fn an_account_sits_at_one_seat_and_not_again_after_its_removal() {
    let table = does(&does(&open(), 0, &sit("")), 1, &sit(""));
    assert_eq!(sits(&table, 1, 3, "").unwrap_err(), "this player sits at the table already");
    assert_eq!(sits(&table, 2, 1, "").unwrap_err(), "this seat is taken");
    assert!(sits(&table, 2, 4, "").is_err() && ok(sits(&table, 2, 3, "")));
    assert_eq!(sits(&table, 2, 3, &"ż".repeat(65)).unwrap_err(), "client_seed: at most 64 characters");
    assert!(ok(sits(&table, 2, 3, &"ż".repeat(64))));
    let removed = does(&table, 0, &Command::ClearSeat { seat: 1 });
    let refused = sits(&removed, 1, 1, "").unwrap_err();
    assert_eq!(refused, "the game's creator has removed this player from the table");
    let account = Some(actor(0).account);
    assert!(next(&table, player(0), Some(0), Event::Removed(Removed { account })).is_err());
    let bot = does(&table, 0, &Command::SeatBot { policy: Policy::Random });
    assert_eq!(next(&bot, player(0), Some(2), Event::Left).unwrap_err(), "a bot does not leave");
    assert!(ok(next(&bot, player(0), Some(2), Event::Removed(Removed { account: None }))));
}

#[test]
fn the_house_starts_a_game_when_all_seats_are_taken_and_its_creator_before() {
    let starts = |table: &Table, by: By| {
        let names: Vec<_> = table.accounts().map(|(seat, _)| seat).zip(0..).collect();
        let seats = names.iter().map(|(was, seat)| StartedSeat {
            seat: *seat,
            was: *was,
            player: Some(format!("player{was}")),
            bot: None,
        });
        next(table, by, None, Event::Started(Started { seats: seats.collect() }))
    };
    let two = does(&does(&open(), 0, &sit("")), 1, &sit(""));
    let refused = starts(&two, By::System {}).unwrap_err();
    assert_eq!(refused, "the house starts a game when all seats are taken, and its creator before");
    assert!(ok(starts(&two, player(0))));
    let three = does(&two, 2, &sit(""));
    let entries = three.decide(&actor(3), &sit(""), at(30)).unwrap().entries;
    let mut four = three;
    four.evolve(&entries[0].entry, entries[0].hash).unwrap();
    assert!(ok(starts(&four, By::System {})) && starts(&four, player(0)).is_err());
    for event in [Event::Left, Event::Moved(Moved { to: 2 })] {
        assert!(next(&four, player(1), Some(1), event).is_err(), "the game starts first");
    }
    assert!(next(&four, player(0), None, aborted(false)).is_err());
}

#[test]
fn only_a_private_game_has_an_invite_and_no_open_game_is_changed_for_ever() {
    let renewed = |table: &Table| next(table, player(0), None, Event::InviteRenewed);
    assert_eq!(renewed(&open()).unwrap_err(), "a public game has no invite");
    let new = NewGame { visibility: Visibility::Private, ..new_game(by_name("royal_gambit").unwrap(), 4) };
    let mut table = Table::create(Uuid::from_u128(99), seed(), &actor(0), new, at(0)).unwrap().table;
    while table.version < 1000 {
        assert!(ok(renewed(&table)));
        table = does(&table, 0, &Command::RenewInvite);
    }
    let refused = renewed(&table).unwrap_err();
    assert!(refused.starts_with("too much has been changed"), "{refused}");
    assert!(sits(&table, 1, 1, "").is_err() && ok(next(&table, player(0), Some(0), Event::Left)));
}
