//! A game as its log, in memory: decisions, chains, replays, and what a finished log proves.

use cardroom_core::log::chain;
use cardroom_core::log::entry::{By, Chance, Drawn, Entry, Event, Policy, Visibility};
use cardroom_core::log::fairness::{Seed, Source};
use cardroom_core::rules::Facts;
use cardroom_core::rules::cards::CardInfo;
use cardroom_core::rules::registry::{self, Kind};
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, HashedEntry, Step};
use cardroom_core::table::projection::{LogProjection, Reader};
use cardroom_core::table::turns::Pace;
use cardroom_core::table::{Actor, Table};
use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

/// A small generator, so that a failure can be played again.
pub struct Dice(pub u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }
}

/// No account is nil, so that none is taken for one that was left out.
const FIRST_ACCOUNT: u128 = 1 << 64;

/// Which account of [`actor`] it is.
pub fn number(account: Uuid) -> u128 {
    account.as_u128() - FIRST_ACCOUNT
}

pub fn actor(n: u128) -> Actor {
    Actor {
        account: Uuid::from_u128(FIRST_ACCOUNT + n),
        username: format!("player{n}"),
        admin: false,
        is_program: false,
        invite: None,
    }
}

pub fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

pub fn seed() -> Seed {
    Seed::new([7; 32])
}

pub fn new_game(kind: &'static Kind, seats: u8) -> NewGame {
    let options = kind.resolve_options(&RawValue::from_string("{}".to_owned()).unwrap()).unwrap();
    let (sit, pace, bots) = (Some("mine".to_owned()), Pace::default(), Vec::new());
    NewGame { kind, options, seats, visibility: Visibility::Public, sit, pace, bots, rated: true }
}

pub fn sit(client_seed: &str) -> Command {
    Command::Sit { client_seed: client_seed.to_owned(), invite: None, seat: None }
}

pub fn act(action: Value) -> Command {
    Command::Act { action: RawValue::from_string(action.to_string()).unwrap() }
}

/// A game of `seats` that has just started, and its log.
pub fn started(kind: &'static Kind, seats: u8) -> (Table, Vec<HashedEntry>) {
    let Step { mut table, entries: mut log, .. } =
        Table::create(Uuid::from_u128(99), seed(), &actor(0), new_game(kind, seats), at(0)).unwrap();
    for n in 1..seats {
        let step = table.decide(&actor(u128::from(n)), &sit(""), at(i64::from(n))).unwrap();
        table = step.table;
        log.extend(step.entries);
    }
    (table, log)
}

/// A line of the seat's menu, with its parameters.
pub fn menu_action(table: &Table, seat: u8, dice: &mut Dice) -> Value {
    let menu: Value = serde_json::from_str(table.legal_actions(Some(seat)).get()).unwrap();
    let line = &menu[dice.below(menu.as_array().unwrap().len())];
    let mut action = serde_json::json!({"type": line["type"]});
    for (name, domain) in line["params"].as_object().unwrap() {
        action[name] = match domain["type"].as_str().unwrap() {
            "integer" => domain["min"].clone(),
            "cards" => domain["from"].as_array().unwrap()[..how_many(domain, dice)].into(),
            _ => domain["from"][dice.below(domain["from"].as_array().unwrap().len())].clone(),
        };
    }
    action
}

/// Plays on to the end, each seat choosing a random line of its menu.
pub fn play_out(mut table: Table, log: &mut Vec<HashedEntry>, dice: &mut Dice) -> Table {
    let mut second = 100;
    while !table.is_over() {
        let seat = table.to_act().iter().next().unwrap();
        let action = menu_action(&table, seat, dice);
        second += 1;
        let step = table.decide(&actor(u128::from(seat)), &act(action), at(second)).unwrap();
        table = step.table;
        log.extend(step.entries);
    }
    table
}

/// The least, or one more where that many may be.
fn how_many(cards: &Value, dice: &mut Dice) -> usize {
    let bound = |name: &str| cards[name].as_u64().unwrap() as usize;
    (bound("min") + dice.below(2)).min(bound("max"))
}

pub fn shown(table: &Table, viewer: Option<&Actor>) -> String {
    serde_json::to_string(&table.view(viewer)).unwrap()
}

pub fn replayed(log: &[HashedEntry]) -> Table {
    // Through its text, as it comes out of the database.
    let entries = log.iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash));
    Table::replay(Uuid::from_u128(99), seed(), entries).unwrap()
}

#[test]
fn at_every_version_the_replayed_log_shows_what_was_shown_live() {
    for kind in registry::newest() {
        let mut dice = Dice(5);
        let (table, mut log) = started(kind, 3.max(kind.min_seats));
        let end = play_out(table, &mut log, &mut dice);
        for viewer in [Some(actor(0)), Some(actor(1)), None] {
            assert_eq!(shown(&replayed(&log), viewer.as_ref()), shown(&end, viewer.as_ref()));
        }
        let mut live = replayed(&log[..1]);
        for (sealed, n) in log[1..].iter().zip(2..) {
            live.evolve(&sealed.entry, sealed.hash).unwrap();
            assert_eq!(shown(&live, None), shown(&replayed(&log[..n]), None));
        }
    }
}

#[test]
fn every_entry_is_chained_and_every_chance_follows_from_the_seeds() {
    for kind in registry::newest() {
        let (table, mut log) = started(kind, kind.min_seats.max(2));
        play_out(table, &mut log, &mut Dice(8));
        let mut client_seeds = vec!["mine"];
        client_seeds.resize(usize::from(kind.min_seats.max(2)), "");
        let source = Source::new(seed(), Uuid::from_u128(99), client_seeds);
        let (mut before, mut k) = (chain::GENESIS, 0);
        for (sealed, seq) in log.iter().zip(1..) {
            assert_eq!(sealed.entry.seq, seq);
            assert_eq!(sealed.hash, chain::hash(before, &seed(), seq, &sealed.text));
            before = sealed.hash;
            let Event::Chance(Chance { k: ordinal, drawn }) = &sealed.entry.event else { continue };
            assert_eq!((*ordinal, &sealed.entry.by), (k, &By::System {}));
            k += 1;
            match drawn {
                Drawn::Pick { of, result } => {
                    assert_eq!(u32::from(*result), source.chance(*ordinal).uniform(u32::from(*of)));
                }
                Drawn::Shuffle { result: Some(order) } => {
                    let copies = |info: &CardInfo| vec![info.card; usize::from(info.copies)];
                    let mut sorted: Vec<_> = (kind.deck)().iter().flat_map(copies).collect();
                    sorted.retain(|card| order.contains(card));
                    assert_eq!(sorted.len(), order.len());
                    source.chance(*ordinal).shuffle(&mut sorted);
                    assert_eq!(&sorted, order);
                }
                Drawn::Shuffle { result: None } => panic!("the log holds every order"),
            }
        }
        assert!(k >= 2, "a first dealer and a shuffle at least");
    }
}

#[test]
fn the_seed_shows_when_the_game_is_over_and_not_before() {
    for kind in registry::newest() {
        let (table, mut log) = started(kind, kind.min_seats.max(2));
        let secret = seed().reveal().to_string();
        for sealed in &log {
            assert!(!sealed.text.contains(&secret), "{}", sealed.text);
        }
        assert!(!shown(&table, Some(&actor(0))).contains(&secret));
        assert!(shown(&table, None).contains(&seed().commitment().to_string()));
        let end = play_out(table, &mut log, &mut Dice(1));
        assert!(shown(&end, None).contains(&secret));
    }
}

#[test]
fn a_log_that_was_tampered_with_does_not_replay() {
    let kind = registry::by_name("royal_gambit").unwrap();
    let (table, mut log) = started(kind, 2);
    play_out(table, &mut log, &mut Dice(3));
    let entries: Vec<_> = log.iter().map(|sealed| (sealed.entry.clone(), sealed.hash)).collect();
    let replay = |entries: Vec<_>| Table::replay(Uuid::from_u128(99), seed(), entries);
    assert!(replay(entries.clone()).is_ok());
    let mut picks = 0;
    for at in 1..entries.len() - 1 {
        let mut other = entries.clone();
        if let Event::Chance(Chance { drawn: Drawn::Pick { of, .. }, .. }) = &mut other[at].0.event {
            *of += 1;
            picks += 1;
            assert_eq!(replay(other).unwrap_err().detail, "the rules asked for no such pick");
        }
        let mut dropped = entries.clone();
        dropped.remove(at);
        assert_eq!(replay(dropped).unwrap_err().seq, entries[at + 1].0.seq);
        let mut doubled = entries.clone();
        doubled.insert(at, entries[at].clone());
        assert!(replay(doubled).is_err());
    }
    assert!(picks > 0);
}

#[test]
fn a_bot_acts_for_its_own_policy_and_for_nobody_else() {
    let bots = vec![Policy::Random];
    let new = NewGame { bots, ..new_game(registry::by_name("royal_gambit").unwrap(), 2) };
    let step = Table::create(Uuid::from_u128(99), seed(), &actor(0), new, at(0)).unwrap();
    let (mut table, mut log) = (step.table, step.entries);
    while table.to_act().iter().next() != Some(1) {
        let step = table.decide(&actor(0), &act(menu_action(&table, 0, &mut Dice(1))), at(5)).unwrap();
        log.extend(step.entries);
        table = step.table;
    }
    let mut step = Step { table: table.clone(), entries: Vec::new(), hands: Vec::new() };
    step.bot_passes(1, Policy::Random, at(9).into());
    let (entry, hash) = (step.entries[0].entry.clone(), step.entries[0].hash);
    assert!(table.clone().evolve(&entry, hash).is_ok());
    for by in [By::Bot { bot: Policy::Steady }, By::Player { player: "player0".to_owned() }, By::Clock {}] {
        assert!(table.clone().evolve(&Entry { by, ..entry.clone() }, hash).is_err());
    }
}

#[test]
fn what_anybody_may_know_of_a_game_is_no_secret_in_its_log() {
    let (table, mut log) = started(registry::by_name("sevens").unwrap(), 3);
    play_out(table, &mut log, &mut Dice(9));
    let secret = |of: &str| -> Vec<bool> {
        let wanted = format!(r#""type":"{of}""#);
        log.iter().filter(|entry| entry.text.contains(&wanted)).map(|entry| entry.is_secret).collect()
    };
    for open in ["created", "seated", "started", "finished"] {
        assert!(!secret(open).is_empty() && secret(open).iter().all(|secret| !secret), "{open}");
    }
    assert!(secret("chance").contains(&true) && secret("chance").contains(&false), "an order, and a pick");
}

#[test]
fn seats_are_numbered_anew_at_the_start() {
    let kind = registry::by_name("royal_gambit").unwrap();
    let table =
        Table::create(Uuid::from_u128(99), seed(), &actor(0), new_game(kind, 5), at(0)).unwrap().table;
    let table = table.decide(&actor(1), &sit("one"), at(1)).unwrap().table;
    let table = table.decide(&actor(2), &sit("two"), at(2)).unwrap().table;
    let table = table.decide(&actor(0), &Command::StandUp, at(3)).unwrap().table;
    assert_eq!(table.seat_of(actor(2).account), Some(2));
    let table = table.decide(&actor(0), &Command::Start, at(4)).unwrap().table;
    assert_eq!((table.seat_of(actor(1).account), table.seat_of(actor(2).account)), (Some(0), Some(1)));
}

#[test]
fn a_refusal_says_why_by_a_stable_word() {
    let kind = registry::by_name("royal_gambit").unwrap();
    let open = Table::create(Uuid::from_u128(99), seed(), &actor(0), new_game(kind, 3), at(0)).unwrap().table;
    let code = |table: &Table, n, command: Command| match table.decide(&actor(n), &command, at(9)) {
        Ok(_) => "accepted",
        Err(refusal) => refusal.code,
    };
    let hit = || act(serde_json::json!({"type": "hit"}));
    assert_eq!(code(&open, 0, sit("")), "already_seated");
    assert_eq!(code(&open, 1, sit(&"x".repeat(65))), "invalid_body");
    assert_eq!(code(&open, 1, sit(&"ż".repeat(64))), "accepted");
    assert_eq!(code(&open, 1, Command::StandUp), "not_seated");
    assert_eq!(code(&open, 1, Command::Start), "not_creator");
    assert_eq!(code(&open, 0, Command::Start), "too_few_players");
    assert_eq!(code(&open, 0, hit()), "game_not_active");
    assert_eq!(code(&open, 1, Command::Abort), "not_creator");
    let (active, mut log) = started(kind, 3);
    let turn = u128::from(active.to_act().iter().next().unwrap());
    assert_eq!(code(&active, turn, hit()), "accepted");
    assert_eq!(code(&active, (turn + 1) % 3, hit()), "not_your_turn");
    assert_eq!(code(&active, 7, hit()), "not_seated");
    assert_eq!(code(&active, turn, act(serde_json::json!({"type": "fold"}))), "illegal_action");
    assert_eq!(code(&active, 7, Command::Abort), "not_seated");
    assert_eq!(code(&active, 0, Command::StandUp), "game_not_open");
    let over = play_out(active, &mut log, &mut Dice(2));
    assert_eq!(code(&over, 0, hit()), "game_over");
    assert_eq!(code(&over, 0, Command::Abort), "game_over");
}

#[test]
fn a_game_does_not_start_with_fewer_seats_than_it_names_stacks_for() {
    for name in ["sevens", "knights_heads", "ritunas_favour"] {
        let kind = registry::by_name(name).unwrap();
        let mut new = new_game(kind, 3);
        let wanted = serde_json::json!({"buy_in": 100, "stacks": [500, 100, 100]}).to_string();
        new.options = kind.resolve_options(&RawValue::from_string(wanted).unwrap()).unwrap();
        let open = Table::create(Uuid::from_u128(99), seed(), &actor(0), new, at(0)).unwrap().table;
        let two = open.decide(&actor(1), &sit(""), at(1)).unwrap().table;
        let refused = two.decide(&actor(0), &Command::Start, at(2)).map(|_| ()).unwrap_err();
        assert_eq!(refused.code, "too_few_players", "{name}");
    }
}

#[test]
fn time_never_runs_backwards_in_a_log() {
    let kind = registry::by_name("royal_gambit").unwrap();
    let open =
        Table::create(Uuid::from_u128(99), seed(), &actor(0), new_game(kind, 3), at(50)).unwrap().table;
    let step = open.decide(&actor(1), &sit(""), at(10)).unwrap();
    assert_eq!(step.entries[0].entry.at.0, at(50));
}

#[test]
fn cards_in_an_action_are_null_to_others_until_the_game_is_over() {
    let kind = registry::by_name("sevens").unwrap();
    let (table, mut log) = started(kind, 3);
    let seat = table.to_act().iter().next().unwrap();
    let (trader, other) = (actor(u128::from(seat)), actor(u128::from((seat + 1) % 3)));
    let menu: Value = serde_json::from_str(table.legal_actions(Some(seat)).get()).unwrap();
    let hand = menu[0]["params"]["trade"]["from"].clone();
    let trade = serde_json::json!([hand[0], hand[2]]);
    let step =
        table.decide(&trader, &act(serde_json::json!({"type": "check", "trade": trade})), at(50)).unwrap();
    let seq = step.entries[0].entry.seq;
    log.extend(step.entries);
    let read_by = |log: &[HashedEntry], viewer: Option<&Actor>| -> Value {
        let entries = log.iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash)).collect();
        let read =
            LogProjection::of(Uuid::from_u128(99), seed(), entries, &Reader::Viewer(viewer), Facts::ignored)
                .unwrap();
        let entry = read.into_log().into_iter().find(|entry| entry.seq == seq).unwrap();
        serde_json::from_str::<Value>(entry.data.get()).unwrap()["action"]["trade"].clone()
    };
    let hidden = serde_json::json!([null, null]);
    assert_eq!(read_by(&log, Some(&trader)), trade);
    assert_eq!(read_by(&log, Some(&other)), hidden);
    assert_eq!(read_by(&log, None), hidden);
    let end = play_out(step.table, &mut log, &mut Dice(4));
    assert!(end.is_over());
    assert_eq!(read_by(&log, None), trade);
    assert_eq!(read_by(&log[..log.len() - 1], None), hidden, "to the last entry but one");
}

#[test]
fn a_hand_is_told_in_words() {
    let (table, mut log) = started(registry::by_name("sevens").unwrap(), 2);
    play_out(table, &mut log, &mut Dice(1));
    let entries = log.iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash)).collect();
    let read =
        LogProjection::of(Uuid::from_u128(99), seed(), entries, &Reader::Viewer(None), Facts::kept).unwrap();
    let told = "\
Hand 1 of Sevens, from entry 6 to 7
Players: player0, player1
  player0 deals
  player1 antes 5
  player0 antes 5
  player1 is dealt 6C 1G 2G
  player0 is dealt 1C 6C 5S
  player1 folds
  player0 wins 10 from the main pot: all others have folded
  the stacks: player0 205, player1 195
";
    assert_eq!(read.into_hands()[0].text(), told);
}

#[test]
fn a_table_that_has_more_weighs_more() {
    let weight = |seats: u8, options: &str| {
        let kind = registry::by_name("knights_heads").unwrap();
        let options = kind.resolve_options(&RawValue::from_string(options.to_owned()).unwrap()).unwrap();
        let new = NewGame { options, ..new_game(kind, seats) };
        let mut table = Table::create(Uuid::from_u128(99), seed(), &actor(0), new, at(0)).unwrap().table;
        for n in 1..seats - 1 {
            table = table.decide(&actor(u128::from(n)), &sit(""), at(i64::from(n))).unwrap().table;
        }
        table.weight()
    };
    let (two, six) = (weight(2, "{}"), weight(6, "{}"));
    assert!(two > size_of::<Table>() as u32, "{two}");
    assert_eq!((six - two) % 4, 0, "each seat weighs the same: {two}, {six}");
    assert!(six - two >= 4 * 100 && six < 2 * two, "{two}, {six}");
    let longer = weight(2, r#"{"hands": 1000}"#);
    assert!(longer.abs_diff(two) < 10, "a digit is a byte or two: {two}, {longer}");
}
