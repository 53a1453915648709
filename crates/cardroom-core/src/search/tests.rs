//! Each world that a seat imagines agrees with what the seat sees.

use serde_json::Value;
use serde_json::value::to_raw_value;

use super::Worlds;
use crate::bots;
use crate::rules::bot::{Luck, Menu, Observation};
use crate::rules::cards::Card;
use crate::rules::facts::Facts;
use crate::rules::game::{Chance, Need};
use crate::rules::knights_heads::KnightsHeads;
use crate::rules::menu;
use crate::rules::registry::AnyGame;
use crate::rules::ricketts_hearts::RickettsHearts;
use crate::rules::ritunas_favour::RitunasFavour;
use crate::rules::royal_gambit::RoyalGambit;
use crate::rules::sevens::Sevens;

/// What the view tells of hands gone by, and of cards that are not in play any more: a world does without.
const GONE: [&str; 2] = ["last_hand", "received"];

#[test]
fn a_world_of_ricketts_hearts_agrees_with_what_the_seat_sees() {
    agrees::<RickettsHearts>(&["{}", r#"{"target_score":30}"#]);
}

#[test]
fn a_world_of_sevens_agrees_with_what_the_seat_sees() {
    agrees::<Sevens>(&["{}", r#"{"hands":3,"ante":7}"#, r#"{"buy_in":40}"#]);
}

#[test]
fn a_world_of_royal_gambit_agrees_with_what_the_seat_sees() {
    agrees::<RoyalGambit>(&[
        "{}",
        r#"{"turns":"alternating","ten_blocks_jack":true}"#,
        r#"{"target_score":60,"auto_hit":true}"#,
    ]);
}

#[test]
fn a_world_of_ritunas_favour_agrees_with_what_the_seat_sees() {
    agrees::<RitunasFavour>(&[
        "{}",
        r#"{"dealer":"house","lucky_sevens":"redeal","kings":"worthless","no_winner":"carry"}"#,
        r#"{"dealer":"house","lucky_sevens":"split","buy_in":17,"charge":4,"level_hands":2}"#,
        r#"{"lucky_sevens":"split","kings":"greedy","charge":0,"hands":30}"#,
    ]);
}

#[test]
fn a_world_of_knights_heads_agrees_with_what_the_seat_sees() {
    agrees::<KnightsHeads>(&["{}", r#"{"hands":4,"ante":0,"triplet_counts":false}"#, r#"{"buy_in":30}"#]);
}

/// Plays random games, and looks at worlds of each seat that decides.
fn agrees<G: Worlds>(options: &[&str]) {
    for seed in 0..40 {
        let luck = &mut Luck::new(seed);
        let options: G::Options = serde_json::from_str(options[luck.below(options.len())]).unwrap();
        let written = to_raw_value(&options).unwrap();
        let seats = *G::SEATS.start() + luck.below((*G::SEATS.end() - *G::SEATS.start()) as usize + 1) as u8;
        let mut game = G::new(options, seats).unwrap();
        loop {
            match game.need() {
                Need::Nothing => break,
                Need::Pick { of } => {
                    game.chance(Chance::Pick(luck.below(of.into()) as u8), &mut Facts::ignored());
                }
                Need::Shuffle(mut cards) => {
                    luck.shuffle(&mut cards);
                    game.chance(Chance::Shuffle(cards), &mut Facts::ignored());
                }
                Need::Players(waits_for) => {
                    let all: Vec<u8> = waits_for.iter().collect();
                    let seat = all[luck.below(all.len())];
                    let seen = game.at_seat(seat, &written);
                    let known = G::known(&seen);
                    let world = G::world(&known, luck);
                    same(&seen, &world.at_seat(seat, &written));
                    let again = G::world(&known, luck);
                    assert_eq!(texts(&world.candidates(seat)), texts(&again.candidates(seat)));
                    let careful: Value =
                        serde_json::from_str(&menu::canonical(&world.careful(seat))).unwrap();
                    let steady: Value = serde_json::from_str(bots::steady(&seen).get()).unwrap();
                    assert_eq!(careful, steady, "a careful player does what a steady bot does");
                    let actions = world.candidates(seat).into_iter().chain([world.careful(seat)]);
                    actions.for_each(|action| menu::check(&game.legal(seat), &action).unwrap());
                    let action = Menu::of(&seen.legal_actions).any(luck).to_string();
                    game.play(seat, &action, &mut Facts::ignored()).unwrap();
                }
            }
        }
    }
}

/// The chances of two seats to win add up to 1, before and after a hand, and the seat that leads has the better one.
#[test]
fn one_of_two_seats_wins() {
    adds_up::<Sevens>();
    adds_up::<RoyalGambit>();
    adds_up::<RitunasFavour>();
    adds_up::<KnightsHeads>();
}

fn adds_up<G: Worlds>() {
    let (mut game, luck) = (G::new(G::Options::default(), 2).unwrap(), &mut Luck::new(5));
    let mut differences = 0;
    for _ in 0..300 {
        match game.need() {
            Need::Nothing => break,
            Need::Players(waits_for) => {
                let seat = waits_for.iter().next().unwrap();
                let action = game.careful(seat);
                game.act(seat, &action, &mut Facts::ignored());
            }
            _ => assert!(super::chance_answers(&mut game, luck)),
        }
        if game.is_settled() {
            for of in [G::win_chance, G::worth] {
                let [one, other] = [0, 1].map(|seat| of(&game, seat));
                assert!((one + other - 1.0).abs() < 1e-9, "{one} {other}");
                differences += u32::from(one != other);
            }
        }
    }
    assert!(differences > 0);
}

fn texts<C: Card>(actions: &[impl menu::Action<C>]) -> Vec<String> {
    actions.iter().map(menu::canonical).collect()
}

/// Whether the seat sees the same in its world as at the table.
fn same(seen: &Observation, world: &Observation) {
    let shown = |seen: &Observation| {
        let mut view: Value = serde_json::from_str(seen.view.get()).unwrap();
        GONE.iter().for_each(|field| drop(view.as_object_mut().unwrap().remove(*field)));
        view
    };
    assert_eq!(shown(seen), shown(world));
    assert_eq!(seen.legal_actions.get(), world.legal_actions.get());
}
