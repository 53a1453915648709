//! Everything that somebody might change in a bundle, the house among them: who knows the seed can compute the
//! chain anew, and who has the key can sign it. What then still tells on them is the rules, the seeds, and what
//! players have kept.
//!
//! The list is tried on the program, on both scripts in docs/ and on the steps of the page: each refuses all but what
//! the table in docs/fairness.md says that the scripts do not check.

mod anyone;
mod forms;
mod house;
mod texts;

use std::collections::BTreeSet;

use super::forger::Forged;
use super::games::{Game, key};
use super::{Folder, duplicates, some_games, verifiers};
use crate::random::dice::Dice;

/// Games that each kind of tampering is tried on, by the program and by each of the scripts.
const GAMES: usize = 20;
const GAMES_FOR_SCRIPTS: usize = 2;

/// A way to lie: its name, the check that has to find it, and how it is done. It is not done (`None`) where the
/// game has nothing of the sort.
type Lie = (&'static str, &'static str, fn(&mut Forged) -> Option<()>);

type How = dyn Fn(&mut Forged) -> Option<()>;

/// A way to lie, and who does it.
struct Tampering {
    name: String,
    /// The check that has to find it; any, or none because it is no bundle, where this is not said.
    check: Option<&'static str>,
    how: Box<How>,
    /// The house does it: the chain and the signature are made anew.
    sealed: bool,
    /// Who finds it.
    by: By,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    All,
    /// The program alone, because it knows the rules.
    Rules,
    /// The program alone, by receipts.
    Receipts,
}

fn all() -> Vec<Tampering> {
    let told = [
        (anyone::BY_ANYONE, false, By::All),
        (house::BY_THE_HOUSE, true, By::All),
        (house::AGAINST_THE_RULES, true, By::Rules),
        (house::AGAINST_RECEIPTS, true, By::Receipts),
    ];
    let told = told.into_iter().flat_map(|(lies, sealed, by)| {
        lies.iter().map(move |(name, check, how)| Tampering {
            name: (*name).to_owned(),
            check: Some(check),
            how: Box::new(how),
            sealed,
            by,
        })
    });
    told.chain(forms::all()).collect()
}

impl Tampering {
    /// What becomes of games under it, so many of them, every kind in turn.
    fn forged<'a>(&'a self, games: &'a [Game], many: usize) -> impl Iterator<Item = (usize, Forged)> + 'a {
        let tried = (0..games.len()).map(|n| n * 31 % games.len()).filter_map(|at| {
            let mut forged = Forged::of(&games[at], Dice::new(at as u64));
            (self.how)(&mut forged)?;
            if self.sealed {
                forged.seal();
            }
            Some((at, forged))
        });
        tried.take(many)
    }
}

fn games() -> Vec<Game> {
    some_games(30).chain(duplicates(8)).filter(|game| game.table.outcome().is_some()).collect()
}

#[test]
fn every_kind_of_tampering_is_found_and_named() {
    let (games, mut unfound) = (games(), Vec::new());
    for tampering in &all() {
        let many = if tampering.check.is_some() { GAMES } else { GAMES_FOR_SCRIPTS };
        let mut tried = 0;
        for (at, forged) in tampering.forged(&games, many) {
            tried += 1;
            let found = forged.found();
            let is_found = match (&found, tampering.check) {
                (Some(found), Some(check)) => found.contains(&check),
                (Some(found), None) => !found.is_empty(),
                (None, check) => check.is_none(),
            };
            if !is_found {
                let Tampering { name, check, sealed, .. } = tampering;
                unfound
                    .push(format!("{name} (by the house: {sealed}), game {at}: {check:?} not in {found:?}"));
            }
        }
        assert_eq!(tried, many, "{} was not tried often enough", tampering.name);
    }
    assert!(unfound.is_empty(), "{} got through:\n{}", unfound.len(), unfound.join("\n"));
}

#[test]
fn the_scripts_refuse_what_the_program_refuses_but_for_what_the_document_says() {
    let mut games = games();
    games.retain(|game| game.log.len() < 250);
    let (all, folder) = (all(), Folder::new("tampered"));
    assert!(all.iter().filter(|tampering| tampering.by == By::All).count() >= 100);
    let mut files = Vec::new();
    for (number, tampering) in all.iter().enumerate() {
        for (at, forged) in tampering.forged(&games, GAMES_FOR_SCRIPTS) {
            let file = folder.write_bytes(&format!("{number}-{at}.json"), &forged.bytes());
            files.push((number, file));
        }
    }
    let jwks = folder.write("jwks.json", &serde_json::json!({"keys": [key(1).jwk()]}).to_string());
    let mut arguments = vec!["--keys", &jwks];
    arguments.extend(files.iter().map(|(_, file)| file.as_str()));
    for verifier in verifiers() {
        let told = String::from_utf8(verifier.run(&arguments).stdout).unwrap();
        let wrong: BTreeSet<&str> =
            told.lines().filter_map(|line| line.split_once(".json")).map(|(name, _)| name).collect();
        assert!(told.ends_with(&format!("of {} bundles are as they claim\n", files.len())), "{told}");
        let mut unlike = BTreeSet::new();
        for (number, tampering) in all.iter().enumerate() {
            let mut files = files.iter().filter(|(of, _)| *of == number);
            let accepted = files.any(|(_, file)| !wrong.contains(file.strip_suffix(".json").unwrap()));
            if accepted != (tampering.by != By::All) {
                unlike.insert(format!("{}: accepted {accepted}", tampering.name));
            }
        }
        assert!(unlike.is_empty(), "{verifier:?}, {} unlike the list:\n{unlike:#?}", unlike.len());
    }
}

#[test]
fn the_document_lists_what_the_scripts_do_not_check() {
    let document = include_str!("../../docs/fairness.md");
    let rows: BTreeSet<&str> =
        document.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" | yes | no |")).collect();
    let all = all();
    let unseen: BTreeSet<&str> =
        all.iter().filter(|tampering| tampering.by == By::Rules).map(|tampering| &*tampering.name).collect();
    assert_eq!(rows, unseen, "docs/fairness.md, \"What the scripts do not check\"");
}
