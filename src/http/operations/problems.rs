//! What the problems are called and mean: as a page to read, and for frontends in each language.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::LazyLock;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::rules::texts::Language;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::html::{self, Frames};
use crate::http::kinds::LanguageHeader;
use crate::http::problem::CODES;
use crate::http::requests::language::preferred;
use crate::http::requests::page::Page;
use crate::http::requests::unchanged::{self, Freshness};

/// The titles and meanings in German, by code.
const GERMAN: &str = include_str!("problems/de.json");

/// What all problems with the same code have in common.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProblemType {
    /// The key of the texts; it never changes.
    #[schema(example = "not_your_turn")]
    code: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    #[schema(example = "not your turn")]
    title: String,
    /// What the code tells a client, and what the client can do about it.
    #[schema(example = "The game waits for somebody else.")]
    meaning: String,
}

impl ProblemType {
    /// All of them in a language, by status.
    fn all(language: Language) -> Vec<ProblemType> {
        let mut texts: BTreeMap<String, [String; 2]> = match language {
            Language::English => BTreeMap::new(),
            Language::German => serde_json::from_str(GERMAN).expect("a test reads the file"),
        };
        let told = CODES.iter().map(|known| {
            let english = || [known.code.replace('_', " "), known.meaning.to_owned()];
            let [title, meaning] = texts.remove(known.code).unwrap_or_else(english);
            ProblemType { code: known.code, status: known.status, title, meaning }
        });
        told.collect()
    }
}

/// Lists what problems are called and mean.
///
/// A problem has a `code`, and a `title` and a `detail` in English. With this list, a frontend can show the title and the
/// meaning in the player's language. `Accept-Language` chooses it: `en` or `de`.
#[utoipa::path(
    operation_id = "list_problems", tag = "service", params(LanguageHeader),
    responses((status = 200, description = "All problems, on one page.", body = Page<ProblemType>,
               headers(("ETag" = String), ("Content-Language" = String))))
)]
#[get("/v1/problems")]
pub async fn list(request: HttpRequest) -> HttpResponse {
    static LISTS: LazyLock<HashMap<Language, Page<ProblemType>>> = LazyLock::new(|| {
        let list = |language| (language, Page { items: ProblemType::all(language), next: None });
        Language::ALL.into_iter().map(list).collect()
    });
    let language = preferred(&request);
    let mut response = unchanged::json(&request, Freshness::WithTheProgram, &LISTS[&language]);
    let tag = header::HeaderValue::from_static(language.tag());
    response.headers_mut().insert(header::CONTENT_LANGUAGE, tag);
    response
}

/// Explains all problems by their codes.
///
/// Each code has its status, what it means, and what a client can do about it. The `type` of a problem leads here.
#[utoipa::path(
    tag = "service",
    responses((status = 200, description = "A page.", body = String, content_type = "text/html"))
)]
#[get("/docs/problems")]
pub async fn problems() -> HttpResponse {
    html::page(HttpResponse::Ok(), page(), Frames::Nobody)
}

fn page() -> String {
    let mut page = String::from(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Problems - cardroom</title>\
         <style>body{font:16px/1.5 sans-serif;max-width:50em;margin:2em auto;padding:0 1em}\
         dt{font-weight:bold}:target{background:#ffc}</style><h1>Problems</h1>\
         <p>Every failure is <code>application/problem+json</code> with one of these codes.</p><dl>",
    );
    for known in CODES {
        let (code, status, meaning) = (known.code, known.status, known.meaning);
        write!(page, "<dt id=\"{code}\"><code>{code}</code> ({status})</dt><dd>{meaning}</dd>")
            .expect("a string takes all that is written");
    }
    page.push_str("</dl></html>");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_problem_is_told_in_german_and_nothing_else_is() {
        let german: BTreeMap<String, [String; 2]> = serde_json::from_str(GERMAN).unwrap();
        let mut codes: Vec<_> = CODES.iter().map(|known| known.code).collect();
        codes.sort_unstable();
        assert_eq!(german.keys().collect::<Vec<_>>(), codes);
        for (english, german) in
            ProblemType::all(Language::English).iter().zip(ProblemType::all(Language::German))
        {
            assert_eq!(english.code, german.code);
            assert_ne!(english.meaning, german.meaning, "{}", german.code);
        }
    }
}
