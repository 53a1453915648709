//! How far a game or a tournament is, as its row says.

use std::io::Write;

use cardroom_core::{table, tournament};
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

impl From<table::view::Status> for Status {
    fn from(status: table::view::Status) -> Status {
        match status {
            table::view::Status::Open => Status::Open,
            table::view::Status::Active => Status::Active,
            table::view::Status::Finished => Status::Finished,
            table::view::Status::Aborted => Status::Aborted,
        }
    }
}

impl From<tournament::Status> for Status {
    fn from(status: tournament::Status) -> Status {
        match status {
            tournament::Status::Open => Status::Open,
            tournament::Status::Active => Status::Active,
            tournament::Status::Finished => Status::Finished,
            tournament::Status::Aborted => Status::Aborted,
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
