//! `Accept-Language`: in which language a game is told.

use actix_web::HttpRequest;
use actix_web::http::header::{self, AcceptLanguage, Header, Preference, Quality};
use cardroom_core::rules::texts::Language;

use crate::http::requests::vary::depends_on;

/// The language that the caller prefers among those that there are; English if there is none of them.
pub fn preferred(request: &HttpRequest) -> Language {
    depends_on(request, header::ACCEPT_LANGUAGE);
    let Ok(AcceptLanguage(accepted)) = AcceptLanguage::parse(request) else { return Language::English };
    let known = accepted.iter().filter(|offer| offer.quality > Quality::ZERO).filter_map(|offer| {
        let language = match &offer.item {
            Preference::Any => Some(Language::English),
            // `de-AT` is a form of `de`.
            Preference::Specific(tag) => {
                let is_it = |known: &Language| tag.primary_language().eq_ignore_ascii_case(known.tag());
                Language::ALL.into_iter().find(is_it)
            }
        };
        Some((offer.quality, language?))
    });
    let best = known.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(Language::English, |(_, language)| language)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn the_best_of_the_languages_that_there_are_is_chosen() {
        let of = |accepted: &'static str| {
            preferred(&TestRequest::default().insert_header(("accept-language", accepted)).to_http_request())
        };
        for german in ["de", "de-AT", "DE;q=0.3", "fr, de;q=0.9, en;q=0.8", "de, en"] {
            assert_eq!(of(german), Language::German, "{german}");
        }
        for english in ["en", "fr", "*", "en-GB, de;q=0.9", "de;q=0, fr", "not a language;;", "den"] {
            assert_eq!(of(english), Language::English, "{english}");
        }
        assert_eq!(preferred(&TestRequest::default().to_http_request()), Language::English);
    }
}
