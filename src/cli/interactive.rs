//! `cardroom selfplay --interactive`: the rules for a program that learns to play. It reads a request from each line of
//! standard input and answers each on a line of standard output.

use std::io::{self, BufRead, Read, Write};

use cardroom_core::rules::bot::Observation;
use cardroom_core::rules::{Outcome, Refusal, Seat};
use cardroom_core::selfplay::{Running, SelfPlay};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::source::Failure;

/// The most bytes of a line.
const LONGEST: u64 = 64 * 1024;

/// What a program asks for.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Request {
    /// Begin a game with this seed.
    Reset(u64),
    /// Act for the seat whose turn it is.
    Act(Box<RawValue>),
    /// Tell what a seat sees.
    Observe(Seat),
}

/// What it gets: the game from the seat whose turn it is, or that it asked for.
#[derive(Serialize)]
struct Answer<'a> {
    /// The seats of the players, for whom the program acts.
    players: Vec<Seat>,
    /// The seat whose turn it is; null when the game is over.
    turn: Option<Seat>,
    /// Null when the game is over.
    observation: Option<Seen<'a>>,
    /// Null while the game is played.
    outcome: Option<&'a Outcome>,
}

/// What a client at a seat sees.
#[derive(Serialize)]
struct Seen<'a> {
    kind: &'static str,
    seat: Seat,
    options: &'a RawValue,
    view: &'a RawValue,
    legal_actions: &'a RawValue,
}

/// Why nothing was done.
#[derive(Serialize)]
struct Refused<'a> {
    error: Told<'a>,
}

#[derive(Serialize)]
struct Told<'a> {
    code: &'a str,
    detail: &'a str,
}

/// Answers until standard input ends.
///
/// # Errors
/// [`Failure`] where a line is too long, or nothing can be read or written.
pub(super) fn interact(plan: &SelfPlay) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure(error.to_string());
    let (mut from, mut to) = (io::stdin().lock(), io::stdout().lock());
    let mut game = None;
    loop {
        let mut line = String::new();
        (&mut from).take(LONGEST).read_line(&mut line).map_err(failed)?;
        if line.is_empty() {
            return Ok(());
        }
        if line.len() as u64 == LONGEST && !line.ends_with('\n') {
            return Err(Failure(format!("a request has more than {LONGEST} bytes")));
        }
        let answer = match asked(plan, &mut game, &line) {
            Ok(answer) => answer,
            Err(Refusal { code, detail }) => text(&Refused { error: Told { code, detail: &detail } }),
        };
        // A program that has gone away wants no answer.
        match writeln!(to, "{answer}").and_then(|()| to.flush()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            written => written.map_err(failed)?,
        }
    }
}

/// The answer to a line.
fn asked(plan: &SelfPlay, game: &mut Option<(Running, Option<Seat>)>, line: &str) -> Result<String, Refusal> {
    let none = || Refusal::new("game_not_active", "no game has begun: `reset` begins one");
    let request: Request =
        serde_json::from_str(line).map_err(|error| Refusal::new("invalid_body", error.to_string()))?;
    let seat = match request {
        Request::Reset(seed) => {
            let mut begun = plan.with_seed(seed).game(0)?;
            let turn = begun.go_on()?;
            *game = Some((begun, turn));
            turn
        }
        Request::Act(action) => {
            let (running, turn) = game.as_mut().ok_or_else(none)?;
            let seat = turn.ok_or_else(|| Refusal::new("game_over", "the game is over"))?;
            running.act(seat, action)?;
            *turn = running.go_on()?;
            *turn
        }
        Request::Observe(seat) => Some(seat),
    };
    let (running, turn) = game.as_ref().ok_or_else(none)?;
    let table = running.table();
    let no_seat = || Refusal::new("no_such_seat", "there is no such seat");
    if seat.is_some_and(|seat| usize::from(seat) >= table.summary().seats.len()) {
        return Err(no_seat());
    }
    let seen = seat.and_then(|seat| table.at_seat(seat));
    let observation =
        seen.as_ref().map(|Observation { kind, seat, options, view, legal_actions, .. }| Seen {
            kind,
            seat: *seat,
            options,
            view,
            legal_actions,
        });
    let players = table.accounts().map(|(seat, _)| seat).collect();
    Ok(text(&Answer { players, turn: *turn, observation, outcome: table.outcome() }))
}

fn text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("answers have string keys and plain values")
}
