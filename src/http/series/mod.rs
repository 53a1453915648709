//! Series: points over several tournaments.

pub mod export;
pub mod resource;
pub mod standings;
pub mod tournaments;
pub mod view;

use utoipa_actix_web::service_config::ServiceConfig;

/// Series, their tournaments and their standings.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(resource::create)
        .service(resource::list)
        .service(resource::show)
        .service(resource::edit)
        .service(resource::remove)
        .service(tournaments::add)
        .service(tournaments::take_out)
        .service(standings::show);
}
