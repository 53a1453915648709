//! The audit bundle of a tournament: written, and read.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::bundle::NotABundle;
use crate::log::fairness::{ALGORITHM, Seed};
use crate::log::{Hex32, chain};
use crate::rules::registry::KindName;
use crate::tournament::{Row, Status, Tournament};

/// The name of the form.
pub const TOURNAMENT_FORMAT: &str = "cardroom.tournament-audit/1";

/// All that a tournament which is over claims, for anyone to check together with the bundles of its games.
///
/// `docs/fairness.md` tells how; `cardroom audit` does it.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentAuditBundle)]
pub struct TournamentAuditBundle<'a> {
    /// `cardroom.tournament-audit/1`
    pub format: &'static str,
    #[schema(inline)]
    pub tournament: TournamentSummary<'a>,
    #[schema(inline)]
    pub fairness: TournamentSeeds,
    /// Every entry, as `/log` shows it.
    #[schema(value_type = Vec<Object>)]
    pub log: Vec<&'a RawValue>,
    /// The standings after the last entry.
    pub standings: &'a [Row],
    /// A JWS over the tournament's id, the number of entries and the hash of the last entry in the chain of all.
    pub signature: &'a str,
}

/// Which tournament a bundle is of.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TournamentSummary<'a> {
    pub id: Uuid,
    pub name: &'a str,
    #[schema(value_type = KindName)]
    pub kind: &'a str,
    pub rules_version: u16,
    pub status: Status,
}

/// What a tournament's lots come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentSeeds {
    #[schema(example = "cardroom/1")]
    pub algorithm: String,
    /// SHA-256 of the server seed.
    #[schema(value_type = String)]
    pub commitment: Hex32,
    #[schema(value_type = String)]
    pub server_seed: Hex32,
}

/// A tournament's bundle that has been taken apart, and not judged.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(feature = "signatures"), expect(dead_code, reason = "it is judged elsewhere"))]
pub struct TournamentBundle {
    pub(super) format: String,
    pub(super) tournament: Box<RawValue>,
    pub(super) fairness: TournamentSeeds,
    pub(super) log: Vec<Box<RawValue>>,
    pub(super) standings: Box<RawValue>,
    pub(super) signature: String,
}

impl TournamentBundle {
    /// Whether a text looks like a tournament's bundle, and not like a game's.
    pub fn is_one(text: &str) -> bool {
        #[derive(Deserialize)]
        struct Format {
            format: String,
        }
        serde_json::from_str(text).is_ok_and(|Format { format }| format == TOURNAMENT_FORMAT)
    }

    /// Takes a bundle apart.
    ///
    /// # Errors
    /// [`NotABundle`] where a part is missing, unknown or of the wrong type.
    pub fn parse(text: &str) -> Result<TournamentBundle, NotABundle> {
        let bundle: TournamentBundle =
            serde_json::from_str(text).map_err(|error| NotABundle(error.to_string()))?;
        if bundle.format != TOURNAMENT_FORMAT {
            let detail = format!("its format is `{}`, not `{TOURNAMENT_FORMAT}`", bundle.format);
            return Err(NotABundle(detail));
        }
        Ok(bundle)
    }

    /// What it says of the tournament in its head, as JSON.
    pub fn tournament(&self) -> &RawValue {
        &self.tournament
    }
}

/// What a bundle says of a tournament in its head.
pub(super) fn summary(tournament: &Tournament) -> TournamentSummary<'_> {
    let setup = tournament.setup();
    TournamentSummary {
        id: tournament.id,
        name: &setup.name,
        kind: &setup.kind,
        rules_version: setup.rules_version,
        status: tournament.status(),
    }
}

/// The hash of a log's last entry in the chain of all. `entries`: the canonical texts, the first first.
pub fn tournament_head<'a>(seed: &Seed, entries: impl IntoIterator<Item = &'a str>) -> Hex32 {
    let entries = entries.into_iter().zip(1..);
    entries.fold(chain::GENESIS, |before, (entry, seq)| chain::hash(before, seed, seq, entry))
}

/// A bundle's text. `tournament` is over, `log` are its entries as they are stored, and `signature` is of their
/// [head](tournament_head).
pub fn tournament_bundle(
    tournament: &Tournament,
    log: Vec<&RawValue>,
    standings: &[Row],
    signature: &str,
) -> String {
    let bundle = TournamentAuditBundle {
        format: TOURNAMENT_FORMAT,
        tournament: summary(tournament),
        fairness: TournamentSeeds {
            algorithm: ALGORITHM.to_owned(),
            commitment: tournament.commitment(),
            server_seed: tournament.seed().reveal(),
        },
        log,
        standings,
        signature,
    };
    serde_json::to_string(&bundle).expect("bundles have string keys and plain values")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tournament_s_bundle_is_told_by_its_format() {
        let format = |format: &str| serde_json::json!({"format": format, "log": []}).to_string();
        assert!(TournamentBundle::is_one(&format(TOURNAMENT_FORMAT)));
        assert!(!TournamentBundle::is_one(&format("cardroom.audit/1")));
        assert!(!TournamentBundle::is_one("{}") && !TournamentBundle::is_one("no JSON"));
    }
}
