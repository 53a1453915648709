//! How fast games are played, in memory and on one core: `cargo bench --bench playouts`.
//!
//! For each kind random games at a full table, by its own types: no JSON, no log, nobody who listens. A step is
//! one action: what is needed, the menu, a random order from it, and the action done. Deals are included.
//! Medians of nine rounds.

use std::hint::black_box;
use std::time::Instant;

use arrayvec::ArrayVec;
use cardroom_core::rules::cards::{Card, French};
use cardroom_core::rules::knights_heads::deck::KnightsCard;
use cardroom_core::rules::knights_heads::{self, KnightsHeads};
use cardroom_core::rules::menu::{Domain, LegalAction};
use cardroom_core::rules::ricketts_hearts::{self, MoonChoice, RickettsHearts};
use cardroom_core::rules::ritunas_favour::{self, RitunasFavour};
use cardroom_core::rules::royal_gambit::{self, RoyalGambit};
use cardroom_core::rules::sevens::{self, NaykuhCard, Sevens};
use cardroom_core::rules::{Chance, Facts, Game, Need, Seat};
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

const ROUNDS: usize = 9;
const STEPS: u64 = 1_000_000;

/// Puts an action together from a line of the menu.
type Order<G> = fn(&LegalAction<<G as Game>::Card>, &mut SmallRng) -> <G as Game>::Action;

fn main() {
    println!("{:16} {:>12}", "kind", "steps, 1/s");
    measure::<RitunasFavour>(ritunas_favour);
    measure::<Sevens>(sevens);
    measure::<RickettsHearts>(ricketts_hearts);
    measure::<KnightsHeads>(knights_heads);
    measure::<RoyalGambit>(royal_gambit);
}

fn measure<G: Game>(order: Order<G>) {
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let mut rng = SmallRng::seed_from_u64(1);
            let start = Instant::now();
            let mut steps = 0;
            while steps < STEPS {
                steps += playout::<G>(order, &mut rng);
            }
            steps as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    println!("{:16} {:>12.0}", G::KIND, rates[ROUNDS / 2]);
}

/// How many actions a random game had.
fn playout<G: Game>(order: Order<G>, rng: &mut SmallRng) -> u64 {
    let mut game = G::new(G::Options::default(), *G::SEATS.end()).expect("defaults are good");
    let mut facts = Facts::ignored();
    let mut steps = 0;
    loop {
        match game.need() {
            Need::Pick { of } => game.chance(Chance::Pick(rng.random_range(0..of)), &mut facts),
            Need::Shuffle(mut cards) => {
                cards.shuffle(rng);
                game.chance(Chance::Shuffle(cards), &mut facts);
            }
            Need::Players(seats) => {
                let seat = seats.iter().next().expect("somebody is waited for");
                let menu = game.legal(seat);
                let action = order(menu.choose(rng).expect("somebody can act"), rng);
                game.act(seat, &action, &mut facts);
                steps += 1;
            }
            Need::Nothing => {
                black_box(&game);
                return steps;
            }
        }
    }
}

fn ritunas_favour(line: &LegalAction<French>, _rng: &mut SmallRng) -> ritunas_favour::Action {
    use ritunas_favour::Action;
    match line.name {
        "take" => Action::Take {},
        "stick" => Action::Stick {},
        "redeal" => Action::Redeal {},
        "split" => Action::Split {},
        _ => Action::Keep {},
    }
}

fn sevens(line: &LegalAction<NaykuhCard>, rng: &mut SmallRng) -> sevens::Action {
    use sevens::Action;
    match (line.name, line.params.as_slice()) {
        ("check", [(_, trade)]) => Action::Check { trade: cards(trade, rng) },
        ("call", [(_, trade)]) => Action::Call { trade: cards(trade, rng) },
        ("raise", [(_, by), (_, trade)]) => Action::Raise { by: integer(by, rng), trade: cards(trade, rng) },
        _ => Action::Fold {},
    }
}

fn ricketts_hearts(line: &LegalAction<French>, rng: &mut SmallRng) -> ricketts_hearts::Action {
    use ricketts_hearts::Action;
    let (_, domain) = &line.params[0];
    match line.name {
        "pass" => Action::Pass { cards: cards(domain, rng).into_inner().expect("three cards are passed") },
        "play" => Action::Play { card: card(domain, rng) },
        _ if rng.random() => Action::Moon { choice: MoonChoice::Minus },
        _ => Action::Moon { choice: MoonChoice::Plus },
    }
}

fn knights_heads(line: &LegalAction<KnightsCard>, rng: &mut SmallRng) -> knights_heads::Action {
    use knights_heads::Action;
    match (line.name, line.params.as_slice()) {
        ("bet", [(_, by)]) => Action::Bet { by: integer(by, rng) },
        ("match", _) => Action::Match {},
        ("raise", [(_, by)]) => Action::Raise { by: integer(by, rng) },
        ("pass", _) => Action::Pass {},
        ("call", _) => Action::Call {},
        ("rabble", [(_, three)]) => Action::Rabble { cards: cards(three, rng) },
        _ => Action::Fold {},
    }
}

fn royal_gambit(line: &LegalAction<French>, rng: &mut SmallRng) -> royal_gambit::Action {
    use royal_gambit::Action;
    match (line.name, line.params.as_slice()) {
        ("hit", _) => Action::Hit {},
        ("give", [(_, to)]) => Action::Give { seat: seat(to, rng) },
        ("spy", [(_, on)]) => Action::Spy { seat: seat(on, rng) },
        _ => Action::Stay {},
    }
}

fn card<C: Card>(domain: &Domain<C>, rng: &mut SmallRng) -> C {
    let Domain::Card { from } = domain else { unreachable!("{domain:?} is not of one card") };
    from.iter().nth(rng.random_range(0..from.len())).expect("there is a choice")
}

fn cards<C: Card, const N: usize>(domain: &Domain<C>, rng: &mut SmallRng) -> ArrayVec<C, N> {
    let Domain::Cards { from, min, max } = domain else { unreachable!("{domain:?} is not of cards") };
    let mut from = from.clone();
    let count = usize::from(rng.random_range(*min..=*max));
    let (chosen, _) = from.partial_shuffle(rng, count);
    chosen.iter().copied().collect()
}

fn integer<C: Card>(domain: &Domain<C>, rng: &mut SmallRng) -> u32 {
    let Domain::Integer { min, max } = domain else { unreachable!("{domain:?} is not of numbers") };
    rng.random_range(*min..=*max)
}

fn seat<C: Card>(domain: &Domain<C>, rng: &mut SmallRng) -> Seat {
    let Domain::Seat { from } = domain else { unreachable!("{domain:?} is not of seats") };
    from.iter().choose(rng).expect("there is a choice")
}
