//! What a match comes to.

use std::fmt;

use cardroom_core::rules::registry::Kind;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::contender::Contender;
use crate::deals::Played;

/// The figures of a match, by the number of the policy.
pub struct Figures {
    kind: &'static Kind,
    policies: Vec<Contender>,
    games: usize,
    sides: Vec<Side>,
    /// Whether the wins are told without luck, too.
    tells_luck: bool,
}

/// One policy's figures.
#[derive(Default)]
struct Side {
    wins: Mean,
    /// Game by game.
    single_wins: Mean,
    /// The wins without the luck of the deals.
    without_luck: Mean,
    /// Game by game.
    single_without_luck: Mean,
    places: Mean,
    points: Mean,
    /// In seconds.
    times: Vec<f64>,
}

/// The mean of numbers that come one by one, and its standard error.
#[derive(Default)]
struct Mean {
    count: usize,
    mean: f64,
    /// The sum of the squared distances from the mean (Welford).
    squares: f64,
}

impl Figures {
    pub fn of(kind: &'static Kind, policies: &[Contender], tells_luck: bool) -> Figures {
        let sides = policies.iter().map(|_| Side::default()).collect();
        Figures { kind, policies: policies.to_vec(), games: 0, sides, tells_luck }
    }

    /// Adds the games of one deal.
    pub fn add(&mut self, games: impl Iterator<Item = Played>) {
        let games: Vec<Played> = games.collect();
        self.games += games.len();
        for (policy, side) in self.sides.iter_mut().enumerate() {
            let mean = |of: &dyn Fn(&Played) -> f64| games.iter().map(of).sum::<f64>() / games.len() as f64;
            side.wins.add(mean(&|game| game.wins[policy]));
            side.places.add(mean(&|game| game.places[policy].into()));
            side.points.add(mean(&|game| game.scores[policy] as f64));
            games.iter().for_each(|game| side.single_wins.add(game.wins[policy]));
            side.without_luck.add(mean(&|game| game.wins_without_luck[policy]));
            games.iter().for_each(|game| side.single_without_luck.add(game.wins_without_luck[policy]));
        }
        for (policy, seconds) in games.into_iter().flat_map(|game| game.decisions) {
            self.sides[policy].times.push(seconds);
        }
    }

    /// Whether the first policy's share of the wins differs from a fair one, by so many standard errors after so many
    /// deals.
    pub fn is_clear(&self, (errors, deals): (f64, usize)) -> bool {
        let wins = &self.sides[0].wins;
        wins.count >= deals && (wins.mean - self.fair()).abs() > errors * wins.error()
    }

    /// All of it, for a file.
    pub fn json(&self, seed: u64, options: &RawValue) -> Value {
        let figure = |mean: &Mean| json!({"mean": mean.mean, "error": mean.error()});
        let side = |(policy, side): (&Contender, &Side)| {
            json!({
                "policy": policy.to_string(),
                "wins": figure(&side.wins),
                "place": figure(&side.places),
                "points": figure(&side.points),
                "wins_without_luck": self.tells_luck.then(|| figure(&side.without_luck)),
                "decisions": side.times.len(),
                "ms_p50": side.milliseconds(50),
                "ms_p99": side.milliseconds(99),
            })
        };
        json!({
            "kind": self.kind.kind,
            "rules_version": self.kind.rules_version,
            "options": options,
            "seed": seed,
            "games": self.games,
            "sides": self.policies.iter().zip(&self.sides).map(side).collect::<Vec<_>>(),
        })
    }

    fn fair(&self) -> f64 {
        1.0 / self.policies.len() as f64
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wins = &self.sides[0].wins;
        writeln!(
            f,
            "{}: {} games of {} deals; {} takes {:.3} ± {:.3} of the wins, {:+.1} errors from a fair share",
            self.kind.kind,
            self.games,
            wins.count,
            self.policies[0],
            wins.mean,
            wins.error(),
            (wins.mean - self.fair()) / wins.error(),
        )?;
        write!(
            f,
            "{:10} {:>15} {:>13} {:>17} {:>9} {:>9}",
            "policy", "wins", "place", "points", "p50, ms", "p99, ms"
        )?;
        for (policy, side) in self.policies.iter().zip(&self.sides) {
            let Side { wins, places, points, .. } = side;
            write!(
                f,
                "\n{:10} {:>7.3} ± {:.3} {:>5.2} ± {:.3} {:>8.1} ± {:>5.1} {:>10.3} {:>9.3}",
                policy,
                wins.mean,
                wins.error(),
                places.mean,
                places.error(),
                points.mean,
                points.error(),
                side.milliseconds(50),
                side.milliseconds(99),
            )?;
        }
        for (policy, side) in self.policies.iter().zip(&self.sides).filter(|_| self.tells_luck) {
            let Side { single_wins, without_luck, single_without_luck, .. } = side;
            write!(
                f,
                "\n{policy:10} {:>7.3} ± {:.3} of the wins without luck, with {:.3} of their spread",
                without_luck.mean,
                without_luck.error(),
                single_without_luck.error() / single_wins.error(),
            )?;
        }
        Ok(())
    }
}

impl Side {
    /// How long a decision took, of a hundred the one that so many were no slower than.
    fn milliseconds(&self, of_a_hundred: usize) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times
            .get((times.len() * of_a_hundred / 100).min(times.len().saturating_sub(1)))
            .map_or(0.0, |s| s * 1e3)
    }
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (value - self.mean);
    }

    /// The standard error of the mean.
    fn error(&self) -> f64 {
        (self.squares / (self.count.max(2) - 1) as f64 / self.count.max(1) as f64).sqrt()
    }
}
