//! Games: their tables, their logs and hands, and the lobby.

pub mod bots;
pub mod create;
pub mod game;
pub mod hands;
pub mod join;
pub mod lobby;
pub mod log;
pub mod own;
pub mod rematch;
pub mod reviews;
pub mod schemas;
pub mod seats;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::http::streams;

/// Games, and the lobby that lists them.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(create::create)
        .service(join::join)
        .service(lobby::list)
        // Registered before the path that takes any word for a game's id.
        .service(lobby::follow)
        .service(own::list)
        .service(game::show)
        .service(game::sit_down)
        // Registered before the path that takes a seat's number.
        .service(game::stand_up)
        .service(seats::clear)
        .service(seats::change)
        .service(seats::renew_invite)
        .service(bots::seat)
        .service(game::start)
        .service(game::abort)
        .service(game::resign)
        .service(game::act)
        .service(rematch::ask)
        .service(log::list)
        .service(streams::game::follow)
        .service(hands::list)
        .service(hands::show)
        .service(reviews::show)
        .service(reviews::compare)
        .service(reviews::show_game)
        .service(reviews::luck);
}
