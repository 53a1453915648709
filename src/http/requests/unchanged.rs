//! Answers that a caller may keep: their content is their `ETag`, and a caller that has it gets 304.

use actix_web::http::header::{self, EntityTag, Header, IfNoneMatch};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use sha2::{Digest, Sha256};

/// How many bytes of the digest identify a content.
const TAG_BYTES: usize = 16;

/// How long a caller may use an answer without asking again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It has to ask each time.
    Never,
    /// An hour: what changes only with the program.
    WithTheProgram,
    /// For ever: at another address stands what is newer.
    Forever,
}

impl Freshness {
    fn cache_control(self) -> &'static str {
        match self {
            Freshness::Never => "no-cache",
            Freshness::WithTheProgram => "public, max-age=3600",
            Freshness::Forever => "public, max-age=31536000, immutable",
        }
    }
}

/// The tag of a content. It is weak, because a compressed answer has the same.
pub fn tag(content: &[u8]) -> EntityTag {
    EntityTag::new_weak(URL_SAFE_NO_PAD.encode(&Sha256::digest(content)[..TAG_BYTES]))
}

/// The content, or 304 if the caller has it already.
pub fn content(
    request: &HttpRequest,
    response: HttpResponseBuilder,
    freshness: Freshness,
    content: impl Into<Bytes>,
) -> HttpResponse {
    let content = content.into();
    tagged(request, response, freshness, tag(&content), content)
}

/// The same with a tag that is at hand.
pub fn tagged(
    request: &HttpRequest,
    mut response: HttpResponseBuilder,
    freshness: Freshness,
    tag: EntityTag,
    content: impl Into<Bytes>,
) -> HttpResponse {
    response.insert_header((header::CACHE_CONTROL, freshness.cache_control()));
    response.insert_header(header::ETag(tag.clone()));
    if is_known(request, &tag) {
        return response.status(actix_web::http::StatusCode::NOT_MODIFIED).finish();
    }
    response.body(content.into())
}

/// The same for JSON.
pub fn json(request: &HttpRequest, freshness: Freshness, value: &impl Serialize) -> HttpResponse {
    let text = serde_json::to_vec(value).expect("answers have string keys and plain values");
    let mut response = HttpResponse::Ok();
    response.content_type("application/json");
    content(request, response, freshness, text)
}

/// Whether the caller has this content. A tag that is not ours matches nothing.
fn is_known(request: &HttpRequest, tag: &EntityTag) -> bool {
    match IfNoneMatch::parse(request) {
        Ok(IfNoneMatch::Any) => request.headers().contains_key(header::IF_NONE_MATCH),
        Ok(IfNoneMatch::Items(known)) => known.iter().any(|known| known.weak_eq(tag)),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;
    use actix_web::test::TestRequest;

    use super::*;

    fn status(known: Option<&str>, text: &[u8]) -> StatusCode {
        let mut request = TestRequest::default();
        if let Some(known) = known {
            request = request.insert_header(("if-none-match", known));
        }
        content(&request.to_http_request(), HttpResponse::Ok(), Freshness::Never, text.to_vec()).status()
    }

    #[test]
    fn a_caller_that_has_the_content_gets_304_and_any_other_the_content() {
        let known = tag(b"rules").to_string();
        assert_eq!(status(Some(&known), b"rules"), StatusCode::NOT_MODIFIED);
        assert_eq!(status(Some(&format!("\"other\", {known}")), b"rules"), StatusCode::NOT_MODIFIED);
        assert_eq!(status(Some("*"), b"rules"), StatusCode::NOT_MODIFIED);
        assert_eq!(status(Some(&known), b"other rules"), StatusCode::OK);
        assert_eq!(status(Some("17"), b"rules"), StatusCode::OK);
        assert_eq!(status(None, b"rules"), StatusCode::OK);
    }
}
