//! Games that are over, made in memory, and their bundles.

use cardroom::accounts::signing::Key;
use cardroom_core::audit::{self, Keys, Signed};
use cardroom_core::log::entry::{AtTournament, Event, Policy, Seated, Visibility};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::Kind;
use cardroom_core::rules::{Refusal, Seat};
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, HashedEntry, Step};
use cardroom_core::table::turns::{Now, Outage, Pace};
use cardroom_core::table::{Actor, Table};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::jwk::JwkSet;
use serde_json::Value;
use serde_json::value::RawValue;
use uuid::Uuid;

use crate::random::dice::Dice;
use crate::random::options;
use crate::random::orders::{list, order};

/// Client seeds as players may choose them, and as JSON has to escape some of them. Some programs take the letters in
/// the last two for ends of lines.
const CLIENT_SEEDS: [&str; 8] =
    ["", "lucky", "\"\\/\n\u{1}", "Ærøskøbing 😀 דּ", "0", "a:b,c", "\u{2028}\u{2029}", "\u{85}\u{c}\u{feff}"];

/// A game that is over, and its log.
pub struct Game {
    pub table: Table,
    pub log: Vec<HashedEntry>,
}

/// A house's key; the same number gives the same key.
pub fn key(number: u8) -> Key {
    Key::new(format!("key-{number}"), &[number; 32], Timestamp::UNIX_EPOCH).unwrap()
}

pub fn keys(key: &Key) -> Keys {
    Keys::Known(JwkSet { keys: vec![key.jwk()] })
}

impl Game {
    /// A random game that is called off by an admin after so many entries, or at its end before that.
    pub fn played_for(kind: &'static Kind, dice: &mut Dice, entries: usize) -> Game {
        let seats = kind.min_seats + dice.below(u64::from(kind.max_seats - kind.min_seats) + 1) as u8;
        Game::of(kind, options::draw(kind, dice), seats, dice, entries)
    }

    pub fn of(
        kind: &'static Kind,
        options: Box<RawValue>,
        seats: u8,
        dice: &mut Dice,
        entries: usize,
    ) -> Game {
        let (mut secret, mut id) = ([0; 32], [0; 16]);
        secret.iter_mut().chain(&mut id).for_each(|byte| *byte = dice.below(256) as u8);
        let sit = Some((*dice.pick(&CLIENT_SEEDS)).to_owned());
        let bots = (1..seats).filter(|_| dice.one_in(3)).map(|_| Policy::Random).collect();
        let turn_seconds = dice.one_in(2).then_some(5);
        let bank = dice.below(4) as u32;
        let pace = Pace { turn_seconds, bank_seconds: turn_seconds.map_or(0, |_| bank), bot_delay_ms: 0 };
        let visibility = if dice.one_in(2) { Visibility::Private } else { Visibility::Public };
        let new = NewGame { kind, options, seats, visibility, sit, pace, bots, rated: dice.one_in(2) };
        let id = uuid::Builder::from_random_bytes(id).into_uuid();
        let at: Timestamp = "2026-11-20T18:00:00.000001Z".parse().unwrap();
        let begun = Table::create(id, Seed::new(secret), &actor(0), new, at).unwrap();
        Game::from(begun, dice, entries)
    }

    /// A random game at a duplicate table, whose orders are the round's. An organiser stops its clocks at times.
    pub fn duplicate(kind: &'static Kind, dice: &mut Dice) -> Game {
        let uuid = |dice: &mut Dice| {
            let mut bytes = [0; 16];
            bytes.iter_mut().for_each(|byte| *byte = dice.below(256) as u8);
            uuid::Builder::from_random_bytes(bytes).into_uuid()
        };
        let place = AtTournament {
            id: uuid(dice),
            round: 1,
            table: 2,
            scoring: RawValue::from_string(r#"{"type":"places"}"#.to_owned()).unwrap(),
            spectator_delay_hands: dice.below(3) as u32,
            shuffle_id: Some(uuid(dice)),
        };
        let seats = kind.max_seats.min(kind.min_seats + 1);
        let new = NewGame {
            kind,
            options: options::draw(kind, dice),
            seats,
            visibility: Visibility::Public,
            sit: None,
            pace: Pace { turn_seconds: Some(5), bank_seconds: 10, bot_delay_ms: 100 },
            bots: Vec::new(),
            rated: true,
        };
        let player = |n: u8| Seated::Player {
            player: format!("player{n}"),
            account: Uuid::from_u128(n.into()),
            client_seed: String::new(),
            program: n == 1,
        };
        let bot = Seated::Bot { bot: Policy::Random, client_seed: String::new() };
        let seated = (0..seats - 1).map(player).chain([bot]).collect();
        let at: Timestamp = "2026-11-20T18:00:00Z".parse().unwrap();
        let begun =
            Table::deal_in(uuid(dice), Seed::new([7; 32]), &actor(50), new, place, seated, at).unwrap();
        Game::from(begun, dice, usize::MAX)
    }

    fn from(begun: Step, dice: &mut Dice, entries: usize) -> Game {
        let Step { mut table, entries: mut log, .. } = begun;
        let Event::Created(created) = &log[0].entry.event else {
            unreachable!("a log begins with its creation")
        };
        let (has_clock, is_directed) = (created.turn_seconds.is_some(), created.tournament.is_some());
        let mut here = 1;
        let mut at = table.changed_at();
        while !table.is_over() {
            at += SignedDuration::from_micros(dice.below(3_000_000) as i64);
            if dice.one_in(12)
                && let Ok(step) = table.decide(&anybody(&table, dice), &interlude(dice), at)
            {
                table = step.table;
                log.extend(step.entries);
                continue;
            }
            if is_directed
                && (table.is_paused() || dice.one_in(4))
                && let Ok(step) = directed(&table, dice, at)
            {
                table = step.table;
                log.extend(step.entries);
                continue;
            }
            let step = match table.to_act().iter().next() {
                _ if log.len() >= entries => {
                    table.decide(&Actor { admin: true, ..actor(99) }, &Command::Abort, at)
                }
                None if table.seat_of(Uuid::from_u128(here - 1)).is_some() && here > 1 && dice.one_in(6) => {
                    table.decide(&actor(here - 1), &Command::StandUp, at)
                }
                None => {
                    here += 1;
                    let client_seed = (*dice.pick(&CLIENT_SEEDS)).to_owned();
                    let invite = Some(table.invite());
                    table.decide(&actor(here - 1), &Command::Sit { client_seed, invite, seat: None }, at)
                }
                Some(_) if table.resigned_due().is_some() => {
                    let mut step = Step { table: table.clone(), entries: Vec::new(), hands: Vec::new() };
                    step.plays_for_resigned(at.into());
                    Ok(step)
                }
                Some(_) if has_clock && dice.one_in(8) => {
                    at += SignedDuration::from_secs(60);
                    Ok(table.time_out(at.into()))
                }
                Some(seat) => {
                    let menu: Value = serde_json::from_str(table.legal_actions(Some(seat)).get()).unwrap();
                    let action = options::raw(&order(dice.pick(list(&menu)), dice));
                    at += SignedDuration::from_millis(100);
                    match table.bot_due(at.into()) {
                        Some((bot, policy)) if bot == seat => {
                            let mut step =
                                Step { table: table.clone(), entries: Vec::new(), hands: Vec::new() };
                            step.bot_acts(seat, policy, &action, at.into()).map(|()| step)
                        }
                        _ => table.decide(&sitter(&table, seat), &Command::Act { action }, at),
                    }
                }
            };
            let step = step.unwrap();
            table = step.table;
            log.extend(step.entries);
        }
        Game { table, log }
    }

    /// The game's bundle, as the house gives it out.
    pub fn bundle(&self, key: &Key) -> String {
        let Game { table, log } = self;
        let lines: Vec<String> = log.iter().map(|sealed| audit::line(&sealed.text, sealed.hash)).collect();
        let signed = Signed { game: table.id, version: table.version, hash: table.hash() };
        [audit::head(table), lines.join(","), audit::tail(table, &key.sign_log(&signed))].concat()
    }
}

/// Somebody at the table, or its creator.
fn anybody(table: &Table, dice: &mut Dice) -> Actor {
    let accounts: Vec<Uuid> = table.accounts().map(|(_, account)| account).chain([table.creator()]).collect();
    actor(dice.pick(&accounts).as_u128())
}

/// A command beside the rules, which may be refused.
fn interlude(dice: &mut Dice) -> Command {
    let mut seat = || dice.below(6) as Seat;
    let (from, to) = (seat(), seat());
    match dice.below(20) {
        0 => Command::Abort,
        1..6 => Command::Resign,
        6..9 => Command::RenewInvite,
        9..13 => Command::ClearSeat { seat: from },
        _ => Command::Move { from, to },
    }
}

/// An organiser lets the clocks run again, or stops them, at times just after the service was down, or gives seats more time.
fn directed(table: &Table, dice: &mut Dice, at: Timestamp) -> Result<Step, Refusal> {
    let command = match dice.below(3) {
        _ if table.is_paused() => Command::Resume,
        0 => Command::AddTime { totals: vec![dice.below(30) as u32; table.accounts().count() + 1] },
        1 => Command::AddTime {
            totals: (0..=table.accounts().count()).map(|_| dice.below(30) as u32).collect(),
        },
        _ => Command::Pause,
    };
    let outages = [Outage { from: at - SignedDuration::from_secs(2), until: at }];
    let outages = &outages[dice.below(2) as usize..];
    table.decide(&Actor { admin: true, ..actor(99) }, &command, Now { at, outages })
}

/// Who sits at a seat.
fn sitter(table: &Table, seat: Seat) -> Actor {
    let (_, account) = table.accounts().find(|(taken, _)| *taken == seat).unwrap();
    actor(account.as_u128())
}

fn actor(n: u128) -> Actor {
    Actor {
        account: Uuid::from_u128(n),
        username: format!("player{n}"),
        admin: false,
        is_program: n == 2,
        invite: None,
    }
}
