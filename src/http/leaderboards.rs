//! Leaderboards: the best players of each kind.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpRequest, HttpResponse, get};
use cardroom_core::rating::{Counters, Window};
use cardroom_core::rules::registry::{self, Kind, KindName};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::http::problem::Problem;
use crate::http::requests::page::{self, Page};
use crate::http::requests::unchanged::{self, Freshness};
use crate::ratings::Ratings;
use crate::store::ratings::{BoardLine, RatingRow};

/// Which leaderboard.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BoardQuery {
    /// All time, if left out. In each window, every player begins anew.
    #[serde(default)]
    #[param(inline)]
    window: Window,
    /// The leaderboard of programs, instead of that of people.
    #[serde(default)]
    programs: bool,
    /// 1 to 200; 50 if left out.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u16>,
    /// `next` of the previous page.
    #[param(pattern = r"^[0-689a-e][0-9a-f]{15}\.[0-9a-f]{32}\.[0-9]{1,19}\.[0-9]{1,12}$")]
    cursor: Option<String>,
}

/// A player on a leaderboard.
#[derive(Debug, Serialize, ToSchema)]
pub struct Ranked {
    /// From 1. Equal players share a place, and the next place is skipped (1, 1, 3).
    #[schema(value_type = u32)]
    place: u64,
    #[schema(example = "ann")]
    player: String,
    /// `mu - 3 sigma`: the player's skill is almost surely at least this. 0 before the first game.
    rating: f64,
    /// The estimated skill. 25 before the first game.
    mu: f64,
    /// The standard deviation of that estimate.
    sigma: f64,
    /// Games that count.
    games: i32,
    /// Games with a first place, shared ones too.
    wins: i32,
    /// The hands of all these games.
    hands: i64,
    /// Games won in a row, up to the last.
    streak: i32,
    /// The most games won in a row.
    best_streak: i32,
    /// What else is counted in these games, such as courts of knights that were shown.
    counters: BTreeMap<&'static str, u32>,
}

/// The kind's own counters, 0 before the first game that counts.
pub fn counters(kind: &Kind, counted: Option<&Counters>) -> BTreeMap<&'static str, u32> {
    let count = |name: &str| counted.and_then(|counted| counted.get(name).copied()).unwrap_or_default();
    kind.counters.iter().map(|&name| (name, count(name))).collect()
}

/// A player's rating.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Rating)]
pub struct RatingInfo {
    /// `mu - 3 sigma`: the player's skill is almost surely at least this. 0 before the first game.
    rating: f64,
    /// The estimated skill. 25 before the first game.
    mu: f64,
    /// The standard deviation of that estimate.
    sigma: f64,
    /// Games that count: finished and public, among two players at least who are neither bots nor guests.
    games: i32,
}

impl From<&RatingRow> for RatingInfo {
    fn from(row: &RatingRow) -> RatingInfo {
        let RatingRow { rating, mu, sigma, games, .. } = *row;
        RatingInfo { rating, mu, sigma, games }
    }
}

/// The position in a leaderboard: the last player on the page, and the number of players up to there.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cursor {
    rating: f64,
    account: Uuid,
    place: u64,
    listed: u64,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Cursor { rating, account, place, listed } = self;
        write!(f, "{:016x}.{}.{place}.{listed}", rating.to_bits(), account.simple())
    }
}

impl FromStr for Cursor {
    type Err = Problem;

    fn from_str(text: &str) -> Result<Cursor, Problem> {
        let parts: Vec<&str> = text.split('.').collect();
        let read = || {
            let &[rating, account, place, listed] = parts.as_slice() else { return None };
            let rating = f64::from_bits(u64::from_str_radix(rating, 16).ok()?);
            let (account, place, listed) = (account.parse().ok()?, place.parse().ok()?, listed.parse().ok()?);
            (rating.is_finite() && listed < 1 << 40).then_some(Cursor { rating, account, place, listed })
        };
        read().ok_or_else(|| Problem::new("invalid_parameter", "cursor: it is no page's `next`"))
    }
}

/// Shows the best players of a kind.
///
/// A game is rated if it is finished, is public or a tournament's, and has at least two players who are neither bots
/// nor guests. Only these players are rated. A game shows here a moment after it has finished.
#[utoipa::path(
    operation_id = "get_leaderboard", tag = "tournaments",
    params(("kind" = KindName, Path, description = "Its name."), BoardQuery),
    responses(
        (status = 200, description = "A page, the best first.", body = Page<Ranked>, headers(("ETag" = String))),
        (status = 404, description = "`kind_not_found`"),
    )
)]
#[get("/v1/leaderboards/{kind}")]
pub async fn show(
    request: HttpRequest,
    ratings: Data<Ratings>,
    kind: Path<String>,
    query: Query<BoardQuery>,
) -> Result<HttpResponse, Problem> {
    let BoardQuery { window, programs, limit, cursor } = query.into_inner();
    let Some(kind) = registry::by_name(&kind) else {
        return Err(Problem::new(
            "kind_not_found",
            "there is no such kind of game; GET /v1/kinds lists them",
        ));
    };
    let limit = page::limit(limit)?;
    let before: Option<Cursor> = cursor.as_deref().map(str::parse).transpose()?;
    let after = before.map(|cursor| (cursor.rating, cursor.account));
    let lines = ratings.board(kind.kind, window, programs, after, limit + 1).await?;
    let page = Page::of(placed(kind, lines, before).into_iter(), limit, |(cursor, _)| cursor.to_string());
    let items = page.items.into_iter().map(|(_, ranked)| ranked).collect();
    let page = Page { items, next: page.next };
    let mut response = unchanged::json(&request, Freshness::Never, &page);
    page::link(&request, &mut response, "cursor", page.next.as_ref());
    Ok(response)
}

/// Each line with its place, and the cursor for a page that ends there.
fn placed(kind: &Kind, lines: Vec<BoardLine>, before: Option<Cursor>) -> Vec<(Cursor, Ranked)> {
    let mut last = before;
    let place = |BoardLine { username, row }: BoardLine| {
        let listed = last.map_or(0, |last| last.listed) + 1;
        let place = last.filter(|last| last.rating == row.rating).map_or(listed, |last| last.place);
        let cursor = Cursor { rating: row.rating, account: row.account_id, place, listed };
        last = Some(cursor);
        let RatingRow { rating, mu, sigma, games, wins, hands, streak, best_streak, counters, .. } = row;
        let ranked = Ranked {
            place,
            player: username,
            rating,
            mu,
            sigma,
            games,
            wins,
            hands,
            streak,
            best_streak,
            counters: self::counters(kind, Some(&counters.0)),
        };
        (cursor, ranked)
    };
    lines.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_has_its_own_counters_and_no_others() {
        let counted = Counters::from([("courts_of_knights".to_owned(), 2)]);
        let of = |kind| counters(registry::by_name(kind).unwrap(), Some(&counted));
        assert_eq!(of("knights_heads"), [("courts_of_knights", 2)].into());
        assert!(of("sevens").is_empty());
        let none_yet = counters(registry::by_name("knights_heads").unwrap(), None);
        assert_eq!(none_yet, [("courts_of_knights", 0)].into());
    }

    #[test]
    fn a_cursor_is_read_as_it_was_written() {
        let cursor = Cursor { rating: -1.25e-3, account: Uuid::from_u128(7), place: 3, listed: 4 };
        assert_eq!(cursor.to_string().parse::<Cursor>().unwrap(), cursor);
        for wrong in ["", "1.2.3", "7ff0000000000000.00000000000000000000000000000007.1.1", "x.y.z.1"] {
            assert_eq!(wrong.parse::<Cursor>().unwrap_err().code(), "invalid_parameter", "{wrong}");
        }
    }
}
