//! The README's walk, run as it stands there.

use std::process::Command;

use super::app::TestApp;

#[tokio::test(flavor = "multi_thread")]
async fn the_walk_of_the_readme_works_as_it_stands() {
    let readme = include_str!("../../README.md");
    let walk = readme.split("```sh walk\n").nth(1).unwrap().split("```").next().unwrap();
    let app = TestApp::start().await;
    let mut shell = Command::new("bash");
    shell.args(["-euo", "pipefail", "-c", walk]).env("ROOM", app.base());
    let output = tokio::task::spawn_blocking(move || shell.output()).await.unwrap().unwrap();
    let (told, errors) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{errors}");
    let lines: Vec<serde_json::Value> =
        told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [sat, seen, ann, bob, event, .., log] = &lines[..] else { panic!("{told}") };
    assert_eq!((&sat["status"], &sat["you"], &seen["you"]), (&"active".into(), &1.into(), &0.into()));
    let outcomes = [ann.get("seq").is_some(), bob.get("seq").is_some()];
    assert!(outcomes.contains(&true), "one of them is to act: {told}");
    assert!([ann, bob].iter().all(|reply| reply.get("seq").is_some() || reply["code"] == "not_your_turn"));
    assert_eq!((&event["entry"]["seq"], &event["game"]["version"]), (&7.into(), &7.into()));
    assert_eq!(log["items"][0]["type"], "created");
}
