//! What messengers show with a link to a hand: what happened, and a picture of it. Both tell what the public may see of
//! the hand, also where a player of the game asks.

pub mod canvas;
pub mod cards;
pub mod marks;
pub mod picture;
pub mod told;

use std::sync::Arc;

use actix_web::http::header::{self, ContentEncoding};
use actix_web::web::{self, Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use moka::future::Cache;
use tokio::sync::Semaphore;
use uuid::Uuid;

use self::picture::Picture;
use crate::games::service::GameService;
use crate::http::games::game::problem;
use crate::http::problem::Problem;
use crate::http::requests::unchanged::{self, Freshness};

/// How many pictures are drawn at a time. One takes some 20 ms of a processor.
const AT_ONCE: usize = 2;
/// How many bytes of drawn pictures are kept; one has some 60,000.
const KEPT: u64 = 8 * 1024 * 1024;
/// What a kept picture takes besides: the hand that it shows.
const BESIDES: usize = 4096;

/// Draws pictures, and keeps those that were asked for last.
pub struct Previews {
    /// By what they show, not by where that was read: a hand can become known in full, and a name can change.
    drawn: Cache<Picture, Bytes>,
    turns: Arc<Semaphore>,
}

impl Default for Previews {
    fn default() -> Self {
        let size = |_: &Picture, png: &Bytes| u32::try_from(png.len() + BESIDES).unwrap_or(u32::MAX);
        Previews {
            drawn: Cache::builder().max_capacity(KEPT).weigher(size).build(),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Previews {
    /// The picture as a PNG. Those who ask for the same at the same time share one drawing.
    async fn png(&self, picture: Picture) -> Result<Bytes, Problem> {
        let drawing = async {
            let turn = self.turns.clone().acquire_owned().await.expect("the semaphore is never closed");
            let picture = picture.clone();
            web::block(move || {
                // Kept for as long as the work goes on, even if the client has gone away.
                let _turn = turn;
                Bytes::from(picture.png())
            })
            .await
        };
        let drawn = self.drawn.try_get_with_by_ref(&picture, drawing).await;
        drawn.map_err(|error| {
            tracing::error!(%error, "a hand cannot be drawn");
            Problem::new("internal", "something went wrong on our side; it has been logged")
        })
    }
}

/// The hand that an address of the page names; none where it names none.
pub fn hand_at(request: &HttpRequest) -> Option<(Uuid, u32)> {
    let part = |name| request.match_info().get(name);
    Some((part("id")?.parse().ok()?, part("n")?.parse().ok()?))
}

/// What the public may see of a hand that has ended.
///
/// # Errors
/// `game_not_found` where the public may not see the game, as where there is none; `hand_not_found`.
pub async fn public(games: &GameService, id: Uuid, n: u32) -> Result<Picture, Problem> {
    let (_, hands) = games.hands(id, None).await.map_err(|error| problem(error, None))?;
    let hand = hands.iter().find(|hand| hand.span.hand == n);
    hand.and_then(told::picture).ok_or_else(none)
}

fn none() -> Problem {
    Problem::new("hand_not_found", "no hand of this number has ended")
}

/// The picture of a hand that has ended.
pub async fn show(
    request: HttpRequest,
    games: Data<GameService>,
    previews: Data<Previews>,
) -> Result<HttpResponse, Problem> {
    let (id, n) = hand_at(&request).ok_or_else(none)?;
    let png = previews.png(public(&games, id, n).await?).await?;
    let mut response = HttpResponse::Ok();
    response.content_type("image/png");
    // A PNG is compressed already.
    response.insert_header((header::CONTENT_ENCODING, ContentEncoding::Identity.as_str()));
    Ok(unchanged::content(&request, response, Freshness::Never, png))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn an_address_names_a_hand_by_a_games_id_and_a_number() {
        let hand = |id, n| hand_at(&TestRequest::default().param("id", id).param("n", n).to_http_request());
        let id = "0198c1c5-21b0-7d1a-8f63-6d1f2b9c0a11";
        assert_eq!(hand(id, "3"), Some((id.parse().unwrap(), 3)));
        for (id, n) in [(id, "third"), (id, "-1"), (id, "4294967296"), ("game", "3")] {
            assert_eq!(hand(id, n), None, "{id} {n}");
        }
    }
}
