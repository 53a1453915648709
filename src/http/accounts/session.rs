//! What a sign-in is answered with.

use actix_web::http::header;
use actix_web::{HttpResponse, HttpResponseBuilder};
use cardroom_core::log::entry::Time;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::accounts::SignedIn;
use crate::accounts::tokens::LIFETIME;
use crate::store::accounts as rows;

#[derive(Debug, Serialize, ToSchema)]
pub struct Account {
    id: Uuid,
    #[schema(example = "ann")]
    username: String,
    role: Role,
    guest: bool,
    /// Whether it is a program, which `POST /v1/me/program` says for ever.
    program: bool,
    #[schema(value_type = String, format = DateTime)]
    created_at: Time,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    Player,
    Admin,
}

/// A session: how to make requests, and how to go on when the access token has expired.
#[derive(Debug, Serialize, ToSchema)]
pub struct Session {
    account: Account,
    /// A JWT, for `Authorization: Bearer`. What it says of the account was true when it was issued: a changed role
    /// shows from the next token on.
    access_token: String,
    #[schema(example = "Bearer")]
    token_type: &'static str,
    /// Seconds for which the access token is valid.
    #[schema(example = 900)]
    expires_in: i64,
    refresh_token: String,
    /// After a registration and an upgrade: ten codes, each of which opens the account once if the password is lost. They
    /// are told only once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    recovery_codes: Vec<String>,
}

/// The answer to a request that has signed somebody in.
pub fn session(mut response: HttpResponseBuilder, signed_in: SignedIn) -> HttpResponse {
    let SignedIn { account, access_token, refresh_token, recovery_codes } = signed_in;
    response.insert_header((header::CACHE_CONTROL, "no-store")).json(Session {
        account: account.into(),
        access_token,
        token_type: "Bearer",
        expires_in: LIFETIME,
        refresh_token,
        recovery_codes,
    })
}

impl From<rows::Account> for Account {
    fn from(row: rows::Account) -> Account {
        let rows::Account { id, username, password_hash, role, created_at, is_program } = row;
        let role = if role == "admin" { Role::Admin } else { Role::Player };
        Account {
            id,
            username,
            role,
            guest: password_hash.is_none(),
            program: is_program,
            created_at: Time(created_at),
        }
    }
}
