//! HTML pages with the headers that keep foreign scripts and frames out.

use actix_web::http::header;
use actix_web::{HttpResponse, HttpResponseBuilder};

/// Which sites may show a page in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frames {
    /// No site: a page around it could redirect clicks to it.
    Nobody,
    /// Any site: there is nothing on the page that does something when it is clicked.
    Anybody,
}

/// A page of text and tables that runs no script and loads nothing.
pub fn page(response: HttpResponseBuilder, body: String, frames: Frames) -> HttpResponse {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
    restricted(response, policy, frames).content_type("text/html; charset=utf-8").body(body)
}

/// A response that runs only this service's own script files, and sends requests only to this service.
pub fn with_own_scripts(response: HttpResponseBuilder) -> HttpResponseBuilder {
    let policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                  connect-src 'self'; base-uri 'none'; form-action 'none'";
    restricted(response, policy, Frames::Nobody)
}

/// The same for the card room's own pages: they may also compile WebAssembly and start workers, and have no inline style.
pub fn with_own_modules(response: HttpResponseBuilder, frames: Frames) -> HttpResponseBuilder {
    let policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                  img-src 'self' data: blob:; connect-src 'self'; font-src 'none'; worker-src 'self'; \
                  manifest-src 'self'; base-uri 'none'; form-action 'none'";
    restricted(response, policy, frames)
}

fn restricted(mut response: HttpResponseBuilder, policy: &str, frames: Frames) -> HttpResponseBuilder {
    let ancestors = match frames {
        Frames::Nobody => "'none'",
        Frames::Anybody => "*",
    };
    if frames == Frames::Nobody {
        response.insert_header((header::X_FRAME_OPTIONS, "DENY"));
    }
    response
        .insert_header((header::CONTENT_SECURITY_POLICY, format!("{policy}; frame-ancestors {ancestors}")))
        .insert_header((header::REFERRER_POLICY, "no-referrer"));
    response
}

/// A text as it stands in HTML, also within an attribute's quotes.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_write_into_the_page() {
        assert_eq!(escaped("<b>\"a\" & b"), "&lt;b&gt;&quot;a&quot; &amp; b");
    }
}
