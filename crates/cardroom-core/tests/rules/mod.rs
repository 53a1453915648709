//! What the sources of the games say, a test a sentence.

mod knights_heads;
mod ricketts_hearts;
mod ritunas_favour;
mod royal_gambit;
mod sevens;

use cardroom_core::rules::{Audience, Chance, Facts, Game, Need, Refusal, Seat, play};
use serde_json::Value;

/// A game with a stacked deck.
#[derive(Clone)]
struct Table<G: Game> {
    game: G,
    /// What was told since the last hand began.
    facts: Vec<(Audience, G::Fact)>,
}

impl<G: Game> Table<G> {
    /// A game whose first dealer is drawn.
    fn new(seats: u8, dealer: Seat, options: Value) -> Table<G> {
        let options = serde_json::from_value(options).unwrap();
        let mut game = G::new(options, seats).unwrap();
        assert!(matches!(game.need(), Need::Pick { of } if of == seats));
        game.chance(Chance::Pick(dealer), &mut Facts::ignored());
        Table { game, facts: Vec::new() }
    }

    /// The cards that are to be shuffled.
    fn deck(&self) -> Vec<G::Card> {
        let Need::Shuffle(cards) = self.game.need() else { panic!("no shuffle is asked for") };
        cards
    }

    /// Begins a hand with this order.
    fn begin_with(&mut self, order: Vec<G::Card>) {
        self.facts.clear();
        let mut facts = Facts::kept();
        self.game.chance(Chance::Shuffle(order), &mut facts);
        self.facts.extend(facts.into_vec());
    }

    fn order(&mut self, seat: Seat, action: &G::Action) -> Result<(), Refusal> {
        let mut facts = Facts::kept();
        play(&mut self.game, seat, action, &mut facts)?;
        self.facts.extend(facts.into_vec());
        Ok(())
    }

    /// Why this is refused; nothing may change by it.
    fn refusal_of(&mut self, seat: Seat, action: &G::Action) -> &'static str
    where
        G: PartialEq + std::fmt::Debug,
    {
        let before = self.game.clone();
        let refused = self.order(seat, action).unwrap_err();
        assert_eq!(self.game, before, "a refusal leaves no trace");
        refused.code
    }

    fn waited_for(&self) -> Vec<Seat> {
        match self.game.need() {
            Need::Players(seats) => seats.iter().collect(),
            _ => Vec::new(),
        }
    }

    fn view(&self) -> G::View {
        self.game.view(None)
    }

    fn menu(&self, seat: Seat) -> Vec<&'static str> {
        self.game.legal(seat).iter().map(|offer| offer.name).collect()
    }

    /// The parameters of the menu's line of this name, as a client reads them.
    fn offer(&self, seat: Seat, name: &str) -> Value {
        let line = self.game.legal(seat).into_iter().find(|offer| offer.name == name);
        serde_json::to_value(line.unwrap()).unwrap()["params"].clone()
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
