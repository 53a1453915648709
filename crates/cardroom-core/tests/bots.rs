//! Bots: always legal, the same for the same view, and the steady ones better than the random ones.

use cardroom_core::bots::{self, Observation};
use cardroom_core::log;
use cardroom_core::rules::registry::{AnyFacts, AnyGame, Kind, newest};
use cardroom_core::rules::{Need, Seat};
use cardroom_core::selfplay::{SelfPlay, Sitter};
use serde_json::value::RawValue;

use crate::random::dice::Dice;
use crate::random::options;
use crate::random::playing::{ENDLESS, Input, Record, feed, next_input};

pub type Policy = fn(&Observation, u64) -> Box<RawValue>;

/// It needs no luck.
pub fn steady(seen: &Observation, _luck: u64) -> Box<RawValue> {
    bots::steady(seen)
}

/// Thinks ahead now and then: whole games of thoughts would take minutes.
fn thinking(seen: &Observation, luck: u64) -> Box<RawValue> {
    if luck.is_multiple_of(4) { bots::thought_out(seen, 1, luck) } else { bots::steady(seen) }
}

/// All ways to play, by their names.
const POLICIES: [(&str, Policy); 3] = [("random", bots::random), ("steady", steady), ("thinking", thinking)];

#[test]
fn with_any_options_every_policy_acts_legally_and_comes_to_an_end() {
    for kind in newest() {
        for (name, policy) in POLICIES {
            for seed in 0..60 {
                let dice = &mut Dice::new(seed);
                let record = Record::drawn(kind, dice);
                let mut game = record.start();
                let mut inputs = 0;
                while let Some(input) = next_by(game.as_ref(), &record.options, |_| policy, dice) {
                    feed(game.as_mut(), &input);
                    inputs += 1;
                    assert!(inputs < ENDLESS, "{name} does not end {} with seed {seed}", kind.kind);
                }
            }
        }
    }
}

#[test]
fn a_policy_does_the_same_whenever_it_sees_the_same() {
    for kind in newest() {
        let dice = &mut Dice::new(7);
        let record = Record::played(kind, dice);
        let (mut game, mut again) = (record.start(), record.start());
        for input in &record.inputs {
            if let Need::Players(seats) = game.need() {
                for (seat, (_, policy)) in seats.iter().flat_map(|seat| POLICIES.map(|by| (seat, by))) {
                    let luck = dice.below(u64::MAX);
                    let action = decide(game.as_ref(), &record.options, seat, policy, luck);
                    assert_eq!(action, decide(again.as_ref(), &record.options, seat, policy, luck));
                    let judged = game.boxed_clone().play(seat, &action, &mut AnyFacts::ignored());
                    assert!(judged.is_ok(), "{}: {action}", kind.kind);
                }
            }
            feed(game.as_mut(), input);
            feed(again.as_mut(), input);
        }
    }
}

#[test]
fn two_bots_do_not_raise_each_other_by_a_chip_as_long_as_they_have_chips() {
    let rich = options::raw(&serde_json::json!({
        "buy_in": 1_000_000, "ante": 1, "hands": 1, "min_raise": 1, "max_raise": 1,
    }));
    let mut kinds = 0;
    for kind in newest() {
        let Ok(options) = kind.resolve_options(&rich) else { continue };
        kinds += 1;
        for seed in 0..200 {
            let dice = &mut Dice::new(seed);
            let record = Record { kind, options: options.clone(), seats: 2, inputs: Vec::new() };
            let (mut game, mut inputs) = (record.start(), 0);
            while let Some(input) = next_by(game.as_ref(), &record.options, |_| steady, dice) {
                feed(game.as_mut(), &input);
                inputs += 1;
                assert!(inputs < 500, "{} with seed {seed}", kind.kind);
            }
        }
    }
    assert_eq!(kinds, 2, "so many kinds know these options");
}

#[test]
fn steady_bots_beat_random_ones() {
    for kind in newest() {
        let share = steady_share(kind, 200);
        assert!(share > 0.6, "{}: {share:.2} of the wins", kind.kind);
    }
}

#[test]
#[ignore = "measures; the suite plays fewer games"]
fn how_much_steady_bots_beat_random_ones_by() {
    for kind in newest() {
        println!("{}: steady bots take {:.3} of the wins", kind.kind, steady_share(kind, 2000));
    }
}

/// Which part of the wins goes to steady bots when they sit at every other seat, a shared win counting in parts.
fn steady_share(kind: &'static Kind, games: u64) -> f64 {
    let mut won = 0.0;
    for seed in 0..games {
        let dice = &mut Dice::new(seed);
        let defaults = kind.resolve_options(&options::raw(&serde_json::json!({}))).unwrap();
        let seats = kind.min_seats + kind.min_seats % 2;
        let record = Record { kind, options: defaults, seats, inputs: Vec::new() };
        let is_steady = |seat: Seat| u64::from(seat) % 2 == seed % 2;
        let mut game = record.start();
        let by = |seat| if is_steady(seat) { steady as Policy } else { bots::random };
        while let Some(input) = next_by(game.as_ref(), &record.options, by, dice) {
            feed(game.as_mut(), &input);
        }
        let winners = game.outcome().unwrap().winners;
        let steady = winners.iter().filter(|&&seat| is_steady(seat)).count();
        won += steady as f64 / winners.len() as f64;
    }
    won / games as f64
}

/// What chance or the policy of a seat that the game waits for puts in next; `None`: the game is over.
pub fn next_by(
    game: &dyn AnyGame,
    options: &RawValue,
    policy: impl Fn(Seat) -> Policy,
    dice: &mut Dice,
) -> Option<Input> {
    let Need::Players(seats) = game.need() else { return next_input(game, 0, dice) };
    let seat = *dice.pick(&seats.iter().collect::<Vec<_>>());
    Some(Input::Action(seat, decide(game, options, seat, policy(seat), dice.below(u64::MAX))))
}

fn decide(game: &dyn AnyGame, options: &RawValue, seat: Seat, policy: Policy, luck: u64) -> String {
    policy(&game.at_seat(seat, options), luck).get().to_owned()
}

#[test]
fn what_self_play_draws_follows_from_all_that_is_asked_for() {
    let drawn = |kind: &str, options: &str, policies: [log::entry::Policy; 2], seed: u64, what: &str| {
        let options = RawValue::from_string(options.to_owned()).unwrap();
        let sitters = policies.map(Sitter::Bot).to_vec();
        SelfPlay::new(kind, &options, sitters, seed).unwrap().drawn(what)
    };
    use log::entry::Policy::{Random, Steady};
    let all = [
        drawn("sevens", "{}", [Steady, Random], 1, "one"),
        drawn("sevens", "{}", [Steady, Random], 1, "two"),
        drawn("sevens", "{}", [Steady, Random], 2, "one"),
        drawn("sevens", "{}", [Random, Steady], 1, "one"),
        drawn("sevens", r#"{"hands": 3}"#, [Steady, Random], 1, "one"),
        drawn("royal_gambit", "{}", [Steady, Random], 1, "one"),
    ];
    assert_eq!(std::collections::BTreeSet::from(all).len(), all.len());
    assert_eq!(all[0], drawn("sevens", "{}", [Steady, Random], 1, "one"));
}

#[test]
fn self_play_is_refused_where_the_stacks_are_not_for_as_many_as_play() {
    let asked = |options: &str, seats: usize| {
        let options = RawValue::from_string(options.to_owned()).unwrap();
        SelfPlay::new("sevens", &options, vec![Sitter::Player; seats], 1).map_err(|refusal| refusal.code)
    };
    // A seat that is not named begins with 200.
    let dear = r#"{"stacks": [500, 500], "ante": 300}"#;
    assert!(asked(dear, 2).is_ok_and(|games| games.game(0).is_ok()));
    assert_eq!(asked(dear, 3).err(), Some("invalid_options"));
    assert_eq!(asked(r#"{"stacks": [500, 500, 500]}"#, 2).err(), Some("invalid_options"));
}
