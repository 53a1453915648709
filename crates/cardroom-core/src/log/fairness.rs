//! Chance that nobody can steer: orders and picks follow from a seed that the house commits to before anyone
//! sits down, and from the players' own seeds. The scheme is `cardroom/1`; it is stated in full here and in
//! the audit bundle's documentation, so that anyone can write it again.

use std::fmt::{self, Write};

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Hex32;

/// The name of the scheme.
pub const ALGORITHM: &str = "cardroom/1";

/// The house's 32 secret bytes. They are shown when the game is over, and by nothing before.
#[derive(Clone)]
pub struct Seed {
    bytes: [u8; 32],
    /// HMAC-SHA256 with the seed taken in: that is half the work of a short message.
    mac: Hmac<Sha256>,
}

impl Seed {
    pub fn new(bytes: [u8; 32]) -> Seed {
        let mac = Hmac::new_from_slice(&bytes).expect("HMAC takes keys of every length");
        Seed { bytes, mac }
    }

    pub fn bytes(&self) -> &[u8; 32] {
        &self.bytes
    }

    /// HMAC-SHA256 under the seed.
    pub fn hmac(&self, message: fmt::Arguments<'_>) -> [u8; 32] {
        let mut mac = Message(self.mac.clone());
        mac.write_fmt(message).expect("it takes all that is written");
        mac.0.finalize().into_bytes().into()
    }

    /// What is public from the start and binds the house to this seed.
    pub fn commitment(&self) -> Hex32 {
        Hex32(Sha256::digest(self.bytes).into())
    }

    /// The seed for all to see: only for games that are over.
    pub fn reveal(&self) -> Hex32 {
        Hex32(self.bytes)
    }

    /// A keyed digest of a request's digest. It tells whether two requests were alike, and nothing else of them: the
    /// plain digest of a request that hides cards could be found by trying them all.
    pub fn request(&self, digest: &[u8; 32]) -> [u8; 32] {
        self.hmac(format_args!("request:{}", Hex32(*digest)))
    }

    /// The word that lets its bearer into a private game: ten letters and digits (50 bits) that only the
    /// house can make. `renewals`: how often it was replaced.
    pub fn invite(&self, renewals: u32) -> String {
        const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
        let bytes = match renewals {
            0 => self.hmac(format_args!("invite")),
            renewals => self.hmac(format_args!("invite:{renewals}")),
        };
        bytes[..10].iter().map(|byte| char::from(LETTERS[usize::from(byte % 32)])).collect()
    }
}

/// A message as it is written, so that it need not stand in memory first.
struct Message(Hmac<Sha256>);

impl fmt::Write for Message {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.update(part.as_bytes());
        Ok(())
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(secret)")
    }
}

/// Where a started game's chances come from: the house's seed and everybody's words.
#[derive(Debug, Clone)]
pub struct Source {
    seed: Seed,
    shuffle_id: Uuid,
    client_seeds: String,
}

impl Source {
    /// `client_seeds`: one for each seat, seat 0 first.
    pub fn new<'a>(seed: Seed, shuffle_id: Uuid, client_seeds: impl IntoIterator<Item = &'a str>) -> Source {
        let hashed: Vec<String> =
            client_seeds.into_iter().map(|seed| Hex32(Sha256::digest(seed).into()).to_string()).collect();
        Source { seed, shuffle_id, client_seeds: hashed.join(",") }
    }

    /// The chance with the ordinal `k`.
    pub fn chance(&self, k: u32) -> Words {
        Words { seed: self.seed.clone(), prefix: self.prefix(k), block: [0; 32], drawn: 0 }
    }

    /// What distinguishes chance `k` of this game from every other chance.
    pub fn prefix(&self, k: u32) -> String {
        format!("{ALGORITHM}:{}:{k}:{}", self.shuffle_id, self.client_seeds)
    }
}

/// The words of one chance: an endless row of 32-bit numbers.
pub struct Words {
    seed: Seed,
    prefix: String,
    block: [u8; 32],
    drawn: u64,
}

impl Words {
    /// The next word: eight stand in each block, big-endian.
    pub fn word(&mut self) -> u32 {
        let (block, at) = (self.drawn / 8, self.drawn as usize % 8 * 4);
        if at == 0 {
            self.block = self.seed.hmac(format_args!("{}:{block}", self.prefix));
        }
        self.drawn += 1;
        let word = &self.block[at..at + 4];
        u32::from_be_bytes([word[0], word[1], word[2], word[3]])
    }

    /// A number below `m`, each as likely as the others: words above the last whole multiple are redrawn.
    pub fn uniform(&mut self, m: u32) -> u32 {
        let whole = (1 << 32) - (1u64 << 32) % u64::from(m);
        loop {
            let word = self.word();
            if u64::from(word) < whole {
                return word % m;
            }
        }
    }

    /// Puts `list` into one of its orders, each as likely as the others (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            let j = self.uniform(i as u32 + 1) as usize;
            list.swap(i, j);
        }
    }
}
