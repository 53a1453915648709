//! For operators: health, metrics, the OpenAPI document.

pub mod document;
pub mod metrics;
pub mod problems;
pub mod service;

use actix_web::web::get;
use utoipa_actix_web::service_config::ServiceConfig;

/// Health, metrics and documents.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(service::live)
        .service(service::ready)
        .service(metrics::show)
        .service(service::openapi)
        .service(service::docs)
        .service(problems::list)
        .service(problems::problems)
        .service(service::docs_file)
        .route("/docs/", get().to(service::docs_with_slash));
}
