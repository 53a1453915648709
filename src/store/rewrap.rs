//! Which master keys the database needs, and how a new key replaces an old one while the service runs.

use diesel::QueryableByName;
use diesel::sql_types::{Array, Bytea, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use crate::store::database::Database;
use crate::store::error::StoreError;
use crate::store::wrapping::{SecretColumn, missing};

/// How many rows are wrapped again in one statement.
const BATCH: usize = 500;

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = Bytea)]
    id: Vec<u8>,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = Text)]
    key: String,
    #[diesel(sql_type = Bytea)]
    secret: Vec<u8>,
}

impl SecretColumn {
    /// The prefix of a stored secret: the id of its master key, or nothing where the secret is stored in clear. The
    /// index `games_wrapped_by` is over the same expression.
    fn id(self) -> String {
        let Self { column, .. } = self;
        format!("substring({column} FROM 1 FOR greatest(octet_length({column}) - 48, 0))")
    }
}

impl Database {
    /// Whether some secrets are not wrapped by the current master key: [`Database::rewrap`] changes that.
    ///
    /// # Errors
    /// [`StoreError::Key`] where a secret cannot be opened with any of the given master keys.
    pub async fn has_secrets_to_rewrap(&self) -> Result<bool, StoreError> {
        let mut some = false;
        for column in SecretColumn::ALL {
            for id in self.wrapped_by(column).await? {
                if !self.master_keys.can_open(&id) {
                    return Err(missing(&id));
                }
                some |= id != self.master_keys.current();
            }
        }
        Ok(some)
    }

    /// Wraps all secrets with the current master key, batch by batch, and returns how many were rewrapped. If it ends
    /// early, finished rows stay rewrapped, and the next run finds the rest.
    ///
    /// # Errors
    /// [`StoreError::Key`] where a secret cannot be opened with any of the given master keys.
    pub async fn rewrap(&self) -> Result<usize, StoreError> {
        // The last search goes over all rows.
        let mut connection = self.patient_session().await?;
        let mut rewrapped = 0;
        for column in SecretColumn::ALL {
            let mut after = column.first.to_owned();
            // The next pass finds the rows that other replicas wrote meanwhile.
            let mut in_pass = 0;
            loop {
                let page = self.other_secrets(&mut connection, column, &after).await?;
                match page.last() {
                    Some(last) => after.clone_from(&last.key),
                    None if in_pass == 0 => break,
                    None => (after, in_pass) = (column.first.to_owned(), 0),
                }
                in_pass += page.len();
                rewrapped += self.replace(&mut connection, column, page).await?;
            }
        }
        Ok(rewrapped)
    }

    /// Each id that prefixes a secret of a column: one index lookup for each id, whatever the number of rows.
    async fn wrapped_by(&self, column: SecretColumn) -> Result<Vec<Vec<u8>>, StoreError> {
        let (id, table) = (column.id(), column.table);
        let ids: Vec<Id> = diesel::sql_query(format!(
            "WITH RECURSIVE ids (id) AS (
                 (SELECT {id} FROM {table} ORDER BY 1 LIMIT 1)
                 UNION ALL
                 SELECT (SELECT {id} FROM {table} WHERE {id} > ids.id ORDER BY 1 LIMIT 1)
                 FROM ids WHERE ids.id IS NOT NULL)
             SELECT id FROM ids WHERE id IS NOT NULL"
        ))
        .load(&mut self.connection().await?)
        .await?;
        Ok(ids.into_iter().map(|Id { id }| id).collect())
    }

    /// Some rows after `after` that are not wrapped by the current master key.
    async fn other_secrets(
        &self,
        connection: &mut AsyncPgConnection,
        column: SecretColumn,
        after: &str,
    ) -> Result<Vec<Row>, StoreError> {
        let (id, SecretColumn { table, column, key, key_type, .. }) = (column.id(), column);
        Ok(diesel::sql_query(format!(
            "SELECT {key}::text AS key, {column} AS secret FROM {table}
             WHERE {key} > $2::{key_type} AND {id} <> $1 ORDER BY {table}.{key} LIMIT {BATCH}"
        ))
        .bind::<Bytea, _>(self.master_keys.current())
        .bind::<Text, _>(after)
        .load(connection)
        .await?)
    }

    /// Wraps these rows again. A row that has changed meanwhile is left as it is. Returns how many rows were wrapped.
    async fn replace(
        &self,
        connection: &mut AsyncPgConnection,
        column: SecretColumn,
        rows: Vec<Row>,
    ) -> Result<usize, StoreError> {
        let wrap = |row: &Row| {
            let secret = self.master_keys.unwrap(column, &row.key, &row.secret)?;
            Ok(self.master_keys.wrap(column, &row.key, &secret))
        };
        let wrapped: Vec<Vec<u8>> = rows.iter().map(wrap).collect::<Result<_, StoreError>>()?;
        let (keys, olds): (Vec<String>, Vec<Vec<u8>>) =
            rows.into_iter().map(|Row { key, secret }| (key, secret)).unzip();
        let SecretColumn { table, column, key, key_type, .. } = column;
        Ok(diesel::sql_query(format!(
            "UPDATE {table} SET {column} = row.wrapped
             FROM unnest($1, $2, $3) AS row (key, old, wrapped)
             WHERE {table}.{key} = row.key::{key_type} AND {table}.{column} = row.old"
        ))
        .bind::<Array<Text>, _>(keys)
        .bind::<Array<Bytea>, _>(olds)
        .bind::<Array<Bytea>, _>(wrapped)
        .execute(connection)
        .await?)
    }
}
