//! Taking turns: however many rows are due, each is looked at, a page at a time.

use std::sync::{Mutex, PoisonError};

use uuid::Uuid;

use crate::store::error::StoreError;

/// Where the next page begins: after this id. Rows that stay due, because nothing can be done about them, would keep others
/// from their turn if each page began with the first.
#[derive(Debug, Default)]
pub struct Rotation(Mutex<Uuid>);

impl Rotation {
    /// The next rows that are due. `page` reads at most `limit` rows with greater ids than the given one, in order. After
    /// the last row comes the first.
    ///
    /// # Errors
    /// Those of `page`.
    pub async fn next<T, F: Future<Output = Result<Vec<T>, StoreError>>>(
        &self,
        limit: i64,
        id: impl Fn(&T) -> Uuid,
        page: impl Fn(Uuid) -> F,
    ) -> Result<Vec<T>, StoreError> {
        let is_full = |page: &[T]| page.len() as i64 == limit;
        let after = self.after();
        let mut due = page(after).await?;
        let mut last = due.last().filter(|_| is_full(&due)).map(&id);
        if last.is_none() && !after.is_nil() {
            let first = page(Uuid::nil()).await?;
            last = first.last().filter(|_| is_full(&first)).map(&id);
            due.extend(first.into_iter().filter(|row| id(row) <= after));
        }
        self.set(last.unwrap_or_default());
        Ok(due)
    }

    fn after(&self) -> Uuid {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, after: Uuid) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn rows_that_stay_due_keep_no_others_from_their_turn() {
        let rotation = Rotation::default();
        let mut seen = Vec::new();
        for _ in 0..4 {
            let page = async |after: Uuid| Ok((1..=5).filter(|row| *row > after.as_u128()).take(2).collect());
            seen.push(rotation.next(2, |row| Uuid::from_u128(*row), page).await.unwrap());
        }
        assert_eq!(seen, [vec![1, 2], vec![3, 4], vec![5, 1, 2], vec![3, 4]]);
    }
}
