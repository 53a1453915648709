//! What holds in every game of Knights' Heads, played at random under many options.

use serde_json::{Value as Json, json};

use super::*;

/// Numbers that look random and are the same on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn shuffle(&mut self, cards: &mut [KnightsCard]) {
        for i in (1..cards.len()).rev() {
            cards.swap(i, self.below(i + 1));
        }
    }

    fn pick(&mut self, domain: &Domain<KnightsCard>) -> Json {
        match domain {
            // Mostly small: a game of nothing but large raises is a short one.
            Domain::Integer { min, max } => match self.below(4) {
                0 => json!(max),
                _ => json!(min),
            },
            Domain::Cards { from, max, .. } => {
                let mut cards = from.to_vec();
                self.shuffle(&mut cards);
                cards.truncate(usize::from(*max));
                json!(cards)
            }
            other => unreachable!("Knights' Heads has no parameter of {other:?}"),
        }
    }
}

/// Plays one step, by any seat that is waited for; none when the game is over.
fn step(game: &mut KnightsHeads, dice: &mut Dice) -> Option<()> {
    let facts = &mut Facts::ignored();
    match game.need() {
        Need::Pick { of } => game.chance(Chance::Pick(dice.below(usize::from(of)) as u8), facts),
        Need::Shuffle(mut cards) => {
            dice.shuffle(&mut cards);
            game.chance(Chance::Shuffle(cards), facts);
        }
        Need::Players(seats) => {
            let seat = seats.iter().nth(dice.below(seats.len())).unwrap();
            let menu = game.legal(seat);
            let line = &menu[dice.below(menu.len())];
            let mut action = json!({"type": line.name});
            for (name, domain) in &line.params {
                action[*name] = dice.pick(domain);
            }
            let action: Action = serde_json::from_value(action).unwrap();
            super::super::play(game, seat, &action, facts).unwrap();
        }
        Need::Nothing => return None,
    }
    Some(())
}

fn options(part: Json) -> Options {
    serde_json::from_value(part).unwrap()
}

fn worlds() -> [(Options, u8); 6] {
    [
        (options(json!({"hands": 40})), 4),
        (options(json!({"buy_in": 17, "ante": 4, "no_winner": "carry", "triplet_counts": false})), 6),
        (options(json!({"ante": 0, "buy_in": 30, "no_winner": "carry", "hands": 30})), 3),
        (options(json!({"buy_in": 5, "hands": 9})), 6),
        (options(json!({"min_raise": 1, "max_raise": 3, "buy_in": 50})), 2),
        (options(json!({"min_raise": 40, "ante": 1, "buy_in": 41, "triplet_counts": false})), 5),
    ]
}

#[test]
fn the_chips_of_the_seats_and_the_pots_always_add_up_to_the_same() {
    for (options, seats) in worlds() {
        for seed in 0..100 {
            let mut game = KnightsHeads::new(options, seats).unwrap();
            let mut dice = Dice(seed);
            while step(&mut game, &mut dice).is_some() {
                let stacked: u64 = game.stacks().iter().map(|&stack| u64::from(stack)).sum();
                let chips = match &game.phase {
                    Phase::Hand(table) => table.bets.total(),
                    Phase::Shuffle { carried, .. } => carried + stacked,
                    _ => stacked,
                };
                assert_eq!(chips, u64::from(options.buy_in) * u64::from(seats));
            }
            assert!(game.outcome().is_some());
        }
    }
}

#[test]
fn a_seat_that_is_in_holds_its_cards_and_no_card_is_held_twice() {
    for (options, seats) in worlds() {
        let mut game = KnightsHeads::new(options, seats).unwrap();
        let mut dice = Dice(7);
        while step(&mut game, &mut dice).is_some() {
            let Phase::Hand(table) = &game.phase else { continue };
            for (seat, cards) in (0..).zip(&table.cards) {
                let held = match table.stage {
                    _ if !table.bets.still_in.contains(seat) => 0,
                    Stage::Rabble if !table.to_pick().contains(seat) => 6,
                    Stage::Rabble => 9,
                    Stage::Betting { round: table::Round::Final, .. } => 10,
                    _ => 9,
                };
                assert_eq!(cards.len(), held);
            }
            let mut held: Vec<_> = table.cards.iter().flatten().collect();
            let number = held.len();
            held.sort_unstable();
            held.dedup();
            assert_eq!(held.len(), number);
        }
    }
}

#[test]
fn a_state_is_small_enough_to_be_cloned_for_every_action() {
    assert!(size_of::<KnightsHeads>() <= 1300, "{}", size_of::<KnightsHeads>());
}

#[test]
fn options_that_contradict_each_other_with_the_defaults_in_are_refused() {
    let accepted =
        |part| serde_json::from_value::<Options>(part).is_ok_and(|options| options.check().is_ok());
    assert!(accepted(json!({"triplet_counts": false, "buy_in": 5})));
    assert!(!accepted(json!({"buy_in": 4})), "the ante is 5");
    assert!(!accepted(json!({"min_raise": 11, "max_raise": 10})));
    assert!(!accepted(json!({"max_raise": 4})), "the least raise is 5");
    assert!(!accepted(json!({"min_raise": 201})));
    assert!(!accepted(json!({"triplet_counts": null})));
    assert!(!accepted(json!({"charge": 5})));
}
