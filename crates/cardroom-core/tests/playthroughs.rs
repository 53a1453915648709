//! Games kept as text. Each is played again from its own inputs, by the rules version it was created with, and has to
//! come out as it stands, for ever.
//!
//! A line that is not indented is an input; those under it are what followed. After a deliberate change of
//! the rules, views or facts, `UPDATE_PLAYTHROUGHS=1 cargo test playthroughs` writes the files anew, and a
//! kind's first ones too; the difference is then read like any other.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use cardroom_core::rules::Chance;
use cardroom_core::rules::cards::CardName;
use cardroom_core::rules::registry::{Kind, all, by_version, newest};
use serde_json::value::RawValue;

use crate::random::dice::Dice;
use crate::random::options;
use crate::random::playing::{Input, Record, feed, viewers};

#[test]
fn every_playthrough_comes_out_as_it_stands() {
    if updating() {
        newest().filter(|kind| files_of(kind).is_empty()).for_each(write_first_ones);
    }
    for kind in all() {
        let files = files_of(kind);
        assert!(!files.is_empty(), "{} has no playthrough: see the head of {}", prefix(kind), file!());
        for file in files {
            let kept = fs::read_to_string(&file).unwrap();
            let record = read(&kept);
            if updating() {
                // A change of the rules can leave a game unfinished: it is played to its end.
                fs::write(&file, told(&record.played_on(&mut Dice::new(1)))).unwrap();
            } else {
                assert_eq!(kept, told(&record), "{}: see the head of {}", file.display(), file!());
            }
        }
    }
}

/// Whether to write the playthroughs anew.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
pub fn updating() -> bool {
    std::env::var("UPDATE_PLAYTHROUGHS").is_ok_and(|value| value == "1")
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/playthroughs")
}

fn prefix(kind: &Kind) -> String {
    format!("{}.v{}.", kind.kind, kind.rules_version)
}

fn files_of(kind: &Kind) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&prefix(kind)))
        .collect();
    files.sort();
    files
}

/// Two random games, the one with every default, the other with options of its own.
fn write_first_ones(kind: &'static Kind) {
    let dice = &mut Dice::new(1);
    let defaults = kind.resolve_options(&options::raw(&serde_json::json!({}))).unwrap();
    let plain = Record { kind, options: defaults, seats: kind.min_seats, inputs: Vec::new() };
    for (name, record) in [("defaults", plain), ("options", Record::drawn(kind, dice))] {
        let file = folder().join(format!("{}{name}.txt", prefix(kind)));
        fs::write(file, told(&record.played_on(dice))).unwrap();
    }
}

fn told(record: &Record) -> String {
    let kind = record.kind;
    let mut text =
        format!("game {} {} {}\noptions {}\n", kind.kind, kind.rules_version, record.seats, record.options);
    let mut game = record.start();
    for input in &record.inputs {
        writeln!(text, "{}", line(input)).unwrap();
        for (audience, fact) in feed(game.as_mut(), input).into_vec() {
            writeln!(text, "    {audience:?} {}", fact.json()).unwrap();
        }
    }
    for viewer in viewers(record.seats) {
        writeln!(text, "    view {viewer:?} {}", game.view(viewer)).unwrap();
    }
    writeln!(text, "    outcome {}", serde_json::to_string(&game.outcome()).unwrap()).unwrap();
    text
}

pub fn line(input: &Input) -> String {
    match input {
        Input::Chance(Chance::Pick(result)) => format!("pick {result}"),
        Input::Chance(Chance::Shuffle(order)) => format!("shuffle {}", order.join(" ")),
        Input::Action(seat, action) => format!("seat {seat} {action}"),
    }
}

fn read(text: &str) -> Record {
    let mut lines =
        text.lines().filter(|line| !line.starts_with(' ')).map(|line| line.split_once(' ').unwrap());
    let (_, game) = lines.next().unwrap();
    let [kind, version, seats] = game.split(' ').collect::<Vec<_>>()[..] else {
        panic!("`{game}` is no game")
    };
    let (_, options) = lines.next().unwrap();
    Record {
        kind: by_version(kind, version.parse().unwrap()).unwrap(),
        options: RawValue::from_string(options.to_owned()).unwrap(),
        seats: seats.parse().unwrap(),
        inputs: lines.map(input).collect(),
    }
}

fn input((word, rest): (&str, &str)) -> Input {
    match word {
        "pick" => Input::Chance(Chance::Pick(rest.parse().unwrap())),
        "shuffle" => Input::Chance(Chance::Shuffle(
            rest.split(' ').map(|name| CardName::from(name).unwrap()).collect(),
        )),
        "seat" => {
            let (seat, action) = rest.split_once(' ').unwrap();
            Input::Action(seat.parse().unwrap(), action.to_owned())
        }
        other => panic!("`{other}` is no input"),
    }
}
