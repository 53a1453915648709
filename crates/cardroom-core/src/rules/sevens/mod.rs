//! Sevens, in its own tongue Naykuh D'alg, the wealthy merchant (source: "Sevens", rules of play).
//!
//! Each hand, everyone antes and is dealt three cards out of three suits of 1 to 6, every card twice.
//! 1. From the left of the dealer, one betting round: check, call, raise or fold. With a check, call or raise
//!    a seat may trade up to three cards for as many from the deck, once in the hand.
//! 2. All seats still in show. The highest total up to seven wins. Ties: more cards of one suit, then they share.
//!
//! Rulings: one can check only while nobody has raised, and call only where something is owed; an empty trade is none,
//! and leaves the trade for later. Every seat has a turn, for the trade: a seat that has no chips left for it checks or
//! folds, whatever others have raised. A seat may fold out of turn, all in or not, until the show. A raise stands when
//! the seat that made it has folded. Each side pot is decided between the seats that contest it; one that nobody
//! qualifies for is split between them, or waits for the next hand if there is one without it. Whether two seats can
//! pay for a next hand is judged after that.
//!
//! Hands and discards are hidden. Until the game is over, nobody sees a discard of another seat, and no card but at a
//! show.

mod bot;
mod card;
mod describe;
mod facts;
mod guide;
mod hand;
mod odds;
mod options;
mod settled;
mod show;
#[cfg(test)]
mod solved;
mod state;
mod story;
mod table;
mod view;
mod worlds;

use std::mem::take;
use std::ops::RangeInclusive;

pub use self::card::NaykuhCard;
use self::facts::tell_cards;
pub use self::facts::{Fact, Why};
use self::hand::Cards;
pub use self::options::Options;
use self::state::Phase;
pub use self::state::Sevens;
use self::table::Table;
pub use self::view::{LastHand, PhaseName, PotView, SeatView, Shown, View};
use crate::rules::action::actions;
use crate::rules::betting::{able_to_pay, split_carried};
use crate::rules::bot::Observation;
use crate::rules::cards::CardInfo;
use crate::rules::facts::{Facts, Names};
use crate::rules::game::{Chance, Game, Need, Secret};
use crate::rules::hand_story::HandStory;
use crate::rules::menu::{Domain, LegalAction, Menu};
use crate::rules::odds::Odds;
use crate::rules::outcome::Outcome;
use crate::rules::profile::{CardRole, Profile};
use crate::rules::refusal::Refusal;
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::rules::stakes::Level;
use crate::rules::texts::{Language, Translations};

actions! {
    /// What a seat can do. `trade` is what it discards, in exchange for as many from the top of the deck.
    of NaykuhCard;

    /// Put in nothing.
    "check" => Check {
        #[schema(inline, value_type = Vec<NaykuhCard>, max_items = 3)]
        trade: Cards,
    }
    /// Put in what is owed, or all there is.
    "call" => Call {
        #[schema(inline, value_type = Vec<NaykuhCard>, max_items = 3)]
        trade: Cards,
    }
    /// Put in what is owed, and `by` more for the others to match.
    "raise" => Raise {
        #[schema(minimum = 1)]
        by: u32,
        #[schema(inline, value_type = Vec<NaykuhCard>, max_items = 3)]
        trade: Cards,
    }
    /// Leave the hand, and what was put in.
    "fold" => Fold {}
}

impl Game for Sevens {
    const KIND: &'static str = "sevens";
    const NAME: &'static str = "Sevens";
    const RULES_VERSION: u16 = 1;
    /// Six hands and as many discards are the whole deck: it never runs short.
    const SEATS: RangeInclusive<u8> = 2..=6;
    const HAS_SECRETS: bool = true;

    const TEXTS: Translations = &[
        (Language::English, include_str!("texts/en.json")),
        (Language::German, include_str!("texts/de.json")),
    ];
    const PROFILE: Profile = guide::PROFILE;

    type Card = NaykuhCard;
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

    fn role(card: NaykuhCard) -> CardRole {
        guide::role(card)
    }

    fn deck() -> Vec<CardInfo> {
        NaykuhCard::kinds().map(NaykuhCard::info).collect()
    }

    fn ante(options: &Options) -> Option<u32> {
        options.is_level().then_some(options.ante)
    }

    fn at_level(options: Options, level: Level) -> Option<Options> {
        Some(options.at(level))
    }

    fn new(options: Options, seats: u8) -> Result<Self, Refusal> {
        options.check()?;
        let stacks = options.bankroll().of_seats(seats, options.ante)?;
        Ok(Sevens {
            options,
            hand: 0,
            last_hand: None,
            out: SeatSet::EMPTY,
            phase: Phase::FirstDealer { stacks },
        })
    }

    fn need(&self) -> Need<NaykuhCard> {
        match &self.phase {
            Phase::FirstDealer { stacks } => Need::Pick { of: stacks.len() as u8 },
            Phase::Shuffle { .. } => Need::Shuffle(NaykuhCard::deck().collect()),
            Phase::Betting(table) => Need::Players(SeatSet::one(table.turn)),
            Phase::Over { .. } => Need::Nothing,
        }
    }

    fn chance(&mut self, outcome: Chance<NaykuhCard>, facts: &mut Facts<Fact>) {
        match (&self.phase, outcome) {
            (Phase::FirstDealer { stacks }, Chance::Pick(dealer)) => {
                self.phase = Phase::Shuffle { dealer, stacks: stacks.clone(), carried: 0 };
            }
            (Phase::Shuffle { .. }, Chance::Shuffle(order)) => self.deal(&order, facts),
            (phase, outcome) => unreachable!("{outcome:?} is no answer to {phase:?}"),
        }
    }

    fn legal(&self, seat: Seat) -> Menu<NaykuhCard> {
        let mut menu = Menu::new();
        let Phase::Betting(table) = &self.phase else { return menu };
        if table.turn == seat {
            let trade = Domain::Cards {
                from: table.tradable(seat).iter().copied().collect(),
                min: 0,
                max: table.tradable(seat).len() as u8,
            };
            if table.may_check(seat, self.ante()) {
                menu.push(LegalAction::plain("check").with("trade", trade.clone()));
            }
            if table.may_call(seat) {
                menu.push(LegalAction::plain("call").with("trade", trade.clone()));
            }
            if let Some(by) = table.bets.raise_bounds(seat, self.options.limits()) {
                let by = Domain::Integer { min: *by.start(), max: *by.end() };
                menu.push(LegalAction::plain("raise").with("by", by).with("trade", trade));
            }
        }
        if table.bets.still_in.contains(seat) {
            menu.push(LegalAction::plain("fold"));
        }
        menu
    }

    fn act(&mut self, seat: Seat, action: &Action, facts: &mut Facts<Fact>) {
        let Phase::Betting(table) = &mut self.phase else {
            unreachable!("menus are empty outside the betting");
        };
        match action {
            Action::Check { .. } => table.check(seat, facts),
            Action::Call { .. } => table.call(seat, facts),
            Action::Raise { by, .. } => table.raise(seat, *by, facts),
            Action::Fold {} => table.fold(seat, facts),
        }
        table.trade(seat, action.trade(), facts);
        match table.turn_after(seat) {
            Some(turn) => table.turn = turn,
            None => {
                let table = table.clone();
                self.settle(table, facts);
            }
        }
    }

    fn view(&self, viewer: Option<Seat>) -> View {
        view::of(self, viewer)
    }

    fn default_action(&self, seat: Seat) -> Action {
        match &self.phase {
            Phase::Betting(table) if table.may_check(seat, self.ante()) => {
                Action::Check { trade: Cards::new() }
            }
            _ => Action::Fold {},
        }
    }

    /// Nobody else knows a discard while the game runs, not even when the hand is shown.
    fn secret(&self, seat: Seat, action: &Action) -> Option<Secret> {
        let hidden = !action.trade().is_empty();
        hidden.then(|| Secret { hand: u32::from(self.hand), seat, param: "trade" })
    }

    fn break_off(&mut self) {
        let price = self.options.ante_of(self.hand + 1);
        if let Phase::Shuffle { dealer, stacks, carried } = &mut self.phase {
            let able = able_to_pay(stacks, price);
            split_carried(take(carried), stacks, able, *dealer);
        }
    }

    fn standings(&self) -> Outcome {
        let scores: PerSeat<i64> = self.stacks().iter().map(|&stack| i64::from(stack)).collect();
        Outcome::by_score(&scores, Self::BEST)
    }
}

impl Sevens {
    fn deal(&mut self, order: &[NaykuhCard], facts: &mut Facts<Fact>) {
        let Phase::Shuffle { dealer, stacks, carried } = &self.phase else {
            unreachable!("a hand is dealt when the deck was shuffled for it");
        };
        let seats = self.able_to_pay(stacks);
        for seat in (0..stacks.len() as Seat).filter(|&seat| !seats.contains(seat)) {
            if !self.out.contains(seat) {
                facts.tell(|| Fact::Out { seat });
            }
            self.out.insert(seat);
        }
        self.hand += 1;
        let ante = self.ante();
        facts.tell(|| Fact::HandBegan { hand: self.hand, dealer: *dealer });
        for seat in seats.from_left_of(*dealer) {
            facts.tell(|| Fact::Anted { seat, chips: ante });
        }
        let table = Table::dealt(*dealer, seats, stacks.clone(), ante, *carried, order);
        for seat in seats.from_left_of(*dealer) {
            tell_cards(facts, seat, |sees| {
                let cards = table.cards[usize::from(seat)].iter().map(|&card| sees(card)).collect();
                Fact::Dealt { seat, cards }
            });
        }
        self.phase = Phase::Betting(table);
    }

    /// The ante of the hand that is played.
    fn ante(&self) -> u32 {
        self.options.ante_of(self.hand)
    }

    /// The seats that can pay the ante of the next hand.
    fn able_to_pay(&self, stacks: &PerSeat<u32>) -> SeatSet {
        able_to_pay(stacks, self.options.ante_of(self.hand + 1))
    }

    fn stacks(&self) -> &PerSeat<u32> {
        match &self.phase {
            Phase::FirstDealer { stacks } | Phase::Shuffle { stacks, .. } | Phase::Over { stacks } => stacks,
            Phase::Betting(table) => &table.bets.stacks,
        }
    }
}

impl Action {
    fn trade(&self) -> &[NaykuhCard] {
        match self {
            Action::Check { trade } | Action::Call { trade } | Action::Raise { trade, .. } => trade,
            Action::Fold {} => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};
    use utoipa::PartialSchema;

    use super::*;

    /// Numbers that look random and are the same on every run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % bound
        }

        fn shuffle(&mut self, cards: &mut [NaykuhCard]) {
            for i in (1..cards.len()).rev() {
                cards.swap(i, self.below(i + 1));
            }
        }

        fn pick(&mut self, domain: &Domain<NaykuhCard>) -> Json {
            match domain {
                // Mostly small: a game of nothing but large raises is a short one.
                Domain::Integer { min, max } => match self.below(4) {
                    0 => json!(max),
                    _ => json!(min),
                },
                Domain::Cards { from, max, .. } => {
                    let mut cards = from.to_vec();
                    self.shuffle(&mut cards);
                    cards.truncate(self.below(usize::from(*max) + 1));
                    json!(cards)
                }
                other => unreachable!("Sevens has no parameter of {other:?}"),
            }
        }
    }

    /// Plays one step, by any seat that may; none when the game is over.
    fn step(game: &mut Sevens, dice: &mut Dice, facts: &mut Facts<Fact>) -> Option<()> {
        match game.need() {
            Need::Pick { of } => game.chance(Chance::Pick(dice.below(usize::from(of)) as u8), facts),
            Need::Shuffle(mut cards) => {
                dice.shuffle(&mut cards);
                game.chance(Chance::Shuffle(cards), facts);
            }
            Need::Players(seats) => {
                // Now and then somebody folds out of turn.
                let anyone = dice.below(game.stacks().len()) as Seat;
                let stray = dice.below(8) == 0 && !game.legal(anyone).is_empty();
                let seat = if stray { anyone } else { seats.iter().next().unwrap() };
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
            (options(json!({"buy_in": 17, "ante": 4, "no_winner": "carry", "hands": 60})), 6),
            (options(json!({"ante": 0, "buy_in": 30, "no_winner": "carry", "hands": 30})), 3),
            (options(json!({"buy_in": 5, "hands": 9})), 6),
            (options(json!({"min_raise": 1, "max_raise": 3, "buy_in": 50})), 2),
            (options(json!({"min_raise": 40, "ante": 1, "buy_in": 41, "no_winner": "carry"})), 5),
        ]
    }

    #[test]
    fn the_chips_of_the_seats_and_the_pots_always_add_up_to_the_same() {
        for (options, seats) in worlds() {
            for seed in 0..100 {
                let mut game = Sevens::new(options, seats).unwrap();
                let mut dice = Dice(seed);
                while step(&mut game, &mut dice, &mut Facts::ignored()).is_some() {
                    let chips = match &game.phase {
                        Phase::Betting(table) => table.bets.total(),
                        Phase::Shuffle { carried, .. } => carried + stacked(&game),
                        _ => stacked(&game),
                    };
                    assert_eq!(chips, u64::from(options.buy_in) * u64::from(seats));
                }
                assert!(game.outcome().is_some());
            }
        }
    }

    fn stacked(game: &Sevens) -> u64 {
        game.stacks().iter().map(|&stack| u64::from(stack)).sum()
    }

    #[test]
    fn a_seat_that_is_in_holds_three_cards_and_no_card_is_held_or_left_more_than_twice() {
        for (options, seats) in worlds() {
            let mut game = Sevens::new(options, seats).unwrap();
            let mut dice = Dice(7);
            while step(&mut game, &mut dice, &mut Facts::ignored()).is_some() {
                let Phase::Betting(table) = &game.phase else { continue };
                let mut whole: Vec<NaykuhCard> = NaykuhCard::deck().collect();
                for card in table.cards.iter().flatten().chain(&table.deck) {
                    let at = whole.iter().position(|c| c == card).expect("a card too many");
                    whole.swap_remove(at);
                }
                for (seat, cards) in (0..).zip(&table.cards) {
                    assert_eq!(cards.len(), if table.bets.still_in.contains(seat) { 3 } else { 0 });
                }
            }
        }
    }

    #[test]
    fn what_is_shown_told_and_sent_is_what_the_schemas_say() {
        let [view, fact, action] = [View::schema(), Fact::schema(), Action::schema()].map(|schema| {
            let schema = serde_json::to_value(schema).unwrap();
            assert!(!schema.to_string().contains("$ref"), "{schema}");
            jsonschema::validator_for(&schema).unwrap()
        });
        let (options, seats) = worlds()[1];
        let mut game = Sevens::new(options, seats).unwrap();
        let mut dice = Dice(3);
        let mut facts = Facts::kept();
        while step(&mut game, &mut dice, &mut facts).is_some() {
            view.validate(&serde_json::to_value(game.view(Some(1))).unwrap()).unwrap();
        }
        for (_, told) in facts.into_vec() {
            fact.validate(&serde_json::to_value(told).unwrap()).unwrap();
        }
        for good in [json!({"type": "raise", "by": 5, "trade": ["6S"]}), json!({"type": "fold"})] {
            action.validate(&good).unwrap();
        }
        for bad in [json!({"type": "check"}), json!({"type": "call", "trade": ["1C", "1C", "2C", "2C"]})] {
            assert!(!action.is_valid(&bad), "{bad}");
            assert!(serde_json::from_value::<Action>(bad).is_err());
        }
    }

    #[test]
    fn a_state_is_small_enough_to_be_cloned_for_every_action() {
        assert!(size_of::<Sevens>() <= 704, "{}", size_of::<Sevens>());
    }
}
