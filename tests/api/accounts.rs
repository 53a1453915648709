//! Accounts and sessions.
