//! The house's word for a log: a compact JWS (EdDSA) over where the log ended.

use jsonwebtoken::jwk::{Jwk, JwkSet};
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::log::Hex32;

/// The `typ` of these signatures, so that nothing else which the house signs passes for one.
pub const TYP: &str = "cardroom-audit+jwt";

/// The `typ` of signatures of tournaments' logs.
pub const TOURNAMENT_TYP: &str = "cardroom-tournament-audit+jwt";

/// What is signed of a tournament's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedTournament {
    pub tournament: Uuid,
    /// How many entries the log has.
    pub version: u32,
    /// The hash of the last entry in the chain, and through it of all of them.
    pub hash: Hex32,
}

/// What is signed of a game's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signed {
    pub game: Uuid,
    /// How many entries the log has.
    pub version: u32,
    /// The last one's hash, and through the chain all of them.
    pub hash: Hex32,
}

/// Whose signatures count.
#[derive(Debug, Clone)]
pub enum Keys {
    /// These keys alone: the house's JWKS.
    Known(JwkSet),
    /// The key that the signature itself brings. This shows that the bundle is whole, not whose it is.
    Bundled,
}

/// What a signature says, and by which key, in words.
pub(super) fn read<T: DeserializeOwned + Clone>(
    signature: &str,
    typ: &str,
    keys: &Keys,
) -> Result<(T, String), String> {
    let header = jsonwebtoken::decode_header(signature).map_err(|error| format!("no JWS: {error}"))?;
    if header.typ.as_deref() != Some(typ) || header.alg != Algorithm::EdDSA {
        return Err(format!("a signature is of the type {typ}, by EdDSA"));
    }
    let kid = header.kid.unwrap_or_default();
    let (key, whose) = match keys {
        Keys::Known(known) => {
            let key = known.find(&kid).cloned().ok_or_else(|| format!("the keys have no `{kid}`"))?;
            (key, format!("by the key {kid}"))
        }
        Keys::Bundled => {
            let brought = header.jwk.filter(|key| key.common.key_id.as_deref() == Some(&*kid));
            let key = brought.ok_or("the signature brings no key of its `kid`; give the house's keys")?;
            (key, format!("by the key {kid} that it brings; only the house's own keys tell whose that is"))
        }
    };
    Ok((decode(signature, &key)?, whose))
}

fn decode<T: DeserializeOwned + Clone>(signature: &str, key: &Jwk) -> Result<T, String> {
    let key = DecodingKey::from_jwk(key).map_err(|error| format!("the key is of no use: {error}"))?;
    let mut validation = Validation::new(Algorithm::EdDSA);
    // What happened does not expire, and is for everybody.
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    let decoded = jsonwebtoken::decode::<T>(signature, &key, &validation);
    decoded.map(|token| token.claims).map_err(|error| format!("the signature does not hold: {error}"))
}
