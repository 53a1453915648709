//! Games that steady bots play, told in words: what the bots decide and how each fact is told stays as it is until it is
//! changed on purpose.
//!
//! One game of each kind stands in its file in full, and of many more their digest. After a deliberate change of a bot
//! or of a text, `UPDATE_PLAYTHROUGHS=1 cargo test told` writes the files anew.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use cardroom_core::rules::facts::Names;
use cardroom_core::rules::registry::newest;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::bots::{next_by, steady};
use crate::playthroughs::{line, updating};
use crate::random::dice::Dice;
use crate::random::options;
use crate::random::playing::{Record, feed};

/// How many games the digest covers.
const GAMES: u64 = 60;
const NAMES: [&str; 10] = ["Ann", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Jim"];

#[test]
fn games_of_steady_bots_are_played_and_told_as_they_stand() {
    for kind in newest() {
        let defaults = kind.resolve_options(&options::raw(&json!({}))).unwrap();
        let first = Record { kind, options: defaults, seats: kind.min_seats, inputs: Vec::new() };
        let mut text = told(&first, &mut Dice::new(1));
        let mut digest = Sha256::new();
        for seed in 0..GAMES {
            let dice = &mut Dice::new(seed);
            digest.update(told(&Record::drawn(kind, dice), dice));
        }
        let digest: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        writeln!(text, "{GAMES} more games with options of their own: {digest}").unwrap();
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/playthroughs/told")
            .join(format!("{}.txt", kind.kind));
        if updating() {
            fs::write(&file, text).unwrap();
        } else {
            let kept = fs::read_to_string(&file).unwrap_or_default();
            assert!(kept == text, "{} is out of date: see the head of {}", file.display(), file!());
        }
    }
}

/// A whole game: what each bot does, and, indented, how it is told.
fn told(record: &Record, dice: &mut Dice) -> String {
    let names = NAMES.map(str::to_owned);
    let mut text = format!("options {}\n", record.options);
    let mut game = record.start();
    while let Some(input) = next_by(game.as_ref(), &record.options, |_| steady, dice) {
        writeln!(text, "{}", line(&input)).unwrap();
        for (_, fact) in feed(game.as_mut(), &input).into_vec() {
            writeln!(text, "    {}", fact.describe(Names(&names))).unwrap();
        }
    }
    text
}

#[test]
fn a_seat_that_cannot_pay_is_told_to_be_out_once() {
    for kind in newest() {
        let mut seats_out = 0;
        for seed in 0..GAMES {
            let dice = &mut Dice::new(seed);
            let text = told(&Record::drawn(kind, dice), dice);
            for name in NAMES {
                let is_out =
                    |line: &&str| line.trim_start().starts_with(name) && line.ends_with("is out of the game");
                let often = text.lines().filter(is_out).count();
                assert!(often <= 1, "{}, game {seed}: {name} is out {often} times", kind.kind);
                seats_out += often;
            }
        }
        let has_chips = ["ritunas_favour", "sevens", "knights_heads"].contains(&kind.kind);
        assert_eq!(seats_out > 0, has_chips, "{}", kind.kind);
    }
}
