//! Sevens: the sentences of its rules of play, and the rulings where they are silent. The deck is stacked;
//! every expected number is worked out by hand.

mod betting;
mod end_of_the_game;
mod pots;
mod rules_of_play;
mod trading;
mod what_is_seen;

use cardroom_core::rules::cards::{Card, CardName};
use cardroom_core::rules::sevens::{Action, LastHand, NaykuhCard, Sevens};
use cardroom_core::rules::{Game, Need, Refusal, Seat};
use serde_json::{Value, json};

type Fact = <Sevens as Game>::Fact;

/// Hands of 9, too much to win anything.
const OVER: [&str; 3] = ["3C 3C 3G", "3G 3S 3S", "2C 2C 5C"];

type Table = super::Table<Sevens>;

/// A game whose first dealer is drawn.
fn table(seats: u8, dealer: Seat, options: Value) -> Table {
    Table::new(seats, dealer, options)
}

impl Table {
    /// Shuffles so that these hands are dealt, from the left of the dealer on, and `next` comes after.
    fn deal(&mut self, hands: &[&str], next: &str) {
        let hands: Vec<Vec<&str>> = hands.iter().map(|hand| hand.split(' ').collect()).collect();
        let rounds = (0..3).flat_map(|round| hands.iter().map(move |hand| hand[round]));
        let top: Vec<&str> = rounds.chain(next.split_whitespace()).collect();
        self.shuffle(&top.join(" "));
    }

    /// Shuffles so that these cards are on top.
    fn shuffle(&mut self, top: &str) {
        let mut rest = self.deck();
        let mut order = cards(top);
        for card in &order {
            let at = rest.iter().position(|c| c == card);
            rest.remove(at.unwrap_or_else(|| panic!("{card:?} is not there so often")));
        }
        order.extend(rest);
        self.begin_with(order);
    }

    /// Plays these actions, in turn, each written as `check`, `raise 10` or `call 6C 6S` (what is traded).
    fn play(&mut self, actions: &[(Seat, &str)]) {
        for &(seat, text) in actions {
            assert_eq!(self.to_act(), Some(seat), "before {text}");
            self.try_play(seat, text).unwrap();
        }
    }

    /// Folds, whosever turn it is.
    fn fold(&mut self, seat: Seat) {
        self.try_play(seat, "fold").unwrap();
    }

    fn try_play(&mut self, seat: Seat, text: &str) -> Result<(), Refusal> {
        self.order(seat, &action(text))
    }

    fn refusal(&mut self, seat: Seat, text: &str) -> &'static str {
        self.refusal_of(seat, &action(text))
    }

    fn all_check(&mut self) {
        let hand = self.view().hand;
        while let (Some(seat), true) = (self.to_act(), self.view().hand == hand) {
            self.play(&[(seat, "check")]);
        }
    }

    fn to_act(&self) -> Option<Seat> {
        let seats = self.waited_for();
        assert!(seats.len() <= 1);
        seats.first().copied()
    }

    fn hand_is_over(&self) -> bool {
        self.to_act().is_none()
    }

    fn stacks(&self) -> Vec<u32> {
        self.view().seats.iter().map(|seat| seat.stack).collect()
    }

    /// What a raise of `seat` may be, from and to.
    fn raise_by(&self, seat: Seat) -> (u64, u64) {
        let by = &self.offer(seat, "raise")["by"];
        (by["min"].as_u64().unwrap(), by["max"].as_u64().unwrap())
    }

    fn held(&self, seat: Seat) -> Vec<NaykuhCard> {
        let cards = &self.game.view(Some(seat)).seats[usize::from(seat)].cards;
        cards.iter().map(|card| card.unwrap()).collect()
    }

    fn last_hand(&self) -> LastHand {
        self.view().last_hand.unwrap()
    }
}

fn cards(names: &str) -> Vec<NaykuhCard> {
    names.split_whitespace().map(|name| CardName::from(name).unwrap().try_into().unwrap()).collect()
}

fn action(text: &str) -> Action {
    let mut words = text.split_whitespace();
    let mut action = json!({"type": words.next()});
    if text.starts_with("raise") {
        action["by"] = json!(words.next().unwrap().parse::<u32>().unwrap());
    }
    if text != "fold" {
        action["trade"] = words.collect();
    }
    serde_json::from_value(action).unwrap()
}
