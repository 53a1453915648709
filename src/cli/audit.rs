//! `cardroom audit`: the result of each check, for people or as JSON.

use cardroom_core::audit::{Bundle, Keys, Receipt, Report, verify};
use serde::Serialize;

use super::source::Failure;
use super::source::{bundles, read};
use crate::config::Audit;

/// A report, and the game to which it belongs.
#[derive(Serialize)]
struct Judged<'a> {
    game: &'a serde_json::value::RawValue,
    #[serde(flatten)]
    report: Report,
}

/// Checks bundles and prints the results.
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
    let (mut all, mut wrong) = (0, 0);
    for text in bundles(&text) {
        let bundle = Bundle::parse(text).map_err(|error| Failure(error.to_string()))?;
        let judged = Judged { game: bundle.game(), report: verify(&bundle, &keys, &receipts) };
        all += 1;
        wrong += usize::from(!judged.report.ok);
        if wanted.json {
            println!("{}", serde_json::to_string(&judged).expect("a report is JSON"));
        } else {
            print(&judged, all > 1);
        }
    }
    if wrong > 0 {
        return Err(Failure(format!("{wrong} of {all} bundles are not as they claim")));
    }
    Ok(())
}

fn json<T: serde::de::DeserializeOwned>(place: &str, text: &str) -> Result<T, Failure> {
    serde_json::from_str(text).map_err(|error| Failure(format!("{place}: {error}")))
}

/// Prints a line for each check.
fn print(Judged { game, report }: &Judged<'_>, after_another: bool) {
    let game: serde_json::Value = serde_json::from_str(game.get()).unwrap_or_default();
    let word = |name: &str| game[name].as_str().unwrap_or("?").to_owned();
    if after_another {
        println!();
    }
    println!("{} {}", word("kind"), word("id"));
    for check in &report.checks {
        let (mark, name) = (if check.ok { "ok   " } else { "WRONG" }, check.name);
        let entry = check.seq.map_or_else(String::new, |seq| format!("entry {seq}: "));
        println!("  {mark}  {name:10}  {entry}{}", check.detail);
    }
}
