//! The files of archived games. They lie in a folder or, with the feature `s3`, in a bucket.

#[cfg(feature = "s3")]
pub mod bucket;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::str::FromStr;

use bytes::Bytes;
use diesel::Queryable;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;

#[cfg(feature = "s3")]
use self::bucket::{Bucket, Upload};

/// How many bytes are read at once where a whole file is read.
const PIECE: u64 = 8 * 1024 * 1024;
/// How the address of a bucket begins.
const SCHEME: &str = "s3://";

/// Where a game lies in a file, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Queryable)]
pub struct Place {
    pub position: i64,
    pub length: i32,
}

/// Where the files lie.
#[derive(Debug, Clone)]
pub enum ArchiveFiles {
    Folder(PathBuf),
    #[cfg(feature = "s3")]
    Bucket(Bucket),
}

impl FromStr for ArchiveFiles {
    type Err = String;

    /// A folder's path, or the address of a bucket, like `s3://bucket/folder`.
    fn from_str(address: &str) -> Result<ArchiveFiles, String> {
        if address.starts_with(SCHEME) {
            return bucket(address);
        }
        if address.is_empty() || address.contains("://") {
            return Err("give a folder, or a bucket like s3://bucket/folder".to_owned());
        }
        Ok(ArchiveFiles::Folder(address.into()))
    }
}

#[cfg(feature = "s3")]
fn bucket(address: &str) -> Result<ArchiveFiles, String> {
    Bucket::open(address).map(ArchiveFiles::Bucket)
}

#[cfg(not(feature = "s3"))]
fn bucket(_: &str) -> Result<ArchiveFiles, String> {
    Err("this program was built without buckets: build it with `--features s3`".to_owned())
}

impl ArchiveFiles {
    /// The whole name of a file, for people.
    pub fn address(&self, file: &str) -> String {
        match self {
            ArchiveFiles::Folder(folder) => folder.join(file).display().to_string(),
            #[cfg(feature = "s3")]
            ArchiveFiles::Bucket(bucket) => bucket.address(file),
        }
    }

    /// How many bytes a file has; none where there is no such file.
    ///
    /// # Errors
    /// [`io::Error`] where the folder or the bucket cannot be read.
    pub async fn length(&self, file: &str) -> io::Result<Option<u64>> {
        match self {
            ArchiveFiles::Folder(folder) => match fs::metadata(folder.join(file)) {
                Ok(metadata) => Ok(Some(metadata.len())),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            },
            #[cfg(feature = "s3")]
            ArchiveFiles::Bucket(bucket) => bucket.length(file).await,
        }
    }

    /// Bytes of a file.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be read, or ends before.
    pub async fn read(&self, file: &str, from: u64, length: u64) -> io::Result<Bytes> {
        match self {
            ArchiveFiles::Folder(folder) => {
                let path = folder.join(file);
                let read = spawn_blocking(move || {
                    let mut file = File::open(path)?;
                    file.seek(SeekFrom::Start(from))?;
                    let mut bytes = Vec::new();
                    file.take(length).read_to_end(&mut bytes)?;
                    io::Result::Ok(Bytes::from(bytes))
                });
                whole(read.await??, length)
            }
            #[cfg(feature = "s3")]
            ArchiveFiles::Bucket(bucket) => whole(bucket.read(file, from, length).await?, length),
        }
    }

    /// SHA-256 of a file.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be read.
    pub async fn digest(&self, file: &str) -> io::Result<[u8; 32]> {
        let (length, mut from, mut digest) = (self.existing(file).await?, 0, Sha256::new());
        while from < length {
            let piece = self.read(file, from, PIECE.min(length - from)).await?;
            digest.update(&piece);
            from += piece.len() as u64;
        }
        Ok(digest.finalize().into())
    }

    /// Reads a file from its beginning to its end.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be read.
    pub async fn reader<'a>(&'a self, file: &'a str) -> io::Result<ArchiveReader<'a>> {
        let length = self.existing(file).await?;
        Ok(ArchiveReader { files: self, file, length, from: 0, piece: Bytes::new() })
    }

    /// Begins a file. Nobody sees it before it is finished.
    ///
    /// # Errors
    /// [`io::Error`] where it cannot be created.
    pub async fn create(&self, file: &str) -> io::Result<ArchiveWriter> {
        let target = match self {
            ArchiveFiles::Folder(folder) => {
                let part = folder.join(format!("{file}.part"));
                // Others than its owner and group cannot read it: private games are in it.
                let created =
                    OpenOptions::new().write(true).create(true).truncate(true).mode(0o640).open(&part)?;
                Target::Folder { writer: BufWriter::new(created), part, path: folder.join(file) }
            }
            #[cfg(feature = "s3")]
            ArchiveFiles::Bucket(bucket) => Target::Bucket(bucket.upload(file).await?),
        };
        Ok(ArchiveWriter { target, length: 0, digest: Sha256::new() })
    }

    async fn existing(&self, file: &str) -> io::Result<u64> {
        self.length(file).await?.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// These bytes, if they are as many.
fn whole(bytes: Bytes, length: u64) -> io::Result<Bytes> {
    if bytes.len() as u64 == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Reads one game of a file after the other, many at once.
pub struct ArchiveReader<'a> {
    files: &'a ArchiveFiles,
    file: &'a str,
    length: u64,
    /// Where the piece that was read last begins.
    from: u64,
    piece: Bytes,
}

impl ArchiveReader<'_> {
    /// How many bytes the file has.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// What lies at a place. The file is read anew where the piece that was read last does not hold it.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be read, or ends before.
    pub async fn read(&mut self, place: Place) -> io::Result<Bytes> {
        let (from, length) = (place.position.unsigned_abs(), u64::from(place.length.unsigned_abs()));
        if from < self.from || from + length > self.from + self.piece.len() as u64 {
            let left = self.length.saturating_sub(from);
            self.piece = self.files.read(self.file, from, length.max(PIECE.min(left))).await?;
            self.from = from;
        }
        let start = (from - self.from) as usize;
        Ok(self.piece.slice(start..start + length as usize))
    }
}

/// Writes a file.
pub struct ArchiveWriter {
    target: Target,
    /// How many bytes were written.
    length: u64,
    digest: Sha256,
}

enum Target {
    Folder {
        writer: BufWriter<File>,
        /// Where the file lies while it is written.
        part: PathBuf,
        path: PathBuf,
    },
    #[cfg(feature = "s3")]
    Bucket(Upload),
}

impl ArchiveWriter {
    /// Appends a game, and returns where it lies.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be written, or the game has over 2 GiB.
    pub async fn append(&mut self, game: &[u8]) -> io::Result<Place> {
        let length = i32::try_from(game.len()).map_err(|_| io::Error::other("a game has over 2 GiB"))?;
        self.digest.update(game);
        match &mut self.target {
            Target::Folder { writer, .. } => writer.write_all(game)?,
            #[cfg(feature = "s3")]
            Target::Bucket(upload) => upload.write(game).await?,
        }
        let position = self.length.cast_signed();
        self.length += u64::from(length.unsigned_abs());
        Ok(Place { position, length })
    }

    /// Ends the file. It is safe there when this returns its digest.
    ///
    /// # Errors
    /// [`io::Error`] where the file cannot be written.
    pub async fn finish(self) -> io::Result<[u8; 32]> {
        match self.target {
            Target::Folder { writer, part, path } => {
                writer.into_inner()?.sync_all()?;
                fs::rename(&part, &path)?;
                let folder = path.parent().expect("a file lies in a folder");
                // The name is safe, too.
                File::open(folder)?.sync_all()?;
            }
            #[cfg(feature = "s3")]
            Target::Bucket(upload) => upload.finish().await?,
        }
        Ok(self.digest.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_folder_or_a_bucket_and_nothing_else() {
        for folder in ["archive", "/var/lib/cardroom-archive", "../s3"] {
            let files: Result<ArchiveFiles, _> = folder.parse();
            assert!(matches!(files, Ok(ArchiveFiles::Folder(path)) if path.to_str() == Some(folder)));
        }
        for address in ["", "gs://games", "S3://games", "https://games.example"] {
            assert!(address.parse::<ArchiveFiles>().is_err(), "{address}");
        }
        assert_eq!("s3://games".parse::<ArchiveFiles>().is_ok(), cfg!(feature = "s3"));
    }
}
