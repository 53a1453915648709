//! `cardroom audit`: the result of each check, for people or as JSON.

use std::collections::HashMap;

use cardroom_core::audit::{
    Bundle, Certificate, Keys, PlayedGame, Receipt, Report, TournamentBundle, TournamentReport, verify,
    verify_tournament,
};
use serde::Serialize;
use serde_json::value::RawValue;

use super::source::Failure;
use super::source::{bundles, read};
use crate::config::Audit;

/// A report, and the game or the tournament to which it belongs.
#[derive(Serialize)]
struct Judged<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tournament: Option<&'a RawValue>,
    #[serde(flatten)]
    report: Report,
    /// Of those who won a tournament.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    certificates: Vec<Certificate>,
}

/// How many bundles were judged, how many of them were wrong, and how many reports were printed.
#[derive(Default)]
struct Count {
    all: usize,
    wrong: usize,
    printed: usize,
}

/// Checks bundles of games and of tournaments, and prints the results. A tournament is checked together with its games.
///
/// # Errors
/// [`Failure`] where a bundle is wrong, or could not be read.
pub fn audit(wanted: &Audit) -> Result<(), Failure> {
    let keys = match &wanted.keys {
        None => Keys::Bundled,
        Some(place) => Keys::Known(json(place, &read(place, None)?)?),
    };
    let receipts: Vec<Receipt> = match &wanted.receipts {
        None => Vec::new(),
        Some(place) => read(place, None)?
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| json(place, line))
            .collect::<Result<_, _>>()?,
    };
    let text = wanted.source.read()?;
    let (tournaments, games): (Vec<&str>, Vec<&str>) =
        bundles(&text).into_iter().partition(|text| TournamentBundle::is_one(text));
    let (mut count, mut played) = (Count::default(), HashMap::new());
    for text in games {
        let bundle = Bundle::parse(text).map_err(|error| Failure(error.to_string()))?;
        let report = verify(&bundle, &keys, &receipts);
        // A game that cannot be followed is missing from its tournament, and wrong by itself.
        if !tournaments.is_empty()
            && let Ok(game) = PlayedGame::of(&bundle, &report)
        {
            played.insert(game.id(), game);
        }
        // The games of a tournament are many, and stand in its report.
        let is_told = tournaments.is_empty() || !report.ok;
        let judged = Judged { game: Some(bundle.game()), tournament: None, report, certificates: Vec::new() };
        count.take(wanted, &judged, is_told);
    }
    for text in tournaments {
        let bundle = TournamentBundle::parse(text).map_err(|error| Failure(error.to_string()))?;
        let TournamentReport { report, certificates } = verify_tournament(&bundle, &keys, &played);
        let tournament = Some(bundle.tournament());
        count.take(wanted, &Judged { game: None, tournament, report, certificates }, true);
    }
    match count {
        Count { all: 0, .. } => Err(Failure(format!("{}: there is no bundle in it", wanted.source.bundle))),
        Count { wrong: 0, .. } => Ok(()),
        Count { all, wrong, .. } => Err(Failure(format!("{wrong} of {all} bundles are not as they claim"))),
    }
}

impl Count {
    fn take(&mut self, wanted: &Audit, judged: &Judged<'_>, is_told: bool) {
        self.all += 1;
        self.wrong += usize::from(!judged.report.ok);
        if wanted.json {
            println!("{}", serde_json::to_string(judged).expect("a report is JSON"));
        } else if is_told {
            if self.printed > 0 {
                println!();
            }
            self.printed += 1;
            print(judged);
        }
    }
}

fn json<T: serde::de::DeserializeOwned>(place: &str, text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure(format!("{place}: {error}")))
}

/// Prints a line for each check, and for each certificate.
fn print(Judged { game, tournament, report, certificates }: &Judged<'_>) {
    let about = game.or(*tournament).map_or("{}", RawValue::get);
    let about: serde_json::Value = serde_json::from_str(about).unwrap_or_default();
    let word = |name: &str| about[name].as_str().unwrap_or("?").to_owned();
    match tournament {
        Some(_) => println!("tournament \"{}\" {}", word("name"), word("id")),
        None => println!("{} {}", word("kind"), word("id")),
    }
    for check in &report.checks {
        let (mark, name) = (if check.ok { "ok   " } else { "WRONG" }, check.name);
        let entry = check.seq.map_or_else(String::new, |seq| format!("entry {seq}: "));
        println!("  {mark}  {name:10}  {entry}{}", check.detail);
    }
    for Certificate { hash, statement } in certificates {
        let names: Vec<&str> = statement.winners.iter().map(|winner| &*winner.player).collect();
        println!("  won by {}: {}; certificate {hash}", statement.ranking, names.join(", "));
    }
}
