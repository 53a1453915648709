//! A file of archived games: a line of JSON for each, its signed audit bundle, and each line compressed by itself. So
//! `zcat FILE | cardroom audit -` checks a file without the database, and one game is read without the others.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::Deserialize;
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use crate::store::archives::Place;
use crate::store::tail::StoredEntry;

/// What follows the text of an entry in a bundle, before and after the 64 digits of its hash.
const BEFORE_HASH: &str = r#","hash":""#;
const AFTER_HASH: &str = "\"}";

/// Writes a file.
pub struct Writer {
    file: BufWriter<File>,
    /// How many bytes were written.
    length: u64,
    digest: Sha256,
}

impl Writer {
    /// Begins a file, in place of one that is there. Others than its owner and group cannot read it: private games are in it.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Writer> {
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o640).open(path)?;
        Ok(Writer { file: BufWriter::new(file), length: 0, digest: Sha256::new() })
    }

    /// Appends a game's bundle, and returns where it lies.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be written.
    pub fn append(&mut self, bundle: &str) -> io::Result<Place> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bundle.as_bytes())?;
        encoder.write_all(b"\n")?;
        let member = encoder.finish()?;
        let length = i32::try_from(member.len()).map_err(|_| io::Error::other("a game has over 2 GiB"))?;
        self.file.write_all(&member)?;
        self.digest.update(&member);
        let position = self.length.cast_signed();
        self.length += member.len() as u64;
        Ok(Place { position, length })
    }

    /// Ends the file when it is safe on the disk, and returns its digest.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be written.
    pub fn finish(self) -> io::Result<[u8; 32]> {
        self.file.into_inner()?.sync_all()?;
        Ok(self.digest.finalize().into())
    }
}

/// A game's bundle, from a file.
///
/// # Errors
/// [`io::Error`] where the file cannot be read, or does not hold a game there.
pub fn read(path: &Path, place: Place) -> io::Result<String> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(place.position.unsigned_abs()))?;
    let mut bundle = String::new();
    GzDecoder::new(file.take(place.length.unsigned_abs().into())).read_to_string(&mut bundle)?;
    Ok(bundle)
}

/// SHA-256 of a file.
///
/// # Errors
/// [`io::Error`] where the file cannot be read.
pub fn digest(path: &Path) -> io::Result<[u8; 32]> {
    let (mut file, mut digest, mut piece) = (File::open(path)?, Sha256::new(), vec![0; 64 * 1024]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(digest.finalize().into()),
            read => digest.update(&piece[..read]),
        }
    }
}

/// The entries of a bundle, each with the text that its hash is taken over.
///
/// # Errors
/// [`io::Error`] where this is no bundle.
pub fn entries(bundle: &str) -> io::Result<Vec<StoredEntry>> {
    #[derive(Deserialize)]
    struct Logged<'a> {
        #[serde(borrow)]
        log: Vec<&'a RawValue>,
    }
    let bundle: Logged<'_> = serde_json::from_str(bundle)?;
    let entry = |(line, seq): (&&RawValue, i32)| {
        let (text, hash) = split(line.get()).ok_or_else(|| io::Error::other("an entry has no hash"))?;
        Ok(StoredEntry { seq, entry: format!("{text}}}"), hash })
    };
    bundle.log.iter().zip(1..).map(entry).collect()
}

/// An entry's text up to its last brace, and its hash.
fn split(line: &str) -> Option<(&str, Vec<u8>)> {
    let (text, digits) =
        line.strip_suffix(AFTER_HASH)?.split_at_checked(line.len() - AFTER_HASH.len() - 64)?;
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let hash = (0..64).step_by(2).map(byte).collect::<Option<Vec<u8>>>()?;
    Some((text.strip_suffix(BEFORE_HASH)?, hash))
}
