//! `docs/rules-coverage.md` names the tests and the texts for each sentence of the games' sources: all are there.

use std::path::{Path, PathBuf};

use cardroom_core::rules::registry::newest;
use cardroom_core::rules::texts::Language;

#[test]
fn every_rule_of_the_sources_is_held_by_tests_that_exist() {
    let page = std::fs::read_to_string(root().join("../../docs/rules-coverage.md")).unwrap();
    let mut faults = Vec::new();
    for table in newest().map(|kind| kind.name).chain(["Games of chips"]) {
        let rows = rows(&page, table);
        if rows.is_empty() {
            faults.push(format!("{table}: there is no table"));
        }
        for (sentence, tests) in rows {
            if tests.is_empty() {
                faults.push(format!("{table}: no test holds “{sentence}”"));
            }
            let gone = tests.into_iter().filter(|test| !exists(test));
            faults.extend(gone.map(|test| format!("{table}: there is no test {test}")));
        }
    }
    assert!(faults.is_empty(), "docs/rules-coverage.md:\n{}", faults.join("\n"));
}

#[test]
fn every_sentence_of_the_sources_is_told_to_players_by_texts_that_exist() {
    let page = std::fs::read_to_string(root().join("../../docs/rules-coverage.md")).unwrap();
    let mut faults = Vec::new();
    for kind in newest() {
        let texts = kind.texts(Language::English);
        let heading = format!("## {}", kind.name);
        let section = page.lines().skip_while(|line| *line != heading).skip(1);
        let section = section.take_while(|line| !line.starts_with("## "));
        let rows: Vec<&str> = section.filter(|line| line.starts_with("| ")).collect();
        for row in rows.iter().filter(|row| !row.starts_with("| what the source says")) {
            let told_by = row.trim_end_matches(['|', ' ']).rsplit('|').next().unwrap_or_default();
            let keys: Vec<&str> = told_by.split('`').skip(1).step_by(2).collect();
            if keys.is_empty() {
                faults.push(format!("{}: nobody is told {row}", kind.name));
            }
            let gone = keys.into_iter().filter(|key| texts.find(key).is_none());
            faults.extend(gone.map(|key| format!("{}: there is no text `{key}`", kind.name)));
        }
    }
    assert!(faults.is_empty(), "docs/rules-coverage.md:\n{}", faults.join("\n"));
}

/// The sentences of a table, each with the tests named beside it; "missing" names none. The texts that tell a sentence
/// stand in a third cell, and what is only told in a table under a heading of its own.
fn rows<'a>(page: &'a str, title: &str) -> Vec<(&'a str, Vec<&'a str>)> {
    page.lines()
        .skip_while(|line| line.strip_prefix("## ") != Some(title))
        .skip(1)
        .take_while(|line| !line.starts_with("##"))
        .filter(|line| line.starts_with('|'))
        .skip(2)
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let ([_, sentence, tests, _] | [_, sentence, tests, _, _]) = cells[..] else {
                panic!("not a row of two or three cells: {line}")
            };
            (sentence, tests.split('`').skip(1).step_by(2).collect())
        })
        .collect()
}

fn exists(test: &str) -> bool {
    let (folder, path) = match (test.strip_prefix("cardroom_core::"), test.strip_prefix("cardroom::")) {
        (Some(path), _) => ("src", path),
        (_, Some(path)) => ("../../tests", path),
        _ => ("tests", test),
    };
    let Some((module, name)) = path.rsplit_once("::") else { return false };
    let source = source(&root().join(folder), module);
    let begins = format!("fn {name}(");
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines.array_windows().any(|[attribute, line]| {
        attribute.ends_with("test]") && line.trim_start_matches("async ").starts_with(&begins)
    })
}

/// The file of a module; a module `tests` without one of its own stands in its parent's. Empty if there is none.
fn source(folder: &Path, module: &str) -> String {
    let module = folder.join(module.replace("::", "/"));
    let parent = module.parent().filter(|_| module.ends_with("tests")).map(Path::to_owned);
    [Some(module), parent].into_iter().flatten().find_map(|module| text(&module)).unwrap_or_default()
}

fn text(module: &Path) -> Option<String> {
    let files = [module.with_extension("rs"), module.join("mod.rs")];
    files.iter().find_map(|file| std::fs::read_to_string(file).ok())
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
