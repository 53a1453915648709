//! The files with the logs of old games: each is as it was written.

use tokio::task::spawn_blocking;

use super::Check;
use crate::games::archive_file as file;
use crate::store::error::StoreError;

impl Check<'_> {
    pub(super) async fn archives(&mut self) -> Result<(), StoreError> {
        let archives = self.database.archives().await?;
        let of = archives.len() as u64;
        for archive in archives {
            let Some(folder) = &self.database.archive else {
                return Err(StoreError::Archive("set CARDROOM_ARCHIVE: some games are archived".to_owned()));
            };
            let path = folder.join(&archive.file);
            let digest = spawn_blocking(move || file::digest(&path)).await;
            let digest = digest.map_err(|error| StoreError::Broken(error.to_string()))?;
            let fault = match digest {
                Ok(digest) if digest[..] == archive.digest => None,
                Ok(_) => Some("it was changed: its digest is not the one that is stored".to_owned()),
                Err(error) => Some(error.to_string()),
            };
            self.faults(&format!("archive {}", archive.file), fault.as_slice());
            self.checked.archives += 1;
            self.progress("archives", self.checked.archives, of);
        }
        Ok(())
    }
}
