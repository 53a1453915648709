//! A key that signs for the house.

use std::path::{Path, PathBuf};

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use cardroom_core::audit::{self, Signed, SignedTournament};
use jiff::Timestamp;
use jsonwebtoken::jwk::{
    AlgorithmParameters, CommonParameters, EllipticCurve, Jwk, KeyAlgorithm, OctetKeyPairParameters,
    OctetKeyPairType, PublicKeyUse, ThumbprintHash,
};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;
use serde::Serialize;

use crate::store::error::StoreError;

/// An Ed25519 key.
pub struct Key {
    pub kid: String,
    pub created_at: Timestamp,
    pub public: DecodingKey,
    private: EncodingKey,
    /// The public point, as RFC 8037 writes it.
    x: String,
}

impl Key {
    /// The keys in these files, as `openssl genpkey -algorithm ed25519` writes them. Their ids are their thumbprints
    /// (RFC 7638), so that the same key has the same id everywhere.
    ///
    /// # Errors
    /// [`StoreError::Key`] where a file cannot be read, or holds no such key.
    pub fn read_files(paths: &[PathBuf]) -> Result<Vec<Key>, StoreError> {
        paths.iter().map(|path| Key::read_file(path)).collect()
    }

    fn read_file(path: &Path) -> Result<Key, StoreError> {
        let refused =
            |why: String| StoreError::Key(format!("CARDROOM_SIGNING_KEYS, {}: {why}", path.display()));
        let der = PrivatePkcs8KeyDer::from_pem_file(path).map_err(|error| refused(error.to_string()))?;
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(der.secret_pkcs8_der())
            .map_err(|_| refused("it holds no Ed25519 key".to_owned()))?;
        let key = Key::of(String::new(), &pair, Timestamp::UNIX_EPOCH)
            .ok_or_else(|| refused("its Ed25519 key cannot be written".to_owned()))?;
        let kid = key.jwk().thumbprint(ThumbprintHash::SHA256).map_err(|error| refused(error.to_string()))?;
        Ok(Key { kid, ..key })
    }

    /// The key of these 32 secret bytes; `None` for another number of bytes.
    pub fn new(kid: String, secret: &[u8], created_at: Timestamp) -> Option<Key> {
        Key::of(kid, &Ed25519KeyPair::from_seed_unchecked(secret).ok()?, created_at)
    }

    fn of(kid: String, pair: &Ed25519KeyPair, created_at: Timestamp) -> Option<Key> {
        let private = EncodingKey::from_ed_der(pair.to_pkcs8v1().ok()?.as_ref());
        let point = pair.public_key().as_ref();
        let (public, x) = (DecodingKey::from_ed_der(point), URL_SAFE_NO_PAD.encode(point));
        Some(Key { kid, created_at, public, private, x })
    }

    /// The public half.
    pub fn jwk(&self) -> Jwk {
        Jwk {
            common: CommonParameters {
                public_key_use: Some(PublicKeyUse::Signature),
                key_algorithm: Some(KeyAlgorithm::EdDSA),
                key_id: Some(self.kid.clone()),
                ..CommonParameters::default()
            },
            algorithm: AlgorithmParameters::OctetKeyPair(OctetKeyPairParameters {
                key_type: OctetKeyPairType::OctetKeyPair,
                curve: EllipticCurve::Ed25519,
                x: self.x.clone(),
            }),
        }
    }

    /// A compact JWS over `claims`, which names this key.
    pub fn sign(&self, typ: &str, claims: &impl Serialize) -> String {
        self.encode(self.header(typ), claims)
    }

    /// The house's signature of a log: a compact JWS that includes the public key.
    pub fn sign_log(&self, log: &Signed) -> String {
        self.encode(Header { jwk: Some(self.jwk()), ..self.header(audit::TYP) }, log)
    }

    /// The house's signature of a tournament's log, as [`sign_log`](Self::sign_log).
    pub fn sign_tournament(&self, log: &SignedTournament) -> String {
        self.encode(Header { jwk: Some(self.jwk()), ..self.header(audit::TOURNAMENT_TYP) }, log)
    }

    fn header(&self, typ: &str) -> Header {
        Header { typ: Some(typ.to_owned()), kid: Some(self.kid.clone()), ..Header::new(Algorithm::EdDSA) }
    }

    fn encode(&self, header: Header, claims: &impl Serialize) -> String {
        jsonwebtoken::encode(&header, claims, &self.private).expect("an Ed25519 key signs whatever is JSON")
    }
}
