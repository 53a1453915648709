//! Bots: how a policy chooses among the legal actions of its seat.

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::rules::bot::Luck;
pub use crate::rules::bot::Observation;
use crate::rules::registry;

/// Any legal action: each line of the menu is as likely as the others, and so is each value of a parameter.
pub fn random(seen: Observation<'_>, luck: u64) -> Box<RawValue> {
    written(&seen.menu().any(&mut Luck::new(luck)))
}

/// What a careful player would do.
///
/// # Panics
/// Where there is no such kind.
pub fn steady(seen: Observation<'_>) -> Box<RawValue> {
    let kind = registry::by_name(seen.kind).expect("a game's kind is registered");
    written(&(kind.steady)(&seen))
}

fn written(action: &Value) -> Box<RawValue> {
    to_raw_value(action).expect("an action is plain JSON")
}
