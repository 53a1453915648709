//! The README's commands, run as they stand there.

use std::process::Command;

use serde_json::Value;

use super::app::{Program, TestApp, TestDatabase};

/// The blocks of the README with this mark, one after the other.
fn blocks(mark: &str) -> String {
    let readme = include_str!("../../README.md");
    let begins = format!("```sh {mark}\n");
    readme.split(&begins).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// What a script says, run in a folder of its own against the service at `base`.
async fn run(base: &str, script: String) -> String {
    let port = base.rsplit(':').next().unwrap();
    let folder = std::env::temp_dir().join(format!("cardroom-walk-{port}"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", &script]).env("ROOM", base).current_dir(&folder);
    let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_walk_of_the_readme_works_as_it_stands() {
    let app = TestApp::start().await;
    let told = run(app.base(), blocks("walk")).await;
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [sat, seen, ann, bob, event, .., log] = &lines[..] else { panic!("{told}") };
    assert_eq!((&sat["status"], &sat["you"], &seen["you"]), (&"active".into(), &1.into(), &0.into()));
    let outcomes = [ann.get("seq").is_some(), bob.get("seq").is_some()];
    assert!(outcomes.contains(&true), "one of them is to act: {told}");
    assert!([ann, bob].iter().all(|reply| reply.get("seq").is_some() || reply["code"] == "not_your_turn"));
    assert_eq!((&event["entry"]["seq"], &event["game"]["version"]), (&7.into(), &7.into()));
    assert_eq!(log["items"][0]["type"], "created");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_house_is_checked_and_a_tournament_run_as_the_readme_says() {
    let database = TestDatabase::create().await;
    let program = Program::start(&database).await;
    let setup: String = blocks("walk").lines().filter(|line| line.starts_with("JSON=")).collect();
    let script = blocks("check").replace("cargo run -q --", env!("CARGO_BIN_EXE_cardroom"));
    let told = run(&program.base, format!("{setup}\n{script}")).await;
    for part in ["signature", "Hand 1 of Royal Gambit", "place,player,result"] {
        assert!(told.contains(part), "{part} is missing: {told}");
    }
}
