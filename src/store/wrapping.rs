//! Key wrapping: how the database stores the secrets from which all others follow, the seeds of games and tournaments
//! and the keys that sign. A master key encrypts each secret for its own row, by AES-256-GCM-SIV (RFC 8452): a secret
//! that is copied to another row does not open there.

use std::path::Path;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::store::error::StoreError;

/// The id of a master key, stored before each secret that the key has wrapped.
type KeyId = [u8; ID_LEN];
const ID_LEN: usize = 8;
/// The secret's 32 bytes and the cipher's 16.
const WRAPPED_LEN: usize = 48;

/// A column of secrets.
#[derive(Debug, Clone, Copy)]
pub(super) struct SecretColumn {
    pub table: &'static str,
    pub column: &'static str,
    /// The primary key, and its type.
    pub key: &'static str,
    pub key_type: &'static str,
    /// A value that sorts before all keys.
    pub first: &'static str,
}

const NIL: &str = "00000000-0000-0000-0000-000000000000";

pub(super) const GAME_SEEDS: SecretColumn =
    SecretColumn { table: "games", column: "server_seed", key: "game_id", key_type: "uuid", first: NIL };
pub(super) const TOURNAMENT_SEEDS: SecretColumn = SecretColumn {
    table: "tournaments",
    column: "server_seed",
    key: "tournament_id",
    key_type: "uuid",
    first: NIL,
};
pub(super) const SIGNING_KEYS: SecretColumn =
    SecretColumn { table: "signing_keys", column: "secret", key: "kid", key_type: "text", first: "" };
pub(super) const WEBHOOK_SECRETS: SecretColumn =
    SecretColumn { table: "webhook_secrets", column: "secret", key: "id", key_type: "uuid", first: NIL };

pub(super) const PUSH_KEYS: SecretColumn =
    SecretColumn { table: "push_keys", column: "secret", key: "id", key_type: "uuid", first: NIL };

impl SecretColumn {
    pub const ALL: [SecretColumn; 5] =
        [GAME_SEEDS, TOURNAMENT_SEEDS, SIGNING_KEYS, WEBHOOK_SECRETS, PUSH_KEYS];

    /// The row to which a secret is bound.
    fn row(self, key: &str) -> String {
        format!("{}.{}:{key}", self.table, self.column)
    }
}

/// The master keys. The first wraps, and all of them open. Without any, secrets are stored in clear.
#[derive(Default)]
pub struct MasterKeys {
    wraps: Option<MasterKey>,
    opens: Vec<MasterKey>,
}

struct MasterKey {
    id: KeyId,
    key: LessSafeKey,
}

impl MasterKeys {
    /// The keys from a setting, or from the file that a setting names; no keys where neither is set.
    ///
    /// # Errors
    /// [`StoreError::Key`] where both are set, the file cannot be read, or a key is invalid.
    pub fn of(text: Option<&str>, file: Option<&Path>) -> Result<MasterKeys, StoreError> {
        match (text, file) {
            (None, None) => Ok(MasterKeys::default()),
            (Some(text), None) => MasterKeys::parse(text),
            (None, Some(path)) => {
                let text = std::fs::read_to_string(path).map_err(|error| {
                    StoreError::Key(format!("CARDROOM_MASTER_KEY_FILE={}: {error}", path.display()))
                })?;
                MasterKeys::parse(&text)
            }
            (Some(_), Some(_)) => Err(StoreError::Key(
                "set CARDROOM_MASTER_KEY or CARDROOM_MASTER_KEY_FILE, not both".to_owned(),
            )),
        }
    }

    /// Reads keys of 32 bytes each, as 64 hex digits or in base64, separated by commas or white space. If the first
    /// word is `none`, new secrets are not wrapped.
    ///
    /// # Errors
    /// [`StoreError::Key`] where a key is invalid. The text is not quoted.
    pub fn parse(text: &str) -> Result<MasterKeys, StoreError> {
        let words = text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty());
        let mut words = words.enumerate().peekable();
        if words.peek().is_none() {
            return Err(StoreError::Key("CARDROOM_MASTER_KEY is empty".to_owned()));
        }
        let read = |(at, word): (usize, &str)| {
            MasterKey::parse(word).ok_or_else(|| {
                StoreError::Key(format!(
                    "CARDROOM_MASTER_KEY: key {} is no key: a key has 32 bytes, written as 64 hex digits or in base64",
                    at + 1
                ))
            })
        };
        let wraps = match words.next_if(|(_, word)| *word == "none") {
            Some(_) => None,
            None => words.next().map(read).transpose()?,
        };
        Ok(MasterKeys { wraps, opens: words.map(read).collect::<Result<_, _>>()? })
    }

    /// Whether secrets are wrapped when they are written.
    pub fn do_wrap(&self) -> bool {
        self.wraps.is_some()
    }

    /// The prefix of a secret that is written now: empty where it is written in clear.
    pub(super) fn current(&self) -> &[u8] {
        self.wraps.as_ref().map_or(&[], |key| &key.id)
    }

    /// Whether a secret with this prefix can be opened.
    pub(super) fn can_open(&self, id: &[u8]) -> bool {
        id.is_empty() || self.find(id).is_some()
    }

    /// A secret as its row holds it.
    pub(super) fn wrap(&self, column: SecretColumn, key: &str, secret: &[u8; 32]) -> Vec<u8> {
        let Some(master) = &self.wraps else { return secret.to_vec() };
        let (row, mut bytes) = (column.row(key), secret.to_vec());
        let sealed = master.key.seal_in_place_append_tag(nonce(&row), Aad::from(&row), &mut bytes);
        sealed.expect("a secret has 32 bytes");
        [&master.id[..], &bytes].concat()
    }

    /// The secret that a row holds.
    ///
    /// # Errors
    /// [`StoreError::Key`] where its master key is not given; [`StoreError::Secret`] where it was not wrapped
    /// for this row.
    pub(super) fn unwrap(
        &self,
        column: SecretColumn,
        key: &str,
        stored: &[u8],
    ) -> Result<[u8; 32], StoreError> {
        if let Ok(clear) = stored.try_into() {
            return Ok(clear);
        }
        let row = column.row(key);
        let broken = || StoreError::Secret(row.clone());
        let (id, wrapped) = stored
            .split_at_checked(ID_LEN)
            .filter(|(_, wrapped)| wrapped.len() == WRAPPED_LEN)
            .ok_or_else(broken)?;
        let master = self.find(id).ok_or_else(|| missing(id))?;
        let mut bytes = wrapped.to_vec();
        let secret =
            master.key.open_in_place(nonce(&row), Aad::from(&row), &mut bytes).map_err(|_| broken())?;
        (&*secret).try_into().map_err(|_| broken())
    }

    fn find(&self, id: &[u8]) -> Option<&MasterKey> {
        self.wraps.iter().chain(&self.opens).find(|key| key.id == id)
    }
}

impl MasterKey {
    fn parse(word: &str) -> Option<MasterKey> {
        let bytes = hex(word).or_else(|| STANDARD.decode(word).ok()?.try_into().ok())?;
        let derived = |label: &[u8]| -> [u8; 32] {
            let mac = Hmac::<Sha256>::new_from_slice(&bytes).expect("HMAC takes keys of every length");
            mac.chain_update(label).finalize().into_bytes().into()
        };
        let mut id = KeyId::default();
        id.copy_from_slice(&derived(b"cardroom master key: id")[..ID_LEN]);
        let key = derived(b"cardroom master key: wrapping");
        let key = UnboundKey::new(&AES_256_GCM_SIV, &key).expect("the key has 32 bytes");
        Some(MasterKey { id, key: LessSafeKey::new(key) })
    }
}

/// The error for a missing master key.
pub(super) fn missing(id: &[u8]) -> StoreError {
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    StoreError::Key(format!(
        "secrets in the database are wrapped by the master key {id}, which is not among those given: \
         add it to CARDROOM_MASTER_KEY, or to the file that CARDROOM_MASTER_KEY_FILE names"
    ))
}

fn hex(word: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> =
        word.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    bytes.try_into().ok().filter(|_| digits.len() == 64)
}

/// Each row has its own nonce, and one secret for ever. With this cipher that is as good as a random nonce.
fn nonce(row: &str) -> Nonce {
    let mut nonce = [0; NONCE_LEN];
    nonce.copy_from_slice(&Sha256::digest(row)[..NONCE_LEN]);
    Nonce::assume_unique_for_key(nonce)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: [u8; 32] = [9; 32];

    fn key(byte: &str) -> String {
        byte.repeat(32)
    }

    #[test]
    fn a_wrapped_secret_opens_in_its_own_row_alone() {
        let keys = MasterKeys::parse(&key("0a")).unwrap();
        let wrapped = keys.wrap(GAME_SEEDS, "1", &SECRET);
        assert_eq!(wrapped.len(), 56);
        assert_eq!(keys.unwrap(GAME_SEEDS, "1", &wrapped).unwrap(), SECRET);
        assert!(matches!(keys.unwrap(GAME_SEEDS, "2", &wrapped), Err(StoreError::Secret(_))));
        assert!(matches!(keys.unwrap(TOURNAMENT_SEEDS, "1", &wrapped), Err(StoreError::Secret(_))));
        for at in ID_LEN..wrapped.len() {
            let mut changed = wrapped.clone();
            changed[at] ^= 1;
            assert!(matches!(keys.unwrap(GAME_SEEDS, "1", &changed), Err(StoreError::Secret(_))), "{at}");
        }
    }

    #[test]
    fn the_first_key_wraps_and_all_of_them_open() {
        let old = MasterKeys::parse(&key("0a")).unwrap();
        let both = MasterKeys::parse(&format!("{},\n{}\n", key("0b"), key("0a"))).unwrap();
        let wrapped = old.wrap(GAME_SEEDS, "1", &SECRET);
        assert_eq!(both.unwrap(GAME_SEEDS, "1", &wrapped).unwrap(), SECRET);
        let again = both.wrap(GAME_SEEDS, "1", &SECRET);
        assert!(matches!(old.unwrap(GAME_SEEDS, "1", &again), Err(StoreError::Key(_))));
        let opens = MasterKeys::parse(&format!("none {}", key("0b"))).unwrap();
        assert_eq!(opens.wrap(GAME_SEEDS, "1", &SECRET), SECRET);
        assert_eq!(opens.unwrap(GAME_SEEDS, "1", &again).unwrap(), SECRET);
    }

    #[test]
    fn a_key_is_read_in_hex_and_in_base64_and_never_quoted() {
        let ids = [key("0a"), key("0A"), STANDARD.encode([10; 32])]
            .map(|text| MasterKeys::parse(&text).unwrap().current().to_vec());
        assert!(ids.iter().all(|id| *id == ids[0] && id.len() == ID_LEN));
        for text in ["", " ,", "secret", &key("0a")[1..], &STANDARD.encode([10; 33]), "none,secret"] {
            let Err(StoreError::Key(message)) = MasterKeys::parse(text) else { panic!("{text}") };
            assert!(!message.contains("secret"), "{message}");
        }
    }
}
