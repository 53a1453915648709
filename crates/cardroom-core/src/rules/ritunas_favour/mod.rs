//! Rituna's Favour, also Rituna's Dozens (source: "Rituna's Favour", a tradition of Axora, World Anvil).
//!
//! Each hand, everyone pays a charge into the pot and is dealt two cards, one at a time, from the left of the
//! dealer. Ace 1, 2 to 10 their number, jack 11, queen 12; the kings are left out.
//! 1. Two queens as dealt are Rituna's Favour: they take the pot at once.
//! 2. Else each seat in turn takes one card or sticks, round after round, until it has stuck or is over 24;
//!    then the dealer does so, alone.
//! 3. The highest total up to 24 wins. Ties: a hand with a queen, then the one of more cards, then they share.
//!
//! Options: kings in the deck, worth 0 or 13; two sevens as dealt may be redealt or split; a house that deals.
//!
//! Rulings: a hand over 24 is bust at once, on the deal too, and 24 still decides. With an empty deck one can
//! only stick. Sevens are settled before any turn; the house never uses them. A redealt hand is an opening
//! hand again, with Favour and new sevens; a split one is not. The last one standing plays on. If all are
//! bust, every seat and the house has one share of the pot, or it waits for the next hand if there is one
//! without it. Whether two seats can pay for a next hand is judged after that.

mod bot;
mod describe;
mod facts;
mod guide;
mod hand;
mod odds;
mod options;
mod pot;
#[cfg(test)]
mod solved;
mod state;
mod story;
mod view;
mod worlds;

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;

pub use self::facts::{Fact, Why};
use self::hand::{Hand, Holder};
pub use self::options::{Dealer, Kings, LuckySevens, Options};
use self::state::Phase;
pub use self::state::RitunasFavour;
pub use self::view::{HandView, HouseView, PhaseName, SeatView, Turn, View};
use crate::rules::action::actions;
use crate::rules::bot::Observation;
use crate::rules::cards::{CardInfo, French, QUEEN, SEVEN};
use crate::rules::facts::{Facts, Names};
use crate::rules::game::{Chance, Game, Need};
use crate::rules::hand_story::HandStory;
use crate::rules::menu::{LegalAction, Menu};
use crate::rules::odds::Odds;
use crate::rules::outcome::Outcome;
use crate::rules::profile::{CardRole, Profile};
use crate::rules::refusal::Refusal;
use crate::rules::seats::{PerSeat, Seat};
use crate::rules::stakes::Level;
use crate::rules::texts::{Language, Translations};

actions! {

    #[derive(Copy)]
    of French;

    /// One more card.
    "take" => Take {}
    /// No more cards.
    "stick" => Stick {}
    /// Two new cards for two sevens.
    "redeal" => Redeal {}
    /// A hand of its own for each of two sevens.
    "split" => Split {}
    /// Two sevens are played as they are.
    "keep" => Keep {}
}

impl Game for RitunasFavour {
    const KIND: &'static str = "ritunas_favour";
    const NAME: &'static str = "Rituna's Favour";
    const RULES_VERSION: u16 = 1;
    const SEATS: RangeInclusive<u8> = 2..=10;

    const TEXTS: Translations = &[
        (Language::English, include_str!("texts/en.json")),
        (Language::German, include_str!("texts/de.json")),
    ];
    const PROFILE: Profile = guide::PROFILE;

    type Card = French;
    type Options = Options;
    type Action = Action;
    type Fact = Fact;
    type View = View;

    fn odds() -> Option<Odds> {
        Some(odds::odds())
    }

    fn steady(seen: &Observation) -> serde_json::Value {
        bot::steady(seen)
    }

    fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
        story::story(facts, names)
    }

    fn role(card: French) -> CardRole {
        guide::role(card)
    }

    fn deck() -> Vec<CardInfo> {
        French::deck().map(French::info).collect()
    }

    /// Where the house holds a hand, chips come to the table and leave it.
    fn ante(options: &Options) -> Option<u32> {
        (options.dealer == Dealer::Rotating && options.is_level()).then_some(options.charge)
    }

    fn at_level(options: Options, level: Level) -> Option<Options> {
        Some(options.at(level))
    }

    fn new(options: Options, seats: u8) -> Result<Self, Refusal> {
        options.check()?;
        let stacks = options.bankroll().of_seats(seats, options.charge)?;
        Ok(RitunasFavour {
            options,
            hand: 0,
            stacks: stacks.into_iter().map(u64::from).collect(),
            hands_won: (0..seats).map(|_| 0).collect(),
            bank: 0,
            pot: 0,
            carried: 0,
            deck: ArrayVec::new(),
            hands: ArrayVec::new(),
            phase: Phase::FirstDealer,
        })
    }

    fn need(&self) -> Need<French> {
        match self.phase {
            Phase::FirstDealer => Need::Pick { of: self.stacks.len() as u8 },
            Phase::Shuffle { .. } => Need::Shuffle(self.options.kings.deck().collect()),
            Phase::Redeal { .. } => Need::Shuffle(self.deck.to_vec()),
            Phase::LuckySevens { at } | Phase::Turns { at } => {
                Need::Players(self.hands[at].holder.seat().into_iter().collect())
            }
            Phase::Over => Need::Nothing,
        }
    }

    fn chance(&mut self, outcome: Chance<French>, facts: &mut Facts<Fact>) {
        match (self.phase, outcome) {
            (Phase::FirstDealer, Chance::Pick(dealer)) => self.phase = Phase::Shuffle { dealer },
            (Phase::Shuffle { dealer }, Chance::Shuffle(order)) => self.deal(dealer, &order, facts),
            (Phase::Redeal { at }, Chance::Shuffle(order)) => self.deal_again(at, &order, facts),
            (phase, outcome) => unreachable!("{outcome:?} is no answer to {phase:?}"),
        }
    }

    fn legal(&self, seat: Seat) -> Menu<French> {
        let mut menu = Menu::new();
        match self.phase {
            Phase::LuckySevens { at } if self.hands[at].holder == Holder::Seat(seat) => {
                match self.options.lucky_sevens {
                    LuckySevens::Off => {}
                    LuckySevens::Redeal => menu.push(LegalAction::plain("redeal")),
                    LuckySevens::Split => menu.push(LegalAction::plain("split")),
                }
                menu.push(LegalAction::plain("keep"));
            }
            Phase::Turns { at } if self.hands[at].holder == Holder::Seat(seat) => {
                if !self.deck.is_empty() {
                    menu.push(LegalAction::plain("take"));
                }
                menu.push(LegalAction::plain("stick"));
            }
            _ => {}
        }
        menu
    }

    fn act(&mut self, _seat: Seat, action: &Action, facts: &mut Facts<Fact>) {
        let at = self.deciding().expect("only the seat whose hand decides has a menu");
        match action {
            Action::Keep {} => self.keep(at, facts),
            Action::Redeal {} => self.give_back(at, facts),
            Action::Split {} => self.split(at, facts),
            Action::Take {} => {
                self.take(at, facts);
                self.pass_turn(at, facts);
            }
            Action::Stick {} => {
                self.stick(at, facts);
                self.pass_turn(at, facts);
            }
        }
    }

    fn view(&self, _viewer: Option<Seat>) -> View {
        view::of(self)
    }

    fn default_action(&self, _seat: Seat) -> Action {
        match self.phase {
            Phase::LuckySevens { .. } => Action::Keep {},
            _ => Action::Stick {},
        }
    }

    fn is_between_hands(&self) -> bool {
        // A redeal's shuffle comes in the middle of a hand.
        matches!(self.phase, Phase::Shuffle { .. })
    }

    fn break_off(&mut self) {
        if let Phase::Shuffle { dealer } = self.phase {
            self.split_carried(dealer);
        }
    }

    fn standings(&self) -> Outcome {
        let scores: PerSeat<i64> = match self.options.charge {
            0 => self.hands_won.iter().map(|&won| i64::from(won)).collect(),
            _ => self.stacks.iter().map(|&stack| stack as i64).collect(),
        };
        Outcome::by_score(&scores, Self::BEST)
    }
}

/// The deal, and the luck that comes before any turn.
impl RitunasFavour {
    fn deal(&mut self, dealer: Seat, order: &[French], facts: &mut Facts<Fact>) {
        let able = self.able_to_pay();
        for seat in self.holders().filter_map(Holder::seat).filter(|&seat| !able.contains(seat)) {
            facts.tell(|| Fact::Out { seat });
        }
        self.hands = self.next_holders(dealer).map(Hand::of).collect();
        self.hand += 1;
        facts.tell(|| Fact::HandBegan { hand: self.hand, dealer });
        self.deck = order.iter().copied().collect();
        for at in 0..self.hands.len() {
            self.charge(self.hands[at].holder, facts);
        }
        for _round in 0..2 {
            for at in 0..self.hands.len() {
                self.give_top_card(at);
            }
        }
        for (at, hand) in self.hands.iter().enumerate() {
            facts.tell(|| Fact::Dealt { seat: hand.holder.seat(), cards: hand.cards.to_vec() });
            self.tell_if_bust(at, facts);
        }
        self.try_luck(0, facts);
    }

    /// Rituna's Favour; else the sevens from the hand at `from` on; else the turns.
    fn try_luck(&mut self, from: usize, facts: &mut Facts<Fact>) {
        if self.hands.iter().any(|hand| hand.is_pair_of(QUEEN)) {
            for hand in self.hands.iter().filter(|hand| hand.is_pair_of(QUEEN)) {
                facts.tell(|| Fact::Favour { seat: hand.holder.seat() });
            }
            return self.award(|hand| hand.is_pair_of(QUEEN), Why::Favour, facts);
        }
        let may_choose = |hand: &Hand| hand.is_pair_of(SEVEN) && hand.holder != Holder::House;
        let lucky = (from..self.hands.len()).find(|&at| may_choose(&self.hands[at]));
        match lucky {
            Some(at) if self.options.lucky_sevens != LuckySevens::Off => {
                self.phase = Phase::LuckySevens { at }
            }
            _ => {
                let first = (0..self.hands.len()).find(|&at| self.decides(at));
                self.turn_to(first, facts);
            }
        }
    }

    fn keep(&mut self, at: usize, facts: &mut Facts<Fact>) {
        facts.tell(|| Fact::Kept { seat: self.hands[at].holder.seat() });
        self.try_luck(at + 1, facts);
    }

    fn give_back(&mut self, at: usize, facts: &mut Facts<Fact>) {
        let Hand { holder, cards, .. } = &mut self.hands[at];
        facts.tell(|| Fact::Returned { seat: holder.seat(), cards: cards.to_vec() });
        self.deck.extend(cards.drain(..));
        self.phase = Phase::Redeal { at };
    }

    fn deal_again(&mut self, at: usize, order: &[French], facts: &mut Facts<Fact>) {
        self.deck = order.iter().copied().collect();
        self.give_top_card(at);
        self.give_top_card(at);
        let hand = &self.hands[at];
        facts.tell(|| Fact::Redealt { seat: hand.holder.seat(), cards: hand.cards.to_vec() });
        self.tell_if_bust(at, facts);
        // Beginning with this hand: two new sevens choose again.
        self.try_luck(at, facts);
    }

    fn split(&mut self, at: usize, facts: &mut Facts<Fact>) {
        let mut second = Hand::of(self.hands[at].holder);
        second.cards.extend(self.hands[at].cards.pop());
        self.hands.insert(at + 1, second);
        self.give_top_card(at);
        self.give_top_card(at + 1);
        facts.tell(|| Fact::Split {
            seat: self.hands[at].holder.seat(),
            hands: self.hands[at..=at + 1].iter().map(|hand| hand.cards.to_vec()).collect(),
        });
        self.try_luck(at + 2, facts);
    }
}

/// The turns.
impl RitunasFavour {
    fn take(&mut self, at: usize, facts: &mut Facts<Fact>) {
        let card = self.give_top_card(at);
        facts.tell(|| Fact::Took {
            seat: self.hands[at].holder.seat(),
            split_hand: self.nth(at),
            card,
            total: self.total(at),
        });
        self.tell_if_bust(at, facts);
    }

    fn stick(&mut self, at: usize, facts: &mut Facts<Fact>) {
        self.hands[at].stuck = true;
        facts.tell(|| Fact::Stuck {
            seat: self.hands[at].holder.seat(),
            split_hand: self.nth(at),
            total: self.total(at),
        });
    }

    fn pass_turn(&mut self, at: usize, facts: &mut Facts<Fact>) {
        self.turn_to(self.next_to_decide(at), facts);
    }

    /// Round after round of the others, then round after round of the dealer's hands.
    fn next_to_decide(&self, at: usize) -> Option<usize> {
        let all = self.hands.len();
        let others = self.hands.iter().take_while(|hand| hand.holder != self.hands[all - 1].holder).count();
        (at + 1..others).chain(0..others).chain(at + 1..all).chain(others..all).find(|&at| self.decides(at))
    }

    fn turn_to(&mut self, at: Option<usize>, facts: &mut Facts<Fact>) {
        match at {
            Some(at) if self.hands[at].holder == Holder::House => {
                self.play_house(at, facts);
                self.show(facts);
            }
            Some(at) => self.phase = Phase::Turns { at },
            None => self.show(facts),
        }
    }

    fn play_house(&mut self, at: usize, facts: &mut Facts<Fact>) {
        while self.total(at) < self.options.house_sticks_on && !self.deck.is_empty() {
            self.take(at, facts);
        }
        if self.decides(at) {
            self.stick(at, facts);
        }
    }
}

/// What is read off the table.
impl RitunasFavour {
    /// The seat that has the button in this hand: the last of the seats dealt to.
    fn button(&self) -> Option<Seat> {
        self.hands.iter().rev().find_map(|hand| hand.holder.seat())
    }

    /// The holders that take part in this hand, each once, in the order dealt.
    fn holders(&self) -> impl Iterator<Item = Holder> {
        (0..self.hands.len()).filter(|&at| self.nth(at) == 0).map(|at| self.hands[at].holder)
    }

    /// Which of its holder's hands the one at `at` is.
    fn nth(&self, at: usize) -> u8 {
        u8::from(at > 0 && self.hands[at - 1].holder == self.hands[at].holder)
    }

    /// The hand that a seat decides for now.
    fn deciding(&self) -> Option<usize> {
        match self.phase {
            Phase::LuckySevens { at } | Phase::Turns { at } => Some(at),
            _ => None,
        }
    }

    fn decides(&self, at: usize) -> bool {
        !self.hands[at].stuck && !self.hands[at].is_bust(self.options.kings)
    }

    fn total(&self, at: usize) -> u8 {
        self.hands[at].total(self.options.kings)
    }

    fn give_top_card(&mut self, at: usize) -> French {
        let card = self.deck.pop_at(0).expect("nothing is dealt or taken from an empty deck");
        self.hands[at].cards.push(card);
        card
    }

    fn tell_if_bust(&self, at: usize, facts: &mut Facts<Fact>) {
        if self.hands[at].is_bust(self.options.kings) {
            facts.tell(|| Fact::Bust {
                seat: self.hands[at].holder.seat(),
                split_hand: self.nth(at),
                total: self.total(at),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Numbers that look random and are the same on every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % bound
        }

        fn shuffle(&mut self, cards: &mut [French]) {
            for i in (1..cards.len()).rev() {
                cards.swap(i, self.below(i + 1));
            }
        }
    }

    fn step(game: &mut RitunasFavour, dice: &mut Dice) -> bool {
        match game.need() {
            Need::Pick { of } => {
                game.chance(Chance::Pick(dice.below(usize::from(of)) as u8), &mut Facts::ignored())
            }
            Need::Shuffle(mut cards) => {
                dice.shuffle(&mut cards);
                game.chance(Chance::Shuffle(cards), &mut Facts::kept());
            }
            Need::Players(seats) => {
                let seat = seats.iter().next().unwrap();
                let menu = game.legal(seat);
                let name = menu[dice.below(menu.len())].name;
                let action: Action = serde_json::from_value(json!({"type": name})).unwrap();
                super::super::play(game, seat, &action, &mut Facts::kept()).unwrap();
            }
            Need::Nothing => return false,
        }
        true
    }

    fn options(part: Value) -> Options {
        serde_json::from_value(part).unwrap()
    }

    fn worlds() -> [(Options, u8); 5] {
        [
            (options(json!({"hands": 40, "buy_in": 17, "charge": 4})), 4),
            (options(json!({"kings": "greedy", "no_winner": "carry", "buy_in": 50, "hands": 60})), 2),
            (options(json!({"kings": "worthless", "lucky_sevens": "split", "dealer": "house"})), 10),
            (options(json!({"lucky_sevens": "redeal", "dealer": "house", "no_winner": "carry"})), 3),
            (options(json!({"lucky_sevens": "redeal", "charge": 0, "kings": "greedy"})), 10),
        ]
    }

    #[test]
    fn the_chips_of_the_seats_the_pot_and_the_house_always_add_up_to_the_same() {
        for (options, seats) in worlds() {
            for seed in 0..60 {
                let mut game = RitunasFavour::new(options, seats).unwrap();
                let mut dice = Dice(seed);
                while step(&mut game, &mut dice) {
                    let chips = game.stacks.iter().sum::<u64>() + game.pot + game.carried;
                    assert_eq!(chips as i64 + game.bank, i64::from(options.buy_in) * i64::from(seats));
                }
                assert_eq!((game.pot, game.carried), (0, 0), "a game that is over leaves no pot");
            }
        }
    }

    #[test]
    fn in_a_hand_every_card_is_in_one_place() {
        for (options, seats) in worlds() {
            let mut game = RitunasFavour::new(options, seats).unwrap();
            let mut dice = Dice(7);
            while step(&mut game, &mut dice) {
                let held = game.hands.iter().flat_map(|hand| &hand.cards);
                let mut cards: Vec<French> = game.deck.iter().chain(held).copied().collect();
                cards.sort_unstable();
                if game.hand > 0 {
                    assert!(cards.into_iter().eq(options.kings.deck()));
                }
            }
        }
    }

    #[test]
    fn a_state_is_small_enough_to_be_cloned_for_every_action() {
        assert!(size_of::<RitunasFavour>() <= 768, "{}", size_of::<RitunasFavour>());
    }
}
