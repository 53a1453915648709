//! cardroom: five card games over HTTP, every game an append-only log in PostgreSQL.

pub mod rules;
