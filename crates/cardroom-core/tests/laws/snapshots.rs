//! A table that was written down and read again is the same table, and goes on in the same way.

use cardroom_core::log::entry::{AtTournament, Policy, Seated, Visibility};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::{Kind, newest};
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, Step};
use cardroom_core::table::snapshot::Snapshot;
use cardroom_core::table::turns::{Now, Outage, Pace};
use cardroom_core::table::{Actor, Table};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;
use uuid::Uuid;

use super::{Trial, games};
use crate::random::dice::Dice;
use crate::random::options;
use crate::random::orders::{list, order};
use crate::random::playing::{parsed, viewers};
use crate::table;

/// Random games of each kind.
const GAMES: u64 = 60;
/// The most that is played of one, in decisions.
const DECISIONS: usize = 400;

/// A game, and the same game as it came out of a snapshot.
struct Twins {
    live: Table,
    restored: Option<Table>,
    seed: Seed,
    at: Timestamp,
    outages: Vec<Outage>,
}

#[test]
fn a_table_that_was_written_down_is_the_same_and_goes_on_in_the_same_way() {
    for kind in newest() {
        for seed in 0..games(GAMES) {
            let _trial = Trial { kind: kind.kind, seed };
            let dice = &mut Dice::new(seed);
            let mut twins = Twins::started(kind, dice);
            for _ in 0..DECISIONS {
                if dice.one_in(8) {
                    twins.write_and_read();
                }
                if !twins.go_on(dice) {
                    break;
                }
            }
            assert!(
                !twins.live.is_over() || twins.live.snapshot().is_none(),
                "a game that is over needs none"
            );
        }
    }
}

#[test]
fn a_snapshot_of_another_version_is_refused() {
    for kind in newest() {
        let under_way = (0..games(GAMES)).map(|seed| {
            let dice = &mut Dice::new(seed);
            let mut twins = Twins::started(kind, dice);
            while dice.below(6) > 0 && twins.go_on(dice) {}
            twins
        });
        let twins = under_way.into_iter().find(|twins| !twins.live.is_over()).unwrap();
        let (id, good) = (twins.live.id, twins.live.snapshot().unwrap());
        let reads = |snapshot: &Snapshot| Table::restore(id, twins.seed.clone(), snapshot).is_ok();
        assert!(reads(&good));
        assert!(!reads(&Snapshot { version: good.version + 1, ..good.clone() }));
        assert!(!reads(&Snapshot { state: good.state.replace(kind.kind, "chess"), ..good }));
    }
}

impl Twins {
    fn started(kind: &'static Kind, dice: &mut Dice) -> Twins {
        let seats = kind.min_seats + dice.below(u64::from(kind.max_seats - kind.min_seats) + 1) as u8;
        let (turn_seconds, bank) = (dice.one_in(2).then_some(30), dice.below(50) as u32);
        let pace = Pace {
            turn_seconds,
            bank_seconds: turn_seconds.map_or(0, |_| bank),
            bot_delay_ms: dice.below(2000) as u32,
        };
        let new = NewGame {
            kind,
            options: options::draw(kind, dice),
            seats,
            visibility: *dice.pick(&[Visibility::Public, Visibility::Private]),
            sit: None,
            pace,
            bots: Vec::new(),
            rated: true,
        };
        let seated = (0..seats).map(|seat| match dice.below(3) {
            0 => {
                Seated::Bot { bot: *dice.pick(&[Policy::Random, Policy::Steady]), client_seed: String::new() }
            }
            _ => {
                let Actor { account, username: player, .. } = actor(seat);
                Seated::Player {
                    player,
                    account,
                    client_seed: format!("\"{seat}\u{7f}é"),
                    program: seat == 1,
                }
            }
        });
        let seated = seated.collect();
        let place = AtTournament {
            id: Uuid::from_u128(7),
            round: 1,
            table: 2,
            scoring: options::raw(&json!({"type": "places", "b": 1, "a": [0.5]})),
            spectator_delay_hands: 1,
            shuffle_id: dice.one_in(2).then_some(Uuid::from_u128(8)),
        };
        let (seed, at) =
            (Seed::new([dice.below(256) as u8; 32]), Timestamp::from_microsecond(1_800_000_000_000_001));
        let at = at.unwrap();
        let step = Table::deal_in(Uuid::from_u128(99), seed.clone(), &actor(0), new, place, seated, at);
        Twins { live: step.unwrap().table, restored: None, seed, at, outages: Vec::new() }
    }

    fn write_and_read(&mut self) {
        let Some(snapshot) = self.live.snapshot() else { return };
        assert_eq!(snapshot.version, self.live.version);
        let restored = Table::restore(self.live.id, self.seed.clone(), &snapshot).unwrap();
        assert_eq!(restored.snapshot(), Some(snapshot));
        self.restored = Some(restored);
        self.are_alike();
    }

    fn are_alike(&self) {
        let Some(restored) = &self.restored else { return };
        assert_eq!((restored.version, restored.hash()), (self.live.version, self.live.hash()));
        assert_eq!(restored.changed_at(), self.live.changed_at());
        assert_eq!(restored.due_by_log(&self.outages), self.live.due_by_log(&self.outages));
        for seat in viewers(10) {
            let viewer = seat.map(actor);
            let shown = |table: &Table| serde_json::to_string(&table.view(viewer.as_ref())).unwrap();
            assert_eq!(shown(restored), shown(&self.live));
        }
    }

    /// A seat that can decide does, or else the clock. False: the game is over.
    fn go_on(&mut self, dice: &mut Dice) -> bool {
        let Some(first) = self.live.to_act().iter().next() else { return false };
        self.at += SignedDuration::from_micros(dice.below(20_000_000) as i64);
        if dice.one_in(30) {
            let from = self.at;
            self.at += SignedDuration::from_mins(1);
            self.outages.push(Outage { from, until: self.at });
        }
        let now = Now { at: self.at, outages: &self.outages };
        let bot = self.live.bot_due(now);
        let seat = bot.map_or(first, |(seat, _)| seat);
        let menu = parsed(&self.live.legal_actions(Some(seat)));
        let action = options::raw(&order(dice.pick(list(&menu)), dice));
        let decide = |table: &Table| -> Step {
            let mut step = table.time_out(now);
            if !step.entries.is_empty() {
                return step;
            }
            assert_eq!(table.bot_due(now), bot);
            match bot {
                Some((_, policy)) => step.bot_acts(seat, policy, &action, now).unwrap(),
                // The seat in turn may be a bot's that has to wait.
                None => match table.decide(&actor(seat), &Command::Act { action: action.clone() }, now) {
                    Ok(step) => return step,
                    Err(refusal) => assert_eq!(refusal.code, "not_seated"),
                },
            }
            step
        };
        let live = decide(&self.live);
        if let Some(restored) = &self.restored {
            let restored = decide(restored);
            let log = |step: &Step| -> Vec<_> {
                step.entries.iter().map(|sealed| (sealed.text.clone(), sealed.hash)).collect()
            };
            assert_eq!(log(&restored), log(&live));
            assert_eq!(format!("{:?}", restored.hands), format!("{:?}", live.hands));
            self.restored = Some(restored.table);
        }
        self.live = live.table;
        self.are_alike();
        true
    }
}

fn actor(seat: u8) -> Actor {
    table::actor(seat.into())
}
