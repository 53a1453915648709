//! The files with the logs of old games: each is as it was written.

use std::io;

use super::Check;
use crate::store::error::StoreError;

impl Check<'_> {
    pub(super) async fn archives(&mut self) -> Result<(), StoreError> {
        let archives = self.database.archives().await?;
        let of = archives.len() as u64;
        let mut missing = 0;
        for archive in archives {
            let Some(files) = &self.database.archive else {
                return Err(StoreError::Archive("set CARDROOM_ARCHIVE: some games are archived".to_owned()));
            };
            let digest = files.digest(&archive.file).await;
            let fault = match digest {
                Ok(digest) if digest[..] == archive.digest => None,
                Ok(_) => Some("it was changed: its digest is not the one that is stored".to_owned()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    missing += 1;
                    if missing == of {
                        let none =
                            format!("none of its files is there, {} for one", files.address(&archive.file));
                        return Err(StoreError::Archive(none));
                    }
                    Some("there is no such file".to_owned())
                }
                // It is not wrong because it cannot be read now.
                Err(error) => {
                    return Err(StoreError::Archive(format!("{}: {error}", files.address(&archive.file))));
                }
            };
            self.faults(&format!("archive {}", archive.file), fault.as_slice());
            self.checked.archives += 1;
            self.progress("archives", self.checked.archives, of);
        }
        Ok(())
    }
}
