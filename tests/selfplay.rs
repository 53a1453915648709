//! `cardroom selfplay`: games of bots as bundles in a file.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

use cardroom_core::audit::{Bundle, Keys, verify};
use cardroom_core::bots::Observation;
use cardroom_core::rules::registry::newest;
use cardroom_core::selfplay::{SelfPlay, Sitter};
use serde_json::{Value, json};

use crate::api::example_bots::{PYTHON, interpreter};
use crate::audits::verifiers;
use crate::eventually::eventually;
use crate::random::dice::Dice;
use crate::random::options::raw;
use crate::random::orders::order;

/// A folder of a test's own, empty at first.
fn folder(name: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("selfplay").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.to_str().unwrap().to_owned()
}

fn selfplay(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cardroom")).arg("selfplay").args(arguments).output().unwrap()
}

/// The file that the command writes.
fn played(arguments: &[&str], out: &str) -> String {
    let output = selfplay(&[arguments, &["--out", out]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(out).unwrap()
}

#[test]
fn games_of_every_kind_are_bundles_that_everybody_accepts_and_the_same_seed_gives_the_same_bytes() {
    let folder = folder("kinds");
    let (mut ids, mut all) = (BTreeSet::new(), String::new());
    for kind in newest() {
        let asked = [kind.kind, "steady", "random", "--games", "40", "--seed", "7"];
        let text = played(&asked, &format!("{folder}/{}.jsonl", kind.kind));
        assert_eq!(played(&asked, &format!("{folder}/again.jsonl")), text, "{}", kind.kind);
        let seats = usize::from(kind.min_seats).max(2);
        for (number, line) in text.lines().enumerate() {
            let bundle = Bundle::parse(line).unwrap();
            let report = verify(&bundle, &Keys::Bundled, &[]);
            assert!(report.ok, "{} {number}: {:?}", kind.kind, report.checks);
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line["outcome"]["places"].as_array().unwrap().len(), seats);
            assert!(ids.insert(line["game"]["id"].to_string()), "each game is another one");
            let is_random = |seat: &Value| seat["bot"] == "random";
            let seated: Vec<bool> = line["game"]["seats"].as_array().unwrap().iter().map(is_random).collect();
            let expected: Vec<bool> = (0..seats).map(|seat| seat != number % seats).collect();
            assert_eq!(seated, expected, "every policy moves on by a seat");
        }
        assert_eq!(text.lines().count(), 40);
        all.push_str(&text);
    }
    let file = format!("{folder}/all.jsonl");
    fs::write(&file, &all).unwrap();
    for verifier in verifiers() {
        let output = verifier.run(&[&file]);
        let told = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success() && told.contains("200 of 200"), "{verifier:?}: {told}");
    }
    let audit =
        Command::new(env!("CARGO_BIN_EXE_cardroom")).args(["audit", "--json", &file]).output().unwrap();
    let told = String::from_utf8(audit.stdout).unwrap();
    assert!(audit.status.success() && told.lines().count() == 200, "{told}");

    let changed = [
        ["sevens", "steady", "random", "--games", "40", "--seed", "8"],
        ["sevens", "random", "random", "--games", "40", "--seed", "7"],
    ];
    for other in changed {
        let text = played(&other, &format!("{folder}/other.jsonl"));
        let first: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert!(!ids.contains(&first["game"]["id"].to_string()), "{other:?}");
    }
}

#[test]
fn options_are_those_of_the_kind_and_a_longer_run_begins_like_a_shorter_one() {
    let folder = folder("options");
    let asked = ["sevens", "steady", "steady", "random", "--options", r#"{"hands": 2, "ante": 3}"#];
    let text = played(&[&asked[..], &["--games", "3"]].concat(), &format!("{folder}/3.jsonl"));
    let longer = played(&[&asked[..], &["--games", "5"]].concat(), &format!("{folder}/5.jsonl"));
    assert!(longer.starts_with(&text));
    let bundle: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let options = &bundle["game"]["options"];
    assert_eq!((&options["hands"], &options["ante"]), (&json!(2), &json!(3)));
    assert_eq!(bundle["game"]["seats"].as_array().unwrap().len(), 3);
}

#[test]
fn what_cannot_be_played_is_refused_in_a_sentence_and_writes_nothing() {
    let folder = folder("misuse");
    let out = format!("{folder}/games.jsonl");
    let seven = ["sevens", "steady", "steady", "steady", "steady", "steady", "steady", "steady"];
    let misused: [(&[&str], &str); 12] = [
        (&["sevens", "player", "steady"], "--interactive"),
        (&["sevens", "steady", "--interactive"], "--out"),
        (&["poker", "steady"], "there is no kind `poker`"),
        (&["sevens", "brilliant"], "brilliant"),
        (&["sevens"], "<POLICY>"),
        (&seven, "2 to 6 seats"),
        (&["sevens", "steady", "--games", "0"], "--games"),
        (&["sevens", "steady", "--games", "1000001"], "--games"),
        (&["sevens", "steady", "--options", "{"], "--options"),
        (&["sevens", "steady", "--options", r#"{"hands": 0}"#], "hands"),
        (&["sevens", "steady", "--options", r#"{"colour": "red"}"#], "colour"),
        (&["sevens", "steady", "--seed=-1"], "--seed"),
    ];
    for (arguments, said) in misused {
        let output = selfplay(&[arguments, &["--out", &out]].concat());
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(said), "{arguments:?}: {told}");
    }
    let output = selfplay(&["sevens", "steady", "--out", &folder]);
    assert_eq!(output.status.code(), Some(2));
    let output = selfplay(&["sevens", "steady", "--out", &format!("{folder}/no/such/folder")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}

#[tokio::test]
async fn a_run_that_is_stopped_leaves_what_was_there_and_nothing_of_its_own() {
    let folder = folder("stopped");
    let out = format!("{folder}/games.jsonl");
    fs::write(&out, "old").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
    command.args(["selfplay", "ritunas_favour", "steady", "--games", "1000000", "--out", &out]);
    let running = command.stderr(Stdio::piped()).spawn().unwrap();
    let files = || fs::read_dir(&folder).unwrap().count();
    eventually(async || (files() == 2).then_some(())).await.expect("it has begun");
    Command::new("kill").args(["-INT", &running.id().to_string()]).status().unwrap();
    let ended = tokio::task::spawn_blocking(move || running.wait_with_output().unwrap()).await.unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success() && told.contains("nothing has been kept"), "{told}");
    assert_eq!((files(), fs::read_to_string(&out).unwrap()), (1, "old".to_owned()));
}

/// `cardroom selfplay --interactive`, and what it is asked.
struct Interactive {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Interactive {
    fn start(arguments: &[&str]) -> Interactive {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cardroom"));
        command.arg("selfplay").args(arguments).arg("--interactive");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Interactive { child, to, from: BufReader::new(from) }
    }

    fn ask(&mut self, request: &str) -> Value {
        writeln!(self.to, "{request}").unwrap();
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn refused(&mut self, request: &str) -> String {
        let answer = self.ask(request);
        answer["error"]["code"].as_str().unwrap_or_else(|| panic!("{request}: {answer}")).to_owned()
    }
}

#[test]
fn a_program_plays_for_its_seats_and_each_sees_what_a_client_sees_there() {
    let mut dice = Dice::new(3);
    for kind in newest() {
        let seats = vec!["player"; usize::from(kind.min_seats)];
        let mut game = Interactive::start(&[&[kind.kind], &seats[..]].concat());
        assert_eq!(game.refused(r#"{"observe": 0}"#), "game_not_active");
        let begun = game.ask(r#"{"reset": 7}"#);
        // Where no card has been dealt yet, the dealer is all that can be another.
        assert!((8..40).any(|seed| game.ask(&json!({"reset": seed}).to_string()) != begun));
        assert_eq!(game.ask(r#"{"reset": 7}"#), begun);
        assert_eq!(begun["players"], json!((0..kind.min_seats).collect::<Vec<_>>()));
        let options = kind.resolve_options(&raw(&json!({}))).unwrap();
        let sitters = vec![Sitter::Player; seats.len()];
        let mut same = SelfPlay::new(kind.kind, &options, sitters, 7).unwrap().game(0).unwrap();
        assert_eq!(json!(same.go_on().unwrap()), begun["turn"]);
        for seat in 0..kind.min_seats {
            let Observation { kind, seat, options, view, legal_actions, .. } =
                same.table().at_seat(seat).unwrap();
            let seen = json!({"kind": kind, "seat": seat, "options": options, "view": view,
                "legal_actions": legal_actions});
            let told = game.ask(&json!({"observe": seat}).to_string());
            assert_eq!((&told["observation"], &told["turn"]), (&seen, &begun["turn"]));
        }
        for (request, code) in [
            (r#"{"act": {"type": "cheat"}}"#, "illegal_action"),
            (r#"{"act": {}}"#, "illegal_action"),
            (r#"{"observe": 15}"#, "no_such_seat"),
            (r#"{"deal": 1}"#, "invalid_body"),
            (r#"{"reset": -1}"#, "invalid_body"),
            ("aces", "invalid_body"),
        ] {
            assert_eq!(game.refused(request), code, "{request}");
        }
        let turn = json!({"observe": begun["turn"]}).to_string();
        assert_eq!(game.ask(&turn), begun, "a refusal changes nothing");

        let mut told = begun;
        while told["outcome"].is_null() {
            let line = dice.pick(told["observation"]["legal_actions"].as_array().unwrap()).clone();
            told = game.ask(&json!({"act": order(&line, &mut dice)}).to_string());
            assert!(told["error"].is_null(), "{told}");
        }
        assert_eq!((&told["turn"], &told["observation"]), (&Value::Null, &Value::Null));
        assert_eq!(game.refused(r#"{"act": {"type": "fold"}}"#), "game_over");
        drop(game.to);
        assert!(game.child.wait().unwrap().success(), "it ends with its input");
    }
}

#[test]
fn a_line_that_does_not_end_is_not_read_to_its_end() {
    let mut game = Interactive::start(&["sevens", "player", "steady"]);
    game.to.write_all(&[b'7'; 64 * 1024]).unwrap();
    let mut rest = String::new();
    game.from.read_to_string(&mut rest).unwrap();
    assert_eq!((rest.as_str(), game.child.wait().unwrap().success()), ("", false));
}

/// Plays a game of each kind in the environment, twice the same, and prints what came of it.
const IN_PYTHON: &str = r#"
import random, sys
sys.path.insert(0, sys.argv[1])
from environment import ACTIONS, Environment
program, kind, seats = sys.argv[2], sys.argv[3], sys.argv[4:]

def play():
    luck, steps = random.Random(5), []
    env.reset(seed=9)
    assert env.agents == env.possible_agents
    for agent in env.agent_iter():
        seen, reward, termination, truncation, info = env.last()
        mask = seen["action_mask"]
        assert len(mask) == ACTIONS and sum(mask) == len(info["actions"]) and not truncation
        if termination:
            assert sum(mask) == 0 and seen["observation"] is None
            steps.append((agent, reward, info["place"], info["score"]))
            env.step(None)
            continue
        assert seen["observation"]["seat"] == int(agent[5:]) and reward == 0
        lines = {line["type"] for line in seen["observation"]["legal_actions"]}
        assert lines == {action["type"] for action in info["actions"].values()}
        number = luck.choice([number for number in range(ACTIONS) if mask[number]])
        try:
            env.step(next(n for n in range(ACTIONS) if not mask[n]))
            raise SystemExit("a masked action was taken")
        except ValueError:
            pass
        env.step(number)
        steps.append((agent, number))
    return steps

env = Environment(kind, seats, program=program)
first = play()
assert first == play()
rewards = sum(step[1] for step in first if len(step) == 4)
assert abs(rewards - 1) < 1e-9 or seats.count("player") < len(seats), rewards
env.close()
print(len(first))
"#;

#[test]
fn the_environment_masks_what_is_not_legal_and_plays_every_kind_to_its_end() {
    let Some(python) = interpreter(PYTHON) else { return };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/python");
    for kind in newest() {
        let (mut all, mut against) = (vec!["player"; usize::from(kind.min_seats)], vec!["steady"]);
        against.extend(&all[1..]);
        for seats in [&mut all, &mut against] {
            let program = [env!("CARGO_BIN_EXE_cardroom"), kind.kind];
            let run =
                Command::new(&python).args(["-c", IN_PYTHON, folder]).args(program).args(&*seats).output();
            let run = run.unwrap();
            let told = String::from_utf8_lossy(&run.stdout).trim().parse::<usize>();
            assert!(
                told.is_ok_and(|steps| steps > 5),
                "{}: {}",
                kind.kind,
                String::from_utf8_lossy(&run.stderr)
            );
        }
    }
}
