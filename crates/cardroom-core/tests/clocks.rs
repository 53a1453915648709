//! Turn clocks in memory: what a log's own times lead to. Over HTTP they are in `api/clocks.rs`.

use cardroom_core::log::entry::{Acted, By, Entry, Event, Time, Visibility};
use cardroom_core::log::fairness::Seed;
use cardroom_core::rules::registry::{by_name, newest};
use cardroom_core::table::create::NewGame;
use cardroom_core::table::decide::{Command, HashedEntry};
use cardroom_core::table::turns::{Now, Outage, Pace};
use cardroom_core::table::{Actor, Table};
use jiff::Timestamp;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::random::dice::Dice;
use crate::random::options;
use crate::table;

/// A game that started at second 0, and its log.
struct Timed {
    table: Table,
    log: Vec<HashedEntry>,
    outages: Vec<Outage>,
}

const NOBODY: [u8; 0] = [];

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_800_000_000 + second).unwrap()
}

fn actor(seat: u8) -> Actor {
    table::actor(seat.into())
}

impl Timed {
    fn game(kind: &str, seats: u8, turn_seconds: u32, bank_seconds: u32) -> Timed {
        let defaults = by_name(kind).unwrap().resolve_options(&options::raw(&json!({}))).unwrap();
        let pace = Pace { turn_seconds: Some(turn_seconds), bank_seconds, bot_delay_ms: 0 };
        Timed::with(kind, defaults, seats, pace)
    }

    fn with(kind: &str, options: Box<RawValue>, seats: u8, pace: Pace) -> Timed {
        Timed::drawn(kind, options, seats, pace, String::new())
    }

    /// The same with other chances, by the first player's part in them.
    fn drawn(kind: &str, options: Box<RawValue>, seats: u8, pace: Pace, client_seed: String) -> Timed {
        let kind = by_name(kind).unwrap();
        let (visibility, sit, bots) = (Visibility::Public, Some(client_seed), Vec::new());
        let new = NewGame { kind, options, seats, visibility, sit, pace, bots, rated: true };
        let made = Table::create(Uuid::from_u128(99), Seed::new([7; 32]), &actor(0), new, at(0)).unwrap();
        let mut game = Timed { table: made.table, log: made.entries, outages: Vec::new() };
        for seat in 1..seats {
            game.does(seat, &Command::Sit { client_seed: String::new(), invite: None, seat: None }, 0);
        }
        game
    }

    fn does(&mut self, seat: u8, command: &Command, second: i64) {
        let now = Now { at: at(second), outages: &self.outages };
        let step = self.table.decide(&actor(seat), command, now).unwrap();
        self.table = step.table;
        self.log.extend(step.entries);
    }

    fn acts(&mut self, seat: u8, action: Value, second: i64) {
        let action = RawValue::from_string(action.to_string()).unwrap();
        self.does(seat, &Command::Act { action }, second);
    }

    /// The first seat that the game waits for stays.
    fn stays(&mut self, second: i64) -> u8 {
        let seat = self.to_act()[0];
        self.acts(seat, json!({"type": "stay"}), second);
        seat
    }

    /// Lets the clock do what it has to; gives the seats that it played for.
    fn ticks(&mut self, second: i64) -> Vec<u8> {
        let step = self.table.time_out(Now { at: at(second), outages: &self.outages });
        self.table = step.table;
        let clock = step.entries.iter().filter(|sealed| sealed.entry.by == By::Clock {});
        let played = clock.map(|sealed| sealed.entry.seat.unwrap()).collect();
        self.log.extend(step.entries);
        played
    }

    fn to_act(&self) -> Vec<u8> {
        self.table.to_act().iter().collect()
    }

    /// The deadline, in seconds after the start.
    fn deadline(&self) -> Option<i64> {
        self.table.deadline().map(|deadline| deadline.duration_since(at(0)).as_secs())
    }

    fn view(&self) -> Value {
        serde_json::to_value(self.table.view(None)).unwrap()
    }

    fn bank(&self, seat: u8) -> u64 {
        self.view()["seats"][usize::from(seat)]["bank_ms"].as_u64().unwrap()
    }

    fn is_away(&self, seat: u8) -> bool {
        self.view()["seats"][usize::from(seat)]["away"] == true
    }

    /// Everything that follows from the log when it is read again.
    fn replayed(&self) -> Value {
        let entries = self.log.iter().map(|sealed| (Entry::parse(&sealed.text).unwrap(), sealed.hash));
        let table = Table::replay(self.table.id, Seed::new([7; 32]), entries).unwrap();
        serde_json::to_value(table.view(None)).unwrap()
    }
}

#[test]
fn the_bank_pays_for_what_a_turn_takes_too_long() {
    // Turn and bank, when the player acts, what is left of the bank (in seconds), the next seat's deadline.
    for (turn, bank, acts, left, next) in [
        (10, 0, 0, 0, 10),
        (10, 0, 9, 0, 19),
        (10, 20, 3, 20, 33),
        (10, 20, 10, 20, 40),
        (10, 20, 11, 19, 41),
        (10, 20, 29, 1, 59),
        (10, 20, 30, 0, 60),
        // Late, but before the clock: accepted.
        (10, 20, 45, 0, 75),
        (604_800, 604_800, 700_000, 509_600, 1_909_600),
    ] {
        let mut game = Timed::game("royal_gambit", 2, turn, bank);
        assert_eq!(game.deadline(), Some(i64::from(turn + bank)));
        let seat = game.stays(acts);
        assert_eq!((game.bank(seat), game.deadline()), (left * 1000, Some(next)), "{turn} {bank} {acts}");
        assert_eq!(game.replayed(), game.view());
    }
}

#[test]
fn the_clock_acts_at_the_deadline_and_not_before() {
    for (turn, bank) in [(5, 0), (10, 20), (604_800, 0)] {
        let runs_out = i64::from(turn + bank);
        let mut game = Timed::game("royal_gambit", 2, turn, bank);
        let seat = game.to_act()[0];
        assert_eq!(game.ticks(runs_out - 1), NOBODY);
        assert_eq!(game.ticks(runs_out), [seat]);
        assert_eq!(
            (game.bank(seat), game.ticks(runs_out)),
            (0, Vec::new()),
            "the next seat has its own time"
        );
        assert_eq!(game.deadline(), Some(2 * runs_out));
    }
}

#[test]
fn a_log_in_which_the_clock_plays_too_soon_or_something_else_does_not_replay() {
    let mut game = Timed::game("royal_gambit", 2, 10, 0);
    let before = game.table.clone();
    let began = game.log.len();
    game.ticks(10);
    let HashedEntry { entry, hash, .. } = &game.log[began];
    let follows = |entry: &Entry| before.clone().evolve(entry, *hash).map_err(|fault| fault.detail);
    assert_eq!(follows(entry), Ok(()));
    let early = Entry { at: Time(at(9)), ..entry.clone() };
    assert_eq!(follows(&early), Err("the clock acted before its time".to_owned()));
    let (action, granted_ms) = (options::raw(&json!({"type": "hit"})), 0);
    let other = Entry { event: Event::Acted(Acted { action, granted_ms }), ..entry.clone() };
    let told = "the clock has one action for each decision, and this is another";
    assert_eq!(follows(&other), Err(told.to_owned()));
}

#[test]
fn each_of_several_seats_has_its_own_time() {
    let mut game = Timed::game("ricketts_hearts", 4, 10, 5);
    let cards = |game: &Timed| {
        let view = serde_json::to_value(game.table.view(Some(&actor(2)))).unwrap();
        view["legal_actions"][0]["params"]["cards"]["from"].as_array().unwrap()[..3].to_vec()
    };
    assert_eq!((game.to_act(), game.deadline()), (vec![0, 1, 2, 3], Some(15)));
    let passed = cards(&game);
    game.acts(2, json!({"type": "pass", "cards": passed}), 12);
    assert_eq!((game.bank(2), game.deadline()), (3000, Some(15)), "the others' time runs on");
    assert_eq!(game.ticks(14), NOBODY);
    assert_eq!(game.ticks(15), [0, 1, 3]);
    // The hand is played now, and the seat that leads has a new turn.
    let bank = if game.to_act() == [2] { 3 } else { 0 };
    assert_eq!(game.deadline(), Some(15 + 10 + bank));
    assert_eq!(game.replayed(), game.view());
}

#[test]
fn who_misses_three_decisions_running_is_away_until_they_act() {
    let mut game = Timed::game("royal_gambit", 2, 30, 0);
    let (mut second, gone) = (0, game.to_act()[0]);
    // The other player acts, as fast as can be.
    for missed in 1..=3 {
        assert!(!game.is_away(gone));
        while game.to_act() != [gone] {
            game.stays(second);
        }
        second += 30;
        assert_eq!(game.ticks(second), [gone], "{missed}");
    }
    assert!(game.is_away(gone));
    while game.to_act() != [gone] {
        game.stays(second);
    }
    assert_eq!(game.deadline(), Some(second + 5), "the clock waits no longer than it has to");
    second += 5;
    assert_eq!((game.ticks(second - 1), game.ticks(second)), (Vec::new(), vec![gone]));
    while game.to_act() != [gone] {
        game.stays(second);
    }
    assert_eq!(game.replayed(), game.view());
    game.stays(second + 2);
    assert!(!game.is_away(gone), "back with the first action of their own");
    while game.to_act() != [gone] {
        game.stays(second + 2);
    }
    assert_eq!(game.deadline(), Some(second + 32));
    assert_eq!(game.replayed(), game.view());
}

#[test]
fn a_miss_between_own_actions_makes_nobody_away() {
    let mut game = Timed::game("royal_gambit", 2, 10, 0);
    let (mut second, mut missed) = (0, 0);
    for _ in 0..40 {
        if game.to_act() == [0] && missed < 2 {
            second += 10;
            assert_eq!(game.ticks(second), [0]);
            missed += 1;
        } else if game.stays(second) == 0 {
            missed = 0;
        }
        assert!(!game.is_away(0) && !game.is_away(1));
    }
    assert!(second > 60);
}

#[test]
fn no_clock_counts_the_time_in_which_the_service_was_down() {
    let mut game = Timed::game("royal_gambit", 2, 10, 20);
    game.outages = vec![Outage { from: at(4), until: at(1004) }, Outage { from: at(1010), until: at(1110) }];
    assert_eq!(game.ticks(1120), NOBODY, "20 of 30 seconds have passed");
    assert_eq!(game.table.due_by_log(&game.outages), Some(at(1130)));
    let seat = game.stays(1115);
    assert_eq!(game.bank(seat), 15_000, "15 seconds, of which the bank pays 5");
    assert_eq!(game.replayed(), game.view(), "the log tells what was granted");
    let other = game.to_act()[0];
    assert_eq!((game.ticks(1144), game.ticks(1145)), (Vec::new(), vec![other]));
}

#[test]
fn a_table_that_all_have_left_comes_to_an_end_as_it_stands() {
    for kind in newest() {
        for seed in 0..20 {
            let dice = &mut Dice::new(seed);
            let seats = kind.min_seats + dice.below(u64::from(kind.max_seats - kind.min_seats) + 1) as u8;
            let pace = Pace { turn_seconds: Some(10), ..Pace::default() };
            let mut game = Timed::with(kind.kind, options::draw(kind, dice), seats, pace);
            let (mut second, mut missed) = (0, 0);
            while let Some(deadline) = game.deadline() {
                second = deadline;
                missed += game.ticks(second).len();
                assert!(missed < 2000, "{}: it goes on and on", kind.kind);
            }
            assert_eq!(game.view()["status"], "finished", "{} {seed} at {second}", kind.kind);
            assert_eq!(game.view()["outcome"]["places"].as_array().unwrap().len(), usize::from(seats));
            assert_eq!(game.replayed(), game.view());
        }
    }
}

/// The chips of a game that lie in stacks, and in a pot that is carried.
fn chips(view: &Value) -> (u64, u64) {
    let seats = view["view"]["seats"].as_array().unwrap().iter();
    (seats.map(|seat| seat["stack"].as_u64().unwrap()).sum(), view["view"]["carried"].as_u64().unwrap())
}

#[test]
fn a_table_that_all_have_left_deals_out_the_pot_that_waited() {
    let chosen = options::raw(&json!({"no_winner": "carry", "ante": 7}));
    let options = by_name("sevens").unwrap().resolve_options(&chosen).unwrap();
    let pace = Pace { turn_seconds: Some(10), ..Pace::default() };
    let mut waited = 0;
    for luck in 0..30 {
        let mut game = Timed::drawn("sevens", options.clone(), 3, pace, luck.to_string());
        while let Some(deadline) = game.deadline() {
            game.ticks(deadline);
        }
        // As it stood with the entry before the end, which deals out nothing else.
        let entries = game.log[..game.log.len() - 1].iter().map(|sealed| (&sealed.entry, sealed.hash));
        let before = Table::replay(game.table.id, Seed::new([7; 32]), entries).unwrap();
        let (_, carried) = chips(&serde_json::to_value(before.view(None)).unwrap());
        waited += u32::from(carried > 0);
        let end = game.view();
        assert_eq!((end["status"].as_str(), chips(&end)), (Some("finished"), (600, 0)), "{luck}");
        let places = end["outcome"]["places"].as_array().unwrap().iter();
        assert_eq!(places.map(|place| place["score"].as_u64().unwrap()).sum::<u64>(), 600);
        assert_eq!(game.replayed(), end);
    }
    assert!(waited > 0, "no pot waited in any game");
}

#[test]
fn a_hand_in_which_a_player_has_exchanged_sevens_is_not_one_that_the_clock_alone_has_decided() {
    let chosen = options::raw(&json!({"lucky_sevens": "redeal", "buy_in": 1000}));
    let options = by_name("ritunas_favour").unwrap().resolve_options(&chosen).unwrap();
    let pace = Pace { turn_seconds: Some(10), ..Pace::default() };
    let mut exchanged = 0;
    for luck in 0..600 {
        let mut game = Timed::drawn("ritunas_favour", options.clone(), 2, pace, luck.to_string());
        let Some(&seat) = game.to_act().first() else { continue };
        if !game.table.legal_actions(Some(seat)).get().contains("redeal") || game.view()["view"]["hand"] != 1
        {
            continue;
        }
        game.acts(seat, json!({"type": "redeal"}), 1);
        exchanged += 1;
        while let Some(deadline) = game.deadline() {
            game.ticks(deadline);
        }
        // The deal goes round with the second and the third hand, if no hand is won before anybody decides.
        let hands = game.view()["view"]["hand"].as_u64().unwrap();
        assert!(hands >= 3, "it ended after hand {hands}, with {luck}");
        assert_eq!(game.replayed(), game.view());
    }
    assert!(exchanged > 0, "nobody was dealt two sevens");
}

#[test]
fn one_who_plays_on_keeps_the_game_from_ending() {
    let mut game = Timed::game("royal_gambit", 3, 5, 0);
    let mut second = 0;
    for _ in 0..60 {
        if game.to_act() == [1] {
            game.stays(second);
        } else {
            second += 5;
            game.ticks(second);
        }
    }
    assert_eq!(game.view()["status"], "active");
    // And when that one goes, too, the deal goes round once more.
    let before = game.view()["view"]["hand"].as_u64().unwrap();
    while let Some(deadline) = game.deadline() {
        game.ticks(deadline);
    }
    let last = game.view();
    let hands = last["view"]["hand"].as_u64().unwrap() - before;
    assert!((3..=4).contains(&hands), "{hands}");
    assert_eq!(last["outcome"]["winners"], json!([0, 1, 2]), "nobody has scored");
}

#[test]
fn an_early_end_that_nobody_earned_does_not_replay() {
    let mut game = Timed::game("royal_gambit", 2, 5, 0);
    while let Some(deadline) = game.deadline() {
        game.ticks(deadline);
    }
    let end = game.log.pop().unwrap();
    assert!(matches!(end.entry.event, Event::Finished(_)));
    // The same end, one hand earlier.
    let entries: Vec<_> = game.log.iter().map(|sealed| (sealed.entry.clone(), sealed.hash)).collect();
    for cut in 7..entries.len() {
        let mut table = Table::replay(game.table.id, Seed::new([7; 32]), entries[..cut].to_vec()).unwrap();
        let early = Entry { seq: table.version + 1, ..end.entry.clone() };
        assert!(table.evolve(&early, end.hash).is_err(), "after entry {cut}");
    }
}
