//! The caller of a request: identified once for each request, and available to handlers as an argument.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use cardroom_core::table::Actor;

pub use crate::accounts::tokens::Player;
use crate::http::accounts::scopes::required;
use crate::http::problem::Problem;
use crate::http::requests::vary::depends_on;

/// A caller who may or may not be signed in. An invalid token is refused here, too, because a caller that sends one
/// means to be identified.
#[derive(Debug, Clone)]
pub struct Viewer(pub Option<Player>);

impl Viewer {
    /// The viewer, as tables know them: with the invite that the request has, if it has one.
    pub fn invited(self, invite: Option<String>) -> Option<Actor> {
        self.0.map(|player| Actor { invite, ..player.actor() })
    }
}

impl Player {
    /// The player, as tables know them.
    pub fn actor(&self) -> Actor {
        Actor {
            account: self.account,
            username: self.username.clone(),
            admin: self.admin,
            is_program: self.program,
            invite: None,
        }
    }
}

/// What the request's `Authorization` header says.
#[derive(Debug, Clone)]
pub enum Identity {
    Anonymous,
    Known(Player),
    Refused(&'static str),
    /// The keys could not be read, so the token could not be checked.
    Unsure,
}

fn caller(request: &HttpRequest) -> Result<Option<Player>, Problem> {
    depends_on(request, header::AUTHORIZATION);
    match request.extensions().get::<Identity>() {
        None | Some(Identity::Anonymous) => Ok(None),
        Some(Identity::Known(player)) => {
            check_scopes(player, request)?;
            Ok(Some(player.clone()))
        }
        Some(Identity::Refused(reason)) => Err(Problem::new("unauthorized", *reason)),
        Some(Identity::Unsure) => {
            Err(Problem::new("unavailable", "access tokens cannot be checked right now"))
        }
    }
}

/// Refuses a request for which the caller's personal access token is not meant.
fn check_scopes(player: &Player, request: &HttpRequest) -> Result<(), Problem> {
    let Some(scopes) = player.scopes else { return Ok(()) };
    let pattern = request.match_pattern().unwrap_or_default();
    let detail = match required(request.method(), &pattern) {
        [] => String::from("this needs a session: sign in with name and password"),
        allowing if allowing.iter().any(|&scope| scopes.include(scope)) => return Ok(()),
        [scope, ..] => format!("this needs a personal access token with the scope `{}`", scope.word()),
    };
    Err(Problem::new("insufficient_scope", detail))
}

/// What somebody is told who has not signed in.
pub fn signed_out() -> Problem {
    Problem::new("unauthorized", "sign in and send the access token")
}

impl FromRequest for Player {
    type Error = Problem;
    type Future = Ready<Result<Player, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(caller(request).and_then(|player| player.ok_or_else(signed_out)))
    }
}

impl FromRequest for Viewer {
    type Error = Problem;
    type Future = Ready<Result<Viewer, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(caller(request).map(Viewer))
    }
}
