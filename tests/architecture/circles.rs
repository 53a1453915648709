//! No file imports, by way of others, itself: each can be read knowing only those below it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The modules of a crate, each with those that it names. A module is its path, like `rules::menu`; the crate's root is
/// empty, and left out.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_file_imports_in_a_circle() {
    for root in ["src", "crates/cardroom-core/src", "crates/local-postgres/src"] {
        let texts: BTreeMap<String, String> = super::sources_in(root)
            .into_iter()
            .map(|(_, path, text)| (module(Path::new(root), &path), code(&text)))
            .collect();
        let known: BTreeSet<String> = texts.keys().filter(|module| !module.is_empty()).cloned().collect();
        assert!(known.len() > 3, "{root}");
        let imports: Imports =
            texts.iter().map(|(module, text)| (module.clone(), imports(module, text, &known))).collect();
        for module in &known {
            if let Some(circle) = way(&imports, module, module, &mut BTreeSet::new()) {
                panic!("{root}: {module} imports itself: {}", circle.join(" -> "));
            }
        }
    }
}

/// `rules::menu` of `…/src/rules/menu.rs`, `rules` of `…/src/rules/mod.rs`, nothing of the crate's root.
fn module(root: &Path, path: &Path) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let within = path.strip_prefix(root).unwrap().with_extension("");
    let parts: Vec<&str> = within.iter().map(|part| part.to_str().unwrap()).collect();
    match parts.as_slice() {
        ["lib" | "main"] => String::new(),
        [folder @ .., "mod"] => folder.join("::"),
        all => all.join("::"),
    }
}

/// The text without comments and unit tests.
fn code(text: &str) -> String {
    let text = text.split("mod tests {").next().unwrap();
    let lines = text.lines().map(|line| line.split("//").next().unwrap());
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules that are named in the text of `module`.
fn imports(module: &str, text: &str, known: &BTreeSet<String>) -> BTreeSet<String> {
    let mut paths = Vec::new();
    for statement in text.split("use ").skip(1).filter_map(|rest| rest.split(';').next()) {
        spread("", statement, &mut paths);
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    paths.extend(text.split(|c| !is_path(c)).filter(|word| word.contains("::")).map(str::to_owned));
    let named = paths.iter().filter_map(|path| named(module, path, known));
    named.filter(|other| other != module).collect()
}

/// `a::{b, c::d}` as `a::b` and `a::c::d`.
fn spread(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let Some((before, rest)) = tree.split_once('{') else {
        paths.push(format!("{prefix}{}", tree.split(" as ").next().unwrap().trim()));
        return;
    };
    let prefix = format!("{prefix}{}", before.trim());
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut begin) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            if !inner[begin..at].trim().is_empty() {
                spread(&prefix, inner[begin..at].trim(), paths);
            }
            begin = (at + 1).min(inner.len());
        }
    }
}

/// The module that a path leads into, as it stands in `module`.
fn named(module: &str, path: &str, known: &BTreeSet<String>) -> Option<String> {
    let mut parts: Vec<&str> = path.split("::").collect();
    let mut base: Vec<&str> = module.split("::").filter(|part| !part.is_empty()).collect();
    match parts[0] {
        "crate" => base.clear(),
        "self" | "super" => {}
        // A child of this module.
        child
            if known
                .contains(base.iter().copied().chain([child]).collect::<Vec<_>>().join("::").as_str()) =>
        {
            parts.insert(0, "self");
        }
        _ => return None,
    }
    for part in parts.iter().take_while(|part| matches!(**part, "crate" | "self" | "super")) {
        if *part == "super" {
            base.pop();
        }
    }
    base.extend(parts.iter().skip_while(|part| matches!(**part, "crate" | "self" | "super")));
    (1..=base.len()).rev().map(|length| base[..length].join("::")).find(|path| known.contains(path))
}

/// The modules on the way from one to another.
fn way(imports: &Imports, from: &str, to: &str, seen: &mut BTreeSet<String>) -> Option<Vec<String>> {
    for next in &imports[from] {
        if next == to {
            return Some(vec![from.to_owned(), to.to_owned()]);
        }
        if seen.insert(next.clone())
            && let Some(mut rest) = way(imports, next, to, seen)
        {
            rest.insert(0, from.to_owned());
            return Some(rest);
        }
    }
    None
}
