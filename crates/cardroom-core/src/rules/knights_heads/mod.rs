//! Knights' Heads: bet on ten cards of a deck with nine faces, and of two sexes (source: "Knights' Heads: a
//! card game", by Andrew Trauger).
//!
//! Each hand, everyone antes and is dealt nine cards.
//! 1. First betting round, from the left of the dealer. Nobody passes: bet or fold; once there is a bet, match,
//!    raise or fold.
//! 2. The rabble: each seat passes three cards to the next seat on its left, all at once.
//! 3. Second betting round. While nobody has bet in it, one may pass.
//! 4. Luck: each seat is dealt a tenth card.
//! 5. Final betting round. The seat whose match ends it calls instead: all show, the caller last.
//! 6. The highest of the 26 hands wins (`hands.rs`). Ties: higher faces of the sets, more notable cards, then
//!    they share.
//!
//! Rulings: a bet is a raise from nothing, with a raise's bounds. A first seat that folds leaves the next to open in
//! the same way, and the last seat that has not folded wins without a show, also before anyone has bet. A seat that
//! cannot match or call all it owes puts in what it has, and goes on with the rabble, the luck and the show. The rabble
//! goes to the next seat on the left that is still in. When nobody called, because all passed, the last to answer
//! folded or the betting was skipped, the show goes from the left of the dealer. Each side pot is decided between the
//! seats that contest it; one for which nobody has a valid hand is split between them, or waits for the next hand if
//! there is one without it. Whether two seats can pay for a next hand is judged after that. Courts of knights count
//! when they are shown.
//!
//! Hands are hidden until the show, folded ones until the game is over. A passed card is known to its giver and its
//! receiver, and to all when the receiver has shown or the game is over.

mod bot;
pub mod deck;
mod describe;
mod facts;
mod guide;
pub mod hands;
mod odds;
mod options;
mod rabble;
mod ranking;
mod scoring;
mod settled;
mod show;
#[cfg(test)]
mod solved;
mod state;
mod story;
mod table;
#[cfg(test)]
mod tests;
mod view;
mod worlds;

use std::mem::take;
use std::ops::RangeInclusive;

use self::deck::KnightsCard;
use self::facts::tell_hidden;
pub use self::facts::{Fact, Shown, Why};
pub use self::options::Options;
use self::rabble::{RABBLE, Three};
pub use self::scoring::Scoring;
pub use self::state::KnightsHeads;
use self::state::Phase;
use self::table::{SEATS, Stage, Table};
pub use self::view::{LastHand, Makes, OwnView, PhaseName, PotView, SeatView, View};
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
use crate::rules::profile::{CardRole, Profile, RankedHand};
use crate::rules::ranking::Ranking;
use crate::rules::refusal::Refusal;
use crate::rules::scoring::Scorings;
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::rules::stakes::Level;
use crate::rules::texts::Translations;

/// The counter of courts of knights that a player has shown.
const COURTS_OF_KNIGHTS: &str = "courts_of_knights";

actions! {
    /// What a seat can do.
    of KnightsCard;

    /// Be the first in a round to put chips in.
    "bet" => Bet {
        #[schema(minimum = 1)]
        by: u32,
    }
    /// Put in what is owed, or all there is.
    "match" => Match {}
    /// Put in what is owed, and `by` more for the others to match.
    "raise" => Raise {
        #[schema(minimum = 1)]
        by: u32,
    }
    /// Put in nothing.
    "pass" => Pass {}
    /// Match, and end the betting.
    "call" => Call {}
    /// Leave the hand, and what was put in.
    "fold" => Fold {}
    /// The three cards that go to the left.
    "rabble" => Rabble {
        #[schema(inline, value_type = Vec<KnightsCard>, min_items = 3, max_items = 3)]
        cards: Three,
    }
}

impl Game for KnightsHeads {
    const KIND: &'static str = "knights_heads";
    const NAME: &'static str = "Knights' Heads";
    const RULES_VERSION: u16 = 1;
    const SEATS: RangeInclusive<u8> = 2..=SEATS;
    const HAS_SECRETS: bool = true;
    const COUNTERS: &'static [&'static str] = &[COURTS_OF_KNIGHTS];

    const TEXTS: Translations = guide::TEXTS;
    const PROFILE: Profile = guide::PROFILE;

    type Card = KnightsCard;
    type Options = Options;
    type Action = Action;
    type Fact = Fact;
    type View = View;

    fn counted(fact: &Fact) -> Option<(Seat, &'static str, u32)> {
        match fact {
            Fact::Shown(shown) if shown.courts_of_knights > 0 => {
                Some((shown.seat, COURTS_OF_KNIGHTS, shown.courts_of_knights.into()))
            }
            _ => None,
        }
    }

    fn scorings() -> Option<Scorings> {
        Some(Scorings::of::<Scoring>())
    }

    fn ranking() -> Option<Ranking> {
        Some(ranking::RANKING)
    }

    fn odds() -> Option<Odds> {
        Some(odds::odds())
    }

    fn steady(seen: &Observation) -> serde_json::Value {
        bot::steady(seen)
    }

    fn story(facts: &[&Fact], names: Names<'_>) -> HandStory {
        story::story(facts, names)
    }

    fn role(card: KnightsCard) -> CardRole {
        guide::role(card)
    }

    fn hands() -> Vec<RankedHand> {
        guide::hands()
    }

    fn deck() -> Vec<CardInfo> {
        KnightsCard::deck().map(KnightsCard::info).collect()
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
        Ok(KnightsHeads {
            options,
            hand: 0,
            last_hand: None,
            out: SeatSet::EMPTY,
            phase: Phase::FirstDealer { stacks },
        })
    }

    fn need(&self) -> Need<KnightsCard> {
        match &self.phase {
            Phase::FirstDealer { stacks } => Need::Pick { of: stacks.len() as u8 },
            Phase::Shuffle { .. } => Need::Shuffle(KnightsCard::deck().collect()),
            Phase::Hand(table) => Need::Players(match table.turn() {
                Some(turn) => SeatSet::one(turn),
                None => table.to_pick(),
            }),
            Phase::Over { .. } => Need::Nothing,
        }
    }

    fn chance(&mut self, outcome: Chance<KnightsCard>, facts: &mut Facts<Fact>) {
        match (&self.phase, outcome) {
            (Phase::FirstDealer { stacks }, Chance::Pick(dealer)) => {
                self.phase = Phase::Shuffle { dealer, stacks: stacks.clone(), carried: 0 };
            }
            (Phase::Shuffle { .. }, Chance::Shuffle(order)) => self.deal(&order, facts),
            (phase, outcome) => unreachable!("{outcome:?} is no answer to {phase:?}"),
        }
    }

    fn legal(&self, seat: Seat) -> Menu<KnightsCard> {
        match &self.phase {
            Phase::Hand(table) if table.turn() == Some(seat) => self.bets(table, seat),
            Phase::Hand(table) if table.to_pick().contains(seat) => rabble(table, seat),
            _ => Menu::new(),
        }
    }

    fn act(&mut self, seat: Seat, action: &Action, facts: &mut Facts<Fact>) {
        let Phase::Hand(table) = &mut self.phase else {
            unreachable!("menus are empty between the hands");
        };
        match action {
            Action::Bet { by } => table.bet(seat, *by, facts),
            Action::Match {} => table.match_bet(seat, facts),
            Action::Raise { by } => table.raise(seat, *by, facts),
            Action::Pass {} => table.pass(seat, facts),
            Action::Call {} => table.call(seat, facts),
            Action::Fold {} => table.fold(seat, facts),
            Action::Rabble { cards } => table.pick(seat, cards, facts),
        }
        if let Stage::Done { caller } = table.stage {
            let table = table.clone();
            self.settle(table, caller, facts);
        }
    }

    fn view(&self, viewer: Option<Seat>) -> View {
        view::of(self, viewer)
    }

    fn default_action(&self, seat: Seat) -> Action {
        match &self.phase {
            Phase::Hand(table) if table.to_pick().contains(seat) => {
                // In deck order the lowest face is the last, and of its cards the highest number.
                let lowest = table.cards[usize::from(seat)].iter().rev().take(RABBLE);
                Action::Rabble { cards: lowest.copied().collect() }
            }
            Phase::Hand(table) if table.may_pass() => Action::Pass {},
            _ => Action::Fold {},
        }
    }

    fn secret(&self, seat: Seat, action: &Action) -> Option<Secret> {
        let hidden = matches!(action, Action::Rabble { .. });
        hidden.then(|| Secret { hand: u32::from(self.hand), seat, param: "cards" })
    }

    /// The receiver knows a rabble once all have passed, everybody once its receiver has shown.
    fn knows(&self, viewer: Option<Seat>, secret: Secret, _nth: usize) -> bool {
        let is_of = |hand: u16| u32::from(hand) == secret.hand;
        match (&self.phase, &self.last_hand) {
            (Phase::Hand(table), _) if is_of(self.hand) => {
                let receiver = table.rabble.receiver(secret.seat).filter(|_| table.rabble_is_passed());
                receiver.is_some() && viewer == receiver
            }
            (_, Some(last)) if is_of(last.hand) => {
                let receiver = last.rabble.receiver(secret.seat);
                receiver.is_some_and(|seat| viewer == Some(seat) || last.has_shown(seat))
            }
            _ => false,
        }
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

impl KnightsHeads {
    fn deal(&mut self, order: &[KnightsCard], facts: &mut Facts<Fact>) {
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
        let ante = self.options.ante_of(self.hand);
        facts.tell(|| Fact::HandBegan { hand: self.hand, dealer: *dealer });
        for seat in seats.from_left_of(*dealer) {
            facts.tell(|| Fact::Anted { seat, chips: ante });
        }
        let table = Table::dealt(*dealer, seats, stacks.clone(), ante, *carried, order);
        for seat in seats.from_left_of(*dealer) {
            tell_hidden(facts, seat, |sees| {
                let cards = table.cards[usize::from(seat)].iter().map(|&card| sees(card)).collect();
                Fact::Dealt { seat, cards }
            });
        }
        self.phase = Phase::Hand(table);
    }

    /// What is open to the seat whose turn it is in a betting round.
    fn bets(&self, table: &Table, seat: Seat) -> Menu<KnightsCard> {
        let mut menu = Menu::new();
        let raise = if table.is_unopened() { "bet" } else { "raise" };
        if table.may_pass() {
            menu.push(LegalAction::plain("pass"));
        }
        if !table.is_unopened() {
            menu.push(LegalAction::plain(if table.match_calls(seat) { "call" } else { "match" }));
        }
        if let Some(by) = table.bets.raise_bounds(seat, self.options.limits()) {
            let by = Domain::Integer { min: *by.start(), max: *by.end() };
            menu.push(LegalAction::plain(raise).with("by", by));
        }
        menu.push(LegalAction::plain("fold"));
        menu
    }

    /// The seats that can pay the ante of the next hand.
    fn able_to_pay(&self, stacks: &PerSeat<u32>) -> SeatSet {
        able_to_pay(stacks, self.options.ante_of(self.hand + 1))
    }

    fn stacks(&self) -> &PerSeat<u32> {
        match &self.phase {
            Phase::FirstDealer { stacks } | Phase::Shuffle { stacks, .. } | Phase::Over { stacks } => stacks,
            Phase::Hand(table) => &table.bets.stacks,
        }
    }
}

/// Three of the cards that the seat holds.
fn rabble(table: &Table, seat: Seat) -> Menu<KnightsCard> {
    let from = table.cards[usize::from(seat)].iter().copied().collect();
    let cards = Domain::Cards { from, min: RABBLE as u8, max: RABBLE as u8 };
    [LegalAction::plain("rabble").with("cards", cards)].into_iter().collect()
}
