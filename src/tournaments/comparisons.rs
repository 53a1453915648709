//! Hands beside the same hands at the other tables of a duplicate round.

use std::net::IpAddr;
use std::sync::Arc;

use cardroom_core::review::comparison::{HandComparison, PlayedHand};
use cardroom_core::rules::Refusal;
use cardroom_core::table::Table;
use uuid::Uuid;

use crate::games::replays::in_background;
use crate::games::reviews::{Reviews, Subject};
use crate::runtime::error::ServiceError;
use crate::tournaments::service::Tournaments;

/// At how many other tables of a round a hand is looked for.
const TABLES: usize = 100;

impl Tournaments {
    /// A hand of a game that is over beside the same hand at the other tables of its round; none where the hand was not
    /// played to its end. It is kept as reviews are. `network`: where the caller is.
    ///
    /// # Errors
    /// `not_duplicate` where the game was dealt its own cards; others as [`Reviews::hand`].
    pub async fn comparison(
        &self,
        reviews: &Reviews,
        table: Arc<Table>,
        hand: u32,
        network: IpAddr,
    ) -> Result<Option<HandComparison>, ServiceError> {
        // A game of a duplicate round is shown as over when all its tables are: `games::visibility`.
        let Some(place) = table.tournament().filter(|place| place.shuffle_id.is_some()) else {
            let detail = "the game was dealt cards of its own: no other table has played them";
            return Err(ServiceError::refused(Refusal::new("not_duplicate", detail)));
        };
        let tournament = self.look(place.id).await?;
        let round = tournament.rounds().iter().find(|round| round.round == place.round);
        let games: Vec<Uuid> =
            round.into_iter().flat_map(|round| &round.tables).map(|table| table.game).collect();
        let ends = self.games.database.hand_ends(place.id, &games, hand).await?;
        let (own, mut others): (Vec<_>, Vec<_>) = ends.into_iter().partition(|(game, _)| *game == table.id);
        let Some(&(_, own_end)) = own.first() else { return Ok(None) };
        let left_out = others.len().saturating_sub(TABLES) as u32;
        others.truncate(TABLES);
        let tournaments = self.clone();
        let compared = reviews.once(table.id, Subject::Comparison(hand), network, async move |_| {
            let Some(own) = tournaments.played_hand(table.id, hand, own_end).await? else { return Ok(None) };
            let (mut played, mut unread) = (Vec::new(), 0);
            for (game, end) in others {
                match tournaments.played_hand(game, hand, end).await {
                    Ok(hand) => played.extend(hand),
                    // A log that no replica can read does not keep the reader from the rest.
                    Err(error @ ServiceError::Fault(..)) => {
                        tracing::error!(%error, "a hand cannot be compared");
                        unread += 1;
                    }
                    Err(error) => return Err(error),
                }
            }
            Ok(Some(HandComparison::of(&own, &played, left_out + unread)))
        });
        compared.await
    }

    /// A hand of a game that is over, by its log up to this entry.
    async fn played_hand(&self, id: Uuid, hand: u32, end: u32) -> Result<Option<PlayedHand>, ServiceError> {
        let log = &self.games.runtime.store;
        let seed = log.seed(id).await?;
        let entries = log.read(id, &seed, 0, end.into()).await?;
        let played = in_background(move || PlayedHand::of(id, seed, entries, hand)).await?;
        played.map_err(|fault| ServiceError::Fault(id, fault))
    }
}
