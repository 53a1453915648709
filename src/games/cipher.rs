//! How the secret parts of a game are stored in the database: encrypted, so that nobody learns the order of a deck from
//! the tables of the database, or from a copy of them. The keys follow from the game's seed, which is stored there
//! under a master key.
//!
//! The cipher is AES-256-GCM-SIV (RFC 8452). It needs no random nonce: of two replicas that race for one place in a
//! log, each with a text of its own, neither weakens the other's.

use std::borrow::Cow;
use std::cell::OnceCell;

use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use cardroom_core::log::fairness::Seed;
use cardroom_core::table::decide::HashedEntry;
use uuid::Uuid;

/// What an encrypted text begins with. An entry in clear begins with a brace.
const PREFIX: &str = "AES-256-GCM-SIV:";

/// A text that was not encrypted under this key at this place, or has been changed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it cannot be decrypted with the game's seed")]
pub struct Undecipherable;

/// Encrypts and decrypts a game's entries. The key is made when it is needed first.
pub struct EntryCipher<'s> {
    seed: &'s Seed,
    game: Uuid,
    key: OnceCell<LessSafeKey>,
}

impl<'s> EntryCipher<'s> {
    pub fn new(seed: &'s Seed, game: Uuid) -> EntryCipher<'s> {
        EntryCipher { seed, game, key: OnceCell::new() }
    }

    /// The text of entry `seq` as it is stored.
    pub fn encrypt(&self, seq: u32, text: &str) -> String {
        let mut stored = PREFIX.to_owned();
        STANDARD_NO_PAD.encode_string(encrypt(self.key(), seq, text), &mut stored);
        stored
    }

    /// The text of an entry as the database holds it: encrypted if it holds a secret while the game runs.
    pub fn stored_text(&self, sealed: &HashedEntry) -> String {
        if sealed.is_secret { self.encrypt(sealed.entry.seq, &sealed.text) } else { sealed.text.clone() }
    }

    /// The text of entry `seq`; one that is stored in clear is given back as it is.
    ///
    /// # Errors
    /// [`Undecipherable`] where it is another entry's, or was changed.
    pub fn decrypt<'t>(&self, seq: u32, stored: &'t str) -> Result<Cow<'t, str>, Undecipherable> {
        let Some(encoded) = stored.strip_prefix(PREFIX) else { return Ok(stored.into()) };
        let bytes = STANDARD_NO_PAD.decode(encoded).map_err(|_| Undecipherable)?;
        decrypt(self.key(), seq, bytes).map(Cow::Owned)
    }

    fn key(&self) -> &LessSafeKey {
        self.key.get_or_init(|| key(self.seed, format_args!("entries:{}", self.game)))
    }
}

/// The state of a table at a version, as it is stored. Only the same build of the rules decrypts it.
pub fn encrypt_state(seed: &Seed, rules: &str, game: Uuid, version: u32, state: &str) -> Vec<u8> {
    encrypt(&key(seed, format_args!("snapshot:{rules}:{game}")), version, state)
}

/// # Errors
/// [`Undecipherable`] where it was stored by another build, for another game or version, or was changed.
pub fn decrypt_state(
    seed: &Seed,
    rules: &str,
    game: Uuid,
    version: u32,
    stored: &[u8],
) -> Result<String, Undecipherable> {
    decrypt(&key(seed, format_args!("snapshot:{rules}:{game}")), version, stored.to_vec())
}

fn key(seed: &Seed, purpose: std::fmt::Arguments<'_>) -> LessSafeKey {
    let bytes = seed.hmac(format_args!("encrypted:{purpose}"));
    LessSafeKey::new(UnboundKey::new(&AES_256_GCM_SIV, &bytes).expect("the key has 32 bytes"))
}

fn encrypt(key: &LessSafeKey, at: u32, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    key.seal_in_place_append_tag(nonce(at), Aad::empty(), &mut bytes).expect("entries are far below 64 GiB");
    bytes
}

fn decrypt(key: &LessSafeKey, at: u32, mut bytes: Vec<u8>) -> Result<String, Undecipherable> {
    let length = key.open_in_place(nonce(at), Aad::empty(), &mut bytes).map_err(|_| Undecipherable)?.len();
    bytes.truncate(length);
    String::from_utf8(bytes).map_err(|_| Undecipherable)
}

/// The nonce is the place in the log: a text that is moved to another place does not decrypt there.
fn nonce(at: u32) -> Nonce {
    let mut nonce = [0; NONCE_LEN];
    nonce[NONCE_LEN - 4..].copy_from_slice(&at.to_be_bytes());
    Nonce::assume_unique_for_key(nonce)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"{"shuffle":["7h"]}"#;

    #[test]
    fn a_text_decrypts_at_its_own_place_of_its_own_game_alone() {
        let (seed, game) = (Seed::new([7; 32]), Uuid::from_u128(1));
        let cipher = EntryCipher::new(&seed, game);
        let stored = cipher.encrypt(3, TEXT);
        assert!(!stored.contains("7h") && !stored.contains("shuffle"));
        assert_eq!(cipher.decrypt(3, &stored).as_deref(), Ok(TEXT));
        assert_eq!(cipher.decrypt(4, &stored), Err(Undecipherable));
        // Tables of a duplicate round share their seed.
        assert_eq!(EntryCipher::new(&seed, Uuid::from_u128(2)).decrypt(3, &stored), Err(Undecipherable));
        assert_eq!(EntryCipher::new(&Seed::new([8; 32]), game).decrypt(3, &stored), Err(Undecipherable));
    }

    #[test]
    fn a_text_that_was_changed_does_not_decrypt() {
        let seed = Seed::new([7; 32]);
        let cipher = EntryCipher::new(&seed, Uuid::from_u128(1));
        let stored = cipher.encrypt(3, TEXT);
        for at in PREFIX.len()..stored.len() {
            let mut changed = stored.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            assert_eq!(cipher.decrypt(3, &changed), Err(Undecipherable), "{at}");
        }
    }

    #[test]
    fn a_snapshot_decrypts_for_its_game_version_and_build_alone() {
        let (seed, game) = (Seed::new([7; 32]), Uuid::from_u128(1));
        let good = encrypt_state(&seed, "build", game, 3, TEXT);
        assert_eq!(decrypt_state(&seed, "build", game, 3, &good).as_deref(), Ok(TEXT));
        assert!(decrypt_state(&Seed::new([8; 32]), "build", game, 3, &good).is_err());
        assert!(decrypt_state(&seed, "other", game, 3, &good).is_err());
        assert!(decrypt_state(&seed, "build", Uuid::from_u128(2), 3, &good).is_err());
        assert!(decrypt_state(&seed, "build", game, 4, &good).is_err());
        for at in 0..good.len() {
            let mut changed = good.clone();
            changed[at] ^= 1;
            assert_eq!(decrypt_state(&seed, "build", game, 3, &changed), Err(Undecipherable), "{at}");
        }
    }

    #[test]
    fn what_stands_in_clear_is_read_as_it_is() {
        let seed = Seed::new([7; 32]);
        assert_eq!(EntryCipher::new(&seed, Uuid::from_u128(1)).decrypt(3, TEXT).as_deref(), Ok(TEXT));
    }
}
