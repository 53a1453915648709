//! The API, with a folder for each resource: its routes, its requests and answers, and its handlers.

pub mod accounts;
pub mod audits;
pub mod connections;
pub mod games;
pub mod html;
pub mod kinds;
pub mod leaderboards;
pub mod limits;
pub mod middleware;
pub mod operations;
pub mod page;
pub mod problem;
pub mod requests;
pub mod series;
pub mod streams;
pub mod tournaments;
pub mod trace;
pub mod webhooks;

use utoipa_actix_web::service_config::ServiceConfig;

/// Every route, and with it every operation of the OpenAPI document.
pub fn routes(config: &mut ServiceConfig) {
    config
        .configure(accounts::routes)
        .configure(kinds::routes)
        .service(leaderboards::show)
        .configure(streams::tickets::routes)
        .configure(games::routes)
        .configure(audits::routes)
        .configure(tournaments::routes)
        .configure(series::routes)
        .configure(webhooks::routes)
        .configure(operations::routes)
        .configure(page::routes);
}
