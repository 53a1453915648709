//! What holds for every page in every state: nothing to scroll sideways, nothing that axe-core objects to, no error.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

use super::page::{DESK, PHONE, Page, Theme};

/// The rules of accessibility as axe-core knows them, where `npm ci --prefix tests/browser` has brought it. With `CI` set
/// it must be there.
#[expect(clippy::disallowed_methods, reason = "a test is told by whoever runs it, not by a configuration")]
static AXE: LazyLock<Option<String>> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(&file).ok();
    assert!(axe.is_some() || std::env::var_os("CI").is_none(), "{} is missing", file.display());
    if axe.is_none() {
        eprintln!("axe-core is missing: the page is not held against its rules");
    }
    axe
});

/// The rules that hang on colours, as an option of axe-core.
const COLOURS: &str = "runOnly: ['color-contrast', 'link-in-text-block'],";

/// Looks at the page as it is now, on a phone and on a desk, in both themes.
pub async fn has_manners(page: &Page, what: &str) {
    page.until("document.querySelector('h1')").await;
    for size in [PHONE, DESK] {
        page.resize(size).await;
        let root = "document.documentElement";
        let overlap = page.eval(&format!("{root}.scrollWidth - {root}.clientWidth")).await;
        assert_eq!(overlap, 0, "{what}: at {size:?} there is something to scroll sideways to");
        // A theme has colours of its own, and nothing else.
        for (theme, rules) in [(Theme::Light, ""), (Theme::Dark, COLOURS)] {
            page.wear(theme).await;
            let violations = violations(page, rules).await;
            assert!(violations.is_empty(), "{what}, {size:?}, {theme:?}:\n{}", violations.join("\n"));
        }
    }
    makes_no_complaint(page, what);
}

pub fn makes_no_complaint(page: &Page, what: &str) {
    let complaints = page.complaints();
    assert!(complaints.is_empty(), "{what}:\n{}", complaints.join("\n"));
}

async fn violations(page: &Page, rules: &str) -> Vec<String> {
    let Some(axe) = AXE.as_ref() else { return Vec::new() };
    if page.eval("typeof axe === 'object'").await == false {
        page.load(axe).await;
    }
    let wanted = format!("(await axe.run(document, {{{rules} resultTypes: ['violations']}})).violations");
    let found = page.eval(&wanted).await;
    let found: &[Value] = found.as_array().unwrap();
    let told = |violation: &Value| {
        let nodes = violation["nodes"].as_array().unwrap();
        let first = nodes.first().map(|node| node["failureSummary"].to_string() + &node["html"].to_string());
        format!("{}: {} times, {}", violation["id"], nodes.len(), first.unwrap_or_default())
    };
    found.iter().map(told).collect()
}
