//! A kind in a snapshot: its name and the version of its rules.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::rules::registry::{self, Kind};

pub fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
    (kind.kind, kind.rules_version).serialize(serializer)
}

pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Kind, D::Error> {
    let (kind, rules_version) = <(String, u16)>::deserialize(deserializer)?;
    known(&kind, rules_version)
}

/// The kind of this name and version.
pub fn known<E: serde::de::Error>(kind: &str, rules_version: u16) -> Result<&'static Kind, E> {
    registry::by_version(kind, rules_version)
        .ok_or_else(|| E::custom(format!("{kind} is not known by rules version {rules_version}")))
}
