//! How far a game or a tournament is, as its row says.

use std::io::Write;

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::Text;

/// The status of a game or a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, FromSqlRow, AsExpression)]
#[diesel(sql_type = Text)]
pub enum Status {
    /// It has not started.
    Open,
    Active,
    /// It ended by its rules.
    Finished,
    /// It was called off.
    Aborted,
}

impl Status {
    const ALL: [Status; 4] = [Status::Open, Status::Active, Status::Finished, Status::Aborted];

    /// Whether it has ended.
    pub fn is_over(self) -> bool {
        matches!(self, Status::Finished | Status::Aborted)
    }

    /// The word for it, in rows and in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Active => "active",
            Status::Finished => "finished",
            Status::Aborted => "aborted",
        }
    }
}

impl FromSql<Text, Pg> for Status {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Status> {
        let word = std::str::from_utf8(value.as_bytes())?;
        let status = Status::ALL.into_iter().find(|status| status.as_str() == word);
        status.ok_or_else(|| format!("`{word}` is no status").into())
    }
}

impl ToSql<Text, Pg> for Status {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        out.write_all(self.as_str().as_bytes())?;
        Ok(IsNull::No)
    }
}
