//! `Vary`: the request headers on which an answer depends, so that no cache gives one caller's answer to another.

use actix_web::dev::ServiceResponse;
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::{HttpMessage, HttpRequest};

/// The request headers that a handler has read. The extractors note them; the middleware names them in the answer.
#[derive(Debug, Default)]
pub struct Varies(Vec<HeaderName>);

/// Notes that the answer depends on a header of the request. Only answers that may be cached need to say so.
pub fn depends_on(request: &HttpRequest, header: HeaderName) {
    if !request.method().is_safe() {
        return;
    }
    let mut extensions = request.extensions_mut();
    if !extensions.contains::<Varies>() {
        extensions.insert(Varies::default());
    }
    if let Some(Varies(headers)) = extensions.get_mut::<Varies>().filter(|noted| !noted.0.contains(&header)) {
        headers.push(header);
    }
}

/// Writes `Vary` into an answer.
pub fn write<B>(response: &mut ServiceResponse<B>) {
    let noted = response.request().extensions_mut().remove::<Varies>();
    let Some(Varies(names)) = noted else { return };
    // In one line: the middleware for browsers adds to the first and drops the others.
    let names: Vec<&str> = names.iter().map(HeaderName::as_str).collect();
    let names = HeaderValue::from_str(&names.join(", ")).expect("a header's name is visible ASCII");
    response.headers_mut().insert(header::VARY, names);
}
