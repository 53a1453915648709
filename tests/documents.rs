//! What the documents of the repository say, held against the program.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use cardroom::config::Cli;
use clap::CommandFactory;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The sections of a page: what stands behind `## ` to the end of the line, and the text below it.
fn sections(page: &str) -> Vec<(&str, &str)> {
    page.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap()).collect()
}

#[test]
fn security_md_tells_how_to_report_against_whom_and_what_is_promised() {
    let page = document("SECURITY.md");
    let sections = sections(&page);
    for wanted in ["Reporting a weakness", "Against whom", "What is promised"] {
        let text = sections.iter().find(|(title, _)| *title == wanted);
        let (_, text) = text.unwrap_or_else(|| panic!("SECURITY.md has no section \"{wanted}\""));
        assert!(text.split_whitespace().count() > 50, "\"{wanted}\" says little");
    }
    let (_, adversaries) = sections.iter().find(|(title, _)| *title == "Against whom").unwrap();
    let not_promised = ["*Not promised:*", "*Not proven:*"];
    assert!(not_promised.iter().any(|words| adversaries.contains(words)), "and what is not");
}

#[test]
fn security_md_names_settings_and_pages_that_exist() {
    let page = document("SECURITY.md");
    let cli = Cli::command();
    let settings: BTreeSet<&str> =
        cli.get_arguments().filter_map(|argument| argument.get_env()?.to_str()).collect();
    let words = page.split(|c: char| !c.is_ascii_uppercase() && c != '_');
    let named: BTreeSet<&str> = words.filter(|word| word.starts_with("CARDROOM_")).collect();
    assert!(!named.is_empty());
    assert_eq!(named.difference(&settings).collect::<Vec<_>>(), Vec::<&&str>::new());
    for link in page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        let file = link.split('#').next().unwrap();
        assert!(file.starts_with("https://") || root().join(file).exists(), "{link} is not there");
    }
}

#[test]
fn the_compose_file_serves_this_machine_alone_and_has_no_default_password() {
    let file = document("docker-compose.yml");
    let ports: Vec<&str> = file.lines().map(str::trim).filter(|line| line.ends_with(":8080\"")).collect();
    assert_eq!(ports, ["- \"127.0.0.1:8080:8080\""]);
    let settings = file.lines().filter(|line| !line.trim_start().starts_with('#'));
    let secret: Vec<&str> =
        settings.filter(|line| line.contains("PASSWORD") || line.contains("://")).collect();
    assert_eq!(secret.len(), 2, "{secret:?}");
    for line in secret {
        assert!(
            line.contains("${POSTGRES_PASSWORD:?"),
            "{}: compose has to refuse to start without one",
            line.trim()
        );
    }
}

#[test]
fn operations_md_names_files_that_exist() {
    let page = document("docs/operations.md");
    let links = page.split("](").skip(1).map(|rest| rest.split([')', '#']).next().unwrap());
    let files = links.filter(|link| !link.starts_with("https://") && !link.is_empty());
    let files = files.map(|link| format!("docs/{link}"));
    let named = page.split(|c: char| c.is_whitespace() || "`\",;".contains(c));
    let named =
        named.filter(|word| word.starts_with("deploy/")).map(|word| word.trim_end_matches('.').to_owned());
    let files: Vec<String> = files.chain(named).collect();
    assert!(files.len() > 10, "{files:?}");
    for file in files {
        assert!(root().join(&file).exists(), "{file} is not there");
    }
}

#[test]
fn the_unit_leaves_the_service_little_to_do_harm_with() {
    let unit = root().join("deploy/systemd/cardroom.service");
    // In tenths of what systemd-analyze tells.
    let judged = Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--no-pager", "--threshold=15"])
        .arg(unit)
        .output();
    match judged {
        Ok(judged) => assert!(judged.status.success(), "{}", String::from_utf8_lossy(&judged.stdout)),
        Err(_) => println!("systemd-analyze is not installed: the unit is not judged"),
    }
}
