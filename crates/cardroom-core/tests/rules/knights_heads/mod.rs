//! Knights' Heads: the sentences of its source, and the rulings where it is silent. The deck is stacked;
//! every expected number is worked out by hand.

mod betting;
mod chips;
mod hands;
mod odds;
mod rabble;
mod ranking;
mod rules_of_play;
mod show;
mod what_is_seen;

use cardroom_core::rules::cards::CardName;
use cardroom_core::rules::knights_heads::deck::KnightsCard;
use cardroom_core::rules::knights_heads::{Action, KnightsHeads, LastHand};
use cardroom_core::rules::{Game, Need, Refusal, Seat};
use serde_json::{Value, json};

type Fact = <KnightsHeads as Game>::Fact;

/// With the lowest three passed to the left and the cards of [`LUCK`], these come to a court of queens, a
/// court of knights and, where three play, a court of messengers.
const COURTS: [&str; 3] = ["Q3-6 A3 M8 D3 J3 B3", "N3-6 A4 M4 D4 J4 B4", "K3 A5 M5 E5-7 D5 J5 B5"];
const LUCK: &str = "E3 E4 E8";

/// With the lowest three passed to the left and luck of messengers, neither is a hand of the table. With an
/// armorer for luck, each has three of them.
const NOTHING: [&str; 2] = ["K3 N3 A3-4 M3-4 E3 D3 J3", "K4 N4 A5-6 M5-6 E4 D4 J4"];
const NO_LUCK: &str = "E9 E10";

type Table = super::Table<KnightsHeads>;

/// A game whose first dealer is drawn.
fn table(seats: u8, dealer: Seat, options: Value) -> Table {
    Table::new(seats, dealer, options)
}

impl Table {
    /// Shuffles so that these hands are dealt, from the left of the dealer on, and `luck` comes after.
    fn deal(&mut self, hands: &[&str], luck: &str) {
        let hands: Vec<_> = hands.iter().map(|hand| cards(hand)).collect();
        let mut top: Vec<_> = (0..9).flat_map(|round| hands.iter().map(move |hand| hand[round])).collect();
        top.extend(cards(luck));
        self.shuffle(&top);
    }

    /// Shuffles so that these cards are on top.
    fn shuffle(&mut self, top: &[KnightsCard]) {
        let mut rest = self.deck();
        rest.retain(|card| !top.contains(card));
        assert_eq!(rest.len() + top.len(), 104, "some card is there twice");
        self.begin_with([top, &rest].concat());
    }

    /// Plays these actions, in turn, each written as `pass`, `raise 10` or `rabble B1 B2 B3`.
    fn play(&mut self, actions: &[(Seat, &str)]) {
        for &(seat, text) in actions {
            assert!(self.waited_for().contains(&seat), "before {text}");
            self.try_play(seat, text).unwrap();
        }
    }

    fn try_play(&mut self, seat: Seat, text: &str) -> Result<(), Refusal> {
        self.order(seat, &action(text))
    }

    fn refusal(&mut self, seat: Seat, text: &str) -> &'static str {
        self.refusal_of(seat, &action(text))
    }

    /// The first to act bets 5 and all others match it; each passes its three lowest cards.
    fn open_and_pass_rabble(&mut self) {
        let opener = self.turn();
        self.play(&[(opener, "bet 5")]);
        while self.phase() == "first_betting" {
            let seat = self.turn();
            self.play(&[(seat, "match")]);
        }
        self.pass_rabble();
    }

    fn pass_rabble(&mut self) {
        for seat in self.waited_for() {
            let lowest = self.game.default_action(seat);
            self.order(seat, &lowest).unwrap();
        }
    }

    /// All pass until this round of betting is over.
    fn all_pass(&mut self) {
        let phase = self.phase();
        while self.phase() == phase {
            let seat = self.turn();
            self.play(&[(seat, "pass")]);
        }
    }

    /// To the final round, with nothing but the opening bet.
    fn reach_the_final_round(&mut self) {
        self.open_and_pass_rabble();
        self.all_pass();
        assert_eq!(self.phase(), "final_betting");
    }

    /// The whole hand, with nothing but the opening bet.
    fn play_out(&mut self) {
        self.reach_the_final_round();
        self.all_pass();
        assert!(self.hand_is_over());
    }

    fn turn(&self) -> Seat {
        let [seat] = self.waited_for()[..] else { panic!("{:?} are to act", self.waited_for()) };
        seat
    }

    fn hand_is_over(&self) -> bool {
        self.waited_for().is_empty()
    }

    fn phase(&self) -> String {
        json!(self.view().phase).as_str().unwrap().to_owned()
    }

    fn stacks(&self) -> Vec<u32> {
        self.view().seats.iter().map(|seat| seat.stack).collect()
    }

    /// What a bet or raise of `seat` may be, from and to.
    fn bounds(&self, seat: Seat, name: &str) -> (u64, u64) {
        let by = &self.offer(seat, name)["by"];
        (by["min"].as_u64().unwrap(), by["max"].as_u64().unwrap())
    }

    fn held(&self, seat: Seat) -> Vec<KnightsCard> {
        let cards = &self.game.view(Some(seat)).seats[usize::from(seat)].cards;
        cards.iter().map(|card| card.unwrap()).collect()
    }

    fn last_hand(&self) -> LastHand {
        self.view().last_hand.unwrap()
    }

    /// The seats that showed, in the order of the show.
    fn showed(&self) -> Vec<u8> {
        self.last_hand().shown.iter().map(|shown| shown.seat).collect()
    }

    /// What each pot came to, the seats that won it, and why.
    fn pots(&self) -> Vec<(u64, Vec<u8>, String)> {
        let pots = self.last_hand().pots;
        let to =
            |shares: &[cardroom_core::rules::betting::Share]| shares.iter().map(|share| share.seat).collect();
        pots.into_iter().map(|pot| (pot.chips, to(&pot.shares), pot.words)).collect()
    }
}

/// Cards as in `K1-3 D12`.
fn cards(text: &str) -> Vec<KnightsCard> {
    let one = |face: &str, number: u8| {
        let name = CardName::from(&format!("{face}{number}")).unwrap();
        KnightsCard::try_from(name).unwrap()
    };
    text.split_whitespace()
        .flat_map(|word| {
            let (face, numbers) = word.split_at(1);
            let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
            (first.parse().unwrap()..=last.parse().unwrap()).map(move |number| one(face, number))
        })
        .collect()
}

fn action(text: &str) -> Action {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let action = match name {
        "bet" | "raise" => json!({"type": name, "by": rest.parse::<u32>().unwrap()}),
        "rabble" => json!({"type": name, "cards": cards(rest)}),
        _ => json!({"type": name}),
    };
    serde_json::from_value(action).unwrap()
}
