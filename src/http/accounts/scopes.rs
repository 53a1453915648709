//! What personal access tokens allow: a request that is not named here needs a session.

use actix_web::http::Method;

use crate::accounts::scopes::Scope;

/// What a personal access token has to include for a request. `pattern`: of the path that serves it. None: such a request
/// needs a session.
pub fn required(method: &Method, pattern: &str) -> Option<Scope> {
    let is_under = |folder: &str| {
        pattern.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let reads = *method == Method::GET || pattern.ends_with("/stream-ticket");
    match pattern {
        "/v1/me" | "/v1/me/games" | "/v1/me/tournaments" | "/v1/me/stream" | "/v1/me/stream-ticket" => {
            reads.then_some(Scope::Read)
        }
        _ if is_under("/v1/me") || is_under("/v1/webhooks") || is_under("/v1/auth") => None,
        _ if reads => Some(Scope::Read),
        "/v1/tournaments/{id}/entries" | "/v1/tournaments/{id}/entries/me" | "/v1/tournaments/{id}/calls" => {
            Some(Scope::Play)
        }
        "/v1/audit/verify" => Some(Scope::Read),
        _ if is_under("/v1/kinds") => Some(Scope::Read),
        _ if is_under("/v1/games") => Some(Scope::Play),
        _ if is_under("/v1/tournaments") || is_under("/v1/series") => Some(Scope::Organise),
        _ => None,
    }
}
