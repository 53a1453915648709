//! `Accept`: what is there as JSON and as text comes in the form that the caller likes better.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{Accept, Header, Quality};
use actix_web::{FromRequest, HttpRequest};

use super::problem::Problem;

/// For programs, or for people. Who does not say gets JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    Json,
    Text,
}

impl Medium {
    fn wanted(request: &HttpRequest) -> Medium {
        let Ok(Accept(offers)) = Accept::parse(request) else { return Medium::Json };
        let known =
            offers.iter().filter(|offer| offer.quality > Quality::ZERO).filter_map(|offer| {
                match offer.item.essence_str() {
                    "text/plain" | "text/*" => Some((offer.quality, Medium::Text)),
                    "application/json" | "application/*" | "*/*" => Some((offer.quality, Medium::Json)),
                    _ => None,
                }
            });
        // Of equals, the first that was named.
        let best = known.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map_or(Medium::Json, |(_, medium)| medium)
    }
}

impl FromRequest for Medium {
    type Error = Problem;
    type Future = Ready<Result<Medium, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Medium::wanted(request)))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn wanted(accept: &'static str) -> Medium {
        Medium::wanted(&TestRequest::default().insert_header(("accept", accept)).to_http_request())
    }

    #[test]
    fn text_comes_to_who_likes_it_better_and_json_to_everybody_else() {
        for accept in
            ["text/plain", "text/plain; charset=utf-8", "text/*, */*;q=0.1", "*/*;q=0.5, text/plain"]
        {
            assert_eq!(wanted(accept), Medium::Text, "{accept}");
        }
        for accept in
            ["*/*", "application/json", "text/plain;q=0, */*", "text/html, */*", "image/png", "nonsense"]
        {
            assert_eq!(wanted(accept), Medium::Json, "{accept}");
        }
        assert_eq!(Medium::wanted(&TestRequest::default().to_http_request()), Medium::Json);
    }
}
