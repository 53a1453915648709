//! The card room in the browser: one page for all its addresses, a small one for frames of other sites, and the files that
//! they load. The pages use nothing but the API.

pub mod files;
pub mod preview;
pub mod shell;

use actix_web::http::header::{self, ContentEncoding};
use actix_web::web::{self, get};
use actix_web::{HttpRequest, HttpResponse};
use utoipa_actix_web::service_config::ServiceConfig;

use crate::http::html::{self, Frames};
use crate::http::page::files::{DIGEST, File};
use crate::http::page::shell::{ADDRESSES, EMBEDDED, HAND};
use crate::http::problem::Problem;
use crate::http::requests::unchanged::{self, Freshness};
use crate::http::requests::vary::depends_on;

/// The picture that messengers show with a link to a hand.
const PICTURE: &str = "/games/{id}/hands/{n}/preview.png";

const FILE: &str = "/web/{digest}/{file:.*}";

/// A service worker may do something only for pages below its own address.
const SERVICE_WORKER: &str = "/service-worker.js";

/// The page's addresses and its files. The OpenAPI document leaves them out: they are no part of the API.
pub fn routes(config: &mut ServiceConfig) {
    for (address, _) in ADDRESSES.iter().filter(|(address, _)| *address != HAND) {
        config.route(address, get().to(shell::show));
    }
    config.route(HAND, get().to(shell::hand)).route(PICTURE, get().to(preview::show));
    config.route(EMBEDDED, get().to(shell::embedded));
    config.route(FILE, get().to(file)).route(SERVICE_WORKER, get().to(service_worker));
}

/// The paths that the page takes, as patterns, each with the media types of its answers. A file has the type that its
/// name says, whatever the caller prefers.
pub fn paths() -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let addresses = ADDRESSES.iter().map(|(address, _)| *address).chain([EMBEDDED]);
    let shells = addresses.map(|address| (address, vec!["text/html".to_owned()]));
    let picture = (PICTURE, vec!["image/png".to_owned()]);
    shells.chain([picture, (FILE, Vec::new()), (SERVICE_WORKER, Vec::new())])
}

/// A file that the page loads. A page of another program, which is open or comes from another replica, gets the file that
/// this program has, and may not keep it.
async fn file(request: HttpRequest, path: web::Path<(String, String)>) -> Result<HttpResponse, Problem> {
    let (digest, name) = path.into_inner();
    let freshness = if digest == *DIGEST { Freshness::Forever } else { Freshness::Never };
    // Pages have addresses of their own.
    let name = Some(name.as_str()).filter(|name| !name.ends_with(".html"));
    give(&request, name.and_then(File::of), freshness)
}

/// What shows notices while no page is open. Browsers look for a newer one by themselves.
async fn service_worker(request: HttpRequest) -> Result<HttpResponse, Problem> {
    give(&request, File::of("service-worker.js"), Freshness::Never)
}

fn give(
    request: &HttpRequest,
    file: Option<&'static File>,
    freshness: Freshness,
) -> Result<HttpResponse, Problem> {
    let file = file.ok_or_else(|| Problem::new("not_found", "the page has no such file"))?;
    let mut response = match file.is_loaded_by_a_page() {
        // The policy of the page holds for them; with one of their own, each of some fifty files would be twice as long.
        true => HttpResponse::Ok(),
        false => html::with_own_modules(HttpResponse::Ok(), Frames::Nobody),
    };
    response.content_type(file.media_type());
    depends_on(request, header::ACCEPT_ENCODING);
    let is_compressed = takes_gzip(request);
    let encoding = if is_compressed { ContentEncoding::Gzip } else { ContentEncoding::Identity };
    response.insert_header((header::CONTENT_ENCODING, encoding.as_str()));
    let body = if is_compressed { file.compressed } else { file.content };
    Ok(unchanged::tagged(request, response, freshness, unchanged::tag(file.content), body))
}

fn takes_gzip(request: &HttpRequest) -> bool {
    let accepted = request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let mut codings = accepted.unwrap_or_default().split(',').map(|coding| coding.replace(' ', ""));
    codings.any(|coding| coding == "gzip" || (coding.starts_with("gzip;") && !coding.ends_with("q=0")))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn a_file_is_sent_compressed_to_those_who_take_it() {
        let takes = |accepted: &'static str| {
            takes_gzip(&TestRequest::default().insert_header(("accept-encoding", accepted)).to_http_request())
        };
        assert!(takes("gzip") && takes("deflate, gzip;q=0.5, br"));
        assert!(!takes("br") && !takes("gzip;q=0, br") && !takes(""));
        assert!(!takes_gzip(&TestRequest::default().to_http_request()));
    }
}
