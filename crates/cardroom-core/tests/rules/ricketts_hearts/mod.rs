//! Ricketts House Hearts: the sentences of its rules, and the rulings where they are silent. The deck is
//! stacked; every expected number is worked out by hand.

mod end_of_the_game;
mod passing;
mod scoring;
mod setup;
mod the_moon;
mod tricks;
mod what_is_seen;
mod wrap_scores;

use cardroom_core::rules::cards::{CardName, French};
use cardroom_core::rules::ricketts_hearts::{PhaseName, RickettsHearts};
use cardroom_core::rules::{Game, Need, Refusal, Seat};
use serde_json::{Value, json};

type Fact = <RickettsHearts as Game>::Fact;

/// A suit each, seat 0 first. The seat that leads takes all tricks.
const WHOLE_SUITS: [&str; 4] =
    ["A23456789TJQK...", ".A23456789TJQK..", "..A23456789TJQK.", "...A23456789TJQK"];

type Table = super::Table<RickettsHearts>;

/// A game whose first dealer is drawn.
fn table(dealer: Seat, options: Value) -> Table {
    Table::new(4, dealer, options)
}

/// The same, where seat 0 is to lead first, and where cards were passed so that these hands are held.
fn table_with(hands: [&str; 4]) -> Table {
    let mut t = table(3, json!({}));
    t.begin(hands);
    t
}

impl Table {
    /// Shuffles so that these hands are dealt, each written as clubs.diamonds.hearts.spades, seat 0 first.
    fn deal(&mut self, hands: [&str; 4]) {
        self.deal_cards(hands.map(hand));
    }

    /// Deals and passes so that these hands are held when the first trick is led to.
    fn begin(&mut self, hands: [&str; 4]) {
        // Where the three cards go in the hand that is dealt next, in places to the left.
        let routes = [None, Some([1, 1, 1]), Some([3, 3, 3]), Some([2, 2, 2]), Some([1, 2, 3])];
        let mut hands = hands.map(hand);
        let Some(route) = routes[(self.view().hand as usize + 1) % 5] else {
            return self.deal_cards(hands);
        };
        // What a seat is to receive is taken off the front of its hand, and dealt to the seat that passes it.
        let passed: Vec<Vec<French>> =
            (0..4).map(|giver| route.map(|places| hands[(giver + places) % 4].remove(0)).to_vec()).collect();
        for (hand, passed) in hands.iter_mut().zip(&passed) {
            hand.extend(passed);
        }
        self.deal_cards(hands);
        for (seat, cards) in (0..).zip(passed) {
            self.act(seat, json!({"type": "pass", "cards": cards})).unwrap();
        }
    }

    fn deal_cards(&mut self, hands: [Vec<French>; 4]) {
        let dealer = usize::from(self.view().dealer.unwrap());
        let order = (0..52).map(|nth| hands[(dealer + 1 + nth) % 4][nth / 4]).collect();
        self.begin_with(order);
    }

    fn act(&mut self, seat: Seat, action: Value) -> Result<(), Refusal> {
        self.order(seat, &serde_json::from_value(action).unwrap())
    }

    fn pass(&mut self, seat: Seat, cards: &str) {
        self.act(seat, pass(cards)).unwrap();
    }

    /// Plays these cards, each by the seat whose turn it is.
    fn play(&mut self, cards: &str) {
        for card in cards.split(' ') {
            self.act(self.turn(), json!({"type": "play", "card": card})).unwrap();
        }
    }

    fn choose(&mut self, seat: Seat, choice: &str) {
        self.act(seat, json!({"type": "moon", "choice": choice})).unwrap();
    }

    /// Lets the clock play until all tricks are taken: always the lowest card.
    fn play_out(&mut self) {
        while self.view().phase == PhaseName::Tricks {
            let seat = self.turn();
            self.act(seat, default_action(self, seat)).unwrap();
        }
    }

    fn refusal(&mut self, seat: Seat, action: Value) -> &'static str {
        self.refusal_of(seat, &serde_json::from_value(action).unwrap())
    }

    /// What the seat whose turn it is may play, as its menu says.
    fn playable(&self) -> Vec<French> {
        let menu = serde_json::to_value(self.game.legal(self.turn()).as_slice()).unwrap();
        serde_json::from_value(menu[0]["params"]["card"]["from"].clone()).unwrap()
    }

    fn turn(&self) -> Seat {
        self.view().turn.unwrap()
    }

    fn held(&self, seat: Seat) -> Vec<French> {
        let cards = &self.game.view(Some(seat)).seats[usize::from(seat)].cards;
        cards.iter().map(|card| card.unwrap()).collect()
    }

    fn scores(&self) -> Vec<i32> {
        self.view().seats.iter().map(|seat| seat.score).collect()
    }

    fn points(&self) -> Vec<u8> {
        self.view().seats.iter().map(|seat| seat.points).collect()
    }

    fn is_over(&self) -> bool {
        self.game.need() == Need::Nothing
    }

    /// A hand in which `shooter` takes all tricks and chooses so.
    fn moon(&mut self, shooter: Seat, choice: &str) {
        let leader = (self.view().dealer.unwrap() + 1) % 4;
        let mut hands = [""; 4];
        let others = if shooter == leader {
            hands[usize::from(shooter)] = WHOLE_SUITS[0];
            vec![WHOLE_SUITS[1], WHOLE_SUITS[2], WHOLE_SUITS[3]]
        } else {
            // The leader's lowest card is its club, and the shooter takes that.
            hands[usize::from(shooter)] = "A3456789TJQK.A..";
            hands[usize::from(leader)] = "2.23456789TJQK..";
            vec![WHOLE_SUITS[2], WHOLE_SUITS[3]]
        };
        let free = (0..4).filter(|&seat| hands[seat].is_empty()).collect::<Vec<_>>();
        free.into_iter().zip(others).for_each(|(seat, hand)| hands[seat] = hand);
        self.begin(hands);
        self.play_out();
        assert_eq!(self.waited_for(), [shooter]);
        self.choose(shooter, choice);
    }

    /// A hand in which the seat on the left of the leader takes `few` points, at most 3, and the leader the
    /// rest: it leads so many low diamonds to a hand that has higher ones.
    fn split(&mut self, few: usize) {
        let leader = usize::from((self.view().dealer.unwrap() + 1) % 4);
        let clubs = ["A3456789TJQK.2..", "A456789TJQK.23..", "A56789TJQK.234.."];
        let diamonds = ["2.A3456789TJQK..", "23.A456789TJQK..", "234.A56789TJQK.."];
        let dealt = [clubs[few - 1], diamonds[few - 1], WHOLE_SUITS[2], WHOLE_SUITS[3]];
        let mut hands = [""; 4];
        (0..4).for_each(|nth| hands[(leader + nth) % 4] = dealt[nth]);
        self.begin(hands);
        self.play_out();
    }
}

/// The cards of a hand written as clubs.diamonds.hearts.spades.
fn hand(text: &str) -> Vec<French> {
    let suits = text.split('.').zip(["C", "D", "H", "S"]);
    suits.flat_map(|(ranks, suit)| ranks.chars().map(move |rank| card(&format!("{rank}{suit}")))).collect()
}

fn cards(names: &str) -> Vec<French> {
    names.split_whitespace().map(card).collect()
}

fn card(name: &str) -> French {
    CardName::from(name).unwrap().try_into().unwrap()
}

fn pass(cards: &str) -> Value {
    json!({"type": "pass", "cards": cards.split(' ').collect::<Vec<_>>()})
}

fn lay(card: &str) -> Value {
    json!({"type": "play", "card": card})
}

fn default_action(t: &Table, seat: Seat) -> Value {
    json!(t.game.default_action(seat))
}
