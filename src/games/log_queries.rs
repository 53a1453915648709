//! What is read of a game's log.

use cardroom_core::log::public::PublicEntry;
use cardroom_core::rules::Facts;
use cardroom_core::table::Actor;
use cardroom_core::table::hands::Hand;
use uuid::Uuid;

use crate::games::service::GameService;
use crate::runtime::error::ServiceError;

impl GameService {
    /// The entries after `after`, as `viewer` may see them, and whether there are more.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`].
    pub async fn entries(
        &self,
        id: Uuid,
        viewer: Option<&Actor>,
        after: u32,
        limit: i64,
    ) -> Result<(Vec<PublicEntry>, bool), ServiceError> {
        let table = self.look(id, viewer).await?;
        let mut entries: Vec<PublicEntry> = if table.has_secrets() {
            let whole = self.runtime.store.read_log(id, viewer, table.version, Facts::ignored).await?;
            whole.into_log().into_iter().skip_while(|entry| entry.seq <= after).collect()
        } else {
            let (over, page) =
                (table.is_over(), self.runtime.store.read(id, table.seed(), after, limit + 1).await?);
            // Entries that were appended meanwhile are for the next request.
            let page = page.into_iter().take_while(|(entry, _)| entry.seq <= table.version);
            page.map(|(entry, hash)| entry.public(hash, over)).collect()
        };
        let more = entries.len() as i64 > limit;
        entries.truncate(limit.unsigned_abs() as usize);
        Ok((entries, more))
    }

    /// The hands that have begun, as `viewer` may know them, and the version that shows them so.
    ///
    /// # Errors
    /// [`ServiceError::NotFound`].
    pub async fn hands(&self, id: Uuid, viewer: Option<&Actor>) -> Result<(u32, Vec<Hand>), ServiceError> {
        let until = self.look(id, viewer).await?.version;
        let reading = self.runtime.store.read_log(id, viewer, until, Facts::kept).await?;
        Ok((reading.table.version, reading.into_hands()))
    }
}
