//! Versions of what a tournament does by itself. A tournament keeps the versions that it began with, so that a change
//! neither ranks its winners nor draws its rounds anew.

use serde::{Deserialize, Serialize};

/// How ties are broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub enum TieBreakVersion {
    /// Head to head, the opponents' results, the best game; see [`TieBreaks`](super::TieBreaks).
    V1,
}

/// How seats are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub enum PairingVersion {
    /// At each table in the order of the lots.
    V1,
    /// Each entrant sits at each seat as often as at the others, as far as that can be.
    V2,
}

impl TieBreakVersion {
    /// The version of tournaments that begin now.
    pub const NEWEST: TieBreakVersion = TieBreakVersion::V1;
}

impl PairingVersion {
    /// The version of tournaments that begin now.
    pub const NEWEST: PairingVersion = PairingVersion::V2;
}

impl From<TieBreakVersion> for u16 {
    fn from(version: TieBreakVersion) -> u16 {
        match version {
            TieBreakVersion::V1 => 1,
        }
    }
}

impl TryFrom<u16> for TieBreakVersion {
    type Error = String;

    fn try_from(version: u16) -> Result<TieBreakVersion, String> {
        match version {
            1 => Ok(TieBreakVersion::V1),
            other => Err(format!("there is no version {other} of the tie-breaks")),
        }
    }
}

impl From<PairingVersion> for u16 {
    fn from(version: PairingVersion) -> u16 {
        match version {
            PairingVersion::V1 => 1,
            PairingVersion::V2 => 2,
        }
    }
}

impl TryFrom<u16> for PairingVersion {
    type Error = String;

    fn try_from(version: u16) -> Result<PairingVersion, String> {
        match version {
            1 => Ok(PairingVersion::V1),
            2 => Ok(PairingVersion::V2),
            other => Err(format!("there is no version {other} of the pairing")),
        }
    }
}
