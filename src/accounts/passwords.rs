//! Passwords, which are as slow to guess as they are to check.

use std::sync::{Arc, LazyLock};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

use crate::entropy::Entropy;

/// Kibibytes and passes of one hash, by one lane: OWASP's recommendation for Argon2id.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;

/// Some hundred million guesses, which take years at the rate that the limits allow.
const STRONG_ENOUGH: Score = Score::Three;

/// If an account has no password or does not exist, the password is compared with this hash, so that the answer takes
/// as long.
static NOBODYS: LazyLock<String> = LazyLock::new(|| hash(b"nobody's password", &[0; 16]));

/// Hashes and checks passwords, no more at once than there are processors: each takes 19 MiB.
#[derive(Clone)]
pub struct Passwords {
    turns: Arc<Semaphore>,
    entropy: Entropy,
}

impl Passwords {
    pub fn new(entropy: Entropy) -> Passwords {
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        Passwords { turns: Arc::new(Semaphore::new(at_once)), entropy }
    }

    /// The hash of a new password in PHC form, with its parameters and its own salt; or why it is easy to guess.
    pub async fn hash_new(&self, username: String, password: String) -> Result<String, String> {
        let salt: [u8; 16] = self.entropy.bytes();
        self.in_turn(move || {
            judge(&username, &password)?;
            Ok(hash(password.as_bytes(), &salt))
        })
        .await
    }

    /// Whether the password belongs to `stored`. Without a hash, the answer takes the same time.
    pub async fn verify(&self, password: String, stored: Option<String>) -> bool {
        self.in_turn(move || {
            let known = stored.as_deref().unwrap_or(&NOBODYS);
            let matches = PasswordHash::new(known)
                .is_ok_and(|hash| argon2().verify_password(password.as_bytes(), &hash).is_ok());
            matches && stored.is_some()
        })
        .await
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let turn = self.turns.clone().acquire_owned().await.expect("the semaphore is never closed");
        let hashing = tokio::task::spawn_blocking(move || {
            // Kept for as long as the work goes on, even if the client has gone away.
            let _turn = turn;
            work()
        });
        hashing.await.expect("hashing does not panic")
    }
}

/// Why an attacker who knows the name and the usual passwords would guess this one.
fn judge(username: &str, password: &str) -> Result<(), String> {
    let estimate = zxcvbn(password, &[username, "cardroom"]);
    if estimate.score() >= STRONG_ENOUGH {
        return Ok(());
    }
    let Some(feedback) = estimate.feedback() else { return Err(String::from("make it longer")) };
    let warning = feedback.warning().map(|warning| warning.to_string());
    let advice = feedback.suggestions().iter().map(|suggestion| suggestion.to_string());
    Err(warning.into_iter().chain(advice).collect::<Vec<_>>().join(" "))
}

fn hash(password: &[u8], salt: &[u8; 16]) -> String {
    let hash: PasswordHash =
        argon2().hash_password_with_salt(password, salt).expect("the lengths are within Argon2's bounds");
    hash.to_string()
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).expect("the parameters are within bounds");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}
