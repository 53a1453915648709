//! Solves reduced games by trying everything in every world, so that what a search finds by a sample can be held against
//! it.

use std::collections::BTreeMap;

use serde_json::value::{RawValue, to_raw_value};

use super::{Worlds, choose_by_known, weigh};
use crate::review::estimates::Mean;
use crate::rules::bot::{Luck, Menu, Observation};
use crate::rules::facts::Facts;
use crate::rules::game::{Chance, Need};
use crate::rules::menu::canonical;
use crate::rules::registry::AnyGame;
use crate::rules::seats::Seat;

/// How many worlds a review's figures are taken from here.
const WORLDS: u32 = 1000;

/// A world, and how likely it is.
pub type Weighted<G> = (G, f64);

/// What a seat may do, or what others do and how likely that is.
type Policy<'s, G, T> = Box<dyn FnMut(&G, Seat) -> Vec<T> + 's>;

/// Looks for the best that a seat can do, if it tells worlds apart by nothing but what it sees.
pub struct Solver<'s, G: Worlds> {
    pub seat: Seat,
    pub options: &'s RawValue,
    /// What the seat tries: all of it, for its best; one action, for what that comes to.
    pub tries: Policy<'s, G, G::Action>,
    pub others: Policy<'s, G, (G::Action, f64)>,
    pub worth: fn(&G, Seat) -> f64,
}

impl<'s, G: Worlds + 's> Solver<'s, G> {
    /// Where all others play carefully.
    pub fn against_careful(
        seat: Seat,
        options: &'s RawValue,
        tries: impl FnMut(&G, Seat) -> Vec<G::Action> + 's,
    ) -> Solver<'s, G> {
        let others = Box::new(|world: &G, seat| vec![(world.careful(seat), 1.0)]);
        Solver { seat, options, tries: Box::new(tries), others, worth: G::worth }
    }

    /// What these worlds come to for the seat, added up by their weights.
    pub fn value(&mut self, worlds: Vec<Weighted<G>>) -> f64 {
        let (mut settled, mut alike) = (0.0, BTreeMap::new());
        for (world, weight) in worlds {
            self.play_on(world, weight, &mut settled, &mut alike);
        }
        settled + alike.into_values().map(|worlds| self.best(&worlds)).sum::<f64>()
    }

    /// The same after an action of the seat, in worlds that it cannot tell apart.
    pub fn after(&mut self, alike: &[Weighted<G>], action: &G::Action) -> f64 {
        let acted = |(world, weight): &Weighted<G>| {
            let mut world = world.clone();
            world.act(self.seat, action, &mut Facts::ignored());
            (world, *weight)
        };
        let worlds = alike.iter().map(acted).collect();
        self.value(worlds)
    }

    fn best(&mut self, alike: &[Weighted<G>]) -> f64 {
        let tried = (self.tries)(&alike[0].0, self.seat);
        tried.iter().map(|action| self.after(alike, action)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Lets the others act until the seat decides or the hand is over.
    fn play_on(
        &mut self,
        world: G,
        weight: f64,
        settled: &mut f64,
        alike: &mut BTreeMap<String, Vec<Weighted<G>>>,
    ) {
        if world.is_settled() {
            *settled += weight * (self.worth)(&world, self.seat);
            return;
        }
        let Need::Players(waits_for) = world.need() else { unreachable!("no chance comes within a hand") };
        if waits_for.contains(self.seat) {
            let Observation { view, legal_actions, .. } = world.at_seat(self.seat, self.options);
            alike.entry(format!("{view}{legal_actions}")).or_default().push((world, weight));
            return;
        }
        let next = waits_for.iter().next().expect("somebody is waited for");
        for (action, likely) in (self.others)(&world, next) {
            let mut world = world.clone();
            world.act(next, &action, &mut Facts::ignored());
            self.play_on(world, weight * likely, settled, alike);
        }
    }
}

/// What a seat decides about in a reduced game.
pub struct Reduced<G: Worlds> {
    pub seat: Seat,
    pub known: G::Known,
    /// All worlds that agree with it, and their weights.
    pub worlds: Vec<Weighted<G>>,
}

/// Holds reviews of so many decisions of random games against the exact figures; `reduce` says which are looked at. Each
/// worth of a review lies within five of its standard errors of the exact one, and what it prefers is the best action or
/// as good. Prints what that costs against the best that there is, if the seat also plays on as well as it can.
pub fn reviews_agree<G: Worlds>(
    options: &G::Options,
    seats: Seat,
    decisions: u64,
    reduce: impl Fn(&Observation, &mut Luck) -> Option<Reduced<G>>,
) {
    let (luck, written) = (&mut Luck::new(1), to_raw_value(options).unwrap());
    let (mut done, mut worlds, mut careful, mut best) = (0, 0, 0.0, 0.0);
    while done < decisions {
        let Some(reduced) = in_a_game(options, seats, luck, &reduce) else { continue };
        done += 1;
        worlds += reduced.worlds.len();
        let costs = costs_of_preferred(&reduced, &written, done);
        careful += costs.0 / decisions as f64;
        best += costs.1 / decisions as f64;
    }
    println!(
        "{}: {decisions} decisions, {worlds} worlds; what a review prefers costs {careful:.5} in the mean, \
         and {best:.4} if the seat plays its best from then on",
        G::KIND
    );
    assert!(careful < 0.001, "{careful}");
}

/// The first decision of a random game that can be reduced.
fn in_a_game<G: Worlds>(
    options: &G::Options,
    seats: Seat,
    luck: &mut Luck,
    reduce: impl Fn(&Observation, &mut Luck) -> Option<Reduced<G>>,
) -> Option<Reduced<G>> {
    let written = to_raw_value(options).unwrap();
    let mut game = G::new(options.clone(), seats).unwrap();
    loop {
        match game.need() {
            Need::Nothing => return None,
            Need::Pick { of } => {
                game.chance(Chance::Pick(luck.below(of.into()) as u8), &mut Facts::ignored());
            }
            Need::Shuffle(mut cards) => {
                luck.shuffle(&mut cards);
                game.chance(Chance::Shuffle(cards), &mut Facts::ignored());
            }
            Need::Players(seats) => {
                let seat = seats.iter().next().unwrap();
                let seen = game.at_seat(seat, &written);
                // Not always the first one.
                if luck.below(3) == 0
                    && let Some(reduced) = reduce(&seen, luck)
                {
                    return Some(reduced);
                }
                let action = Menu::of(&seen.legal_actions).any(luck).to_string();
                game.play(seat, &action, &mut Facts::ignored()).unwrap();
            }
        }
    }
}

/// Looks at all that a review says of a decision. Returns what the action that it prefers costs, if the seat plays on
/// carefully, and if it plays on as well as it can.
fn costs_of_preferred<G: Worlds>(reduced: &Reduced<G>, options: &RawValue, luck: u64) -> (f64, f64) {
    let Reduced { seat, known, worlds } = reduced;
    let all: f64 = worlds.iter().map(|(_, weight)| weight).sum();
    let alike: Vec<Weighted<G>> =
        worlds.iter().map(|(world, weight)| (world.clone(), weight / all)).collect();
    let mut careful = Solver::against_careful(*seat, options, |world: &G, seat| vec![world.careful(seat)]);
    let mut best = Solver::against_careful(*seat, options, G::candidates);
    let weighed = weigh::by_known::<G>(known, *seat, worlds[0].0.careful(*seat), WORLDS, luck);
    // What a review says of each action, and its exact values.
    let mut values = Vec::new();
    for (action, worths) in weighed.iter().filter(|(_, worths)| !worths.is_empty()) {
        let Mean { mean, error } = Mean::of(worths.iter().copied());
        let exact = careful.after(&alike, action);
        assert!(
            (mean - exact).abs() < 5.0 * error + 1e-9,
            "{}: {mean} ± {error}, {exact}",
            canonical(action)
        );
        values.push((mean, exact, best.after(&alike, action)));
    }
    let Some(preferred) = values.iter().max_by(|one, other| one.0.total_cmp(&other.0)) else {
        return (0.0, 0.0);
    };
    let most = |of: fn(&(f64, f64, f64)) -> f64| values.iter().map(of).fold(0.0, f64::max);
    (most(|values| values.1) - preferred.1, most(|values| values.2) - preferred.2)
}

/// How often bots that think ahead in so many worlds take each action, by so many decisions; `band` is as in
/// [`Worlds::MIXED`].
pub fn habits<G: Worlds>(
    known: &G::Known,
    seat: Seat,
    worlds: u32,
    band: f64,
    decisions: u64,
) -> Vec<(G::Action, f64)> {
    let mut habits = BTreeMap::new();
    for luck in 0..decisions {
        let action = choose_by_known::<G>(known, seat, worlds, band, luck << 32);
        habits.entry(canonical(&action)).or_insert((action, 0.0)).1 += 1.0 / decisions as f64;
    }
    habits.into_values().collect()
}

/// Each order of these, as a list of all that can be drawn so.
pub fn orders<T: Copy>(cards: &[T]) -> Vec<Vec<T>> {
    let mut orders = vec![Vec::new()];
    for (nth, card) in cards.iter().enumerate() {
        let longer = |order: Vec<T>| {
            (0..=nth).map(move |at| {
                let mut order = order.clone();
                order.insert(at, *card);
                order
            })
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    orders
}

/// Each way to take so many of these: what is taken, and what is left.
pub fn choices<T: Copy>(cards: &[T], taken: usize) -> Vec<(Vec<T>, Vec<T>)> {
    let Some((first, rest)) = cards.split_first() else {
        return if taken == 0 { vec![(Vec::new(), Vec::new())] } else { Vec::new() };
    };
    let with = |(mut cards, left): (Vec<T>, Vec<T>)| {
        cards.insert(0, *first);
        (cards, left)
    };
    let without = |(cards, mut left): (Vec<T>, Vec<T>)| {
        left.insert(0, *first);
        (cards, left)
    };
    let taking = if taken > 0 { choices(rest, taken - 1) } else { Vec::new() };
    taking.into_iter().map(with).chain(choices(rest, taken).into_iter().map(without)).collect()
}
