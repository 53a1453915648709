//! Tournaments, their entrants and their standings.

pub mod announcements;
pub mod audit;
pub mod calls;
pub mod clocks;
pub mod copy;
pub mod crosstable;
pub mod desk;
pub mod details;
pub mod entries;
pub mod export;
pub mod feeds;
pub mod log;
pub mod luck;
pub mod organisers;
pub mod own;
pub mod penalties;
pub mod prescribed;
pub mod rounds;
pub mod standings;
pub mod tables;
pub mod teams;
pub mod tournament;
pub mod view;

use utoipa_actix_web::service_config::ServiceConfig;

use crate::http::streams;

/// Tournaments, their entrants and standings.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(tournament::create)
        .service(tournament::list)
        .service(own::list)
        .service(copy::copy)
        .service(tournament::show)
        .service(tournament::start)
        .service(tournament::abort)
        .service(organisers::name_organiser)
        .service(organisers::dismiss_organiser)
        .service(details::edit)
        .service(details::check_in)
        .service(details::cancel_check_in)
        .service(log::log)
        .service(audit::audit)
        .service(audit::certificates)
        .service(crosstable::crosstable)
        .service(luck::show)
        .service(feeds::calendar)
        .service(feeds::feed)
        .service(streams::tournament::follow)
        .service(streams::standings::follow)
        .service(entries::enter)
        .service(entries::withdraw)
        .service(entries::list)
        .service(entries::list_csv)
        .service(entries::enter_many)
        .service(entries::enter_bot)
        .service(desk::disqualify)
        .service(teams::change_team)
        .service(teams::show)
        .service(rounds::list)
        .service(prescribed::prescribe)
        .service(prescribed::cancel)
        .service(announcements::announce)
        .service(announcements::list)
        .service(penalties::penalise)
        .service(penalties::list)
        .service(penalties::cancel)
        .service(desk::reinstate)
        .service(desk::replace)
        .service(desk::pause)
        .service(desk::resume)
        .service(clocks::pause_table)
        .service(clocks::resume_table)
        .service(clocks::add_time)
        .service(calls::call_referee)
        .service(calls::list)
        .service(calls::answer_call)
        .service(tables::redo)
        .service(tables::set_result)
        .service(tables::cancel_result)
        .service(standings::show)
        .service(standings::show_csv)
        .service(standings::list_points)
        .service(standings::list_points_csv);
}
