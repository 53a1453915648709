//! The version of the tie-breaks that a tournament begins with.

use jiff::Timestamp;
use serde_json::json;
use uuid::Uuid;

use super::simulation::{organiser, setup};
use super::*;
use crate::log::fairness::Seed;

#[test]
fn a_tournament_keeps_the_tie_breaks_that_it_began_with() {
    let seed = Seed::new([9; 32]);
    let id = Uuid::from_u128(9);
    let cup = setup(
        json!({"name": "Cup", "kind": "sevens", "format": {"type": "rounds", "rounds": 1, "seating": "random"}}),
    );
    let step =
        Tournament::create(id, seed.clone(), &organiser(), (cup, Details::default()), Timestamp::UNIX_EPOCH);
    let text = &step.entries[0].1;
    assert!(text.contains(r#""tie_breaks":1"#), "{text}");
    let replay = |text: &str| {
        Tournament::replay(id, seed.clone(), TournamentEntry::parse(text).ok())
            .map(|now| now.about.tie_breaks)
    };
    assert_eq!(replay(text), Ok(TieBreakVersion::V1));
    assert!(replay(&text.replace(r#","tie_breaks":1"#, "")).is_err(), "the version is always named");
    assert!(TournamentEntry::parse(&text.replace(r#""tie_breaks":1"#, r#""tie_breaks":2"#)).is_err());
}
