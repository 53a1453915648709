//! Worlds of Ricketts House Hearts: the cards that lie elsewhere, dealt so that no seat holds a suit that it has shown to
//! be out of, and what the seat has passed on lies where it went.

use arrayvec::ArrayVec;
use serde::Deserialize;

use super::bot;
use super::cards::{CardSet, HEARTS, PENALTIES, SEATS};
use super::deal::{Deal, left_of};
use super::passing::Passed;
use super::score::{Scores, ends_the_game};
use super::state::{Phase, RickettsHearts};
use super::tricks::{TRICKS, Trick, Tricks, shooter};
use super::unseen::{Room, Unseen};
use super::{Action, MoonChoice, Options};
use crate::rules::bot::{Luck, Observation};
use crate::rules::cards::French;
use crate::rules::game::Game;
use crate::rules::outcome::Outcome;
use crate::rules::seats::Seat;
use crate::search::Worlds;

#[derive(Deserialize)]
struct View {
    hand: u32,
    dealer: Seat,
    seats: Vec<SeatView>,
    passed: Vec<Given>,
    leader: Option<Seat>,
    trick: Vec<French>,
    tricks: Vec<TrickView>,
}

#[derive(Deserialize)]
struct SeatView {
    score: i32,
    cards: Vec<Option<French>>,
}

#[derive(Deserialize)]
struct Given {
    to: Seat,
    card: French,
}

#[derive(Deserialize)]
struct TrickView {
    leader: Seat,
    cards: [French; SEATS],
    taken_by: Seat,
    points: u8,
}

/// What a seat knows.
pub struct Known {
    options: Options,
    pub(super) seat: Seat,
    hand: u32,
    dealer: Seat,
    scores: Scores,
    passed: Option<Passed>,
    /// What it knows each seat to hold, its own hand too.
    pub(super) certain: [CardSet; SEATS],
    /// How the other cards may lie with the other seats.
    pub(super) unseen: Unseen,
    /// How many cards each seat holds.
    counts: [usize; SEATS],
    /// None while all pass.
    pub(super) tricks: Option<Tricks>,
}

impl Worlds for RickettsHearts {
    type Known = Known;

    const LUCK_SHARE: f64 = 0.55;

    fn known(seen: &Observation) -> Known {
        let view: View = seen.view();
        let tricks = view.tricks();
        let played = tricks.iter().flat_map(|tricks| {
            tricks.taken.iter().flat_map(|trick| trick.cards).chain(tricks.trick.iter().copied())
        });
        let played: CardSet = played.collect();
        let own: CardSet = view.seats[usize::from(seen.seat)].cards.iter().copied().flatten().collect();
        let mut certain = [CardSet::EMPTY; SEATS];
        certain[usize::from(seen.seat)] = own;
        for given in &view.passed {
            certain[usize::from(given.to)] =
                certain[usize::from(given.to)] | CardSet::one(given.card) & !played;
        }
        let elsewhere = !(certain.into_iter().fold(played, |all, cards| all | cards));
        let lacking = tricks.as_ref().map_or([CardSet::EMPTY; SEATS], lacking);
        let counts: [usize; SEATS] = std::array::from_fn(|seat| view.seats[seat].cards.len());
        let held = |seat: usize| usize::from(certain[seat].len());
        let seats = (0..SEATS).filter(|&seat| seat != usize::from(seen.seat)).map(|seat| {
            // Before the passing, all are dealt as many.
            let count = if tricks.is_some() { counts[seat] } else { TRICKS };
            Room { seat, cards: count.saturating_sub(held(seat)), lacks: lacking[seat] }
        });
        let seats = seats.collect::<ArrayVec<Room, 3>>().into_inner().expect("there are three others");
        Known {
            options: seen.options(),
            seat: seen.seat,
            hand: view.hand,
            dealer: view.dealer,
            scores: std::array::from_fn(|seat| view.seats[seat].score),
            passed: view.passed.iter().map(|given| given.card).collect::<ArrayVec<_, 3>>().into_inner().ok(),
            certain,
            unseen: Unseen::new(elsewhere & French::deck().collect(), &seats),
            counts,
            tricks,
        }
    }

    fn world(known: &Known, luck: &mut Luck) -> RickettsHearts {
        let phase = match known.tricks.clone() {
            None => Phase::Passing(known.deal_before_passing(luck)),
            Some(mut tricks) => {
                tricks.deal.passed[usize::from(known.seat)] = known.passed;
                if tricks.are_all_taken() {
                    let shooter = shooter(&tricks.taken).expect("else the hand would be over");
                    Phase::Moon { tricks, shooter }
                } else {
                    tricks.deal.hands = known.unseen.deal(known.certain, luck);
                    Phase::Tricks(tricks)
                }
            }
        };
        let Known { options, hand, scores, .. } = known;
        RickettsHearts { options: options.clone(), hand: *hand, scores: *scores, last_hand: None, phase }
    }

    fn candidates(&self, seat: Seat) -> Vec<Action> {
        match &self.phase {
            Phase::Passing(deal) => passes(deal.hand(seat)),
            Phase::Tricks(tricks) => tricks.playable().iter().map(|card| Action::Play { card }).collect(),
            _ => [MoonChoice::Minus, MoonChoice::Plus].map(|choice| Action::Moon { choice }).into(),
        }
    }

    fn careful(&self, seat: Seat) -> Action {
        match &self.phase {
            Phase::Passing(deal) => Action::Pass { cards: bot::pass(deal.hand(seat)) },
            Phase::Tricks(tricks) => {
                let card = bot::play(&tricks.trick, tricks.deal.hand(seat), tricks.playable());
                Action::Play { card }
            }
            _ => Action::Moon { choice: bot::moon(&self.scores, self.scores[usize::from(seat)]) },
        }
    }

    fn is_settled(&self) -> bool {
        matches!(self.phase, Phase::Shuffle { .. } | Phase::Over)
    }

    fn worth(&self, seat: Seat) -> f64 {
        if ends_the_game(&self.scores, &self.options) {
            let place = place(&self.standings(), seat);
            return [1.0, 0.1, 0.05, 0.0][usize::from(place - 1)];
        }
        likely(self.scores, seat, self.options.target_score)
    }
}

impl View {
    fn tricks(&self) -> Option<Tricks> {
        let deal = Deal { dealer: self.dealer, hands: [CardSet::EMPTY; SEATS], passed: [None; SEATS] };
        let taken: ArrayVec<Trick, TRICKS> = self
            .tricks
            .iter()
            .map(|&TrickView { leader, cards, taken_by, points }| Trick {
                leader,
                cards,
                taker: taken_by,
                points,
            })
            .collect();
        let last = taken.last().map(|trick| trick.taker);
        let leader = self.leader.or(last.filter(|_| taken.is_full()))?;
        Some(Tricks { deal, leader, trick: self.trick.iter().copied().collect(), taken })
    }
}

impl Known {
    /// Seats that have passed already passed what a careful player would.
    fn deal_before_passing(&self, luck: &mut Luck) -> Deal {
        let has_passed = |seat: usize| self.counts[seat] < TRICKS;
        let mut deal =
            Deal { dealer: self.dealer, hands: self.unseen.deal(self.certain, luck), passed: [None; SEATS] };
        for seat in (0..SEATS).filter(|&seat| has_passed(seat)) {
            let cards = bot::pass(deal.hands[seat]);
            cards.iter().for_each(|&card| deal.hands[seat].remove(card));
            deal.passed[seat] = Some(cards);
        }
        deal
    }
}

/// The cards that each seat has shown not to hold.
fn lacking(tricks: &Tricks) -> [CardSet; SEATS] {
    let mut lacking = [CardSet::EMPTY; SEATS];
    let mut broken = false;
    let taken = tricks.taken.iter().map(|trick| (trick.leader, &trick.cards[..]));
    for (leader, cards) in taken.chain([(tricks.leader, &tricks.trick[..])]) {
        for (nth, &card) in (0..).zip(cards) {
            let seat = usize::from(left_of(leader, nth));
            let led = CardSet::suit(cards[0].suit());
            let one = CardSet::one(card);
            if (one & led).is_empty() {
                lacking[seat] = lacking[seat] | led;
            }
            if nth == 0 && !broken && !(one & HEARTS).is_empty() {
                // It holds nothing but hearts.
                lacking[seat] = lacking[seat] | !HEARTS;
            }
            broken |= !(one & PENALTIES).is_empty();
        }
    }
    lacking
}

/// How many of the cards that steady play would pass first are thought about.
const PASSABLE: usize = 7;

/// Three of the most dangerous cards, in the order in which steady play passes them.
fn passes(hand: CardSet) -> Vec<Action> {
    let mut left = hand;
    let mut cards: Vec<French> = Vec::new();
    while cards.len() < PASSABLE && left.len() >= 3 {
        let next = bot::pass(left)[2];
        left.remove(next);
        cards.push(next);
    }
    let mut passes = Vec::new();
    for third in 2..cards.len() {
        for second in 1..third {
            passes.extend(
                (0..second).map(|first| Action::Pass { cards: [cards[third], cards[second], cards[first]] }),
            );
        }
    }
    passes
}

fn place(outcome: &Outcome, seat: Seat) -> u8 {
    outcome.places.iter().find(|placing| placing.seat == seat).map_or(1, |placing| placing.place)
}

/// About how likely a seat wins with these scores before another hand. A lead is worth the more, the nearer the target
/// is: a hand moves two scores apart by some seven points, and more hands move them by the root of their number.
fn likely(scores: Scores, seat: Seat, target: u16) -> f64 {
    let lowest = scores.iter().copied().min().unwrap_or(0);
    let highest = scores.iter().copied().max().unwrap_or(0);
    let hands_left = 1.0 + f64::from((i32::from(target) - highest).max(0)) / 9.0;
    let spread = 14.0 * hands_left.sqrt();
    let weight = |score: i32| {
        let near = 1.0 / (1.0 + f64::from(score - lowest) / spread);
        near * near * near * near
    };
    weight(scores[usize::from(seat)]) / scores.iter().map(|&score| weight(score)).sum::<f64>()
}
