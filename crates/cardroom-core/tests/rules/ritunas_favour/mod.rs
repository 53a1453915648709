//! Rituna's Favour: the sentences of "Rituna's Favour" (World Anvil), and the rulings where it is silent.
//! The deck is stacked; every expected number is worked out by hand.

mod chips_and_places;
mod how_to_play;
mod lucky_sevens;
mod the_favour;
mod the_house;
mod turns;
mod variations;

use cardroom_core::rules::cards::{Card, CardName, French};
use cardroom_core::rules::ritunas_favour::{Action, HandView, PhaseName, RitunasFavour, View};
use cardroom_core::rules::{Chance, Facts, Game, Need, Seat, play};
use serde_json::{Value, json};

struct Table {
    game: RitunasFavour,
    /// What was told since the last [`Table::told`].
    facts: Vec<Value>,
}

/// A game whose first dealer is drawn.
fn table(seats: u8, dealer: Seat, options: Value) -> Table {
    let options = serde_json::from_value(options).unwrap();
    let mut game = RitunasFavour::new(options, seats).unwrap();
    assert_eq!(game.need(), Need::Pick { of: seats });
    game.chance(Chance::Pick(dealer), &mut Facts::ignored());
    Table { game, facts: Vec::new() }
}

impl Table {
    /// Shuffles so that these opening hands are dealt, from the left of the dealer on, and `next` comes after.
    fn deal(&mut self, hands: &[&str], next: &str) {
        let hands: Vec<Vec<&str>> = hands.iter().map(|hand| hand.split(' ').collect()).collect();
        let rounds = (0..2).flat_map(|round| hands.iter().map(move |hand| hand[round]));
        let top: Vec<&str> = rounds.chain(next.split_whitespace()).collect();
        self.shuffle(&top.join(" "));
    }

    /// Shuffles so that these cards are on top.
    fn shuffle(&mut self, top: &str) {
        let asked = self.asked();
        let mut order = cards(top);
        assert!(order.iter().all(|card| asked.contains(card)), "{top} are not all in {asked:?}");
        order.extend(asked.iter().copied().filter(|card| !cards(top).contains(card)));
        let mut facts = Facts::kept();
        self.game.chance(Chance::Shuffle(order), &mut facts);
        self.note(facts);
    }

    /// The cards to be shuffled, as they stand before.
    fn asked(&self) -> Vec<French> {
        match self.game.need() {
            Need::Shuffle(cards) => cards,
            other => panic!("no shuffle is needed, but {other:?}"),
        }
    }

    /// Plays these actions, which have to be legal and in turn.
    fn play(&mut self, actions: &[(Seat, &str)]) {
        for &(seat, name) in actions {
            assert_eq!(self.to_act(), Some(seat), "before {name}");
            let mut facts = Facts::kept();
            play(&mut self.game, seat, &action(name), &mut facts).unwrap();
            self.note(facts);
        }
    }

    fn all_stick(&mut self) {
        while let Some(seat) = self.to_act() {
            self.play(&[(seat, "stick")]);
        }
    }

    fn note(&mut self, facts: Facts<<RitunasFavour as Game>::Fact>) {
        self.facts.extend(facts.into_vec().into_iter().map(|(_, fact)| serde_json::to_value(fact).unwrap()));
    }

    /// What was told under this name since it was asked last.
    fn told(&mut self, name: &str) -> Vec<Value> {
        std::mem::take(&mut self.facts).into_iter().filter(|fact| fact["type"] == name).collect()
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

    fn menu(&self, seat: Seat) -> Vec<&'static str> {
        self.game.legal(seat).iter().map(|offer| offer.name).collect()
    }

    fn view(&self) -> View {
        self.game.view(None)
    }

    fn stacks(&self) -> Vec<u64> {
        self.view().seats.iter().map(|seat| seat.stack).collect()
    }

    fn bank(&self) -> i64 {
        self.view().house.unwrap().bank
    }

    fn hand(&self, seat: usize) -> HandView {
        self.view().seats[seat].hands[0].clone()
    }

    /// The places and scores of all seats, seat 0 first.
    fn result(&self) -> Vec<(u8, i64)> {
        let mut places = self.game.outcome().unwrap().places;
        places.sort_by_key(|placing| placing.seat);
        places.iter().map(|placing| (placing.place, placing.score)).collect()
    }
}

fn cards(names: &str) -> Vec<French> {
    names.split_whitespace().map(|name| CardName::from(name).unwrap().try_into().unwrap()).collect()
}

fn action(name: &str) -> Action {
    serde_json::from_value(json!({"type": name})).unwrap()
}
