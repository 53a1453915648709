//! Why the database did not do what was asked of it.

use diesel::ConnectionError;
use diesel::result::{DatabaseErrorKind, Error as DieselError};

/// Why the database did not do what was asked of it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is away, or too busy to take more. Trying again later may help.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The database URL is invalid.
    #[error("DATABASE_URL: {0}")]
    Url(String),
    /// The database has migrations that this release does not know.
    #[error(
        "a newer release has been at work on the database (migration {0} is unknown here): start that release, or a \
         newer one"
    )]
    Newer(String),
    /// The queue for such requests is full. This request has not been tried.
    #[error("too many {0} are waiting")]
    Busy(&'static str),
    /// A constraint of this name refused a row.
    #[error("refused by the constraint {0}")]
    Constraint(String),
    /// A key is needed but not given, or the given key is invalid.
    #[error("{0}")]
    Key(String),
    /// A secret in the database does not open, because it was wrapped for another row or was changed.
    #[error("{0} holds no secret that was wrapped for it")]
    Secret(String),
    /// The file of archived games that is needed cannot be read.
    #[error("the archive: {0}")]
    Archive(String),
    /// The database answered with something impossible: a defect of this program.
    #[error("the database answered: {0}")]
    Broken(String),
}

impl From<DieselError> for StoreError {
    fn from(error: DieselError) -> StoreError {
        use DatabaseErrorKind::{ClosedConnection, ReadOnlyTransaction, SerializationFailure};
        match error {
            DieselError::DatabaseError(
                ClosedConnection | ReadOnlyTransaction | SerializationFailure,
                info,
            ) => StoreError::Unavailable(info.message().to_owned()),
            DieselError::DatabaseError(kind, info) => match info.constraint_name() {
                Some(constraint) => StoreError::Constraint(constraint.to_owned()),
                None if is_passing(info.message()) => StoreError::Unavailable(info.message().to_owned()),
                None => StoreError::Broken(format!("{kind:?}: {}", info.message())),
            },
            DieselError::RollbackErrorOnCommit { commit_error, .. } => StoreError::from(*commit_error),
            other => StoreError::Broken(other.to_string()),
        }
    }
}

impl From<ConnectionError> for StoreError {
    fn from(error: ConnectionError) -> StoreError {
        StoreError::Unavailable(error.to_string())
    }
}

/// Words in the messages of transient failures. Diesel gives them no kind and passes no SQLSTATE on, so the words have
/// to do. Every session asks the server for English messages.
const PASSING: &[&str] = &[
    // From the driver: the connection is gone.
    "connection closed",
    "communicating with the server",
    // 57P01 to 57P05: the server shuts down, or has ended the session.
    "terminating connection",
    "terminating background worker",
    "shutting down",
    // 57P03, and the messages after a crash.
    "starting up",
    "recovery mode",
    "not accepting connections",
    "not currently accepting connections",
    // 53300, also for the limits of roles and databases.
    "too many clients",
    "too many connections",
    "remaining connection slots",
    // 53100 and 53200.
    "No space left on device",
    "Disk quota exceeded",
    "out of memory",
    "out of shared memory",
    // 57014 and 55P03: the statement takes too long.
    "canceling statement due to",
    // From Citus: the server shuts down; a shard has moved away since the statement was planned; a server is away.
    "postmaster was shut down",
    "could not find valid entry for shard",
    "connection to the remote node",
    "server closed the connection unexpectedly",
    "SSL SYSCALL error",
    "SSL connection has been closed unexpectedly",
    "invalid socket",
    "no connection to the server",
    "could not receive data from server",
    "could not send data to server",
    "could not establish any connections to the node",
    "connection establishment for node",
    "wait event for node",
    "failure on connection marked as essential",
    // 40P01. 40001 and 25006 have kinds of their own.
    "deadlock detected",
];

fn is_passing(message: &str) -> bool {
    PASSING.iter().any(|words| message.contains(words))
}
