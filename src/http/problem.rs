//! Failures, as every client sees them: `application/problem+json` (RFC 9457).

use std::borrow::Cow;
use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::rules::Refusal;
use crate::store::database::StoreError;

/// A problem document.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// A URI reference for the kind of problem: `/docs/problems#` and the code.
    #[serde(rename = "type")]
    #[schema(example = "/docs/problems#not_your_turn")]
    kind: String,
    /// The code in words, the same for all problems of the code.
    #[schema(example = "not your turn")]
    title: String,
    /// The HTTP status.
    status: u16,
    /// What went wrong this time.
    detail: Cow<'static, str>,
    /// A stable word for programs.
    #[schema(value_type = String, example = "not_your_turn")]
    code: &'static str,
    /// Of a refused action: the game's version that judged it.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    /// Of a refused action: the seats that the game waits for.
    #[serde(skip_serializing_if = "Option::is_none")]
    to_act: Option<Vec<u8>>,
    /// Of a refused action: what the caller may do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<crate::table::view::LegalAction>>)]
    legal_actions: Option<Box<RawValue>>,
    #[serde(skip)]
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem with the status that its code always has.
    pub fn new(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Problem {
        let status = status_of(code);
        Problem {
            kind: format!("/docs/problems#{code}"),
            title: code.replace('_', " "),
            status: status.as_u16(),
            detail: detail.into(),
            code,
            version: None,
            to_act: None,
            legal_actions: None,
            headers: match status {
                StatusCode::UNAUTHORIZED => {
                    vec![(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"cardroom\""))]
                }
                StatusCode::SERVICE_UNAVAILABLE => vec![(header::RETRY_AFTER, HeaderValue::from_static("1"))],
                _ => Vec::new(),
            },
        }
    }

    /// The problem with one more header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Problem {
        self.headers.push((name, value));
        self
    }

    /// The problem with where the game stands, as the caller may see it.
    #[must_use]
    pub fn at_table(mut self, version: u32, to_act: Vec<u8>, legal_actions: Box<RawValue>) -> Problem {
        self.version = Some(version);
        self.to_act = Some(to_act);
        self.legal_actions = Some(legal_actions);
        self
    }

    pub fn code(&self) -> &'static str {
        self.code
    }
}

/// The one table of codes. A code that is not in it is a defect, and says so.
fn status_of(code: &str) -> StatusCode {
    match code {
        "malformed_request" | "malformed_json" | "invalid_parameter" => StatusCode::BAD_REQUEST,
        "unauthorized" | "wrong_credentials" | "invalid_refresh_token" => StatusCode::UNAUTHORIZED,
        "forbidden" | "not_creator" | "not_seated" | "wrong_invite" => StatusCode::FORBIDDEN,
        "not_found" | "game_not_found" | "kind_not_found" | "player_not_found" => StatusCode::NOT_FOUND,
        "method_not_allowed" => StatusCode::METHOD_NOT_ALLOWED,
        "not_your_turn" | "game_not_open" | "game_not_active" | "game_over" | "already_seated"
        | "username_taken" | "not_a_guest" | "too_few_players" | "too_many_games" => StatusCode::CONFLICT,
        "stale_version" => StatusCode::PRECONDITION_FAILED,
        "body_too_large" => StatusCode::PAYLOAD_TOO_LARGE,
        "unsupported_media_type" => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "illegal_action" | "invalid_body" | "invalid_options" | "idempotency_key_reused" => {
            StatusCode::UNPROCESSABLE_ENTITY
        }
        "too_many_requests" => StatusCode::TOO_MANY_REQUESTS,
        "unavailable" => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        for header in &self.headers {
            response.append_header(header.clone());
        }
        response.insert_header((header::CACHE_CONTROL, "no-store"));
        response.content_type("application/problem+json");
        response.body(serde_json::to_vec(self).expect("a problem has string keys and plain values"))
    }
}

impl From<StoreError> for Problem {
    /// What the database said goes into our log, never to the client: it may quote rows.
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Unavailable(_) => {
                tracing::warn!(%error, "database unavailable");
                Problem::new("unavailable", "the database is away; try again in a moment")
            }
            StoreError::Constraint(_) | StoreError::Broken(_) => {
                tracing::error!(%error, "unexpected answer of the database");
                Problem::new("internal", "something went wrong on our side; it has been logged")
            }
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        Problem::new(refusal.code, refusal.detail)
    }
}
