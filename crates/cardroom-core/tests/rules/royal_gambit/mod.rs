//! Royal Gambit. Seat 0 starts each game: the last seat is drawn as the first dealer.

mod an_empty_deck;
mod auto_hit;
mod hands;
mod jacks;
mod queens;
mod rows;
mod sevens;
mod turns;

use cardroom_core::rules::cards::CardName;
use cardroom_core::rules::registry::{AnyFacts, AnyGame, by_name};
use cardroom_core::rules::{Chance, Need, Seat};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A game that is played from outside, with decks put in order by hand.
struct Court(Box<dyn AnyGame>);

impl Court {
    /// The first hand's deck begins with `cards`.
    fn of(seats: u8, options: Value, cards: &str) -> Court {
        let options = RawValue::from_string(options.to_string()).unwrap();
        let mut game = by_name("royal_gambit").unwrap().new_game(&options, seats).unwrap();
        assert_eq!(game.need(), Need::Pick { of: seats });
        game.chance(Chance::Pick(seats - 1), &mut AnyFacts::ignored()).unwrap();
        let mut court = Court(game);
        court.deal(cards);
        court
    }

    /// Shuffles so that `cards` are on top, and the rest follow as they stand in a new deck.
    fn deal(&mut self, cards: &str) -> Vec<Value> {
        let Need::Shuffle(mut rest) = self.0.need() else { panic!("{:?} is no shuffle", self.0.need()) };
        assert_eq!(rest.len(), 52, "each hand has the whole deck");
        let mut order: Vec<_> = cards.split_whitespace().map(|name| CardName::from(name).unwrap()).collect();
        rest.retain(|card| !order.contains(card));
        order.extend(rest);
        let mut facts = AnyFacts::kept();
        self.0.chance(Chance::Shuffle(order), &mut facts).unwrap();
        values(facts)
    }

    fn act(&mut self, seat: Seat, action: Value) -> Vec<Value> {
        let mut facts = AnyFacts::kept();
        self.0.play(seat, &action.to_string(), &mut facts).unwrap();
        values(facts)
    }

    fn hit(&mut self, seat: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "hit"}))
    }

    fn hits(&mut self, seat: Seat, times: usize) {
        for _ in 0..times {
            self.hit(seat);
        }
    }

    fn stay(&mut self, seat: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "stay"}))
    }

    fn give(&mut self, seat: Seat, to: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "give", "seat": to}))
    }

    fn spy(&mut self, seat: Seat, on: Seat) -> Vec<Value> {
        self.act(seat, json!({"type": "spy", "seat": on}))
    }

    fn view(&self) -> Value {
        serde_json::from_str(self.0.view(None).get()).unwrap()
    }

    fn row(&self, seat: usize) -> String {
        words(&self.view()["seats"][seat]["row"])
    }

    fn status(&self, seat: usize) -> String {
        self.view()["seats"][seat]["status"].as_str().unwrap().to_owned()
    }

    fn statuses(&self) -> String {
        let seats = self.view()["seats"].as_array().unwrap().len();
        (0..seats).map(|seat| self.status(seat)).collect::<Vec<_>>().join(" ")
    }

    fn totals(&self) -> Vec<u64> {
        let view = self.view();
        view["seats"].as_array().unwrap().iter().map(|seat| seat["total"].as_u64().unwrap()).collect()
    }

    /// `0 turn`, `1 give`, `2 spy`
    fn waits_for(&self) -> String {
        let decision = &self.view()["decision"];
        format!("{} {}", decision["seat"], decision["of"].as_str().unwrap_or("nothing"))
    }

    /// What is open to a seat, with the seats to choose from: `hit stay`, `give 1 2`
    fn open_to(&self, seat: Seat) -> String {
        let menu: Value = serde_json::from_str(self.0.legal(seat).get()).unwrap();
        let offers = menu.as_array().unwrap().iter().map(|offer| {
            let name = offer["type"].as_str().unwrap().to_owned();
            let from = offer["params"]["seat"]["from"].as_array().cloned().unwrap_or_default();
            from.iter().fold(name, |text, seat| format!("{text} {seat}"))
        });
        offers.collect::<Vec<_>>().join(" ")
    }

    fn default_action(&self, seat: Seat) -> Value {
        serde_json::from_str(self.0.default_action(seat).get()).unwrap()
    }

    fn winners(&self) -> Option<Vec<Seat>> {
        self.0.outcome().map(|outcome| outcome.winners)
    }
}

fn values(facts: AnyFacts) -> Vec<Value> {
    facts.into_vec().iter().map(|(_, fact)| serde_json::from_str(fact.json().get()).unwrap()).collect()
}

fn words(list: &Value) -> String {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect::<Vec<_>>().join(" ")
}
