//! `Accept`: a resource that exists as JSON and as text is sent in the form that the caller prefers.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::http::header::{Accept, Header, Quality};
use actix_web::{FromRequest, HttpRequest};

use crate::http::problem::Problem;

/// For programs, or for people. A caller without a preference gets JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    Json,
    Text,
}

/// A form in which an answer can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Json,
    Text,
    Csv,
    Html,
}

impl Form {
    fn media_type(self) -> &'static str {
        match self {
            Form::Json => "application/json",
            Form::Text => "text/plain",
            Form::Csv => "text/csv",
            Form::Html => "text/html",
        }
    }

    /// Whether `range` of an `Accept` matches this form: itself, all of its family, or anything.
    fn fits(self, range: &str) -> bool {
        let own = self.media_type();
        let family =
            range.strip_suffix('*').is_some_and(|family| family.ends_with('/') && own.starts_with(family));
        range == own || range == "*/*" || family
    }
}

/// The form that the caller prefers. Among equals: the first that the caller named, and then the first of `forms`. If
/// the caller accepts none of them: the first of `forms`.
pub fn preferred(request: &HttpRequest, forms: &[Form]) -> Form {
    let Ok(Accept(offers)) = Accept::parse(request) else { return forms[0] };
    let known = offers.iter().filter(|offer| offer.quality > Quality::ZERO).filter_map(|offer| {
        let form = forms.iter().find(|form| form.fits(offer.item.essence_str()))?;
        Some((offer.quality, *form))
    });
    let best = known.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(forms[0], |(_, form)| form)
}

impl Medium {
    fn wanted(request: &HttpRequest) -> Medium {
        match preferred(request, &[Form::Json, Form::Text]) {
            Form::Text => Medium::Text,
            _ => Medium::Json,
        }
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
