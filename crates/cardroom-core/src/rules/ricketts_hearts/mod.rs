//! Ricketts House Hearts (source: "Ricketts House Hearts", rules of play).
//!
//! Four seats, thirteen cards each, and the seat with the lowest score in the end wins.
//! 1. Three cards are passed: to the left, in the next hand to the right, then across, then one to each of the
//!    others; in the fifth hand none; and so on from the beginning.
//! 2. The seat left of the dealer leads. One follows suit if one can; the highest card of the suit led wins the
//!    trick and leads to the next. There are no trumps.
//! 3. No heart is led before a heart or the queen of spades has been played. Neither is thrown into the first
//!    trick.
//! 4. Each heart counts 1, the queen of spades 13. A seat that takes all 26 has shot the moon, and takes 26 off its
//!    own score or puts 26 onto each of the others'.
//! 5. A score of exactly 104 or 126 after a hand becomes 0. Once a score is 100 or more, the lowest wins; where
//!    that is not one seat alone, they play on.
//!
//! Rulings: all pass at once, finally, before anybody sees what comes; where one card goes to each, the order is left,
//! across, right. A seat that holds nothing but hearts may lead one at any time, and a seat that holds nothing but
//! hearts and the queen may throw one into the first trick. The queen may be led at any time, and may be played to a
//! spade that was led. Of a moon nothing else is scored. Scores wrap before it is asked whether the game is over.
//!
//! Hands are hidden. A card passed is known to its giver and its receiver, in the log too, also when it has been
//! played. Tricks are there for all to see, those gone by as well.

mod bot;
mod cards;
mod deal;
mod describe;
mod facts;
mod guide;
mod moon;
mod odds;
mod options;
mod passing;
mod score;
#[cfg(test)]
mod solved;
mod state;
mod story;
mod tricks;
mod unseen;
mod view;
mod worlds;

use std::ops::RangeInclusive;

use arrayvec::ArrayVec;

use self::cards::{CardSet, SEATS, by_height};
use self::deal::{Deal, left_of};
use self::facts::tell_cards;
pub use self::facts::{Fact, Received};
pub use self::moon::MoonChoice;
pub use self::options::Options;
pub use self::passing::Passing;
use self::passing::{PASSED, Passed};
use self::score::{Moon, Settled, ends_the_game, tell_scores};
use self::state::Phase;
pub use self::state::RickettsHearts;
use self::tricks::{Tricks, shooter};
pub use self::view::{Given, LastHand, MoonView, PhaseName, SeatResult, SeatView, TrickView, View};
use crate::rules::action::actions;
use crate::rules::bot::Observation;
use crate::rules::cards::{CardInfo, French};
use crate::rules::facts::{Facts, Names};
use crate::rules::game::{Chance, Game, Need, Secret};
use crate::rules::hand_story::HandStory;
use crate::rules::menu::{Domain, LegalAction, Menu};
use crate::rules::odds::Odds;
use crate::rules::outcome::{Best, Outcome};
use crate::rules::profile::{CardRole, Profile};
use crate::rules::refusal::Refusal;
use crate::rules::seats::{Seat, SeatSet};
use crate::rules::texts::{Language, Translations};

actions! {

    #[derive(Copy)]
    of French;

    /// Pass three cards on. Where each of the others gets one, it is the left one's first, then the one
    /// across, then the right one's.
    "pass" => Pass {
        #[schema(inline, value_type = Vec<French>, min_items = 3, max_items = 3)]
        cards: Passed,
    }
    /// Play a card to the trick, or lead it.
    "play" => Play {
        #[schema(inline)]
        card: French,
    }
    /// Say what shooting the moon does to the scores.
    "moon" => Moon {
        #[schema(inline)]
        choice: MoonChoice,
    }
}

impl Game for RickettsHearts {
    const KIND: &'static str = "ricketts_hearts";
    const NAME: &'static str = "Ricketts House Hearts";
    const RULES_VERSION: u16 = 1;
    const SEATS: RangeInclusive<u8> = 4..=4;
    const HAS_SECRETS: bool = true;
    const BEST: Best = Best::Lowest;

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

    fn new(options: Options, _seats: u8) -> Result<Self, Refusal> {
        options.check()?;
        Ok(RickettsHearts {
            options,
            hand: 0,
            scores: [0; SEATS],
            last_hand: None,
            phase: Phase::FirstDealer,
        })
    }

    fn need(&self) -> Need<French> {
        match &self.phase {
            Phase::FirstDealer => Need::Pick { of: SEATS as u8 },
            Phase::Shuffle { .. } => Need::Shuffle(French::deck().collect()),
            Phase::Passing(deal) => Need::Players(deal.yet_to_pass()),
            Phase::Tricks(tricks) => Need::Players(SeatSet::one(tricks.turn())),
            Phase::Moon { shooter, .. } => Need::Players(SeatSet::one(*shooter)),
            Phase::Over => Need::Nothing,
        }
    }

    fn chance(&mut self, outcome: Chance<French>, facts: &mut Facts<Fact>) {
        match (&self.phase, outcome) {
            (Phase::FirstDealer, Chance::Pick(dealer)) => self.phase = Phase::Shuffle { dealer },
            (Phase::Shuffle { dealer }, Chance::Shuffle(order)) => {
                self.begin(Deal::dealt(*dealer, &order), facts);
            }
            (phase, outcome) => unreachable!("{outcome:?} is no answer to {phase:?}"),
        }
    }

    fn legal(&self, seat: Seat) -> Menu<French> {
        let mut menu = Menu::new();
        match &self.phase {
            Phase::Passing(deal) if deal.yet_to_pass().contains(seat) => {
                let from = deal.hand(seat).iter().collect();
                let three = Domain::Cards { from, min: PASSED as u8, max: PASSED as u8 };
                menu.push(LegalAction::plain("pass").with("cards", three));
            }
            Phase::Tricks(tricks) if tricks.turn() == seat => {
                let from = tricks.playable().iter().collect();
                menu.push(LegalAction::plain("play").with("card", Domain::Card { from }));
            }
            Phase::Moon { shooter, .. } if *shooter == seat => {
                let choice = Domain::Choice { from: &MoonChoice::WORDS };
                menu.push(LegalAction::plain("moon").with("choice", choice));
            }
            _ => {}
        }
        menu
    }

    fn act(&mut self, seat: Seat, action: &Action, facts: &mut Facts<Fact>) {
        match (&mut self.phase, action) {
            (Phase::Passing(deal), Action::Pass { cards }) => {
                deal.pass(seat, *cards, facts);
                if deal.yet_to_pass().is_empty() {
                    let mut deal = *deal;
                    let route = Passing::of_hand(self.hand).route().expect("cards are passed in this hand");
                    deal.exchange(route, facts);
                    self.phase = Phase::Tricks(Tricks::new(deal));
                }
            }
            (Phase::Tricks(tricks), Action::Play { card }) => {
                tricks.play(*card, facts);
                if tricks.are_all_taken() {
                    let tricks = tricks.clone();
                    self.count(tricks, facts);
                }
            }
            (Phase::Moon { tricks, shooter }, Action::Moon { choice }) => {
                let moon = Moon { shooter: *shooter, choice: *choice };
                let tricks = tricks.clone();
                facts.tell(|| Fact::MoonChosen { seat, choice: *choice });
                self.settle(&tricks, Some(moon), facts);
            }
            (phase, action) => unreachable!("{action:?} is on no menu in {phase:?}"),
        }
    }

    fn view(&self, viewer: Option<Seat>) -> View {
        view::of(self, viewer)
    }

    fn default_action(&self, seat: Seat) -> Action {
        match &self.phase {
            Phase::Passing(deal) => Action::Pass { cards: highest(deal.hand(seat)) },
            Phase::Tricks(tricks) => {
                let lowest = tricks.playable().iter().min_by_key(|&card| by_height(card));
                Action::Play { card: lowest.expect("whose turn it is holds a card") }
            }
            _ => Action::Moon { choice: MoonChoice::Plus },
        }
    }

    fn secret(&self, seat: Seat, action: &Action) -> Option<Secret> {
        matches!(action, Action::Pass { .. }).then(|| Secret { hand: self.hand, seat, param: "cards" })
    }

    /// The receiver of a card knows it when all have passed. Nobody else ever does: that a card is played does not tell
    /// where it came from.
    fn knows(&self, viewer: Option<Seat>, secret: Secret, nth: usize) -> bool {
        let all_have_passed = secret.hand < self.hand || !matches!(self.phase, Phase::Passing(_));
        let receiver = Passing::of_hand(secret.hand).route().map(|route| left_of(secret.seat, route[nth]));
        all_have_passed && viewer.is_some() && viewer == receiver
    }

    fn standings(&self) -> Outcome {
        Outcome::by_score(&self.scores.map(i64::from), Self::BEST)
    }
}

impl RickettsHearts {
    fn begin(&mut self, deal: Deal, facts: &mut Facts<Fact>) {
        self.hand += 1;
        let passing = Passing::of_hand(self.hand);
        facts.tell(|| Fact::HandBegan { hand: self.hand, dealer: deal.dealer, passing });
        for seat in (1..=SEATS as u8).map(|places| left_of(deal.dealer, places)) {
            tell_cards(facts, seat, |sees| Fact::Dealt {
                seat,
                cards: deal.hand(seat).iter().map(sees).collect(),
            });
        }
        self.phase = match passing.route() {
            Some(_) => Phase::Passing(deal),
            None => Phase::Tricks(Tricks::new(deal)),
        };
    }

    /// The last trick is taken.
    fn count(&mut self, tricks: Tricks, facts: &mut Facts<Fact>) {
        match shooter(&tricks.taken) {
            Some(shooter) => {
                facts.tell(|| Fact::MoonShot { seat: shooter });
                self.phase = Phase::Moon { tricks, shooter };
            }
            None => self.settle(&tricks, None, facts),
        }
    }

    fn settle(&mut self, tricks: &Tricks, moon: Option<Moon>, facts: &mut Facts<Fact>) {
        let settled = Settled::of(self.hand, tricks, moon, self.scores, &self.options);
        tell_scores(facts, &settled);
        self.scores = settled.after;
        self.phase = match ends_the_game(&self.scores, &self.options) {
            true => Phase::Over,
            false => Phase::Shuffle { dealer: left_of(settled.dealer, 1) },
        };
        self.last_hand = Some(settled);
    }
}

/// The three highest cards of a hand, which is not passed from twice, the highest first.
fn highest(hand: CardSet) -> Passed {
    let mut cards: ArrayVec<French, 13> = hand.iter().collect();
    cards.sort_unstable_by_key(|&card| std::cmp::Reverse(by_height(card)));
    std::array::from_fn(|nth| cards[nth])
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use utoipa::PartialSchema;

    use super::cards::ALL_POINTS;
    use super::tricks::points;
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

        fn order(&mut self, line: &LegalAction<French>) -> Action {
            match &line.params[0].1 {
                Domain::Cards { from, .. } => {
                    let mut from = from.clone();
                    self.shuffle(&mut from);
                    Action::Pass { cards: from[..PASSED].try_into().unwrap() }
                }
                Domain::Card { from } => {
                    Action::Play { card: from.iter().nth(self.below(from.len())).unwrap() }
                }
                _ if self.below(2) == 0 => Action::Moon { choice: MoonChoice::Minus },
                _ => Action::Moon { choice: MoonChoice::Plus },
            }
        }
    }

    /// Plays one step; none when the game is over.
    fn step(game: &mut RickettsHearts, dice: &mut Dice, facts: &mut Facts<Fact>) -> Option<()> {
        match game.need() {
            Need::Pick { of } => game.chance(Chance::Pick(dice.below(usize::from(of)) as u8), facts),
            Need::Shuffle(mut cards) => {
                dice.shuffle(&mut cards);
                game.chance(Chance::Shuffle(cards), facts);
            }
            Need::Players(seats) => {
                let seats: Vec<Seat> = seats.iter().collect();
                let seat = seats[dice.below(seats.len())];
                let action = dice.order(&game.legal(seat)[0]);
                super::super::play(game, seat, &action, facts).unwrap();
            }
            Need::Nothing => return None,
        }
        Some(())
    }

    fn random_games() -> impl Iterator<Item = (RickettsHearts, Dice)> {
        let options = [json!({}), json!({"target_score": 30, "wrap_scores": [26, 1, 13]})];
        (0..200).map(move |seed| {
            let options = serde_json::from_value(options[seed as usize % 2].clone()).unwrap();
            (RickettsHearts::new(options, 4).unwrap(), Dice(seed))
        })
    }

    #[test]
    fn in_a_hand_every_card_is_in_one_place() {
        for (mut game, mut dice) in random_games() {
            while step(&mut game, &mut dice, &mut Facts::ignored()).is_some() {
                let (deal, tricks) = match &game.phase {
                    Phase::Passing(deal) => (deal, None),
                    Phase::Tricks(tricks) | Phase::Moon { tricks, .. } => (&tricks.deal, Some(tricks)),
                    _ => continue,
                };
                let held = deal.hands.iter().flat_map(|hand| hand.iter());
                let on_the_way = deal.passed.iter().flatten().flatten().filter(|_| tricks.is_none());
                let taken = tricks.iter().flat_map(|tricks| &tricks.taken).flat_map(|trick| &trick.cards);
                let played = tricks.iter().flat_map(|tricks| &tricks.trick).chain(taken);
                let mut cards: Vec<French> = held.chain(played.chain(on_the_way).copied()).collect();
                cards.sort_unstable();
                assert!(cards.into_iter().eq(French::deck()));
            }
        }
    }

    #[test]
    fn a_hand_counts_26_points_whoever_takes_them_and_every_game_ends_with_one_winner() {
        for (mut game, mut dice) in random_games() {
            while step(&mut game, &mut dice, &mut Facts::ignored()).is_some() {
                if let (Phase::Shuffle { .. } | Phase::Over, Some(last)) = (&game.phase, &game.last_hand) {
                    assert_eq!(points(&last.tricks).iter().sum::<u8>(), ALL_POINTS);
                }
            }
            assert_eq!(game.outcome().unwrap().winners.len(), 1);
        }
    }

    #[test]
    fn what_is_shown_told_and_sent_is_what_the_schemas_say() {
        let [view, fact, action] = [View::schema(), Fact::schema(), Action::schema()].map(|schema| {
            let schema = serde_json::to_value(schema).unwrap();
            assert!(!schema.to_string().contains("$ref"), "{schema}");
            jsonschema::validator_for(&schema).unwrap()
        });
        let (mut game, mut dice) = random_games().next().unwrap();
        let mut facts = Facts::kept();
        while step(&mut game, &mut dice, &mut facts).is_some() {
            view.validate(&serde_json::to_value(game.view(Some(1))).unwrap()).unwrap();
        }
        for (_, told) in facts.into_vec() {
            fact.validate(&serde_json::to_value(told).unwrap()).unwrap();
        }
        for good in [
            json!({"type": "pass", "cards": ["QS", "AH", "KH"]}),
            json!({"type": "play", "card": "2C"}),
            json!({"type": "moon", "choice": "minus"}),
        ] {
            action.validate(&good).unwrap();
            assert!(serde_json::from_value::<Action>(good).is_ok());
        }
        for bad in [
            json!({"type": "pass", "cards": ["QS", "AH"]}),
            json!({"type": "pass", "cards": ["QS", "AH", "KH", "TH"]}),
            json!({"type": "play", "card": "1C"}),
            json!({"type": "moon", "choice": "none"}),
            json!({"type": "moon"}),
        ] {
            assert!(!action.is_valid(&bad), "{bad}");
            assert!(serde_json::from_value::<Action>(bad).is_err());
        }
    }

    #[test]
    fn a_state_is_small_enough_to_be_cloned_for_every_action() {
        assert!(size_of::<RickettsHearts>() <= 384, "{}", size_of::<RickettsHearts>());
    }
}
