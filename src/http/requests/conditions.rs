//! The headers that make a request conditional: `Idempotency-Key`, `If-Match`, `If-None-Match`.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{FromRequest, HttpRequest};

use utoipa::IntoParams;

use crate::http::problem::Problem;

/// The header that makes a repeated request recognisable.
pub const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// In the answer to a request that had been done before.
pub const IDEMPOTENCY_REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// `Idempotency-Key`: makes a repeated request recognisable. Clients may leave it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey(pub Option<String>);

/// `If-Match`: the versions for which the request is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IfMatch(Versions);

/// `If-None-Match`: the versions that the caller has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IfNoneMatch(Versions);

impl IfMatch {
    /// The accepted versions; `None` if any version is accepted.
    pub fn listed(self) -> Option<Vec<u32>> {
        match self.0 {
            Versions::Unsaid | Versions::Any => None,
            Versions::Listed(versions) => Some(versions),
        }
    }
}

impl IfNoneMatch {
    /// Whether the caller has `version`, so that the answer is 304.
    pub fn has(&self, version: u32) -> bool {
        match &self.0 {
            Versions::Unsaid => false,
            Versions::Any => true,
            Versions::Listed(versions) => versions.contains(&version),
        }
    }
}

/// The headers of a write, for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "the extractors read the headers; this describes them")]
pub struct WriteHeaders {
    /// Makes a repeat of this request harmless: the first answer is sent again. 1 to 64 visible ASCII characters.
    #[param(
        rename = "Idempotency-Key",
        nullable = false,
        min_length = 1,
        max_length = 64,
        pattern = "^[!-~]+$"
    )]
    idempotency_key: Option<String>,
    /// The version that you saw, in quotes. If the game has moved on, the answer is 412.
    #[param(
        rename = "If-Match",
        nullable = false,
        min_length = 1,
        pattern = r#"^(\*|(W/)?"[^",]*"( *, *(W/)?"[^",]*")*)$"#,
        example = "\"17\""
    )]
    if_match: Option<String>,
}

/// The header of a write that goes by no version, for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "an extractor reads the header; this describes it")]
pub struct KeyHeader {
    /// Makes a repeat of this request harmless: it is answered again, and not done again. 1 to 64 visible ASCII characters.
    #[param(
        rename = "Idempotency-Key",
        nullable = false,
        min_length = 1,
        max_length = 64,
        pattern = "^[!-~]+$"
    )]
    idempotency_key: Option<String>,
}

/// The header of a read that can be answered by 304, for the OpenAPI document.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Header)]
#[expect(dead_code, reason = "an extractor reads the header; this describes it")]
pub struct KnownHeader {
    /// The version that you have, in quotes.
    #[param(
        rename = "If-None-Match",
        nullable = false,
        min_length = 1,
        pattern = r#"^(\*|(W/)?"[^",]*"( *, *(W/)?"[^",]*")*)$"#,
        example = "\"17\""
    )]
    if_none_match: Option<String>,
}

/// The version as an `ETag`.
pub fn etag(version: u32) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{version}\"")).expect("digits and quotes are visible ASCII")
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Versions {
    Unsaid,
    Any,
    Listed(Vec<u32>),
}

impl Versions {
    fn parse(request: &HttpRequest, name: HeaderName) -> Result<Versions, Problem> {
        let mut listed = Vec::new();
        let mut values = request.headers().get_all(&name).peekable();
        if values.peek().is_none() {
            return Ok(Versions::Unsaid);
        }
        for value in values {
            let text = value.to_str().map_err(|_| invalid(&name))?;
            for tag in text.split(',').map(str::trim) {
                match tag {
                    "*" => return Ok(Versions::Any),
                    tag => listed.extend(version_of(tag).ok_or_else(|| invalid(&name))?),
                }
            }
        }
        Ok(Versions::Listed(listed))
    }
}

/// The version that a tag names. A well-formed tag that this service did not issue matches nothing. Proxies that
/// compress turn this service's tags into weak ones, so those count as well.
fn version_of(tag: &str) -> Option<Option<u32>> {
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let inside = tag.strip_prefix('"')?.strip_suffix('"')?;
    Some(inside.parse().ok())
}

fn invalid(name: &HeaderName) -> Problem {
    Problem::new("invalid_parameter", format!("{name} takes a version in quotes, like \"17\""))
}

impl FromRequest for IdempotencyKey {
    type Error = Problem;
    type Future = Ready<Result<IdempotencyKey, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let Some(value) = request.headers().get(IDEMPOTENCY_KEY) else {
            return ready(Ok(IdempotencyKey(None)));
        };
        ready(match visible_ascii(value) {
            Some(key) => Ok(IdempotencyKey(Some(key.to_owned()))),
            None => Err(Problem::new(
                "invalid_parameter",
                "Idempotency-Key takes 1 to 64 visible ASCII characters",
            )),
        })
    }
}

/// The header's value, if it consists of 1 to 64 visible ASCII characters.
pub fn visible_ascii(value: &HeaderValue) -> Option<&str> {
    let text = value.to_str().ok()?;
    let fits = (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
    fits.then_some(text)
}

impl FromRequest for IfMatch {
    type Error = Problem;
    type Future = Ready<Result<IfMatch, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Versions::parse(request, header::IF_MATCH).map(IfMatch))
    }
}

impl FromRequest for IfNoneMatch {
    type Error = Problem;
    type Future = Ready<Result<IfNoneMatch, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Versions::parse(request, header::IF_NONE_MATCH).map(IfNoneMatch))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn if_match(value: &'static str) -> Result<Versions, Problem> {
        let request = TestRequest::default().insert_header(("if-match", value)).to_http_request();
        Versions::parse(&request, header::IF_MATCH)
    }

    #[test]
    fn a_version_stands_in_quotes_alone_or_in_a_list_weak_or_strong() {
        assert_eq!(if_match("\"17\"").unwrap(), Versions::Listed(vec![17]));
        assert_eq!(if_match("W/\"17\", \"18\"").unwrap(), Versions::Listed(vec![17, 18]));
        assert_eq!(if_match("*").unwrap(), Versions::Any);
    }

    #[test]
    fn a_tag_that_is_not_ours_matches_no_version() {
        assert_eq!(if_match("\"abc\"").unwrap(), Versions::Listed(vec![]));
        assert_eq!(IfMatch(if_match("\"abc\"").unwrap()).listed(), Some(vec![]));
    }

    #[test]
    fn a_bare_number_is_no_tag() {
        assert_eq!(if_match("17").unwrap_err().code(), "invalid_parameter");
    }

    #[test]
    fn without_the_header_any_version_will_do_and_none_is_had() {
        let request = TestRequest::default().to_http_request();
        let unsaid = Versions::parse(&request, header::IF_MATCH).unwrap();
        assert_eq!(IfMatch(unsaid.clone()).listed(), None);
        assert!(!IfNoneMatch(unsaid).has(17));
    }
}
