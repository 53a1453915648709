//! The service's metrics, for Prometheus.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};

use crate::http::problem::{Code, Problem};
use crate::metrics::Metrics;
use crate::store::database::Database;

/// The source of the metrics, and whether the public address serves them.
pub struct Exposition {
    database: Database,
    is_public: bool,
}

impl Exposition {
    pub fn new(database: Database, is_public: bool) -> Exposition {
        Exposition { database, is_public }
    }

    /// Counts a problem with which a request was answered.
    pub(crate) fn count_problem(&self, request: &HttpRequest, code: &Code) {
        let Metrics { problems, logins_refused, .. } = &*self.database.metrics;
        problems.with_label_values(&[code.code]).inc();
        let refused = match code.code {
            "wrong_credentials" => &logins_refused.credentials,
            "too_many_requests" => &logins_refused.limit,
            _ => return,
        };
        // The path as the router reads it, decoded.
        if request.match_info().as_str() == "/v1/auth/login" {
            refused.inc();
        }
    }

    /// The metrics as they are now.
    ///
    /// # Errors
    /// `internal`.
    fn answer(&self) -> Result<HttpResponse, Problem> {
        let Database { metrics, .. } = &self.database;
        metrics.see(self.database.pool());
        let text = metrics.text().map_err(|error| {
            tracing::error!(%error, "the metrics cannot be written");
            Problem::new("internal", "something went wrong on our side; it has been logged")
        })?;
        Ok(HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(text))
    }
}

/// The service's metrics.
///
/// For Prometheus. If the metrics have an address of their own, they are not served here.
#[utoipa::path(
    operation_id = "metrics", tag = "service",
    responses(
        (status = 200, description = "The metrics.", body = String, content_type = "text/plain"),
        (status = 404, description = "`not_found`: they have an address of their own."),
    )
)]
#[get("/metrics")]
pub async fn show(exposition: Data<Exposition>) -> Result<HttpResponse, Problem> {
    match exposition.is_public {
        true => exposition.answer(),
        false => Err(Problem::new("not_found", "nothing is at this path")),
    }
}

/// The same, at the metrics' own address.
#[get("/metrics")]
pub async fn show_apart(exposition: Data<Exposition>) -> Result<HttpResponse, Problem> {
    exposition.answer()
}
