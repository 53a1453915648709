//! Bots: how a policy chooses among the legal actions of its seat.

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::log::entry::Policy;
use crate::rules::bot::Luck;
pub use crate::rules::bot::Observation;
use crate::rules::registry::{self, Kind};

/// What a policy does with what it sees. The same luck gives the same action.
///
/// # Panics
/// Where there is no such kind.
pub fn choose(policy: Policy, seen: &Observation, luck: u64) -> Box<RawValue> {
    match policy {
        Policy::Random => random(seen, luck),
        Policy::Novice => novice(seen, luck),
        Policy::Steady => steady(seen),
        Policy::Skilled => thought_out(seen, kind(seen).thoughts.skilled, luck),
        Policy::Expert => thought_out(seen, kind(seen).thoughts.expert, luck),
    }
}

/// Any legal action: each line of the menu is as likely as the others, and so is each value of a parameter.
pub fn random(seen: &Observation, luck: u64) -> Box<RawValue> {
    written(&seen.menu().any(&mut Luck::new(luck)))
}

/// What a careful player would do.
///
/// # Panics
/// Where there is no such kind.
pub fn steady(seen: &Observation) -> Box<RawValue> {
    written(&(kind(seen).steady)(seen))
}

/// What a careful player would do, but for one decision in three, which is any legal action.
fn novice(seen: &Observation, luck: u64) -> Box<RawValue> {
    let luck = &mut Luck::new(luck);
    if luck.below(3) == 0 { random(seen, luck.word()) } else { steady(seen) }
}

/// What comes out best in `worlds` worlds that fit what the seat knows, at least one. The work grows with their number,
/// and the same luck gives the same action.
///
/// # Panics
/// Where there is no such kind.
pub fn thought_out(seen: &Observation, worlds: u32, luck: u64) -> Box<RawValue> {
    (kind(seen).thoughts.choose)(seen, worlds, luck)
}

fn kind(seen: &Observation) -> &'static Kind {
    registry::by_version(seen.kind, seen.rules_version).expect("a game's kind is registered")
}

fn written(action: &Value) -> Box<RawValue> {
    to_raw_value(action).expect("an action is plain JSON")
}
