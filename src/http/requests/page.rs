//! Lists: a page at a time, by a cursor that stays valid while items are added.

use std::fmt::Display;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::http::problem::Problem;
use crate::http::requests::accept::Form;

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The `cursor` of the next page; null on the last.
    #[schema(required)]
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// A page of `limit` items out of `found`, which holds one more if there is a next page.
    pub fn of(found: impl Iterator<Item = T>, limit: i64, cursor: impl Fn(&T) -> String) -> Page<T> {
        let mut items: Vec<T> = found.collect();
        let limit = limit.unsigned_abs() as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| more).map(cursor);
        Page { items, next }
    }
}

impl<T> Page<T> {
    /// The same, of a list that is ordered by numbers.
    pub fn numbered(found: impl Iterator<Item = (i32, T)>, limit: i64) -> Page<T> {
        let Page { items, next } = Page::of(found, limit, |(n, _)| n.to_string());
        Page { items: items.into_iter().map(|(_, item)| item).collect(), next }
    }
}

impl<T: Serialize> Page<T> {
    /// The page as the answer to `request`, with a link to the next one.
    pub fn answer(&self, request: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::Ok().json(self);
        link(request, &mut response, "cursor", self.next.as_ref());
        response
    }
}

/// Which page of a list that is ordered by numbers.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct NumberedQuery {
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    pub limit: Option<u16>,
    /// `next` of the previous page.
    #[param(minimum = 1, maximum = 4_294_967_295_i64)]
    pub cursor: Option<u32>,
}

/// `Link` (RFC 8288) to the next page: this request, but with `parameter` at `next`.
pub fn link(request: &HttpRequest, response: &mut HttpResponse, parameter: &str, next: Option<impl Display>) {
    let Some(next) = next else { return };
    let others = request.query_string().split('&').filter(|pair| {
        let name = pair.split_once('=').map_or(*pair, |(name, _)| name);
        !pair.is_empty() && name != parameter
    });
    let mut query: Vec<String> = others.map(str::to_owned).collect();
    let next = next.to_string();
    query.push(format!("{parameter}={}", utf8_percent_encode(&next, NON_ALPHANUMERIC)));
    let link = format!("<{}?{}>; rel=\"next\"", request.uri().path(), query.join("&"));
    if let Ok(link) = HeaderValue::from_str(&link) {
        response.headers_mut().insert(header::LINK, link);
    }
}

/// The `cursor` of a list that is ordered by numbers.
pub fn before(cursor: Option<u32>) -> Option<i32> {
    cursor.map(|n| i32::try_from(n).unwrap_or(i32::MAX))
}

/// The most items on a page, and how many a request gets that does not say.
pub const MAX_LIMIT: u16 = 200;
const LIMIT: u16 = 50;

/// The most rows in a sheet for spreadsheets or on a page to print, which are also as many as a request gets that does
/// not say.
const MAX_ROWS: u16 = 10_000;

/// The `limit` of a request for JSON: 1 to 200, 50 if left out.
///
/// # Errors
/// `invalid_parameter`.
pub fn limit(asked: Option<u16>) -> Result<i64, Problem> {
    within(asked.unwrap_or(LIMIT), MAX_LIMIT)
}

/// The `limit` of a request for this form: 1 to 200; if left out, 50 in JSON, and 10,000 in any other form.
///
/// # Errors
/// `invalid_parameter`.
pub fn limit_of(form: Form, asked: Option<u16>) -> Result<i64, Problem> {
    match (form, asked) {
        (Form::Json, _) | (_, Some(_)) => limit(asked),
        (_, None) => Ok(MAX_ROWS.into()),
    }
}

/// The `limit` of a request for a sheet: 1 to 10,000, 10,000 if left out.
///
/// # Errors
/// `invalid_parameter`.
pub fn limit_of_sheet(asked: Option<u16>) -> Result<i64, Problem> {
    within(asked.unwrap_or(MAX_ROWS), MAX_ROWS)
}

fn within(limit: u16, most: u16) -> Result<i64, Problem> {
    if limit == 0 || limit > most {
        return Err(Problem::new("invalid_parameter", format!("limit: 1 to {most}")));
    }
    Ok(i64::from(limit))
}
