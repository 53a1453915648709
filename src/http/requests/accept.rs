//! The form of an answer: `?format=`, or else what `Accept` prefers.

use actix_web::HttpRequest;
use actix_web::http::header::{self, Accept, Header, Quality};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::problem::Problem;
use crate::http::requests::vary::depends_on;

/// A form in which an answer can be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    Json,
    Text,
    Csv,
    Html,
}

impl Form {
    /// The form with this media type, if there is one.
    pub fn of(media_type: &str) -> Option<Form> {
        [Form::Json, Form::Text, Form::Csv, Form::Html]
            .into_iter()
            .find(|form| form.media_type() == media_type)
    }

    fn media_type(self) -> &'static str {
        match self {
            Form::Json => "application/json",
            Form::Text => "text/plain",
            Form::Csv => "text/csv",
            Form::Html => "text/html",
        }
    }
}

/// The form that the caller asks for in the query, or else prefers by `Accept`: among equals the first that the caller
/// named, and then the first of `forms`. A caller without a preference gets the first of `forms`.
///
/// # Errors
/// `invalid_parameter` where `asked` is none of `forms`; `not_acceptable` where `Accept` excludes all of them.
pub fn chosen(request: &HttpRequest, asked: Option<Form>, forms: &[Form]) -> Result<Form, Problem> {
    if let Some(asked) = asked {
        let is_one = forms.contains(&asked);
        return is_one.then_some(asked).ok_or_else(|| {
            let offered: Vec<&str> = forms.iter().map(|form| form.media_type()).collect();
            Problem::new("invalid_parameter", format!("format: this answer exists as {}", offered.join(", ")))
        });
    }
    depends_on(request, header::ACCEPT);
    let media_types: Vec<&str> = forms.iter().map(|form| form.media_type()).collect();
    preferred(request, &media_types).map(|at| forms[at]).ok_or_else(|| not_acceptable(&media_types))
}

/// The place of the media type that the caller prefers; `None` if it accepts none of them.
pub fn preferred(request: &HttpRequest, media_types: &[&str]) -> Option<usize> {
    let Ok(Accept(offers)) = Accept::parse(request) else { return Some(0) };
    let ranges: Vec<_> = offers.iter().map(|offer| (offer.item.essence_str(), offer.quality)).collect();
    if ranges.is_empty() {
        return Some(0);
    }
    // The most exact of the ranges that match a type tells its quality: `text/plain;q=0, */*` excludes plain text.
    let quality = |media_type: &str| {
        let matching = ranges.iter().filter(|(range, _)| matches(range, media_type));
        matching.max_by_key(|(range, _)| (!range.ends_with('*'), !range.starts_with('*'))).map(|(_, q)| *q)
    };
    let named_at = |media_type: &str| ranges.iter().position(|(range, _)| matches(range, media_type));
    let acceptable = media_types.iter().enumerate().filter_map(|(at, media_type)| {
        let quality = quality(media_type).filter(|quality| *quality > Quality::ZERO)?;
        Some((quality, named_at(media_type), at))
    });
    acceptable
        .reduce(|best, next| {
            let is_better = next.0 > best.0 || (next.0 == best.0 && next.1 < best.1);
            if is_better { next } else { best }
        })
        .map(|(.., at)| at)
}

/// The refusal of a caller that accepts none of these media types.
pub fn not_acceptable(media_types: &[&str]) -> Problem {
    Problem::new("not_acceptable", format!("this answer exists as {}", media_types.join(", ")))
}

/// Whether a range of an `Accept` holds this media type: itself, all of its family, or anything.
fn matches(range: &str, media_type: &str) -> bool {
    let is_family = |family: &str| family.ends_with('/') && media_type.starts_with(family);
    range == media_type || range == "*/*" || range.strip_suffix('*').is_some_and(is_family)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn of(accept: &'static str) -> Option<Form> {
        let request = TestRequest::default().insert_header(("accept", accept)).to_http_request();
        chosen(&request, None, &[Form::Json, Form::Text]).ok()
    }

    #[test]
    fn text_comes_to_callers_that_like_it_better_and_json_to_all_others() {
        for accept in
            ["text/plain", "text/plain; charset=utf-8", "text/*, */*;q=0.1", "*/*;q=0.5, text/plain"]
        {
            assert_eq!(of(accept), Some(Form::Text), "{accept}");
        }
        for accept in ["*/*", "application/json", "text/plain;q=0, */*", "text/html, */*", "nonsense"] {
            assert_eq!(of(accept), Some(Form::Json), "{accept}");
        }
    }

    #[test]
    fn a_caller_that_accepts_none_of_the_forms_is_refused() {
        for accept in ["image/png", "text/html", "application/json;q=0", "text/plain;q=0, image/*"] {
            assert_eq!(of(accept), None, "{accept}");
        }
    }

    #[test]
    fn the_query_goes_before_accept_and_names_a_form_that_exists() {
        let request = TestRequest::default().insert_header(("accept", "image/png")).to_http_request();
        assert_eq!(chosen(&request, Some(Form::Csv), &[Form::Json, Form::Csv]).unwrap(), Form::Csv);
        let refusal = chosen(&request, Some(Form::Html), &[Form::Json, Form::Csv]).unwrap_err();
        assert_eq!(refusal.code(), "invalid_parameter");
    }
}
