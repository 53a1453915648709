//! What happens to every request, before and after its handler.

use actix_cors::Cors;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::QueryPayloadError;
use actix_web::http::header::{self, ContentEncoding, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, ResponseError, web};
use tracing::Instrument;

use crate::clock::Clock;
use crate::entropy::Entropy;
use crate::http::accounts::auth::Identity;
use crate::http::accounts::identify::{Credentials, identify};
use crate::http::connections::client_address::{ClientAddress, TrustedProxies};
use crate::http::connections::http2::OpenRequest;
use crate::http::limits::{Allowance, Charge, Limits, OverLimit};
use crate::http::operations::document::Document;
use crate::http::operations::metrics::Exposition;
use crate::http::problem::{Code, Problem};
use crate::http::requests::accept::{not_acceptable, preferred};
use crate::http::requests::conditions::visible_ascii;
use crate::http::requests::incoming::{Answer, keep_chunked};
use crate::http::requests::vary;
use crate::http::trace;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Answers below this are not worth compressing.
const WORTH_COMPRESSING: u64 = 1024;

/// The methods that exist. Others are refused before they are counted; otherwise clients could invent labels for the
/// metrics.
const METHODS: [Method; 7] =
    [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];

/// Outermost: the request's client address, its id, its line in the log, and the guarantee that failures are problem
/// documents.
pub async fn observe(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let clock = tool::<Clock>(request.request());
    let begun = clock.now();
    let id = request_id(&request, tool::<Entropy>(request.request()), clock);
    let client = client_of(&request);
    request.extensions_mut().insert(client);
    let kept = keep_chunked(&mut request);
    let open = OpenRequest::count(&request);
    let asks_for_head = request.method() == Method::HEAD;
    if asks_for_head {
        // Served like GET; the answer's body is not sent.
        request.head_mut().method = Method::GET;
    }
    let span = trace::span(request.headers());
    let response = match open.as_ref().and_then(OpenRequest::refusal).or_else(|| unknown_method(&request)) {
        Some(problem) => request.into_response(problem.error_response()),
        None => next.call(request).instrument(span.clone()).await?.map_into_boxed_body(),
    };
    let mut response = as_problem(response);
    if asks_for_head {
        response = without_endless_body(response);
    }
    if response.request().method() == Method::OPTIONS {
        name_methods(&mut response);
    }
    if let Some(kept) = kept {
        response = response.map_body(|_, body| Answer::with(body, kept));
    }
    if let Some(open) = open {
        response = response.map_body(|_, body| open.answer(body));
    }
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id.clone());
    if headers.get(header::CONTENT_ENCODING).is_some_and(|value| value == "identity") {
        headers.remove(header::CONTENT_ENCODING);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if client.is_secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    if let Some(code) = Code::of(response.response()) {
        tool::<Exposition>(response.request()).count_problem(response.request(), code);
    }
    let duration = tool::<Clock>(response.request()).now().duration_since(begun);
    span.in_scope(|| log(response.request(), response.status(), duration.as_micros(), &id));
    Ok(response)
}

/// Browsers may call from any page: there are no cookies that a foreign page could use.
pub fn cors() -> Cors {
    Cors::default()
        .allow_any_origin()
        .send_wildcard()
        .allow_any_method()
        .allow_any_header()
        .expose_headers([
            "ETag",
            "Link",
            "Location",
            "X-Request-Id",
            "RateLimit-Limit",
            "RateLimit-Remaining",
            "RateLimit-Reset",
            "Retry-After",
            "Idempotency-Replayed",
        ])
        .max_age(3600)
}

/// Innermost: identifies the caller, enforces the request limits, and decides whether the answer is worth compressing.
pub async fn admit(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let client = request.extensions().get::<ClientAddress>().copied();
    let client = client.expect("the outermost middleware looked it up");
    let credentials = Credentials {
        tokens: tool(request.request()),
        personal_tokens: tool(request.request()),
        limits: tool(request.request()),
        client,
    };
    let identity = match identify(&request, credentials).await {
        Ok(identity) => identity,
        Err(refusal) => return Ok(request.into_response(refusal.error_response())),
    };
    request.extensions_mut().insert(identity);
    if let Some(refusal) = unacceptable(&request) {
        return Ok(request.into_response(refusal.error_response()));
    }
    let mut response = match tool::<Limits>(request.request()).charge_of(&request, client) {
        None => next.call(request).await?.map_into_boxed_body(),
        Some(charge) => serve_charged(request, next, &charge).await?,
    };
    leave_small_ones_alone(&mut response);
    vary::write(&mut response);
    Ok(response)
}

/// The refusal of a request that accepts none of the forms in which it would be answered. Most clients accept JSON or
/// anything; for the others the document knows the forms.
fn unacceptable(request: &ServiceRequest) -> Option<Problem> {
    let accept = request.headers().get(header::ACCEPT)?.to_str().ok()?;
    let takes_json = accept.contains("application/json") && !accept.contains("q=0");
    if accept.contains("*/*") || takes_json {
        return None;
    }
    let forms = tool::<Document>(request.request()).forms(request.method(), request.path());
    let is_refused = !forms.is_empty() && preferred(request.request(), &forms).is_none();
    is_refused.then(|| not_acceptable(&forms))
}

async fn serve_charged(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
    charge: &Charge,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let before = tool::<Limits>(request.request()).before(charge);
    let mut response = match before.refusal() {
        Some(refusal) if charge.is_due_before() => request.into_response(refusal.error_response()),
        refusal => {
            if refusal.is_some() {
                request.extensions_mut().insert(OverLimit(true));
            }
            next.call(request).await?.map_into_boxed_body()
        }
    };
    let after = tool::<Limits>(response.request()).after(charge, response.response().head(), before);
    if let Some(refusal) = after.refusal().filter(|_| response.status().is_client_error()) {
        response = response.into_response(refusal.error_response());
    }
    // A handler may have charged the request to a bucket of its own, which is the smaller one.
    let own = response.request().extensions().get::<Allowance>().copied();
    own.unwrap_or(after).write(response.headers_mut());
    Ok(response)
}

/// The address from which the request comes.
fn client_of(request: &ServiceRequest) -> ClientAddress {
    let is_secure = request.app_config().secure();
    tool::<TrustedProxies>(request.request()).client(request.peer_addr(), is_secure, request.headers())
}

/// Answers requests that no handler takes: the path does not exist, or not with this method.
pub async fn nothing_here(
    request: HttpRequest,
    document: web::Data<Document>,
) -> Result<HttpResponse, Problem> {
    match document.allowed(request.path()) {
        Some(methods) if request.method() == Method::OPTIONS => {
            Ok(HttpResponse::NoContent().insert_header((header::ALLOW, methods)).finish())
        }
        _ => Err(not_taken(&document, request.path())),
    }
}

fn unknown_method(request: &ServiceRequest) -> Option<Problem> {
    let is_known = METHODS.contains(request.method());
    (!is_known).then(|| not_taken(tool::<Document>(request.request()), request.path()))
}

/// The failure of a request that no handler takes.
fn not_taken(document: &Document, path: &str) -> Problem {
    let Some(methods) = document.allowed(path) else {
        return Problem::new("not_found", "nothing is at this path");
    };
    let allow = HeaderValue::from_str(methods).expect("methods are visible ASCII");
    let detail = format!("this path takes {methods}");
    Problem::new("method_not_allowed", detail).with_header(header::ALLOW, allow)
}

/// In the answer to a browser's preflight, names the methods that the path takes, and no others.
fn name_methods(response: &mut ServiceResponse<BoxBody>) {
    if !response.headers().contains_key(header::ACCESS_CONTROL_ALLOW_METHODS) {
        return;
    }
    let request = response.request();
    let methods = tool::<Document>(request).allowed(request.path()).unwrap_or_default();
    let methods = HeaderValue::from_str(methods).expect("methods are visible ASCII");
    response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_METHODS, methods.clone());
    response.headers_mut().insert(header::ALLOW, methods);
}

/// The answer to HEAD. The server leaves out a body of known length, but would wait for the end of a stream.
fn without_endless_body(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    match response.response().body().size() {
        BodySize::Stream => response.map_body(|_, _| BoxBody::new(())),
        _ => response,
    }
}

/// The failure of a path that a handler cannot read.
pub fn invalid_path(request: &HttpRequest) -> Error {
    let values: Vec<String> =
        request.match_info().iter().map(|(name, value)| format!("{name} `{value}`")).collect();
    let detail = format!(
        "the path has {}; an id is a UUID, a seat is 0 to 9, and any other number is a whole number from 1",
        values.join(" and ")
    );
    Problem::new("invalid_parameter", detail).into()
}

/// The failure of a query that a handler cannot read.
pub fn invalid_query(error: &QueryPayloadError) -> Error {
    // Behind the framework's own words stand serde's, which name the parameter or what its value should be.
    let reason = match error {
        QueryPayloadError::Deserialize(reason) => reason.to_string(),
        _ => "it cannot be read".to_owned(),
    };
    let detail = match reason.as_str() {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "a number is expected where something else stands".to_owned()
        }
        "number too large to fit in target type" => "a number is too large".to_owned(),
        reason => reason.to_owned(),
    };
    Problem::new("invalid_parameter", format!("the query: {detail}")).into()
}

/// State that [`crate::app`] gave to all handlers. It is not cloned: all workers would update one reference count.
fn tool<T: 'static>(request: &HttpRequest) -> &T {
    request.app_data::<web::Data<T>>().expect("the app registers what its middleware uses")
}

fn request_id(request: &ServiceRequest, entropy: &Entropy, clock: &Clock) -> HeaderValue {
    match request.headers().get(REQUEST_ID).filter(|id| visible_ascii(id).is_some()) {
        Some(id) => id.clone(),
        None => {
            let id = entropy.id(clock.now()).to_string();
            HeaderValue::from_str(&id).expect("an id is visible ASCII")
        }
    }
}

/// Turns a failure of the framework into a problem document.
fn as_problem(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let status = response.status();
    let told =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|value| value == "application/problem+json");
    if told || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let detail = status.canonical_reason().unwrap_or("the request failed");
    let mut problem = Problem::new(Code::of_status(status), detail).error_response();
    let (request, refused) = response.into_parts();
    let mut answer = HttpResponse::new(problem.status());
    for (name, value) in refused.headers().iter().chain(problem.headers()) {
        answer.headers_mut().insert(name.clone(), value.clone());
    }
    answer.extensions_mut().extend(std::mem::take(&mut *problem.extensions_mut()));
    ServiceResponse::new(request, answer.set_body(problem.into_body()))
}

/// The answer's length decides about compression. A stream has no length, and must not be held back in a compressor.
fn leave_small_ones_alone(response: &mut ServiceResponse<BoxBody>) {
    let worth =
        matches!(response.response().body().size(), BodySize::Sized(size) if size >= WORTH_COMPRESSING);
    let headers = response.headers_mut();
    if !worth && !headers.contains_key(header::CONTENT_ENCODING) {
        let identity = HeaderValue::from_static(ContentEncoding::Identity.as_str());
        headers.insert(header::CONTENT_ENCODING, identity);
    }
}

/// Logs one line for each request. It contains the path's pattern, never the path: ids of private games, invites and
/// tickets stay out of the log, and so do tokens and bodies.
fn log(request: &HttpRequest, status: StatusCode, micros: i128, id: &HeaderValue) {
    if !tracing::enabled!(tracing::Level::INFO) {
        return;
    }
    let account = match request.extensions().get::<Identity>() {
        Some(Identity::Known(player)) => Some(player.account),
        _ => None,
    };
    tracing::info!(
        method = %request.method(),
        path = request.match_pattern().as_deref().unwrap_or("-"),
        status = status.as_u16(),
        micros,
        request_id = id.to_str().unwrap_or_default(),
        account = account.map(tracing::field::display),
        "request"
    );
}
