//! Failures, as every client sees them: `application/problem+json` (RFC 9457).

use std::borrow::Cow;
use std::fmt;

use actix_web::http::StatusCode;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpResponse, ResponseError};
use cardroom_core::rules::Refusal;
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::store::accounts::{ACCOUNT_DELETED, SESSION_ENDED};
use crate::store::error::StoreError;

/// A problem document.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// A URI reference for the kind of problem: `/docs/problems#` and the code.
    #[serde(rename = "type")]
    #[schema(example = "/docs/problems#not_your_turn")]
    kind: String,
    /// The code in words, the same for all problems with this code.
    #[schema(example = "not your turn")]
    title: String,
    /// The HTTP status.
    status: u16,
    /// What went wrong this time.
    detail: Cow<'static, str>,
    /// A stable word for programs.
    #[schema(value_type = String, example = "not_your_turn")]
    code: &'static str,
    /// For a refused action: the version of the game that refused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    version: Option<u32>,
    /// For a refused action: the seats for which the game waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    to_act: Option<Vec<u8>>,
    /// For a refused action: the actions that the caller may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<cardroom_core::table::legal_action::LegalAction>>, nullable = false)]
    legal_actions: Option<Box<RawValue>>,
    #[serde(skip)]
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Problem {
    /// A problem with the status that its code always has.
    pub fn new(code: &'static str, detail: impl Into<Cow<'static, str>>) -> Problem {
        let Code { code, status, meaning: _ } = *Code::find(code);
        Problem {
            kind: format!("/docs/problems#{code}"),
            title: code.replace('_', " "),
            status,
            detail: detail.into(),
            code,
            version: None,
            to_act: None,
            legal_actions: None,
            headers: match status {
                401 => {
                    vec![(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"cardroom\""))]
                }
                503 => vec![(header::RETRY_AFTER, HeaderValue::from_static("1"))],
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

    /// The problem with the game's state, as the caller may see it.
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

/// One kind of problem.
#[derive(Debug)]
pub struct Code {
    pub code: &'static str,
    pub status: u16,
    /// What the code tells a client, and what the client can do about it.
    pub meaning: &'static str,
}

impl Code {
    /// The code of a failure that has only a status: the framework's own.
    pub fn of_status(status: StatusCode) -> &'static str {
        match status {
            StatusCode::NOT_FOUND => "not_found",
            StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
            StatusCode::NOT_ACCEPTABLE => "not_acceptable",
            StatusCode::REQUEST_TIMEOUT => "request_timeout",
            StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
            StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
            status if status.is_client_error() => "malformed_request",
            _ => "internal",
        }
    }

    fn find(code: &str) -> &'static Code {
        CODES.iter().find(|known| known.code == code).unwrap_or(&INTERNAL)
    }

    /// The code of the problem that this response contains, if it contains one.
    pub fn of<B>(response: &HttpResponse<B>) -> Option<&'static Code> {
        response.extensions().get::<&'static Code>().copied()
    }
}

/// Also the meaning of a code that is not in the table: that is a defect of this program.
const INTERNAL: Code = code("internal", 500, "Something went wrong on our side. It has been logged.");

/// The one table of codes, by status.
pub static CODES: &[Code] = &[
    code("malformed_request", 400, "The request is not HTTP that this service understands."),
    code("malformed_json", 400, "The body is not JSON."),
    code("invalid_parameter", 400, "A parameter in the path, the query or a header is not of its form."),
    code(
        "unauthorized",
        401,
        "There is no access token, or one that is forged or has expired. Sign in, or refresh.",
    ),
    code("wrong_credentials", 401, "No account has this name and password."),
    code("invalid_refresh_token", 401, "The refresh token is unknown, expired or used. Sign in again."),
    code(
        "invalid_ticket",
        401,
        "The ticket has expired, its session has ended, or it is for another stream. Ask for another.",
    ),
    code("forbidden", 403, "The account may not do this."),
    code(
        "account_required",
        403,
        "Guests may not do this. POST /v1/auth/upgrade gives a guest a name and a password.",
    ),
    code(
        "insufficient_scope",
        403,
        "The personal access token does not allow this; its scopes say what it may do.",
    ),
    code("not_creator", 403, "Only the player who created it may do this."),
    code("not_seated", 403, "Only a player of the game may do this."),
    code("not_organiser", 403, "Only the organisers of the tournament may do this."),
    code("not_director", 403, "Referees may not do this, only directors and the owner of the tournament."),
    code("not_eligible", 403, "The player does not meet a condition of entry, which the detail names."),
    code("removed", 403, "The creator of the game has removed the player, who cannot come back."),
    code(
        "wrong_invite",
        403,
        "A private game is joined, and some tournaments are entered, with an invite code.",
    ),
    code("wrong_recovery_code", 403, "The account has no such recovery code, or it has been used."),
    code("wrong_mail_code", 403, "No mail address waits for this code, or the code has expired."),
    code("not_found", 404, "Nothing is at this path."),
    code("game_not_found", 404, "There is no such game, or it is not for the caller to see."),
    code("no_such_version", 404, "The game or the tournament has not come to this version."),
    code(
        "hand_not_found",
        404,
        "No hand of this number has begun, or the request needs one that was played to its end.",
    ),
    code("no_such_seat", 404, "The game has no such seat, or nobody sits there."),
    code("kind_not_found", 404, "There is no such kind of game."),
    code("tournament_not_found", 404, "There is no such tournament."),
    code("series_not_found", 404, "There is no such series."),
    code("player_not_found", 404, "There is no such player."),
    code("token_not_found", 404, "You have no such personal access token."),
    code("subscription_not_found", 404, "You have no such subscription to Web Push."),
    code("webhook_not_found", 404, "You have no such webhook."),
    code("penalty_not_found", 404, "The tournament has no penalty of this number."),
    code("table_not_found", 404, "The tournament has no such round, or the round has no such table."),
    code("other_game", 409, "The table plays another game by now: look at the tournament again."),
    code(
        "duplicate_table",
        409,
        "The tables of a duplicate round are not played once more, because their cards are known.",
    ),
    code("not_duplicate", 409, "The game was dealt cards of its own: no other table has played them."),
    code("round_over", 409, "The table's round does not allow this any more."),
    code("game_paused", 409, "An organiser has stopped the clocks: nobody acts until they run again."),
    code("tournament_paused", 409, "The clocks of all tables are stopped: resume the tournament."),
    code("call_not_found", 404, "The tournament has no call of this number."),
    code("too_many_calls", 409, "The entrant has called a referee too often: wait for an answer."),
    code("not_scheduled", 404, "Nobody has said yet when the tournament starts."),
    code("check_in_not_open", 409, "Entrants can check in from a later time on."),
    code("check_in_not_needed", 409, "The entrant need not check in."),
    code("check_in_closed", 409, "The entrant cannot check in any more."),
    code(
        "entrant_not_found",
        404,
        "Nobody of this name plays in the tournament, or at the table that the request names.",
    ),
    code("organiser_not_found", 404, "Nobody of this name organises the tournament."),
    code("owner_stays", 409, "The player who created the tournament stays its owner."),
    code("team_full", 409, "The team has as many members as a team may have."),
    code("team_name_taken", 409, "Another team has this name by now, spelt otherwise."),
    code("team_required", 422, "The tournament is played in teams, and the request names none."),
    code("method_not_allowed", 405, "The path does not take this method; Allow lists those that it takes."),
    code("not_acceptable", 406, "The answer exists in no encoding that the request accepts."),
    code("request_timeout", 408, "The body came too slowly. Send it again, at once."),
    code("not_your_turn", 409, "The game waits for somebody else."),
    code("game_not_open", 409, "The game has started, so its seats are settled."),
    code("game_not_active", 409, "The game has not started."),
    code("game_over", 409, "The game has ended."),
    code("not_finished", 409, "This opens when the game, or the tournament with all its games, has ended."),
    code("was_aborted", 409, "The game or the tournament was called off, so that nobody has won it."),
    code("already_seated", 409, "The player has a seat in this game."),
    code("seat_taken", 409, "Somebody else sits there."),
    code(
        "too_many_changes",
        409,
        "This was done as often as a game or a tournament allows it; the detail says more.",
    ),
    code("game_not_private", 409, "A public game needs no invite."),
    code("resigned", 409, "The player has resigned, and the house plays for the seat."),
    code("already_agreed", 409, "The player has agreed to call the game off; others have not."),
    code("tournament_game", 409, "The organiser of the tournament decides on this."),
    code("username_taken", 409, "Another account has this name. Case makes no difference."),
    code("not_a_guest", 409, "The account has a name and a password already."),
    code("too_few_players", 409, "The game needs more players to start."),
    code("tournament_not_open", 409, "The tournament has started, so its list is closed."),
    code("registration_not_open", 409, "Players can enter from a later time on."),
    code("registration_closed", 409, "The time in which players can enter is over."),
    code("tournament_not_active", 409, "The tournament has not started."),
    code("tournament_over", 409, "The tournament has ended."),
    code("tournament_full", 409, "As many have entered as the tournament takes."),
    code("already_entered", 409, "The player is on the list of the tournament, or was disqualified from it."),
    code("entrant_not_out", 409, "The entrant plays in the tournament, so there is nothing to take back."),
    code("not_entered", 409, "The player is not on the tournament's list."),
    code("too_few_entrants", 409, "The tournament needs more entrants to start."),
    code(
        "too_many_games",
        409,
        "The account has as many unfinished games and tournaments, or games of bots alone, as it may have; or the \
         guests of its network have.",
    ),
    code("organises_tournament", 409, "The account organises a tournament that is not over."),
    code(
        "too_many_series",
        409,
        "The account has as many series as it may have, or the tournament is in as many.",
    ),
    code("series_full", 409, "The series has as many tournaments as it may have."),
    code("too_many_tokens", 409, "The account has as many personal access tokens as it may have."),
    code("too_many_webhooks", 409, "The account has as many webhooks as it may have."),
    code(
        "too_many_push_subscriptions",
        409,
        "The account has as many subscriptions to Web Push as it may have.",
    ),
    code("no_mail_server", 409, "This service sends no mail. Recovery codes work without it."),
    code("stale_version", 412, "The game has moved on since the version in If-Match."),
    code("body_too_large", 413, "The body is larger than this service reads."),
    code("unsupported_media_type", 415, "Bodies are application/json, and not compressed."),
    code("illegal_action", 422, "The rules do not allow this action now; legal_actions lists those they do."),
    code("invalid_body", 422, "The body is JSON, but not of the form that is documented."),
    code("session_not_found", 404, "You have no such session, or it has ended."),
    code("wrong_password", 403, "The current password is not the one that you sent."),
    code("weak_password", 422, "The password is easy to guess; the detail says why, and what would help."),
    code("invalid_options", 422, "An option is out of its range, or two contradict each other."),
    code("invalid_mail_address", 422, "No mail can be sent to this address."),
    code("invalid_url", 422, "Nothing is sent to this URL; the detail says why."),
    code("not_a_bundle", 422, "This is no audit bundle, so that there is nothing to check."),
    code("idempotency_key_reused", 422, "The key was used before, with another request."),
    code(
        "too_many_requests",
        429,
        "Too many requests in too short a time, or open at once on one connection. Wait as long as Retry-After says.",
    ),
    code(
        "too_many_mails",
        429,
        "The account, or the address, was sent as many mails as it may be. Try again in an hour, or tomorrow.",
    ),
    code(
        "bot_budget_used_up",
        429,
        "Bots have played as much without a person as they may for this account, for its network, or on this service. \
         Wait as long as Retry-After says.",
    ),
    code(
        "too_many_streams",
        429,
        "The account or address has as many streams open as it may have. Close one.",
    ),
    INTERNAL,
    code(
        "unavailable",
        503,
        "The database or an archive is away, or the service has too much to do. Trying again in a moment may help.",
    ),
];

const fn code(code: &'static str, status: u16, meaning: &'static str) -> Code {
    Code { code, status, meaning }
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
        let mut response =
            response.body(serde_json::to_vec(self).expect("a problem has string keys and plain values"));
        response.extensions_mut().insert(Code::find(self.code));
        response
    }
}

impl From<StoreError> for Problem {
    /// The database's message goes into the service's log, never to the client: it may quote rows.
    fn from(error: StoreError) -> Problem {
        match error {
            StoreError::Unavailable(_) => {
                tracing::warn!(%error, "database unavailable");
                Problem::new("unavailable", "the database is away; try again in a moment")
            }
            StoreError::Archive(_) => {
                tracing::error!(%error, "an archived game cannot be read");
                Problem::new("unavailable", "the log of this game is in an archive that cannot be read now")
            }
            // Not logged: this error comes under overload.
            StoreError::Busy(what) => {
                Problem::new("unavailable", format!("too many {what} are waiting; try again in a moment"))
            }
            StoreError::Constraint(name) if name == ACCOUNT_DELETED => {
                Problem::new("unauthorized", "the account has been deleted")
            }
            StoreError::Constraint(name) if name == SESSION_ENDED => {
                Problem::new("unauthorized", "the session has ended")
            }
            StoreError::Url(_)
            | StoreError::Newer(_)
            | StoreError::Constraint(_)
            | StoreError::Key(_)
            | StoreError::Secret(_)
            | StoreError::Broken(_) => {
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
