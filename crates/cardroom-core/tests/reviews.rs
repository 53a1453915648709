//! Reviews of hands: what was taken stands beside what else there was, and every computation gives the same.

use std::time::Instant;

use cardroom_core::log::Hex32;
use cardroom_core::log::entry::{Entry, Policy};
use cardroom_core::review::luck::GameLuck;
use cardroom_core::review::{GameReview, Review};
use cardroom_core::rules::registry::newest;
use cardroom_core::selfplay::{SelfPlay, Sitter};
use cardroom_core::table::Table;
use cardroom_core::table::hands::Hand;
use cardroom_core::table::projection::{LogProjection, Reader};
use serde_json::value::RawValue;

/// A game of bots that is over: its log, and where its hands begin and end.
struct Played {
    table: Table,
    log: Vec<(Entry, Hex32)>,
    hands: Vec<Hand>,
}

fn played(kind: &str, options: &str, policies: &[Policy], number: u32) -> Played {
    let options = RawValue::from_string(options.to_owned()).unwrap();
    let sitters = policies.iter().map(|&policy| Sitter::Bot(policy)).collect();
    let mut game = SelfPlay::new(kind, &options, sitters, 1).unwrap().game(number).unwrap();
    assert_eq!(game.go_on().unwrap(), None);
    let log: Vec<(Entry, Hex32)> =
        game.log().iter().map(|sealed| (sealed.entry.clone(), sealed.hash)).collect();
    let table = game.table().clone();
    let read = LogProjection::of(table.id, table.seed().clone(), log.clone(), &Reader::Viewer(None), || {
        cardroom_core::rules::registry::AnyFacts::kept()
    });
    Played { hands: read.unwrap().into_hands(), table, log }
}

impl Played {
    fn review(&self, hand: &Hand) -> Review {
        let (from, to) = (hand.span.from_version as usize, hand.span.to_version.unwrap() as usize);
        let before =
            Table::replay(self.table.id, self.table.seed().clone(), self.log[..from - 1].to_vec()).unwrap();
        Review::of(&before, hand.span.hand, self.log[from - 1..to].to_vec()).unwrap()
    }
}

#[test]
fn a_review_weighs_what_was_taken_against_what_else_bots_think_about() {
    for kind in newest() {
        let games: Vec<Played> =
            (0..4).map(|number| played(kind.kind, "{}", &[Policy::Expert, Policy::Random], number)).collect();
        let (mut decisions, mut costs) = ([0.0, 0.0], [0.0, 0.0]);
        for (played, hand) in
            games.iter().flat_map(|played| played.hands.iter().take(4).map(move |hand| (played, hand)))
        {
            let review = played.review(hand);
            assert_eq!(review.hand, hand.span.hand);
            assert_eq!(hand.played(), hand.span.to_version.map(|to| (hand.span.from_version, to)));
            for decision in &review.decisions {
                let taken =
                    decision.actions.iter().find(|action| action.action.get() == decision.taken.get());
                let taken = taken.unwrap_or_else(|| panic!("{} is missing", decision.taken));
                let best = &decision.actions[0];
                assert!(
                    decision.actions.len() > 1 && decision.actions.is_sorted_by(|a, b| a.worth >= b.worth)
                );
                assert!((best.worth - taken.worth - decision.cost).abs() < 0.0003, "{}", decision.cost);
                assert!((0.0..=1.0).contains(&taken.worth) && decision.cost >= 0.0);
                let is_random = decision.player.starts_with("random");
                decisions[usize::from(is_random)] += 1.0;
                costs[usize::from(is_random)] += decision.cost;
            }
            for seat in &review.seats {
                let own = review.decisions.iter().filter(|decision| decision.seat == seat.seat);
                let cost: f64 = own.map(|decision| decision.cost).sum();
                assert!((cost - seat.cost).abs() < 0.0002, "{cost} and {}", seat.cost);
                assert!((seat.dealt - seat.before - seat.luck).abs() < 0.0002);
            }
        }
        // What experts decide costs little, and what random bots decide costs much.
        let [expert, random] = [0, 1].map(|policy| costs[policy] / decisions[policy]);
        assert!(2.0 * expert < random, "{}: {expert} {random} of {decisions:?}", kind.kind);
    }
}

#[test]
fn a_review_says_the_same_whenever_it_is_computed() {
    for kind in newest() {
        let played = played(kind.kind, "{}", &[Policy::Skilled, Policy::Novice], 3);
        let [one, other] = [(); 2].map(|()| played.review(&played.hands[0]));
        let json = serde_json::to_string(&one).unwrap();
        assert_eq!(json, serde_json::to_string(&other).unwrap());
        assert_eq!(one.text(), other.text());
        let lines = |words: &str| one.text().lines().filter(|line| line.contains(words)).count();
        let costless = one.decisions.iter().filter(|decision| decision.cost == 0.0).count();
        assert_eq!(lines("as good as any"), costless);
        let doubtful = one.decisions.iter().filter(|decision| decision.cost > 0.0 && !decision.is_mistake);
        assert_eq!(lines("which may be chance"), doubtful.count());
    }
}

/// The luck of the deals is nobody's doing, so over many games it comes to nothing.
#[test]
fn the_luck_of_many_deals_comes_to_nothing() {
    for kind in newest() {
        let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
        for number in 0..60 {
            let played = played(kind.kind, "{}", &[Policy::Steady], number);
            for hand in played.hands.iter().take(2) {
                let luck = played.review(hand).seats[0].luck;
                (sum, squares, count) = (sum + luck, squares + luck * luck, count + 1.0);
            }
        }
        let error = f64::sqrt(squares / count / count);
        let mean = sum / count;
        assert!(error > 0.001 && mean.abs() < 4.0 * error, "{}: {mean} ± {error}", kind.kind);
    }
}

/// Results without luck are unbiased, and differ less from game to game.
#[test]
fn results_without_luck_are_the_same_in_the_mean_and_closer_together() {
    for kind in newest() {
        let (mut won, mut without_luck, mut luck) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..100 {
            let played = played(kind.kind, "{}", &[Policy::Steady], number);
            let game = GameLuck::of(&played.table, played.log).unwrap().unwrap();
            let all: f64 = game.seats.iter().map(|seat| seat.won).sum();
            assert!((all - 1.0).abs() < 0.001, "somebody won: {all}");
            won.push(game.seats[0].won);
            without_luck.push(game.seats[0].won_without_luck);
            luck.push(game.seats[0].luck);
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let spread = |values: &[f64]| {
            let mean = mean(values);
            (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len() as f64)
                .sqrt()
        };
        let (lucky, error) = (mean(&luck), spread(&luck) / f64::sqrt(luck.len() as f64));
        assert!(error > 0.001 && lucky.abs() < 4.0 * error, "{}: luck {lucky} ± {error}", kind.kind);
        let ratio = spread(&without_luck) / spread(&won);
        println!(
            "{}: won {:.3}, without luck {:.3}, with {ratio:.3} of the spread",
            kind.kind,
            mean(&won),
            mean(&without_luck)
        );
        assert!(ratio < 0.98, "{}: {ratio}", kind.kind);
    }
}

/// The luck of a game is that of its hands.
#[test]
fn the_luck_of_a_game_is_that_of_its_hands() {
    for kind in newest() {
        let played = played(kind.kind, "{}", &[Policy::Steady], 2);
        let hands: Vec<Review> = played.hands.iter().map(|hand| played.review(hand)).collect();
        let mut total = GameReview::new(&played.table);
        hands.iter().for_each(|hand| total.add(hand));
        assert_eq!(total.hands as usize, hands.len());
        let game = GameLuck::of(&played.table, played.log).unwrap().unwrap();
        for seat in &total.seats {
            let of_hands = || hands.iter().map(|hand| &hand.seats[usize::from(seat.seat)]);
            let own = || hands.iter().flat_map(|hand| &hand.decisions).filter(|made| made.seat == seat.seat);
            let near = |one: f64, other: f64| (one - other).abs() < 0.0001 * hands.len() as f64;
            assert!(near(seat.luck, of_hands().map(|hand| hand.luck).sum()), "{}", seat.luck);
            assert!(near(seat.cost, of_hands().map(|hand| hand.cost).sum()), "{}", seat.cost);
            assert_eq!(seat.decisions as usize, own().count());
            assert_eq!(seat.mistakes as usize, own().filter(|made| made.is_mistake).count());
        }
        assert_eq!((game.deals_left_out, game.deals as usize >= hands.len()), (0, true));
        for (nth, seat) in game.seats.iter().enumerate() {
            let luck: f64 = hands.iter().map(|hand| hand.seats[nth].luck).sum();
            assert!(
                (luck - seat.luck).abs() < 0.0001 * hands.len() as f64,
                "{}: {luck} {}",
                kind.kind,
                seat.luck
            );
        }
    }
}

/// How long the reviews of whole games take: `cargo test --release -p cardroom-core reviews -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn how_long_reviews_take() {
    for kind in newest() {
        let played = played(kind.kind, "{}", &[Policy::Steady], 0);
        let began = Instant::now();
        let decisions: usize = played.hands.iter().map(|hand| played.review(hand).decisions.len()).sum();
        let took = began.elapsed();
        println!("{}: {} hands, {decisions} decisions, {took:?}", kind.kind, played.hands.len());
    }
}
