//! The shape of the house, held by a test: who imports whom, how long files are, what they are called.

mod circles;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use diesel::QueryableByName;
use diesel::sql_types::Text;
use diesel_async::RunQueryDsl;

use crate::api::app::TestDatabase;

/// The parts of `src/`, from the highest to the lowest: each may name those of its own layer and of the layers below.
/// Cargo keeps the crates apart by itself.
const LAYERS: [&[&str]; 11] = [
    &["main"],
    &["app"],
    &["cli", "http"],
    &["archive", "check", "jobs", "personal_data", "streams", "webhooks"],
    &["ratings", "tournaments"],
    &["games"],
    &["accounts"],
    &["runtime"],
    &["store"],
    &["config"],
    &["archive_files", "clock", "entropy", "mail", "metrics"],
];

#[test]
fn imports_go_downwards_only() {
    let parts = parts();
    let layer = |part: &str| {
        let layer = LAYERS.iter().position(|layer| layer.contains(&part));
        layer.unwrap_or_else(|| panic!("LAYERS does not say where src/{part} stands"))
    };
    for (part, path, text) in sources().into_iter().filter(|(part, ..)| part != "lib") {
        for named in named_parts(&text, &parts) {
            let fine = layer(&named) >= layer(&part);
            assert!(fine, "{}: {part} must not know {named}", path.display());
        }
        // What is stored means something only further up.
        assert!(part != "store" || !text.contains("cardroom_core"), "{} knows the core", path.display());
    }
}

#[test]
fn files_stay_short() {
    for (part, path, text) in all_sources() {
        // A game's file has its rules, its tests and little that could stand elsewhere.
        let limit = if part == "rules" { 600 } else { 400 };
        let generated = path.ends_with("store/schema.rs");
        assert!(
            generated || text.lines().count() <= limit,
            "{} is longer than {limit} lines",
            path.display()
        );
    }
}

#[test]
fn nothing_is_silenced_and_nothing_is_called_a_helper() {
    for (_, path, text) in all_sources() {
        assert!(!text.contains("#[allow"), "{}: #[expect(…, reason = …)] instead", path.display());
        let name = path.file_stem().unwrap().to_str().unwrap();
        assert!(
            !["utils", "util", "helpers", "helper", "impls", "common", "misc"].contains(&name),
            "{}",
            path.display()
        );
    }
}

#[test]
fn every_code_of_a_problem_is_explained() {
    let known: BTreeSet<&str> = cardroom::http::problem::CODES.iter().map(|code| code.code).collect();
    for (_, path, text) in all_sources() {
        for call in ["Problem::new(", "Refusal::new("] {
            for argument in text.split(call).skip(1) {
                let Some(code) = argument.trim_start().strip_prefix('"') else { continue };
                let code = code.split('"').next().unwrap();
                assert!(known.contains(code), "{}: {code} is not in the table of codes", path.display());
            }
        }
    }
}

#[tokio::test]
async fn the_schema_in_the_program_is_the_database_s() {
    let database = TestDatabase::create().await;
    let columns: Vec<Column> = diesel::sql_query(
        "SELECT table_name || '.' || column_name || ': '
             || CASE WHEN is_nullable = 'YES' AND table_type <> 'VIEW' THEN udt_name || ' or null' ELSE udt_name END AS line
         FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
         WHERE table_schema = 'public' AND table_name NOT LIKE '\\_\\_%'",
    )
    .load(&mut database.connection().await)
    .await
    .unwrap();
    let real: BTreeSet<String> = columns.into_iter().map(|column| column.line).collect();
    let schema = include_str!("../src/store/schema.rs");
    assert_eq!(declared_columns(schema), real);
}

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    line: String,
}

/// `table.column: type` for each column that `schema.rs` declares.
fn declared_columns(schema: &str) -> BTreeSet<String> {
    let mut columns = BTreeSet::new();
    let mut table = "";
    for line in schema.lines().map(str::trim) {
        if let Some((name, _)) = line.split_once(" (").filter(|_| line.ends_with('{')) {
            table = name;
        } else if let Some((column, kind)) = line.trim_end_matches(',').split_once(" -> ")
            && !line.starts_with("joinable!")
        {
            columns.insert(format!("{table}.{column}: {}", sql_name(kind)));
        }
    }
    columns
}

fn sql_name(kind: &str) -> String {
    if let Some(inner) = kind.strip_prefix("Nullable<") {
        return format!("{} or null", sql_name(inner.strip_suffix('>').unwrap_or(inner)));
    }
    if let Some(inner) = kind.strip_prefix("Array<") {
        return format!("_{}", sql_name(inner.trim_end_matches('>')));
    }
    let name = match kind {
        "Text" => "text",
        "Uuid" => "uuid",
        "Bytea" => "bytea",
        "Timestamptz" => "timestamptz",
        "SmallInt" => "int2",
        "Integer" => "int4",
        "BigInt" => "int8",
        "Bool" => "bool",
        "Double" => "float8",
        "Jsonb" => "jsonb",
        other => panic!("which type of PostgreSQL is {other}?"),
    };
    name.to_owned()
}

/// The part, the path and the text of every file under `src/`, unit tests left out.
fn sources() -> Vec<(String, PathBuf, String)> {
    sources_in("src")
}

/// The same for the three crates.
fn all_sources() -> Vec<(String, PathBuf, String)> {
    ["src", "crates/cardroom-core/src", "crates/local-postgres/src"]
        .into_iter()
        .flat_map(sources_in)
        .collect()
}

fn sources_in(folder: &str) -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let within = path.strip_prefix(&root).unwrap();
                let first = within.iter().next().unwrap().to_str().unwrap();
                let part = first.trim_end_matches(".rs").to_owned();
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((part, path, text));
            }
        }
    }
    assert!(found.len() > 5);
    found
}

fn parts() -> BTreeSet<String> {
    sources().into_iter().map(|(part, ..)| part).filter(|part| part != "lib").collect()
}

/// The parts that a file names by `crate::`, or, from the binary, by `cardroom::`. Comments do not count.
fn named_parts(text: &str, parts: &BTreeSet<String>) -> BTreeSet<String> {
    let code =
        text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut named = BTreeSet::new();
    for root in ["crate::", "cardroom::"] {
        for rest in code.split(root).skip(1) {
            let grouped = rest.strip_prefix('{').and_then(|group| group.split('}').next());
            for path in
                grouped.unwrap_or(rest).split(',').take(if grouped.is_some() { usize::MAX } else { 1 })
            {
                let end = path.trim_start().find(|c: char| !c.is_alphanumeric() && c != '_');
                let word =
                    path.trim_start().get(..end.unwrap_or(path.trim_start().len())).unwrap_or_default();
                named.extend(parts.get(word).cloned());
            }
        }
    }
    named
}

#[test]
fn documents_name_only_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["src/", "crates/", "tests/", "docs/", "benches/", "migrations/", "openapi/", "examples/"];
    for page in [
        "README",
        "ARCHITECTURE",
        "CONTRIBUTING",
        "SECURITY",
        "docs/rulings",
        "docs/decisions",
        "docs/secrets",
    ] {
        let text = std::fs::read_to_string(root.join(page).with_extension("md")).unwrap();
        for quoted in text.split('`').skip(1).step_by(2) {
            let path = quoted.replace("core ", "crates/cardroom-core/src/");
            if folders.iter().any(|folder| path.starts_with(folder)) && !path.contains(['<', ' ', '*']) {
                assert!(root.join(&path).exists(), "{page}.md names {quoted}, which is not there");
            }
        }
    }
}
