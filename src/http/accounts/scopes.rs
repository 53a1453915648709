//! What personal access tokens allow: a request that is not named here needs a session.

use actix_web::http::Method;

use crate::accounts::scopes::Scope;

/// A request with a personal access token needs one of these scopes. If there are none, the request needs a session.
/// `pattern`: of the path that serves it.
pub fn required(method: &Method, pattern: &str) -> &'static [Scope] {
    let is_under = |folder: &str| {
        pattern.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let reads = *method == Method::GET || pattern.ends_with("/stream-ticket");
    match pattern {
        "/v1/me" | "/v1/me/games" | "/v1/me/tournaments" | "/v1/me/stream" | "/v1/me/stream-ticket"
            if reads =>
        {
            &[Scope::Read]
        }
        _ if is_under("/v1/me") || is_under("/v1/webhooks") || is_under("/v1/auth") => &[],
        _ if reads => &[Scope::Read],
        "/v1/tournaments/{id}/entries" | "/v1/tournaments/{id}/entries/me" | "/v1/tournaments/{id}/calls" => {
            &[Scope::Play]
        }
        // Entrants check themselves in, and organisers all of them: the handler tells them apart.
        "/v1/tournaments/{id}/entries/{player}/check-in" => &[Scope::Play, Scope::Organise],
        "/v1/audit/verify" => &[Scope::Read],
        _ if is_under("/v1/kinds") => &[Scope::Read],
        _ if is_under("/v1/games") => &[Scope::Play],
        _ if is_under("/v1/tournaments") || is_under("/v1/series") => &[Scope::Organise],
        _ => &[],
    }
}
