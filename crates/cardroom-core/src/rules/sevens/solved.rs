//! A reduced Sevens that can be solved: two seats, of which the first has traded one card and checked, and seven cards that
//! the second does not see.

use std::collections::HashMap;

use serde_json::value::to_raw_value;

use super::Action;
use super::bot::best_trade;
use super::card::NaykuhCard;
use super::hand::{Cards, HAND};
use super::options::Options;
use super::state::{Phase, Sevens};
use super::table::Table;
use super::worlds::Known;
use crate::rules::seats::{PerSeat, Seat, SeatSet};
use crate::search::Worlds;
use crate::search::solved::{Reduced, Solver, Weighted, choices, habits, orders, reviews_agree};

const TRADED: usize = 1;
/// As it was dealt to the first, what it drew, and what the second may draw.
const UNSEEN: usize = HAND + TRADED + HAND;

#[test]
fn reviews_of_a_reduced_sevens_agree_with_its_solution() {
    reviews_agree::<Sevens>(&Options::default(), 2, 40, |seen, luck| {
        let mut known = Sevens::known(seen);
        let other = 1 - known.seat;
        let has_checked = known.table.bets.bet == known.options.ante && !known.table.unheard.contains(other);
        if !has_checked || known.table.traded[usize::from(other)] != TRADED as u8 {
            return None;
        }
        luck.shuffle(&mut known.unseen);
        known.unseen.truncate(UNSEEN);
        known.cards_left = HAND;
        Some(Reduced { seat: known.seat, worlds: worlds(&known), known })
    });
}

/// All hands that the first seat may have been dealt, with all that it may have drawn.
fn worlds(known: &Known) -> Vec<Weighted<Sevens>> {
    let other = 1 - known.seat;
    let mut worlds = Vec::new();
    for (dealt, left) in choices(&known.unseen, HAND) {
        let mut dealt: Cards = dealt.into_iter().collect();
        dealt.sort_unstable();
        let (chance, given) = best_trade(&dealt, TRADED..=TRADED);
        let weight = known.plausible(other, chance, &dealt) as f64;
        let at = dealt.iter().position(|card| *card == given[0]).unwrap();
        dealt.remove(at);
        for order in orders(&left) {
            let mut table = known.table.clone();
            let (drawn, deck) = order.split_at(TRADED);
            let mut cards: Cards = dealt.iter().chain(drawn).copied().collect();
            cards.sort_unstable();
            table.cards[usize::from(other)] = cards;
            table.deck = deck.iter().copied().collect();
            let Known { options, hand, .. } = *known;
            worlds.push((
                Sevens { options, hand, last_hand: None, out: SeatSet::EMPTY, phase: Phase::Betting(table) },
                weight,
            ));
        }
    }
    worlds
}

/// How a seat bets.
#[derive(Debug, Clone, Copy)]
enum Bettor {
    Random,
    Steady,
    /// Thinks ahead, and mixes what is nearly as good, as far apart as this.
    Thinking(f64),
}

/// A hand of two seats without trades, of all that this deck deals: seat 0 bets first, by five chips, and each has ten
/// beside the ante of five.
const DECK: [&str; 8] = ["1C", "1G", "2C", "2G", "3C", "3S", "4S", "5S"];
const CHIPS: u32 = 15;
/// In how many worlds the bettors think, and how often they are asked.
const THINKING: (u32, u64) = (64, 24);

#[test]
fn bots_that_think_ahead_are_harder_to_exploit_in_a_reduced_sevens() {
    let options = Options { buy_in: CHIPS, hands: 1000, max_raise: Some(5), ..Options::default() };
    let exploited = |bettor| {
        let chips = exploitability(options, bettor);
        println!("{bettor:?}: {chips:.3} chips a hand");
        chips
    };
    let [random, steady] = [Bettor::Random, Bettor::Steady].map(exploited);
    // Mixing changes nothing here: bots agree about what is best, or see more than the band between two actions.
    let [pure, mixing] = [0.0, Sevens::MIXED].map(|band| exploited(Bettor::Thinking(band)));
    assert!(pure.max(mixing) < steady && steady < random);
}

/// How many chips a hand a seat wins in the mean that knows how the other bets, and does its best.
fn exploitability(options: Options, bettor: Bettor) -> f64 {
    let written = to_raw_value(&options).unwrap();
    let deals = deals(options);
    let of_seat = |seat: Seat| {
        let mut known_habits = HashMap::new();
        let others = |world: &Sevens, seat| habits_of(world, seat, bettor, &mut known_habits);
        let mut solver = Solver {
            seat,
            options: &written,
            tries: Box::new(Sevens::candidates),
            others: Box::new(others),
            worth: won,
        };
        solver.value(deals.iter().map(|deal| (deal.clone(), 1.0 / deals.len() as f64)).collect())
    };
    (of_seat(0) + of_seat(1)) / 2.0
}

/// All deals, as likely each, before the first bet. Each seat has traded a card already.
fn deals(options: Options) -> Vec<Sevens> {
    let seats = [0, 1].into_iter().collect();
    let stacks: PerSeat<u32> = [options.buy_in; 2].into_iter().collect();
    let order: Vec<NaykuhCard> = NaykuhCard::deck().collect();
    let mut before = Table::dealt(1, seats, stacks, options.ante, 0, &order);
    before.traded = [1, 1].into_iter().collect();
    before.deck.clear();
    let mut deals = Vec::new();
    for (first, left) in choices(&deck(), HAND) {
        for (second, left) in choices(&left, HAND) {
            for drawn in orders(&left) {
                let hands = [&first, &second].into_iter().zip(drawn).map(|(dealt, drawn)| {
                    let mut cards: Cards = dealt.iter().copied().collect();
                    cards.sort_unstable();
                    let (_, given) = best_trade(&cards, 1..=1);
                    cards.retain(|card| *card != given[0]);
                    cards.push(drawn);
                    cards.sort_unstable();
                    cards
                });
                let table = Table { cards: hands.collect(), ..before.clone() };
                deals.push(Sevens {
                    options,
                    hand: 1,
                    last_hand: None,
                    out: SeatSet::EMPTY,
                    phase: Phase::Betting(table),
                });
            }
        }
    }
    deals
}

fn deck() -> [NaykuhCard; 8] {
    DECK.map(|name| serde_json::from_value(name.into()).expect("these are cards"))
}

/// What a seat has won or lost when the hand is over.
fn won(world: &Sevens, seat: Seat) -> f64 {
    let stacks = world.stacks();
    let carried = 2 * CHIPS - stacks.iter().sum::<u32>();
    f64::from(stacks[usize::from(seat)]) + f64::from(carried) / 2.0 - f64::from(CHIPS)
}

/// What a seat does and how likely that is, by what it knows.
fn habits_of(
    world: &Sevens,
    seat: Seat,
    bettor: Bettor,
    known_habits: &mut HashMap<String, Vec<(Action, f64)>>,
) -> Vec<(Action, f64)> {
    let candidates = world.candidates(seat);
    let band = match bettor {
        Bettor::Random => {
            let likely = 1.0 / candidates.len() as f64;
            return candidates.into_iter().map(|action| (action, likely)).collect();
        }
        Bettor::Steady => return vec![(world.careful(seat), 1.0)],
        Bettor::Thinking(band) => band,
    };
    let Phase::Betting(table) = &world.phase else { unreachable!("the hand is bet on") };
    let own = table.cards[usize::from(seat)].clone();
    let mut table = table.clone();
    table.cards[usize::from(1 - seat)].clear();
    let unseen = deck().into_iter().filter(|card| !own.contains(card)).collect();
    let key = format!("{table:?}");
    let known = Known { options: world.options, seat, hand: 1, table, unseen, cards_left: 0 };
    let (worlds, decisions) = THINKING;
    let think = || habits::<Sevens>(&known, seat, worlds, band, decisions);
    known_habits.entry(key).or_insert_with(think).clone()
}
