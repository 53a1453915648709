//! For operators: health, metrics, the OpenAPI document.

pub mod document;
pub mod metrics;
pub mod service;

use utoipa_actix_web::service_config::ServiceConfig;

/// Health, metrics and documents.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(service::live)
        .service(service::ready)
        .service(metrics::show)
        .service(service::openapi)
        .service(service::docs)
        .service(service::problems)
        .service(service::docs_page)
        .service(service::docs_file);
}
