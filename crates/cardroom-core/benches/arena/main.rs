//! Policies against each other: `cargo bench -p cardroom-core --bench arena -- KIND A B [C …] [settings]`.
//!
//! A policy is one that a table's bots play, like `steady`, or `worlds:N`, which tries its actions in N worlds that fit
//! what its seat knows.
//!
//! A deal is one seed for all that chance does in a game. Each deal is played once by every rotation of the policies
//! over the seats, so that each policy plays the same cards from each seat. Where a kind needs more seats than
//! policies are named, the last one takes the rest: `ricketts_hearts worlds:50 steady` is one against three.
//!
//! * `--games N`: no more games than that (2000). It stops before, once the first policy's share of the wins differs
//!   from a fair share by more than four standard errors, unless `--all` is given.
//! * `--seed N`: another row of deals (1).
//! * `--options JSON`: the options of the games ({}).
//! * `--luck N`: each deal is played out in N worlds (0), and the wins are told without the luck of the deals, too, with
//!   their spread from game to game as a part of the spread of the wins.
//! * `--out FILE`: the figures as JSON, appended as one line.
//!
//! Without a kind, `steady` plays against `random` in every kind.
//!
//! Standard errors are those of the mean over deals, because the games of one deal are not independent. The time of a
//! decision is what the policy takes on one core, from the view in JSON to the action in JSON.

mod contender;
mod deals;
mod figures;

use std::fs::OpenOptions;
use std::io::Write;

use cardroom_core::rules::registry::{self, Kind};
use serde_json::value::RawValue;

use crate::contender::Contender;
use crate::deals::play;
use crate::figures::Figures;

/// How many standard errors make a difference clear, and how many deals are played at least.
const CLEAR: (f64, usize) = (4.0, 50);

/// What was asked for.
struct Match {
    kind: &'static Kind,
    /// By seat, before any rotation.
    policies: Vec<Contender>,
    options: Box<RawValue>,
    games: usize,
    seed: u64,
    plays_all: bool,
    /// In how many worlds a deal is played out, to tell how lucky it was.
    worlds_of_a_deal: u32,
    out: Option<String>,
}

fn main() {
    // Cargo itself adds `--bench`.
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if words.is_empty() {
        for kind in registry::newest() {
            report(
                &Match::read(&[kind.kind, "steady", "random"].map(str::to_owned)).expect("these are known"),
            );
        }
        return;
    }
    match Match::read(&words) {
        Ok(asked) => report(&asked),
        Err(error) => {
            eprintln!(
                "{error}\nusage: KIND POLICY POLICY … [--games N] [--seed N] [--options JSON] [--luck N] [--all] [--out FILE]"
            );
            std::process::exit(2);
        }
    }
}

/// Plays the match, prints its figures and keeps them.
fn report(asked: &Match) {
    let mut figures = Figures::of(asked.kind, &asked.policies, asked.worlds_of_a_deal > 0);
    let rotations = asked.policies.len();
    for deal in 0..(asked.games / rotations).max(1) as u64 {
        let seed = asked.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(deal);
        figures.add((0..rotations).map(|by| play(asked, by, seed)));
        if !asked.plays_all && figures.is_clear(CLEAR) {
            break;
        }
    }
    println!("{figures}");
    if let Some(out) = &asked.out {
        let mut file =
            OpenOptions::new().create(true).append(true).open(out).expect("the file can be written");
        let line = figures.json(asked.seed, &asked.options);
        writeln!(file, "{line}").expect("the file can be written");
    }
}

impl Match {
    fn read(words: &[String]) -> Result<Match, String> {
        let mut words = words.iter();
        let name = words.next().ok_or("no kind is named")?;
        let kind = registry::by_name(name).ok_or_else(|| format!("there is no kind `{name}`"))?;
        let mut asked = Match {
            kind,
            policies: Vec::new(),
            options: RawValue::from_string("{}".to_owned()).expect("this is JSON"),
            games: 2000,
            seed: 1,
            plays_all: false,
            worlds_of_a_deal: 0,
            out: None,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("`{word}` wants a value"));
            match word.as_str() {
                "--games" => asked.games = number(value()?)?,
                "--luck" => asked.worlds_of_a_deal = number(value()?)?,
                "--seed" => asked.seed = number(value()?)?,
                "--all" => asked.plays_all = true,
                "--out" => asked.out = Some(value()?.clone()),
                "--options" => {
                    asked.options =
                        RawValue::from_string(value()?.clone()).map_err(|error| error.to_string())?;
                }
                policy => asked.policies.push(Contender::read(policy)?),
            }
        }
        asked.options = kind.resolve_options(&asked.options).map_err(|refusal| refusal.to_string())?;
        let last =
            *asked.policies.last().filter(|_| asked.policies.len() > 1).ok_or("two policies are wanted")?;
        asked.policies.resize(asked.policies.len().max(kind.min_seats.into()), last);
        if asked.policies.len() > usize::from(kind.max_seats) {
            return Err(format!("{name} has {} seats at most", kind.max_seats));
        }
        Ok(asked)
    }
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("`{word}` is no whole number"))
}
