//! Recovery of an account whose password is lost: by codes that its owner has kept, or by one that an admin gives. No mail
//! is needed.

use std::net::IpAddr;

use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::accounts::tokens::Player;
use crate::accounts::{AccountError, Accounts, SignedIn, digest, is_username};
use crate::store::recovery_codes;

/// How many codes an account gets.
pub const CODES: usize = 10;
/// How long a code holds that an admin gives.
const ADMINS_CODE: SignedDuration = SignedDuration::from_hours(72);

/// Digits and letters that are not taken for each other.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Letters of a code: five bits each.
const LETTERS: usize = 16;
/// Letters between two dashes.
const GROUP: usize = 4;

impl Accounts {
    /// Replaces the account's recovery codes by new ones. Nobody does so with a stolen access token alone: the password is
    /// asked for.
    ///
    /// # Errors
    /// [`AccountError::WrongPassword`], [`AccountError::NoPassword`].
    pub async fn renew_recovery_codes(
        &self,
        player: &Player,
        password: String,
    ) -> Result<Vec<String>, AccountError> {
        let (account, password_hash) = self.check_password(player.account, password).await?;
        let (codes, now) = (self.recovery_codes(), self.clock.now());
        let checked = (account.id, &*password_hash);
        match recovery_codes::replace(&self.database, checked, &Self::digests(&codes), now).await? {
            true => Ok(codes),
            false => Err(AccountError::WrongPassword),
        }
    }

    /// As many codes as an account gets.
    pub(super) fn recovery_codes(&self) -> Vec<String> {
        (0..CODES).map(|_| self.recovery_code()).collect()
    }

    /// What is stored of codes.
    pub(super) fn digests(codes: &[String]) -> Vec<[u8; 32]> {
        codes.iter().map(|code| digest(&normal(code))).collect()
    }

    /// How many of the account's recovery codes have not been used.
    ///
    /// # Errors
    /// [`AccountError::Store`] only.
    pub async fn recovery_codes_left(&self, account: Uuid) -> Result<i64, AccountError> {
        Ok(recovery_codes::count(&self.database, account, self.clock.now()).await?)
    }

    /// A code that lets somebody back into their account once, and when it expires. Whoever gives it has made sure whose
    /// account it is.
    ///
    /// # Errors
    /// [`AccountError::PlayerNotFound`]; [`AccountError::NoPassword`] for a guest.
    pub async fn give_recovery_code(&self, username: &str) -> Result<(String, Timestamp), AccountError> {
        let account = self.by_name(username).await?;
        if account.password_hash.is_none() {
            return Err(AccountError::NoPassword);
        }
        let (code, now) = (self.recovery_code(), self.clock.now());
        let expires_at = now + ADMINS_CODE;
        recovery_codes::add(&self.database, account.id, &digest(&normal(&code)), now, expires_at).await?;
        Ok((code, expires_at))
    }

    /// Gives the account of this name a new password for one of its recovery codes, which is used up. All its sessions and
    /// personal access tokens end.
    ///
    /// # Errors
    /// [`AccountError::WrongRecoveryCode`]; [`AccountError`] where the new password is not acceptable.
    pub async fn recover(
        &self,
        username: &str,
        code: &str,
        password: String,
        network: IpAddr,
    ) -> Result<SignedIn, AccountError> {
        if !is_username(username) {
            return Err(AccountError::WrongRecoveryCode);
        }
        // The slow part comes first, so that the time tells nothing about name and code.
        let password_hash = self.hash_new(username, password).await?;
        let now = self.clock.now();
        let (family, (refresh_token, stored)) = (self.entropy.id(now), self.refresh_token(now));
        let code = digest(&normal(code));
        let session = (family, &stored);
        let recovered =
            recovery_codes::recover(&self.database, username, &code, &password_hash, session, now).await?;
        let account = recovered.ok_or(AccountError::WrongRecoveryCode)?;
        let access_token = self.tokens.issue(&account, family).await?;
        let signed_in = SignedIn { account, access_token, refresh_token, recovery_codes: Vec::new() };
        self.note_network(&signed_in, network).await;
        Ok(signed_in)
    }

    pub(super) fn recovery_code(&self) -> String {
        let bits = u128::from_be_bytes(self.entropy.bytes());
        let letters: Vec<char> = (0..LETTERS)
            .map(|nth| char::from(ALPHABET[(bits >> (5 * nth)) as usize % ALPHABET.len()]))
            .collect();
        letters.chunks(GROUP).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-")
    }
}

/// A code as it is hashed: without what readers add or mistake.
pub(super) fn normal(code: &str) -> String {
    let plain = |letter: char| match letter.to_ascii_lowercase() {
        'o' => '0',
        'i' | 'l' => '1',
        letter => letter,
    };
    code.chars().filter(char::is_ascii_alphanumeric).map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_however_it_is_written() {
        for written in ["0a1b-2c3d-4e5f-6g7h", "OAIB 2c3d 4E5F 6g7h", "oalb2c3d4e5f6g7h\n"] {
            assert_eq!(normal(written), "0a1b2c3d4e5f6g7h", "{written:?}");
        }
    }
}
