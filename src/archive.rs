//! Archives: the logs of past months, and how they are moved from the database into files, and back.

use std::io;

use cardroom_core::audit::{Bundle, Keys, verify};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::ToDiesel;
use uuid::Uuid;

use crate::archive_files::{ArchiveFiles, ArchiveWriter};
use crate::check::Told;
use crate::games::archive_format as format;
use crate::games::audits::Audits;
use crate::runtime::error::ServiceError;
use crate::store::archives::{Archive, Archived, Moving};
use crate::store::database::Database;
use crate::store::error::StoreError;

/// A game stays in the database for so long after its end. That is longer than any replica decides by a table in memory
/// (`games::service::KEPT`), so no replica takes an archived game for a running one, and appends to it.
pub const SETTLED: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How many games are looked up at a time.
const PAGE: i64 = 200;
/// How many games leave the database in one transaction.
const AT_ONCE: usize = 50;

/// Why months were not archived or restored.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("another program is archiving or restoring")]
    Running,
    #[error("no games of {0} are archived")]
    NoSuchMonth(String),
    #[error("game {0} is archived, and yet the database has entries of it")]
    IsStored(Uuid),
    #[error("{file}: {error}")]
    File { file: String, error: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

/// A file that was written or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    pub file: String,
    /// In which the games were created: `2026-10`.
    pub month: String,
    pub games: u64,
    pub entries: u64,
    /// The file's length.
    pub bytes: u64,
}

/// Moves the logs of all games that were created before the month of `now`, and ended at least [`SETTLED`] ago, into a file
/// for each month. A game whose audit finds a fault stays in the database, and the fault is told. If this ends early, each
/// log is where it was or in its file, and the next run moves the rest.
///
/// # Errors
/// [`ArchiveError`].
pub async fn archive(
    database: &Database,
    audits: &Audits,
    files: &ArchiveFiles,
    now: Timestamp,
    told: &mut dyn Told,
) -> Result<Vec<Filed>, ArchiveError> {
    let mut moving = database.move_logs().await?.ok_or(ArchiveError::Running)?;
    has_its_files(database, files).await?;
    let (ended_before, before) = (now - SETTLED, first_id(now));
    let (mut filed, mut after) = (Vec::new(), Uuid::nil());
    let mut month: Option<Month> = None;
    loop {
        let page = moving.movable(ended_before, before, after, PAGE).await?;
        let Some(&last) = page.last() else { break };
        for id in page {
            if let Some(ended) = month.take_if(|month| month.name != month_of(id)) {
                filed.extend(ended.finish(&mut moving, now).await?);
            }
            let audited_bundle = match audits.text(id).await {
                Ok(bundle) => audited(&bundle, &audits.keys().await).map(|entries| (bundle, entries)),
                Err(ServiceError::Fault(_, fault)) => Err(fault.to_string()),
                Err(ServiceError::Store(error @ StoreError::Secret(_))) => Err(error.to_string()),
                Err(error) => return Err(error.into()),
            };
            match audited_bundle {
                Ok((bundle, entries)) => {
                    let month = match &mut month {
                        Some(month) => month,
                        None => month.insert(Month::begin(database, files, month_of(id)).await?),
                    };
                    month.append(id, &bundle, entries).await?;
                }
                Err(fault) => told.fault(&format!("game {id}"), &fault),
            }
        }
        after = last;
    }
    if let Some(ended) = month {
        filed.extend(ended.finish(&mut moving, now).await?);
    }
    moving.end().await;
    Ok(filed)
}

/// Refuses a place where a file is missing that the database knows: the disk may not be mounted, or the setting may name
/// another one.
async fn has_its_files(database: &Database, files: &ArchiveFiles) -> Result<(), ArchiveError> {
    for archive in database.archives().await? {
        let broken = |error| ArchiveError::File { file: files.address(&archive.file), error };
        if files.length(&archive.file).await.map_err(broken)?.is_none() {
            let missing = "the database knows this file, and it is not there: nothing was archived";
            return Err(broken(io::Error::new(io::ErrorKind::NotFound, missing)));
        }
    }
    Ok(())
}

/// Moves the logs of a month back into the database. The files stay.
///
/// # Errors
/// [`ArchiveError`].
pub async fn restore(
    database: &Database,
    files: &ArchiveFiles,
    month: &str,
) -> Result<Vec<Filed>, ArchiveError> {
    let mut moving = database.move_logs().await?.ok_or(ArchiveError::Running)?;
    let mut archives = database.archives().await?;
    archives.retain(|archive| archive.month == month);
    if archives.is_empty() {
        return Err(ArchiveError::NoSuchMonth(month.to_owned()));
    }
    let mut restored = Vec::new();
    for archive in archives {
        let broken = |error| ArchiveError::File { file: files.address(&archive.file), error };
        if files.digest(&archive.file).await.map_err(broken)?[..] != archive.digest {
            return Err(broken(io::Error::other(
                "the file was changed: its digest is not the one that is stored",
            )));
        }
        let mut reader = files.reader(&archive.file).await.map_err(broken)?;
        let (file, bytes) = (archive.file.clone(), reader.length());
        let mut filed = Filed { file, month: archive.month, games: 0, entries: 0, bytes };
        for (game, place) in moving.games_in(&archive.file).await? {
            let game_bytes = reader.read(place).await.map_err(broken)?;
            let log =
                format::bundle(&game_bytes).and_then(|bundle| format::entries(&bundle)).map_err(broken)?;
            moving.move_in(game, &log).await.map_err(|error| match error {
                StoreError::Constraint(_) => ArchiveError::IsStored(game),
                error => error.into(),
            })?;
            filed.games += 1;
            filed.entries += log.len() as u64;
        }
        moving.remove(&archive.file).await?;
        restored.push(filed);
    }
    moving.end().await;
    Ok(restored)
}

/// A month whose file is being written.
struct Month<'a> {
    name: String,
    files: &'a ArchiveFiles,
    file: String,
    writer: ArchiveWriter,
    /// The games in the file.
    games: Vec<Archived>,
}

impl Month<'_> {
    async fn begin<'a>(
        database: &Database,
        files: &'a ArchiveFiles,
        name: String,
    ) -> Result<Month<'a>, ArchiveError> {
        let archives = database.archives().await?;
        // Games that were still running when the month was archived come into a further file.
        let mut names = (1..).map(|n| match n {
            1 => format!("cardroom-{name}.jsonl.gz"),
            n => format!("cardroom-{name}-{n}.jsonl.gz"),
        });
        loop {
            let file = names.next().expect("there are endless names");
            let broken = |error| ArchiveError::File { file: files.address(&file), error };
            let is_known = archives.iter().any(|archive| archive.file == file);
            if is_known || files.length(&file).await.map_err(broken)?.is_some() {
                continue;
            }
            let writer = files.create(&file).await.map_err(broken)?;
            return Ok(Month { name, files, file, writer, games: Vec::new() });
        }
    }

    async fn append(&mut self, game: Uuid, bundle: &str, entries: u32) -> Result<(), ArchiveError> {
        let broken = |error| ArchiveError::File { file: self.files.address(&self.file), error };
        let place = self.writer.append(&format::compressed(bundle).map_err(broken)?).await.map_err(broken)?;
        self.games.push(Archived { game, place, entries, digest: format::digest(bundle) });
        Ok(())
    }

    /// Reads the file again, and deletes from the database what is in it.
    async fn finish(self, moving: &mut Moving, now: Timestamp) -> Result<Option<Filed>, ArchiveError> {
        let Month { name, files, file, writer, games } = self;
        let broken = |error| ArchiveError::File { file: files.address(&file), error };
        // A bucket puts a file in the place of another, and a folder does, too.
        if files.length(&file).await.map_err(broken)?.is_some() {
            return Err(broken(io::Error::other("another program has written it meanwhile")));
        }
        let file_digest = writer.finish().await.map_err(broken)?;
        let mut reader = files.reader(&file).await.map_err(broken)?;
        for archived in &games {
            let game_bytes = reader.read(archived.place).await.map_err(broken)?;
            let bundle = format::bundle(&game_bytes).map_err(broken)?;
            let entries = format::entries(&bundle).map_err(broken)?;
            if format::digest(&bundle) != archived.digest || entries.len() != archived.entries as usize {
                let other = format!("game {} does not come back from it", archived.game);
                return Err(broken(io::Error::other(other)));
            }
        }
        let (bytes, archived_at) = (reader.length(), now.to_diesel());
        moving
            .add(&Archive {
                file: file.clone(),
                month: name.clone(),
                digest: file_digest.to_vec(),
                archived_at,
            })
            .await?;
        for some in games.chunks(AT_ONCE) {
            moving.move_out(&file, some).await?;
        }
        let entries = games.iter().map(|archived| u64::from(archived.entries)).sum();
        Ok(Some(Filed { file, month: name, games: games.len() as u64, entries, bytes }))
    }
}

/// How many entries a bundle has that keeps all that it claims.
fn audited(bundle: &str, keys: &Keys) -> Result<u32, String> {
    let read = Bundle::parse(bundle).map_err(|error| error.to_string())?;
    let report = verify(&read, keys, &[]);
    match report.checks.iter().find(|check| !check.ok) {
        Some(check) => Err(format!("{} ({})", check.detail, check.name)),
        None => {
            format::entries(bundle).map(|entries| entries.len() as u32).map_err(|error| error.to_string())
        }
    }
}

/// When a game was created, as its id says: `2026-10`, by UTC.
fn month_of(id: Uuid) -> String {
    let created = Timestamp::from_millisecond((id.as_u128() >> 80) as i64).expect("48 bits, and before now");
    created.to_zoned(TimeZone::UTC).strftime("%Y-%m").to_string()
}

/// An id that is below those of all games created in this month, by UTC, and above those before.
fn first_id(now: Timestamp) -> Uuid {
    let month = now.to_zoned(TimeZone::UTC).first_of_month().and_then(|day| day.start_of_day());
    let begun = month.expect("a time in UTC has a month that has begun").timestamp();
    Uuid::from_u128(u128::from(begun.as_millisecond().unsigned_abs()) << 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_begins_with_its_first_id() {
        let now: Timestamp = "2026-11-26T10:00:00Z".parse().unwrap();
        let first = first_id(now);
        assert_eq!(month_of(first), "2026-11");
        assert_eq!(month_of(Uuid::from_u128(first.as_u128() - 1)), "2026-10");
    }
}
