//! Sevens: the sentences of its rules of play, and the rulings where they are silent. The deck is stacked;
//! every expected number is worked out by hand.

mod betting;
mod end_of_the_game;
mod pots;
mod rules_of_play;
mod trading;
mod what_is_seen;

use cardroom::rules::cards::{Card, CardName};
use cardroom::rules::sevens::{Action, LastHand, NaykuhCard, Sevens, View};
use cardroom::rules::{Audience, Chance, Facts, Game, Need, Refusal, Seat, play};
use serde_json::{Value, json};

type Fact = <Sevens as Game>::Fact;

/// Hands of 9, too much to win anything.
const OVER: [&str; 3] = ["3C 3C 3G", "3G 3S 3S", "2C 2C 5C"];

#[derive(Clone)]
struct Table {
    game: Sevens,
    /// What was told since the last hand began.
    facts: Vec<(Audience, Fact)>,
}

/// A game whose first dealer is drawn.
fn table(seats: u8, dealer: Seat, options: Value) -> Table {
    let options = serde_json::from_value(options).unwrap();
    let mut game = Sevens::new(options, seats).unwrap();
    assert_eq!(game.need(), Need::Pick { of: seats });
    game.chance(Chance::Pick(dealer), &mut Facts::ignored());
    Table { game, facts: Vec::new() }
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
        let Need::Shuffle(mut rest) = self.game.need() else { panic!("no shuffle is asked for") };
        let mut order = cards(top);
        for card in &order {
            let at = rest.iter().position(|c| c == card);
            rest.remove(at.unwrap_or_else(|| panic!("{card:?} is not there so often")));
        }
        order.extend(rest);
        self.facts.clear();
        let mut facts = Facts::kept();
        self.game.chance(Chance::Shuffle(order), &mut facts);
        self.facts.extend(facts.into_vec());
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
        let mut facts = Facts::kept();
        play(&mut self.game, seat, &action(text), &mut facts)?;
        self.facts.extend(facts.into_vec());
        Ok(())
    }

    /// Why this is refused; nothing may change by it.
    fn refusal(&mut self, seat: Seat, text: &str) -> &'static str {
        let before = self.game.clone();
        let refused = self.try_play(seat, text).unwrap_err();
        assert_eq!(self.game, before, "a refusal leaves no trace");
        refused.code
    }

    fn all_check(&mut self) {
        let hand = self.view().hand;
        while let (Some(seat), true) = (self.to_act(), self.view().hand == hand) {
            self.play(&[(seat, "check")]);
        }
    }

    fn to_act(&self) -> Option<Seat> {
        match self.game.need() {
            Need::Players(seats) => {
                assert_eq!(seats.len(), 1);
                seats.iter().next()
            }
            _ => None,
        }
    }

    fn hand_is_over(&self) -> bool {
        self.to_act().is_none()
    }

    fn view(&self) -> View {
        self.game.view(None)
    }

    fn stacks(&self) -> Vec<u32> {
        self.view().seats.iter().map(|seat| seat.stack).collect()
    }

    fn menu(&self, seat: Seat) -> Vec<&'static str> {
        self.game.legal(seat).iter().map(|offer| offer.name).collect()
    }

    /// The menu's line of this name, as a client reads it.
    fn offer(&self, seat: Seat, name: &str) -> Value {
        let line = self.game.legal(seat).into_iter().find(|offer| offer.name == name);
        serde_json::to_value(line.unwrap()).unwrap()["params"].clone()
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

    /// What `viewer` was told in this hand under this name.
    fn told_to(&self, viewer: Option<Seat>, name: &str) -> Vec<Value> {
        let heard = self.facts.iter().filter(|(audience, _)| audience.includes(viewer));
        let heard = heard.map(|(_, fact)| serde_json::to_value(fact).unwrap());
        heard.filter(|fact| fact["type"] == name).collect()
    }

    /// What everybody was told.
    fn told(&self, name: &str) -> Vec<Value> {
        self.told_to(None, name)
    }

    /// The places and scores of all seats, seat 0 first.
    fn result(&self) -> Vec<(u8, i64)> {
        let mut places = self.game.outcome().unwrap().places;
        places.sort_by_key(|placing| placing.seat);
        places.iter().map(|placing| (placing.place, placing.score)).collect()
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
